// SPDX-License-Identifier: Apache-2.0
// What files ask for and the model does not have: all of it is listed at once, so that a user can
// decide once whether to go on without it.
#pragma once

#include <string>
#include <vector>

#include "tilewright/io/diagnostic.h"
#include "tilewright/io/yaml/yaml_tree.h"

namespace tilewright::timeloop {

/// One thing that is not modelled.
struct Unsupported {
  std::string what;  ///< "sparse optimizations of `GLB`"
  Span place;
};

/// Where the readers put what they find.
struct Findings {
  Diagnostics& diagnostics;
  std::vector<Unsupported> unsupported;
  std::vector<std::string> notes;  ///< what was read and has no effect here

  void not_modelled(std::string what, const Span& place) {
    unsupported.push_back({std::move(what), place});
  }
};

/// One error about everything that is not modelled, or a warning if it is to be ignored.
void report_unsupported(const Findings& findings, bool ignore);

/// Reports a key that is not among `known`, with the nearest one. `what` is "a constraint".
void report_unknown_key(const YamlEntry& entry, const std::string& what,
                        const std::vector<std::string>& known, Diagnostics& diagnostics);

}  // namespace tilewright::timeloop
