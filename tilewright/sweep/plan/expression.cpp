// SPDX-License-Identifier: Apache-2.0
#include "tilewright/sweep/plan/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "tilewright/base/error.h"
#include "tilewright/base/text/nearest.h"
#include "tilewright/base/text/printable.h"

namespace tilewright {
namespace {

constexpr const char* kCode = "S0001";
// Values of one parameter.
constexpr std::size_t kMostValues = 500'000;

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// Thrown inside the parser only.
struct Refusal {
  TextFault fault;
};

}  // namespace

class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, std::span<const std::string> names)
      : text_(text), names_(names) {}

  Expression expression() {
    Expression result;
    steps_ = &result.steps_;
    sum();
    return result;
  }

  void expect_end() {
    skip_blanks();
    if (at_ < text_.size()) refuse(at_, 1, "an operator was expected here");
  }

  // One of `signs`, longer ones first; its number.
  std::size_t relation(std::span<const std::string_view> signs) {
    skip_blanks();
    for (std::size_t i = 0; i < signs.size(); ++i) {
      if (take(signs[i])) return i;
    }
    refuse(at_, 1, "expected `<`, `<=`, `==`, `!=`, `>=` or `>`");
  }

  bool take(std::string_view word) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  [[noreturn]] void refuse(std::size_t offset, std::size_t length, std::string label,
                           std::string help = "") const {
    TextFault fault;
    fault.code = kCode;
    fault.message = in_backticks(std::string(text_)) + " cannot be read as arithmetic";
    fault.label = std::move(label);
    if (!help.empty()) fault.helps.push_back(std::move(help));
    fault.offset = std::min(offset, text_.empty() ? 0 : text_.size() - 1);
    fault.length = length;
    throw Refusal{std::move(fault)};
  }

  // A number with a unit.
  Amount amount() {
    skip_blanks();
    const bool negative = take("-");
    Amount result = number();
    if (negative) result.number.num = -result.number.num;
    return result;
  }

 private:
  using Op = Expression::Op;

  static constexpr int kMostNested = 100;

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  char next() {
    skip_blanks();
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  void add(Op op) { steps_->push_back({.op = op}); }

  void sum() {
    product();
    while (next() == '+' || next() == '-') {
      const Op op = text_[at_++] == '+' ? Op::kAdd : Op::kSubtract;
      product();
      add(op);
    }
  }

  void product() {
    factor();
    while (next() == '*' || next() == '/') {
      const Op op = text_[at_++] == '*' ? Op::kMultiply : Op::kDivide;
      factor();
      add(op);
    }
  }

  void factor() {
    if (++depth_ > kMostNested) refuse(at_, 1, "parentheses are nested too deeply");
    const char c = next();
    if (c == '(') {
      ++at_;
      sum();
      close();
    } else if (is_digit(c)) {
      steps_->push_back({.op = Op::kNumber, .number = number()});
    } else if (is_letter(c)) {
      name();
    } else {
      refuse(at_, 1, "expected a number, a parameter or `(`");
    }
    --depth_;
  }

  void close() {
    if (next() != ')') refuse(at_, 1, "expected `)`");
    ++at_;
  }

  void name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    const std::string word(text_.substr(begin, at_ - begin));
    if ((word == "min" || word == "max") && next() == '(') {
      ++at_;
      sum();
      while (next() == ',') {
        ++at_;
        sum();
        add(word == "min" ? Op::kMin : Op::kMax);
      }
      close();
      return;
    }
    const auto found = std::ranges::find(names_, word);
    if (found == names_.end()) {
      const auto meant = nearest(word, std::vector<std::string>(names_.begin(), names_.end()));
      refuse(begin, word.size(), "there is no such parameter",
             meant            ? "did you mean `" + *meant + "`?"
             : names_.empty() ? ""
                              : "the parameters are " + join_names(names_, "and"));
    }
    steps_->push_back(
        {.op = Op::kParameter, .parameter = static_cast<std::size_t>(found - names_.begin())});
  }

  Amount number() {
    skip_blanks();
    const std::size_t begin = at_;
    std::int64_t digits = 0;
    std::int64_t scale = 1;
    bool point = false;
    try {
      while (at_ < text_.size() && (is_digit(text_[at_]) || is_point())) {
        if (text_[at_] == '.') {
          point = true;
        } else {
          digits = checked_add(checked_mul(digits, 10), text_[at_] - '0');
          if (point) scale = checked_mul(scale, 10);
        }
        ++at_;
      }
    } catch (const OverflowError&) {
      refuse(begin, at_ - begin, "this number has too many digits");
    }
    if (at_ == begin) refuse(at_, 1, "expected a number");
    return {make_rational(digits, scale), unit()};
  }

  // A point inside a number, not one of the two of a range.
  bool is_point() const {
    return text_[at_] == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]);
  }

  // `KiB`, `GB/s`; empty if there is none.
  std::string unit() {
    skip_blanks();
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_letter(text_[at_])) ++at_;
    if (at_ == begin) return "";
    if (std::ranges::find(names_, text_.substr(begin, at_ - begin)) != names_.end()) {
      refuse(begin, at_ - begin, "a parameter is multiplied by `*`");
    }
    const bool per = at_ + 1 < text_.size() && text_[at_] == '/' && is_letter(text_[at_ + 1]);
    if (per) {
      ++at_;
      while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    } else if (at_ < text_.size() && is_digit(text_[at_])) {
      ++at_;  // um2
    }
    return std::string(text_.substr(begin, at_ - begin));
  }

  std::string_view text_;
  std::span<const std::string> names_;
  std::vector<Expression::Step>* steps_ = nullptr;
  std::size_t at_ = 0;
  int depth_ = 0;
};

