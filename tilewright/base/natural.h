// SPDX-License-Identifier: Apache-2.0
// Exact natural numbers of up to 512 bits, for the sizes of mapspaces. Beyond that: OverflowError.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <span>
#include <string>

#include "tilewright/base/random.h"

namespace tilewright {

class Natural {
 public:
  constexpr Natural() = default;
  constexpr Natural(std::uint64_t value)  // NOLINT(google-explicit-constructor): a number is one
      : used_(value != 0 ? 1 : 0) {
    limbs_[0] = value;
  }
  /// The number with these limbs of 64 bits, the least first.
  explicit Natural(std::span<const std::uint64_t> limbs);

  Natural& operator+=(const Natural& other);
  /// `other` must not be larger (InternalError).
  Natural& operator-=(const Natural& other);
  Natural& operator*=(const Natural& other);
  friend Natural operator+(Natural a, const Natural& b) { return a += b; }
  friend Natural operator-(Natural a, const Natural& b) { return a -= b; }
  friend Natural operator*(Natural a, const Natural& b) { return a *= b; }
  /// this += a * b.
  void add_product(const Natural& a, const Natural& b);
  void add_product(const Natural& a, std::uint64_t b) { add_product(a.limbs(), b); }
  /// The same; `a` in limbs.
  void add_product(std::span<const std::uint64_t> a, std::uint64_t b);

  struct Division;
  /// Quotient and remainder; `divisor` >= 1 (InternalError).
  Division divide(const Natural& divisor) const;

  bool is_zero() const { return used_ == 0; }
  /// 64 bits each, the least first; the last is not 0.
  std::span<const std::uint64_t> limbs() const {
    return std::span(limbs_).first(static_cast<std::size_t>(used_));
  }
  /// Bits needed to write it; 0 for 0.
  int bits() const;
  /// The nearest double or one next to it.
  double to_double() const;
  /// Throws OverflowError if it does not fit.
  std::uint64_t to_uint64() const;
  /// In decimal.
  std::string to_string() const;

  friend bool operator==(const Natural& a, const Natural& b) { return (a <=> b) == 0; }
  friend std::strong_ordering operator<=>(const Natural& a, const Natural& b);

 private:
  static constexpr int kLimbs = 8;
  void trim();

  std::array<std::uint64_t, kLimbs> limbs_{};  // least first; those from used_ on are 0
  int used_ = 0;
};

struct Natural::Division {
  Natural quotient;
  Natural remainder;
};

/// k! and n over k.
Natural factorial(int k);
Natural binomial(int n, int k);

/// Uniform in [0, bound); bound >= 1.
Natural random_below(const Natural& bound, Random& random);

}  // namespace tilewright
