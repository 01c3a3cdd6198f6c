// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "tilewright/format/number_text.h"
#include "tilewright/html/figures/figures.h"
#include "tilewright/html/page.h"
#include "tilewright/html/parts.h"
#include "tilewright/html/plan_view.h"
#include "tilewright/report/network/plan_text.h"
#include "tilewright/result/assumptions.h"
#include "tilewright/search/questions/status.h"

namespace tilewright {
namespace {

class PlanPage {
 public:
  PlanPage(const Planned& planned, const std::string& version)
      : planned_(planned),
        network_(planned.result.network),
        arch_(planned.result.arch),
        plan_(planned.result.plan),
        version_(version),
        views_(layer_views(planned)) {}

  std::string write() {
    const std::string title = network_.name + " on " + arch_.name();
    Markup header;
    header.leaf("h1", title);
    if (!network_.summary.empty()) header.leaf("p", network_.summary);
    header.leaf("p", layers_words(network_));
    if (const std::string words = assumptions_words(arch_); !words.empty()) {
      header.leaf("p", {{"class", "assumed"}}, words);
    }
    facts(header, totals());
    section(out_, "story", "Where the time and the energy go", [&] { write_story(); });
    section(out_, "layers", "Blocks and layers", [&] { layers_table(out_, planned_, views_); });
    section(out_, "arch", "The architecture", [&] { arch_figure(out_, arch_, nullptr); });
    section(out_, "mappings", "The mappings, one for each group of equal layers", [&] {
      for (std::size_t i = 0; i < plan_.solved.size(); ++i) write_solved(i);
    });
    section(out_, "search", "The search",
            [&] { headed_lines(out_, plan_search_text(planned_, TextOptions{})); });
    section(out_, "notes", "What to know before trusting the numbers", [&] { write_notes(); });
    return html_page(title, version_, header, out_);
  }

 private:
  std::vector<Fact> totals() const {
    const PlanTotals& all = plan_.totals;
    const auto& clock = arch_.clock_hz();
    const double edp = all.energy_pj * 1e-12 * all.cycles;
    return {
        {"energy", energy_text(all.energy_pj),
         all.computes > 0 ? significant_text(all.energy_pj / all.computes, 4) + " pJ per MAC" : "",
         ""},
        {"cycles", significant_text(all.cycles, 5),
         clock ? si_text(all.cycles / to_double(*clock), "s", 3) : "layers run one after the other",
         ""},
        {"energy x cycles", si_text(edp, "J*cycle"), "EDP", ""},
        {"utilization", percent_text(all.utilization),
         fmt::format("of {}, weighted by work", plural_text(arch_.compute_units(), "unit")), ""},
        {"DRAM traffic", si_text(all.dram_bits / 8, "B"), off_chip_names(arch_), ""},
        standing()};
  }

  Fact standing() const {
    std::size_t mapped = 0;
    for (const LayerView& view : views_) mapped += view.state == LayerView::State::kMapped ? 1 : 0;
    if (plan_.totals.unmapped > 0) {
      return {"layers", fmt::format("{} not mapped", plan_.totals.unmapped),
              fmt::format("of {}; they are not in any sum", mapped + plan_.totals.unmapped), "bad"};
    }
    const std::size_t proved = plan_.totals.proved;
    const double edp = plan_.totals.energy_pj * plan_.totals.cycles;
    if (const std::size_t unmet = count_unmet(planned_); unmet > 0) {
      return {"layers", fmt::format("{} of {} proved", proved, mapped),
              fmt::format("{} more proved, {} searched without constraints that do not apply",
                          plan_.totals.proved_without, unmet),
              "fair"};
    }
    if (proved == mapped) {
      return {"layers", fmt::format("all {} proved", mapped),
              leaves_out_uneven(planned_.result) ? "none with even placement is better"
                                                 : "no mapping of a layer is better",
              "good"};
    }
    return {"layers", fmt::format("{} of {} proved", proved, mapped),
            plan_.totals.bound > 0
                ? "overall gap " + percent_text(find_gap(edp, plan_.totals.bound))
                : "the others are the best found",
            "fair"};
  }

