// SPDX-License-Identifier: Apache-2.0
// A table of natural numbers that grows row by row and takes little memory: the numbers of a row
// have as many limbs as its largest needs, which nearly always is one, where a Natural has eight.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tilewright/base/natural.h"

namespace tilewright {

class NaturalRows {
 public:
  explicit NaturalRows(std::size_t width) : width_(width) {}

  /// `numbers` has the width of the table.
  void add(std::span<const Natural> numbers);
  /// The limbs of one number, the least first; the last may be 0.
  std::span<const std::uint64_t> limbs(std::size_t row, std::size_t column) const {
    const Row& found = rows_[row];
    return std::span(found.limbs).subspan(column * found.limbs_each, found.limbs_each);
  }

 private:
  struct Row {
    std::size_t limbs_each = 0;
    std::vector<std::uint64_t> limbs;
  };

  std::size_t width_;
  std::vector<Row> rows_;
};

}  // namespace tilewright
