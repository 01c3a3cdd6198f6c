// SPDX-License-Identifier: Apache-2.0
// A small seeded generator whose numbers are the same on every machine.
#pragma once

#include <cstdint>

namespace tilewright {

/// SplitMix64 (Steele, Lea, Flood 2014). Copyable; equal seeds give equal streams.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

  /// A number in [low, high], uniform (by multiply-shift with rejection).
  std::int64_t between(std::int64_t low, std::int64_t high);

  /// True once in `n` times.
  bool one_in(std::int64_t n) { return between(1, n) == 1; }

 private:
  std::uint64_t state_;
};

}  // namespace tilewright
