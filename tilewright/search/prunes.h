// SPDX-License-Identifier: Apache-2.0
// What lets the optimal search leave out mappings, each with a name and a switch.
#pragma once

#include <array>
#include <string_view>

namespace tilewright {

/// Each can be switched off without changing the answer; numbers are formulas of docs/optimal.md.
struct Prunes {
  // Not by bounds.
  bool by_first_answer = true;  ///< starts from what a short local search finds
  bool by_capacity = true;      ///< tiles that cannot fit
  bool by_least_factor = true;  ///< of factors that leave the same counts the least one, if no
                                ///< other can be better
  bool by_axes = true;  ///< factors of a fan-out on one of its axes only, if it does not matter

  bool by_batch = true;      ///< loops over dims of all tensors that could stand outside the others
  bool by_same_tile = true;  ///< keeping what the next memory inside keeps as well
  bool by_placement = true;  ///< uneven: keep nodes that could stand further out, or be in another
                             ///< order, without costing more

  // By lower bounds, in the order in which a mapping meets them.
  bool by_cost = true;            ///< off: by none of them
  bool by_keeps = true;           ///< what is kept, from the outermost memory inwards, section 3
  bool by_steps = true;           ///< cycles: the steps of the compute units (6)
  bool by_fixed_cost = true;      ///< what no open factor can make cheaper, section 3
  bool by_outline = true;         ///< accesses, shared as far as open factors allow (7)
  bool by_shared_room = true;     ///< tensors that cannot all have the open factors (8)
  bool by_outline_time = true;    ///< cycles: the time of memories by (7) and (8)
  bool by_needed_sharing = true;  ///< energy and cycles that need the same open factors (9)
  bool by_inner_accesses = true;  ///< accesses of compute units in a root (5)
  bool by_root_capacity = true;   ///< links of a root with tiles that fit, section 3
  bool by_root_time = true;       ///< cycles: the time of memories by these
  bool by_coarse_tables = true;   ///< cost to go of a root, similar counts as one, section 4
  bool by_full_tables = true;     ///< cost to go of a root, section 2
  bool by_time_tables = true;     ///< cycles: cost to go of the time of memories
  bool by_scan = true;            ///< entries of the table of one boundary
  bool by_node = true;            ///< links passed + links pending + cost to go
  bool by_order = true;           ///< links decided by the order of the loops of a block

  bool operator==(const Prunes&) const = default;
};

struct PruneName {
  std::string_view name;
  bool Prunes::*member;
  bool is_bound;  ///< a lower bound of its own
};

constexpr std::array kPruneNames = {
    PruneName{"by_first_answer", &Prunes::by_first_answer, false},
    PruneName{"by_capacity", &Prunes::by_capacity, false},
    PruneName{"by_least_factor", &Prunes::by_least_factor, false},
    PruneName{"by_axes", &Prunes::by_axes, false},
    PruneName{"by_batch", &Prunes::by_batch, false},
    PruneName{"by_same_tile", &Prunes::by_same_tile, false},
    PruneName{"by_placement", &Prunes::by_placement, false},
    PruneName{"by_cost", &Prunes::by_cost, false},
    PruneName{"by_keeps", &Prunes::by_keeps, true},
    PruneName{"by_steps", &Prunes::by_steps, true},
    PruneName{"by_fixed_cost", &Prunes::by_fixed_cost, true},
    PruneName{"by_outline", &Prunes::by_outline, true},
    PruneName{"by_shared_room", &Prunes::by_shared_room, true},
    PruneName{"by_outline_time", &Prunes::by_outline_time, true},
    PruneName{"by_needed_sharing", &Prunes::by_needed_sharing, true},
    PruneName{"by_inner_accesses", &Prunes::by_inner_accesses, true},
    PruneName{"by_root_capacity", &Prunes::by_root_capacity, true},
    PruneName{"by_root_time", &Prunes::by_root_time, true},
    PruneName{"by_coarse_tables", &Prunes::by_coarse_tables, true},
    PruneName{"by_full_tables", &Prunes::by_full_tables, true},
    PruneName{"by_time_tables", &Prunes::by_time_tables, true},
    PruneName{"by_scan", &Prunes::by_scan, true},
    PruneName{"by_node", &Prunes::by_node, true},
    PruneName{"by_order", &Prunes::by_order, true},
};
static_assert(sizeof(Prunes) == kPruneNames.size(), "every prune has a name");

}  // namespace tilewright
