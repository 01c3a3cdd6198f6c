// SPDX-License-Identifier: Apache-2.0
// What we count against what Timeloop counts, for one mapping: every figure, and which conventions
// make the difference.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tilewright/compat/counts.h"
#include "tilewright/compat/rules.h"
#include "tilewright/mapping/mapping.h"
#include "tilewright/mapping/problem.h"

namespace tilewright::compat {

/// What a figure is about; energies in pJ, summed over instances like everything else but tiles.
enum class FigureKind {
  kTile,
  kReads,
  kFills,
  kUpdates,
  kTensorEnergy,  ///< without leakage
  kInstances,     ///< of a memory, in use
  kMemoryCycles,  ///< at least the compute steps
  kMemoryEnergy,
  kComputes,
  kComputeSteps,
  kCycles,
  kEnergy,
};

struct FigureName {
  FigureKind kind = FigureKind::kEnergy;
  NodeId memory;    ///< unset for the last four kinds
  TensorId tensor;  ///< set for the first five kinds
  bool operator==(const FigureName&) const = default;
};

/// True for counts, which are integers.
bool is_count(FigureKind kind);

/// `DRAM.A reads`, `cycles`.
std::string to_text(const Problem& problem, const FigureName& name);

/// By how much one convention, switched on after those before it, changes a figure.
struct Contribution {
  std::size_t convention = 0;  ///< in TimeloopComparison::conventions
  double change = 0;
};

struct ComparedFigure {
  FigureName name;
  double ours = 0;
  double theirs = 0;
  std::vector<Contribution> contributions;  ///< those that are not 0, in order
  double unexplained = 0;                   ///< what the contributions leave over
};

struct TimeloopComparison {
  /// Why Timeloop has no such mapping; if there are any, nothing else is here.
  std::vector<std::string> obstacles;
  std::vector<Refusal> refusals;
  /// The conventions that were switched on one after the other: first what our architectures can
  /// say and Timeloop's cannot, then those of conventions().
  std::vector<Convention> conventions;
  std::vector<ComparedFigure> figures;  ///< all of them, equal ones too
  TimeloopFigures theirs;
  /// False if the nest has too many steps to go through them one by one: then the conventions that
  /// need that are one entry of `conventions`.
  bool separated = true;
};

struct CompareOptions {
  TimeloopRules rules;           ///< of Timeloop; with link_transfers off, say
  double max_steps = 2'000'000;  ///< beyond which conventions are not separated
};

/// `mapping` must have no structural violation.
TimeloopComparison compare_with_timeloop(const Problem& problem, const Mapping& mapping,
                                         const CompareOptions& options = {});

/// The same for a nest whose spatial loops have an order (read_levels).
TimeloopComparison compare_with_timeloop(const Problem& problem, const Mapping& mapping,
                                         const LevelNest& nest, const CompareOptions& options);

}  // namespace tilewright::compat
