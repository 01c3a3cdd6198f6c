// SPDX-License-Identifier: Apache-2.0
// FactorFlow's 48 answers (twelve matrix products on four accelerators) beside the proved optima:
// its mappings in our model, its own exhaustive optima found again, and what imperfect factors add.
// experiments/factorflow/README.md says what is compared with what.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bench/support/arguments.h"
#include "experiments/support/csv.h"
#include "experiments/support/demands.h"
#include "experiments/support/gemms.h"
#include "experiments/support/program.h"
#include "experiments/support/runs.h"
#include "tilewright/files/files.h"
#include "tilewright/format/layout.h"
#include "tilewright/format/number_text.h"
#include "tilewright/mapping/violation.h"
#include "tilewright/model/evaluate.h"

namespace tilewright {
namespace {

constexpr double kRounding = 1e-9;
constexpr int kAnswers = 48;
constexpr int kOptima = 11;
constexpr const char* kItsRules = " by its rules";

// Its model reads a finished tile from the child before it goes out.
constexpr Conventions kItsConventions{.holes_are_data = false, .drains_are_reads = true};

struct Answer {
  std::string arch;
  std::string gemm;
  Gemm size;
  double energy_pj = 0;
  double cycles = 0;
  double utilization = 0;
  double seconds = 0;
  std::string mapping;

