// SPDX-License-Identifier: Apache-2.0
// Which nodes run as one: those that change a tensor element by element on its way out of the node
// that makes it.
#pragma once

#include <cstddef>
#include <vector>

#include "tilewright/onnx/graph.h"

namespace tilewright::onnx_import {

/// A node and what is done to its output before it is written. Nobody else reads what they hand to
/// each other, so only the output of the last one is ever in memory.
struct Group {
  std::size_t head = 0;              ///< in Graph::nodes
  std::vector<std::size_t> members;  ///< after the head, in order; never empty

  std::size_t last() const { return members.back(); }
};

struct Groups {
  std::vector<Group> all;
  std::vector<std::size_t> of;  ///< by node: in `all`, or kAbsent
};

/// Groups as large as they can be; each node is in at most one. A node with two operands that could
/// join the groups of both joins the later one.
Groups find_groups(const Graph& graph);

/// No groups.
Groups no_groups(const Graph& graph);

/// True if readers of its output convert it as they read: the output of a DequantizeLinear that
/// the model does not hand out.
bool is_converted_by_readers(const Graph& graph, const GraphNode& node);

}  // namespace tilewright::onnx_import
