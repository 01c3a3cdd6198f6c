// SPDX-License-Identifier: Apache-2.0
// Timeloop's files in, our values out: the same Documents, and findings with the same places, that
// our own files give. Costs are counted as Timeloop counts holes (Conventions::holes_are_data).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tilewright/io/read.h"
#include "tilewright/timeloop/document/files.h"

namespace tilewright::timeloop {

/// True for a file in Timeloop's language, by its top-level keys; also for a `.cfg` file and for a
/// template, which only Timeloop has.
bool is_timeloop(const SourceFile& file);

struct Options {
  bool ignore_unsupported = false;                 ///< go on without what is not modelled
  std::map<std::string, std::string> definitions;  ///< of names in templates
  Files* files = nullptr;  ///< where included files come from; null: only those that are given
};

/// What the files hold, and what a report should say about them.
struct Reading {
  Documents documents;
  std::vector<std::string> ignored;      ///< what is not modelled and was left out
  std::vector<std::string> notes;        ///< what has no effect here
  std::optional<std::string> objective;  ///< what the section `mapper` minimizes, as we call it
  std::vector<std::shared_ptr<const SourceFile>> included;  ///< files that others include
};

/// Reads files together, some of which may be our own: a workload of ours on an architecture of
/// Timeloop's, for example.
Reading read_documents(const std::vector<std::shared_ptr<const SourceFile>>& files,
                       Diagnostics& diagnostics, const Overrides& overrides = {},
                       const Options& options = {});

}  // namespace tilewright::timeloop
