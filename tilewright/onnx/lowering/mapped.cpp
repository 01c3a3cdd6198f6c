// SPDX-License-Identifier: Apache-2.0
// The operators that become workloads.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "tilewright/base/checked.h"
#include "tilewright/onnx/lowering/lowering.h"
#include "tilewright/onnx/model/checks.h"

namespace tilewright::onnx_import {
namespace {

// The workload of a form; nothing, and why, if there is none.
std::optional<Workload> make_workload(const std::string& name, Einsum form,
                                      const std::vector<std::int64_t>& bits,
                                      const std::optional<std::int64_t>& sum_bits,
                                      std::string& wrong) {
  if (!coefficients_fit(form)) {
    wrong = kCoefficientTooLarge;
    return std::nullopt;
  }
  for (std::size_t i = 0; i < form.tensors.size(); ++i) form.tensors[i].bits = bits[i];
  form.tensors.back().partial_bits = sum_bits;
  const auto faults = find_workload_faults(form.dims, form.tensors);
  if (!faults.empty()) {
    wrong = faults.front();
    return std::nullopt;
  }
  return Workload(name, std::move(form.dims), std::move(form.tensors));
}

// Of a letter, or of a dim that `...` stands for.
std::string dim_name(char32_t c) {
  return c < 0x100 ? std::string(1, static_cast<char>(c))
                   : fmt::format("x{}", static_cast<std::uint32_t>(c));
}

Einsum product_form(std::int64_t b, std::int64_t m, std::int64_t n, std::int64_t k) {
  return b == 1 ? gemm_einsum(m, n, k) : bmm_einsum(b, m, n, k);
}

/// Where the taps and steps along one axis of an image are.
struct Axis {
  std::int64_t ConvShape::*taps;
  std::int64_t Steps::*step;
};
constexpr std::array<Axis, 3> kAxes = {
    {{&ConvShape::r, &Steps::p}, {&ConvShape::s, &Steps::q}, {&ConvShape::t, &Steps::o}}};

}  // namespace

void Lowering::add_mapped(const GraphNode& node, const Mapped& mapped) {
  std::vector<std::int64_t> bits;
  for (const Operand& each : mapped.operands) bits.push_back(each.bits);
  std::string wrong = mapped.wrong;
  Layer layer{.name = unique_name(layer_names_, mapped.name), .op = mapped.op};
  if (wrong.empty()) {
    layer.workload = make_workload(layer.name, mapped.form, bits, mapped.sum_bits, wrong);
  }
  if (!layer.workload) {
    ignore("N0111", node, fmt::format("`{}` makes no workload: {}", node.op, wrong), "");
    return;
  }
  layer.parameters = mapped.parameters;
  layer.parameter_bits = mapped.parameter_bits;
  layer.count = mapped.count;
  for (std::size_t i = 0; i < mapped.operands.size(); ++i) {
    if (!mapped.operands[i].edge) continue;
    auto& uses = i + 1 == mapped.operands.size() ? layer.writes : layer.reads;
    uses.push_back({*mapped.operands[i].edge, TensorId(i)});
  }
  result_.coverage.add({node.op, Treatment::kMapped, mapped.nodes,
                        checked_mul(layer.count, layer.workload->computes()), bits_moved(layer)});
  host_ = result_.network.layers.size();
  result_.network.layers.push_back(std::move(layer));
}

void Lowering::lower_conv(const GraphNode& node) {
  const bool transposed = node.op == "ConvTranspose";
  const bool quantized = node.op == "QLinearConv";
  const std::size_t image = node.input(0);
  const std::size_t weights = node.input(quantized ? 3 : 1);
  const std::size_t bias = node.input(quantized ? 8 : node.op == "ConvInteger" ? kAbsent : 2);
  const std::size_t output = node.output(0);
  // What is wrong with it was said when its shape was looked for.
  if (find_node_fault(graph_, node, node.op == "FusedConv" ? "Conv" : node.op)) return;
  const Shape& in = *graph_.tensors[image].shape;
  const Shape& filter = *graph_.tensors[weights].shape;
  const Shape& out = *graph_.tensors[output].shape;
  if (in.size() != out.size()) {
    problems_.node_error("N0108", node, "its output " + shape_text(out) + " is of another rank");
    return;
  }
  const std::size_t axes = in.size() - 2;
  if (axes > 3) {
    ignore("N0111", node, "a convolution of more than three axes", "");
    return;
  }
  ConvShape sizes{.n = in[0], .c = in[1]};
  sizes.groups = node.integer("group", 1);
  sizes.m = transposed ? checked_mul(filter[1], sizes.groups) : filter[0];
  sizes.transposed = transposed;
  const auto strides = node.integers("strides");
  const auto dilations = node.integers("dilations");
  std::array<std::int64_t, 3> windows = {1, 1, 1};
  for (std::size_t i = 0; i < axes; ++i) {
    // p runs along the height, q along the width, o along the depth, which comes first.
    const std::size_t at = axes == 3 ? (i + 1) % 3 : i;
    const Axis axis = kAxes[i];
    windows[i] = (transposed ? in : out)[at + 2];
    sizes.*axis.taps = filter[at + 2];
    if (!strides.empty()) sizes.stride.*axis.step = strides[at];
    if (!dilations.empty()) sizes.dilation.*axis.step = dilations[at];
  }
  sizes.p = windows[0];
  sizes.q = windows[1];
  if (axes == 3) sizes.o = windows[2];
  if (sizes.groups > 1 && sizes.groups == sizes.c && sizes.groups == sizes.m) {
    sizes.depthwise = true;
    sizes.groups = 1;
  }
  add_mapped(node, {.name = node.name,
                    .op = node.op,
                    .form = conv_einsum(sizes),
                    .operands = {operand(image), operand(weights), operand(written(output))},
                    .parameters = checked_add(learned(weights), learned(bias)),
                    .parameter_bits = bits_[weights].value_or(16),
                    .sum_bits = sum_bits(node)});
  read_beside(node, bias);
  if (node.op == "FusedConv") read_beside(node, node.input(3));
}

void Lowering::lower_product(const GraphNode& node, const Product& product) {
  Product p = product;
  // The weights are the second operand: Z^T = B^T * A^T.
  if (graph_.tensors[p.left].constant && !graph_.tensors[p.right].constant) {
    std::swap(p.left, p.right);
    std::swap(p.m, p.n);
  }
  Operand weights = operand(p.right);
  if (p.right_bits && !options_.bits) weights.bits = *p.right_bits;
  // Packed weights have another shape than what is multiplied.
  const std::int64_t count = learned(p.right) == 0 ? 0 : checked_mul(checked_mul(p.b, p.k), p.n);
  add_mapped(node, {.name = node.name,
                    .op = node.op,
                    .form = product_form(p.b, p.m, p.n, p.k),
                    .operands = {operand(p.left), weights, operand(written(node.output(0)))},
                    .parameters = checked_add(count, learned(p.bias)),
                    .parameter_bits = weights.bits,
                    .sum_bits = sum_bits(node)});
  read_beside(node, p.bias);
}

void Lowering::lower_einsum(const GraphNode& node) {
  std::string wrong;
  if (const auto product = find_einsum_product(graph_, node, wrong)) {
    lower_product(node, *product);
    return;
  }
  std::map<char32_t, std::int64_t> sizes;
  const auto terms = wrong.empty() ? parse_equation(graph_, node, sizes, wrong) : std::nullopt;
  if (!terms) {
    problems_.node_error("N0108", node, wrong.empty() ? "its shapes do not fit" : wrong);
    return;
  }
  const bool sums = std::ranges::any_of(sizes, [&](const auto& dim) {
    return terms->back().find(dim.first) == std::u32string::npos;
  });
  if (terms->size() == 2 || !sums) {  // nothing is multiplied and added
    lower_traffic(node);
    return;
  }
  Mapped mapped{.name = node.name, .op = node.op, .sum_bits = sum_bits(node)};
  const std::size_t output = node.output(0);
  EinsumBuilder builder;
  std::optional<EinsumFault> fault;
  const auto add_access = [&](std::size_t i, const Shape& shape) {
    if (!fault) fault = builder.add_tensor(fmt::format("T{}", i));
    for (std::size_t d = 0; d < shape.size() && !fault; ++d) {
      const char32_t c = (*terms)[i][d];
      if (shape[d] == 1 && sizes[c] != 1) continue;  // broadcast
      builder.add_rank();
      fault = builder.add_term(dim_name(c), 1, sizes[c]);
    }
  };
  add_access(node.inputs.size(), *graph_.tensors[output].shape);
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    add_access(i, *graph_.tensors[node.inputs[i]].shape);
    mapped.operands.push_back(operand(node.inputs[i]));
    mapped.parameters = checked_add(mapped.parameters, learned(node.inputs[i]));
  }
  if (!fault) fault = builder.finish(mapped.form);
  if (fault) mapped.wrong = fault->message;
  mapped.operands.push_back(operand(written(output)));
  add_mapped(node, mapped);
}

