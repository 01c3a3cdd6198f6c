// SPDX-License-Identifier: Apache-2.0
#include "tilewright/onnx/lowering/fusion.h"

#include <algorithm>
#include <map>
#include <set>

#include "tilewright/onnx/operators/operators.h"

namespace tilewright::onnx_import {
namespace {

// What no compiler would write as one loop; keeps the time linear.
constexpr std::size_t kMostMembers = 256;

class Fuser {
 public:
  explicit Fuser(const Graph& graph) : graph_(graph), readers_(graph.tensors.size()) {
    groups_ = no_groups(graph);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      meanings_.push_back(find_operator(graph.nodes[i].domain, graph.nodes[i].op));
      whole_.push_back(is_whole(graph.nodes[i]));
      for (const std::size_t input : graph.nodes[i].inputs) {
        if (input != kAbsent) readers_[input].push_back(i);
      }
    }
  }

  Groups run() {
    const std::size_t count = graph_.nodes.size();
    // What is computed comes first, and of it what runs last: its other operands are there by then.
    for (const bool mapped : {true, false}) {
      for (std::size_t i = count; i-- > 0;) {
        if (is_mapped(i) == mapped && !is_pointwise(i) && is_head(i)) grow(i);
      }
    }
    // Elementwise nodes that follow none of these may still follow each other.
    for (std::size_t i = 0; i < count; ++i) {
      if (is_pointwise(i) && is_head(i)) grow(i);
    }
    return std::move(groups_);
  }

 private:
  // All shapes and types are known, there is something to compute, and only the first output
  // counts.
  bool is_whole(const GraphNode& node) const {
    if (node.has_subgraph || node.output(0) == kAbsent || node.inputs.empty()) return false;
    for (const auto* list : {&node.inputs, &node.outputs}) {
      for (const std::size_t tensor : *list) {
        if (tensor == kAbsent) continue;
        const GraphTensor& data = graph_.tensors[tensor];
        const bool side = list == &node.outputs && tensor != node.outputs.front();
        if (side && data.readers > 0) return false;
        if (!side && (!data.shape || !bits_of_type(data.type))) return false;
      }
    }
    const GraphTensor& output = graph_.tensors[node.outputs.front()];
    return !output.constant && element_count(*output.shape).value_or(0) > 0;
  }

  bool is_constant(std::size_t tensor) const {
    return tensor == kAbsent || graph_.tensors[tensor].constant;
  }

  bool is_mapped(std::size_t node) const {
    const Handling handling = meanings_[node].handling;
    return handling == Handling::kConv || handling == Handling::kProduct ||
           handling == Handling::kEinsum || handling == Handling::kAttention;
  }

  bool is_pointwise(std::size_t node) const {
    return meanings_[node].pointwise || meanings_[node].handling == Handling::kQuantize ||
           meanings_[node].handling == Handling::kDequantize;
  }

  // True if a layer is made of it to which others can be added.
  bool is_head(std::size_t node) const {
    if (!whole_[node] || groups_.of[node] != kAbsent) return false;
    switch (meanings_[node].handling) {
      case Handling::kTraffic:
      case Handling::kQuantize:
        return true;
      case Handling::kDequantize:
        return !is_converted_by_readers(graph_, graph_.nodes[node]);
      case Handling::kLookup:
        return !is_constant(graph_.nodes[node].input(1));
      default:
        return is_mapped(node);
    }
  }

  // True if `node` changes `tensor` element by element, or shows it under another shape.
  bool can_join(std::size_t node, std::size_t tensor) const {
    const GraphNode& reader = graph_.nodes[node];
    if (!whole_[node] || groups_.of[node] != kAbsent) return false;
    const bool first = reader.input(0) == tensor;
    if (meanings_[node].handling == Handling::kView) return first;
    if (!is_pointwise(node)) return false;
    if (*graph_.tensors[tensor].shape != *graph_.tensors[reader.outputs.front()].shape) {
      return false;
    }
    const bool by_constants = !meanings_[node].pointwise || reader.op == "BatchNormalization";
    if (!by_constants) return true;
    return first && reader.integer("training_mode", 0) == 0 &&
           std::all_of(reader.inputs.begin() + 1, reader.inputs.end(),
                       [&](std::size_t input) { return is_constant(input); });
  }

  // True if somebody outside of any group of it reads `tensor`.
  bool escapes(std::size_t tensor) const {
    return graph_.tensors[tensor].readers > readers_[tensor].size() ||
           std::ranges::any_of(readers_[tensor],
                               [&](std::size_t node) { return !can_join(node, tensor); });
  }

  // A group may end where its tensor has its last form: not before a view or a conversion that its
  // readers do.
  bool can_end(std::size_t node) const {
    return meanings_[node].handling != Handling::kView &&
           !is_converted_by_readers(graph_, graph_.nodes[node]);
  }

  // The longest row of readers after `head` of which only the last output leaves the group.
  void grow(std::size_t head) {
    std::map<std::size_t, std::size_t> open;  // tensors that are read outside, and how often
    std::set<std::size_t> queue;
    std::set<std::size_t> values;
    const auto add_value = [&](std::size_t tensor) {
      values.insert(tensor);
      if (graph_.tensors[tensor].readers > 0) open[tensor] = graph_.tensors[tensor].readers;
      queue.insert(readers_[tensor].begin(), readers_[tensor].end());
    };
    std::size_t value = graph_.nodes[head].outputs.front();
    std::vector<std::size_t> members;
    std::size_t length = 0;
    add_value(value);
    while (!escapes(value) && !queue.empty() && members.size() < kMostMembers) {
      const std::size_t node = *queue.begin();
      queue.erase(queue.begin());
      for (const std::size_t input : graph_.nodes[node].inputs) {
        if (!values.contains(input)) continue;
        if (!can_join(node, input)) return close(head, members, length);
        if (--open[input] == 0) open.erase(input);
      }
      value = graph_.nodes[node].outputs.front();
      members.push_back(node);
      add_value(value);
      const bool alone = open.empty() || (open.size() == 1 && open.contains(value));
      if (alone && can_end(node)) length = members.size();
    }
    close(head, members, length);
  }

  void close(std::size_t head, std::vector<std::size_t> members, std::size_t length) {
    if (length == 0) return;
    members.resize(length);
    groups_.of[head] = groups_.all.size();
    for (const std::size_t member : members) groups_.of[member] = groups_.all.size();
    groups_.all.push_back({head, std::move(members)});
  }

  const Graph& graph_;
  std::vector<std::vector<std::size_t>> readers_;  // by tensor: nodes, once for each reading
  std::vector<Operator> meanings_;                 // by node
  std::vector<bool> whole_;                        // by node
  Groups groups_;
};

}  // namespace

Groups find_groups(const Graph& graph) { return Fuser(graph).run(); }

Groups no_groups(const Graph& graph) {
  return {{}, std::vector<std::size_t>(graph.nodes.size(), kAbsent)};
}

bool is_converted_by_readers(const Graph& graph, const GraphNode& node) {
  return find_operator(node.domain, node.op).handling == Handling::kDequantize &&
         node.output(0) != kAbsent && !graph.tensors[node.outputs[0]].result;
}

}  // namespace tilewright::onnx_import
