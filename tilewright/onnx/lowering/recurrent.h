// SPDX-License-Identifier: Apache-2.0
// The numbers of LSTM, GRU and RNN.
#pragma once

#include <optional>
#include <string>

#include "tilewright/onnx/graph.h"

namespace tilewright::onnx_import {

/// X[steps,batch,input], W[directions,gates*hidden,input], R[directions,gates*hidden,hidden].
struct Recurrent {
  std::int64_t steps = 1;
  std::int64_t batch = 1;
  std::int64_t input = 1;
  std::int64_t hidden = 1;
  std::int64_t directions = 1;
  std::int64_t gates = 1;
  /// Gates that one product of a step makes: all at once, or the last one after the others.
  std::vector<std::int64_t> parts;
};

/// Shapes of all inputs that are there are known. Nothing, and what is `wrong`, if they do not fit.
std::optional<Recurrent> find_recurrent(const Graph& graph, const GraphNode& node,
                                        std::string& wrong);

}  // namespace tilewright::onnx_import
