// SPDX-License-Identifier: Apache-2.0
// Steps that commands which evaluate share.
#pragma once

#include <optional>
#include <string>

#include "tilewright/cli/run.h"
#include "tilewright/cli/session.h"
#include "tilewright/diff/compare_text.h"

namespace tilewright {

/// A result saved by `evaluate --json`; nothing, with findings shown and the exit code set, if
/// `path` is something else.
std::optional<SavedEvaluation> load_saved_evaluation(Session& session, const std::string& path);

/// Executes the nest, compares, says so on `err`; sets the exit code where they disagree.
void check_by_walking(Session& session, const Evaluated& evaluated);

}  // namespace tilewright
