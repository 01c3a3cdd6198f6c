// SPDX-License-Identifier: Apache-2.0
#include "tilewright/flexibility/worth/choices.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "tilewright/base/checked.h"
#include "tilewright/base/error.h"
#include "tilewright/base/input_error.h"

namespace tilewright {
namespace {

using Kind = Constraint::Kind;
using Names = std::vector<std::string>;

/// The sizes that the array has, or one axis with all of its units, over which any dims may be
/// spread: their factors then multiply to at most that, whatever the shape is.
struct Shape {
  std::vector<std::int64_t> sizes;
};

class Builder {
 public:
  Builder(const Flexibility& flexibility, const Degrees& degrees, const Problem& problem)
      : given_(flexibility),
        degrees_(degrees),
        problem_(problem),
        buffer_(*problem.arch().find(flexibility.buffer)),
        array_(*problem.arch().find(flexibility.array)) {}

  std::vector<Configuration> run() {
    for (const Names& dims : parallelisms()) {
      for (const Shape& shape : shapes()) {
        for (const Names& order : orders()) add(dims, shape, order);
      }
    }
    return std::move(found_);
  }

  Configuration widest() const { return {shaped({{units_of(given_, arch())}}, {}), keeps()}; }

 private:
  const Workload& workload() const { return problem_.workload(); }
  const Arch& arch() const { return problem_.arch(); }

  // --- Choices on each axis.

  // Without those that give the same loops. An empty list: any order.
  std::vector<Names> orders() const {
    if (degrees_[FlexAxis::kOrder] == Degree::kFull) return {Names{}};
    std::vector<Names> result;
    for (const Names& listed : given_.orders) {
      Names loops;
      for (const std::string& dim : listed) {
        if (size_of(workload(), dim) > 1) loops.push_back(dim);
      }
      if (std::ranges::find(result, loops) == result.end()) result.push_back(std::move(loops));
      if (degrees_[FlexAxis::kOrder] == Degree::kFixed) break;
    }
    return result;
  }

  // One dim for each axis; an idle axis has an empty name. With any shape, the axes are alike.
  std::vector<Names> parallelisms() const {
    std::vector<Names> result;
    const auto add = [&](Names dims) {
      for (std::string& dim : dims) {
        if (size_of(workload(), dim) == 1) dim.clear();
      }
      if (is_any_shape()) std::ranges::sort(dims);
      if (std::ranges::find(result, dims) == result.end()) result.push_back(std::move(dims));
    };
    if (degrees_[FlexAxis::kParallelism] == Degree::kFull) {
      for (const Names& dims : every_parallelism(given_)) add(dims);
    } else {
      for (const Names& listed : given_.parallelisms) {
        add(listed);
        if (degrees_[FlexAxis::kParallelism] == Degree::kFixed) break;
      }
    }
    // An idle axis is a loop of one step, which any dim could have.
    const std::vector<Names> all = result;
    std::erase_if(result, [&](const Names& dims) {
      return std::ranges::any_of(
          all, [&](const Names& other) { return other != dims && is_part(dims, other); });
    });
    return result;
  }

  // Whether the axes that are not idle have the same dims in `other`.
  bool is_part(const Names& dims, const Names& other) const {
    for (std::size_t i = 0; i < dims.size(); ++i) {
      if (dims[i].empty()) continue;
      const bool there =
          is_any_shape() ? std::ranges::find(other, dims[i]) != other.end() : other[i] == dims[i];
      if (!there) return false;
    }
    return true;
  }

  bool is_any_shape() const {
    return degrees_[FlexAxis::kShape] == Degree::kFull && arch().fanout(array_).axes.size() == 2;
  }

  // Without those that lie inside another one.
  std::vector<Shape> shapes() const {
    const Degree degree = degrees_[FlexAxis::kShape];
    if (is_any_shape()) return {Shape{{units_of(given_, arch())}}};
    std::vector<Shape> result;
    const auto all = shapes_of(given_, arch(), degree);
    for (const std::vector<std::int64_t>& shape : all) {
      const bool inside = std::ranges::any_of(all, [&](const std::vector<std::int64_t>& other) {
        return other != shape && std::ranges::equal(shape, other, std::less_equal{});
      });
      if (!inside) result.push_back({shape});
    }
    return result;
  }

  // --- Putting them together.

