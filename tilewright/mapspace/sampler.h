// SPDX-License-Identifier: Apache-2.0
// Draws mappings the way the papers do: what is kept and how dims are split uniformly together,
// then the loop orders uniformly. Orders do not weigh tilings with many loops more, unlike
// Mapspace::sample. A million draws a second.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "tilewright/base/random.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/mapspace/rules.h"

namespace tilewright {

/// Not to be shared by threads; copies are. `problem` must outlive it.
class Sampler {
 public:
  Sampler(const Problem& problem, Rules rules);
  ~Sampler();
  Sampler(const Sampler&);
  Sampler& operator=(const Sampler&) = delete;

  /// True if no mapping obeys the rules.
  bool empty() const;
  /// A nest; the space must not be empty. Good until the next call.
  std::span<const NestNode> draw(Random& random) {
    draw_tiling(random);
    return draw_orders(random);
  }
  /// The same in two steps, because whether tiles fit does not depend on the orders: first a nest
  /// whose blocks have their loops by DimId, then the same nest with orders drawn.
  std::span<const NestNode> draw_tiling(Random& random);
  std::span<const NestNode> draw_orders(Random& random);

 private:
  struct Tables;
  struct Scratch;
  std::shared_ptr<const Tables> tables_;
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace tilewright
