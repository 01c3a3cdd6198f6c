// SPDX-License-Identifier: Apache-2.0
#include "tilewright/onnx/lowering/lowering.h"

#include <fmt/format.h>

#include <algorithm>

#include "tilewright/base/checked.h"
#include "tilewright/base/error.h"
#include "tilewright/base/text/printable.h"

namespace tilewright::onnx_import {

std::string unique_name(std::map<std::string, int>& names, const std::string& name) {
  const std::string base = name.empty() ? "unnamed" : name;
  std::string result = base;
  while (!names.emplace(result, 1).second) result = fmt::format("{}_{}", base, ++names[base]);
  return result;
}

Lowering::Lowering(const Graph& graph, const OnnxOptions& options, Problems& problems)
    : graph_(graph),
      options_(options),
      problems_(problems),
      bits_(graph.tensors.size()),
      edges_(graph.tensors.size()),
      cause_(graph.tensors.size(), kAbsent),
      groups_(options.fuse ? find_groups(graph) : no_groups(graph)) {}

OnnxNetwork Lowering::run(bool broken) {
  broken_ = broken;
  find_bits();
  for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
    const std::size_t group = groups_.of[i];
    host_.reset();
    // A group runs when its last node does: all that it reads is there then.
    if (group == kAbsent) {
      lower(graph_.nodes[i]);
      if (host_) hosts_[i] = *host_;
    } else if (groups_.all[group].last() == i) {
      lower_group(groups_.all[group]);
    }
  }
  list_fusions();
  return std::move(result_);
}

void Lowering::find_bits() {
  for (std::size_t i = 0; i < bits_.size(); ++i) {
    bits_[i] = bits_of_type(graph_.tensors[i].type);
    if (bits_[i] && options_.bits) bits_[i] = options_.bits;
  }
  for (const GraphNode& node : graph_.nodes) find_bits_of(node);
}

void Lowering::find_bits_of(const GraphNode& node) {
  const Handling handling = find_operator(node.domain, node.op).handling;
  const std::size_t in = node.input(0);
  const std::size_t out = node.output(0);
  if (in == kAbsent || out == kAbsent) return;
  const GraphTensor& input = graph_.tensors[in];
  const GraphTensor& output = graph_.tensors[out];
  const bool same_data =
      handling == Handling::kView || handling == Handling::kArrange ||
      (options_.fuse && is_converted_by_readers(graph_, node)) ||
      // Weights that are converted first lie in memory as they were.
      (output.constant && input.shape && output.shape && elements(in) == elements(out));
  if (!same_data) return;
  for (const std::size_t each : node.outputs) {
    if (each != kAbsent) bits_[each] = bits_[in];
  }
}

std::int64_t Lowering::elements(std::size_t tensor) const {
  const auto count = element_count(*graph_.tensors[tensor].shape);
  if (!count) throw OverflowError("a tensor has more than 2^62 elements");
  return *count;
}

std::size_t Lowering::make_edge(const std::string& name, std::int64_t count, std::int64_t bits) {
  result_.network.edges.push_back({unique_name(edge_names_, name), count, bits});
  return result_.network.edges.size() - 1;
}

std::optional<std::size_t> Lowering::edge_of(std::size_t tensor) {
  if (tensor == kAbsent || edges_[tensor]) return tensor == kAbsent ? std::nullopt : edges_[tensor];
  const GraphTensor& data = graph_.tensors[tensor];
  if (data.constant || !data.shape || !bits_[tensor] || elements(tensor) < 1) return std::nullopt;
  edges_[tensor] = make_edge(data.name, elements(tensor), *bits_[tensor]);
  return edges_[tensor];
}

std::int64_t Lowering::learned(std::size_t tensor) const {
  if (tensor == kAbsent || !graph_.tensors[tensor].learned || !graph_.tensors[tensor].shape) {
    return 0;
  }
  return elements(tensor);
}

std::int64_t Lowering::bits_moved(const Layer& layer) const {
  std::int64_t bits = checked_mul(layer.parameters, layer.parameter_bits);
  for (const auto* uses : {&layer.reads, &layer.writes}) {
    for (const EdgeUse& use : *uses) {
      const Edge& edge = result_.network.edges[use.edge];
      bits = checked_add(bits, checked_mul(edge.elements, edge.bits));
    }
  }
  return bits;
}

