// SPDX-License-Identifier: Apache-2.0
// An expression as a tree.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/timeloop/expression/expression.h"

namespace tilewright::timeloop {

enum class Operation {
  kLiteral,
  kName,
  kMember,   ///< children: object; text: the member
  kIndex,    ///< children: object, index
  kCall,     ///< text: the function; children: arguments
  kDefault,  ///< children: value, what it is if it does not exist
  kList,
  kUnary,    ///< text: - + not
  kBinary,   ///< text: the operator
  kCompare,  ///< text: the operator
  kAnd,
  kOr,
  kChoice,  ///< children: then, condition, otherwise
};

/// One node; children are positions in ExpressionTree::nodes.
struct ExpressionNode {
  Operation operation = Operation::kLiteral;
  std::size_t offset = 0;
  std::string text;
  Value value;
  std::vector<std::size_t> children;
};

struct ExpressionTree {
  std::vector<ExpressionNode> nodes;
  std::size_t root = 0;
};

std::optional<ExpressionTree> parse_expression(std::string_view text, Grammar grammar,
                                               ExpressionFault& fault);

}  // namespace tilewright::timeloop
