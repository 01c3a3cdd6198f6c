// SPDX-License-Identifier: Apache-2.0
#include "tilewright/timeloop/stats/check.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

namespace tilewright::timeloop {
namespace {

using compat::Convention;
using compat::FigureKind;
using compat::FigureName;
using compat::TimeloopFigures;
using compat::TimeloopRules;

// Energies of one memory and tensor have two digits after the point.
constexpr double kLastDigitPj = 0.01;
// Beyond so many steps a run is not counted step by step.
constexpr double kMostSteps = 2'000'000;

// A figure of the report, and where it is in our figures.
struct Reported {
  FigureName name;
  std::size_t memory = 0;  // in Arch::memories(), for figures of memories
  double value = 0;        // as printed: of one instance, or of all
  double instances = 1;    // by which counts of one instance are multiplied
  double last_digit = 0;
};

// A tensor whose accesses cost energy once for several instances.
struct Cluster {
  FigureName name;         // of the energy
  std::size_t memory = 0;  // as above
  double share = 1;        // of the energy that every instance would need by itself
};

class Collector {
 public:
  Collector(const Problem& problem, StatsCheck& check) : problem_(problem), check_(check) {}

  std::vector<Reported> collect(const Stats& stats) {
    for (const LevelStats& level : stats.levels) add_level(level);
    add({.kind = FigureKind::kComputes}, stats.computes);
    add({.kind = FigureKind::kCycles}, stats.cycles);
    if (stats.energy_pj) {
      reported_.push_back({.name = {.kind = FigureKind::kEnergy},
                           .value = *stats.energy_pj,
                           .last_digit = stats.energy_digit_pj});
    }
    return std::move(reported_);
  }

  const std::vector<Cluster>& clusters() const { return clusters_; }

 private:
  void add(FigureName name, std::optional<std::int64_t> value, double instances = 1) {
    if (!value) return;
    reported_.push_back({.name = name,
                         .memory = memory_,
                         .value = static_cast<double>(*value),
                         .instances = instances});
  }

  void add_level(const LevelStats& level) {
    if (level.tensors.empty()) return;  // compute units, and levels that only spread out
    const std::span<const NodeId> memories = problem_.arch().memories();
    const auto found = std::ranges::find_if(
        memories, [&](NodeId id) { return problem_.arch().memory(id).name == level.name; });
    if (found == memories.end()) {
      check_.unknown.push_back("memory " + level.name);
      return;
    }
    memory_ = static_cast<std::size_t>(found - memories.begin());
    for (const TensorStats& tensor : level.tensors) add_tensor(*found, level.name, tensor);
    if (const auto& instances = level.tensors.front().instances) {
      add({.kind = FigureKind::kInstances, .memory = *found}, instances);
    }
    add({.kind = FigureKind::kMemoryCycles, .memory = *found}, level.cycles);
  }

  void add_tensor(NodeId memory, const std::string& where, const TensorStats& tensor) {
    const std::optional<TensorId> id = problem_.workload().find_tensor(tensor.name);
    if (!id) {
      check_.unknown.push_back("tensor " + tensor.name + " in " + where);
      return;
    }
    const auto instances = static_cast<double>(tensor.instances.value_or(1));
    const auto named = [&](FigureKind kind) {
      return FigureName{.kind = kind, .memory = memory, .tensor = *id};
    };
    add(named(FigureKind::kTile), tensor.tile);
    add(named(FigureKind::kReads), tensor.reads, instances);
    add(named(FigureKind::kFills), tensor.fills, instances);
    add(named(FigureKind::kUpdates), tensor.updates, instances);
    if (tensor.clusters && tensor.instances && *tensor.clusters < *tensor.instances) {
      clusters_.push_back({.name = named(FigureKind::kTensorEnergy),
                           .memory = memory_,
                           .share = static_cast<double>(*tensor.clusters) / instances});
    }
    if (tensor.energy_pj) {
      reported_.push_back({.name = named(FigureKind::kTensorEnergy),
                           .memory = memory_,
                           .value = *tensor.energy_pj,
                           .last_digit = kLastDigitPj});
    }
  }

