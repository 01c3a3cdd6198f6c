// SPDX-License-Identifier: Apache-2.0
// The layers of a plan as pictures and tables show them: over all their runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tilewright/result/planned.h"

namespace tilewright {

/// What one layer or several cost, over all their runs.
struct Costs {
  std::int64_t runs = 0;
  double computes = 0;
  double cycles = 0;
  double energy_pj = 0;
  double dram_bits = 0;
  std::vector<double> levels_pj;  ///< `energy_pj` as level_names() has them
};
void add(Costs& sum, const Costs& more);

struct LayerView {
  enum class State { kMapped, kTraffic, kUnmapped };

  std::size_t layer = 0;  ///< in Network::layers
  std::size_t kind = 0;   ///< equal for layers that cost the same
  State state = State::kMapped;
  Costs costs;
  double utilization = 0;
  double time_share = 0;     ///< of the time of all layers
  double energy_share = 0;   ///< of their energy
  bool main_time = false;    ///< with its equals one of the few that take 80 % of the time
  bool main_energy = false;  ///< the same for energy
  std::string block;       ///< what its name begins with, as those of its neighbours; may be empty
  std::string bottleneck;  ///< a memory, the compute units; empty if unmapped
  std::string style;       ///< the class of its colour
  std::string result;      ///< "proved", "gap 2.1 %", or why there is none

  bool takes_no_time() const { return state != State::kUnmapped && costs.cycles <= 0; }
};

/// All layers that cost something or should, in their order.
std::vector<LayerView> layer_views(const Planned& planned);

/// Memories, outermost first, and the compute units.
std::vector<std::string> level_names(const Arch& arch);

/// The class of the colour of a level.
std::string level_class(const Arch& arch, std::size_t level);

}  // namespace tilewright
