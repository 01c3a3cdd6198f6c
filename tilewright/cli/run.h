// SPDX-License-Identifier: Apache-2.0
// The program as a function.
#pragma once

#include <span>
#include <string>

#include "tilewright/cli/console.h"
#include "tilewright/cli/session.h"

namespace tilewright {

/// Runs one command line (without the program's name) and returns its exit code. Never throws.
/// `given`: texts that stand for the files that it names; null: those are read.
int run(std::span<const std::string> args, Console& console, const Sources* given = nullptr);

}  // namespace tilewright
