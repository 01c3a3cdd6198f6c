// SPDX-License-Identifier: Apache-2.0
// All ways to split one dim, grouped by what the other dims need to know of it: its factors on the
// axes, and in how many blocks of each run it is active. A run is a row of neighbouring blocks that
// allow the same, so that which of them are active does not change the number of ways.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "tilewright/mapspace/counting/splits.h"

namespace tilewright {

/// Ways to split one dim. 128 bits hold them: at most 2^44 steps, or 2^20 with remainders, are
/// split into factors of at least 2, which leaves fewer than 2^88 sequences.
__extension__ using Ways = unsigned __int128;

/// Neighbouring blocks with equal rules and no fixed loops; or one axis.
struct Stage {
  int first_slot = 0;  ///< innermost
  int slots = 1;
  bool axis = false;
};

/// The stages of `rules`, innermost first; slots are the places, innermost first.
std::vector<Stage> make_stages(const Rules& rules);

/// One way to meet the other dims, and how many splits do.
struct Profile {
  std::vector<std::int64_t> choice;  ///< by stage: the factor on an axis, or the active blocks
  Ways ways = 0;

  bool operator==(const Profile&) const = default;
};

class Profiles {
 public:
  /// Throws StoppedError once `stop`, which may be null, is true.
  Profiles(const Splits& splits, std::span<const Stage> stages,
           const std::atomic<bool>* stop = nullptr);

  /// In lexicographic order of the choices; none has 0 ways.
  std::span<const Profile> all() const { return all_; }

  /// True if these factors of the active slots, innermost first, are a split of the profile.
  bool allows(const Profile& profile, std::span<const std::int64_t> factors) const;
  /// The factors of all active slots, innermost first, of split number `index` of a profile.
  std::vector<std::int64_t> unrank(const Profile& profile, Ways index) const;
  /// Its inverse; `factors` must belong to the profile.
  Ways rank(const Profile& profile, std::span<const std::int64_t> factors) const;

 private:
  using Row = std::vector<Ways>;  // by count

  struct Tail {
    std::vector<std::int64_t> choice;
    Row ways;
  };

  void add_tails();
  static std::int64_t loops(const Stage& stage, std::int64_t choice) {
    return stage.axis ? (choice > 1 ? 1 : 0) : choice;
  }
  Row before(const Stage& stage, const Row& after, bool active) const;
  void extend(std::size_t stage, const Row& reached, std::vector<std::int64_t>& choice);
  Row reach(const Stage& stage, const Row& from, std::int64_t factor) const;
  std::vector<Row> rows(const Profile& profile) const;

  const Splits& splits_;
  std::span<const Stage> stages_;
  const std::atomic<bool>* stop_;
  std::size_t tail_ = 0;  // first stage behind the last axis
  std::vector<Tail> tails_;
  std::vector<Profile> all_;
};

}  // namespace tilewright
