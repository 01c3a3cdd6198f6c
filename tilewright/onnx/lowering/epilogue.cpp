// SPDX-License-Identifier: Apache-2.0
// Nodes that run as part of another one.
#include <algorithm>

#include "tilewright/base/checked.h"
#include "tilewright/onnx/lowering/lowering.h"

namespace tilewright::onnx_import {
namespace {

// One number for each place along one axis at most, like a bias.
bool lies_along_one_axis(const Shape& shape) {
  return std::ranges::count_if(shape, [](std::int64_t size) { return size != 1; }) <= 1;
}

// The same along the channels of an image or a product: the second axis of `rank`.
bool lies_along_channels(const Shape& shape, std::size_t rank) {
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] != 1 && i + rank != shape.size() + 1) return false;
  }
  return true;
}

}  // namespace

std::size_t Lowering::written(std::size_t output) const {
  if (group_ == nullptr || graph_.nodes[group_->head].output(0) != output) return output;
  return graph_.nodes[group_->last()].outputs.front();
}

std::optional<std::int64_t> Lowering::sum_bits(const GraphNode& node) const {
  const std::size_t output = node.output(0);
  const bool integers =
      node.op == "QLinearConv" || node.op == "QLinearMatMul" || node.op == "QGemm";
  // Operators of 8-bit integers add in 32 bits.
  const std::int64_t sums =
      integers && !options_.bits ? std::max<std::int64_t>(32, *bits_[output]) : *bits_[output];
  if (sums <= *bits_[written(output)]) return std::nullopt;
  return sums;
}

// One operation for each element of the largest tensor, for pooling for each element of a window.
std::int64_t Lowering::operations_of(const GraphNode& node) const {
  std::int64_t window = 1;
  for (const std::int64_t taps : node.integers("kernel_shape")) window = checked_mul(window, taps);
  std::int64_t operations = 0;
  for (const std::size_t input : node.inputs) {
    if (input != kAbsent) operations = std::max(operations, elements(input));
  }
  for (const std::size_t output : node.outputs) {
    if (output == kAbsent || !graph_.tensors[output].shape) continue;
    operations = std::max(operations, checked_mul(elements(output), window));
  }
  return operations;
}

void Lowering::read_beside(const GraphNode& node, std::size_t tensor) {
  const auto edge = edge_of(tensor);
  if (!host_ || !edge || result_.network.edges[*edge].elements == 1) return;
  Layer part{.name = unique_name(layer_names_, node.name + ".addend"), .op = node.op};
  part.kind = LayerKind::kTraffic;
  part.reads = {{*edge, std::nullopt}};
  result_.coverage.add({node.op, Treatment::kMapped, 0, 0, bits_moved(part)});
  result_.network.layers.push_back(std::move(part));
}

Lowering::Host Lowering::open_host(const Group& group) const {
  const GraphNode& head = graph_.nodes[group.head];
  const Layer& layer = result_.network.layers[*host_];
  Host host{.layer = *host_, .values = {head.outputs.front()}};
  for (const std::size_t member : group.members) {
    host.values.insert(graph_.nodes[member].outputs.front());
  }
  if (layer.kind == LayerKind::kTraffic) {
    for (const EdgeUse& use : layer.reads) host.edges.insert(use.edge);
  }
  const Shape& shape = *graph_.tensors[head.outputs.front()].shape;
  const bool linear = head.op == "Conv" || head.op == "ConvTranspose" || head.op == "Gemm" ||
                      (head.op == "MatMul" && shape.size() == 2);
  const auto is_constant = [&](std::size_t input) {
    return input == kAbsent || graph_.tensors[input].constant;
  };
  host.linear = linear && head.domain.empty() && !is_constant(head.input(0)) &&
                is_constant(head.input(1)) && is_constant(head.input(2));
  host.has_bias = head.input(2) != kAbsent;
  return host;
}

// Whether what follows `node` can still be multiplied into the weights.
void Lowering::pass(const GraphNode& node, Host& host) const {
  if (node.op == "BatchNormalization" || node.op == "Identity" || node.op == "Dropout") return;
  const std::size_t rank = graph_.tensors[node.outputs.front()].shape->size();
  const bool affine =
      node.op == "Add" || node.op == "Sub" || node.op == "Mul" || (node.op == "Div");
  const bool by_channel = affine && std::ranges::all_of(node.inputs, [&](std::size_t input) {
                            if (input == kAbsent || host.values.contains(input))
                              return input != kAbsent;
                            const GraphTensor& tensor = graph_.tensors[input];
                            return tensor.constant && lies_along_channels(*tensor.shape, rank);
                          });
  const bool twice = std::ranges::count_if(node.inputs, [&](std::size_t input) {
                       return host.values.contains(input);
                     }) > 1;
  host.linear = host.linear && by_channel && !twice && host.values.contains(node.input(0));
}

