// SPDX-License-Identifier: Apache-2.0
#include "tilewright/flexibility/flexibility.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "tilewright/base/text/printable.h"

namespace tilewright {
namespace {

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

/// Collects what is wrong.
class Faults {
 public:
  Faults(const Flexibility& flexibility, const Arch& arch) : given_(flexibility), arch_(arch) {}

  std::vector<std::string> find() {
    check_dims();
    const std::optional<NodeId> buffer = find_buffer();
    const std::optional<NodeId> array = find_array(buffer);
    if (buffer && array) check_loops(*buffer, *array);
    check_partition(buffer);
    check_orders();
    if (array) check_parallelisms(*array);
    if (array) check_shape(*array);
    if (given_.costs && !(given_.costs->base_um2 > 0)) {
      add("the area of the accelerator, `base`, must be more than 0");
    }
    return std::move(faults_);
  }

 private:
  void add(std::string fault) { faults_.push_back(std::move(fault)); }

  void check_dims() {
    if (given_.dims.empty()) add("there are no dims");
    if (std::set<std::string>(given_.dims.begin(), given_.dims.end()).size() !=
        given_.dims.size()) {
      add("a dim is listed twice");
    }
    std::set<std::string> names;
    for (const Renaming& renaming : given_.gemm) {
      if (!has(given_.dims, renaming.to)) {
        add(in_backticks(renaming.to) + ", which stands for " + in_backticks(renaming.from) +
            " of a matrix product, is not one of the dims");
      }
      if (!names.insert(renaming.to).second) {
        add(in_backticks(renaming.to) + " stands for two dims of a matrix product");
      }
    }
  }

  std::optional<NodeId> find_buffer() {
    const auto found = arch_.find(given_.buffer);
    if (!found || !arch_.is_memory(*found)) {
      add("the buffer " + in_backticks(given_.buffer) + " is not a memory of the architecture");
      return std::nullopt;
    }
    if (!arch_.memory(*found).capacity_bits || *found == arch_.memories().front()) {
      add("the buffer " + in_backticks(given_.buffer) +
          " must have a capacity and a memory outside it");
      return std::nullopt;
    }
    return found;
  }

  std::optional<NodeId> find_array(std::optional<NodeId> buffer) {
    const auto found = arch_.find(given_.array);
    if (!found || arch_.is_memory(*found)) {
      add("the array " + in_backticks(given_.array) + " is not a fan-out of the architecture");
      return std::nullopt;
    }
    if (buffer && *found < *buffer) {
      add("the array " + in_backticks(given_.array) + " must be inside the buffer");
      return std::nullopt;
    }
    return found;
  }

  void check_loops(NodeId buffer, NodeId array) {
    for (const NodeId fanout : arch_.fanouts()) {
      if (fanout > buffer && fanout != array) {
        add("inside the buffer, " + in_backticks(given_.array) + " must be the only fan-out, not " +
            in_backticks(arch_.fanout(fanout).name));
      }
    }
    std::set<std::pair<std::string, std::string>> seen;
    for (const FixedLoop& loop : given_.loops) {
      const auto memory = arch_.find(loop.memory);
      const std::string what =
          "the loop over " + in_backticks(loop.dim) + " in " + in_backticks(loop.memory);
      if (!memory || !arch_.is_memory(*memory) || *memory < buffer) {
        add(what + ": this is neither the buffer nor a memory inside it");
      }
      if (!has(given_.dims, loop.dim)) add(what + ": this is not one of the dims");
      if (loop.factor < 1) add(what + " must have at least one step");
      if (!seen.emplace(loop.memory, loop.dim).second) add(what + " is given twice");
    }
  }

  void check_partition(std::optional<NodeId> buffer) {
    const bool wanted = given_.supports[FlexAxis::kTile] == Degree::kPartial;
    if (wanted && given_.partition.empty()) add("partial tiles need a partition of the buffer");
    for (const PerTensor& part : given_.partition) {
      if (part.value < 1) add("the share of " + in_backticks(part.tensor) + " must be at least 1");
    }
    if (buffer && !arch_.memory(*buffer).partitions.empty()) {
      add("the buffer has partitions of its own: give them here instead");
    }
  }

