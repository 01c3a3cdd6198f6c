// SPDX-License-Identifier: Apache-2.0
#include "tilewright/format/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tilewright {
namespace {

// Puts separators into the digits before the point.
std::string separate(const std::string& digits) {
  const std::size_t start = digits.starts_with('-') ? 1 : 0;
  const std::size_t end = std::min(digits.find('.'), digits.size());
  std::string result = digits.substr(0, start);
  for (std::size_t i = start; i < end; ++i) {
    if (i > start && (end - i) % 3 == 0) result += ',';
    result += digits[i];
  }
  return result + digits.substr(end);
}

}  // namespace

std::string count_text(std::int64_t value) { return separate(fmt::format("{}", value)); }

std::string count_text(const Natural& value) { return separate(value.to_string()); }

std::string power_text(const Natural& value) {
  constexpr std::size_t kAll = 6;
  const std::string digits = value.to_string();
  if (digits.size() <= kAll) return separate(digits);
  std::size_t exponent = digits.size() - 1;
  int first = std::stoi(digits.substr(0, 3)) + (digits[3] >= '5' ? 1 : 0);
  if (first == 1000) {
    first = 100;
    ++exponent;
  }
  return fmt::format("{}.{:02} x 10^{}", first / 100, first % 100, exponent);
}

std::string short_count_text(std::int64_t value) {
  if (value < 10'000) return count_text(value);
  constexpr std::array<char, 6> kSuffixes = {'k', 'M', 'G', 'T', 'P', 'E'};
  double scaled = static_cast<double>(value) / 1e3;
  std::size_t suffix = 0;
  while (scaled >= 999.95 && suffix + 1 < kSuffixes.size()) {
    scaled /= 1e3;
    ++suffix;
  }
  return significant_text(scaled, 4) + kSuffixes[suffix];
}

std::string significant_text(double value, int digits) {
  if (value == 0 || !std::isfinite(value)) return fmt::format("{:g}", value);
  // The exponent after rounding: 9.996 with three digits is 10.0.
  const std::string rounded = fmt::format("{:.{}e}", value, digits - 1);
  const int exponent = std::stoi(rounded.substr(rounded.find('e') + 1));
  if (exponent < -6 || exponent > 14) return fmt::format("{:.{}e}", value, digits - 1);
  return separate(fmt::format("{:.{}f}", value, std::max(0, digits - 1 - exponent)));
}

std::string fixed_text(double value, int decimals) {
  if (value == 0) return "0";
  const double least = std::pow(10.0, -decimals);
  if (value > 0 && value < least / 2) return fmt::format("<{:.{}f}", least, decimals);
  return separate(fmt::format("{:.{}f}", value, decimals));
}

std::string si_text(double value, const std::string& unit, int digits) {
  constexpr std::array<const char*, 13> kPrefixes = {"a", "f", "p", "n", "u", "m", "",
                                                     "k", "M", "G", "T", "P", "E"};
  constexpr int kNone = 6;
  if (value == 0 || !std::isfinite(value)) return fmt::format("{:g} {}", value, unit);
  const std::string rounded = fmt::format("{:.{}e}", value, digits - 1);
  const int exponent = std::stoi(rounded.substr(rounded.find('e') + 1));
  const int thousands = static_cast<int>(std::floor(exponent / 3.0));
  const int last = static_cast<int>(kPrefixes.size()) - 1;
  const int prefix = std::clamp(thousands + kNone, 0, last);
  const double scaled = value / std::pow(1000.0, prefix - kNone);
  return significant_text(scaled, digits) + " " + kPrefixes[static_cast<std::size_t>(prefix)] +
         unit;
}

std::string energy_text(double picojoule) { return si_text(picojoule * 1e-12, "J"); }

std::string percent_text(double fraction) {
  const double percent = fraction * 100;
  if (percent == 0) return "0 %";
  if (percent == 100) return "100 %";
  if (percent > 0 && percent < 0.1) return "<0.1 %";
  if (percent > 99.9 && percent < 100) return "99.9 %";
  if (percent >= 999.95) return count_text(std::llround(percent)) + " %";
  return fmt::format("{:.1f} %", percent);
}

std::string ratio_text(double ratio) {
  if (ratio >= 999.5 && ratio < 1e15) return count_text(std::llround(ratio)) + "x";
  return significant_text(ratio, 3) + "x";
}

std::string bits_text(std::int64_t bits) {
  constexpr std::array<const char*, 4> kUnits = {"B", "KiB", "MiB", "GiB"};
  if (bits % 8 != 0 || bits < 64) return count_text(bits) + " bit";
  double size = static_cast<double>(bits) / 8;
  std::size_t unit = 0;
  while (size >= 1024 && unit + 1 < kUnits.size()) {
    size /= 1024;
    ++unit;
  }
  return fmt::format("{:.4g} {}", size, kUnits[unit]);
}

std::string rational_text(const Rational& value) {
  if (value.den == 1) return count_text(value.num);
  return fmt::format("{:.4g}", to_double(value));
}

std::string plural_text(std::int64_t count, const std::string& noun) {
  return count_text(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace tilewright
