// SPDX-License-Identifier: Apache-2.0
// What an accelerator may vary from layer to layer, by four axes: the sizes of tiles, the order of
// loops, which dims run in parallel, and the shape of the array. See docs/flexibility.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/arch/arch.h"

namespace tilewright {

/// The axes, in the order of the four digits of a class ("TOPS").
enum class FlexAxis { kTile, kOrder, kParallelism, kShape };
inline constexpr std::size_t kFlexAxes = 4;
inline constexpr std::array<FlexAxis, kFlexAxes> kAllFlexAxes = {
    FlexAxis::kTile, FlexAxis::kOrder, FlexAxis::kParallelism, FlexAxis::kShape};

/// "tile", "order", "parallelism", "shape".
std::string_view flex_axis_name(FlexAxis axis);

/// How much of one axis an accelerator supports.
enum class Degree {
  kFixed,    ///< one choice for all layers
  kPartial,  ///< some choices, the fixed one among them
  kFull,     ///< every choice
};

/// "fixed", "partial", "full".
std::string_view degree_name(Degree degree);
std::optional<Degree> degree_by_name(std::string_view name);

/// One degree for each axis.
struct Degrees {
  std::array<Degree, kFlexAxes> of{};

  Degree& operator[](FlexAxis axis) { return of[static_cast<std::size_t>(axis)]; }
  Degree operator[](FlexAxis axis) const { return of[static_cast<std::size_t>(axis)]; }
  auto operator<=>(const Degrees&) const = default;
};

/// The same degree for all axes.
Degrees all_degrees(Degree degree);
/// Those, but for one axis.
Degrees with_degree(Degrees degrees, FlexAxis axis, Degree degree);

/// What flexibility adds to the area of an accelerator.
struct FlexCosts {
  double base_um2 = 0;                       ///< without any flexibility
  std::array<double, kFlexAxes> full_um2{};  ///< added where an axis is fully flexible, by FlexAxis
  double partial_share = 0.5;  ///< of that, where an axis is partly flexible; from 0 to 1

  bool operator==(const FlexCosts&) const = default;
};

/// The factor of the loop over one dim in one memory.
struct FixedLoop {
  std::string memory;
  std::string dim;
  std::int64_t factor = 1;
  bool operator==(const FixedLoop&) const = default;
};

struct Renaming {
  std::string from;
  std::string to;
  bool operator==(const Renaming&) const = default;
};

/// What the choices of an accelerator are. Names are those of its architecture and of dims; layers
/// that lack a dim leave it out.
struct Flexibility {
  /// The loops that its control iterates over. Loops over other dims of a layer, such as the batch,
  /// run around everything else, one step after the other.
  std::vector<std::string> dims;
  /// What the loops of a matrix product `m`, `n`, `k` are called here, if they have other names.
  std::vector<Renaming> gemm;
  std::string buffer;  ///< the memory whose tiles vary
  std::string array;   ///< the fan-out whose parallelism and shape vary

  /// Fixed tiles: the loops of the buffer and of the memories inside it; 1 where nothing is given.
  /// A loop takes fewer steps where no more are left. A tile is as large as these loops and what
  /// the array spreads make it.
  std::vector<FixedLoop> loops;
  /// Partial: the buffer is divided in these proportions, by tensor name or role, and tiles are of
  /// any size that fits. Empty: there is no partial degree.
  std::vector<PerTensor> partition;
  /// Loops outermost first, all of `dims`. The first is the fixed order; all of them: partial.
  std::vector<std::vector<std::string>> orders;
  /// One dim for each axis of the array. The first is the fixed choice; all of them: partial.
  std::vector<std::vector<std::string>> parallelisms;
  /// Partial: the array is put together from blocks of this shape, as many as its units allow; one
  /// number for each of its two axes. Empty: there is no partial degree.
  std::vector<std::int64_t> block;

  Degrees supports;                ///< what the accelerator is built for
  std::optional<FlexCosts> costs;  ///< if the paper's do not hold
  bool operator==(const Flexibility&) const = default;
};

/// Why this does not describe `arch`, one sentence each; empty if it does.
std::vector<std::string> find_flexibility_faults(const Flexibility& flexibility, const Arch& arch);

/// True if it says what the partial degree of an axis is, and that is more than the fixed one.
bool has_partial(const Flexibility& flexibility, FlexAxis axis);

/// Every choice of degrees for the axes; partial ones only where they differ from fixed ones.
std::vector<Degrees> every_degrees(const Flexibility& flexibility);

/// What flexibility costs: as `flexibility` says, or else as the flexibility paper has it (Table 3,
/// 1,024 PEs in 15 nm), all figures in proportion to the units of the array.
FlexCosts costs_of(const Flexibility& flexibility, const Arch& arch);

/// The area that an accelerator with these degrees has more than one that varies nothing.
double added_area_um2(const FlexCosts& costs, const Degrees& degrees);

/// The class of 16 that an accelerator belongs to: a digit for each axis, 1 if it is flexible:
/// "1011".
std::string flex_class(const Flexibility& flexibility, const Degrees& degrees);

/// The shape of an array as the file has it: the sizes of its axes.
std::vector<std::int64_t> fixed_shape(const Flexibility& flexibility, const Arch& arch);

/// How many units that is.
std::int64_t units_of(const Flexibility& flexibility, const Arch& arch);

/// The architecture with other axes of the array: the first ones, with these sizes.
Arch with_shape(const Flexibility& flexibility, const Arch& arch,
                const std::vector<std::int64_t>& sizes);

/// All choices of dims for the axes of the array, a different one for each.
std::vector<std::vector<std::string>> every_parallelism(const Flexibility& flexibility);

/// The shapes that the array may take, as sizes of its two axes. Full: for every size of the first
/// axis, the largest second one that the units allow. Partial: the same, counted in blocks.
std::vector<std::vector<std::int64_t>> shapes_of(const Flexibility& flexibility, const Arch& arch,
                                                 Degree degree);

}  // namespace tilewright
