// SPDX-License-Identifier: Apache-2.0
// The second opinion: checks the proof that a mapping is optimal (docs/optimal.md section 6).
// Shares no code with the search.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/io/read.h"

namespace tilewright::verify {

/// What a proof claims, in words: among which mappings, and what makes one better.
struct Claim {
  std::string workload;  ///< name, einsum and dims
  std::string arch;      ///< name and nodes
  std::string space;
  std::string placement;  ///< "even", or where it is uneven
  std::string objective;
  std::vector<std::string> constraints;
  std::vector<std::string> conventions;  ///< that differ from the usual ones
};

struct Verdict {
  bool ok = false;
  std::string why;             ///< if not ok: one sentence, without its full stop
  double score = 0;            ///< of the mapping
  bool walked = false;         ///< the walker confirmed it; else only the model
  std::int64_t roots = 0;      ///< looked at one by one; others have too many steps in any case
  std::int64_t opened = 0;     ///< of these, in the file and needed
  std::int64_t nodes = 0;      ///< opened inside them
  std::int64_t evaluated = 0;  ///< mappings
  Claim claim;                 ///< if ok
  std::vector<std::string> compared;  ///< sections of the user's files that are as in the proof
};

/// Checks the text of a proof, and that it is about what the user's own files hold. Never throws
/// for what is in it.
Verdict verify_proof(std::string_view text, const Documents& own = {});

}  // namespace tilewright::verify
