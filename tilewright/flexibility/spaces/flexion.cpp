// SPDX-License-Identifier: Apache-2.0
#include "tilewright/flexibility/spaces/flexion.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tilewright/base/checked.h"
#include "tilewright/base/error.h"
#include "tilewright/flexibility/spaces/tile_count.h"
#include "tilewright/flexibility/worth/choices.h"

namespace tilewright {
namespace {

using Names = std::vector<std::string>;

Natural natural(std::int64_t value) { return {static_cast<std::uint64_t>(value)}; }

ChoiceCount count_of(std::size_t value) { return ChoiceCount::of(Natural(value)); }

ChoiceCount times(const ChoiceCount& a, const ChoiceCount& b) {
  if (a.is_exact && b.is_exact) return ChoiceCount::of(a.exact * b.exact);
  // One of the two is exact in all that is multiplied here.
  return {Natural(), false, a.estimate * b.estimate,
          a.half_width * b.estimate + b.half_width * a.estimate};
}

/// One accelerator on one workload.
class Counter {
 public:
  Counter(const Flexibility& flexibility, const Degrees& degrees, const Problem& problem,
          const FlexionOptions& options)
      : given_(flexibility),
        degrees_(degrees),
        problem_(problem),
        options_(options),
        rows_(sizes_of_first_axis(degrees[FlexAxis::kShape])),
        all_rows_(sizes_of_first_axis(Degree::kFull)) {}

  Flexion run() {
    Flexion flexion;
    at(flexion, FlexAxis::kTile) = count_tiles(flexion.partition_volume);
    at(flexion, FlexAxis::kOrder) = count_orders();
    at(flexion, FlexAxis::kParallelism) = count_parallelisms();
    at(flexion, FlexAxis::kShape) = count_shapes();
    flexion.joint = join(flexion);
    return flexion;
  }

 private:
  static MapSpaces& at(Flexion& flexion, FlexAxis axis) {
    return flexion.axes[static_cast<std::size_t>(axis)];
  }

  const Workload& workload() const { return problem_.workload(); }

  bool iterates(const std::string& dim) const { return size_of(workload(), dim) > 1; }

  // What is left of a list of dims if only those count that the workload iterates over.
  Names iterated(const Names& dims) const {
    Names result;
    std::ranges::copy_if(dims, std::back_inserter(result),
                         [&](const std::string& dim) { return iterates(dim); });
    return result;
  }

  // --- Tiles. Without a workload: how many elements of the buffer each tensor gets.

  MapSpaces count_tiles(std::optional<double>& volume) const {
    const NodeId buffer = *problem_.arch().find(given_.buffer);
    const ResolvedMemory& memory = problem_.memory(buffer);
    const Memory& figures = problem_.arch().memory(buffer);
    TileRoom room;
    for (std::size_t t = 0; t < workload().tensors().size(); ++t) {
      room.element.push_back(std::max(memory.bits[t], memory.partial_bits[t]));
    }
    room.shared = *figures.capacity_bits / figures.buffering;
    room.parts.resize(room.element.size());
    MapSpaces spaces;
    spaces.workload = ChoiceCount::of(count_all_tiles(workload()));
    spaces.hardware_workload = count_fitting(room);
    const std::int64_t unit =
        std::accumulate(room.element.begin(), room.element.end(), std::int64_t{0}, tilewright::gcd);
    const std::int64_t elements = room.shared / unit;
    const int tensors = static_cast<int>(room.element.size());
    spaces.hardware = ChoiceCount::of(count_divisions(elements, tensors));
    const Degree degree = degrees_[FlexAxis::kTile];
    if (degree == Degree::kFull) {
      spaces.accelerator = spaces.hardware;
      spaces.accelerator_workload = spaces.hardware_workload;
    } else if (degree == Degree::kFixed || given_.partition.empty()) {
      spaces.accelerator = spaces.accelerator_workload = count_of(1);
    } else {
      const std::vector<PerTensor> parts = divide_buffer(given_, problem_);
      Natural cube = 1;
      double share = 1;
      for (std::size_t t = 0; t < room.element.size(); ++t) {
        const auto part =
            std::ranges::find(parts, workload().tensors()[t].name, &PerTensor::tensor);
        room.parts[t] = part->value / figures.buffering;
        cube *= natural(*room.parts[t] / unit + 1);
        share *= static_cast<double>(t + 1) * static_cast<double>(part->value) /
                 static_cast<double>(*figures.capacity_bits);
      }
      volume = share;
      spaces.accelerator = ChoiceCount::of(cube);
      spaces.accelerator_workload = count_fitting(room);
      // The fixed tile, as the loops alone make it, is one more if it does not fit in the parts.
      if (!TileCounter(workload(), room).fits(fixed_tile())) add_one(spaces.accelerator_workload);
    }
    return spaces;
  }

