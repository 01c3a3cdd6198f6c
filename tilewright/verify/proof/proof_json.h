// SPDX-License-Identifier: Apache-2.0
// The JSON of a proof, read event by event: only what a proof may hold is taken, nothing recurses
// however deep the text nests, and no tree of it is kept.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/mapping/problem.h"
#include "tilewright/verify/proof/proof.h"

namespace tilewright::verify {

/// All but the roots.
struct ProofHeader {
  std::map<std::string, std::string, std::less<>> texts;  ///< by key; all that are wanted are there
  std::vector<std::string> conventions;
  std::vector<std::string> uneven;  ///< memories; nothing if the file does not say
  double score = 0;
};

/// Throws Refusal if the text is no JSON, or has not just the keys of a proof, each once. What
/// `roots` holds is left to read_roots.
ProofHeader read_header(std::string_view text);

/// How the entries of a root are laid out.
struct RootShape {
  const Problem& problem;
  std::size_t memories = 0;  ///< of a root that does not name them
  std::size_t points = 0;    ///< at which memories may keep something, at most
  std::size_t axes = 0;
};

/// The list under `roots` of a text that read_header took. Throws Refusal if one of them is none.
std::vector<ProofRoot> read_roots(std::string_view text, const RootShape& shape);

}  // namespace tilewright::verify
