// SPDX-License-Identifier: Apache-2.0
// Names of components with a path and a range: `system.chip.PE[0..167]`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tilewright::timeloop {

struct ComponentName {
  std::string name;         ///< the last part, without the range
  std::int64_t copies = 1;  ///< how many the range has
};

ComponentName parse_component_name(std::string_view text);

}  // namespace tilewright::timeloop
