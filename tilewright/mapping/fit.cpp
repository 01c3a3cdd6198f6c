// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapping/fit.h"

#include <bit>
#include <limits>
#include <optional>

#include "tilewright/base/checked.h"

namespace tilewright {

Fit::Fit(const Problem& problem) : sums_(problem) {
  const Workload& workload = problem.workload();
  for (const Dim& dim : workload.dims()) sizes_.push_back(dim.size);
  for (std::size_t t = 0; t < workload.tensors().size(); ++t) {
    tiles_.emplace_back(workload, TensorId(t), problem.conventions().holes_are_data);
  }
  rooms_.resize(problem.arch().nodes().size());
  for (const NodeId memory : problem.arch().memories()) {
    const Room& room = rooms_[memory.pos()] = make_room(problem, memory);
    const std::int64_t finished = room.bits[problem.workload().output().pos()];
    sums_matter_ = sums_matter_ || (room.limited && room.partial_bits != finished);
  }
}

Fit::Room Fit::make_room(const Problem& problem, NodeId id) const {
  const Memory& memory = problem.arch().memory(id);
  const ResolvedMemory& resolved = problem.memory(id);
  Room room;
  room.shared = memory.capacity_bits ? *memory.capacity_bits / memory.buffering
                                     : std::numeric_limits<std::int64_t>::max();
  for (std::size_t t = 0; t < tiles_.size(); ++t) {
    const auto& partition = resolved.partition_bits[t];
    room.bits[t] = resolved.bits[t];
    room.reserved[t] = partition ? *partition / memory.buffering : kNone;
  }
  room.partial_bits = resolved.partial_bits[tiles_.size() - 1];
  // A memory that takes all tensors whole takes every tile of them.
  try {
    std::int64_t used = 0;
    room.limited = !takes(room, {resolved.may_keep, true, sizes_}, used);
  } catch (const OverflowError&) {
    room.limited = true;
  }
  return room;
}

// (20), of tiles with these extents on top of the shared bits already `used`.
bool Fit::takes(const Room& room, const Tiles& tiles, std::int64_t& used) const {
  for (TensorSet left = tiles.tensors; left != 0; left &= left - 1) {
    const auto t = static_cast<std::size_t>(std::countr_zero(left));
    const bool wider = tiles.unfinished && t + 1 == tiles_.size();
    const std::int64_t bits =
        checked_mul(tiles_[t].elements(tiles.extents), wider ? room.partial_bits : room.bits[t]);
    if (room.reserved[t] != kNone) {
      if (bits > room.reserved[t]) return false;
    } else {
      used = checked_add(used, bits);
      if (used > room.shared) return false;
    }
  }
  return true;
}

bool Fit::fits(std::span<const NestNode> nodes) const {
  std::array<std::int64_t, Workload::kMaxDims> extents;
  extents.fill(1);
  std::array<std::int64_t, Arch::kMaxNodes> used{};  // a memory may keep its tensors apart
  std::optional<SumProgress> sums;
  if (sums_matter_) sums = sums_;
  try {
    for (std::size_t i = nodes.size(); i-- > 0;) {
      const NestNode& node = nodes[i];
      if (sums) sums->pass(node);
      if (node.is_loop()) {
        std::int64_t& extent = extents[node.dim.pos()];
        const std::int64_t size = sizes_[node.dim.pos()];
        const bool too_long = __builtin_mul_overflow(extent, node.factor, &extent);
        if (too_long || extent > size) extent = size;
        continue;
      }
      const Room& room = rooms_[node.node.pos()];
      const bool unfinished = sums && sums->unfinished();
      if (room.limited &&
          !takes(room, {node.tensors, unfinished, extents}, used[node.node.pos()])) {
        return false;
      }
    }
  } catch (const OverflowError&) {
    return false;
  }
  return true;
}

}  // namespace tilewright
