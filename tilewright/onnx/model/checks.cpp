// SPDX-License-Identifier: Apache-2.0
#include "tilewright/onnx/model/checks.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "tilewright/onnx/operators/product.h"

namespace tilewright::onnx_import {
namespace {

using Fault = std::optional<std::string>;

Fault find_attribute_fault(const GraphNode& node) {
  for (const auto& [name, attribute] : node.attributes) {
    const bool positive = name == "strides" || name == "dilations" || name == "kernel_shape" ||
                          name == "group" || name == "blocksize" || name == "num_outputs";
    if (!positive) continue;
    for (const std::int64_t value : attribute.integers) {
      if (value < 1 || value > kLargestDim) {
        return "its `" + name + "` is " + std::to_string(value);
      }
    }
  }
  return std::nullopt;
}

// A window of `kernel` in an image: attributes have one value an axis, and the window fits.
Fault find_window_fault(const GraphNode& node, const Shape& image, const Shape& kernel,
                        bool transposed) {
  const std::size_t axes = image.size() - 2;
  for (const char* name : {"strides", "dilations", "kernel_shape", "output_padding"}) {
    const std::size_t count = node.integers(name).size();
    if (count != 0 && count != axes) {
      return "its `" + std::string(name) + "` has " + std::to_string(count) + " values for " +
             std::to_string(axes) + " axes";
    }
  }
  const auto pads = node.integers("pads");
  const auto dilations = node.integers("dilations");
  if (!pads.empty() && pads.size() != 2 * axes) {
    return "its `pads` has " + std::to_string(pads.size()) + " values, not " +
           std::to_string(2 * axes);
  }
  const std::string automatic = node.text("auto_pad");
  const bool same = automatic.starts_with("SAME");
  // libonnx counts down from the size there, and divides in floats.
  const bool in_floats = same || node.integer("ceil_mode", 0) != 0;
  if (in_floats && std::ranges::max(image) >= kLargestExact) {
    return "`auto_pad` and `ceil_mode` are for images of less than 2^24 a side";
  }
  for (std::size_t i = 0; i < axes; ++i) {
    std::int64_t room = image[i + 2];
    std::int64_t reach = 0;
    if (!pads.empty()) {
      if (pads[i] < 0 || pads[i + axes] < 0 || pads[i] > kLargestDim ||
          pads[i + axes] > kLargestDim) {
        return "its `pads` are negative or too large";
      }
      room += pads[i] + pads[i + axes];
    }
    if (__builtin_mul_overflow(kernel[i] - 1, dilations.empty() ? 1 : dilations[i], &reach) ||
        reach > kLargestDim) {
      return "its window is too large";
    }
    if (!transposed && !same && reach + 1 > room) {
      return "its window of " + std::to_string(reach + 1) + " does not fit into " +
             std::to_string(room) + ", padding included";
    }
  }
  return std::nullopt;
}

Fault find_conv_fault(const Graph& graph, const GraphNode& node, const std::string& op) {
  const std::size_t weight_input = op == "QLinearConv" ? 3 : 1;
  if (node.input(0) == kAbsent || node.input(weight_input) == kAbsent) {
    return "it has no weights";
  }
  const Shape& image = *graph.tensors[node.inputs[0]].shape;
  const Shape& weights = *graph.tensors[node.inputs[weight_input]].shape;
  const std::string both = shape_text(image) + " and weights " + shape_text(weights);
  if (image.size() < 3 || image.size() != weights.size()) {
    return "its input " + both + " have no axes in common";
  }
  const std::int64_t groups = node.integer("group", 1);
  const bool transposed = op == "ConvTranspose";
  const std::int64_t channels = transposed ? weights[0] : weights[1];
  const std::int64_t outputs = transposed ? weights[1] : weights[0];
  const bool fits =
      transposed ? image[1] == channels && channels % groups == 0
                 : image[1] % groups == 0 && image[1] / groups == channels && outputs % groups == 0;
  if (!fits) {
    return "the channels of its input " + both + " do not fit, with " + std::to_string(groups) +
           (groups == 1 ? " group" : " groups");
  }
  const Shape kernel(weights.begin() + 2, weights.end());
  if (std::ranges::find(kernel, 0) != kernel.end()) return "its window is empty";
  const auto given = node.integers("kernel_shape");
  if (!given.empty() && given != kernel) {
    return "its `kernel_shape` " + shape_text(given) + " is not that of its weights " +
           shape_text(weights);
  }
  return find_window_fault(node, image, kernel, transposed);
}

Fault find_pool_fault(const Graph& graph, const GraphNode& node) {
  if (node.input(0) == kAbsent) return "it has no input";
  const Shape& image = *graph.tensors[node.inputs[0]].shape;
  const auto kernel = node.integers("kernel_shape");
  if (image.size() < 3 || kernel.size() != image.size() - 2) {
    return "its window " + shape_text(kernel) + " is not for an input " + shape_text(image);
  }
  return find_window_fault(node, image, kernel, false);
}

// Operators that take images (and boxes or places in them) without looking.
Fault find_rank_fault(const Graph& graph, const GraphNode& node, const std::string& op) {
  static const std::map<std::string, std::vector<std::size_t>> ranks = {
      {"DepthToSpace", {4}}, {"GridSample", {4, 4}},  {"MaxRoiPool", {4, 2}},
      {"MaxUnpool", {4, 4}}, {"RoiAlign", {4, 2, 1}}, {"SpaceToDepth", {4}}};
  const auto it = ranks.find(op);
  if (it == ranks.end()) return std::nullopt;
  for (std::size_t i = 0; i < it->second.size(); ++i) {
    if (node.input(i) == kAbsent) return "its input " + std::to_string(i) + " is left out";
    const Shape& shape = *graph.tensors[node.inputs[i]].shape;
    if (shape.size() != it->second[i]) {
      return "its input " + std::to_string(i) + " is " + shape_text(shape) + ", not of rank " +
             std::to_string(it->second[i]);
    }
  }
  return std::nullopt;
}

// Channels become blocks of an image, or blocks channels: nothing may be left over.
Fault find_block_fault(const Graph& graph, const GraphNode& node, const std::string& op) {
  const Shape& image = *graph.tensors[node.inputs[0]].shape;
  const std::int64_t side = node.integer("blocksize", 0);
  if (side < 1) return "it has no `blocksize`";
  const bool fits = op == "DepthToSpace" ? image[1] % (side * side) == 0
                                         : image[2] % side == 0 && image[3] % side == 0;
  if (fits) return std::nullopt;
  return "blocks of " + std::to_string(side) + " x " + std::to_string(side) +
         " do not divide its input " + shape_text(image);
}

// libonnx subtracts and divides the numbers as they are.
Fault find_range_fault(const Graph& graph, const GraphNode& node) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (node.input(i) == kAbsent) return "its input " + std::to_string(i) + " is left out";
    const GraphTensor& tensor = graph.tensors[node.inputs[i]];
    std::optional<double> value;
    if (tensor.integers && !tensor.integers->empty()) {
      value = static_cast<double>(tensor.integers->front());
    }
    if (tensor.reals && !tensor.reals->empty()) value = tensor.reals->front();
    if (!value) continue;
    const bool fine =
        std::abs(*value) <= static_cast<double>(kLargestDim) && (i < 2 || *value != 0);
    if (!fine) return "its input " + std::to_string(i) + " is zero or too large to count with";
  }
  return std::nullopt;
}

