// SPDX-License-Identifier: Apache-2.0
#include "tilewright/html/figures/unit_array.h"

#include <algorithm>

#include "tilewright/base/checked.h"
#include "tilewright/report/mapping/nest_text.h"

namespace tilewright {
namespace {

bool is_spatial(const NestNode& node) { return node.kind == NestNode::Kind::kSpatial; }

}  // namespace

UnitArray::UnitArray(const Problem& problem, const Mapping& mapping) {
  const std::span<const NestNode> nodes = mapping.nodes();
  std::size_t innermost = 0;  // loops in space all lie before it
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!is_spatial(nodes[i])) continue;
    innermost = i + 1;
    if (std::ranges::find(dims_, nodes[i].dim) == dims_.end()) dims_.push_back(nodes[i].dim);
  }
  std::ranges::sort(dims_);
  std::vector<std::int64_t> step(problem.workload().dims().size(), 1);
  steps_.assign(nodes.size(), 1);
  inside_.assign(dims_.size(), 1);
  for (std::size_t i = nodes.size(); i-- > 0;) {
    if (!nodes[i].is_loop()) continue;
    std::int64_t& moved = step[nodes[i].dim.pos()];
    steps_[i] = moved;
    moved = checked_mul(moved, nodes[i].factor);
    if (i >= innermost) {
      const auto found = std::ranges::find(dims_, nodes[i].dim);
      if (found != dims_.end()) inside_[slot(nodes[i].dim)] = moved;
    }
  }
  last_.assign(dims_.size(), 0);
  for (const DimId dim : dims_) sizes_.push_back(problem.workload().dim(dim).size);
  for (std::size_t i = 0; i < innermost; ++i) {
    if (nodes[i].kind != NestNode::Kind::kTemporal) continue;
    const auto found = std::ranges::find(dims_, nodes[i].dim);
    if (found == dims_.end()) continue;
    const std::size_t d = slot(nodes[i].dim);
    last_[d] += (sizes_[d] - 1) / steps_[i] % nodes[i].factor * steps_[i];
  }
  add_axes(problem, mapping);
  size_ = checked_mul(across_.size, down_.size);
  if (!drawable()) return;
  columns_ = offsets(across_, mapping);
  rows_ = offsets(down_, mapping);
}

std::size_t UnitArray::slot(DimId dim) const {
  return static_cast<std::size_t>(std::ranges::find(dims_, dim) - dims_.begin());
}

Pass UnitArray::last_pass() const { return last_; }

void UnitArray::add_axes(const Problem& problem, const Mapping& mapping) {
  const Arch& arch = problem.arch();
  for (const NodeId id : arch.fanouts()) {
    const Fanout& fanout = arch.fanout(id);
    for (std::size_t a = 0; a < fanout.axes.size(); ++a) {
      const Axis& axis = fanout.axes[a];
      UnitAxis view{fanout.axes.size() > 1 ? fanout.name + "." + axis.name : fanout.name,
                    axis.size,
                    1,
                    "",
                    {}};
      for (std::size_t i = 0; i < mapping.nodes().size(); ++i) {
        const NestNode& node = mapping.nodes()[i];
        if (!is_spatial(node) || node.node != id || node.axis != static_cast<int>(a)) continue;
        view.used = checked_mul(view.used, node.factor);
        if (!view.loops.empty()) view.loops += " x ";
        view.loops += problem.workload().dim(node.dim).name + " " + std::to_string(node.factor);
        view.places.push_back(static_cast<int>(i));
      }
      // A mapping that does not fit is shown as large as it would have to be.
      view.size = std::max(view.size, view.used);
      const bool is_x = axis.name == "X" || axis.name == "x";
      const bool is_y = axis.name == "Y" || axis.name == "y";
      UnitSide& side = is_x || (!is_y && across_.size <= down_.size) ? across_ : down_;
      side.size = checked_mul(side.size, view.size);
      side.axes.push_back(std::move(view));
    }
  }
}

void UnitArray::add_loops(const UnitAxis& axis, std::int64_t index, const Mapping& mapping,
                          Offset& offset) const {
  if (index >= axis.used) offset.used = false;
  for (std::size_t l = axis.places.size(); l-- > 0;) {
    const auto place = static_cast<std::size_t>(axis.places[l]);
    const NestNode& node = mapping.nodes()[place];
    offset.start[slot(node.dim)] += index % node.factor * steps_[place];
    index /= node.factor;
    if (l == 1) offset.group += index;
  }
}

std::vector<UnitArray::Offset> UnitArray::offsets(const UnitSide& side,
                                                  const Mapping& mapping) const {
  std::vector<Offset> result(static_cast<std::size_t>(side.size));
  for (std::size_t place = 0; place < result.size(); ++place) {
    Offset& offset = result[place];
    offset.used = true;
    offset.start.assign(dims_.size(), 0);
    auto rest = static_cast<std::int64_t>(place);
    for (std::size_t a = side.axes.size(); a-- > 0;) {
      add_loops(side.axes[a], rest % side.axes[a].size, mapping, offset);
      rest /= side.axes[a].size;
      if (a == 1) offset.group += rest;
    }
  }
  return result;
}

UnitBlock UnitArray::look(const Pass& pass, std::int64_t x, std::int64_t y, std::int64_t width,
                          std::int64_t height) const {
  UnitBlock block;
  const std::int64_t right = std::min(across_.size, x + width);
  const std::int64_t bottom = std::min(down_.size, y + height);
  block.all = (right - x) * (bottom - y);
  std::vector<bool> busy(static_cast<std::size_t>(right - x), false);
  for (std::int64_t v = y; v < bottom; ++v) {
    const std::int64_t before = block.active;
    const Offset& row = rows_[static_cast<std::size_t>(v)];
    for (std::int64_t h = x; h < right; ++h) {
      const Offset& column = columns_[static_cast<std::size_t>(h)];
      bool active = row.used && column.used;
      for (std::size_t d = 0; active && d < dims_.size(); ++d) {
        active = pass[d] + row.start[d] + column.start[d] < sizes_[d];
      }
      if (!active) continue;
      busy[static_cast<std::size_t>(h - x)] = true;
      if (block.active++ == 0) {
        block.group = row.group + column.group;
        block.from.assign(dims_.size(), INT64_MAX);
        block.to.assign(dims_.size(), 0);
      }
      for (std::size_t d = 0; d < dims_.size(); ++d) {
        const std::int64_t start = pass[d] + row.start[d] + column.start[d];
        block.from[d] = std::min(block.from[d], start);
        block.to[d] = std::max(block.to[d], std::min(sizes_[d], start + inside_[d]) - 1);
      }
    }
    if (block.active > before) ++block.rows;
  }
  block.columns = std::ranges::count(busy, true);
  return block;
}

std::int64_t UnitArray::count_active(const Pass& pass) const {
  return look(pass, 0, 0, across_.size, down_.size).active;
}

}  // namespace tilewright
