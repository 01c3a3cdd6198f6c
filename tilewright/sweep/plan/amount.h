// SPDX-License-Identifier: Apache-2.0
// Numbers with units as parameters of a sweep have them: exact, and not yet tied to a quantity.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "tilewright/base/checked.h"
#include "tilewright/base/input_error.h"

namespace tilewright {

/// `64 KiB`, `16`, `1.5 GB/s`. The number may be negative or zero on the way to a result.
struct Amount {
  Rational number;
  std::string unit;  ///< empty: a plain number

  bool operator==(const Amount&) const = default;
};

/// Sums, differences, the smaller and the larger need equal units; a product needs a plain number,
/// and so does a quotient unless the units are equal. Each throws InputError otherwise, and
/// OverflowError.
Amount operator+(const Amount& a, const Amount& b);
Amount operator-(const Amount& a, const Amount& b);
Amount operator*(const Amount& a, const Amount& b);
Amount operator/(const Amount& a, const Amount& b);
/// Throws InputError if the units differ.
std::strong_ordering compare(const Amount& a, const Amount& b);

/// As a file has it: `64 KiB`. A number that has no end in decimals stays a fraction: `1/3`.
std::string to_text(const Amount& amount);

}  // namespace tilewright
