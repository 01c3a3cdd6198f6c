// SPDX-License-Identifier: Apache-2.0
#include "tilewright/html/plan_blocks.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace tilewright {
namespace {

constexpr std::string_view kSeparators = "./_";

// Where `name` may be cut: before each separator but one at its start or end.
std::vector<std::size_t> find_cuts(const std::string& name) {
  std::vector<std::size_t> cuts;
  for (std::size_t i = 1; i + 1 < name.size(); ++i) {
    if (kSeparators.find(name[i]) != std::string_view::npos) cuts.push_back(i);
  }
  return cuts;
}

// Names cut at the separator number `depth`, or at their last; blocks of one are none.
std::vector<std::string> cut_names(const std::vector<std::string>& names, std::size_t depth) {
  std::vector<std::string> blocks;
  for (const std::string& name : names) {
    const std::vector<std::size_t> cuts = find_cuts(name);
    blocks.push_back(cuts.empty() ? "" : name.substr(0, cuts[std::min(depth, cuts.size()) - 1]));
  }
  std::vector<std::string> result = blocks;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const bool before = i > 0 && blocks[i - 1] == blocks[i];
    const bool after = i + 1 < blocks.size() && blocks[i + 1] == blocks[i];
    if (!before && !after) result[i].clear();
  }
  return result;
}

// True if at least half of the layers are in blocks, of so many layers on average.
bool is_worth_it(const std::vector<std::string>& blocks, std::size_t least_layers) {
  std::size_t inside = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i].empty()) continue;
    ++inside;
    if (i == 0 || blocks[i] != blocks[i - 1]) ++count;
  }
  return 2 * inside >= blocks.size() && count > 1 && inside >= least_layers * count;
}

}  // namespace

std::vector<std::string> find_blocks(const std::vector<std::string>& names) {
  std::size_t deepest = 0;
  for (const std::string& name : names) deepest = std::max(deepest, find_cuts(name).size());
  for (const std::size_t least_layers : {std::size_t{3}, std::size_t{2}}) {
    for (std::size_t depth = deepest; depth > 0; --depth) {
      std::vector<std::string> blocks = cut_names(names, depth);
      if (is_worth_it(blocks, least_layers)) return blocks;
    }
  }
  return std::vector<std::string>(names.size());
}

std::string name_in_block(const std::string& name, const std::string& block) {
  return block.empty() ? name : name.substr(block.size() + 1);
}

std::vector<Stretch> find_stretches(const Network& network, const std::vector<LayerView>& views) {
  std::vector<Stretch> stretches;
  for (std::size_t i = 0; i < views.size(); ++i) {
    const std::string& block = views[i].block;
    if (i > 0 && !block.empty() && views[i - 1].block == block) {
      stretches.back().end = i + 1;
    } else {
      stretches.push_back({i, i + 1, block.empty() ? network.layers[views[i].layer].name : block});
    }
  }
  return stretches;
}

std::vector<StripPart> strip_parts(const Network& network, const std::vector<LayerView>& views,
                                   double LayerView::*share) {
  std::vector<StripPart> parts;
  for (const Stretch& stretch : find_stretches(network, views)) {
    StripPart& part = parts.emplace_back(StripPart{0, stretch.name});
    for (std::size_t i = stretch.first; i < stretch.end; ++i) part.share += views[i].*share;
  }
  return parts;
}

std::vector<BlockView> block_views(const Network& network, const std::vector<LayerView>& views) {
  // Equal are blocks whose layers are, one by one; layers that stand alone by their kind.
  using Part = std::tuple<std::size_t, std::int64_t, std::string>;
  std::map<std::vector<Part>, std::size_t> known;
  std::vector<BlockView> blocks;
  for (const Stretch& stretch : find_stretches(network, views)) {
    const std::string& name = views[stretch.first].block;
    std::vector<Part> parts;
    for (std::size_t i = stretch.first; i < stretch.end; ++i) {
      const Layer& layer = network.layers[views[i].layer];
      parts.emplace_back(views[i].kind, name.empty() ? 0 : layer.count,
                         name.empty() ? "" : name_in_block(layer.name, name));
    }
    const auto [place, is_new] = known.emplace(std::move(parts), blocks.size());
    if (is_new) blocks.emplace_back();
    BlockView& block = blocks[place->second];
    if (!name.empty()) block.names.push_back(name);
    for (std::size_t i = stretch.first; i < stretch.end; ++i) {
      const auto same = std::ranges::find_if(block.rows, [&](const std::vector<std::size_t>& row) {
        return views[row.front()].kind == views[i].kind;
      });
      auto& row = same == block.rows.end() ? block.rows.emplace_back() : *same;
      row.push_back(i);
    }
  }
  return blocks;
}

}  // namespace tilewright
