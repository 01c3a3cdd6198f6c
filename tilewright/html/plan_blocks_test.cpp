// SPDX-License-Identifier: Apache-2.0
#include "tilewright/html/plan_blocks.h"

#include <gtest/gtest.h>

namespace tilewright {
namespace {

using Names = std::vector<std::string>;

TEST(FindBlocks, CutsNamesWhereNeighboursAreAlike) {
  EXPECT_EQ(find_blocks({"conv1", "conv2_1.conv1", "conv2_1.conv2", "conv2_1.add", "conv2_2.conv1",
                         "conv2_2.conv2", "conv2_2.add", "fc"}),
            (Names{"", "conv2_1", "conv2_1", "conv2_1", "conv2_2", "conv2_2", "conv2_2", ""}));
}

TEST(FindBlocks, PathsOfImportedLayersAreCutBeforeTheirOperators) {
  const Names names = {"/layer1/layer1.0/conv1/Conv", "/layer1/layer1.0/conv2/Conv",
                       "/layer1/layer1.0/conv3/Conv", "/layer1/layer1.1/conv1/Conv",
                       "/layer1/layer1.1/conv2/Conv", "/layer1/layer1.1/conv3/Conv"};
  const std::string first = "/layer1/layer1.0";
  const std::string second = "/layer1/layer1.1";
  EXPECT_EQ(find_blocks(names), (Names{first, first, first, second, second, second}));
}

TEST(FindBlocks, PairsAreBlocksWhereNothingLargerIs) {
  EXPECT_EQ(find_blocks({"conv1_1", "conv1_2", "conv2_1", "conv2_2", "fc"}),
            (Names{"conv1", "conv1", "conv2", "conv2", ""}));
}

TEST(FindBlocks, NamesWithoutPartsAndSingleBlocksAreNone) {
  EXPECT_EQ(find_blocks({"q", "k", "v"}), (Names{"", "", ""}));
  EXPECT_EQ(find_blocks({"net.a", "net.b", "net.c"}), (Names{"", "", ""})) << "all of one block";
  EXPECT_EQ(find_blocks({"_", ".", "a.", ""}), (Names{"", "", "", ""}));
  EXPECT_TRUE(find_blocks({}).empty());
}

// Views of layers `names`, the kinds of which are `kinds`.
std::vector<LayerView> make_views(const Names& names, const std::vector<std::size_t>& kinds,
                                  Network& network) {
  std::vector<LayerView> views;
  const Names blocks = find_blocks(names);
  for (std::size_t i = 0; i < names.size(); ++i) {
    network.layers.push_back({.name = names[i]});
    LayerView view;
    view.layer = i;
    view.kind = kinds[i];
    view.block = blocks[i];
    view.time_share = 0.125;
    views.push_back(view);
  }
  return views;
}

TEST(BlockViews, EqualBlocksAreOneAndEqualLayersInThemOneRow) {
  Network network;
  const auto views = make_views({"in", "b.1.x", "b.1.y", "b.1.z", "b.2.x", "b.2.y", "b.2.z", "out"},
                                {0, 1, 2, 1, 1, 2, 1, 0}, network);
  const std::vector<BlockView> blocks = block_views(network, views);
  ASSERT_EQ(blocks.size(), 2U);
  EXPECT_TRUE(blocks[0].names.empty());
  EXPECT_EQ(blocks[0].rows, (std::vector<std::vector<std::size_t>>{{0, 7}}));
  EXPECT_EQ(blocks[1].names, (Names{"b.1", "b.2"}));
  EXPECT_EQ(blocks[1].rows, (std::vector<std::vector<std::size_t>>{{1, 3, 4, 6}, {2, 5}}));
}

TEST(BlockViews, OtherCostsOrRunsMakeOtherBlocks) {
  const Names names = {"b.1.x", "b.1.y", "b.2.x", "b.2.y"};
  Network network;
  auto views = make_views(names, {0, 1, 0, 2}, network);
  EXPECT_EQ(block_views(network, views).size(), 2U);
  views[3].kind = 1;
  EXPECT_EQ(block_views(network, views).size(), 1U);
  network.layers[3].count = 2;
  EXPECT_EQ(block_views(network, views).size(), 2U);
}

TEST(StripParts, AreBlocksAndLayersThatStandAlone) {
  Network network;
  const auto views =
      make_views({"in", "b.1.x", "b.1.y", "b.2.x", "b.2.y"}, {0, 1, 1, 1, 1}, network);
  const std::vector<StripPart> parts = strip_parts(network, views, &LayerView::time_share);
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(parts[0].name, "in");
  EXPECT_EQ(parts[2].name, "b.2");
  EXPECT_DOUBLE_EQ(parts[2].share, 0.25);
}

TEST(StripNames, StandLevelOrUprightOrNotAtAll) {
  Markup out;
  strip_names(out, {{0.5, "wide"}, {0.05, "narrow"}, {0.001, "tiny"}, {0.449, ""}});
  const std::string& html = out.html();
  const std::string phone = html.substr(html.find("names phone"));
  EXPECT_NE(html.find(">wide</text>"), std::string::npos);
  EXPECT_EQ(html.find("tiny"), std::string::npos);
  // 49 pixels of a desk are enough for six letters, 17 of a phone for one line of them.
  EXPECT_EQ(html.substr(0, html.find("names phone")).find("rotate"), std::string::npos);
  EXPECT_NE(phone.find("rotate(-90)\" y=\"4\" text-anchor=\"end\">narrow<"), std::string::npos);
}

}  // namespace
}  // namespace tilewright
