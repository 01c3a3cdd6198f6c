// SPDX-License-Identifier: Apache-2.0
// A result and the same one made again: in what they differ.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/format/layout.h"

namespace tilewright {

/// One value that is not the same, or is only in one of them (the other text is then empty).
struct ValueDifference {
  std::string path;  ///< `memories[0].energy_pj`
  std::string before;
  std::string now;
};

struct RerunDifference {
  std::size_t bytes = 0;  ///< of the new one
  std::size_t all = 0;    ///< values in both together
  bool same_bytes = false;
  bool same_version = true;
  std::vector<ValueDifference> values;  ///< the version left out
};

/// Both must be JSON.
RerunDifference compare_results(std::string_view before, std::string_view now);

/// One line if nothing differs, else the first differences.
std::string rerun_text(const RerunDifference& difference, const TextOptions& options);

}  // namespace tilewright
