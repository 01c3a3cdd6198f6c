// SPDX-License-Identifier: Apache-2.0
// What every report about one mapping needs, and the few ratios that several of them show.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tilewright/evaluation/evaluation.h"
#include "tilewright/evaluation/objective.h"
#include "tilewright/mapping/mapping.h"
#include "tilewright/mapping/problem.h"

namespace tilewright {

/// One evaluated mapping. Refers to values that outlive it.
struct Evaluated {
  const Problem& problem;
  const Mapping& mapping;
  const Evaluation& evaluation;
  std::optional<NamedObjective> objective = {};  ///< shown if set
};

/// Elements of the whole tensor: its tile in the outermost memory that keeps it.
std::int64_t tensor_elements(const Evaluation& evaluation, TensorId tensor);

/// How often the tensor passes through: reads (the output: updates) at this memory / its elements.
double refetch(const Evaluated& evaluated, const MemoryEvaluation& memory, TensorId tensor);

/// Bits that a tile of the tensor may use in this memory; nothing if that is not limited.
std::optional<std::int64_t> room_bits(const Problem& problem, NodeId memory, TensorId tensor);

/// A part of a memory that tiles share, or that one tensor has for itself, and what is in it.
struct Room {
  TensorId tensor;  ///< whose partition it is; unset: shared by all others
  std::int64_t capacity_bits = 0;
  std::int64_t buffering = 1;
  std::int64_t used_bits = 0;

  /// What tiles may use.
  std::int64_t room_bits() const { return capacity_bits / buffering; }
  double share() const { return static_cast<double>(used_bits) / static_cast<double>(room_bits()); }
};

/// What one instance of a memory holds: the shared part if it is limited, then the partitions of
/// the tensors of this workload that it may keep. Empty if nothing is limited.
std::vector<Room> find_rooms(const Evaluated& evaluated, const MemoryEvaluation& memory);

/// All of them as one; nothing if what is kept here may grow without limit.
std::optional<Room> whole_room(const Evaluated& evaluated, const MemoryEvaluation& memory);

/// `shared`, or `for Inputs`.
std::string room_name(const Evaluated& evaluated, const Room& room);

/// `128 KiB / 2, 12.3 % full`
std::string room_text(const Room& room);

/// Seconds, if the architecture has a clock.
std::optional<double> seconds(const Evaluated& evaluated);

/// True if the memory keeps any tensor in this mapping.
bool keeps_anything(const MemoryEvaluation& memory);

/// "DRAM", or the compute unit's name for an unset id.
std::string node_or_compute_name(const Arch& arch, NodeId node);

/// The limit that sets a memory's cycles, and how much of it is used.
struct BandwidthUse {
  std::string what;  ///< "read", "write" or "read+write"
  std::int64_t cycles = 0;
  double used = 0;            ///< per cycle of the whole run, busiest instance
  double limit = 0;           ///< per cycle
  std::string unit;           ///< "word" if all tensors it keeps have one width here, else "bit"
  std::int64_t bits = 0;      ///< in the whole run, busiest instance
  double bits_per_cycle = 0;  ///< the limit
};

/// Nothing if no bandwidth of this memory is limited.
std::optional<BandwidthUse> bandwidth_use(const Evaluated& evaluated,
                                          const MemoryEvaluation& memory);

}  // namespace tilewright