  const Problem& problem_;
  StatsCheck& check_;
  std::size_t memory_ = 0;
  std::vector<Reported> reported_;
  std::vector<Cluster> clusters_;
};

// What the instances of a cluster save by sharing, in the figures of one tensor.
double saved_by(const Cluster& cluster, const TimeloopFigures& figures) {
  const compat::MemoryFigures& memory = figures.memories[cluster.memory];
  return memory.tensors[cluster.name.tensor.pos()].energy_pj * (1 - cluster.share);
}

TimeloopFigures with_clusters(TimeloopFigures figures, const std::vector<Cluster>& clusters) {
  for (const Cluster& cluster : clusters) {
    const double saved = saved_by(cluster, figures);
    compat::MemoryFigures& memory = figures.memories[cluster.memory];
    memory.tensors[cluster.name.tensor.pos()].energy_pj -= saved;
    memory.energy_pj -= saved;
    figures.energy_pj -= saved;
  }
  return figures;
}

// The same as one more convention of a comparison.
void add_clusters(compat::TimeloopComparison& comparison, const std::vector<Cluster>& clusters) {
  if (clusters.empty()) return;
  const std::size_t number = comparison.conventions.size();
  comparison.conventions.push_back(
      {nullptr, "cluster_energy", "12", "the instances of a cluster pay for an access together"});
  for (const Cluster& cluster : clusters) {
    const double saved = saved_by(cluster, comparison.theirs);
    FigureName memory = cluster.name;
    memory.kind = FigureKind::kMemoryEnergy;
    memory.tensor = {};
    for (const FigureName& name : {cluster.name, memory, FigureName{}}) {
      const auto figure =
          std::ranges::find(comparison.figures, name, &compat::ComparedFigure::name);
      figure->theirs -= saved;
      auto& parts = figure->contributions;
      if (parts.empty() || parts.back().convention != number) {
        parts.push_back({.convention = number, .change = 0});
      }
      parts.back().change -= saved;
    }
  }
  comparison.theirs = with_clusters(std::move(comparison.theirs), clusters);
}

// What would stand in the report in its place.
double counted(const TimeloopFigures& figures, const Reported& reported) {
  const auto number = [](std::int64_t count) { return static_cast<double>(count); };
  switch (reported.name.kind) {
    case FigureKind::kComputes:
      return number(figures.computes);
    case FigureKind::kComputeSteps:
      return number(figures.compute_steps);
    case FigureKind::kCycles:
      return number(figures.cycles);
    case FigureKind::kEnergy:
      return figures.energy_pj;
    default:
      break;
  }
  const compat::MemoryFigures& memory = figures.memories[reported.memory];
  switch (reported.name.kind) {
    case FigureKind::kInstances:
      return number(memory.instances);
    case FigureKind::kMemoryCycles:
      return number(std::max(memory.cycles, figures.compute_steps));
    case FigureKind::kMemoryEnergy:
      return memory.energy_pj;
    default:
      break;
  }
  const compat::TensorFigures& tensor = memory.tensors[reported.name.tensor.pos()];
  switch (reported.name.kind) {
    case FigureKind::kTile:
      return number(tensor.tile);
    case FigureKind::kReads:
      return number(tensor.reads);
    case FigureKind::kFills:
      return number(tensor.fills);
    case FigureKind::kUpdates:
      return number(tensor.updates);
    default:
      return tensor.energy_pj;
  }
}

bool agrees(const TimeloopFigures& figures, const TimeloopRules& rules, const Reported& reported) {
  const double value = counted(figures, reported);
  if (!is_count(reported.name.kind)) {
    // Sums of rounded terms: a digit for each of them, and one for the sum itself.
    const double room = 2 * reported.last_digit + 1e-6 * std::abs(reported.value);
    return std::abs(value - reported.value) <= room;
  }
  return value == reported.value * (rules.averaged_instances ? 1 : reported.instances);
}

// What the rules are tried on.
struct Run {
  const Problem& problem;
  const compat::LevelNest& nest;
  const std::vector<Reported>& reported;
  const std::vector<Cluster>& clusters;
};

std::size_t count_agreeing(const Run& run, const TimeloopRules& rules) {
  const TimeloopFigures figures =
      with_clusters(count_timeloop(run.problem, run.nest, rules).figures, run.clusters);
  return static_cast<std::size_t>(std::ranges::count_if(
      run.reported, [&](const Reported& one) { return agrees(figures, rules, one); }));
}

// Of several that explain as much the first one is taken: link transfers are an option that users
// of Timeloop switch off, the others came and went with its versions.
std::vector<Convention> switchable(const compat::LevelNest& nest) {
  const bool short_enough = steps_to_count(nest) <= kMostSteps;
  std::vector<Convention> result = {*compat::find_convention("link_transfers")};
  for (const Convention& convention : compat::conventions()) {
    if (convention.rule == result.front().rule) continue;
    const bool needs_steps = convention.rule == &TimeloopRules::time_extrapolation ||
                             convention.rule == &TimeloopRules::space_extrapolation;
    if (short_enough || !needs_steps) result.push_back(convention);
  }
  for (const Convention& convention : compat::common_ground()) result.push_back(convention);
  return result;
}

// Switches conventions one at a time, the best one first, as long as more figures agree.
TimeloopRules find_rules(const Run& run, std::vector<OtherConvention>& other) {
  TimeloopRules rules;
  std::size_t most = count_agreeing(run, rules);
  std::vector<Convention> left = switchable(run.nest);
  while (most < run.reported.size()) {
    auto best = left.end();
    for (auto it = left.begin(); it != left.end(); ++it) {
      TimeloopRules changed = rules;
      changed.*it->rule = !(changed.*it->rule);
      const std::size_t agreeing = count_agreeing(run, changed);
      if (agreeing <= most) continue;
      most = agreeing;
      best = it;
    }
    if (best == left.end()) break;
    rules.*best->rule = !(rules.*best->rule);
    other.push_back({.convention = *best, .on = rules.*best->rule});
    left.erase(best);
  }
  return rules;
}

}  // namespace

std::size_t StatsCheck::disagreements() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(figures, [](const CheckedFigure& one) { return !one.agrees; }));
}

StatsCheck check_stats(const Problem& problem, const Mapping& mapping, const Stats& stats) {
  StatsCheck check;
  Collector collector(problem, check);
  const std::vector<Reported> reported = collector.collect(stats);
  compat::NestReading reading = compat::read_levels(problem, mapping);
  if (!reading.obstacles.empty()) {
    check.comparison.obstacles = std::move(reading.obstacles);
    return check;
  }
  compat::CompareOptions options;
  options.max_steps = kMostSteps;
  options.rules = find_rules({problem, reading.nest, reported, collector.clusters()}, check.other);
  check.comparison = compare_with_timeloop(problem, mapping, reading.nest, options);
  add_clusters(check.comparison, collector.clusters());
  for (const Reported& one : reported) {
    const auto figure =
        std::ranges::find(check.comparison.figures, one.name, &compat::ComparedFigure::name);
    check.figures.push_back(
        {.figure = static_cast<std::size_t>(figure - check.comparison.figures.begin()),
         .reported = one.value * one.instances,
         .agrees = agrees(check.comparison.theirs, options.rules, one)});
  }
  return check;
}

}  // namespace tilewright::timeloop
