// SPDX-License-Identifier: Apache-2.0
// Result files on the command line: how they are made, saved and opened.
#pragma once

#include <CLI/App.hpp>
#include <memory>
#include <optional>
#include <string>

#include "tilewright/answers/record.h"
#include "tilewright/cli/session.h"
#include "tilewright/io/result.h"

namespace tilewright {

/// `--save FILE` of a command that yields a result.
void add_save(CLI::App& command, std::string& path);

/// What the command has read, for its record.
RunInputs inputs_of(const Session& session);

/// Writes the result where `--save` says, and says so; nothing if `path` is empty.
void save_result(Session& session, const std::string& path, const std::string& json);

/// A result file with its record.
struct OpenedResult {
  std::shared_ptr<const SourceFile> file;
  ResultFile result;
};

/// Nothing, with findings shown and the exit code set, if `path` is something else or has no
/// record.
std::optional<OpenedResult> open_result(Session& session, const std::string& path);

}  // namespace tilewright
