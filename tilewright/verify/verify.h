// SPDX-License-Identifier: Apache-2.0
// The second opinion: checks the proof that a mapping is optimal (docs/optimal.md section 6).
// Shares no code with the search.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tilewright::verify {

struct Verdict {
  bool ok = false;
  std::string why;             ///< if not ok: one sentence, without its full stop
  double score = 0;            ///< of the mapping
  bool walked = false;         ///< the walker confirmed it; else only the model
  std::int64_t roots = 0;      ///< looked at one by one; others have too many steps in any case
  std::int64_t opened = 0;     ///< of these, in the file and needed
  std::int64_t nodes = 0;      ///< opened inside them
  std::int64_t evaluated = 0;  ///< mappings
};

/// Checks the text of a proof. Never throws for what is in it.
Verdict verify_proof(std::string_view text);

}  // namespace tilewright::verify