namespace {

// What `read` returns; nothing, and the fault, if it refuses.
template <typename Read>
auto attempt(TextFault& fault, Read read) -> std::optional<decltype(read())> {
  try {
    return read();
  } catch (Refusal& refusal) {
    fault = std::move(refusal.fault);
    return std::nullopt;
  }
}

}  // namespace

std::optional<Expression> Expression::parse(std::string_view text,
                                            std::span<const std::string> names, TextFault& fault) {
  return attempt(fault, [&] {
    ExpressionParser parser(text, names);
    Expression result = parser.expression();
    parser.expect_end();
    return result;
  });
}

Amount Expression::value(std::span<const Amount> values) const {
  std::vector<Amount> stack;
  for (const Step& step : steps_) {
    if (step.op == Op::kNumber) {
      stack.push_back(step.number);
      continue;
    }
    if (step.op == Op::kParameter) {
      stack.push_back(values[step.parameter]);
      continue;
    }
    const Amount right = std::move(stack.back());
    stack.pop_back();
    Amount& left = stack.back();
    switch (step.op) {
      case Op::kAdd:
        left = left + right;
        break;
      case Op::kSubtract:
        left = left - right;
        break;
      case Op::kMultiply:
        left = left * right;
        break;
      case Op::kDivide:
        left = left / right;
        break;
      case Op::kMin:
        if (compare(right, left) < 0) left = right;
        break;
      case Op::kMax:
        if (compare(right, left) > 0) left = right;
        break;
      default:
        break;
    }
  }
  return stack.back();
}

bool Expression::uses(std::size_t parameter) const {
  return std::ranges::any_of(steps_, [&](const Step& step) {
    return step.op == Op::kParameter && step.parameter == parameter;
  });
}

std::optional<Condition> Condition::parse(std::string_view text, std::span<const std::string> names,
                                          TextFault& fault) {
  static constexpr std::array<std::string_view, 6> kSigns = {"<=", ">=", "==", "!=", "<", ">"};
  static constexpr std::array kRelations = {Relation::kAtMost, Relation::kAtLeast,
                                            Relation::kEqual,  Relation::kDifferent,
                                            Relation::kLess,   Relation::kMore};
  return attempt(fault, [&] {
    ExpressionParser parser(text, names);
    Condition result;
    result.left_ = parser.expression();
    result.relation_ = kRelations.at(parser.relation(kSigns));
    result.right_ = parser.expression();
    parser.expect_end();
    return result;
  });
}

bool Condition::holds(std::span<const Amount> values) const {
  const std::strong_ordering order = compare(left_.value(values), right_.value(values));
  switch (relation_) {
    case Relation::kLess:
      return order < 0;
    case Relation::kAtMost:
      return order <= 0;
    case Relation::kEqual:
      return order == 0;
    case Relation::kDifferent:
      return order != 0;
    case Relation::kAtLeast:
      return order >= 0;
    case Relation::kMore:
      return order > 0;
  }
  return false;
}

std::optional<std::vector<Amount>> parse_values(std::string_view text, TextFault& fault) {
  return attempt(fault, [&] {
    ExpressionParser parser(text, {});
    const Amount first = parser.amount();
    if (!parser.take("..")) {
      parser.expect_end();
      return std::vector{first};
    }
    Amount last = parser.amount();
    const bool times = parser.take(":*");
    const Amount plus_one{{1, 1}, first.unit};
    Amount step = times || parser.take(":+") ? parser.amount() : plus_one;
    parser.expect_end();
    if (!times && step.unit.empty()) step.unit = first.unit;
    if (first.unit != last.unit) parser.refuse(0, 0, "both ends of a range need the same unit");
    const bool grows = times ? compare(step, {{1, 1}, ""}) > 0 && first.number.num > 0
                             : step.unit == first.unit && step.number.num > 0;
    if (!grows) parser.refuse(0, 0, "each step must lead upwards");
    if (compare(last, first) < 0) parser.refuse(0, 0, "the range ends before it begins");
    std::vector<Amount> values;
    for (Amount now = first; compare(now, last) <= 0; now = times ? now * step : now + step) {
      if (values.size() == kMostValues) {
        parser.refuse(0, 0, fmt::format("a parameter has at most {} values", kMostValues));
      }
      values.push_back(now);
    }
    return values;
  });
}

}  // namespace tilewright
