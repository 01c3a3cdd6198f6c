// SPDX-License-Identifier: Apache-2.0
// Who solves what next, whichever engine runs it: what is left of a plan in chunks, what to do
// about chunks that are lost, and when answers are stored. It neither waits nor starts anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tilewright/store/key_set.h"
#include "tilewright/store/store.h"
#include "tilewright/sweep/plan/plan.h"

namespace tilewright {

/// One of several equal parts of a sweep: the problems whose keys fall into it.
struct Shard {
  std::uint64_t index = 0;
  std::uint64_t count = 1;
};

struct DispatchOptions {
  Shard shard;
  std::size_t workers = 1;   ///< that take chunks at the same time
  double chunk_seconds = 1;  ///< how long a chunk should take
};

/// How far a sweep has come.
struct SweepProgress {
  std::uint64_t planned = 0;    ///< problems of the plan, in all shards
  std::uint64_t looked = 0;     ///< of these: looked up in the store, from the first one on
  std::uint64_t elsewhere = 0;  ///< of these: in other shards
  std::uint64_t known = 0;      ///< of these: stored before, or equal to an earlier one
  std::uint64_t solved = 0;     ///< in this run, failed ones included
  std::uint64_t settled = 0;    ///< of these: proved, or proved to have no mapping
  std::uint64_t failed = 0;     ///< of these
  double busy_seconds = 0;      ///< CPU time of the searches of this run
};

/// Tries that a problem gets before it is stored as failed.
inline constexpr int kMostTries = 3;

class Dispatcher {
 public:
  /// Both must outlive it. Adds the plan to the store. Throws StoreError.
  Dispatcher(const SweepPlan& plan, Store& store, const DispatchOptions& options);

  /// Numbers of problems that one worker should solve next, in this order; empty if there is
  /// nothing to hand out at the moment. Throws InputError if a design cannot be built.
  std::vector<std::uint64_t> next();
  /// True once there is nothing left to hand out or to wait for.
  bool finished() const;

  /// The answer to a problem that was handed out; stored by the next `flush`.
  void answer(std::uint64_t number, Row row);
  /// Stores the answers. Throws StoreError.
  void flush();
  /// How many answers wait for `flush`.
  std::size_t waiting() const { return answers_.size(); }

  /// The problem ended its worker: it gets another try, or is stored as failed with this reason.
  void crashed(std::uint64_t number, const std::string& reason);
  /// These problems were handed out, and their worker is gone through no fault of theirs.
  void give_back(std::vector<std::uint64_t> numbers);
  /// These chunks were handed out and lost together, by the fault of any of them or of none. They
  /// are tried again one at a time, with nothing beside them, in ever smaller parts.
  void lost(std::vector<std::vector<std::uint64_t>> chunks, const std::string& reason);

  const SweepProgress& progress() const { return progress_; }

 private:
  struct Cost {
    double seconds = 0;
    double count = 0;
  };

  // The next problem of the plan that is neither stored nor handed out; nothing at its end.
  std::optional<std::uint64_t> advance();
  double expected_seconds(std::uint64_t number) const;
  std::vector<std::uint64_t> hand_out(std::vector<std::uint64_t> numbers);
  Digest take_key(std::uint64_t number);

  const SweepPlan& plan_;
  Store& store_;
  DispatchOptions options_;
  KeySet known_;
  SweepProgress progress_;
  DesignCursor designs_;                          // of `advance`
  std::map<std::uint64_t, Digest> keys_;          // of problems that are handed out or come again
  std::size_t out_ = 0;                           // handed out
  std::deque<std::vector<std::uint64_t>> again_;  // to be handed out as they are
  std::deque<std::vector<std::uint64_t>> suspects_;  // to be handed out with nothing beside them
  std::map<std::uint64_t, int> tries_;
  std::vector<Row> answers_;
  std::vector<Cost> costs_;  // by workload and request
  Cost all_costs_;
};

}  // namespace tilewright
