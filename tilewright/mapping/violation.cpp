// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapping/violation.h"

#include <algorithm>
#include <array>

#include "tilewright/base/checked.h"
#include "tilewright/mapping/sums.h"
#include "tilewright/workload/footprint.h"

namespace tilewright {
namespace {

using Kind = Violation::Kind;
using NodeKind = NestNode::Kind;

class Finder {
 public:
  Finder(const Problem& problem, const Mapping& mapping)
      : problem_(problem), mapping_(mapping), nodes_(mapping.nodes()) {}

  std::vector<Violation> find() {
    find_loop_count();
    for (std::size_t d = 0; d < workload().dims().size(); ++d) find_cover(DimId(d));
    for (std::size_t t = 0; t < workload().tensors().size(); ++t) find_keeps(TensorId(t));
    for (const NodeId fanout : arch().fanouts()) find_fanout(fanout);
    if (!found_.empty()) return found_;
    for (const NodeId fanout : arch().fanouts()) find_axes(fanout);
    for (const NodeId memory : arch().memories()) find_capacity(memory);
    return found_;
  }

 private:
  const Workload& workload() const { return problem_.workload(); }
  const Arch& arch() const { return problem_.arch(); }
  const NestNode& node(int position) const { return nodes_[static_cast<std::size_t>(position)]; }
  int size() const { return static_cast<int>(nodes_.size()); }

  void find_loop_count() {
    const auto loops = std::ranges::count_if(nodes_, &NestNode::is_loop);
    if (loops > kMaxLoops) {
      found_.push_back({.kind = Kind::kTooManyLoops, .value = loops, .limit = kMaxLoops});
    }
  }

  // (1): every factor at most what is left, and nothing left at the end.
  void find_cover(DimId dim) {
    const std::int64_t whole = workload().dim(dim).size;
    std::int64_t left = whole;
    std::int64_t covered = 1;
    for (int i = size() - 1; i >= 0; --i) {
      if (!node(i).is_loop() || node(i).dim != dim) continue;
      const std::int64_t factor = node(i).factor;
      if (factor > left) {
        found_.push_back({.kind = Kind::kOvercovered,
                          .dim = dim,
                          .position = i,
                          .value = factor,
                          .limit = left});
        return;
      }
      left = ceil_div(left, factor);
      covered = left == 1 ? whole : covered * factor;  // below `whole` while something is left
    }
    if (left > 1) {
      found_.push_back({.kind = Kind::kUncovered, .dim = dim, .value = covered, .limit = whole});
    }
  }

  void find_keeps(TensorId tensor) {
    int home = -1;
    NodeId innermost;
    for (int i = 0; i < size(); ++i) {
      if (node(i).kind != NodeKind::kKeep || (node(i).tensors & only(tensor)) == 0) continue;
      const NodeId memory = node(i).node;
      const auto report = [&](Kind kind) {
        found_.push_back(
            {.kind = kind, .node = memory, .other = innermost, .tensor = tensor, .position = i});
      };
      if ((problem_.memory(memory).may_keep & only(tensor)) == 0) report(Kind::kMayNotKeep);
      if (home < 0) {
        home = i;
      } else if (memory == innermost) {
        report(Kind::kKeptTwice);
      } else if (memory < innermost) {
        report(Kind::kKeepOrder);
      }
      innermost = std::max(innermost, memory);
    }
    if (home < 0) {
      found_.push_back({.kind = Kind::kNotKept, .tensor = tensor});
      return;
    }
    for (int i = 0; i < home; ++i) {
      if (!node(i).is_loop()) continue;
      found_.push_back({.kind = Kind::kLoopOutsideHome,
                        .node = node(home).node,
                        .tensor = tensor,
                        .dim = node(i).dim,
                        .position = i});
      return;
    }
  }

