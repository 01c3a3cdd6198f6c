// SPDX-License-Identifier: Apache-2.0
// All loops in space, chosen one dim after the other, so that many choices can be left out at once.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "tilewright/search/optimal/shared/inward_steps.h"
#include "tilewright/search/optimal/shared/problem_tables.h"

namespace tilewright {

/// Places of the axes of each fan-out.
std::vector<std::vector<std::size_t>> fanout_places(const ProblemTables& tables);

/// The loops in space of all fan-outs; choices that differ only in which axis of a fan-out has a
/// factor cost the same and are listed once.
class SpatialChoices {
 public:
  /// Factors of one dim in one fan-out that are as good as each other.
  struct Option {
    std::int64_t factor = 1;                        ///< on all axes together
    std::vector<std::vector<std::int64_t>> splits;  ///< of it, each by axis of the fan-out
  };
  /// Some factors are chosen: of all dims before `dim`, and of `dim` in the fan-outs before
  /// `fanout`; the last of them may be one of many.
  struct Part {
    std::size_t dim = 0;
    std::size_t fanout = 0;
    std::size_t level = 0;  ///< parts are parts of the last one before with a smaller level
    /// By dim, then fan-out: on all its axes, at most; open ones: 1.
    std::span<const std::int64_t> factors;
    std::span<const double> room;  ///< by fan-out: children for what is open, at most
    double all_room = 1;           ///< of all fan-outs together, at most
    double spread = 1;             ///< the last factor chosen may be so many times smaller
    std::uint64_t path = 1;        ///< up to level 60 no other part of its level has the same
    /// By dim, then fan-out: what is chosen is one of these.
    std::span<const std::span<const Option>> options;

    bool is_open(std::size_t d, std::size_t f) const {
      return d > dim || (d == dim && f >= fanout);
    }
  };
  /// Whether to go on with a part; the whole choice is asked about last.
  using Worth = std::function<bool(const Part&)>;
  /// Takes a whole choice.
  using Visit = std::function<void(const Tiling&)>;

  SpatialChoices(const ProblemTables& tables, std::span<const InwardSteps> steps, bool merge_axes);

  void for_each(const Worth& worth, const Visit& visit) const;

 private:
  // One way to assign the factors chosen so far to axes.
  struct Assignment {
    std::vector<std::int64_t> left;     // by axis, all fan-outs
    std::vector<std::int64_t> factors;  // by dim, then axis
  };
  struct Walk;

  std::vector<Option> options(std::size_t dim, std::size_t fanout, bool merge_axes) const;
  std::vector<Assignment> place(const std::vector<Assignment>& assignments, const Option& option,
                                std::size_t dim, std::size_t fanout) const;
  // Of the fan-outs, for what is not chosen.
  struct Room {
    std::vector<double> by_fanout;
    double all = 1;
  };

  Room room(const std::vector<Assignment>& assignments) const;
  void choose(Walk& walk, std::size_t dim, std::size_t fanout, std::size_t level,
              const std::vector<Assignment>& assignments) const;
  void choose_among(Walk& walk, const Part& part, std::size_t level,
                    const std::vector<Assignment>& assignments,
                    std::span<const Option> options) const;
  void visit(const Walk& walk, const Assignment& assignment) const;
  bool enough_children(const Walk& walk) const;

  const ProblemTables& tables_;
  std::span<const InwardSteps> steps_;
  std::vector<std::vector<std::size_t>> axes_;  // places by fan-out
  std::vector<std::size_t> first_axis_;         // by fan-out, counted over all
  std::vector<std::size_t> places_;             // of all axes
  std::vector<std::vector<Option>> options_;    // by dim, then fan-out
  std::vector<bool> perfect_;                   // by dim: no place leaves a remainder
};

}  // namespace tilewright
