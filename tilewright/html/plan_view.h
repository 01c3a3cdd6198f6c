// SPDX-License-Identifier: Apache-2.0
// The layers of a plan as pictures and tables show them: over all their runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tilewright/report/planned.h"

namespace tilewright {

struct LayerView {
  enum class State { kMapped, kTraffic, kUnmapped };

  std::size_t layer = 0;  ///< in Network::layers
  State state = State::kMapped;
  double computes = 0;
  double cycles = 0;
  double energy_pj = 0;
  double dram_bits = 0;
  double utilization = 0;
  double share = 0;        ///< of the time of all layers
  bool main = false;       ///< with its equals one of the few that take 80 % of the time
  std::string bottleneck;  ///< a memory, the compute units, "traffic"; empty if unmapped
  std::string style;       ///< the class of its colour
  std::string result;      ///< "proved", "gap 2.1 %", or why there is none
};

/// All layers that cost something or should, in their order.
std::vector<LayerView> layer_views(const Planned& planned);

}  // namespace tilewright
