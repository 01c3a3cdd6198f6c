// SPDX-License-Identifier: Apache-2.0
// The nearest change that makes a mapping legal: nothing is proposed that find_violations has not
// accepted. Used for the helps in advice/violation_text.h.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tilewright/mapping/mapping.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/mapping/violation.h"

namespace tilewright {

/// One loop made shorter, and the loop in time that does what it no longer does.
struct Step {
  int position = -1;        ///< of the loop, in the nodes of the mapping as it was
  std::int64_t factor = 1;  ///< its new factor; 1: the loop goes away
  int rest_position = -1;   ///< of the loop that takes the rest, likewise; -1: it is new
  std::int64_t rest = 1;    ///< its new factor; 1: there is none
  NodeId rest_at{};         ///< the memory whose keep node lies next outside it
  bool divides = false;     ///< the factors over this dim multiply up to its size, no remainder
};

/// A changed mapping.
struct Repair {
  std::vector<Step> steps;
  Mapping mapping;
};

/// What making one loop shorter can do about a tile that is too large.
struct Shortening {
  Repair largest;                 ///< with the largest factor that fits
  std::optional<Repair> divides;  ///< with the largest that fits and leaves no remainder
  std::optional<Repair> misses;   ///< with one more than the largest, which does not fit
};

/// Looks for changes to one mapping. Holds references to what it is given.
class Repairer {
 public:
  Repairer(const Problem& problem, const Mapping& mapping, std::span<const Violation> violations)
      : problem_(problem), mapping_(mapping), violations_(violations) {}

  /// True if `changed` no longer has `violation` and has none that the mapping did not have. With a
  /// structural violation only structural ones are compared, since it hides the others.
  bool cures(const Mapping& changed, const Violation& violation) const;

  /// kCapacity, kPartition: shortens the loop at `position`; nothing if no factor is small enough.
  std::optional<Shortening> shorten(const Violation& violation, int position) const;
  /// kCapacity, kPartition: shortens as many loops as it takes.
  std::optional<Repair> shorten_several(const Violation& violation) const;
  /// kAxis: makes the loop at `position` short enough for the axis, the rest in time just outside
  /// or in the outermost loop. `exactly`: by a factor that divides it.
  std::optional<Repair> spread(const Violation& violation, int position, bool exactly) const;
  /// The mapping with another factor at `position`, if that cures the violation.
  std::optional<Repair> set_factor(const Violation& violation, int position,
                                   std::int64_t factor) const;
  /// The mapping with node `position` replaced by `replacement`, if that cures the violation.
  std::optional<Mapping> replace(const Violation& violation, int position,
                                 std::vector<NestNode> replacement) const;
  /// The mapping with node `from` moved behind node `behind`, if that cures the violation.
  std::optional<Mapping> move(const Violation& violation, int from, int behind) const;

 private:
  Repair with_factor(int position, std::int64_t factor, int boundary) const;

  const Problem& problem_;
  const Mapping& mapping_;
  std::span<const Violation> violations_;
};

/// Loops inside the keep nodes that `violation` (kCapacity, kPartition) is about, in time first.
std::vector<int> loops_inside(const Problem& problem, const Mapping& mapping,
                              const Violation& violation);

/// Positions of those keep nodes, outermost first.
std::vector<int> keeps_of(const Problem& problem, const Mapping& mapping,
                          const Violation& violation);

/// Tensors in node `position` that count for `violation` (kCapacity, kPartition).
TensorSet counted_tensors(const Problem& problem, const Mapping& mapping,
                          const Violation& violation, int position);

/// Bits that a mapping needs where `violation` (kCapacity, kPartition) found too many.
std::int64_t bits_needed(const Problem& problem, const Mapping& mapping,
                         const Violation& violation);

}  // namespace tilewright
