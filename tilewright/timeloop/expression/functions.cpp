// SPDX-License-Identifier: Apache-2.0
#include "tilewright/timeloop/expression/functions.h"

#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

namespace tilewright::timeloop {
namespace {

constexpr std::size_t kLongestText = 4096;
constexpr std::int64_t kLongestList = 10'000;

std::optional<Value> fail(std::string& why, std::string reason) {
  why = std::move(reason);
  return std::nullopt;
}

std::optional<Value> whole_value(std::int64_t value) { return Value{value}; }
std::optional<Value> real_value(double value, std::string& why) {
  if (!std::isfinite(value)) return fail(why, "the result is not a finite number");
  return Value{value};
}

// A bool counts as 0 or 1.
const std::int64_t* integer_of(const Value& value, std::int64_t& store) {
  if (const auto* whole = std::get_if<std::int64_t>(&value.of)) return whole;
  if (const auto* flag = std::get_if<bool>(&value.of)) {
    store = *flag ? 1 : 0;
    return &store;
  }
  return nullptr;
}

std::optional<std::int64_t> floor_divide(std::int64_t a, std::int64_t b) {
  if (b == 0 || (b == -1 && a == INT64_MIN)) return std::nullopt;
  const std::int64_t quotient = a / b;
  return quotient - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0);
}

// Stops as soon as the result is too large, so that `9**9**9` takes no time.
std::optional<std::int64_t> integer_power(std::int64_t base, std::int64_t exponent) {
  std::int64_t result = 1;
  if (base == 0 || base == 1) return exponent == 0 ? 1 : base;
  if (base == -1) return exponent % 2 == 0 ? 1 : -1;
  for (std::int64_t i = 0; i < exponent; ++i) {
    if (__builtin_mul_overflow(result, base, &result)) return std::nullopt;
  }
  return result;
}

std::optional<Value> whole_operation(std::string_view sign, std::int64_t a, std::int64_t b,
                                     std::string& why) {
  std::int64_t result = 0;
  bool overflow = false;
  if (sign == "+") {
    overflow = __builtin_add_overflow(a, b, &result);
  } else if (sign == "-") {
    overflow = __builtin_sub_overflow(a, b, &result);
  } else if (sign == "*") {
    overflow = __builtin_mul_overflow(a, b, &result);
  } else if (sign == "**") {
    const auto power = integer_power(a, b);
    overflow = !power;
    result = power.value_or(0);
  } else {
    if (b == 0) return fail(why, "division by zero");
    const auto quotient = floor_divide(a, b);
    overflow = !quotient;
    result = sign == "//" ? quotient.value_or(0) : a - quotient.value_or(0) * b;
  }
  if (overflow) return fail(why, "the result is too large");
  return whole_value(result);
}

std::optional<Value> real_operation(std::string_view sign, double a, double b, std::string& why) {
  if (sign == "+") return real_value(a + b, why);
  if (sign == "-") return real_value(a - b, why);
  if (sign == "*") return real_value(a * b, why);
  if (sign == "**") return real_value(std::pow(a, b), why);
  if (b == 0) return fail(why, "division by zero");
  if (sign == "/") return real_value(a / b, why);
  if (sign == "//") return real_value(std::floor(a / b), why);
  return real_value(a - std::floor(a / b) * b, why);
}

std::optional<Value> joined_text(const std::string& left, const std::string& right,
                                 std::string& why) {
  if (left.size() + right.size() > kLongestText) return fail(why, "the text becomes too long");
  return Value{left + right};
}

using RealFunction = double (*)(double);

struct NamedFunction {
  std::string_view name;
  RealFunction function;
};

constexpr std::array<NamedFunction, 24> kRealFunctions = {{
    {"log", [](double x) { return std::log(x); }},
    {"log2", [](double x) { return std::log2(x); }},
    {"log10", [](double x) { return std::log10(x); }},
    {"log1p", [](double x) { return std::log1p(x); }},
    {"exp", [](double x) { return std::exp(x); }},
    {"expm1", [](double x) { return std::expm1(x); }},
    {"sqrt", [](double x) { return std::sqrt(x); }},
    {"fabs", [](double x) { return std::fabs(x); }},
    {"sin", [](double x) { return std::sin(x); }},
    {"cos", [](double x) { return std::cos(x); }},
    {"tan", [](double x) { return std::tan(x); }},
    {"asin", [](double x) { return std::asin(x); }},
    {"acos", [](double x) { return std::acos(x); }},
    {"atan", [](double x) { return std::atan(x); }},
    {"sinh", [](double x) { return std::sinh(x); }},
    {"cosh", [](double x) { return std::cosh(x); }},
    {"tanh", [](double x) { return std::tanh(x); }},
    {"asinh", [](double x) { return std::asinh(x); }},
    {"acosh", [](double x) { return std::acosh(x); }},
    {"atanh", [](double x) { return std::atanh(x); }},
    {"erf", [](double x) { return std::erf(x); }},
    {"erfc", [](double x) { return std::erfc(x); }},
    {"degrees", [](double x) { return x * (180 / 3.14159265358979323846); }},
    {"radians", [](double x) { return x * (3.14159265358979323846 / 180); }},
}};

constexpr std::array<std::string_view, 21> kOtherFunctions = {
    "ceil", "floor", "trunc",     "round", "abs", "min",   "max", "sum",  "prod", "len",  "int",
    "bool", "str",   "factorial", "float", "pow", "isqrt", "gcd", "fmod", "list", "range"};

std::optional<Value> to_whole(double value, std::string& why) {
  if (!(std::fabs(value) < 9.2e18)) return fail(why, "the result is too large");
  return whole_value(static_cast<std::int64_t>(value));
}

// Half to even, as Python has it.
std::optional<Value> rounded(std::span<const Value> arguments, double value, std::string& why) {
  if (arguments.size() == 1) return to_whole(std::nearbyint(value), why);
  const auto digits = arguments[1].whole();
  if (!digits || *digits < 0 || *digits > 15) return fail(why, "`round` takes 0 to 15 digits");
  const double scale = std::pow(10.0, static_cast<double>(*digits));
  return real_value(std::nearbyint(value * scale) / scale, why);
}

// The least, greatest, sum or product of some values.
std::optional<Value> reduced(std::string_view name, std::span<const Value> values,
                             std::string& why) {
  if (values.empty() && (name == "min" || name == "max")) {
    return fail(why, "`" + std::string(name) + "` of nothing");
  }
  Value result{std::int64_t{name == "prod" ? 1 : 0}};
  bool first = true;
  for (const Value& value : values) {
    if (name == "sum" || name == "prod") {
      const auto next = apply_operator(name == "sum" ? "+" : "*", result, value, why);
      if (!next) return std::nullopt;
      result = *next;
      continue;
    }
    const auto better =
        first ? std::optional(true) : compare_values(name == "min" ? "<" : ">", value, result, why);
    if (!better) return std::nullopt;
    if (*better) result = value;
    first = false;
  }
  return result;
}

std::optional<Value> length_of(const Value& value, std::string& why) {
  if (const List* list = value.list()) return whole_value(static_cast<std::int64_t>(list->size()));
  if (const std::string* text = value.text()) {
    return whole_value(static_cast<std::int64_t>(text->size()));
  }
  if (const auto* scope = std::get_if<std::shared_ptr<const Scope>>(&value.of)) {
    return whole_value(static_cast<std::int64_t>((*scope)->size()));
  }
  return fail(why, std::string(kind_of(value)) + " has no length");
}

std::optional<Value> range_of(std::span<const Value> arguments, std::string& why) {
  const auto first = arguments.size() == 1 ? std::optional<std::int64_t>(0) : arguments[0].whole();
  const auto last = arguments.back().whole();
  if (!first || !last) return fail(why, "`range` takes one or two whole numbers");
  std::int64_t count = 0;
  if (__builtin_sub_overflow(*last, *first, &count) || count > kLongestList) {
    return fail(why, "the list becomes too long");
  }
  auto list = std::make_shared<List>();
  for (std::int64_t i = 0; i < count; ++i) list->push_back({*first + i});
  return Value{std::shared_ptr<const List>(std::move(list))};
}

// Functions of one number.
std::optional<Value> of_number(std::string_view name, std::span<const Value> arguments,
                               std::string& why) {
  const Value& first = arguments.front();
  std::int64_t store = 0;
  const std::int64_t* whole = integer_of(first, store);
  const bool rounds = name == "ceil" || name == "floor" || name == "trunc" || name == "int";
  if (rounds && whole != nullptr) return whole_value(*whole);
  if (name == "round" && whole != nullptr) return whole_value(*whole);
  if (name == "abs" && whole != nullptr) {
    return *whole >= 0 ? whole_value(*whole) : whole_operation("-", 0, *whole, why);
  }
  const auto number = first.number();
  if (!number) {
    return fail(why,
                "`" + std::string(name) + "` takes a number, not " + std::string(kind_of(first)));
  }
  if (name == "float") return real_value(*number, why);
  if (name == "abs") return real_value(std::fabs(*number), why);
  if (name == "ceil") return to_whole(std::ceil(*number), why);
  if (name == "floor") return to_whole(std::floor(*number), why);
  if (name == "round") return rounded(arguments, *number, why);
  return to_whole(std::trunc(*number), why);
}

// Functions of whole numbers.
std::optional<Value> of_integers(std::string_view name, std::span<const Value> arguments,
                                 std::string& why) {
  const auto first = arguments.front().whole();
  const auto second = arguments.back().whole();
  if (!first || !second || *first < 0 || *second < 0) {
    return fail(why, "`" + std::string(name) + "` takes whole numbers from 0 up");
  }
  if (name == "gcd") return whole_value(std::gcd(*first, *second));
  if (name == "isqrt") {
    auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(*first)));
    while (root > 0 && root > *first / root) --root;
    while ((root + 1) <= *first / (root + 1)) ++root;
    return whole_value(root);
  }
  std::int64_t result = 1;
  for (std::int64_t i = 2; i <= *first; ++i) {
    if (__builtin_mul_overflow(result, i, &result)) return fail(why, "the result is too large");
  }
  return whole_value(result);
}