  // Ways to give `tensors` of them up to `elements` together: that many + tensors over tensors.
  static Natural count_divisions(std::int64_t elements, int tensors) {
    Natural product = 1;
    for (int i = 1; i <= tensors; ++i) product *= natural(checked_add(elements, i));
    return product.divide(factorial(tensors)).quotient;
  }

  static void add_one(ChoiceCount& count) {
    if (count.is_exact) {
      count = ChoiceCount::of(count.exact + Natural(1));
    } else {
      count.estimate += 1;
    }
  }

  std::vector<std::int64_t> fixed_tile() const {
    std::vector<std::int64_t> tile(workload().dims().size(), 1);
    for (const FixedLoop& loop : given_.loops) {
      const auto dim = workload().find_dim(loop.dim);
      if (!dim) continue;
      std::int64_t& size = tile[dim->pos()];
      size = std::min(checked_mul(size, loop.factor), workload().dim(*dim).size);
    }
    return tile;
  }

  ChoiceCount count_fitting(const TileRoom& room) const {
    const TileCounter counter(workload(), room);
    if (const auto exact = counter.count(options_.most_tests)) return ChoiceCount::of(*exact);
    Random random(options_.seed);
    const TileCounter::Estimate share = counter.estimate(options_.draws, random);
    const double all = count_all_tiles(workload()).to_double();
    return {Natural(), false, share.share * all, share.half_width * all};
  }

  // --- Orders.

  MapSpaces count_orders() const {
    const int dims = static_cast<int>(given_.dims.size());
    const int loops = static_cast<int>(iterated(given_.dims).size());
    MapSpaces spaces;
    spaces.hardware = ChoiceCount::of(factorial(dims));
    spaces.workload = spaces.hardware_workload = ChoiceCount::of(factorial(loops));
    if (degrees_[FlexAxis::kOrder] == Degree::kFull) {
      spaces.accelerator = spaces.hardware;
      spaces.accelerator_workload = spaces.workload;
      return spaces;
    }
    std::set<Names> all;
    std::set<Names> different;
    for (const Names& order : supported(given_.orders, FlexAxis::kOrder)) {
      all.insert(order);
      different.insert(iterated(order));
    }
    spaces.accelerator = count_of(all.size());
    spaces.accelerator_workload = count_of(different.size());
    return spaces;
  }

  std::vector<Names> supported(const std::vector<Names>& listed, FlexAxis axis) const {
    if (degrees_[axis] == Degree::kFixed) return {listed.front()};
    return listed;
  }

  // --- Parallelism. An axis whose dim the workload does not iterate over is idle.

  std::set<Names> all_parallelisms() const {
    const std::vector<Names> all = every_parallelism(given_);
    return {all.begin(), all.end()};
  }

  std::set<Names> supported_parallelisms() const {
    if (degrees_[FlexAxis::kParallelism] == Degree::kFull) return all_parallelisms();
    const std::vector<Names> listed = supported(given_.parallelisms, FlexAxis::kParallelism);
    return {listed.begin(), listed.end()};
  }

  std::set<Names> with_idle_axes(const std::set<Names>& choices) const {
    std::set<Names> result;
    for (Names dims : choices) {
      for (std::string& dim : dims) {
        if (!iterates(dim)) dim.clear();
      }
      result.insert(std::move(dims));
    }
    return result;
  }