  void check_orders() {
    if (given_.orders.empty()) add("there is no order of the loops");
    for (const std::vector<std::string>& order : given_.orders) {
      if (!std::ranges::is_permutation(order, given_.dims)) {
        add("an order must have each of the dims once");
      }
    }
  }

  void check_parallelisms(NodeId array) {
    const std::size_t axes = arch_.fanout(array).axes.size();
    if (given_.parallelisms.empty()) add("it is not said which dims run in parallel");
    for (const std::vector<std::string>& dims : given_.parallelisms) {
      if (dims.size() != axes) {
        add("parallelism needs one dim for each axis of " + in_backticks(given_.array) + ": " +
            std::to_string(axes) + ", not " + std::to_string(dims.size()));
      }
      if (std::set<std::string>(dims.begin(), dims.end()).size() != dims.size() ||
          !std::ranges::all_of(dims, [&](const auto& dim) { return has(given_.dims, dim); })) {
        add("parallel dims must be different ones of the dims");
      }
    }
    if (given_.dims.size() < axes) add("there are fewer dims than axes");
  }

  void check_shape(NodeId array) {
    const std::vector<Axis>& axes = arch_.fanout(array).axes;
    if (given_.supports[FlexAxis::kShape] == Degree::kPartial && given_.block.empty()) {
      add("partial shapes need a block that the array is built from");
    }
    if (given_.block.empty()) return;
    if (axes.size() != 2 || given_.block.size() != 2) {
      add("blocks need an array with two axes and a size for each of them");
      return;
    }
    if (given_.block[0] < 1 || given_.block[1] < 1) {
      add("the sizes of a block must be at least 1");
      return;
    }
    if (given_.block[0] > axes[0].size * axes[1].size / given_.block[1]) {
      add("a block has more units than the array");
    }
  }

