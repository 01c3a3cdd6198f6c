// SPDX-License-Identifier: Apache-2.0
// Why there is no mapping, as a finding: the user's lines that cannot hold together, and the
// smallest changes that help.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tilewright/io/diagnostic.h"
#include "tilewright/io/read.h"
#include "tilewright/mapspace/feasibility/conflict.h"

namespace tilewright {

/// What a conflict is about, and where the user wrote it. Refers to values that outlive it.
struct ConflictSetting {
  const Problem& problem;
  SpaceKind kind = SpaceKind::kRubyS;
  std::span<const Constraint> constraints;
  const ArchSource& arch_source;
  std::span<const Span> constraint_source;  ///< one per constraint
};

/// M0302 if only constraints are to blame, else M0301.
Diagnostic& report_conflict(const ConflictSetting& setting, const Conflict& conflict,
                            Diagnostics& diagnostics);

/// One demand of a conflict in words.
struct ConflictLine {
  std::string place;   ///< `arch.yaml:12`; empty if no file says it
  std::string demand;  ///< `GLB holds 64 KiB, the tiles need 96 KiB: 32 KiB missing`
  std::string change;  ///< the smallest that helps: `capacity 96 KiB instead of 64 KiB`
};

/// The demands of a conflict, in their order.
std::vector<ConflictLine> conflict_lines(const ConflictSetting& setting, const Conflict& conflict);

/// The same as a sentence: `no mapping exists: ... and ... cannot hold together; ...`.
std::string conflict_words(const ConflictSetting& setting, const Conflict& conflict);

/// `arch.yaml:12`; the name alone for a file as a whole.
std::string place_text(const Span& span);
/// Each of several.
std::vector<std::string> place_texts(std::span<const Span> spans);

}  // namespace tilewright
