// SPDX-License-Identifier: Apache-2.0
// The arithmetic of a tile and of a memory's size, as text for messages.
#pragma once

#include <cstdint>
#include <string>

#include "tilewright/mapping/mapping.h"
#include "tilewright/mapping/problem.h"

namespace tilewright {

/// 1234567 as `1,234,567`.
std::string with_commas(std::int64_t number);

/// 7 of 8 as `87.5 %`; too much is rounded up and never reads as 100 %. From ten times up
/// `12 times as much`.
std::string percent(std::int64_t part, std::int64_t whole);

/// A size as people say it: `96 bit`, `1,536 B`, `128 KiB`, `1.5 MiB`.
std::string size_text(std::int64_t bits);

/// How the sizes of one message are shown: in words if all its elements have one width.
class SizeUnit {
 public:
  /// `word_bits` 0: in bytes.
  explicit SizeUnit(std::int64_t word_bits) : word_bits_(word_bits) {}

  std::int64_t word_bits() const { return word_bits_; }
  /// The number alone, rounded down to words; with its unit where there are no words.
  std::string number(std::int64_t bits) const;
  /// With the unit.
  std::string amount(std::int64_t bits) const;

 private:
  std::int64_t word_bits_;
};

/// `c 3 x (2p+r) 29 x (2q+s) 113;  29 = (14-1)*2+3,  113 = (56-1)*2+3`: the tile of `tensor` inside
/// node `position`.
std::string tile_text(const Problem& problem, const Mapping& mapping, TensorId tensor,
                      int position);

}  // namespace tilewright
