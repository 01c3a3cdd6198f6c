// SPDX-License-Identifier: Apache-2.0
// A decoder-only language model such as LLaMA or Qwen, from the numbers of its configuration.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tilewright/network/network.h"

namespace tilewright {

/// Sizes as the configurations of published models name them, and what is asked of the model.
struct LlmConfig {
  std::int64_t hidden = 1;     ///< width of the hidden state between blocks
  std::int64_t layers = 1;     ///< blocks
  std::int64_t heads = 1;      ///< query heads
  std::int64_t kv_heads = 1;   ///< heads of keys and values; divides `heads`
  std::int64_t head_size = 1;  ///< width of a head
  std::int64_t ffn = 1;        ///< width inside the feed-forward network
  std::int64_t vocab = 1;
  bool tied = false;         ///< lm_head shares the embedding table
  bool gated = true;         ///< the feed-forward network is gated: three products, not two
  bool qk_norm = false;      ///< queries and keys are normalized, head by head
  std::int64_t batch = 1;    ///< sequences
  std::int64_t seq = 1;      ///< new tokens of each
  std::int64_t context = 1;  ///< keys that a new token attends to, new ones included; >= seq
  bool grouped = true;       ///< query heads that share keys are rows of one product
  bool last_only = false;    ///< lm_head only for the last token of each sequence
  std::int64_t bits = 16;    ///< of every element
};

/// Why these numbers do not describe a model, one sentence each; empty if they do.
std::vector<std::string> find_llm_faults(const LlmConfig& config);

/// Its layers, each with the number of its runs: all products, and as traffic the norms, rotations,
/// softmax, sums and activation. Attention is counted without a mask. Edges are those of one run:
/// what projections hand to the heads is cut by head and therefore not one. Learned are the
/// weights, the norms and the table of embeddings; there are no biases. Needs a config without
/// faults; throws OverflowError.
Network llm_network(const LlmConfig& config);

}  // namespace tilewright
