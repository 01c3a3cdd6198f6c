// SPDX-License-Identifier: Apache-2.0
// Designs as points of a picture, and the Pareto front among them.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace tilewright {

struct ScatterPoint {
  double x = 0;
  double y = 0;
  std::size_t series = 0;
  bool on_front = false;
  bool is_proved = true;  ///< hollow if not
  std::string words;      ///< what hovering says
  std::string link;       ///< may be empty
};

struct ScatterAxis {
  std::string title;
  std::function<std::string(double)> text;  ///< of a figure
};

struct Scatter {
  std::string label;  ///< the picture in words
  ScatterAxis x;
  ScatterAxis y;
  std::vector<std::string> series;  ///< names, one colour each
  std::vector<ScatterPoint> points;
};

/// A whole SVG: large points and steps for the front of each series. An axis is logarithmic if its
/// figures are positive and far apart.
std::string scatter_svg(const Scatter& scatter);

}  // namespace tilewright
