// SPDX-License-Identifier: Apache-2.0
// LSTM, GRU and RNN as their matrix products.
#include "tilewright/onnx/lowering/recurrent.h"

#include <fmt/format.h>

#include <algorithm>

#include "tilewright/base/checked.h"
#include "tilewright/onnx/lowering/lowering.h"

namespace tilewright::onnx_import {

std::optional<Recurrent> find_recurrent(const Graph& graph, const GraphNode& node,
                                        std::string& wrong) {
  Recurrent r;
  r.gates = node.op == "LSTM" ? 4 : node.op == "GRU" ? 3 : 1;
  r.directions = node.text("direction") == "bidirectional" ? 2 : 1;
  for (std::size_t i = 0; i < 3; ++i) {
    if (node.input(i) == kAbsent || graph.tensors[node.inputs[i]].shape->size() != 3) {
      wrong = "its input " + std::to_string(i) + " is left out or not of rank 3";
      return std::nullopt;
    }
  }
  const Shape& x = *graph.tensors[node.inputs[0]].shape;
  const Shape& w = *graph.tensors[node.inputs[1]].shape;
  const Shape& again = *graph.tensors[node.inputs[2]].shape;
  const bool batch_first = node.integer("layout", 0) != 0;
  r.steps = x[batch_first ? 1 : 0];
  r.batch = x[batch_first ? 0 : 1];
  r.input = x[2];
  r.hidden = again[2];
  const std::int64_t rows = checked_mul(r.gates, r.hidden);
  if (w != Shape{r.directions, rows, r.input} || again != Shape{r.directions, rows, r.hidden} ||
      node.integer("hidden_size", r.hidden) != r.hidden) {
    wrong = fmt::format("its weights {} and {} are not those of {} for an input {}", shape_text(w),
                        shape_text(again), r.directions == 2 ? "two directions" : "one direction",
                        shape_text(x));
    return std::nullopt;
  }
  // A GRU that resets before it multiplies needs two products, one after the other.
  const bool resets = node.op == "GRU" && node.integer("linear_before_reset", 0) == 0;
  r.parts = resets ? std::vector<std::int64_t>{2, 1} : std::vector<std::int64_t>{r.gates};
  return r;
}

namespace {

// True if every sequence is as long as the input.
bool has_full_length(const Graph& graph, std::size_t lengths, std::int64_t steps) {
  if (lengths == kAbsent) return true;
  const auto& values = graph.tensors[lengths].integers;
  return values && std::ranges::all_of(*values, [&](std::int64_t v) { return v == steps; });
}

}  // namespace

// What comes from the input is one product over all steps; what comes from the step before is a
// small product in each of them.
void Lowering::lower_direction(const GraphNode& node, const Recurrent& r, const std::string& name,
                               Layer& cell) {
  const std::int64_t bits = *bits_[node.inputs[0]];
  const std::int64_t rows = checked_mul(r.steps, r.batch);
  const std::int64_t width = checked_mul(r.gates, r.hidden);
  const std::size_t gates = make_edge(name + ".gates", checked_mul(rows, width), bits);
  const std::int64_t parameters = checked_add(learned(node.inputs[1]), learned(node.input(3)));
  add_mapped(node, {.name = name + ".input",
                    .op = node.op,
                    .form = gemm_einsum(rows, width, r.input),
                    .operands = {operand(node.inputs[0]), operand(node.inputs[1]), {gates, bits}},
                    .parameters = parameters / r.directions,
                    .parameter_bits = bits_[node.inputs[1]].value_or(16),
                    .nodes = 0});
  cell.reads.push_back({gates, std::nullopt});
  for (std::size_t i = 0; i < r.parts.size(); ++i) {
    const std::string step = name + (i == 0 ? ".step" : ".reset_step");
    const std::int64_t part = checked_mul(r.parts[i], r.hidden);
    const std::size_t sums = make_edge(step, checked_mul(rows, part), bits);
    add_mapped(node, {.name = step,
                      .op = node.op,
                      .form = gemm_einsum(r.batch, part, r.hidden),
                      .operands = {{std::nullopt, bits}, operand(node.inputs[2]), {sums, bits}},
                      .parameter_bits = bits_[node.inputs[2]].value_or(16),
                      .nodes = 0,
                      .count = r.steps});
    cell.reads.push_back({sums, std::nullopt});
  }
}

void Lowering::lower_recurrent(const GraphNode& node) {
  std::string wrong;
  const auto r = find_recurrent(graph_, node, wrong);
  if (!r) {
    problems_.node_error("N0108", node, wrong);
    return;
  }
  if (!has_full_length(graph_, node.input(4), r->steps)) {
    ignore("N0111", node, fmt::format("`{}` over sequences of different lengths", node.op),
           "leave `sequence_lens` out: then every step is counted");
    return;
  }
  if (std::min({r->steps, r->batch, r->input, r->hidden}) < 1) return add_nothing(node);
  Layer cell{.name = node.name + ".cell"};
  if (r->directions == 1) {
    lower_direction(node, *r, node.name, cell);
  } else {
    lower_direction(node, *r, node.name + ".forward", cell);
    lower_direction(node, *r, node.name + ".backward", cell);
  }
  // Weights of a step are the same in all of them: they belong to no single run.
  const std::int64_t parameters = learned(node.inputs[2]);
  result_.network.other_parameters = checked_add(result_.network.other_parameters, parameters);
  result_.coverage.add({node.op, Treatment::kMapped, 1, 0,
                        checked_mul(parameters, bits_[node.inputs[2]].value_or(16))});
  for (std::size_t i = 5; i < node.inputs.size(); ++i) {
    const std::size_t input = node.inputs[i];
    if (const auto edge = edge_of(input)) cell.reads.push_back({*edge, std::nullopt});
    if (learned(input) > 0) cell.parameter_bits = bits_[input].value_or(16);
    cell.parameters = checked_add(cell.parameters, learned(input));
  }
  for (const std::size_t output : node.outputs) {
    if (output == kAbsent || graph_.tensors[output].readers == 0) continue;
    if (const auto edge = edge_of(output)) cell.writes.push_back({*edge, std::nullopt});
  }
  const std::int64_t sums = checked_mul(r->directions, checked_mul(r->gates, r->hidden));
  add_traffic(node, std::move(cell), checked_mul(checked_mul(r->steps, r->batch), sums), 0);
}

}  // namespace tilewright::onnx_import
