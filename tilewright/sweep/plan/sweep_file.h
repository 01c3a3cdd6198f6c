// SPDX-License-Identifier: Apache-2.0
// The section `sweep:` of a file (docs/sweeps.md), with its places. A section `constraints:` may
// stand beside it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tilewright/io/diagnostic.h"
#include "tilewright/io/yaml/object_reader.h"
#include "tilewright/sweep/plan/design_space.h"

namespace tilewright {

/// A network or a workload, and how much it counts.
struct Weighted {
  PlacedName what;
  double weight = 1;
};

struct SweepFile {
  std::string name;
  PlacedName arch;  ///< a name of the library, or a file
  std::vector<Parameter> parameters;
  std::vector<Setting> settings;
  std::vector<Span> setting_places;
  std::vector<Condition> conditions;
  std::vector<Weighted> networks;   ///< names of the library, or files
  std::vector<Weighted> workloads;  ///< operators, or layers of networks of the library
  std::vector<PlacedName> spaces;
  std::vector<PlacedName> placements;  ///< `even` or `uneven`
  std::vector<PlacedName> objectives;
  std::string budget;  ///< of each search; empty: not given
  std::string gap;
  bool has_constraints = false;  ///< a section `constraints:` beside it
  Span whole;
};

/// Nothing, with findings, if the file has no such section or something in it is wrong.
std::optional<SweepFile> read_sweep_file(const std::shared_ptr<const SourceFile>& file,
                                         Diagnostics& diagnostics);

}  // namespace tilewright
