// SPDX-License-Identifier: Apache-2.0
// A product over dims, for all cells of a grid: from one dim to the next, with a factor for each
// count of it, and one for pairs of counts.
#pragma once

#include <cstddef>
#include <vector>

#include "tilewright/base/fixed_vector.h"
#include "tilewright/workload/workload.h"

namespace tilewright {

class CellProduct {
 public:
  /// In the end there are so many cells.
  CellProduct(double start, std::size_t cells) {
    values_.reserve(cells);
    values_.push_back(start);
  }

  template <typename Factor>
  void add_dim(std::size_t size, const Factor& factor) {
    factors_.clear();
    for (std::size_t c = 0; c < size; ++c) factors_.push_back(factor(c));
    std::size_t before = values_.size();
    values_.resize(before * size);
    // The last one first: no value is overwritten before it is read.
    while (before-- > 0) {
      const double value = values_[before];
      double* const at = &values_[before * size];
      for (std::size_t c = size; c-- > 0;) at[c] = value * factors_[c];
    }
    sizes_.push_back(size);
  }
  /// Multiplies by factor(a, b) for the counts of an earlier dim and the last one.
  template <typename Factor>
  void add_pair(std::size_t earlier, const Factor& factor) {
    std::size_t stride = 1;
    for (std::size_t i = earlier + 1; i < sizes_.size(); ++i) stride *= sizes_[i];
    const std::size_t last = sizes_[sizes_.size() - 1];
    factors_.clear();
    for (std::size_t a = 0; a < sizes_[earlier]; ++a) {
      for (std::size_t b = 0; b < last; ++b) factors_.push_back(factor(a, b));
    }
    std::size_t at = 0;
    for (std::size_t i = 0; at < values_.size(); ++i) {
      const double* const row = &factors_[i / (stride / last) % sizes_[earlier] * last];
      for (std::size_t b = 0; b < last; ++b) values_[at++] *= row[b];
    }
  }
  std::vector<double>& values() { return values_; }

 private:
  std::vector<double> values_;
  std::vector<double> factors_;  // of the dim or pair at hand
  FixedVector<std::size_t, Workload::kMaxDims> sizes_;
};

}  // namespace tilewright
