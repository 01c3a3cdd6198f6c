// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapper/search_trace.h"

namespace tilewright {

void SearchTrace::add(const TracePoint& point) {
  constexpr std::size_t kMost = 800;
  if (!points.empty()) {
    const TracePoint& last = points.back();
    if (last.best == point.best && last.bound == point.bound) return;
  }
  points.push_back(point);
  if (points.size() < kMost) return;
  std::vector<TracePoint> thinner;
  for (std::size_t i = 0; i < points.size(); i += 2) thinner.push_back(points[i]);
  points = std::move(thinner);
}

}  // namespace tilewright
