// SPDX-License-Identifier: Apache-2.0
#include "tilewright/network/llm.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tilewright/base/error.h"

namespace tilewright {
namespace {

LlmConfig llama_1b() {
  return {.hidden = 2048,
          .layers = 16,
          .heads = 32,
          .kv_heads = 8,
          .head_size = 64,
          .ffn = 8192,
          .vocab = 128256,
          .tied = true,
          .seq = 1024,
          .context = 1024};
}

const Layer& layer_of(const Network& network, const std::string& name) {
  const auto it = std::ranges::find(network.layers, name, &Layer::name);
  EXPECT_NE(it, network.layers.end()) << name;
  return *it;
}

std::vector<std::int64_t> sizes(const Layer& layer) {
  std::vector<std::int64_t> result;
  for (const Dim& dim : layer.workload->dims()) result.push_back(dim.size);
  return result;
}

using Sizes = std::vector<std::int64_t>;

// To the last element: what the published checkpoints hold.
TEST(Llm, ParametersOfPublishedModels) {
  LlmConfig config = llama_1b();
  EXPECT_EQ(network_totals(llm_network(config)).parameters, 1'235'814'400);
  config = {.hidden = 8192,
            .layers = 80,
            .heads = 64,
            .kv_heads = 8,
            .head_size = 128,
            .ffn = 28672,
            .vocab = 128256};
  EXPECT_EQ(network_totals(llm_network(config)).parameters, 70'553'706'496);
  config = {.hidden = 1024,
            .layers = 28,
            .heads = 16,
            .kv_heads = 8,
            .head_size = 128,
            .ffn = 3072,
            .vocab = 151936,
            .tied = true,
            .qk_norm = true};
  EXPECT_EQ(network_totals(llm_network(config)).parameters, 596'049'920);
  config = {.hidden = 5120,
            .layers = 64,
            .heads = 64,
            .kv_heads = 8,
            .head_size = 128,
            .ffn = 25600,
            .vocab = 151936,
            .qk_norm = true};
  EXPECT_EQ(network_totals(llm_network(config)).parameters, 32'762'123'264);
}

TEST(Llm, PrefillProducts) {
  LlmConfig config = llama_1b();
  config.grouped = false;
  const Network network = llm_network(config);
  EXPECT_TRUE(find_network_faults(network).empty());
  EXPECT_EQ(sizes(layer_of(network, "q_proj")), (Sizes{1024, 2048, 2048}));
  EXPECT_EQ(sizes(layer_of(network, "v_proj")), (Sizes{1024, 512, 2048}));
  EXPECT_EQ(sizes(layer_of(network, "scores")), (Sizes{1024, 1024, 64}));
  EXPECT_EQ(layer_of(network, "scores").count, 16 * 32);
  EXPECT_EQ(sizes(layer_of(network, "context")), (Sizes{1024, 64, 1024}));
  EXPECT_EQ(sizes(layer_of(network, "down_proj")), (Sizes{1024, 2048, 8192}));
  EXPECT_EQ(layer_of(network, "lm_head").count, 1);
  config.grouped = true;
  const Network grouped = llm_network(config);
  EXPECT_EQ(sizes(layer_of(grouped, "scores")), (Sizes{4096, 1024, 64}));
  EXPECT_EQ(layer_of(grouped, "scores").count, 16 * 8);
  EXPECT_EQ(network_totals(grouped).computes, network_totals(network).computes);
  EXPECT_EQ(network_totals(grouped).traffic_bits, network_totals(network).traffic_bits);
}

TEST(Llm, DecodeLooksAtTheContext) {
  LlmConfig config = llama_1b();
  config.batch = 3;
  config.seq = 1;
  config.context = 5000;
  config.gated = false;
  config.last_only = true;
  const Network network = llm_network(config);
  EXPECT_EQ(sizes(layer_of(network, "q_proj")), (Sizes{3, 2048, 2048}));
  EXPECT_EQ(sizes(layer_of(network, "scores")), (Sizes{4, 5000, 64}));
  EXPECT_EQ(layer_of(network, "scores").count, 16 * 8 * 3);
  EXPECT_EQ(sizes(layer_of(network, "context")), (Sizes{4, 64, 5000}));
  EXPECT_EQ(sizes(layer_of(network, "lm_head")), (Sizes{3, 128256, 2048}));
  EXPECT_EQ(std::ranges::count(network.layers, "gate_proj", &Layer::name), 0);
}

TEST(Llm, FaultsAndOverflow) {
  LlmConfig config = llama_1b();
  config.kv_heads = 5;
  config.context = 1023;
  EXPECT_EQ(find_llm_faults(config).size(), 2U);
  EXPECT_THROW(llm_network(config), InternalError);
  config = llama_1b();
  config.hidden = std::int64_t{1} << 40;
  EXPECT_THROW(llm_network(config), OverflowError);
}

}  // namespace
}  // namespace tilewright
