// SPDX-License-Identifier: Apache-2.0
#include "tilewright/compat/compare.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "tilewright/model/evaluate.h"

namespace tilewright::compat {
namespace {

using Values = std::vector<double>;

// What our architectures can say and Timeloop's cannot, in the order in which it is dropped.
struct HardwareStep {
  Convention convention;
  Problem (*drop)(const Problem&);
};

Problem drop_drains(const Problem& problem) {
  Conventions conventions = problem.conventions();
  conventions.drains_are_reads = false;
  return problem.with(conventions);
}

// The same architecture with every node changed.
template <typename Change>
Arch changed(const Arch& arch, const Change& change) {
  std::vector<ArchNode> nodes(arch.nodes().begin(), arch.nodes().end());
  for (ArchNode& node : nodes) change(node);
  return Arch(arch.name(), arch.note(), arch.clock_hz(), std::move(nodes), arch.compute());
}

Problem drop_partial_sums(const Problem& problem) {
  const Workload& workload = problem.workload();
  std::vector<Tensor> tensors(workload.tensors().begin(), workload.tensors().end());
  for (Tensor& tensor : tensors) tensor.partial_bits.reset();
  Arch arch = changed(problem.arch(), [](ArchNode& node) {
    if (auto* memory = std::get_if<Memory>(&node)) {
      for (ElementWidth& width : memory->bits) width.partial_bits.reset();
    }
  });
  return {Workload(workload.name(), {workload.dims().begin(), workload.dims().end()}, tensors),
          std::move(arch), problem.conventions()};
}

Problem drop_sharing(const Problem& problem) {
  return problem.with(changed(problem.arch(), [](ArchNode& node) {
    if (auto* fanout = std::get_if<Fanout>(&node)) {
      fanout->multicast = Multicast::kEqual;
      fanout->reduction = true;
    }
  }));
}

Problem drop_sliding(const Problem& problem) {
  return problem.with(changed(problem.arch(), [](ArchNode& node) {
    if (auto* memory = std::get_if<Memory>(&node)) memory->sliding = {};
  }));
}

// Our option differs from Timeloop's boxes only in an output with holes; then it has to go.
bool boxes_already(const Problem& problem) {
  if (!problem.conventions().holes_are_data) return false;
  const Workload& workload = problem.workload();
  return std::ranges::all_of(workload.tensor(workload.output()).ranks, [](const Rank& rank) {
    return rank.terms.empty() ||
           (rank.terms.size() == 1 && std::abs(rank.terms.front().coefficient) == 1);
  });
}

Problem drop_holes(const Problem& problem) {
  Conventions conventions = problem.conventions();
  if (!boxes_already(problem)) conventions.holes_are_data = false;
  return problem.with(conventions);
}

constexpr std::array kHardware = {
    HardwareStep{{nullptr, "no drain reads", "1", "handing on a result is never a read"},
                 drop_drains},
    HardwareStep{{nullptr, "no holes_are_data", "1", "our option leaves outputs alone"},
                 drop_holes},
    HardwareStep{{nullptr, "one width", "1", "partial sums are as wide as results"},
                 drop_partial_sums},
    HardwareStep{{nullptr, "equal multicast", "1",
                  "every fan-out serves equal tiles together and adds results"},
                 drop_sharing},
    HardwareStep{{nullptr, "sliding everywhere", "1", "every memory retains overlaps"},
                 drop_sliding},
};

// Conventions whose worth shows only if every step is gone through.
constexpr std::array kNeedSteps = {
    &TimeloopRules::bounding_boxes,       &TimeloopRules::skips_equal_tiles,
    &TimeloopRules::slides_by_step,       &TimeloopRules::groups_by_missing,
    &TimeloopRules::scaled_bypass,        &TimeloopRules::integer_shares,
    &TimeloopRules::renumbered_instances, &TimeloopRules::averaged_instances,
    &TimeloopRules::time_extrapolation,   &TimeloopRules::space_extrapolation};

std::vector<FigureName> name_figures(const Problem& problem) {
  std::vector<FigureName> names;
  for (const NodeId memory : problem.arch().memories()) {
    for (std::size_t t = 0; t < problem.workload().tensors().size(); ++t) {
      for (const FigureKind kind : {FigureKind::kTile, FigureKind::kReads, FigureKind::kFills,
                                    FigureKind::kUpdates, FigureKind::kTensorEnergy}) {
        names.push_back({.kind = kind, .memory = memory, .tensor = TensorId(t)});
      }
    }
    for (const FigureKind kind :
         {FigureKind::kInstances, FigureKind::kMemoryCycles, FigureKind::kMemoryEnergy}) {
      names.push_back({.kind = kind, .memory = memory, .tensor = {}});
    }
  }
  for (const FigureKind kind : {FigureKind::kComputes, FigureKind::kComputeSteps,
                                FigureKind::kCycles, FigureKind::kEnergy}) {
    names.push_back({.kind = kind, .memory = {}, .tensor = {}});
  }
  return names;
}

void add(Values& values, std::int64_t count) { values.push_back(static_cast<double>(count)); }

// In the order of name_figures.
Values values_of(const Evaluation& evaluation) {
  Values values;
  for (const MemoryEvaluation& memory : evaluation.memories) {
    for (const TensorCounts& tensor : memory.tensors) {
      for (const std::int64_t count :
           {tensor.kept ? tensor.tile : 0, tensor.reads, tensor.fills, tensor.updates}) {
        add(values, count);
      }
      values.push_back(tensor.energy_pj);
    }
    add(values, memory.instances);
    add(values, std::max(memory.cycles, evaluation.compute_steps));
    values.push_back(memory.energy_pj);
  }
  for (const std::int64_t count :
       {evaluation.computes, evaluation.compute_steps, evaluation.cycles}) {
    add(values, count);
  }
  values.push_back(evaluation.energy_pj);
  return values;
}

Values values_of(const TimeloopFigures& figures) {
  Values values;
  for (const MemoryFigures& memory : figures.memories) {
    for (const TensorFigures& tensor : memory.tensors) {
      for (const std::int64_t count :
           {tensor.tile, tensor.total_reads, tensor.total_fills, tensor.total_updates}) {
        add(values, count);
      }
      values.push_back(tensor.energy_pj);
    }
    add(values, memory.instances);
    add(values, std::max(memory.cycles, figures.compute_steps));
    values.push_back(memory.energy_pj);
  }
  for (const std::int64_t count : {figures.computes, figures.compute_steps, figures.cycles}) {
    add(values, count);
  }
  values.push_back(figures.energy_pj);
  return values;
}

// Sums of energies differ in their last digits.
bool same(FigureKind kind, double a, double b) {
  if (is_count(kind)) return a == b;
  return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

// Goes from our figures to Timeloop's, one convention at a time.
class Ladder {
 public:
  Ladder(const Problem& problem, const Mapping& mapping, const LevelNest& nest,
         const CompareOptions& options)
      : problem_(problem), mapping_(mapping), nest_(nest), options_(options) {}

  TimeloopComparison climb() {
    start();
    drop_hardware();
    result_.separated = steps_to_count(nest_) <= options_.max_steps;
    TimeloopRules rules = our_rules();
    rules.bounding_boxes = boxes_already(problem_) && options_.rules.bounding_boxes;
    if (!result_.separated) rules = switch_on_together(rules);
    if (result_.separated) meet(values_of(count_timeloop(problem_, nest_, rules).figures));
    for (const auto& some : {compat::conventions(), common_ground()}) {
      for (const Convention& convention : some) switch_to_theirs(convention, rules);
    }
    finish(rules);
    return std::move(result_);
  }

 private:
  void switch_to_theirs(const Convention& convention, TimeloopRules& rules) {
    if (rules.*convention.rule == options_.rules.*convention.rule) return;
    rules.*convention.rule = options_.rules.*convention.rule;
    step(convention, values_of(count_timeloop(problem_, nest_, rules).figures));
  }

  void start() {
    now_ = values_of(evaluate(problem_, mapping_));
    const std::vector<FigureName> names = name_figures(problem_);
    for (std::size_t i = 0; i < names.size(); ++i) {
      result_.figures.push_back(
          {.name = names[i], .ours = now_[i], .theirs = 0, .contributions = {}, .unexplained = 0});
    }
  }

  void drop_hardware() {
    for (const HardwareStep& hardware : kHardware) {
      Problem plainer = hardware.drop(problem_);
      if (plainer.arch() == problem_.arch() && plainer.workload() == problem_.workload() &&
          plainer.conventions() == problem_.conventions()) {
        continue;
      }
      problem_ = std::move(plainer);
      step(hardware.convention, values_of(evaluate(problem_, mapping_)));
    }
  }

  TimeloopRules switch_on_together(TimeloopRules rules) {
    for (bool TimeloopRules::*rule : kNeedSteps) rules.*rule = options_.rules.*rule;
    step({nullptr, "several, not separated", "2 to 9",
          "the nest has too many steps to go through them one by one"},
         values_of(count_timeloop(problem_, nest_, rules).figures));
    return rules;
  }

  // The counter with our rules has to be where our model is.
  void meet(const Values& counted) {
    for (std::size_t i = 0; i < now_.size(); ++i) {
      ComparedFigure& figure = result_.figures[i];
      if (!same(figure.name.kind, now_[i], counted[i])) figure.unexplained += counted[i] - now_[i];
    }
    now_ = counted;
  }

  void step(const Convention& convention, const Values& next) {
    const std::size_t number = result_.conventions.size();
    result_.conventions.push_back(convention);
    for (std::size_t i = 0; i < now_.size(); ++i) {
      ComparedFigure& figure = result_.figures[i];
      if (same(figure.name.kind, now_[i], next[i])) continue;
      figure.contributions.push_back({.convention = number, .change = next[i] - now_[i]});
    }
    now_ = next;
  }

  void finish(const TimeloopRules& rules) {
    TimeloopAnswer answer = count_timeloop(problem_, nest_, rules);
    result_.refusals = std::move(answer.refusals);
    result_.theirs = std::move(answer.figures);
    for (std::size_t i = 0; i < now_.size(); ++i) result_.figures[i].theirs = now_[i];
  }

  Problem problem_;
  const Mapping& mapping_;
  const LevelNest& nest_;
  CompareOptions options_;
  Values now_;
  TimeloopComparison result_;
};

}  // namespace

bool is_count(FigureKind kind) {
  return kind != FigureKind::kTensorEnergy && kind != FigureKind::kMemoryEnergy &&
         kind != FigureKind::kEnergy;
}

std::string to_text(const Problem& problem, const FigureName& name) {
  std::string where;
  if (name.memory.valid()) where = problem.arch().memory(name.memory).name;
  if (name.tensor.valid()) where += "." + problem.workload().tensor(name.tensor).name;
  if (!where.empty()) where += " ";
  switch (name.kind) {
    case FigureKind::kTile:
      return where + "tile";
    case FigureKind::kReads:
      return where + "reads";
    case FigureKind::kFills:
      return where + "fills";
    case FigureKind::kUpdates:
      return where + "updates";
    case FigureKind::kInstances:
      return where + "instances";
    case FigureKind::kMemoryCycles:
    case FigureKind::kCycles:
      return where + "cycles";
    case FigureKind::kTensorEnergy:
    case FigureKind::kMemoryEnergy:
    case FigureKind::kEnergy:
      return where + "energy";
    case FigureKind::kComputes:
      return "computes";
    case FigureKind::kComputeSteps:
      return "compute steps";
  }
  return where;
}

TimeloopComparison compare_with_timeloop(const Problem& problem, const Mapping& mapping,
                                         const LevelNest& nest, const CompareOptions& options) {
  return Ladder(problem, mapping, nest, options).climb();
}

TimeloopComparison compare_with_timeloop(const Problem& problem, const Mapping& mapping,
                                         const CompareOptions& options) {
  NestReading reading = read_levels(problem, mapping);
  if (!reading.obstacles.empty()) {
    TimeloopComparison result;
    result.obstacles = std::move(reading.obstacles);
    return result;
  }
  return compare_with_timeloop(problem, mapping, reading.nest, options);
}

}  // namespace tilewright::compat