  const Flexibility& given_;
  const Arch& arch_;
  std::vector<std::string> faults_;
};

// For each count of rows the largest count of columns.
std::vector<std::vector<std::int64_t>> rectangles(std::int64_t cells) {
  std::vector<std::vector<std::int64_t>> result;
  for (std::int64_t rows = 1; rows <= cells; ++rows) result.push_back({rows, cells / rows});
  return result;
}

}  // namespace

std::string_view flex_axis_name(FlexAxis axis) {
  switch (axis) {
    case FlexAxis::kTile:
      return "tile";
    case FlexAxis::kOrder:
      return "order";
    case FlexAxis::kParallelism:
      return "parallelism";
    case FlexAxis::kShape:
      return "shape";
  }
  return "";
}

std::string_view degree_name(Degree degree) {
  switch (degree) {
    case Degree::kFixed:
      return "fixed";
    case Degree::kPartial:
      return "partial";
    case Degree::kFull:
      return "full";
  }
  return "";
}

std::optional<Degree> degree_by_name(std::string_view name) {
  for (const Degree degree : {Degree::kFixed, Degree::kPartial, Degree::kFull}) {
    if (name == degree_name(degree)) return degree;
  }
  return std::nullopt;
}

Degrees all_degrees(Degree degree) {
  Degrees degrees;
  degrees.of.fill(degree);
  return degrees;
}

Degrees with_degree(Degrees degrees, FlexAxis axis, Degree degree) {
  degrees[axis] = degree;
  return degrees;
}

std::vector<std::string> find_flexibility_faults(const Flexibility& flexibility, const Arch& arch) {
  return Faults(flexibility, arch).find();
}

bool has_partial(const Flexibility& flexibility, FlexAxis axis) {
  switch (axis) {
    case FlexAxis::kTile:
      return !flexibility.partition.empty();
    case FlexAxis::kOrder:
      return flexibility.orders.size() > 1;
    case FlexAxis::kParallelism:
      return flexibility.parallelisms.size() > 1;
    case FlexAxis::kShape:
      return !flexibility.block.empty();
  }
  return false;
}

std::vector<Degrees> every_degrees(const Flexibility& flexibility) {
  std::vector<Degrees> result = {all_degrees(Degree::kFixed)};
  for (const FlexAxis axis : kAllFlexAxes) {
    std::vector<Degrees> longer;
    for (const Degrees& degrees : result) {
      for (const Degree degree : {Degree::kFixed, Degree::kPartial, Degree::kFull}) {
        if (degree == Degree::kPartial && !has_partial(flexibility, axis)) continue;
        longer.push_back(degrees);
        longer.back()[axis] = degree;
      }
    }
    result = std::move(longer);
  }
  return result;
}

FlexCosts costs_of(const Flexibility& flexibility, const Arch& arch) {
  if (flexibility.costs) return *flexibility.costs;
  // The paper prints 763,874 um2 for flexible tiles, and 0.004 % more: two digits are swapped.
  const double size = static_cast<double>(units_of(flexibility, arch)) / 1024;
  return {.base_um2 = 736'843 * size,
          .full_um2 = {31 * size, 1'615 * size, 877 * size, 212 * size},
          .partial_share = 0.5};
}

double added_area_um2(const FlexCosts& costs, const Degrees& degrees) {
  double area = 0;
  for (std::size_t axis = 0; axis < kFlexAxes; ++axis) {
    if (degrees.of[axis] == Degree::kFull) area += costs.full_um2[axis];
    if (degrees.of[axis] == Degree::kPartial) area += costs.partial_share * costs.full_um2[axis];
  }
  return area;
}

std::string flex_class(const Flexibility& flexibility, const Degrees& degrees) {
  std::string digits;
  for (const FlexAxis axis : kAllFlexAxes) {
    const bool flexible = degrees[axis] == Degree::kFull ||
                          (degrees[axis] == Degree::kPartial && has_partial(flexibility, axis));
    digits += flexible ? '1' : '0';
  }
  return digits;
}

std::vector<std::int64_t> fixed_shape(const Flexibility& flexibility, const Arch& arch) {
  std::vector<std::int64_t> shape;
  for (const Axis& axis : arch.fanout(*arch.find(flexibility.array)).axes) {
    shape.push_back(axis.size);
  }
  return shape;
}

std::int64_t units_of(const Flexibility& flexibility, const Arch& arch) {
  std::int64_t units = 1;
  for (const std::int64_t size : fixed_shape(flexibility, arch)) units *= size;
  return units;
}

Arch with_shape(const Flexibility& flexibility, const Arch& arch,
                const std::vector<std::int64_t>& sizes) {
  std::vector<ArchNode> nodes(arch.nodes().begin(), arch.nodes().end());
  std::vector<Axis>& axes = std::get<Fanout>(nodes[arch.find(flexibility.array)->pos()]).axes;
  axes.resize(sizes.size());
  for (std::size_t a = 0; a < axes.size(); ++a) axes[a].size = sizes[a];
  return {arch.name(), arch.note(), arch.clock_hz(), std::move(nodes), arch.compute()};
}

std::vector<std::vector<std::string>> every_parallelism(const Flexibility& flexibility) {
  std::vector<std::vector<std::string>> all = {{}};
  for (std::size_t axis = 0; axis < flexibility.parallelisms.front().size(); ++axis) {
    std::vector<std::vector<std::string>> longer;
    for (const std::vector<std::string>& chosen : all) {
      for (const std::string& dim : flexibility.dims) {
        if (has(chosen, dim)) continue;
        longer.push_back(chosen);
        longer.back().push_back(dim);
      }
    }
    all = std::move(longer);
  }
  return all;
}

std::vector<std::vector<std::int64_t>> shapes_of(const Flexibility& flexibility, const Arch& arch,
                                                 Degree degree) {
  const std::vector<std::int64_t> fixed = fixed_shape(flexibility, arch);
  if (fixed.size() != 2 || degree == Degree::kFixed) return {fixed};
  const std::int64_t units = units_of(flexibility, arch);
  if (degree == Degree::kFull) return rectangles(units);
  if (flexibility.block.empty()) return {fixed};
  const std::int64_t blocks = units / (flexibility.block[0] * flexibility.block[1]);
  std::vector<std::vector<std::int64_t>> shapes = rectangles(blocks);
  for (std::vector<std::int64_t>& shape : shapes) {
    shape[0] *= flexibility.block[0];
    shape[1] *= flexibility.block[1];
  }
  if (std::ranges::find(shapes, fixed) == shapes.end()) shapes.push_back(fixed);
  return shapes;
}

}  // namespace tilewright
