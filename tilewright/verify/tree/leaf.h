// SPDX-License-Identifier: Apache-2.0
// The end of a path: all mappings with its counts and labels, evaluated one by one.
#pragma once

#include <vector>

#include "tilewright/mapping/fit.h"
#include "tilewright/mapspace/choices/orders.h"
#include "tilewright/model/evaluator.h"
#include "tilewright/verify/tree/path.h"
#include "tilewright/verify/tree/splits.h"

namespace tilewright::verify {

/// The dims of `loops` that the rules of the block let stand innermost.
DimSet innermost_dims(const Place& block, DimSet loops);

class Leaves {
 public:
  Leaves(const Frame& frame, std::vector<Splits>& splits);

  /// The least score of a mapping that fits, of all with the counts and labels of `path`; infinite
  /// if there is none.
  double best(const Root& root, const Path& path);
  std::int64_t evaluated() const { return evaluated_; }

 private:
  bool place_spatial(const Root& root, const Path& path, int dim, Tiling& tiling,
                     std::vector<std::int64_t>& room);
  bool may_stand(const Root& root, const Path& path, int dim, const Stand& stand) const;
  void choose_factors(const Root& root, const Path& path, int dim, Tiling& tiling);
  void choose_block(const Root& root, const Path& path, int dim, int memory, Tiling& tiling);
  bool by_least_factor(const Root& root, int dim) const;
  void find_orders(const Root& root, const Path& path, const Tiling& tiling);
  void evaluate(const Root& root, const Tiling& tiling, std::size_t place, Orders& orders);

  const Frame& frame_;
  std::vector<Splits>& splits_;
  Evaluator evaluator_;
  Fit fit_;
  std::vector<int> axes_;                                // places of all axes, fan-out by fan-out
  std::vector<std::vector<std::vector<DimId>>> orders_;  // by place
  std::vector<NestNode> nest_;
  double best_ = 0;
  std::int64_t evaluated_ = 0;
};

}  // namespace tilewright::verify
