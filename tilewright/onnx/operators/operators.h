// SPDX-License-Identifier: Apache-2.0
// What we know of each operator. docs/onnx.md says the same for people.
#pragma once

#include <string_view>

namespace tilewright::onnx_import {

/// What becomes of a node.
enum class Handling {
  kUnknown,     ///< ignored
  kSubgraph,    ///< ignored, with all that is inside
  kConv,        ///< an einsum
  kProduct,     ///< an einsum: matrix products of all kinds
  kEinsum,      ///< an einsum, if it is one in our sense
  kAttention,   ///< two einsums and a softmax, perhaps a projection before
  kRecurrent,   ///< einsums: one over all steps, one for each, and what joins them
  kTraffic,     ///< its data passes by once
  kLookup,      ///< rows of a table pass by
  kView,        ///< the same elements under another shape
  kArrange,     ///< elements that exist already, elsewhere or in another order
  kQuantize,    ///< elementwise: fewer bits
  kDequantize,  ///< elementwise; a view if its readers make it wide as they read
  kShape,       ///< a fact about a shape
};

/// Where the shape of its output comes from.
enum class ShapeRule {
  kLibrary,      ///< libonnx
  kElementwise,  ///< libonnx, or broadcasting where it has no rule
  kFirst,        ///< that of the first input
  kQuantized,    ///< broadcasting of inputs 0 and 3
  kReduce,       ///< axes as an attribute or as an input
  kPad,          ///< axes may be an input
  kProduct,
  kEinsum,
  kAttention,
  kConcat,  ///< libonnx adds and multiplies these in 32 bits
  kSplit,
  kTile,
};

struct Operator {
  Handling handling = Handling::kUnknown;
  ShapeRule rule = ShapeRule::kLibrary;
  const char* like = nullptr;  ///< libonnx knows it under this name
  /// Each element of the output depends on one element of each input that is not broadcast.
  bool pointwise = false;
};

/// By domain ("" is the standard one) and name; kUnknown for what is in no table.
Operator find_operator(std::string_view domain, std::string_view op);

}  // namespace tilewright::onnx_import
