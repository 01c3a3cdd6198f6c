// SPDX-License-Identifier: Apache-2.0
#include "tilewright/flexibility/answer/words.h"

#include <fmt/format.h>

#include <vector>

#include "tilewright/format/number_text.h"

namespace tilewright {

std::string degrees_text(const Degrees& degrees) {
  std::vector<std::string> parts;
  for (const FlexAxis axis : kAllFlexAxes) {
    parts.push_back(fmt::format("{} {}", flex_axis_name(axis), degree_name(degrees[axis])));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string added_share_text(double share) {
  return share == 0 ? "0 %" : fmt::format("+{} %", significant_text(100 * share, 2));
}

std::string_view what_is_freed(FlexAxis axis) {
  switch (axis) {
    case FlexAxis::kTile:
      return "the tile sizes";
    case FlexAxis::kOrder:
      return "the loop order";
    case FlexAxis::kParallelism:
      return "the parallelism";
    case FlexAxis::kShape:
      return "the array shape";
  }
  return "";
}

}  // namespace tilewright