  void add(const Names& dims, const Shape& shape, const Names& order) {
    std::vector<Constraint> constraints = keeps();
    add_parallelism(dims, shape, constraints);
    if (!order.empty()) add_order(order, constraints);
    const Degree tile = degrees_[FlexAxis::kTile];
    if (tile == Degree::kFull) {
      found_.push_back({shaped(shape, {}), constraints});
      return;
    }
    if (tile == Degree::kPartial && !given_.partition.empty()) {
      found_.push_back({shaped(shape, divide_buffer(given_, problem_)), constraints});
    }
    add_fixed_tiles(dims, shape, constraints);
  }

  std::vector<Constraint> keeps() const {
    std::vector<Constraint> result;
    for (const NodeId memory : arch().memories()) {
      const TensorSet all = problem_.memory(memory).may_keep;
      if (all != 0) result.push_back({.kind = Kind::kKeep, .node = memory, .tensors = all});
    }
    return result;
  }

  static int axis_of(std::size_t position, const Shape& shape) {
    return shape.sizes.size() == 1 ? 0 : static_cast<int>(position);
  }

  void add_parallelism(const Names& dims, const Shape& shape,
                       std::vector<Constraint>& constraints) const {
    for (std::size_t axis = 0; axis < shape.sizes.size(); ++axis) {
      Constraint only{.kind = Kind::kAxisDims, .node = array_, .axis = static_cast<int>(axis)};
      for (std::size_t i = 0; i < dims.size(); ++i) {
        if (!dims[i].empty() && axis_of(i, shape) == only.axis) {
          only.dims.push_back(*workload().find_dim(dims[i]));
        }
      }
      constraints.push_back(std::move(only));
    }
  }

  void add_order(const Names& order, std::vector<Constraint>& constraints) const {
    for (const NodeId memory : arch().memories()) {
      Constraint fixed{.kind = Kind::kOrder, .node = memory};
      for (const std::string& dim : order) fixed.outermost.push_back(*workload().find_dim(dim));
      constraints.push_back(std::move(fixed));
    }
  }

  Arch shaped(const Shape& shape, const std::vector<PerTensor>& partitions) const {
    const Arch built = with_shape(given_, arch(), shape.sizes);
    if (partitions.empty()) return built;
    std::vector<ArchNode> nodes(built.nodes().begin(), built.nodes().end());
    std::get<Memory>(nodes[buffer_.pos()]).partitions = partitions;
    return {built.name(), built.note(), built.clock_hz(), std::move(nodes), built.compute()};
  }

  // --- Fixed tiles: loops take as many steps as they are given, or all that are left.

  using Demands = std::vector<Constraint>;

  std::int64_t fixed_factor(NodeId memory, const std::string& dim) const {
    for (const FixedLoop& loop : given_.loops) {
      if (loop.memory == arch().memory(memory).name && loop.dim == dim) return loop.factor;
    }
    return 1;
  }

  void add_fixed_tiles(const Names& parallel, const Shape& shape, const Demands& constraints) {
    std::vector<Demands> all = {constraints};
    for (const std::string& dim : given_.dims) {
      const auto found = workload().find_dim(dim);
      if (!found || workload().dim(*found).size == 1) continue;
      const bool is_spread = std::ranges::find(parallel, dim) != parallel.end();
      std::vector<Demands> longer;
      for (const Demands& demands : all) {
        for (const Demands& more : fixed_loops(*found, is_spread)) {
          longer.push_back(demands);
          longer.back().insert(longer.back().end(), more.begin(), more.end());
        }
      }
      all = std::move(longer);
    }
    const Arch built = shaped(shape, {});
    for (Demands& demands : all) found_.push_back({built, std::move(demands)});
  }

  static Constraint factor(Kind kind, NodeId memory, DimId dim, std::int64_t value) {
    return {.kind = kind, .node = memory, .dim = dim, .value = value};
  }

