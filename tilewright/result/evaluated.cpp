// SPDX-License-Identifier: Apache-2.0
#include "tilewright/result/evaluated.h"

#include <fmt/format.h>

#include <algorithm>

#include "tilewright/evaluation/widths.h"
#include "tilewright/format/number_text.h"

namespace tilewright {
namespace {

// The width that all kept tensors share here, or 0.
std::int64_t common_bits(const Evaluated& evaluated, const MemoryEvaluation& memory) {
  const ResolvedMemory& resolved = evaluated.problem.memory(memory.node);
  std::int64_t common = 0;
  for (std::size_t t = 0; t < memory.tensors.size(); ++t) {
    const TensorCounts& counts = memory.tensors[t];
    if (!counts.kept) continue;
    const std::int64_t bits = element_bits(resolved, TensorId(t), counts);
    const bool also_finished = counts.finished_updates > 0 && bits != resolved.bits[t];
    if (also_finished || (common != 0 && common != bits)) return 0;
    common = bits;
  }
  return common;
}

}  // namespace

std::int64_t tensor_elements(const Evaluation& evaluation, TensorId tensor) {
  for (const MemoryEvaluation& memory : evaluation.memories) {
    const TensorCounts& counts = memory.tensors[tensor.pos()];
    if (counts.kept) return counts.tile;
  }
  return 0;
}

double refetch(const Evaluated& evaluated, const MemoryEvaluation& memory, TensorId tensor) {
  const TensorCounts& counts = memory.tensors[tensor.pos()];
  const bool output = tensor == evaluated.problem.workload().output();
  const std::int64_t elements = tensor_elements(evaluated.evaluation, tensor);
  const std::int64_t moved = output ? counts.updates : counts.reads;
  return elements == 0 ? 0 : static_cast<double>(moved) / static_cast<double>(elements);
}

std::optional<std::int64_t> room_bits(const Problem& problem, NodeId memory, TensorId tensor) {
  const Memory& description = problem.arch().memory(memory);
  const auto& partition = problem.memory(memory).partition_bits[tensor.pos()];
  const std::optional<std::int64_t> capacity = partition ? partition : description.capacity_bits;
  if (!capacity) return std::nullopt;
  return *capacity / description.buffering;
}

std::vector<Room> find_rooms(const Evaluated& evaluated, const MemoryEvaluation& memory) {
  const Memory& description = evaluated.problem.arch().memory(memory.node);
  const ResolvedMemory& resolved = evaluated.problem.memory(memory.node);
  std::vector<Room> rooms;
  if (description.capacity_bits) {
    rooms.push_back({TensorId(), *description.capacity_bits, description.buffering, 0});
  }
  const bool shared = !rooms.empty();
  for (std::size_t t = 0; t < memory.tensors.size(); ++t) {
    const bool own = resolved.partition_bits[t].has_value();
    if (own && (resolved.may_keep & only(TensorId(t))) == 0) continue;
    const std::int64_t bits =
        memory.tensors[t].kept ? checked_mul(memory.tensors[t].tile,
                                             element_bits(resolved, TensorId(t), memory.tensors[t]))
                               : 0;
    if (own) {
      rooms.push_back({TensorId(t), *resolved.partition_bits[t], description.buffering, bits});
    } else if (shared) {
      rooms.front().used_bits = checked_add(rooms.front().used_bits, bits);
    }
  }
  return rooms;
}

std::optional<Room> whole_room(const Evaluated& evaluated, const MemoryEvaluation& memory) {
  const std::vector<Room> rooms = find_rooms(evaluated, memory);
  const ResolvedMemory& resolved = evaluated.problem.memory(memory.node);
  bool limited = !rooms.empty();
  for (std::size_t t = 0; t < memory.tensors.size(); ++t) {
    const bool shares = memory.tensors[t].kept && !resolved.partition_bits[t];
    limited = limited && (!shares || !rooms.front().tensor.valid());
  }
  if (!limited) return std::nullopt;
  Room all{TensorId(), 0, rooms.front().buffering, 0};
  for (const Room& room : rooms) {
    all.capacity_bits = checked_add(all.capacity_bits, room.capacity_bits);
    all.used_bits = checked_add(all.used_bits, room.used_bits);
  }
  return all;
}

std::string room_name(const Evaluated& evaluated, const Room& room) {
  if (!room.tensor.valid()) return "shared";
  return "for " + evaluated.problem.workload().tensor(room.tensor).name;
}

std::string room_text(const Room& room) {
  std::string size = bits_text(room.capacity_bits);
  if (room.buffering > 1) size += fmt::format(" / {}", room.buffering);
  return size + ", " + (room.room_bits() == 0 ? "no room" : percent_text(room.share()) + " full");
}

std::optional<double> seconds(const Evaluated& evaluated) {
  const std::optional<Rational>& clock = evaluated.problem.arch().clock_hz();
  if (!clock) return std::nullopt;
  return static_cast<double>(evaluated.evaluation.cycles) / to_double(*clock);
}

bool keeps_anything(const MemoryEvaluation& memory) {
  return std::any_of(memory.tensors.begin(), memory.tensors.end(),
                     [](const TensorCounts& counts) { return counts.kept; });
}

std::string node_or_compute_name(const Arch& arch, NodeId node) {
  return node.valid() ? node_name(arch.nodes()[node.pos()]) : arch.compute().name;
}

std::optional<BandwidthUse> bandwidth_use(const Evaluated& evaluated,
                                          const MemoryEvaluation& memory) {
  const Memory& description = evaluated.problem.arch().memory(memory.node);
  if (!description.read_bandwidth && !description.write_bandwidth &&
      !description.shared_bandwidth) {
    return std::nullopt;
  }
  const ResolvedMemory& resolved = evaluated.problem.memory(memory.node);
  std::int64_t read_bits = 0;
  std::int64_t write_bits = 0;
  for (std::size_t t = 0; t < memory.tensors.size(); ++t) {
    const MovedBits moved = peak_bits(resolved, TensorId(t), memory.tensors[t]);
    read_bits = checked_add(read_bits, moved.read);
    write_bits = checked_add(write_bits, moved.written);
  }
  const std::int64_t width = common_bits(evaluated, memory);
  std::optional<BandwidthUse> worst;
  const auto consider = [&](const char* what, std::int64_t bits,
                            const std::optional<Rational>& rate) {
    if (!rate) return;
    const std::int64_t cycles = ceil_div(bits, *rate);
    if (worst && worst->cycles >= cycles) return;
    const double per_unit = width == 0 ? 1.0 : static_cast<double>(width);
    const double run = static_cast<double>(std::max<std::int64_t>(1, evaluated.evaluation.cycles));
    worst = BandwidthUse{what,
                         cycles,
                         static_cast<double>(bits) / run / per_unit,
                         to_double(*rate) / per_unit,
                         width == 0 ? "bit" : "word",
                         bits,
                         to_double(*rate)};
  };
  consider("read", read_bits, description.read_bandwidth);
  consider("write", write_bits, description.write_bandwidth);
  consider("read+write", checked_add(read_bits, write_bits), description.shared_bandwidth);
  return worst;
}

}  // namespace tilewright
