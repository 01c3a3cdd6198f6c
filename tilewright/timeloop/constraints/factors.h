// SPDX-License-Identifier: Apache-2.0
// Factors (`P=4`, `P4`, `P=4,3` with a remainder, `P<=4`, `P>=4`) and orders of loops (`RPKC` or a
// list, innermost first), in constraints and in mappings.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tilewright/base/index.h"
#include "tilewright/io/diagnostic.h"
#include "tilewright/io/yaml/yaml_tree.h"
#include "tilewright/workload/workload.h"

namespace tilewright::timeloop {

struct Factor {
  enum class Relation { kEqual, kAtMost, kAtLeast };

  DimId dim;
  Relation relation = Relation::kEqual;
  std::int64_t value = 1;  ///< 0 in a file means the size of the dim, and is that here
  std::optional<std::int64_t> remainder;
  Span place;
};

/// A text or a list; what is wrong is reported. `where` is "the mapping of `GLB`".
std::vector<Factor> read_factors(const YamlNode& node, const std::string& where,
                                 const Workload& workload, Diagnostics& diagnostics);

/// Loops from the innermost outwards. `outer` are those after a `_`: they are outermost, and what
/// is not named stands between the two.
struct Permutation {
  std::vector<DimId> inner;
  std::vector<DimId> outer;
};

Permutation read_permutation(const YamlNode& node, const std::string& where,
                             const Workload& workload, Diagnostics& diagnostics);

}  // namespace tilewright::timeloop
