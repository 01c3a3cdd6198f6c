// SPDX-License-Identifier: Apache-2.0
// Bars made of characters.
#pragma once

#include <span>
#include <string>

#include "tilewright/format/layout.h"

namespace tilewright {

/// `fraction` (0..1) of `cells` columns, in eighths of a column (whole ones in ASCII); anything
/// above 0 shows. Not padded.
std::string bar(double fraction, int cells, const TextOptions& options);

/// One piece of a stacked bar.
struct BarPiece {
  double fraction = 0;  ///< of the whole bar
  int color = 37;       ///< ANSI foreground
};

/// Pieces side by side in their colours; without colours, one bar of their sum.
std::string stacked_bar(std::span<const BarPiece> pieces, int cells, const TextOptions& options);

}  // namespace tilewright
