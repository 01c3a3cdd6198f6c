// SPDX-License-Identifier: Apache-2.0
// Exact integer arithmetic. Overflow throws OverflowError; it never becomes a number.
#pragma once

#include <cstdint>

#include "tilewright/base/error.h"

namespace tilewright {

namespace internal {
[[noreturn]] void fail_overflow();
}  // namespace internal

inline std::int64_t checked_mul(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) [[unlikely]]
    internal::fail_overflow();
  return result;
}

inline std::int64_t checked_add(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) [[unlikely]]
    internal::fail_overflow();
  return result;
}

/// ceil(a / b) for a >= 0, b >= 1.
constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return a / b + (a % b != 0); }

/// Positive greatest common divisor; gcd(0, 0) = 0.
constexpr std::int64_t gcd(std::int64_t a, std::int64_t b) {
  if (a < 0) a = -a;
  if (b < 0) b = -b;
  while (b != 0) {
    const std::int64_t r = a % b;
    a = b;
    b = r;
  }
  return a;
}

/// A positive rational in lowest terms: bandwidths are exact, so cycles are.
struct Rational {
  std::int64_t num = 0;
  std::int64_t den = 1;

  bool operator==(const Rational&) const = default;
};

/// The rational num/den in lowest terms; den >= 1.
Rational make_rational(std::int64_t num, std::int64_t den);

/// a * b, exact; throws OverflowError where it does not fit.
Rational operator*(const Rational& a, const Rational& b);

/// ceil(amount / rate) for amount >= 0, rate > 0; throws OverflowError where it does not fit.
std::int64_t ceil_div(std::int64_t amount, const Rational& rate);

/// The nearest double, for showing.
inline double to_double(const Rational& r) {
  return static_cast<double>(r.num) / static_cast<double>(r.den);
}

}  // namespace tilewright
