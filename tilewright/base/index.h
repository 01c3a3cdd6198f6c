// SPDX-License-Identifier: Apache-2.0
// Strong indices: a position in one table cannot be passed for a position in another.
#pragma once

#include <compare>
#include <cstddef>
#include <functional>

namespace tilewright {

/// A position in a table of `Tag`s. Converts to nothing; `value` is the plain number.
template <typename Tag>
struct Index {
  int value = -1;

  constexpr Index() = default;
  constexpr explicit Index(int v) : value(v) {}
  constexpr explicit Index(std::size_t v) : value(static_cast<int>(v)) {}

  /// True if it points anywhere at all.
  constexpr bool valid() const { return value >= 0; }
  /// For subscripting a std::vector.
  constexpr std::size_t pos() const { return static_cast<std::size_t>(value); }

  friend constexpr auto operator<=>(const Index&, const Index&) = default;
};

using DimId = Index<struct DimTag>;        ///< a dim of a workload
using TensorId = Index<struct TensorTag>;  ///< a tensor of a workload
using NodeId = Index<struct NodeTag>;  ///< a memory or fan-out of an architecture, outermost first

}  // namespace tilewright