bool takes(std::string_view name, std::size_t count) {
  if (name == "min" || name == "max") return count >= 1;
  if (name == "gcd" || name == "pow" || name == "fmod") return count == 2;
  if (name == "round" || name == "range" || name == "log") return count == 1 || count == 2;
  return count == 1;
}

}  // namespace

std::optional<Value> apply_operator(std::string_view sign, const Value& left, const Value& right,
                                    std::string& why) {
  if (sign == "~") return joined_text(to_text(left), to_text(right), why);
  if (sign == "+" && left.text() != nullptr && right.text() != nullptr) {
    return joined_text(*left.text(), *right.text(), why);
  }
  std::int64_t left_store = 0;
  std::int64_t right_store = 0;
  const std::int64_t* a = integer_of(left, left_store);
  const std::int64_t* b = integer_of(right, right_store);
  const bool whole = a != nullptr && b != nullptr && sign != "/" && !(sign == "**" && *b < 0);
  if (whole) return whole_operation(sign, *a, *b, why);
  const auto x = left.number();
  const auto y = right.number();
  if (!x || !y) {
    return fail(why, "`" + std::string(sign) + "` takes numbers, not " +
                         std::string(kind_of(x ? right : left)));
  }
  return real_operation(sign, *x, *y, why);
}

std::optional<bool> compare_values(std::string_view sign, const Value& left, const Value& right,
                                   std::string& why) {
  int order = 0;  // of left against right; 2: not comparable
  const auto x = left.number();
  const auto y = right.number();
  if (x && y) {
    order = *x < *y ? -1 : (*x > *y ? 1 : 0);
  } else if (left.text() != nullptr && right.text() != nullptr) {
    const int compared = left.text()->compare(*right.text());
    order = compared < 0 ? -1 : (compared > 0 ? 1 : 0);
  } else {
    order = left.of.index() == 0 && right.of.index() == 0 ? 0 : 2;
  }
  if (sign == "==") return order == 0;
  if (sign == "!=") return order != 0;
  if (order == 2) {
    why =
        std::string(kind_of(left)) + " and " + std::string(kind_of(right)) + " cannot be compared";
    return std::nullopt;
  }
  if (sign == "<") return order < 0;
  if (sign == "<=") return order <= 0;
  if (sign == ">") return order > 0;
  return order >= 0;
}

