// SPDX-License-Identifier: Apache-2.0
// How flexible an accelerator is: the sizes of the map spaces of the flexibility paper, axis by
// axis, and their ratios ("flexion"). See docs/flexibility.md.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "tilewright/base/natural.h"
#include "tilewright/flexibility/flexibility.h"
#include "tilewright/mapping/problem.h"

namespace tilewright {

/// How many choices there are. Where counting would take too long, an unbiased estimate.
struct ChoiceCount {
  Natural exact;  ///< if `is_exact`
  bool is_exact = true;
  double estimate = 0;    ///< if not; otherwise the nearest double
  double half_width = 0;  ///< of the 95 % confidence interval; 0 if exact

  static ChoiceCount of(const Natural& exact) { return {exact, true, exact.to_double(), 0}; }
};

/// The choices of one axis, or of all of them together.
struct MapSpaces {
  // Whatever the workload is.
  ChoiceCount hardware;     ///< C: of a fully flexible accelerator with the same resources
  ChoiceCount accelerator;  ///< A: of this one; a part of C
  // Of one workload.
  ChoiceCount workload;              ///< W: on any hardware
  ChoiceCount hardware_workload;     ///< C and W
  ChoiceCount accelerator_workload;  ///< A and W

  /// H-F, the share of C that this accelerator has; W-F, the share of W.
  double hardware_flexion() const { return accelerator.estimate / hardware.estimate; }
  double workload_flexion() const { return accelerator_workload.estimate / workload.estimate; }
};

struct Flexion {
  std::array<MapSpaces, kFlexAxes> axes;  ///< by FlexAxis
  MapSpaces joint;
  /// Partial tiles: the share of all divisions of the buffer that the fixed proportions cover, in
  /// the limit of small elements: 3! / 27 for three equal parts. Nothing at other degrees.
  std::optional<double> partition_volume;

  const MapSpaces& operator[](FlexAxis axis) const { return axes[static_cast<std::size_t>(axis)]; }
};

struct FlexionOptions {
  std::int64_t most_tests = 50'000'000;  ///< of tiles; above that their number is estimated
  std::int64_t draws = 1'000'000;        ///< for an estimate
  std::uint64_t seed = 1;
};

/// The accelerator with these degrees, on one workload. Throws InputError if the partition says
/// nothing about a tensor of the workload.
Flexion find_flexion(const Flexibility& flexibility, const Degrees& degrees, const Problem& problem,
                     const FlexionOptions& options = {});

}  // namespace tilewright
