// SPDX-License-Identifier: Apache-2.0
#include "tilewright/timeloop/expression/expression.h"

#include <gtest/gtest.h>

#include <chrono>
#include <map>

namespace tilewright::timeloop {
namespace {

/// Names with values, and one that refers to itself without end.
class Names : public Scope {
 public:
  std::optional<Value> find(std::string_view name, Budget& budget) const override {
    if (name == "endless") {
      ExpressionFault fault;
      return evaluate_expression("endless + endless", *this, budget, fault);
    }
    const auto it = values.find(name);
    if (it == values.end()) return std::nullopt;
    return it->second;
  }
  std::size_t size() const override { return values.size(); }

  std::map<std::string, Value, std::less<>> values{
      {"depth", {std::int64_t{192}}}, {"zero", {std::int64_t{0}}}, {"word", {std::string("abc")}}};
};

std::string text_of(std::string_view expression, Grammar grammar = Grammar::kPython) {
  Names names;
  names.values["spec"] = {std::shared_ptr<const Scope>(std::make_shared<Names>())};
  Budget budget;
  ExpressionFault fault;
  const auto value = evaluate_expression(expression, names, budget, fault, grammar);
  if (!value) return "fault: " + fault.message;
  return to_text(*value);
}

TEST(Expression, Arithmetic) {
  EXPECT_EQ(text_of("1 + 2 * 3"), "7");
  EXPECT_EQ(text_of("2 ** 3 ** 2"), "512");
  EXPECT_EQ(text_of("-2 ** 2"), "-4");
  EXPECT_EQ(text_of("2 ** -1"), "0.5");
  EXPECT_EQ(text_of("7 // 2"), "3");
  EXPECT_EQ(text_of("-7 // 2"), "-4");
  EXPECT_EQ(text_of("-7 % 3"), "2");
  EXPECT_EQ(text_of("7 / 2"), "3.5");
  EXPECT_EQ(text_of("8 / 2"), "4");
  EXPECT_EQ(text_of("1e-9 * 1e9"), "1");
  EXPECT_EQ(text_of("(1 + 2) * (3 + 4)"), "21");
  EXPECT_EQ(text_of("1 < 2 and not 2 < 1"), "True");
  EXPECT_EQ(text_of("None == None"), "True");
}

TEST(Expression, FunctionsAndNames) {
  EXPECT_EQ(text_of("max(1, ceil(log2(depth))) if depth >= 1 else 1"), "8");
  EXPECT_EQ(text_of("max(1, ceil(log2(zero))) if zero >= 1 else 1"), "1");
  EXPECT_EQ(text_of("len(spec)"), "3");
  EXPECT_EQ(text_of("spec.depth + spec[\"depth\"]"), "384");
  EXPECT_EQ(text_of("[1, 2, 3][-1] + sum(range(4))"), "9");
  EXPECT_EQ(text_of("word + 'd'"), "abcd");
  EXPECT_EQ(text_of("min([4, 2, 3])"), "2");
  EXPECT_EQ(text_of("round(2.5) + isqrt(17) + gcd(12, 18)"), "12");
  EXPECT_EQ(text_of("pow(2, 10) + factorial(4)"), "1048");
}

TEST(Expression, Jinja) {
  EXPECT_EQ(text_of("missing|default(5)", Grammar::kJinja), "5");
  EXPECT_EQ(text_of("depth|default(5)", Grammar::kJinja), "192");
  EXPECT_EQ(text_of("'a' ~ '/' ~ word", Grammar::kJinja), "a/abc");
  EXPECT_EQ(text_of("'a' ~ 'b'"), "fault: the expression should end here");
}

TEST(Expression, Faults) {
  EXPECT_EQ(text_of("nothing + 1"), "fault: there is no name `nothing`");
  EXPECT_EQ(text_of("open('x')"), "fault: there is no function `open`");
  EXPECT_EQ(text_of("1 +"), "fault: the expression ends too early");
  EXPECT_EQ(text_of("1 / 0"), "fault: division by zero");
  EXPECT_EQ(text_of("word * 2"), "fault: `*` takes numbers, not a text");
  EXPECT_EQ(text_of("log2(0)"), "fault: the result is not a finite number");
  EXPECT_EQ(text_of("\"abc"), "fault: this quote is never closed");
  EXPECT_EQ(text_of("min()"), "fault: `min` takes another number of values");
  EXPECT_EQ(text_of("word.__class__"), "fault: a text has no members");
  EXPECT_EQ(text_of("1; 2"), "fault: this character has no meaning here");
}

// What would take a Python interpreter for ever, or much memory.
TEST(Expression, EndsSoon) {
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(text_of("9**9**9"), "fault: the result is too large");
  EXPECT_EQ(text_of("9.0**9**9"), "fault: the result is not a finite number");
  EXPECT_EQ(text_of("factorial(1000000000)"), "fault: the result is too large");
  EXPECT_EQ(text_of("range(10**15)"), "fault: the list becomes too long");
  EXPECT_TRUE(text_of("endless").starts_with("fault: "));
  EXPECT_EQ(text_of(std::string(2000, '(')), "fault: the expression is nested too deeply");
  EXPECT_EQ(text_of(std::string(2000, '-') + "1"), "fault: the expression is nested too deeply");
  EXPECT_EQ(text_of(std::string(5000, '1')),
            "fault: the expression is longer than 4096 characters");
  std::string sum = "1";
  while (sum.size() < 4000) sum += "+1";
  EXPECT_EQ(text_of(sum), "fault: expressions are nested too deeply");
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  EXPECT_LT(took.count(), 1.0);  // under 0.1 s on a free machine
}

}  // namespace
}  // namespace tilewright::timeloop
