// SPDX-License-Identifier: Apache-2.0
// What flexibility is worth: the proved optimum of every layer, for any degrees of the four axes.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "tilewright/evaluation/objective.h"
#include "tilewright/flexibility/flexibility.h"
#include "tilewright/flexibility/worth/choices.h"
#include "tilewright/mapping/conventions.h"
#include "tilewright/mapspace/rules.h"
#include "tilewright/network/network.h"
#include "tilewright/search/questions/status.h"
#include "tilewright/search/search.h"

namespace tilewright {

struct WorthOptions {
  NamedObjective objective = {"latency", {0, 1, 0}};
  SpaceKind space = SpaceKind::kRuby;  ///< tiles need not divide anything
  Conventions conventions;
  double seconds_per_search = 0;  ///< 0: no limit
  int threads = 0;                ///< 0: as many as the machine allows
  const std::atomic<bool>* stop = nullptr;
  /// From one thread at a time: how many layers of all rows are done; may be empty.
  std::function<void(std::size_t done, std::size_t all)> progress;
};

/// The best that an accelerator can do with one layer.
struct LayerOptimum {
  std::optional<Found> best;
  std::optional<Arch> arch;  ///< in the configuration that the best mapping is for
  Status status = Status::kNotFound;
  std::optional<double> bound;  ///< no supported mapping scores less
  std::size_t configurations = 0;
};

/// An accelerator with these degrees on the whole network.
struct WorthRow {
  Degrees degrees;
  std::vector<LayerOptimum> layers;  ///< by FlexWorth::layers
  double score = 0;                  ///< the sum over all runs of all mapped layers
  double bound = 0;                  ///< no supported mappings give less
  double energy_pj = 0;
  double cycles = 0;
  Status status = Status::kProved;  ///< the least that is known of a layer
};

struct FlexWorth {
  std::vector<FlexNetworkLayer> layers;
  std::vector<WorthRow> rows;  ///< as asked for
};

/// Solves every layer of the network for every row. Layers that only move data are left out.
/// `flexibility` must have no faults; throws InputError if its partition says nothing about a
/// tensor of a layer.
FlexWorth find_worth(const Flexibility& flexibility, const Arch& arch, const Network& network,
                     std::span<const Degrees> rows, const WorthOptions& options);

/// Sets what a row says of the whole network from what it says of the layers.
void add_up(const std::vector<FlexNetworkLayer>& layers, WorthRow& row);

/// Rows for one question: what is each axis worth? As supported; each axis alone fixed, partial
/// where there is such a degree, and full; nothing flexible; all flexible. Each once.
std::vector<Degrees> isolation_rows(const Flexibility& flexibility);

/// All 16 classes, with each axis fixed or full, by the number of flexible axes; then all partial.
std::vector<Degrees> class_rows(const Flexibility& flexibility);

}  // namespace tilewright