void Lowering::ignore(const char* code, const GraphNode& node, std::string what, std::string help) {
  problems_.ignore(code, node, std::move(what), std::move(help));
  CoverageRow row{node.op, Treatment::kIgnored, 1, 0, 0};
  for (const auto* list : {&node.inputs, &node.outputs}) {
    for (const std::size_t tensor : *list) {
      if (tensor == kAbsent || !graph_.tensors[tensor].shape) continue;
      row.operations = std::max(row.operations, elements(tensor));
      row.bits = checked_add(row.bits, checked_mul(elements(tensor), bits_[tensor].value_or(0)));
    }
  }
  result_.coverage.add(row);
}

// Ignores the node if a tensor of it has no shape or no width.
bool Lowering::is_known(const GraphNode& node) {
  std::size_t first = kAbsent;
  for (const auto* list : {&node.inputs, &node.outputs}) {
    for (const std::size_t tensor : *list) {
      if (tensor == kAbsent || first != kAbsent) continue;
      // An output that is not the first and that nobody reads may be anything.
      const bool side = list == &node.outputs && tensor != node.outputs.front();
      if (side && graph_.tensors[tensor].readers == 0) continue;
      if (!graph_.tensors[tensor].shape || !bits_[tensor]) first = tensor;
    }
  }
  if (first == kAbsent) return true;
  const std::size_t cause = cause_[first] == kAbsent ? first : cause_[first];
  for (const std::size_t output : node.outputs) {
    if (output != kAbsent) cause_[output] = cause;
  }
  const std::string name = in_backticks(graph_.tensors[cause].name);
  if (!broken_) {
    ignore("N0107", node,
           graph_.tensors[cause].shape
               ? fmt::format("the type of {} has no width", name)
               : fmt::format("the shape of {} is not known before the model runs", name),
           "state it in the model (`value_info`), or fold constants before the export");
  }
  return false;
}

bool Lowering::is_empty(const GraphNode& node) const {
  return std::ranges::any_of(node.outputs, [&](std::size_t output) {
    return output != kAbsent && graph_.tensors[output].shape && elements(output) == 0;
  });
}

void Lowering::lower(const GraphNode& node) {
  const bool constant = std::ranges::all_of(node.outputs, [&](std::size_t output) {
    return output == kAbsent || graph_.tensors[output].constant;
  });
  const Handling handling = find_operator(node.domain, node.op).handling;
  if (handling == Handling::kSubgraph || node.has_subgraph) {
    ignore("N0110", node,
           fmt::format("`{}` runs a graph of its own{}", node.op,
                       node.inside.empty() ? "" : ", with " + join_names(node.inside, "and")),
           "inline or unroll it before the export");
    return;
  }
  if (constant || handling == Handling::kShape) {  // known before the model runs
    result_.coverage.add({node.op, Treatment::kNothing, 1, 0, 0});
    return;
  }
  if (handling == Handling::kUnknown) {
    ignore("N0109", node,
           fmt::format("the operator `{}`{} is not known", node.op,
                       node.domain.empty() ? "" : " of " + in_backticks(node.domain)),
           "docs/onnx.md lists the operators that are");
    return;
  }
  if (!is_known(node)) return;
  if (is_empty(node)) {
    add_nothing(node);
    return;
  }
  if (node.output(0) == kAbsent && handling != Handling::kRecurrent) {
    problems_.node_error("N0108", node, "its first output is left out");
    return;
  }
  const bool converts = handling == Handling::kDequantize &&
                        !(options_.fuse && is_converted_by_readers(graph_, node));
  lower_as(converts ? Handling::kTraffic : handling, node);
}

void Lowering::lower_as(Handling handling, const GraphNode& node) {
  std::string wrong;
  switch (handling) {
    case Handling::kConv:
      lower_conv(node);
      break;
    case Handling::kProduct:
      if (const auto product = find_product(graph_, node, wrong)) {
        lower_product(node, *product);
      } else {
        problems_.node_error("N0108", node, wrong.empty() ? "its shapes do not fit" : wrong);
      }
      break;
    case Handling::kEinsum:
      lower_einsum(node);
      break;
    case Handling::kAttention:
      lower_attention(node);
      break;
    case Handling::kRecurrent:
      lower_recurrent(node);
      break;
    case Handling::kLookup:
      lower_lookup(node);
      break;
    case Handling::kView:
    case Handling::kDequantize:
      lower_view(node);
      break;
    case Handling::kArrange:
      lower_arrange(node);
      break;
    default:
      lower_traffic(node);
  }
}

