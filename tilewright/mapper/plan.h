// SPDX-License-Identifier: Apache-2.0
// The C++ interface for a network: the best mapping of every layer, and the total cost.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/arch/arch.h"
#include "tilewright/evaluation/objective.h"
#include "tilewright/mapper/request.h"
#include "tilewright/mapping/conventions.h"
#include "tilewright/network/network.h"
#include "tilewright/plan/plan.h"
#include "tilewright/search/questions/status.h"

namespace tilewright {

/// How the layers of a network are searched; fields as in MapRequest, limits for each layer.
struct PlanRequest {
  std::string space = "ruby-s";  ///< one of space_names() but `pad`, which would change the layers
  /// As in MapRequest; in a layer in which a memory cannot be uneven, it is even.
  std::string placement = "even";
  Mapper mapper = Mapper::kOptimal;  ///< or kLocal
  NamedObjective objective = {"edp", {}};
  Conventions conventions;
  /// The user's constraints as they apply to one layer; called by several threads; may be empty.
  std::function<FittingConstraints(const Problem&)> constraints;
  bool keep_on_chip = false;  ///< edges stay in an inner memory where they fit and it helps

  double seconds_per_layer = 0;  ///< 0: no limit
  std::uint64_t max_memory = 0;  ///< of the whole process
  std::uint64_t max_nodes = 0;
  std::optional<double> gap;
  std::uint64_t seed = 1;
  int threads = 0;  ///< shared by all layers

  const std::atomic<bool>* stop = nullptr;
  /// From one thread at a time; may be empty.
  std::function<void(const PlanProgress&)> progress;
};

/// All that is wrong with `request`; empty if nothing is.
std::vector<RequestFault> find_request_faults(const PlanRequest& request,
                                              std::string_view prefix = "");

/// The answer to a PlanRequest. A value: it refers to nothing outside itself.
struct PlanResult {
  PlanRequest request;  ///< without its callbacks
  Network network;
  Arch arch;
  Plan plan;
  /// The least that holds for every layer, with all constraints or with those that fit it: kProved
  /// if all are proved; kNotFound or kInfeasible as soon as one has no mapping.
  Status status = Status::kNotFound;
};

/// True if in some layer a memory could keep its tensors at different points of the nest and may
/// not.
bool leaves_out_uneven(const PlanResult& planned);

/// Does all that `tilewright net` can. The answer is the same for any number of threads, unless a
/// time limit or the stop flag ends a search. Throws RequestError if the request cannot be met,
/// OverflowError if the sums are too large, and what a callback of the request throws.
PlanResult plan(const Network& network, const Arch& arch, const PlanRequest& request = {});

}  // namespace tilewright
