// SPDX-License-Identifier: Apache-2.0
#include "tilewright/timeloop/expression/expression.h"

#include <cmath>
#include <utility>

#include "tilewright/base/text/printable.h"
#include "tilewright/timeloop/expression/functions.h"
#include "tilewright/timeloop/expression/syntax.h"

namespace tilewright::timeloop {
namespace {

/// Ends the evaluation; the fault is set.
struct Stop {};

class Evaluator {
 public:
  Evaluator(const ExpressionTree& tree, const Scope& scope, Budget& budget, ExpressionFault& fault)
      : tree_(tree), scope_(scope), budget_(budget), fault_(fault) {}

  Value evaluate(std::size_t position) {
    const ExpressionNode& node = tree_.nodes[position];
    if (!budget_.spend()) fail(node, "the expression takes too many steps");
    const Level level(budget_);
    if (!level.allowed) fail(node, "expressions are nested too deeply");
    switch (node.operation) {
      case Operation::kLiteral:
        return node.value;
      case Operation::kName:
        return named(node);
      case Operation::kMember:
        return member(node, evaluate(node.children[0]), node.text);
      case Operation::kIndex:
        return indexed(node);
      case Operation::kCall:
        return called(node);
      case Operation::kDefault:
        return defaulted(node);
      case Operation::kList:
        return Value{std::shared_ptr<const List>(std::make_shared<List>(all(node)))};
      case Operation::kUnary:
        return unary(node);
      case Operation::kBinary:
        return binary(node);
      case Operation::kCompare:
        return compared(node);
      case Operation::kAnd:
      case Operation::kOr:
        return logical(node);
      case Operation::kChoice:
        return evaluate(node.children[evaluate(node.children[1]).truth() ? 0 : 2]);
    }
    return {};
  }

 private:
  /// One level deeper, as long as it lives.
  struct Level {
    explicit Level(Budget& spent) : budget(spent), allowed(spent.enter()) {}
    ~Level() { budget.leave(); }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

    Budget& budget;
    bool allowed;
  };

  [[noreturn]] void fail(const ExpressionNode& node, std::string message,
                         std::string unknown = "") {
    fault_ = {std::move(message), node.offset, std::move(unknown)};
    throw Stop{};
  }

  Value named(const ExpressionNode& node) {
    if (auto value = scope_.find(node.text, budget_)) return *std::move(value);
    if (node.text == "pi") return Value{3.14159265358979323846};
    if (node.text == "e") return Value{2.71828182845904523536};
    if (node.text == "tau") return Value{6.28318530717958647692};
    fail(node, "there is no name " + in_backticks(node.text), node.text);
  }

  Value member(const ExpressionNode& node, const Value& object, const std::string& name) {
    const auto* scope = std::get_if<std::shared_ptr<const Scope>>(&object.of);
    if (scope == nullptr) fail(node, std::string(kind_of(object)) + " has no members");
    if (auto value = (*scope)->find(name, budget_)) return *std::move(value);
    fail(node, "there is no " + in_backticks(name) + " in it");
  }

  Value indexed(const ExpressionNode& node) {
    const Value object = evaluate(node.children[0]);
    const Value index = evaluate(node.children[1]);
    if (index.text() != nullptr) return member(node, object, *index.text());
    const List* list = object.list();
    const auto at = index.whole();
    if (list == nullptr || !at) {
      fail(node,
           std::string(kind_of(object)) + " cannot be indexed with " + std::string(kind_of(index)));
    }
    const auto size = static_cast<std::int64_t>(list->size());
    const std::int64_t position = *at < 0 ? *at + size : *at;
    if (position < 0 || position >= size) fail(node, "the list is shorter than that");
    return (*list)[static_cast<std::size_t>(position)];
  }

  List all(const ExpressionNode& node) {
    List values;
    for (const std::size_t child : node.children) values.push_back(evaluate(child));
    return values;
  }

  Value called(const ExpressionNode& node) {
    const List arguments = all(node);
    std::string why;
    if (auto value = scope_.call(node.text, arguments, why)) return *std::move(value);
    if (why.empty() && !is_function(node.text)) {
      fail(node, "there is no function " + in_backticks(node.text), node.text);
    }
    if (why.empty()) {
      if (auto value = call_function(node.text, arguments, why)) return *std::move(value);
    }
    fail(node, why);
  }

