// SPDX-License-Identifier: Apache-2.0
// Files in, values out. Never throws for bad input and never reads the outside world by itself:
// the caller hands over texts; every finding goes to Diagnostics.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "tilewright/arch/arch.h"
#include "tilewright/io/diagnostic.h"
#include "tilewright/mapping/mapping.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/workload/workload.h"

namespace tilewright {

/// Where each node of a mapping stands in the user's file, for messages about it.
struct MappingSource {
  Span whole;
  std::vector<Span> nodes;  ///< one per Mapping::nodes() entry
};

/// What a set of files holds. A section that is absent or has errors is empty.
struct Documents {
  std::optional<Workload> workload;
  std::optional<Arch> arch;
  std::optional<Problem> problem;  ///< if both are there
  std::optional<Mapping> mapping;  ///< needs both; not yet checked against them (find_violations)
  MappingSource mapping_source;
  bool has_mapping_section = false;
};

/// Reads files together (docs/formats.md); a file whose name ends in `.nest` is a mapping in text
/// form.
Documents read_documents(const std::vector<std::shared_ptr<const SourceFile>>& files,
                         Diagnostics& diagnostics);

/// One section from one text; nothing if there were errors. For tests, bindings, the command line.
std::optional<Workload> read_workload(std::shared_ptr<const SourceFile> file,
                                      Diagnostics& diagnostics);
std::optional<Arch> read_arch(std::shared_ptr<const SourceFile> file, Diagnostics& diagnostics);
std::optional<Mapping> read_mapping(std::shared_ptr<const SourceFile> file, const Problem& problem,
                                    Diagnostics& diagnostics, MappingSource* source = nullptr);

}  // namespace tilewright
