// SPDX-License-Identifier: Apache-2.0
// The numbers of the operators that are a whole attention in one node.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "tilewright/onnx/graph.h"

namespace tilewright::onnx_import {

/// Scores[b,h,q,t] = softmax(Q[b,h,q,d] * K[b,h,t,d]), Out[b,h,q,v] = Scores * V[b,h,t,v]. Heads of
/// one group share K and V.
struct Attention {
  std::int64_t batch = 1;
  std::int64_t heads = 1;
  std::int64_t groups = 1;   ///< heads of K and V; divides `heads`
  std::int64_t queries = 1;  ///< tokens that ask
  std::int64_t past = 0;     ///< tokens of K and V that were there before
  std::int64_t tokens = 1;   ///< tokens of K and V, the past ones with them
  std::int64_t size = 1;     ///< of a head of Q and K
  std::int64_t value_size = 1;
  bool four_dims = false;  ///< the output is [batch, heads, queries, value_size]
  /// Q, K, V, or the input and nothing twice if the node projects it itself.
  std::array<std::size_t, 3> operands{kAbsent, kAbsent, kAbsent};
  std::size_t weights = kAbsent;  ///< of the projection: [hidden, q + k + v]
  std::size_t bias = kAbsent;
  std::int64_t hidden = 0;

  Shape output() const;
};

/// Nothing if shapes are open, or if something is `wrong`.
std::optional<Attention> find_attention(const Graph& graph, const GraphNode& node,
                                        std::string& wrong);

}  // namespace tilewright::onnx_import