FusedNode Lowering::absorb(const GraphNode& node, Host& host) {
  FusedNode fused{.name = node.name, .op = node.op};
  std::vector<Layer>& layers = result_.network.layers;
  const auto add_parameters = [&](Layer& layer, std::int64_t count, std::int64_t bits) {
    if (layer.parameters == 0) layer.parameter_bits = bits;
    layer.parameters = checked_add(layer.parameters, count);
    fused.bits = checked_add(fused.bits, checked_mul(count, layer.parameter_bits));
  };
  if (node.op == "BatchNormalization" && host.linear) {
    fused.how = FusedHow::kFolded;
    const std::int64_t channels = (*graph_.tensors[node.outputs.front()].shape)[1];
    if (!host.has_bias) {  // what it subtracts and adds becomes one
      add_parameters(layers[host.layer], channels, layers[host.layer].parameter_bits);
    }
    host.has_bias = true;
    return fused;
  }
  const bool mapped = layers[host.layer].kind == LayerKind::kMapped;
  // What a workload does not read is read once, by a part of the layer.
  Layer part{.op = node.op, .kind = LayerKind::kTraffic};
  for (const std::size_t input : node.inputs) {
    if (input == kAbsent || host.values.contains(input)) continue;
    const GraphTensor& tensor = graph_.tensors[input];
    if (tensor.constant) {
      const std::int64_t count = is_index_type(tensor.type) ? 0 : learned(input);
      if (count == 0) continue;
      const bool beside = mapped && !lies_along_one_axis(*tensor.shape);
      add_parameters(beside ? part : layers[host.layer], count, bits_[input].value_or(16));
      host.has_bias = host.has_bias || node.op == "Add";
      continue;
    }
    const auto edge = edge_of(input);
    if (!edge || result_.network.edges[*edge].elements == 1) continue;
    if (!host.edges.insert(*edge).second) continue;
    (mapped ? part : layers[host.layer]).reads.push_back({*edge, std::nullopt});
    const Edge& read = result_.network.edges[*edge];
    fused.bits = checked_add(fused.bits, checked_mul(read.elements, read.bits));
  }
  if (part.parameters > 0 || !part.reads.empty()) {
    part.name = unique_name(layer_names_, node.name);
    layers.push_back(std::move(part));
  }
  return fused;
}

void Lowering::lower_group(const Group& group) {
  const GraphNode& head = graph_.nodes[group.head];
  const Handling handling = find_operator(head.domain, head.op).handling;
  group_ = &group;
  lower_as(handling == Handling::kDequantize ? Handling::kTraffic : handling, head);
  group_ = nullptr;
  if (!host_) {  // it became no layer
    for (const std::size_t member : group.members) lower(graph_.nodes[member]);
    return;
  }
  Host host = open_host(group);
  hosts_[group.head] = host.layer;
  const Layer& layer = result_.network.layers[host.layer];
  Fusion& fusion = fusions_[host.layer];
  fusion = {.layer = layer.name, .op = layer.op, .nodes = {}};
  for (const std::size_t member : group.members) {
    const GraphNode& node = graph_.nodes[member];
    hosts_[member] = host.layer;
    if (find_operator(node.domain, node.op).handling == Handling::kView) {
      add_nothing(node);
    } else {
      const FusedNode fused = absorb(node, host);
      const bool folded = fused.how == FusedHow::kFolded;
      result_.coverage.add(
          {node.op, Treatment::kFused, 1, folded ? 0 : operations_of(node), fused.bits});
      fusion.nodes.push_back(fused);
    }
    pass(node, host);
  }
}

// Lists what is converted as it is read with the layers that read it, through views and copies.
void Lowering::list_fusions() {
  std::vector<std::vector<std::size_t>> readers(graph_.tensors.size());
  for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
    for (const std::size_t input : graph_.nodes[i].inputs) {
      if (input != kAbsent) readers[input].push_back(i);
    }
  }
  for (std::size_t i = 0; options_.fuse && i < graph_.nodes.size(); ++i) {
    const GraphNode& node = graph_.nodes[i];
    const bool listed = groups_.of[i] != kAbsent || !is_converted_by_readers(graph_, node);
    if (listed || graph_.tensors[node.outputs[0]].constant) continue;
    std::set<std::size_t> found;
    std::vector<std::size_t> tensors = {node.outputs[0]};
    for (std::size_t t = 0; t < tensors.size(); ++t) {
      for (const std::size_t reader : readers[tensors[t]]) {
        if (const auto host = hosts_.find(reader); host != hosts_.end()) {
          found.insert(host->second);
          continue;
        }
        for (const std::size_t output : graph_.nodes[reader].outputs) {
          const bool fresh =
              output != kAbsent && std::ranges::find(tensors, output) == tensors.end();
          if (fresh) tensors.push_back(output);
        }
      }
    }
    for (const std::size_t host : found) {
      Fusion& fusion = fusions_[host];
      const Layer& layer = result_.network.layers[host];
      fusion.layer = layer.name;
      fusion.op = layer.op;
      const auto out = std::ranges::find_if(
          fusion.nodes, [](const FusedNode& each) { return each.how != FusedHow::kIn; });
      fusion.nodes.insert(out, {.name = node.name, .op = node.op, .how = FusedHow::kIn});
    }
  }
  for (auto& [layer, fusion] : fusions_) {
    if (!fusion.nodes.empty()) result_.coverage.fusions.push_back(std::move(fusion));
  }
}

}  // namespace tilewright::onnx_import
