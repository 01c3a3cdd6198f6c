// SPDX-License-Identifier: Apache-2.0
// Arithmetic over the parameters of a sweep: `8 KiB * x`, `x * y <= 168`.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/io/yaml/fault.h"
#include "tilewright/sweep/plan/amount.h"

namespace tilewright {

/// Sums, products, quotients, `min`, `max` and parentheses over numbers with units and parameters.
class Expression {
 public:
  /// Nothing, and a fault, if the text is none. `names` are those of the parameters.
  static std::optional<Expression> parse(std::string_view text, std::span<const std::string> names,
                                         TextFault& fault);

  /// `values`: one for each name. Throws InputError where units do not fit or something is divided
  /// by zero, and OverflowError.
  Amount value(std::span<const Amount> values) const;

  /// Whether it depends on the parameter of that number.
  bool uses(std::size_t parameter) const;

 private:
  friend class ExpressionParser;

  enum class Op { kNumber, kParameter, kAdd, kSubtract, kMultiply, kDivide, kMin, kMax };
  // In the order of evaluation: operands come before their operator.
  struct Step {
    Op op = Op::kNumber;
    Amount number = {};
    std::size_t parameter = 0;
  };

  std::vector<Step> steps_;
};

/// Two expressions and how they must compare.
class Condition {
 public:
  static std::optional<Condition> parse(std::string_view text, std::span<const std::string> names,
                                        TextFault& fault);

  /// Throws as Expression::value does.
  bool holds(std::span<const Amount> values) const;

  bool uses(std::size_t parameter) const { return left_.uses(parameter) || right_.uses(parameter); }

 private:
  enum class Relation { kLess, kAtMost, kEqual, kDifferent, kAtLeast, kMore };

  Expression left_;
  Relation relation_ = Relation::kEqual;
  Expression right_;
};

/// The values of a parameter: `2..16`, `2..16:+2`, `8 KiB..256 KiB:*2`, or one number with a unit.
std::optional<std::vector<Amount>> parse_values(std::string_view text, TextFault& fault);

}  // namespace tilewright
