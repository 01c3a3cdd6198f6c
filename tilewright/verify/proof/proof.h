// SPDX-License-Identifier: Apache-2.0
// The file of a proof as values (docs/optimal.md section 6). Only its form is checked here.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/evaluation/objective.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/mapspace/constraint.h"
#include "tilewright/mapspace/rules.h"
#include "tilewright/mapspace/tiling.h"

namespace tilewright::verify {

/// Why a proof is refused, in one sentence without its full stop.
class Refusal : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct ProofNode {
  DimSet label = 0;
  std::vector<std::int64_t> counts;  ///< by dim
  std::vector<ProofNode> open;
};

struct ProofRoot {
  Keeps keeps;
  std::vector<std::int64_t> factors;  ///< by axis in the order of Rules::places, then dim
  std::vector<ProofNode> open;
  /// The memory of each entry of `keeps`; empty: every memory once, outermost first.
  std::vector<NodeId> memories = {};
};

struct Proof {
  Problem problem;
  std::vector<Rules> arrangements;  ///< of each arrangement (docs/mapspaces.md), the even one first
  Objective objective;
  Mapping mapping;
  double score = 0;
  std::vector<ProofRoot> roots;
  SpaceKind space = SpaceKind::kPfm;
  std::vector<Constraint> constraints;
  Placement placement = {};
};

/// Bytes of the largest proof that is read.
constexpr std::size_t kLargestProof = std::size_t{64} << 20U;

/// Reads a proof; throws Refusal if it is none.
Proof read_proof(std::string_view text);

/// The checksum that `text` should have, 16 hex digits; nothing is known about the rest of it.
/// Throws Refusal if there is no place for one.
std::string checksum_of(std::string_view text);

}  // namespace tilewright::verify
