// SPDX-License-Identifier: Apache-2.0
// Findings as people and as editors read them.
#pragma once

#include <string>

#include "tilewright/io/diagnostic.h"

namespace tilewright {

/// One finding with the source lines it speaks of, ending in a line end:
///   error[F0010]: unknown key `capcity` in memory `GLB`
///     --> arch.yaml:12:7
///      |
///   12 |       capcity: 128 KiB
///      |       ^^^^^^^ not a key of a memory
///   help: did you mean `capacity`?
/// Long lines are cut around the place; characters that a terminal would obey are replaced.
std::string render_text(const Diagnostic& diagnostic, bool color);

/// All findings, an empty line between two.
std::string render_text(const Diagnostics& diagnostics, bool color);

/// {"version":1,"diagnostics":[{severity, code, message, labels:[{file, line, column, length,
/// text}], notes, helps}]}; line and column are 0 where a label means the whole file.
std::string render_json(const Diagnostics& diagnostics);

}  // namespace tilewright
