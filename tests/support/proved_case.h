// SPDX-License-Identifier: Apache-2.0
// Random problems with the proof of their optimum, for tests of the verifier.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tests/support/search_case.h"

namespace tilewright::testing {

struct ProvedCase {
  SearchCase made;  ///< without caps, which a proof cannot have
  Found best;
  std::string text;    ///< the proof
  double seconds = 0;  ///< that the search took
};

/// The proof of one optimum; nothing if it is not found in two minutes, or there is none.
std::optional<ProvedCase> prove(SearchCase made);

/// The case number `index` of the stream `seed`, proved. Every fourth one has a space too large to
/// try every mapping. Nothing if it has no proof, or constraints that no file can say.
std::optional<ProvedCase> make_proved_case(std::uint64_t seed, std::uint64_t index,
                                           Mix mix = Mix::kAny);

/// The same of make_uneven_case().
std::optional<ProvedCase> make_uneven_proved_case(std::uint64_t seed, std::uint64_t index);

}  // namespace tilewright::testing
