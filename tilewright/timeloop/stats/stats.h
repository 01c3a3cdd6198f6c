// SPDX-License-Identifier: Apache-2.0
// A report that a run of Timeloop left behind: `timeloop-mapper.stats.txt` and the like.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::timeloop {

/// One tensor at one memory. What a report does not say is not set.
struct TensorStats {
  std::string name;
  std::optional<std::int64_t> tile;       ///< of an instance
  std::optional<std::int64_t> instances;  ///< in use
  std::optional<std::int64_t> clusters;   ///< in use: instances that share an access's energy
  std::optional<std::int64_t> reads;      ///< of an instance, on average
  std::optional<std::int64_t> fills;
  std::optional<std::int64_t> updates;
  std::optional<double> energy_pj;  ///< of all instances
};

struct LevelStats {
  std::string name;
  std::optional<std::int64_t> cycles;
  std::vector<TensorStats> tensors;
};

struct Stats {
  std::vector<LevelStats> levels;  ///< innermost first, the compute units among them
  std::optional<std::int64_t> computes;
  std::optional<std::int64_t> cycles;
  std::optional<double> energy_pj;
  double energy_digit_pj = 0;  ///< what the last printed digit of `energy_pj` is worth
};

/// Reads a report; nothing if it is none, or was cut off before its summary.
std::optional<Stats> read_stats(std::string_view text);

}  // namespace tilewright::timeloop