void Lowering::add_traffic(const GraphNode& node, Layer layer, std::int64_t operations,
                           std::int64_t nodes) {
  layer.kind = LayerKind::kTraffic;
  layer.name = unique_name(layer_names_, layer.name.empty() ? node.name : layer.name);
  if (layer.op.empty()) layer.op = node.op;
  result_.coverage.add({node.op, Treatment::kTraffic, nodes, operations, bits_moved(layer)});
  host_ = result_.network.layers.size();
  result_.network.layers.push_back(std::move(layer));
}

void Lowering::lower_traffic(const GraphNode& node) {
  Layer layer;
  std::set<std::size_t> seen;
  for (const std::size_t input : node.inputs) {
    if (input == kAbsent) continue;
    if (const auto edge = edge_of(input); edge && seen.insert(*edge).second) {
      layer.reads.push_back({*edge, std::nullopt});
    }
    // Indices and limits are no parameters.
    if (learned(input) == 0 || is_index_type(graph_.tensors[input].type)) continue;
    if (layer.parameters == 0) layer.parameter_bits = bits_[input].value_or(16);
    layer.parameters = checked_add(layer.parameters, learned(input));
  }
  for (const std::size_t output : node.outputs) {
    if (output == kAbsent || !graph_.tensors[output].shape) continue;
    if (const auto edge = edge_of(written(output))) layer.writes.push_back({*edge, std::nullopt});
  }
  add_traffic(node, std::move(layer), operations_of(node));
}

// Rows that pass by are read as well; the table is a parameter of the model, not of this layer.
void Lowering::lower_lookup(const GraphNode& node) {
  const std::size_t table = node.input(0);
  const std::size_t indices = node.input(1);
  const std::size_t output = node.output(0);
  if (table == kAbsent || indices == kAbsent) {
    problems_.node_error("N0108", node, "it has no table or no indices");
    return;
  }
  if (graph_.tensors[indices].constant) {
    lower_arrange(node);
    return;
  }
  Layer layer;
  if (const auto edge = edge_of(table)) {
    layer.reads.push_back({*edge, std::nullopt});
  } else {
    const std::size_t rows =
        make_edge(graph_.tensors[table].name + " (rows)", elements(output), *bits_[table]);
    layer.reads.push_back({rows, std::nullopt});
    if (tables_.insert(table).second) {
      result_.network.other_parameters =
          checked_add(result_.network.other_parameters, learned(table));
    }
  }
  if (const auto edge = edge_of(indices)) layer.reads.push_back({*edge, std::nullopt});
  if (const auto edge = edge_of(written(output))) layer.writes.push_back({*edge, std::nullopt});
  add_traffic(node, std::move(layer), elements(output));
}

void Lowering::add_nothing(const GraphNode& node) {
  result_.coverage.add({node.op, Treatment::kNothing, 1, 0, 0});
}

// The output is the edge of the input, which may be as wide as it was before.
void Lowering::lower_view(const GraphNode& node) {
  if (node.input(0) == kAbsent) {
    problems_.node_error("N0108", node, "it has no input");
    return;
  }
  edges_[node.outputs[0]] = edge_of(node.inputs[0]);
  // Its readers are listed with it at the end.
  const bool converted = options_.fuse && is_converted_by_readers(graph_, node);
  const Treatment treatment = converted ? Treatment::kFused : Treatment::kNothing;
  result_.coverage.add({node.op, treatment, 1, converted ? operations_of(node) : 0, 0});
}

void Lowering::lower_arrange(const GraphNode& node) {
  Layer layer{
      .name = unique_name(layer_names_, node.name), .op = node.op, .kind = LayerKind::kNothing};
  for (const std::size_t input : node.inputs) {
    if (const auto edge = edge_of(input)) layer.reads.push_back({*edge, std::nullopt});
  }
  for (const std::size_t output : node.outputs) {
    if (const auto edge = edge_of(output)) layer.writes.push_back({*edge, std::nullopt});
  }
  add_nothing(node);
  result_.network.layers.push_back(std::move(layer));
}

}  // namespace tilewright::onnx_import