  std::string name() const { return gemm + " on " + arch; }
  double edp() const { return energy_pj * cycles; }
};

// The best in its own model, by exhaustive search.
struct Optimum {
  std::string arch;
  std::string gemm;
  double edp = 0;
  double seconds = 0;
};

std::vector<Answer> read_answers() {
  std::vector<Answer> answers;
  for (const CsvRow& row :
       read_csv(read_repository_file("experiments/data/factorflow.csv"),
                "arch,gemm,m,k,n,energy_uj,cycles,utilization,seconds,mapping")) {
    answers.push_back({row.text(0),
                       row.text(1),
                       {.m = row.whole(2), .n = row.whole(4), .k = row.whole(3)},
                       row.real(5) * 1e6,
                       row.real(6),
                       row.real(7),
                       row.real(8),
                       row.text(9)});
  }
  return answers;
}

std::vector<Optimum> read_optima() {
  std::vector<Optimum> optima;
  for (const CsvRow& row : read_csv(read_repository_file("experiments/data/factorflow-optima.csv"),
                                    "arch,gemm,evaluated,energy_uj,cycles,seconds")) {
    optima.push_back({row.text(0), row.text(1), row.real(3) * 1e6 * row.real(4), row.real(5)});
  }
  return optima;
}

Problem problem_of(const Answer& answer) {
  return Problem(weight_first_gemm_workload(answer.gemm, answer.size), library_arch(answer.arch));
}

// ---- its mappings in our words ----

// "m8" as a loop in time, or in space if there is an axis.
NestNode read_loop(const Problem& problem, const std::string& text, NodeId node, int axis) {
  const DimId dim = dim_by_letter(problem, text.front());
  const std::int64_t factor = std::stoll(text.substr(1));
  return axis < 0 ? temporal(dim, factor) : spatial(node, axis, dim, factor);
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  const std::size_t last = text.find_last_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

// `DRAM: n8 k2 m8 | Scratchpad: m24 | rows.Y: m16 ...`. Memories keep all they may. Its TPU has
// loops between its two DRAMs; here no loop stands outside the outermost memory of a tensor, so
// they move inside the second one, which changes nothing: neither DRAM is filled.
Mapping read_mapping(const Problem& problem, const std::string& text) {
  const Arch& arch = problem.arch();
  std::vector<NestNode> nodes;
  std::vector<NestNode> waiting;
  TensorSet homeless = 7;
  for (const std::string& level : split_text(text, '|')) {
    const auto parts = split_text(level, ':');
    const auto name = split_text(trimmed(parts[0]), '.');
    const NodeId node = arch.find(name[0]).value();
    const int axis = name.size() > 1 ? axis_by_name(arch.fanout(node), name[1]) : -1;
    if (axis < 0) {
      nodes.push_back(keep(node, problem.memory(node).may_keep));
      homeless &= ~problem.memory(node).may_keep;
    }
    if (parts.size() > 1) {
      for (const std::string& loop : split_text(trimmed(parts[1]), ' ')) {
        waiting.push_back(read_loop(problem, loop, node, axis));
      }
    }
    if (homeless == 0) {
      nodes.insert(nodes.end(), waiting.begin(), waiting.end());
      waiting.clear();
    }
  }
  return Mapping(std::move(nodes));
}

// ---- its constraints ----

// Nothing may bypass a memory that can keep it, and these factors.
std::vector<Constraint> its_constraints(const Problem& problem) {
  Demands demands(problem);
  demands.keep_all();
  if (problem.arch().name() == "gemmini") {
    demands.only_dims("rows.Y", "m").equal("rows.Y", "m", 16);
    demands.only_dims("cols.X", "k").equal("cols.X", "k", 16);
    demands.equal("Register", "mk", 1).equal("Register", "n", 16);
  } else if (problem.arch().name() == "quickflow-eyeriss") {
    demands.only_dims("PE.X", "mk").only_dims("PE.Y", "m");
    demands.equal("InRegister", "mkn", 1).equal("WRegister", "mn", 1);
    demands.equal("OutRegister", "kn", 1);
  } else {
    throw std::runtime_error("its constraints on " + problem.arch().name() + " are not here");
  }
  return demands.all();
}

// ---- what is compared ----

struct Compared {
  Answer answer;
  Evaluation in_our_model;   // its mapping
  Evaluation in_its_manner;  // the same, under its conventions
  Run perfect;
  Run imperfect;

  double its_edp() const {
    return in_our_model.energy_pj * static_cast<double>(in_our_model.cycles);
  }
};

struct Again {
  Optimum optimum;
  Run run;
};

Compared compare(const Answer& answer, RunLog& log) {
  const Problem problem = problem_of(answer);
  const Mapping mapping = read_mapping(problem, answer.mapping);
  if (!find_violations(problem, mapping).empty()) {
    throw std::runtime_error(answer.name() + ": its mapping is not legal here");
  }
  Compared compared{
      answer, evaluate(problem, mapping), evaluate(problem.with(kItsConventions), mapping), {}, {}};
  compared.perfect = log.add(problem, {.instance = answer.name()});
  compared.imperfect = log.add(problem, {.instance = answer.name(), .space = SpaceKind::kRubyS});
  return compared;
}

Again find_again(const Optimum& optimum, const Answer& answer, RunLog& log) {
  const Problem problem = problem_of(answer).with(kItsConventions);
  return {optimum, log.add(problem, {.instance = answer.name() + kItsRules,
                                     .constraints = its_constraints(problem)})};
}

bool same(double a, double b) { return std::abs(a - b) <= kRounding * std::abs(b); }

void print_answers(const std::vector<Compared>& all) {
  Table table({{"product", Table::Align::kLeft, 0},
               {"its EDP / ours"},
               {"its CPU"},
               {"ours"},
               {"ratio"},
               {"array", Table::Align::kRight, 4},
               {"ours"},
               {"Ruby-S"},
               {"Ruby-S EDP"}});
  for (const Compared& c : all) {
    if (!c.perfect.found || !c.imperfect.found) continue;
    table.add_row(
        {c.answer.name(), fmt::format("{:.4f}", c.its_edp() / c.perfect.score()),
         fmt::format("{:.1f} s", c.answer.seconds), fmt::format("{:.4f} s", c.perfect.seconds),
         ratio_text(c.answer.seconds / c.perfect.seconds), percent_text(c.answer.utilization),
         percent_text(c.perfect.utilization.spatial), percent_text(c.imperfect.utilization.spatial),
         fmt::format("{:+.1f} %", 100 * (c.imperfect.score() / c.perfect.score() - 1))});
  }
  fmt::print(
      "\nIts mappings in our model over the best perfect one; what imperfect factors add\n\n");
  fmt::print("{}\n", table.text({.width = 120}));
}

void print_optima(const std::vector<Again>& all) {
  Table table({{"product", Table::Align::kLeft, 0},
               {"its optimum"},
               {"found again"},
               {"ours / its"},
               {"its CPU"},
               {"ours"}});
  for (const Again& a : all) {
    table.add_row(
        {a.optimum.gemm + " on " + a.optimum.arch, fmt::format("{:.6e}", a.optimum.edp),
         fmt::format("{:.6e}", a.run.score()), fmt::format("{:.9f}", a.run.score() / a.optimum.edp),
         fmt::format("{:.1f} s", a.optimum.seconds), fmt::format("{:.4f} s", a.run.seconds)});
  }
  fmt::print(
      "Its exhaustive optima, under its constraints and with drains charged: pJ x cycles\n\n");
  fmt::print("{}\n", table.text({.width = 120}));
}

void print_added(const std::vector<Compared>& all) {
  std::map<std::string, std::vector<const Compared*>> by_arch;
  for (const Compared& c : all) {
    if (c.perfect.found && c.imperfect.found) by_arch[c.answer.arch].push_back(&c);
  }
  Table table({{"accelerator", Table::Align::kLeft, 0},
               {"its EDP / best"},
               {"array"},
               {"ours"},
               {"Ruby-S"},
               {"Ruby-S EDP"}});
  for (const auto& [arch, list] : by_arch) {
    std::vector<double> worse, gain, its, ours, ruby;
    for (const Compared* c : list) {
      worse.push_back(c->its_edp() / c->perfect.score());
      gain.push_back(c->imperfect.score() / c->perfect.score());
      its.push_back(c->answer.utilization);
      ours.push_back(c->perfect.utilization.spatial);
      ruby.push_back(c->imperfect.utilization.spatial);
    }
    table.add_row({arch, ratio_text(geomean(worse)), percent_text(median(its)),
                   percent_text(median(ours)), percent_text(median(ruby)),
                   fmt::format("{:+.1f} %", 100 * (geomean(gain) - 1))});
  }
  fmt::print("By accelerator: geometric means of EDP, medians of utilization\n\n{}\n",
             table.text({.width = 120}));
}

struct Judged {
  int counted_alike = 0;  // its figures under its conventions, exactly
  int never_more = 0;     // ... or less, by sending a tile that is there already only once
  double most_less = 0;   // ... and by which share of its energy
  int no_worse = 0;
  int again = 0;
  double its_least_seconds = 0;
  double its_most_seconds = 0;
  Summary perfect;
};

Judged judge(const std::vector<Compared>& answers, const std::vector<Again>& optima) {
  Judged judged;
  std::vector<Run> perfect;
  for (const Compared& c : answers) {
    const double energy = c.in_its_manner.energy_pj;
    const bool cycles = same(static_cast<double>(c.in_its_manner.cycles), c.answer.cycles);
    judged.counted_alike += cycles && same(energy, c.answer.energy_pj) ? 1 : 0;
    judged.never_more += cycles && energy <= c.answer.energy_pj * (1 + kRounding) ? 1 : 0;
    judged.most_less = std::max(judged.most_less, 1 - energy / c.answer.energy_pj);
    judged.no_worse += c.perfect.score() <= c.its_edp() * (1 + kRounding) ? 1 : 0;
    judged.its_least_seconds =
        perfect.empty() ? c.answer.seconds : std::min(judged.its_least_seconds, c.answer.seconds);
    judged.its_most_seconds = std::max(judged.its_most_seconds, c.answer.seconds);
    perfect.push_back(c.perfect);
  }
  judged.perfect = summarize(perfect);
  for (const Again& a : optima) {
    judged.again += a.run.proved && same(a.run.score(), a.optimum.edp) ? 1 : 0;
  }
  return judged;
}

bool is_quick(const Answer& answer) { return answer.gemm == "MB6" && answer.arch != "tpu-v1"; }

int run(const RunOptions& options) {
  RunLog log(options);
  std::vector<Compared> answers;
  std::vector<Again> optima;
  std::map<std::pair<std::string, std::string>, Answer> by_name;
  for (const Answer& answer : read_answers()) {
    by_name[{answer.arch, answer.gemm}] = answer;
    if (!options.wants(answer.name())) continue;
    if (options.quick && !is_quick(answer)) continue;
    answers.push_back(compare(answer, log));
  }
  for (const Optimum& optimum : read_optima()) {
    const Answer& answer = by_name.at({optimum.arch, optimum.gemm});
    if (!options.wants(answer.name() + kItsRules)) continue;
    if (options.quick && !is_quick(answer)) continue;
    optima.push_back(find_again(optimum, answer, log));
  }
  print_answers(answers);
  print_added(answers);
  print_optima(optima);

  const Judged judged = judge(answers, optima);
  const int count = static_cast<int>(answers.size());
  fmt::print(
      "Its own figures: {} of {} come out exactly under its conventions, energy and latency; in "
      "the others our energy is lower, by at most {}.\n\n",
      judged.counted_alike, count, percent_text(judged.most_less));
  Targets targets;
  targets.count("its energy is what we count or more, its latency just it", judged.never_more,
                count, kAnswers, options);
  targets.count("our perfect optimum is no worse than its mapping", judged.no_worse, count,
                kAnswers, options);
  targets.count("its exhaustive optima found again", judged.again, static_cast<int>(optima.size()),
                kOptima, options);
  const int code = targets.print();
  log.write_csv();
  fmt::print(
      "factorflow: no worse in {} of {}, {} of them proved; {} of {} exhaustive optima found "
      "again; "
      "{:.4f} s geometric mean, at most {:.2f} s, beside its {:.1f} to {:.0f} CPU seconds\n",
      judged.no_worse, count, judged.perfect.proved, judged.again, optima.size(),
      judged.perfect.geomean_seconds, judged.perfect.most_seconds, judged.its_least_seconds,
      judged.its_most_seconds);
  return code;
}

}  // namespace
}  // namespace tilewright

int main(int argc, char** argv) {
  tilewright::Arguments arguments("FactorFlow's 48 answers beside proved optima");
  tilewright::RunOptions options;
  options.add_to(arguments);
  if (const std::optional<int> code = arguments.read(argc, argv)) return *code;
  return tilewright::run(options);
}
