// SPDX-License-Identifier: Apache-2.0
// How a search went: its best and its bound over time.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tilewright/search/search.h"

namespace tilewright {

struct TracePoint {
  double seconds = 0;
  std::optional<double> best;   ///< score so far
  std::optional<double> bound;  ///< no mapping scores less
};

struct SearchTrace {
  std::string objective;  ///< "edp"
  std::vector<TracePoint> points;

  /// Adds a point if it says something new. Of very many every second one goes.
  void add(const TracePoint& point);
  void add(const Progress& progress) { add({progress.seconds, progress.best, progress.bound}); }
};

}  // namespace tilewright
