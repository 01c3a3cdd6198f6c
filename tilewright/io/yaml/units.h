// SPDX-License-Identifier: Apache-2.0
// Numbers with units, exactly: `128 KiB` is 1048576 bits, `25.6 GB/s` at 200 MHz is 1024 bits a
// cycle. Decimal text becomes a rational, never a rounded one; only energies and areas are doubles.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/base/checked.h"
#include "tilewright/io/yaml/fault.h"

namespace tilewright {

/// What is measured; each has units of its own. The unit of kBits (a size), kElements and kBudget
/// (mappings, nodes or a time) may be left out. The last four are for the command line.
enum class Quantity {
  kSize,
  kBits,
  kBandwidth,
  kEnergy,
  kAccessEnergy,
  kLeakage,
  kArea,
  kClock,
  kTotalEnergy,
  kLatency,
  kElements,
  kBudget,
};

/// What some units mean depends on where they stand.
struct UnitContext {
  std::optional<std::int64_t> word_bits;  ///< `word`; absent: not known here
  std::optional<Rational> clock_hz;       ///< for `/s`; absent: no clock given
};

/// "size", "bandwidth", ...
std::string_view quantity_name(Quantity quantity);

/// All units of a quantity, in the order of the documentation.
std::vector<std::string> unit_names(Quantity quantity);

/// A whole number in decimal digits, at least `least`.
std::optional<std::int64_t> parse_count(std::string_view text, std::int64_t least,
                                        TextFault& fault);

/// kSize or kBits: whole bits, >= 0.
std::optional<std::int64_t> parse_bits(std::string_view text, Quantity quantity,
                                       const UnitContext& context, TextFault& fault);

/// kBandwidth: bits per cycle, > 0. A number may be a fraction: `1/3 bit/cycle`.
std::optional<Rational> parse_bandwidth(std::string_view text, const UnitContext& context,
                                        TextFault& fault);

/// kClock: Hz, > 0.
std::optional<Rational> parse_clock(std::string_view text, TextFault& fault);

/// kEnergy (pJ), kLeakage (pJ/cycle) or kArea (um2): the nearest double, >= 0. Like all figures of
/// files it must lie in a range that docs/formats.md names ("Limits").
std::optional<double> parse_figure(std::string_view text, Quantity quantity, TextFault& fault);

/// kAccessEnergy, in pJ: of an access, or of each bit that it moves (per word: that of its bits).
struct AccessEnergy {
  double pj = 0;
  bool per_bit = false;
};

std::optional<AccessEnergy> parse_access_energy(std::string_view text, const UnitContext& context,
                                                TextFault& fault);

/// A figure whose unit decides what it is: `2 ms` is 0.002 `s`, but a latency may be in `cycles`.
struct Measured {
  double value = 0;       ///< energies in pJ, times in s
  std::string_view unit;  ///< as written, `s` for all times; the first one if left out
};

/// One of the last four quantities: the nearest double, > 0 and finite.
std::optional<Measured> parse_measured(std::string_view text, Quantity quantity, TextFault& fault);

/// A share of a whole, 0 to 1: `75 %`, `0.75` or `3/4`. The denominator is at most 10^9.
std::optional<Rational> parse_share(std::string_view text, TextFault& fault);

/// Text that the parsers above read back to the same value; values as Arch's invariant allows.
std::string write_bits(std::int64_t bits);
std::string write_bandwidth(const Rational& bits_per_cycle);
std::string write_clock(const Rational& hz);
std::string write_figure(double value, Quantity quantity);
std::string write_access_energy(double pj, bool per_bit);
std::string write_share(const Rational& share);

}  // namespace tilewright