  MapSpaces count_parallelisms() const {
    const std::set<Names> all = all_parallelisms();
    const std::set<Names> ours = supported_parallelisms();
    MapSpaces spaces;
    spaces.hardware = count_of(all.size());
    spaces.accelerator = count_of(ours.size());
    spaces.workload = spaces.hardware_workload = count_of(with_idle_axes(all).size());
    spaces.accelerator_workload = count_of(with_idle_axes(ours).size());
    return spaces;
  }

  // --- Shapes: by the size of the first axis. More than the size of its dim is no other choice.

  std::vector<std::int64_t> sizes_of_first_axis(Degree degree) const {
    std::vector<std::int64_t> sizes;
    for (const auto& shape : shapes_of(given_, problem_.arch(), degree)) {
      sizes.push_back(shape.front());
    }
    return sizes;
  }

  static std::size_t different(const std::vector<std::int64_t>& sizes, std::int64_t most) {
    std::set<std::int64_t> result;
    for (const std::int64_t size : sizes) result.insert(std::min(size, most));
    return result.size();
  }

  bool has_shapes() const { return fixed_shape(given_, problem_.arch()).size() == 2; }
  std::int64_t rows_of(const std::string& dim) const {
    return has_shapes() ? size_of(workload(), dim) : 1;
  }

  MapSpaces count_shapes() const {
    const std::int64_t most = rows_of(given_.parallelisms.front().front());
    MapSpaces spaces;
    spaces.hardware = count_of(different(all_rows_, kNoLimit));
    spaces.accelerator = count_of(different(rows_, kNoLimit));
    spaces.workload = ChoiceCount::of(natural(most));
    spaces.hardware_workload = count_of(different(all_rows_, most));
    spaces.accelerator_workload = count_of(different(rows_, most));
    return spaces;
  }

  // --- All axes: parallelism says which dim the shape is for; the others do not depend on each
  // other.

  MapSpaces join(const Flexion& flexion) const {
    const MapSpaces& tile = flexion[FlexAxis::kTile];
    const MapSpaces& order = flexion[FlexAxis::kOrder];
    const MapSpaces& parallel = flexion[FlexAxis::kParallelism];
    const MapSpaces& shape = flexion[FlexAxis::kShape];
    const auto sum = [&](const std::set<Names>& choices, const auto& shapes) {
      Natural total;
      for (const Names& dims : with_idle_axes(choices)) total += shapes(rows_of(dims.front()));
      return ChoiceCount::of(total);
    };
    const auto any = [](std::int64_t most) { return natural(most); };
    const auto built = [&](std::int64_t most) { return Natural(different(all_rows_, most)); };
    const auto ours = [&](std::int64_t most) { return Natural(different(rows_, most)); };
    const std::set<Names> all = all_parallelisms();
    MapSpaces joint;
    joint.hardware =
        times(times(tile.hardware, order.hardware), times(parallel.hardware, shape.hardware));
    joint.accelerator = times(times(tile.accelerator, order.accelerator),
                              times(parallel.accelerator, shape.accelerator));
    joint.workload = times(times(tile.workload, order.workload), sum(all, any));
    joint.hardware_workload =
        times(times(tile.hardware_workload, order.hardware_workload), sum(all, built));
    joint.accelerator_workload = times(times(tile.accelerator_workload, order.accelerator_workload),
                                       sum(supported_parallelisms(), ours));
    return joint;
  }

  static constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

  const Flexibility& given_;
  const Degrees degrees_;
  const Problem& problem_;
  const FlexionOptions& options_;
  std::vector<std::int64_t> rows_;
  std::vector<std::int64_t> all_rows_;
};

}  // namespace

Flexion find_flexion(const Flexibility& flexibility, const Degrees& degrees, const Problem& problem,
                     const FlexionOptions& options) {
  TW_CHECK(find_flexibility_faults(flexibility, problem.arch()).empty(), "the faults are known");
  return Counter(flexibility, degrees, problem, options).run();
}

}  // namespace tilewright
