// SPDX-License-Identifier: Apache-2.0
// A mapspace: every mapping that the rules allow, each once, with an exact size.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "tilewright/base/natural.h"
#include "tilewright/base/random.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/mapspace/rules.h"
#include "tilewright/mapspace/tiling.h"

namespace tilewright {

/// Which loop orders an enumeration goes through.
enum class OrderMode {
  kWhole,    ///< all of them
  kClasses,  ///< one of each class that costs the same (mapspace/choices/orders.h)
};

/// Mapspace::size() alone: takes as long, but a fraction of the memory. Throws StoppedError once
/// `stop`, which may be null, is true.
Natural mapspace_size(const Problem& problem, const Rules& rules,
                      const std::atomic<bool>* stop = nullptr);

/// All mappings that keep the tensors of a memory side by side and obey the rules, as canonical
/// Mapping values: no two are equal, none has a structural violation, all stay within the axes.
/// Whether tiles fit the memories is not part of it. `problem` must outlive it.
class Mapspace {
 public:
  /// Counting may take long: throws StoppedError once `stop`, which may be null, is true.
  Mapspace(const Problem& problem, Rules rules, const std::atomic<bool>* stop = nullptr);
  ~Mapspace();
  Mapspace(Mapspace&&) noexcept;
  Mapspace& operator=(Mapspace&&) noexcept;

  const Problem& problem() const;
  const Rules& rules() const;

  /// How many mappings there are, by dynamic programming.
  const Natural& size() const;
  /// Its number, 0 <= number < size(); nothing if it is not in the space.
  std::optional<Natural> rank(const Mapping& mapping) const;
  Mapping unrank(const Natural& rank) const;
  /// One of them, all equally likely.
  Mapping sample(Random& random) const { return unrank(random_below(size(), random)); }
  bool contains(const Mapping& mapping) const { return rank(mapping).has_value(); }

  /// All mappings as nests, in a fixed order (not that of rank), until `visit` returns false. True
  /// if it never did. Splits into pieces() parts that may run at the same time: the parts 0, 1, ...
  /// one after the other are the whole.
  bool for_each(OrderMode orders,
                const std::function<bool(std::span<const NestNode>)>& visit) const;
  int pieces() const;
  bool for_each_in(int piece, OrderMode orders,
                   const std::function<bool(std::span<const NestNode>)>& visit) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tilewright
