// SPDX-License-Identifier: Apache-2.0
#include "tilewright/sweep/plan/amount.h"

#include <fmt/format.h>

namespace tilewright {
namespace {

Rational negated(const Rational& a) { return {checked_mul(a.num, -1), a.den}; }

Rational sum(const Rational& a, const Rational& b) {
  return make_rational(checked_add(checked_mul(a.num, b.den), checked_mul(b.num, a.den)),
                       checked_mul(a.den, b.den));
}

void demand_equal_units(const Amount& a, const Amount& b, const char* what) {
  if (a.unit == b.unit) return;
  throw InputError(fmt::format("{} and {} have different units, so they cannot be {}", to_text(a),
                               to_text(b), what));
}

}  // namespace

Amount operator+(const Amount& a, const Amount& b) {
  demand_equal_units(a, b, "added");
  return {sum(a.number, b.number), a.unit};
}

Amount operator-(const Amount& a, const Amount& b) {
  demand_equal_units(a, b, "subtracted");
  return {sum(a.number, negated(b.number)), a.unit};
}

Amount operator*(const Amount& a, const Amount& b) {
  if (!a.unit.empty() && !b.unit.empty()) {
    throw InputError(fmt::format("{} and {} both have a unit, so they cannot be multiplied",
                                 to_text(a), to_text(b)));
  }
  return {a.number * b.number, a.unit.empty() ? b.unit : a.unit};
}

Amount operator/(const Amount& a, const Amount& b) {
  if (b.number.num == 0) throw InputError(to_text(a) + " is divided by 0");
  if (!b.unit.empty() && a.unit != b.unit) {
    throw InputError(
        fmt::format("{} cannot be divided by {}: the units differ", to_text(a), to_text(b)));
  }
  const std::int64_t sign = b.number.num < 0 ? -1 : 1;
  const Rational inverse = {sign * b.number.den, sign * b.number.num};
  return {a.number * inverse, b.unit.empty() ? a.unit : ""};
}

std::strong_ordering compare(const Amount& a, const Amount& b) {
  demand_equal_units(a, b, "compared");
  return checked_mul(a.number.num, b.number.den) <=> checked_mul(b.number.num, a.number.den);
}

std::string to_text(const Amount& amount) {
  auto [num, den] = amount.number;
  std::int64_t rest = den;
  int twos = 0;
  int fives = 0;
  for (; rest % 2 == 0; rest /= 2) ++twos;
  for (; rest % 5 == 0; rest /= 5) ++fives;
  std::string text;
  constexpr int kMostDecimals = 15;
  const int decimals = std::max(twos, fives);
  if (rest == 1 && decimals <= kMostDecimals) {
    std::int64_t scale = 1;
    for (int i = 0; i < decimals; ++i) scale = checked_mul(scale, 10);
    const std::int64_t scaled = checked_mul(num, scale / den);
    const std::int64_t whole = scaled / scale;
    const std::int64_t part = scaled < 0 ? -(scaled % scale) : scaled % scale;
    text = fmt::format("{}{}", num < 0 && whole == 0 ? "-" : "", whole);
    if (decimals > 0) text += fmt::format(".{:0{}}", part, decimals);
  } else {
    text = fmt::format("{}/{}", num, den);
  }
  return amount.unit.empty() ? text : text + " " + amount.unit;
}

}  // namespace tilewright
