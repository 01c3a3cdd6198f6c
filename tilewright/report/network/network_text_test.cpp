// SPDX-License-Identifier: Apache-2.0
#include "tilewright/report/network/network_text.h"

#include <gtest/gtest.h>

#include "tilewright/network/llm.h"

namespace tilewright {
namespace {

TEST(NetworkText, SaysWhatALayerIs) {
  LlmConfig config{.hidden = 64, .layers = 2, .heads = 4, .kv_heads = 4, .head_size = 16};
  config.ffn = 128;
  config.vocab = 1000;
  Network network = llm_network(config);
  network.name = "tiny";
  network.summary = "Ten numbers.";
  const std::string text = network_text(network, {});
  EXPECT_TRUE(
      text.starts_with("network tiny: 19 layers, 31 runs mapped\n  Ten numbers.\n"
                       "  146,176 MACs, 210,240 parameters\n"))
      << text;
  EXPECT_NE(text.find("lm_head        1  gemm     n 1000, k 64"), std::string::npos) << text;
  EXPECT_NE(text.find("softmax"), std::string::npos);
  EXPECT_NE(text.find("pass by"), std::string::npos);
}

TEST(NetworkText, StridesAndDilationsAreShown) {
  const auto conv = [](std::int64_t stride, std::int64_t other, std::int64_t dilation) {
    const auto plain = [](int dim) { return Rank{{Term{DimId(dim)}}}; };
    const auto window = [&](int at, std::int64_t step, int tap) {
      return Rank{{Term{DimId(at), step}, Term{DimId(tap), dilation}}};
    };
    return Workload("c", {{"m", 4}, {"p", 8}, {"q", 9}, {"r", 3}, {"s", 3}},
                    {{"I", "input", 16, {window(1, stride, 3), window(2, other, 4)}},
                     {"W", "weight", 16, {plain(0), plain(3), plain(4)}},
                     {"O", "output", 16, {plain(0), plain(1), plain(2)}}});
  };
  using Steps = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(window_texts(conv(1, 1, 1)), Steps{});
  EXPECT_EQ(window_texts(conv(2, 2, 1)), (Steps{{"stride", "2"}}));
  EXPECT_EQ(window_steps(conv(1, 2, 3)), (WindowSteps{{1, 2}, {3, 3}}));
  EXPECT_EQ(window_texts(conv(1, 2, 3)), (Steps{{"stride", "1x2"}, {"dilation", "3"}}));
}

TEST(NetworkText, ControlsDoNotReachTheTerminal) {
  Network network{.name = "a\x1b[31m"};
  network.layers = {{.name = "b\nc", .op = "\x07", .kind = LayerKind::kNothing}};
  const std::string text = network_text(network, {});
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find('\x07'), std::string::npos);
  EXPECT_NE(text.find("b c"), std::string::npos) << text;
}

TEST(NetworkText, LongNamesKeepToTheWidth) {
  Network network{.name = std::string(90, 'n')};
  Layer layer{.name = std::string(90, 'l'), .op = std::string(20, 'o')};
  layer.kind = LayerKind::kTraffic;
  layer.count = 999'999;
  layer.parameters = 123'456'789;
  network.layers = {layer};
  const std::string text = network_text(network, {});
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = text.find('\n', begin);
    EXPECT_LE(display_width(text.substr(begin, end - begin)), 80);
    begin = end + 1;
  }
}

}  // namespace
}  // namespace tilewright