// Q, K and V are products of their own.
void Lowering::project(const GraphNode& node, const Attention& a,
                       const std::array<std::size_t, 3>& edges) {
  const std::array<const char*, 3> names = {".q", ".k", ".v"};
  const std::int64_t tokens = checked_mul(a.batch, a.queries);
  const std::int64_t weight_bits = bits_[a.weights].value_or(16);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::int64_t width = checked_mul(a.heads, i == 2 ? a.value_size : a.size);
    const std::int64_t bias = learned(a.bias) == 0 ? 0 : width;
    const std::int64_t count = learned(a.weights) == 0 ? 0 : checked_mul(a.hidden, width);
    add_mapped(node, {.name = node.name + names[i],
                      .op = node.op,
                      .form = gemm_einsum(tokens, width, a.hidden),
                      .operands = {operand(a.operands[0]),
                                   {edge_of(a.weights), weight_bits},
                                   {edges[i], *bits_[a.operands[0]]}},
                      .parameters = checked_add(count, bias),
                      .parameter_bits = weight_bits,
                      .nodes = i == 0 ? 1 : 0});
  }
}

void Lowering::lower_attention(const GraphNode& node) {
  std::string wrong;
  const auto found = find_attention(graph_, node, wrong);
  const std::size_t output = node.output(0);
  if (!found) {
    problems_.node_error("N0108", node, wrong.empty() ? "its shapes do not fit" : wrong);
    return;
  }
  const Attention& a = *found;
  if (std::min({a.batch, a.heads, a.queries, a.tokens, a.size, a.value_size}) < 1) {
    add_nothing(node);
    return;
  }
  const std::int64_t bits = *bits_[a.operands[0]];
  std::array<std::optional<std::size_t>, 3> sides;
  if (a.weights != kAbsent) {
    const std::int64_t tokens = checked_mul(checked_mul(a.batch, a.queries), a.heads);
    const std::array<std::size_t, 3> edges = {
        make_edge(node.name + ".q", checked_mul(tokens, a.size), bits),
        make_edge(node.name + ".k", checked_mul(tokens, a.size), bits),
        make_edge(node.name + ".v", checked_mul(tokens, a.value_size), bits)};
    project(node, a, edges);
    sides = {edges[0], edges[1], edges[2]};
  } else {
    for (std::size_t i = 0; i < 3; ++i) sides[i] = edge_of(a.operands[i]);
  }
  // Heads of a group multiply the same K and V: they are more rows of Q.
  const std::int64_t b = checked_mul(a.batch, a.groups);
  const std::int64_t m = checked_mul(a.heads / a.groups, a.queries);
  const std::int64_t count = checked_mul(checked_mul(b, m), a.tokens);
  const std::size_t scores = make_edge(node.name + ".scores", count, bits);
  const std::size_t weights = make_edge(node.name + ".softmax", count, bits);
  const auto form = [&](std::int64_t n, std::int64_t k) { return product_form(b, m, n, k); };
  add_mapped(node, {.name = node.name + ".scores",
                    .op = node.op,
                    .form = form(a.tokens, a.size),
                    .operands = {{sides[0], bits}, {sides[1], bits}, {scores, bits}},
                    .nodes = a.weights == kAbsent ? 1 : 0});
  Layer softmax{.name = node.name + ".softmax", .op = "Softmax"};
  softmax.reads = {{scores, std::nullopt}};
  softmax.writes = {{weights, std::nullopt}};
  add_traffic(node, std::move(softmax), count, 0);
  add_mapped(node, {.name = node.name + ".context",
                    .op = node.op,
                    .form = form(a.value_size, a.tokens),
                    .operands = {{weights, bits}, {sides[2], bits}, operand(written(output))},
                    .nodes = 0,
                    .sum_bits = sum_bits(node)});
}

}  // namespace tilewright::onnx_import