  // The value, unless a name in it does not exist.
  Value defaulted(const ExpressionNode& node) {
    const ExpressionNode& first = tree_.nodes[node.children[0]];
    if (first.operation != Operation::kName) return evaluate(node.children[0]);
    if (auto value = scope_.find(first.text, budget_)) return *std::move(value);
    return evaluate(node.children[1]);
  }

  Value unary(const ExpressionNode& node) {
    const Value value = evaluate(node.children[0]);
    if (node.text == "not") return Value{!value.truth()};
    std::string why;
    const Value zero{std::int64_t{0}};
    if (auto result = apply_operator(node.text, zero, value, why)) return *std::move(result);
    fail(node, why);
  }

  Value binary(const ExpressionNode& node) {
    const Value left = evaluate(node.children[0]);
    const Value right = evaluate(node.children[1]);
    std::string why;
    if (auto result = apply_operator(node.text, left, right, why)) return *std::move(result);
    fail(node, why);
  }

  Value compared(const ExpressionNode& node) {
    const Value left = evaluate(node.children[0]);
    const Value right = evaluate(node.children[1]);
    std::string why;
    if (const auto result = compare_values(node.text, left, right, why)) return Value{*result};
    fail(node, why);
  }

  Value logical(const ExpressionNode& node) {
    Value left = evaluate(node.children[0]);
    const bool decided = left.truth() == (node.operation == Operation::kOr);
    return decided ? left : evaluate(node.children[1]);
  }

  const ExpressionTree& tree_;
  const Scope& scope_;
  Budget& budget_;
  ExpressionFault& fault_;
};

}  // namespace

std::optional<double> Value::number() const {
  if (const auto* whole = std::get_if<std::int64_t>(&of)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&of)) return *real;
  if (const auto* flag = std::get_if<bool>(&of)) return *flag ? 1 : 0;
  return std::nullopt;
}

std::optional<std::int64_t> Value::whole() const {
  if (const auto* whole = std::get_if<std::int64_t>(&of)) return *whole;
  const auto real = number();
  constexpr double kLargest = 9e18;
  if (!real || std::fabs(*real) > kLargest || *real != std::floor(*real)) return std::nullopt;
  return static_cast<std::int64_t>(*real);
}

const List* Value::list() const {
  const auto* found = std::get_if<std::shared_ptr<const List>>(&of);
  return found == nullptr ? nullptr : found->get();
}

bool Value::truth() const {
  if (const auto value = number()) return *value != 0;
  if (text() != nullptr) return !text()->empty();
  if (list() != nullptr) return !list()->empty();
  return of.index() != 0;
}

std::string_view kind_of(const Value& value) {
  if (value.number()) return "a number";
  if (value.text() != nullptr) return "a text";
  if (value.list() != nullptr) return "a list";
  return value.of.index() == 0 ? "nothing" : "a map";
}

std::string to_text(const Value& value) {
  if (const auto* flag = std::get_if<bool>(&value.of)) return *flag ? "True" : "False";
  if (const auto whole = value.whole()) return std::to_string(*whole);
  if (value.text() != nullptr) return *value.text();
  if (const auto real = value.number()) {
    std::string text(32, '\0');
    text.resize(static_cast<std::size_t>(std::snprintf(text.data(), text.size(), "%.17g", *real)));
    return text;
  }
  return value.of.index() == 0 ? "None" : std::string(kind_of(value));
}

std::optional<Value> Scope::call(std::string_view, std::span<const Value>, std::string&) const {
  return std::nullopt;
}

std::optional<Value> evaluate_expression(std::string_view text, const Scope& scope, Budget& budget,
                                         ExpressionFault& fault, Grammar grammar) {
  const auto tree = parse_expression(text, grammar, fault);
  if (!tree) return std::nullopt;
  try {
    return Evaluator(*tree, scope, budget, fault).evaluate(tree->root);
  } catch (const Stop&) {
    return std::nullopt;
  }
}

}  // namespace tilewright::timeloop
