// SPDX-License-Identifier: Apache-2.0
// The texts of quantities, as the parsers of units.h read them back.
#include <fmt/format.h>

#include <utility>

#include "tilewright/io/yaml/units.h"

namespace tilewright {
namespace {

std::string fraction(const Rational& value) {
  return value.den == 1 ? fmt::format("{}", value.num) : fmt::format("{}/{}", value.num, value.den);
}

}  // namespace

std::string write_bits(std::int64_t bits) {
  constexpr std::pair<const char*, std::int64_t> kSizes[] = {
      {"GiB", 8LL << 30}, {"MiB", 8LL << 20}, {"KiB", 8LL << 10}, {"B", 8}};
  for (const auto& [name, factor] : kSizes) {
    if (bits > 0 && bits % factor == 0) return fmt::format("{} {}", bits / factor, name);
  }
  return fmt::format("{} bit", bits);
}

std::string write_bandwidth(const Rational& bits_per_cycle) {
  return fraction(bits_per_cycle) + " bit/cycle";
}

std::string write_clock(const Rational& hz) {
  constexpr std::pair<const char*, std::int64_t> kClocks[] = {
      {"GHz", 1'000'000'000}, {"MHz", 1'000'000}, {"kHz", 1'000}};
  for (const auto& [name, factor] : kClocks) {
    if (hz.den == 1 && hz.num % factor == 0) return fmt::format("{} {}", hz.num / factor, name);
  }
  return fraction(hz) + " Hz";
}

std::string write_share(const Rational& share) {
  constexpr std::int64_t kThousandths = 100'000;  // of a percent
  const Rational fine = share * Rational{kThousandths, 1};
  if (fine.den != 1) return fraction(share);
  std::string text = fmt::format("{}.{:03}", fine.num / 1000, fine.num % 1000);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text + " %";
}

std::string write_access_energy(double pj, bool per_bit) {
  return fmt::format("{} {}", pj, per_bit ? "pJ/bit" : "pJ");
}

std::string write_figure(double value, Quantity quantity) {
  const char* unit = quantity == Quantity::kArea      ? "um2"
                     : quantity == Quantity::kLeakage ? "pJ/cycle"
                                                      : "pJ";
  return fmt::format("{} {}", value, unit);
}

}  // namespace tilewright