  // What the loops over one dim must be, in all ways together. How many steps are left outside the
  // array depends on the factor there: a loop is either as long as it is given, or the last one.
  std::vector<Demands> fixed_loops(DimId dim, bool is_spread) const {
    const Dim& figures = workload().dim(dim);
    const auto memories = arch().memories();
    Demands sure;
    std::vector<Demands> result;
    std::int64_t left = figures.size;  // at most, outside what was looked at
    bool is_known = true;              // ... exactly so many
    for (std::size_t m = memories.size(); m-- > 0;) {
      if (is_spread && is_known && memories[m] < array_) is_known = false;
      if (memories[m] < buffer_) break;
      const std::int64_t given = fixed_factor(memories[m], figures.name);
      if (is_known) {
        const std::int64_t taken = std::min(given, left);
        sure.push_back(factor(Kind::kEqual, memories[m], dim, taken));
        left = ceil_div(left, taken);
        continue;
      }
      if (given > 1) {
        Demands last = sure;
        last.push_back(factor(Kind::kAtMost, memories[m], dim, given));
        for (std::size_t outside = 0; outside < m; ++outside) {
          last.push_back(factor(Kind::kEqual, memories[outside], dim, 1));
        }
        result.push_back(std::move(last));
      }
      if (given > left) return result;
      sure.push_back(factor(Kind::kEqual, memories[m], dim, given));
      left = ceil_div(left, given);
    }
    result.push_back(std::move(sure));
    return result;
  }

  const Flexibility& given_;
  const Degrees degrees_;
  const Problem& problem_;
  const NodeId buffer_;
  const NodeId array_;
  std::vector<Configuration> found_;
};

}  // namespace

FlexLayer view_layer(const Flexibility& flexibility, const Workload& workload) {
  std::vector<Dim> dims(workload.dims().begin(), workload.dims().end());
  const bool is_gemm = std::ranges::all_of(flexibility.gemm, [&](const Renaming& renaming) {
    return workload.find_dim(renaming.from).has_value();
  });
  for (const Renaming& renaming : flexibility.gemm) {
    if (is_gemm) dims[workload.find_dim(renaming.from)->pos()].name = renaming.to;
  }
  std::int64_t repeats = 1;
  for (Dim& dim : dims) {
    if (std::ranges::find(flexibility.dims, dim.name) != flexibility.dims.end()) continue;
    repeats = checked_mul(repeats, dim.size);
    dim.size = 1;
  }
  std::vector<Tensor> tensors(workload.tensors().begin(), workload.tensors().end());
  return {Workload(workload.name(), std::move(dims), std::move(tensors)), repeats};
}

std::vector<FlexNetworkLayer> view_network(const Flexibility& flexibility, const Network& network) {
  std::vector<FlexNetworkLayer> result;
  for (const std::vector<std::size_t>& equal : equal_layers(network)) {
    FlexLayer view = view_layer(flexibility, *network.layers[equal.front()].workload);
    double count = 0;
    for (const std::size_t layer : equal) {
      count += static_cast<double>(network.layers[layer].count);
    }
    result.push_back(
        {equal.front(), std::move(view.workload), count * static_cast<double>(view.repeats)});
  }
  return result;
}

std::int64_t size_of(const Workload& workload, const std::string& dim) {
  const auto found = workload.find_dim(dim);
  return found ? workload.dim(*found).size : 1;
}

std::vector<Configuration> find_configurations(const Flexibility& flexibility,
                                               const Degrees& degrees, const Problem& problem) {
  TW_CHECK(find_flexibility_faults(flexibility, problem.arch()).empty(), "there are faults");
  return Builder(flexibility, degrees, problem).run();
}

Configuration find_widest(const Flexibility& flexibility, const Problem& problem) {
  return Builder(flexibility, {}, problem).widest();
}

std::vector<PerTensor> divide_buffer(const Flexibility& flexibility, const Problem& problem) {
  const Workload& workload = problem.workload();
  const Arch& arch = problem.arch();
  const std::int64_t capacity = *arch.memory(*arch.find(flexibility.buffer)).capacity_bits;
  std::int64_t all = 0;
  for (const PerTensor& part : flexibility.partition) all = checked_add(all, part.value);
  std::vector<PerTensor> result;
  for (std::size_t t = 0; t < workload.tensors().size(); ++t) {
    const Tensor& tensor = workload.tensors()[t];
    const auto part = std::ranges::find_if(flexibility.partition, [&](const PerTensor& entry) {
      return (resolve_tensors(workload, entry.tensor) & only(TensorId(t))) != 0;
    });
    if (part == flexibility.partition.end()) {
      throw InputError("the partition of `" + flexibility.buffer + "` says nothing about `" +
                       tensor.name + "`");
    }
    // Whole parts of the capacity first: the product could be too large.
    const std::int64_t bits =
        checked_add(checked_mul(capacity / all, part->value), capacity % all * part->value / all);
    result.push_back({tensor.name, bits});
  }
  return result;
}

}  // namespace tilewright
