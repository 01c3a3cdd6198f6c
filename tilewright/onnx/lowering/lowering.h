// SPDX-License-Identifier: Apache-2.0
// From a graph with shapes to the layers of a network.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "tilewright/onnx/graph.h"
#include "tilewright/onnx/lowering/fusion.h"
#include "tilewright/onnx/lowering/recurrent.h"
#include "tilewright/onnx/onnx.h"
#include "tilewright/onnx/operators/attention.h"
#include "tilewright/onnx/operators/operators.h"
#include "tilewright/onnx/operators/product.h"
#include "tilewright/onnx/problems.h"
#include "tilewright/workload/operators.h"

namespace tilewright::onnx_import {

/// `name`, or `name_2` and so on if `names` has it already; it has the result then, with how often
/// it was asked for.
std::string unique_name(std::map<std::string, int>& names, const std::string& name);

class Lowering {
 public:
  /// `graph`, `options` and `problems` outlive it.
  Lowering(const Graph& graph, const OnnxOptions& options, Problems& problems);

  /// All nodes. If the graph is `broken`, tensors without a shape are not reported: their cause is.
  OnnxNetwork run(bool broken);

 private:
  /// An operand of a workload: an edge, or data of the model, and how wide it is.
  struct Operand {
    std::optional<std::size_t> edge;
    std::int64_t bits = 16;
  };

  /// A layer to be.
  struct Mapped {
    std::string name;
    std::string op;
    Einsum form;
    std::vector<Operand> operands;  ///< as in the form: the output last
    std::int64_t parameters = 0;
    std::int64_t parameter_bits = 16;
    std::int64_t nodes = 1;                               ///< 0 for all layers of a node but one
    std::int64_t count = 1;                               ///< of runs
    std::optional<std::int64_t> sum_bits = std::nullopt;  ///< of what is not yet added up, if wider
    std::string wrong = {};                               ///< why there is no form, if so
  };

  /// The layer of a group while others are added to it.
  struct Host {
    std::size_t layer = 0;
    std::set<std::size_t> values = {};  ///< tensors that only the group sees, but for the last
    std::set<std::size_t> edges = {};   ///< read already
    bool linear = false;                ///< so far a product with constant weights, by channel
    bool has_bias = false;
  };

  // What a tensor is stored as.
  void find_bits();
  void find_bits_of(const GraphNode& node);

  void lower(const GraphNode& node);
  void lower_as(Handling handling, const GraphNode& node);  // all of it is known
  void lower_traffic(const GraphNode& node);
  void lower_lookup(const GraphNode& node);
  void lower_view(const GraphNode& node);
  void lower_arrange(const GraphNode& node);
  void lower_conv(const GraphNode& node);
  void lower_product(const GraphNode& node, const Product& product);
  void lower_einsum(const GraphNode& node);
  void lower_attention(const GraphNode& node);
  void lower_recurrent(const GraphNode& node);
  void lower_direction(const GraphNode& node, const Recurrent& r, const std::string& name,
                       Layer& cell);
  void project(const GraphNode& node, const Attention& attention,
               const std::array<std::size_t, 3>& edges);

  // Nodes that run as one (epilogue.cpp).
  void lower_group(const Group& group);
  Host open_host(const Group& group) const;
  FusedNode absorb(const GraphNode& node, Host& host);
  void pass(const GraphNode& node, Host& host) const;
  void list_fusions();
  std::int64_t operations_of(const GraphNode& node) const;
  /// What of `output` is written: what its group makes of it.
  std::size_t written(std::size_t output) const;
  /// How wide the output is while it is added up, where what is written of it is narrower.
  std::optional<std::int64_t> sum_bits(const GraphNode& node) const;
  /// A part of the layer added last that reads an operand which is not in its workload.
  void read_beside(const GraphNode& node, std::size_t tensor);

  // Adds a layer; nothing is added, with a finding, if the form makes no workload.
  void add_mapped(const GraphNode& node, const Mapped& mapped);
  void add_traffic(const GraphNode& node, Layer layer, std::int64_t operations,
                   std::int64_t nodes = 1);
  void add_nothing(const GraphNode& node);
  void ignore(const char* code, const GraphNode& node, std::string what, std::string help);

  bool is_known(const GraphNode& node);
  bool is_empty(const GraphNode& node) const;
  std::int64_t elements(std::size_t tensor) const;
  /// The edge of a tensor; nothing for what is constant or empty.
  std::optional<std::size_t> edge_of(std::size_t tensor);
  std::size_t make_edge(const std::string& name, std::int64_t count, std::int64_t bits);
  Operand operand(std::size_t tensor) { return {edge_of(tensor), bits_[tensor].value_or(16)}; }
  std::int64_t learned(std::size_t tensor) const;
  std::int64_t bits_moved(const Layer& layer) const;

  const Graph& graph_;
  const OnnxOptions& options_;
  Problems& problems_;
  bool broken_ = false;
  OnnxNetwork result_;
  std::vector<std::optional<std::int64_t>> bits_;  // by tensor
  std::vector<std::optional<std::size_t>> edges_;  // by tensor
  std::vector<std::size_t> cause_;                 // by tensor: the first one without a shape
  Groups groups_;
  const Group* group_ = nullptr;              // the one that is lowered
  std::optional<std::size_t> host_;           // layer of the node that was lowered last
  std::map<std::size_t, std::size_t> hosts_;  // by node: the layer that it became (part of)
  std::map<std::size_t, Fusion> fusions_;     // by layer
  std::map<std::string, int> layer_names_;
  std::map<std::string, int> edge_names_;
  std::set<std::size_t> tables_;  // that lookups read
};

}  // namespace tilewright::onnx_import
