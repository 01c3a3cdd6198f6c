// SPDX-License-Identifier: Apache-2.0
// Proofs of what is not so, made from one that holds, as somebody would who knows the format: every
// checksum is right, and in the last of each kind nothing is missing that the verifier asks for.
#pragma once

#include <string>
#include <vector>

#include "tests/support/proved_case.h"
#include "tilewright/base/random.h"
#include "tilewright/io/read.h"

namespace tilewright::testing {

struct Forgery {
  std::string kind;    ///< what is false about it
  std::string text;    ///< the proof
  Documents own;       ///< the user's files, where it is about others
  bool false_ = true;  ///< false: it turned out to be true, and must be accepted
};

/// What the user's files would hold.
Documents own_files(const SearchCase& made);

/// All forgeries of one proof.
std::vector<Forgery> forge(const ProvedCase& proved, Random& random);

}  // namespace tilewright::testing
