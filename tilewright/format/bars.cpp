// SPDX-License-Identifier: Apache-2.0
#include "tilewright/format/bars.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tilewright {
namespace {

std::string repeat(std::string_view piece, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += piece;
  return result;
}

// Eighths of a column that are filled; whole columns in ASCII.
int filled_eighths(double fraction, int cells, const TextOptions& options) {
  if (!(fraction > 0) || cells <= 0) return 0;
  const double columns = std::min(fraction, 1.0) * cells;
  if (options.ascii) return 8 * std::max(1, static_cast<int>(std::lround(columns)));
  return std::max(1, static_cast<int>(std::lround(columns * 8)));
}

std::string draw(int eighths, const TextOptions& options) {
  constexpr std::array<const char*, 8> kParts = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  return repeat(options.ascii ? "#" : "█", eighths / 8) +
         kParts[static_cast<std::size_t>(eighths % 8)];
}

}  // namespace

std::string bar(double fraction, int cells, const TextOptions& options) {
  return draw(filled_eighths(fraction, cells, options), options);
}

std::string stacked_bar(std::span<const BarPiece> pieces, int cells, const TextOptions& options) {
  double sum = 0;
  for (const BarPiece& piece : pieces) sum += piece.fraction;
  if (!options.color) return bar(sum, cells, options);
  const int total = filled_eighths(sum, cells, options);
  std::string result;
  double before = 0;
  int start = 0;
  for (const BarPiece& piece : pieces) {
    if (piece.fraction <= 0) continue;
    before += piece.fraction;
    // Pieces meet between columns; only the end of the bar has eighths.
    const int columns = static_cast<int>(std::lround(before * cells));
    const int end = before >= sum ? total : std::min(total, 8 * columns);
    result += paint_color(draw(end - start, options), piece.color, options);
    start = end;
  }
  return result;
}

}  // namespace tilewright
