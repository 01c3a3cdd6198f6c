// SPDX-License-Identifier: Apache-2.0
// The program as a function.
#pragma once

#include <span>
#include <string>

#include "tilewright/cli/console.h"

namespace tilewright {

/// Runs one command line (without the program's name) and returns its exit code. Never throws.
int run(std::span<const std::string> args, Console& console);

/// The program's version, e.g. `0.1.0`.
std::string program_version();

}  // namespace tilewright
