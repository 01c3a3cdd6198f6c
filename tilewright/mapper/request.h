// SPDX-License-Identifier: Apache-2.0
// What a user asks of the mapper.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/base/input_error.h"
#include "tilewright/base/natural.h"
#include "tilewright/evaluation/objective.h"
#include "tilewright/mapper/space.h"
#include "tilewright/mapspace/constraint.h"
#include "tilewright/search/search.h"
#include "tilewright/search/strategy.h"

namespace tilewright {

/// Progress of `map`.
struct MapProgress {
  enum class Stage {
    kSearch,   ///< for the best
    kSimpler,  ///< MapRequest::within
    kWhy,      ///< MapRequest::why
  };
  Stage stage = Stage::kSearch;
  int number = 1;  ///< kWhy: which search of that stage
  Progress search;
};

/// The space as it was counted, before the search begins.
struct SpaceCount {
  Natural size;                               ///< count_mappings()
  std::span<const ConstraintEffect> effects;  ///< of each constraint
};

/// Which mappings are searched, how, for how long, and what is wanted besides the best one.
struct MapRequest {
  std::string space = "ruby-s";  ///< one of space_names()
  /// Which memories may keep their tensors at different points of the nest: `even` (none), `uneven`
  /// (all that can), or `uneven@GLB,L1` (these). See read_placement().
  std::string placement = "even";
  Mapper mapper = Mapper::kOptimal;
  NamedObjective objective = {"edp", {}};
  std::vector<Cap> caps;
  std::vector<Constraint> constraints;
  /// Where the user wrote each constraint, e.g. `limits.yaml:3`, for reports; may be empty.
  std::vector<std::string> constraint_places;

  // When to end. 0: no limit.
  double max_seconds = 0;  ///< approximate; the result then depends on the machine
  /// Of the whole process, in bytes, approximate; 0: three quarters of what the machine has.
  std::uint64_t max_memory = 0;
  std::uint64_t max_nodes = 0;  ///< optimal
  std::uint64_t max_seen = 0;   ///< random: draws
  /// optimal: the best is good enough within this share of the bound, e.g. 0.01.
  std::optional<double> gap;

  /// MapResult::size and effects: how many mappings there are, and what each constraint leaves out.
  /// Where searches are short, counting takes most of the time. The exhaustive mapper always does.
  bool count = true;

  // Further questions; all of them need the optimal mapper.
  int top = 1;                   ///< how many of the best mappings are wanted
  bool front = false;            ///< all mappings that no other beats in energy and cycles
  std::optional<double> within;  ///< the simplest mapping at most this share above the best
  bool why = false;              ///< what each limit costs
  bool proof = false;            ///< MapResult::search.opened, for proof_json
  bool trace = false;            ///< MapResult::trace

  // How to search.
  std::uint64_t seed = 1;         ///< random, local
  std::uint64_t patience = 3000;  ///< random: valid draws in a row without improvement; 0: no end
  int threads = 0;                ///< 0: as many as the machine allows; the answer is the same

  /// Set from outside to end early (Ctrl-C); may be null.
  const std::atomic<bool>* stop = nullptr;
  /// Called now and then, from one thread at a time; may be empty.
  std::function<void(const MapProgress&)> progress;
  /// Called once, when the space has been counted; may be empty.
  std::function<void(const SpaceCount&)> counted;
};

/// Something in a request that the mapper cannot do.
struct RequestFault {
  std::string text;  ///< "`gap` needs a proof, which the local mapper does not give"
  std::string help;
};

/// A request that cannot be met; `what()` has every fault in a line of its own.
class RequestError : public InputError {
 public:
  explicit RequestError(std::vector<RequestFault> faults);

  const std::vector<RequestFault>& faults() const { return faults_; }

 private:
  std::vector<RequestFault> faults_;
};

/// What is wrong with a placement (NamedPlacement::faults), as faults of a request.
RequestError placement_error(std::vector<std::string> faults);

/// All that is wrong with `request` whatever the problem; empty if nothing is. Options are named
/// with `prefix` before them, e.g. `--`.
std::vector<RequestFault> find_request_faults(const MapRequest& request,
                                              std::string_view prefix = "");

}  // namespace tilewright
