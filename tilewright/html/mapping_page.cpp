// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tilewright/format/number_text.h"
#include "tilewright/html/figures/figures.h"
#include "tilewright/html/page.h"
#include "tilewright/html/parts.h"
#include "tilewright/result/assumptions.h"
#include "tilewright/result/caveats.h"
#include "tilewright/search/questions/status.h"

namespace tilewright {
namespace {

Fact standing(const MapResult* mapped) {
  if (mapped == nullptr) return {"result", "evaluated", "a mapping that was given", ""};
  const SearchResult& result = mapped->search;
  if (mapped->simple) return {"result", "simplest", "good enough, see the search", ""};
  if (mapped->status == Status::kProved) {
    const bool even = leaves_out_uneven(mapped->space, mapped->request.constraints);
    return {"result", "proved",
            even ? "nothing with even placement is better" : "nothing in the space is better",
            "good"};
  }
  if (result.best && result.bound && *result.bound > 0) {
    return {"result", "gap " + percent_text(find_gap(result.best->score, *result.bound)),
            "no mapping is better by more than this", "fair"};
  }
  return {"result", "not proved", "the best that was found", "fair"};
}

std::vector<Fact> verdict(const Evaluated& evaluated, const MapResult* mapped) {
  const Evaluation& evaluation = evaluated.evaluation;
  const Arch& arch = evaluated.problem.arch();
  const double per_mac = evaluation.energy_pj / static_cast<double>(evaluation.computes);
  const double edp = evaluation.energy_pj * 1e-12 * static_cast<double>(evaluation.cycles);
  const Utilization used = utilization(evaluation, arch.compute_units());
  const auto time = seconds(evaluated);
  const std::string bottleneck = node_or_compute_name(arch, evaluation.bottleneck);
  std::vector<Fact> all = {
      {"energy", energy_text(evaluation.energy_pj), significant_text(per_mac, 4) + " pJ per MAC",
       ""},
      {"cycles", count_text(evaluation.cycles),
       (time ? si_text(*time, "s", 3) + ", " : std::string()) + "bound by " + bottleneck, ""},
      {"energy x cycles", si_text(edp, "J*cycle"), "EDP", ""},
      {"utilization", percent_text(used.total),
       fmt::format("of {}", plural_text(arch.compute_units(), "unit")), ""}};
  if (evaluated.objective && evaluated.objective->name != "edp") {
    all.push_back({"score",
                   fmt::format("{:.6g}", score(evaluated.objective->objective, evaluation)),
                   evaluated.objective->name, ""});
  }
  all.push_back(standing(mapped));
  return all;
}

class MappingPage {
 public:
  MappingPage(const Evaluated& evaluated, const PageOptions& options, const SearchTrace* trace)
      : evaluated_(evaluated), options_(options), trace_(trace) {}

  std::string write() {
    const Workload& workload = evaluated_.problem.workload();
    const Arch& arch = evaluated_.problem.arch();
    const std::string title = workload.name() + " on " + arch.name();
    Markup header;
    header.leaf("h1", title);
    header.leaf("p", {{"class", "einsum"}}, to_einsum(workload));
    std::string sizes;
    for (const Dim& dim : workload.dims()) {
      sizes += fmt::format("{}{} {}", sizes.empty() ? "" : ", ", dim.name, count_text(dim.size));
    }
    header.leaf("p", fmt::format("{}: {}", sizes, plural_text(workload.computes(), "MAC")));
    if (const std::string words = assumptions_words(arch); !words.empty()) {
      header.leaf("p", {{"class", "assumed"}}, words);
    }
    facts(header, verdict(evaluated_, options_.mapped));
    write_sections();
    return html_page(title, options_.version, header, out_);
  }

 private:
  void write_sections() {
    section(out_, "energy", "Energy by level and tensor", [&] { energy_figure(out_, evaluated_); });
    write_answers();
    section(out_, "nest", "The mapping: which loop reuses what",
            [&] { nest_figure(out_, evaluated_, Detail::kFull); });
    section(out_, "array", "The array: which unit computes what",
            [&] { array_figure(out_, evaluated_, Detail::kFull); });
    section(out_, "cycles", "Where the cycles go", [&] { cycles_figure(out_, evaluated_); });
    section(out_, "roofline", "Roofline of every level",
            [&] { roofline_figure(out_, evaluated_); });
    section(out_, "arch", "The architecture",
            [&] { arch_figure(out_, evaluated_.problem.arch(), &evaluated_); });
    if (options_.mapped != nullptr) {
      section(out_, "search", "The search", [&] { write_search(); });
    }
    section(out_, "counts", "Counts", [&] { counts_table(out_, evaluated_); });
    section(out_, "notes", "What to know before trusting the numbers", [&] { write_notes(); });
  }

  // What was asked for besides the best mapping.
  void write_answers() {
    const MapResult* mapped = options_.mapped;
    if (mapped == nullptr) return;
    if (mapped->why) {
      section(out_, "why", "What limits the best mapping", [&] { why_figure(out_, *mapped); });
    }
    if (!mapped->alternatives.empty()) {
      const char* title = mapped->request.front ? "Energy against cycles" : "Mappings side by side";
      section(out_, "others", title, [&] { alternatives_figure(out_, *mapped); });
    }
  }

  void write_search() {
    TextOptions narrow;
    narrow.width = 44;  // an exact size of the space is given only if a phone has room for it
    const MapResult& mapped = *options_.mapped;
    headed_lines(out_, search_text(mapped, narrow) +
                           padding_text(mapped.given(), evaluated_.problem, narrow));
    if (trace_ != nullptr && !trace_->points.empty()) trace_figure(out_, *trace_);
  }

  void write_notes() {
    const auto list = out_.in("ul");
    for (const std::string& caveat : find_caveats(evaluated_)) out_.leaf("li", caveat);
    out_.leaf("li",
              "not modelled: fill and drain times, bank conflicts, network latency and energy, "
              "sparsity; transfers overlap perfectly with computing");
  }

  const Evaluated& evaluated_;
  const PageOptions& options_;
  const SearchTrace* trace_;
  Markup out_;
};

}  // namespace

std::string mapping_page(const Evaluated& evaluated, const PageOptions& options,
                         const SearchTrace* trace) {
  return MappingPage(evaluated, options, trace).write();
}

}  // namespace tilewright
