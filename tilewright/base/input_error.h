// SPDX-License-Identifier: Apache-2.0
// The error that callers of the library can cause.
#pragma once

#include <stdexcept>

namespace tilewright {

/// What was handed over makes no sense: text that is no einsum, sizes that make no workload. what()
/// says what is wrong.
class InputError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

}  // namespace tilewright
