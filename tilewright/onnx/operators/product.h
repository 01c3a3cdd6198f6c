// SPDX-License-Identifier: Apache-2.0
// Matrix products of all kinds as Z[b,m,n] += A[b,m,k] * B[b,k,n].
#pragma once

#include <optional>
#include <string>

#include "tilewright/onnx/graph.h"

namespace tilewright::onnx_import {

/// A batch dim that only one operand has is part of `m` or `n`: what does not tell elements of the
/// other operand apart reuses them.
struct Product {
  std::size_t left = kAbsent;
  std::size_t right = kAbsent;
  std::size_t bias = kAbsent;
  std::int64_t b = 1;
  std::int64_t m = 1;
  std::int64_t n = 1;
  std::int64_t k = 1;
  Shape shape;                             ///< of the output
  std::optional<std::int64_t> right_bits;  ///< if its type does not say (packed)
};

/// The product that a node of Handling::kProduct stands for; nothing if shapes are open, or if
/// something is `wrong`.
std::optional<Product> find_product(const Graph& graph, const GraphNode& node, std::string& wrong);

/// The same for `Einsum`; nothing, and `wrong` empty, if it is none of this form.
std::optional<Product> find_einsum_product(const Graph& graph, const GraphNode& node,
                                           std::string& wrong);

/// The subscripts of an Einsum with `...` written out, output last, one character a dim; nothing,
/// and what is `wrong`, if they do not fit the inputs. Sizes go to `sizes`, by character.
std::optional<std::vector<std::u32string>> parse_equation(const Graph& graph, const GraphNode& node,
                                                          std::map<char32_t, std::int64_t>& sizes,
                                                          std::string& wrong);

}  // namespace tilewright::onnx_import
