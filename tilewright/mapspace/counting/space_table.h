// SPDX-License-Identifier: Apache-2.0
// The size of a mapspace by dynamic programming over dims (docs/mapspaces.md section 2). The state
// between two dims is what is left of the array and what the dims so far did to each run of blocks;
// each dim contributes its profiles. Ranks follow the same path.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "tilewright/base/natural.h"
#include "tilewright/mapspace/choices/choices.h"
#include "tilewright/mapspace/counting/natural_rows.h"
#include "tilewright/mapspace/counting/profiles.h"
#include "tilewright/mapspace/counting/run_states.h"
#include "tilewright/mapspace/counting/splits.h"
#include "tilewright/mapspace/tiling.h"
#include "tilewright/workload/workload.h"

namespace tilewright {

class SpaceTable {
 public:
  enum class Use {
    kSize,     ///< only size(): what is no longer needed is freed on the way
    kMembers,  ///< all functions
  };

  /// Throws StoppedError once `stop`, which may be null, is true.
  SpaceTable(const Workload& workload, const Rules& rules, Use use,
             const std::atomic<bool>* stop = nullptr);

  const Natural& size() const { return size_; }
  Choices unrank(Natural rank) const;
  /// Nothing if the rules do not allow it.
  std::optional<Natural> rank(const Choices& choices) const;

 private:
  // Splits of one dim that lead from one state of the array to another and are active in the same
  // numbers of blocks.
  struct Group {
    int array = 0;     // the state behind it; 0 behind the last dim
    int activity = 0;  // which numbers of blocks, in DimTable::activities
    Ways ways = 0;
  };
  struct DimTable {
    DimTable(std::int64_t size, std::vector<FactorRule> slots, std::span<const Stage> stages,
             const std::atomic<bool>* stop)
        : splits(size, std::move(slots)), profiles(splits, stages, stop) {}

    Splits splits;
    Profiles profiles;
    std::vector<std::vector<std::int64_t>> activities;  // by run
    std::vector<int> activity_of;                       // by profile
    std::vector<Group> groups;                          // by state of the array ...
    std::vector<std::size_t> group_ends;                // ... up to here

    std::span<const Group> groups_of(int state) const {
      const std::size_t at = static_cast<std::size_t>(state);
      const std::size_t begin = at == 0 ? 0 : group_ends[at - 1];
      return std::span(groups).subspan(begin, group_ends[at] - begin);
    }
  };
  // A run of blocks with its states; the first `within[i]` of them have at most i dims.
  struct Run {
    std::size_t stage = 0;
    int first_slot = 0;
    RunStates states;
    DimSet fixed = 0;
    std::vector<int> within;
  };

  bool may_be_whole() const;
  void add_runs(const Rules& rules);
  void add_dim(std::size_t level);
  void fill(std::size_t level);
  int array_after(const Profile& profile, int state, bool last) const;
  std::vector<std::int64_t> activity(const Profile& profile) const;
  // The joint state of the runs at `level`, as one number.
  int joint(std::size_t level, std::span<const int> states) const;
  void advance(std::vector<int>& states, std::size_t level, int activity) const;
  // The ways from a state on, in limbs.
  std::span<const std::uint64_t> value(std::size_t level, int joint, int array) const {
    return value_[level].limbs(static_cast<std::size_t>(joint), static_cast<std::size_t>(array));
  }
  int place(int slot) const { return static_cast<int>(rules_.places.size()) - 1 - slot; }

  // What one dim does, as found on the way through the table.
  struct Pick {
    const Profile* profile = nullptr;
    std::vector<std::int64_t> factors;  // of its loops, innermost first
  };
  Pick pick(std::size_t level, int state, const Group& group, Ways index) const;
  std::optional<Pick> find_pick(std::size_t level, const Tiling& tiling) const;
  // How many splits of `group` come before the pick.
  Ways index_of(std::size_t level, int state, const Group& group, const Pick& pick) const;
  std::vector<std::int64_t> activity_in(const Run& run, std::span<const Pick> picks) const;
  DimSet dims_in_block(const std::vector<std::uint32_t>& blocks, int i) const;
  // The blocks in which each dim is active; their orders and what is kept go to `choices`.
  std::vector<std::uint32_t> unrank_run(const Run& run, std::span<const Pick> picks, Natural rank,
                                        Choices& choices) const;
  std::optional<Natural> rank_run(const Run& run, std::span<const Pick> picks,
                                  const Choices& choices) const;
  void set_factors(std::size_t level, const Pick& pick,
                   const std::vector<std::vector<std::uint32_t>>& blocks, Tiling& tiling) const;

  const Rules& rules_;
  const std::atomic<bool>* stop_;
  ArrayStates array_;
  std::vector<Stage> stages_;
  std::vector<Run> runs_;
  std::vector<std::size_t> keep_of_place_;
  std::vector<std::size_t> order_;    // dims to split, the largest first: it meets few states
  std::vector<std::size_t> unsplit_;  // dims of one element
  std::vector<std::unique_ptr<DimTable>> dims_;  // in that order
  std::vector<NaturalRows> value_;               // by level: ways from each state on
  Natural size_;
};

}  // namespace tilewright
