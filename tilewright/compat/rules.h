// SPDX-License-Identifier: Apache-2.0
// Where Timeloop counts in another way than docs/model.md: one switch for each of its conventions.
// docs/timeloop-counting.md derives every one of them, with an example.
#pragma once

#include <span>
#include <string_view>

namespace tilewright::compat {

/// Timeloop's conventions, each of which can be switched off. All on is what Timeloop (commit
/// 4cf6d4c of 2025) answers; all off, common ground excepted, is what docs/model.md defines.
/// The numbers are sections of docs/timeloop-counting.md.
struct TimeloopRules {
  /// 2. The holes that a stride leaves count as data. Off: only elements that are used do.
  bool bounding_boxes = true;
  /// 3. A tile that equals the one already held is not sent. Off: loop counters decide, and a loop
  /// over a dim of the tensor always sends.
  bool skips_equal_tiles = true;
  /// 3. The overlap with the tile before is kept while the centre of the tile moves by equal steps.
  /// Off: while the loops make one contiguous sweep.
  bool slides_by_step = true;
  /// 4. Children share an access if they lack exactly the same elements. Off: if their tiles are
  /// equal; what any of them lacks is read once.
  bool groups_by_missing = true;
  /// 5. Every memory is counted as if it kept everything; what a bypassed one would have served is
  /// then put on the memory outside it, scaled by a ratio of totals. Off: the memory outside serves
  /// the children that there are.
  bool scaled_bypass = true;
  /// 6. What an instance of a memory ever holds of the output is a share of what the memory outside
  /// holds, cut to an integer at every memory. Off: it is counted.
  bool integer_shares = true;
  /// 7. Figures are rounded averages per instance, taken over all children that there could be, and
  /// are multiplied by the number of instances. Off: sums over the instances.
  bool averaged_instances = true;
  /// 7. In a pass that uses fewer instances, these are numbered anew from 0, so that an instance
  /// may take over from another one. Off: an instance keeps its place. It makes a difference only
  /// while space_extrapolation is off, or for link transfers.
  bool renumbered_instances = true;
  /// 8. A temporal loop runs its first two iterations (and, above a remainder, its last one or
  /// two); the second stands for the others. Off: every iteration runs.
  bool time_extrapolation = true;
  /// 9. Only the first instance is counted; all others are taken to be like it. Off: every
  /// instance.
  bool space_extrapolation = true;
  /// 9. The number of instances in use is the average over time, cut to an integer. Off: the
  /// instances that are ever in use.
  bool time_averaged_instances = true;
  /// 10. With a remainder anywhere, the compute steps are the product of all temporal factors. Off:
  /// the steps that there are.
  bool steps_by_factors = true;
  /// 11. A memory's cycles follow from its average demand per step, in floating point. Off: from
  /// what its first instance moves, exactly.
  bool average_demand = true;
  /// 12. Only memories leak, and of them only the instances in use. Off: all that exist, and
  /// compute units too.
  bool leakage_in_use = true;
  /// 13. A neighbour may pass on what it received at the step before, in place of the parent.
  bool link_transfers = true;

  // Common ground: docs/model.md has the same rules. Older Timeloops did not have all of them.
  /// 3. A tile that stands still for a while goes on sliding. Off: standing still counts as a step
  /// of its own, so that the next move is another one and the tile is sent whole.
  bool slides_after_rest = true;
  /// 4. Children with equal tiles share an access, in whatever way the tiles came to be equal. Off:
  /// only children that differ in no dim of the tensor do.
  bool shares_by_content = true;
  /// 6. The first partial sum of an element of the output is written without a read or a fill.
  bool first_read_elision = true;

  bool operator==(const TimeloopRules&) const = default;
};

/// One of the conventions above.
struct Convention {
  bool TimeloopRules::*rule = nullptr;
  std::string_view name;     ///< as in TimeloopRules
  std::string_view section;  ///< of docs/timeloop-counting.md
  std::string_view meaning;  ///< one sentence
};

/// The conventions in which Timeloop differs from docs/model.md, in the order in which explanations
/// switch them on.
std::span<const Convention> conventions();

/// Those in which docs/model.md and Timeloop agree.
std::span<const Convention> common_ground();

/// Of either kind, by its name; null if there is none.
const Convention* find_convention(std::string_view name);

/// Every convention of conventions() off: docs/model.md.
TimeloopRules our_rules();

/// Timeloop without its two extrapolations: every iteration and every instance is counted.
TimeloopRules iterating_rules();

}  // namespace tilewright::compat
