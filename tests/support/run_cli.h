// SPDX-License-Identifier: Apache-2.0
// Runs command lines in this process.
#pragma once

#include <string>
#include <vector>

namespace tilewright::testing {

struct Result {
  int code = 0;
  std::string out;
  std::string err;
};

/// Runs `tilewright args...` with `input` as standard input, no terminal.
Result run_cli(const std::vector<std::string>& args, const std::string& input = "");

}  // namespace tilewright::testing
