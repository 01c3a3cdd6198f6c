// SPDX-License-Identifier: Apache-2.0
// The program connected to the process that runs it: standard streams, terminal, environment,
// Ctrl-C.
#pragma once

#include <string>
#include <vector>

namespace tilewright {

/// Runs one command line (without the program's name) and returns its exit code. Never throws.
int run_process(const std::vector<std::string>& args);

}  // namespace tilewright