bool is_function(std::string_view name) {
  for (const NamedFunction& one : kRealFunctions) {
    if (one.name == name) return true;
  }
  for (const std::string_view one : kOtherFunctions) {
    if (one == name) return true;
  }
  return false;
}

std::optional<Value> call_function(std::string_view name, std::span<const Value> arguments,
                                   std::string& why) {
  if (!takes(name, arguments.size())) {
    return fail(why, "`" + std::string(name) + "` takes another number of values");
  }
  const Value& first = arguments.front();
  for (const NamedFunction& one : kRealFunctions) {
    if (one.name != name) continue;
    const auto number = first.number();
    if (!number) return fail(why, "`" + std::string(name) + "` takes a number");
    if (arguments.size() == 1) return real_value(one.function(*number), why);
    const auto base = arguments[1].number();
    if (!base) return fail(why, "the base of a logarithm is a number");
    return real_value(std::log(*number) / std::log(*base), why);
  }
  if (name == "min" || name == "max" || name == "sum" || name == "prod") {
    const List* list = arguments.size() == 1 ? first.list() : nullptr;
    if (list != nullptr) return reduced(name, *list, why);
    if (name == "sum" || name == "prod") return fail(why, "`sum` and `prod` take a list");
    return reduced(name, arguments, why);
  }
  if (name == "len") return length_of(first, why);
  if (name == "bool") return Value{first.truth()};
  if (name == "str") return Value{to_text(first)};
  if (name == "list")
    return first.list() != nullptr ? std::optional(first) : fail(why, "not a list");
  if (name == "pow") return apply_operator("**", first, arguments[1], why);
  if (name == "fmod") return apply_operator("%", first, arguments[1], why);
  if (name == "range") return range_of(arguments, why);
  if (name == "gcd" || name == "isqrt" || name == "factorial") {
    return of_integers(name, arguments, why);
  }
  return of_number(name, arguments, why);
}

}  // namespace tilewright::timeloop