// The scales of a Resize are floats, and so is the product.
Fault find_scale_fault(const Graph& graph, const GraphNode& node) {
  if (node.input(0) == kAbsent) return "it has no input";
  const Shape& image = *graph.tensors[node.inputs[0]].shape;
  for (std::size_t i = 1; i < node.inputs.size(); ++i) {
    if (node.inputs[i] == kAbsent) continue;
    const auto& scales = graph.tensors[node.inputs[i]].reals;
    if (!scales || scales->size() != image.size()) continue;
    for (std::size_t d = 0; d < image.size(); ++d) {
      const double product = static_cast<double>(image[d]) * static_cast<double>((*scales)[d]);
      const bool fine = product >= 0 && product <= static_cast<double>(kLargestExact);
      const bool same = (*scales)[d] == 1.0F;
      if (!fine && !same) return "its scales make a side of 2^24 or more";
      if (!same && image[d] >= kLargestExact) return "scales are for sides of less than 2^24";
    }
  }
  return std::nullopt;
}

}  // namespace

Fault find_node_fault(const Graph& graph, const GraphNode& node, const std::string& op) {
  if (const Fault fault = find_attribute_fault(node)) return fault;
  if (const Fault fault = find_rank_fault(graph, node, op)) return fault;
  if (op == "Conv" || op == "ConvTranspose" || op == "ConvInteger" || op == "QLinearConv") {
    return find_conv_fault(graph, node, op);
  }
  if (op == "Gemm" || op.find("MatMul") != std::string::npos) {
    std::string wrong;
    find_product(graph, node, wrong);
    if (!wrong.empty()) return wrong;
  }
  if (op == "DepthToSpace" || op == "SpaceToDepth") return find_block_fault(graph, node, op);
  if (op == "Range") return find_range_fault(graph, node);
  if (op == "Resize" || op == "Upsample") return find_scale_fault(graph, node);
  if (op == "MaxPool" || op == "AveragePool" || op == "LpPool") return find_pool_fault(graph, node);
  return std::nullopt;
}

Fault find_shape_fault(const Shape& shape) {
  if (shape.size() > kMostDims) return "it has " + std::to_string(shape.size()) + " dims";
  for (const std::int64_t size : shape) {
    if (size < 0) return "a size is negative: " + shape_text(shape);
    if (size > kLargestDim) return "a size is above 2^31: " + shape_text(shape);
  }
  if (!element_count(shape)) return "it has more than 2^62 elements: " + shape_text(shape);
  return std::nullopt;
}

}  // namespace tilewright::onnx_import
