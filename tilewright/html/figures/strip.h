// SPDX-License-Identifier: Apache-2.0
// A picture whose parts stand side by side over the whole width, each as wide as its share, with
// names below them.
#pragma once

#include <string>
#include <vector>

#include "tilewright/html/markup.h"

namespace tilewright {

struct StripPart {
  double share = 0;  ///< of the width
  std::string name;
};

/// Names below the parts, level where there is room, else upright; parts that are too narrow for
/// that have none. Written twice, for a desk and for a phone; style.css shows the one that fits.
void strip_names(Markup& out, const std::vector<StripPart>& parts);

/// A rectangle of a strip; places and lengths across are shares, down in pixels.
struct StripRect {
  double x = 0;
  double width = 0;
  double y = 0;
  double height = 0;
};
void strip_rect(Markup& out, const std::string& style, const StripRect& rect,
                const std::string& title);
void strip_line(Markup& out, const char* style, double x, double from_y, double to_y);
void strip_text(Markup& out, double x, double y, const char* anchor, const std::string& words);

}  // namespace tilewright
