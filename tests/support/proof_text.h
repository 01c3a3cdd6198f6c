// SPDX-License-Identifier: Apache-2.0
// Proofs as files (docs/optimal.md section 6), for tests that write or spoil them.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "tilewright/mapspace/constraint.h"
#include "tilewright/mapspace/rules.h"
#include "tilewright/verify/proof/proof.h"

namespace tilewright::testing {

/// All of it; the checksum is still to be made right.
nlohmann::ordered_json proof_json(const verify::Proof& proof, SpaceKind kind,
                                  std::span<const Constraint> constraints,
                                  const std::string& objective);

/// The list under `roots`.
nlohmann::ordered_json roots_json(const Problem& problem, std::span<const verify::ProofRoot> roots);

/// The text, with the right checksum.
std::string seal(const nlohmann::ordered_json& proof);

}  // namespace tilewright::testing
