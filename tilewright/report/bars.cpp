// SPDX-License-Identifier: Apache-2.0
#include "tilewright/report/bars.h"

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

int eighths(double fraction, int cells) {
  const double clamped = std::clamp(fraction, 0.0, 1.0);
  const int rounded = static_cast<int>(std::lround(clamped * 8 * cells));
  return clamped > 0 ? std::max(1, rounded) : 0;
}

}  // namespace

std::string bar(double fraction, int cells, const TextOptions& options) {
  constexpr std::array<const char*, 8> kParts = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const int parts = eighths(fraction, cells);
  if (options.ascii) return repeat("#", parts == 0 ? 0 : std::max(1, (parts + 4) / 8));
  return repeat("█", parts / 8) + kParts[static_cast<std::size_t>(parts % 8)];
}

std::string stacked_bar(std::span<const BarPiece> pieces, int cells, const TextOptions& options) {
  double sum = 0;
  for (const BarPiece& piece : pieces) sum += piece.fraction;
  if (!options.color) return bar(sum, cells, options);
  std::string result;
  double before = 0;
  int start = 0;
  for (const BarPiece& piece : pieces) {
    before += piece.fraction;
    const bool last = &piece == &pieces.back() || before >= sum;
    const int end = static_cast<int>(std::lround(before * cells));
    // The last piece ends between columns; the others end where the next one starts.
    const double rest = sum - static_cast<double>(start) / cells;
    const std::string text =
        last ? bar(rest, cells, options) : repeat(options.ascii ? "#" : "█", end - start);
    result += paint_color(text, piece.color, options);
    if (last) break;
    start = end;
  }
  return result;
}

}  // namespace tilewright
