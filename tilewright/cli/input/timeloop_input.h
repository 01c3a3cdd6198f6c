// SPDX-License-Identifier: Apache-2.0
// Timeloop's files on the command line.
#pragma once

#include <CLI/App.hpp>
#include <optional>
#include <string>

#include "tilewright/cli/session.h"
#include "tilewright/io/read.h"

namespace tilewright {

/// The options for Timeloop's files: `--ignore-unsupported` and `--define`.
void add_timeloop(CLI::App& command, Session& session);

/// Documents from files of ours, of Timeloop's, or of both; Timeloop's may include others from the
/// disk. The session then holds them as files of ours, for results. `objective`, which may be null,
/// gets what Timeloop's mapper would minimize.
Documents read_inputs(Session& session, const Sources& sources, Diagnostics& diagnostics,
                      std::string* objective = nullptr);

/// What was left out, to be repeated under a report; empty if nothing was.
std::string left_out_text(const Session& session);

}  // namespace tilewright
