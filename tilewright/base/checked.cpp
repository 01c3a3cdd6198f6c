// SPDX-License-Identifier: Apache-2.0
#include "tilewright/base/checked.h"

namespace tilewright {

void internal::fail_overflow() { throw OverflowError("an exact count does not fit in 64 bits"); }

Rational make_rational(std::int64_t num, std::int64_t den) {
  TW_CHECK(den >= 1, "a rational has a positive denominator");
  const std::int64_t g = gcd(num, den);
  return g == 0 ? Rational{0, 1} : Rational{num / g, den / g};
}

Rational operator*(const Rational& a, const Rational& b) {
  const Rational left = make_rational(a.num, b.den);
  const Rational right = make_rational(b.num, a.den);
  return {checked_mul(left.num, right.num), checked_mul(left.den, right.den)};
}

std::int64_t ceil_div(std::int64_t amount, const Rational& rate) {
  TW_CHECK(rate.num > 0, "a rate is positive");
  const __int128 top = static_cast<__int128>(amount) * rate.den;
  const __int128 result = top / rate.num + (top % rate.num != 0);
  if (result > INT64_MAX) internal::fail_overflow();
  return static_cast<std::int64_t>(result);
}

}  // namespace tilewright
