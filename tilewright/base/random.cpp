// SPDX-License-Identifier: Apache-2.0
#include "tilewright/base/random.h"

#include "tilewright/base/error.h"

namespace tilewright {

std::int64_t Random::between(std::int64_t low, std::int64_t high) {
  TW_CHECK(low <= high, "a range has at least one number");
  const std::uint64_t range =
      static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
  if (range == 0) return static_cast<std::int64_t>(next());  // all 2^64 numbers
  unsigned __int128 product = static_cast<unsigned __int128>(next()) * range;
  if (static_cast<std::uint64_t>(product) < range) [[unlikely]] {  // spares most calls the division
    const std::uint64_t threshold = (0 - range) % range;
    while (static_cast<std::uint64_t>(product) < threshold) {
      product = static_cast<unsigned __int128>(next()) * range;
    }
  }
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) +
                                   static_cast<std::uint64_t>(product >> 64));
}

}  // namespace tilewright
