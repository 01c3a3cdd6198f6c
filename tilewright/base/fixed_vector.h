// SPDX-License-Identifier: Apache-2.0
// A vector with room for a fixed number of items inside itself: no allocation, and no pointer to
// follow to reach an item.
#pragma once

#include <array>
#include <cstddef>

#include "tilewright/base/error.h"

namespace tilewright {

template <typename T, std::size_t kCapacity>
class FixedVector {
 public:
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return items_.data(); }
  T& operator[](std::size_t i) { return items_[i]; }
  const T& operator[](std::size_t i) const { return items_[i]; }
  T* begin() { return items_.data(); }
  T* end() { return items_.data() + size_; }
  const T* begin() const { return items_.data(); }
  const T* end() const { return items_.data() + size_; }

  /// Throws InternalError if it is full.
  void push_back(T item) {
    TW_CHECK(size_ < kCapacity, "a fixed vector has room for one more");
    items_[size_++] = static_cast<T&&>(item);
  }
  /// Items that come back keep the value they had.
  void resize(std::size_t size) {
    TW_CHECK(size <= kCapacity, "a fixed vector has room for so many");
    size_ = size;
  }

 private:
  std::array<T, kCapacity> items_{};
  std::size_t size_ = 0;
};

}  // namespace tilewright
