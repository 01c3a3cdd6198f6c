// SPDX-License-Identifier: Apache-2.0
// The best accelerator that varies nothing: one choice of tiles, order, parallelism and shape for a
// whole network ("InFlex-X-Opt" in the flexibility paper).
#pragma once

#include <cstddef>

#include "tilewright/flexibility/worth/worth.h"

namespace tilewright {

struct FixOptions {
  WorthOptions worth;
  std::size_t most_arrays = 3;  ///< choices of parallelism and shape whose tiles are searched
};

struct FixedAccelerator {
  /// As given, but for `loops` of the buffer, and the order and parallelism that come first.
  Flexibility flexibility;
  Arch arch;              ///< as given, but for the shape of the array
  WorthRow row;           ///< what it does, all axes fixed
  double bound = 0;       ///< no accelerator that varies nothing scores less
  std::size_t tried = 0;  ///< accelerators
};

/// Goes through all choices of parallelism and shape, best bound first, and improves tiles and
/// order for each of them step by step. Only runtimes have a bound before the search, so the
/// objective must be latency (InternalError). The status of the row is kProved only if the bound is
/// reached.
FixedAccelerator find_fixed_accelerator(const Flexibility& flexibility, const Arch& arch,
                                        const Network& network, const FixOptions& options);

}  // namespace tilewright
