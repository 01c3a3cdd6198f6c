// SPDX-License-Identifier: Apache-2.0
// Whether the mapping of a proof is legal and in the space it speaks of.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "tilewright/verify/proof/proof.h"

namespace tilewright::verify {

/// The choices that a nest stands for.
struct Choices {
  Keeps keeps;
  Tiling tiling;
  Orders orders;
};

/// Puts every node of the nest at its place; nothing if one has none.
std::optional<Choices> take_apart(const Problem& problem, const Rules& rules,
                                  std::span<const NestNode> nest);

/// Whether every memory keeps what it must and nothing that it may not.
bool obeys_keeps(const Rules& rules, const Keeps& keeps);

/// What is wrong with the mapping of `proof`, in a few words; empty if it is legal and in its
/// space.
std::string find_fault(const Proof& proof);

}  // namespace tilewright::verify
