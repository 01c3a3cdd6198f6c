// SPDX-License-Identifier: Apache-2.0
// From command-line arguments to values: files, folders, library names, standard input.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tilewright/cli/session.h"
#include "tilewright/io/read.h"
#include "tilewright/mapping/conventions.h"

namespace tilewright {

/// Reads the sources that `arguments` name; each finding goes to `diagnostics`.
Sources read_sources(const std::vector<std::string>& arguments, std::istream& in,
                     Diagnostics& diagnostics);

/// The text of one file for a use of its own; nothing, with a finding, if it cannot be read.
std::optional<std::string> read_text_file(const std::string& path, Diagnostics& diagnostics);

/// The bytes of one file that is no text.
std::optional<std::string> read_binary_file(const std::string& path, Diagnostics& diagnostics);

/// What a command needs among its files.
enum class Need { kAnything, kProblem, kMapping };

/// Reads all arguments and shows what is wrong with them; nothing if there were errors (the session
/// then has its exit code). Costs of its problem are counted by `conventions`, and as the files
/// demand: Timeloop's do. `objective`: as for read_inputs.
std::optional<Documents> load(Session& session, const std::vector<std::string>& arguments,
                              Need need, Conventions conventions = {},
                              std::string* objective = nullptr);

/// The same for texts that are there already.
std::optional<Documents> load(Session& session, const Sources& sources, Need need,
                              Conventions conventions = {}, std::string* objective = nullptr);

/// What to do with a mapping that makes sense but does not fit.
enum class Misfit {
  kRefuse,  ///< show why
  kOffer,   ///< show why, and that --anyway goes on
  kWarn,    ///< warn, and go on
};

/// False, with findings shown and the exit code set, if the mapping of `documents` is illegal or
/// must fit and does not.
bool accept_mapping(Session& session, const Documents& documents, Misfit misfit);

}  // namespace tilewright
