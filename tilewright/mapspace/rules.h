// SPDX-License-Identifier: Apache-2.0
// Which mappings belong to a space: every place where loops may stand, from the outermost inwards,
// and what is allowed there. Counting, sampling, enumerating and deciding feasibility all read
// this table and nothing else. See docs/mapspaces.md.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "tilewright/mapping/problem.h"
#include "tilewright/mapspace/arrangement.h"
#include "tilewright/mapspace/constraint.h"

namespace tilewright {

/// Which loops may leave a remainder (the Ruby paper's four mapspaces).
enum class SpaceKind {
  kPfm,    ///< none
  kRubyS,  ///< loops in space
  kRubyT,  ///< loops in time
  kRuby,   ///< all
};

/// "pfm", "ruby-s", "ruby-t", "ruby".
std::string_view space_name(SpaceKind kind);
std::optional<SpaceKind> space_by_name(std::string_view name);

/// What one dim may do at one place.
struct FactorRule {
  static constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

  std::int64_t least = 1;
  std::int64_t most = kNoLimit;
  bool remainder = true;  ///< false: the factor divides what it splits

  bool operator==(const FactorRule&) const = default;
};

/// A place for loops: a block (loops in time right inside a keep node, each dim at most once, in
/// any order that the rules allow) or one axis of a fan-out. A memory has one block for each point
/// of its arrangement.
struct Place {
  NodeId node;
  int axis = -1;                  ///< -1: a block
  std::vector<FactorRule> rules;  ///< by DimId
  // Blocks only. Loops over these dims stand first (last), in this order; the others between them
  // in any order.
  std::vector<DimId> outermost;
  std::vector<DimId> innermost;

  bool is_block() const { return axis < 0; }
  bool operator==(const Place&) const = default;
};

/// What a memory may keep at one point of its arrangement. Where nothing is kept there are no loops
/// in the block.
struct KeepRule {
  NodeId memory;
  TensorSet required = 0;  ///< includes the tensors whose home it is
  TensorSet allowed = 0;   ///< a superset of `required`
  bool must_loop = false;  ///< the block has a loop, or the mapping belongs to another arrangement

  bool operator==(const KeepRule&) const = default;
};

/// Least number of children of a fan-out that must work in a steady pass.
struct FanoutRule {
  NodeId fanout;
  std::int64_t least_children = 1;
  std::vector<std::int64_t> axis_sizes;

  bool operator==(const FanoutRule&) const = default;
};

/// The table. A tensor's home is the outermost memory that may keep it; it always keeps it, and no
/// loop stands outside it.
struct Rules {
  std::vector<Place> places;        ///< outermost first
  std::vector<KeepRule> keeps;      ///< one per block, in the order of the places
  std::vector<FanoutRule> fanouts;  ///< one per fan-out, outermost first

  bool operator==(const Rules&) const = default;
};

/// The rules of `kind` with `constraints` on top. Constraints that contradict each other give an
/// empty range (least > most) or required tensors that are not allowed: the space is then empty,
/// which its size says. Two kOrder demands on one memory: the later one holds. A memory that
/// `arrangement` has several points for keeps just what it names; all others are even.
Rules make_rules(const Problem& problem, SpaceKind kind, std::span<const Constraint> constraints,
                 const Arrangement& arrangement = {});

}  // namespace tilewright
