// SPDX-License-Identifier: Apache-2.0
#include "tilewright/io/yaml/ranges.h"

#include "tilewright/base/text/printable.h"

namespace tilewright {
namespace {

struct Range {
  double least;
  double most;
  const char* text;
};

Range range_of(Quantity quantity) {
  switch (quantity) {
    case Quantity::kEnergy:
    case Quantity::kAccessEnergy:
      return {1e-9, 1e12, "an energy is 0, or from 1e-9 pJ to 1e12 pJ"};
    case Quantity::kLeakage:
      return {1e-9, 1e12, "a leakage is 0, or from 1e-9 pJ/cycle to 1e12 pJ/cycle"};
    case Quantity::kArea:
      return {1e-6, 1e15, "an area is 0, or from 1e-6 um2 to 1e15 um2"};
    case Quantity::kClock:
      return {1, 1e15, "a clock is from 1 Hz to 1e15 Hz"};
    case Quantity::kBandwidth:
      return {1e-9, 1e15, "a bandwidth is from 1e-9 bit/cycle to 1e15 bit/cycle"};
    default:
      return {0, 0x1p60, "a size is at most 2^60 bit, which is 128 PiB"};
  }
}

}  // namespace

double least_figure(Quantity quantity) { return range_of(quantity).least; }

bool in_range(std::string_view text, double value, Quantity quantity, TextFault& fault) {
  const Range range = range_of(quantity);
  if (value == 0 || (value >= range.least && value <= range.most)) return true;
  fault.code = "F0024";
  fault.message = in_backticks(text) + (value < range.least ? " is too small" : " is too large");
  fault.label = "out of range";
  fault.notes.emplace_back(range.text);
  return false;
}

}  // namespace tilewright
