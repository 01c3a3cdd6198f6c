// SPDX-License-Identifier: Apache-2.0
// What every bound of the optimal search says: no mapping of a set has less.
#pragma once

namespace tilewright {

/// Lower bounds of a set of mappings.
struct LowerBounds {
  double score = 0;
  double energy = 0;  ///< pJ
  double cycles = 0;
};

}  // namespace tilewright
