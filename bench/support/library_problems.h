// SPDX-License-Identifier: Apache-2.0
// Problems drawn from the library, for benchmarks that say how well searches do on real ones.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tilewright/mapping/problem.h"
#include "tilewright/workload/workload.h"

namespace tilewright {

/// A layer on an accelerator, in a space. What it was drawn from must outlive it.
struct LibraryProblem {
  std::string name;  ///< as on the command line
  std::string arch;
  const Workload* workload = nullptr;
  std::string space;

  Problem problem() const;
};

/// The layers of all networks; equal layers of different names are drawn as often as they occur.
class LibraryLayers {
 public:
  LibraryLayers();

  /// Any accelerator, any layer, PFM, Ruby-S or Ruby; the same ones for a seed, and some of them
  /// twice.
  std::vector<LibraryProblem> draw(std::uint64_t seed, std::uint64_t count) const;

 private:
  std::vector<std::string> names_;
  std::vector<Workload> workloads_;
};

}  // namespace tilewright