  // Loops of a fan-out stand together, inside what lies outside it and outside what lies inside it.
  void find_fanout(NodeId fanout) {
    int first = -1;
    int last = -1;
    for (int i = 0; i < size(); ++i) {
      if (node(i).kind != NodeKind::kSpatial || node(i).node != fanout) continue;
      if (first < 0) first = i;
      if (last >= 0 && last != i - 1) {
        found_.push_back({.kind = Kind::kFanoutSplit, .node = fanout, .position = i});
      }
      last = i;
    }
    if (first < 0) return;
    for (int i = 0; i < size(); ++i) {
      if (node(i).kind == NodeKind::kTemporal || node(i).node == fanout) continue;
      const bool outside_in_arch = node(i).node < fanout;
      if (outside_in_arch != (i < first)) {
        found_.push_back(
            {.kind = Kind::kFanoutOrder, .node = fanout, .other = node(i).node, .position = i});
      }
    }
  }

  void find_axes(NodeId id) {
    const Fanout& fanout = arch().fanout(id);
    for (std::size_t a = 0; a < fanout.axes.size(); ++a) {
      std::int64_t used = 1;
      int position = -1;
      for (int i = 0; i < size(); ++i) {
        if (node(i).kind != NodeKind::kSpatial || node(i).node != id) continue;
        if (node(i).axis != static_cast<int>(a)) continue;
        used = checked_mul(used, node(i).factor);
        position = i;
      }
      if (used > fanout.axes[a].size) {
        found_.push_back({.kind = Kind::kAxis,
                          .node = id,
                          .axis = static_cast<int>(a),
                          .position = position,
                          .value = used,
                          .limit = fanout.axes[a].size});
      }
    }
  }

  // (20)
  void find_capacity(NodeId id) {
    const Memory& memory = arch().memory(id);
    const ResolvedMemory& resolved = problem_.memory(id);
    std::int64_t shared = 0;
    int position = -1;
    for (int i = 0; i < size(); ++i) {
      if (node(i).kind != NodeKind::kKeep || node(i).node != id) continue;
      for (std::size_t t = 0; t < workload().tensors().size(); ++t) {
        const TensorId tensor(t);
        if ((node(i).tensors & only(tensor)) == 0) continue;
        const std::int64_t bits = checked_mul(tile_elements(problem_, mapping_, tensor, i),
                                              element_bits(problem_, nodes_, tensor, i));
        if (!resolved.partition_bits[t]) {
          shared = checked_add(shared, bits);
          position = i;
          continue;
        }
        const std::int64_t limit = *resolved.partition_bits[t] / memory.buffering;
        if (bits > limit) {
          found_.push_back({.kind = Kind::kPartition,
                            .node = id,
                            .tensor = tensor,
                            .position = i,
                            .value = bits,
                            .limit = limit});
        }
      }
    }
    if (memory.capacity_bits && shared > *memory.capacity_bits / memory.buffering) {
      found_.push_back({.kind = Kind::kCapacity,
                        .node = id,
                        .position = position,
                        .value = shared,
                        .limit = *memory.capacity_bits / memory.buffering});
    }
  }

  const Problem& problem_;
  const Mapping& mapping_;
  std::span<const NestNode> nodes_;
  std::vector<Violation> found_;
};

}  // namespace

std::vector<Violation> find_violations(const Problem& problem, const Mapping& mapping) {
  return Finder(problem, mapping).find();
}

std::vector<std::int64_t> tile_extents(const Problem& problem, const Mapping& mapping,
                                       int position) {
  const auto dims = problem.workload().dims();
  std::vector<std::int64_t> extents(dims.size(), 1);
  for (std::size_t i = mapping.nodes().size(); i-- > static_cast<std::size_t>(position + 1);) {
    const NestNode& node = mapping.nodes()[i];
    if (!node.is_loop()) continue;
    std::int64_t& extent = extents[node.dim.pos()];
    const std::int64_t size = dims[node.dim.pos()].size;
    extent = extent > size / node.factor ? size : extent * node.factor;  // min(size, product)
  }
  return extents;
}

std::int64_t tile_elements(const Problem& problem, const Mapping& mapping, TensorId tensor,
                           int position) {
  return TileForm(problem.workload(), tensor, problem.conventions().holes_are_data)
      .elements(tile_extents(problem, mapping, position));
}

}  // namespace tilewright
