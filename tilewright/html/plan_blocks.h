// SPDX-License-Identifier: Apache-2.0
// Layers in blocks, as their names tell: `conv2_1.conv1` and `conv2_1.conv2` are of block
// `conv2_1`.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tilewright/html/figures/strip.h"
#include "tilewright/html/plan_view.h"

namespace tilewright {

/// By layer, the name of the block that it forms with its neighbours; empty if it stands alone.
/// The names are cut at as many separators (`.`, `/`, `_`) as leave blocks of several layers.
std::vector<std::string> find_blocks(const std::vector<std::string>& names);

/// What is left of a layer's name inside its block.
std::string name_in_block(const std::string& name, const std::string& block);

/// Neighbours of one name: a block, or one layer that stands alone.
struct Stretch {
  std::size_t first = 0;  ///< in the list of views
  std::size_t end = 0;    ///< after the last
  std::string name;
};
std::vector<Stretch> find_stretches(const Network& network, const std::vector<LayerView>& views);

/// The same as parts of a picture whose width is `share`: LayerView::time_share or energy_share.
std::vector<StripPart> strip_parts(const Network& network, const std::vector<LayerView>& views,
                                   double LayerView::*share);

/// A block with all blocks that are equal to it, or layers that cost the same and stand alone.
struct BlockView {
  std::vector<std::string> names;              ///< of the blocks, in their order; may be empty
  std::vector<std::vector<std::size_t>> rows;  ///< in the list of views: equal layers together
};
std::vector<BlockView> block_views(const Network& network, const std::vector<LayerView>& views);

}  // namespace tilewright
