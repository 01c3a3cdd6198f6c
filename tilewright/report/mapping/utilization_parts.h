// SPDX-License-Identifier: Apache-2.0
// What is behind the three factors of utilization.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tilewright/result/evaluated.h"

namespace tilewright {

/// What the mapping does with one axis of a fan-out.
struct AxisUse {
  std::string name;  ///< `PE.Y`
  std::int64_t size = 1;
  std::int64_t used = 1;
  std::vector<std::string> loops;  ///< `c 3`
};

/// Every axis that has more than one child.
std::vector<AxisUse> axis_uses(const Evaluated& evaluated);

/// `PE.Y 9 of 12 (c 3 * s 3)`
std::string axis_text(const AxisUse& use);

/// `every pass is full`, or in whose last passes units are idle.
std::string edge_text(const Evaluated& evaluated);

/// `units never wait for a memory`, or for which one and how long.
std::string wait_text(const Evaluated& evaluated);

}  // namespace tilewright