  void write_story() {
    {
      const auto pair = out_.in("div", {{"class", "pair"}});
      {
        const auto part = out_.in("div");
        out_.leaf("h3", "Time by bottleneck");
        limits_figure(out_, views_);
      }
      const auto part = out_.in("div");
      out_.leaf("h3", "Energy by level");
      levels_figure(out_, arch_, views_);
    }
    out_.leaf("h3", "Time, layer by layer");
    timeline_figure(out_, network_, views_);
    write_main("time", &PlannedLayer::cycles, plan_.totals.cycles);
    out_.leaf("h3", "Energy, layer by layer");
    energy_strip_figure(out_, planned_, views_);
    write_main("energy", &PlannedLayer::energy_pj, plan_.totals.energy_pj);
  }

  // The few kinds of layers that take most of it.
  void write_main(const char* what, double PlannedLayer::*figure, double all) {
    const std::vector<PlanRow> rows = fold_layers(planned_);
    const std::vector<PlanRow> largest = largest_rows(rows, figure, all);
    if (all <= 0 || largest.empty()) return;
    std::vector<std::string> names;
    constexpr std::size_t kNamed = 3;
    for (const PlanRow& row : largest) {
      const double share = row.each.*figure * static_cast<double>(row.runs) / all;
      names.push_back(fmt::format("{}{} ({})", network_.layers[row.layers.front()].name,
                                  row.runs > 1 ? " x " + count_text(row.runs) : "",
                                  percent_text(share == 1 ? 1 : share)));
      if (names.size() == kNamed) break;
    }
    const std::size_t more = largest.size() - names.size();
    const auto line = out_.in("p");
    out_.leaf("strong",
              fmt::format("80 % of the {} is in {} of {} of layers: ", what, largest.size(),
                          plural_text(static_cast<std::int64_t>(rows.size()), "kind")));
    out_.text(fmt::format("{}{}.", fmt::join(names, ", "),
                          more > 0 ? fmt::format(" and {} more, in bold below", more) : ""));
  }

  // `conv2_1 and 3 equal layers`
  std::string name_of(std::size_t solved) const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < plan_.layers.size(); ++i) {
      if (plan_.layers[i].solved == solved) names.push_back(network_.layers[i].name);
    }
    if (names.empty()) return "layer";
    if (names.size() == 1) return names.front();
    return fmt::format("{} and {}", names.front(),
                       plural_text(static_cast<std::int64_t>(names.size() - 1), "equal layer"));
  }

  void write_solved(std::size_t index) {
    const Solved& solved = plan_.solved[index];
    if (!solved.best) return;
    const Evaluation& evaluation = solved.best->evaluation;
    const Evaluated evaluated{*solved.problem, solved.best->mapping, evaluation, std::nullopt};
    const auto details = out_.in("details");
    {
      const auto summary = out_.in("summary");
      out_.leaf("h3", name_of(index));
      out_.leaf("span", {{"class", "sub"}},
                fmt::format(" {}, {} cycles", energy_text(evaluation.energy_pj),
                            count_text(evaluation.cycles)));
    }
    const auto content = out_.in("div", {{"id", "p" + std::to_string(index)}});
    out_.leaf("p", {{"class", "einsum"}}, to_einsum(solved.problem->workload()));
    std::string sizes;
    for (const Dim& dim : solved.problem->workload().dims()) {
      sizes += fmt::format("{}{} {}", sizes.empty() ? "" : ", ", dim.name, count_text(dim.size));
    }
    out_.leaf("p", sizes);
    nest_figure(out_, evaluated, Detail::kBrief);
    array_figure(out_, evaluated, Detail::kBrief);
    energy_figure(out_, evaluated);
  }

  void write_notes() {
    const auto list = out_.in("ul");
    if (!plan_.resident.empty()) {
      std::vector<std::string> names;
      for (const std::size_t edge : plan_.resident) names.push_back(network_.edges[edge].name);
      out_.leaf("li", fmt::format("stay on chip between layers: {}", fmt::join(names, ", ")));
    }
    const auto ignored = std::ranges::count(network_.layers, LayerKind::kNothing, &Layer::kind);
    if (ignored > 0) {
      out_.leaf("li", fmt::format("not shown, because they move nothing: {}",
                                  plural_text(static_cast<std::int64_t>(ignored), "layer")));
    }
    out_.leaf("li",
              "layers run one after the other; of a mapping, not modelled: fill and drain times, "
              "bank conflicts, network latency and energy, sparsity");
  }

  const Planned& planned_;
  const Network& network_;
  const Arch& arch_;
  const Plan& plan_;
  const std::string& version_;
  std::vector<LayerView> views_;
  Markup out_;
};

}  // namespace

std::string plan_page(const Planned& planned, const std::string& version) {
  return PlanPage(planned, version).write();
}

}  // namespace tilewright
