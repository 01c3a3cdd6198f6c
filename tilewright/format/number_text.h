// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them: thousands separators, SI prefixes, percentages. Same bytes on every
// machine: no locale is looked at.
#pragma once

#include <cstdint>
#include <string>

#include "tilewright/base/checked.h"
#include "tilewright/base/natural.h"

namespace tilewright {

/// All digits: `10,838,016`.
std::string count_text(std::int64_t value);

/// The same for sizes of mapspaces, and in three digits: `4.65 x 10^16`; below a million all of
/// them.
std::string count_text(const Natural& value);
std::string power_text(const Natural& value);

/// Four digits and a suffix from ten thousand on: `1.355G`; below that all digits.
std::string short_count_text(std::int64_t value);

/// `digits` significant digits without an exponent where that is sensible: `5.470`, `12,345`.
std::string significant_text(double value, int digits);

/// `decimals` digits after the point, so that a column lines up; `<0.01` for less than it shows.
std::string fixed_text(double value, int decimals);

/// `value` in `unit` with the SI prefix that leaves 1 to 999 before the point: `59.28 uJ`.
std::string si_text(double value, const std::string& unit, int digits = 4);

/// An energy in J: `59.28 uJ`.
std::string energy_text(double picojoule);

/// `75.0 %`. Only exactly 1 is `100 %` and only exactly 0 is `0 %`: `99.9 %`, `<0.1 %`.
std::string percent_text(double fraction);

/// `16.0x`, `1.04x`, `1,234x`.
std::string ratio_text(double ratio);

/// A size with the largest binary unit that keeps it readable: `128 KiB`, `24 bit`.
std::string bits_text(std::int64_t bits);

/// An exact rational in at most four digits: `16`, `2.667`.
std::string rational_text(const Rational& value);

/// `1 unit`, `3 units`.
std::string plural_text(std::int64_t count, const std::string& noun);

}  // namespace tilewright
