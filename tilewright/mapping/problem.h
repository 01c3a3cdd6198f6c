// SPDX-License-Identifier: Apache-2.0
// A workload and an architecture together: what the architecture says about "weights" is resolved
// to the tensors of this workload, once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tilewright/arch/arch.h"
#include "tilewright/mapping/conventions.h"
#include "tilewright/mapping/mapping.h"
#include "tilewright/workload/workload.h"

namespace tilewright {

/// The tensor with that name, or else the tensors with that role; empty if there are none.
TensorSet resolve_tensors(const Workload& workload, std::string_view name);

/// One memory as this workload's tensors see it; vectors are indexed by TensorId.
struct ResolvedMemory {
  NodeId node;
  TensorSet may_keep = 0;
  TensorSet sliding = 0;
  std::vector<std::int64_t> bits;                           ///< width of an element here
  std::vector<std::int64_t> partial_bits;                   ///< ... as a partial sum
  bool partial_given = false;                               ///< ... and whether it was given
  std::vector<std::optional<std::int64_t>> partition_bits;  ///< capacity reserved for the tensor
};

/// A name in the architecture that matches no tensor or role of the workload.
struct UnknownTensor {
  NodeId memory;
  std::string name;
};

/// A workload, an architecture, and how costs are counted. A name in the architecture means the
/// tensor of that name, else the tensors of that role; a name that fits neither is listed in
/// unknown() and has no effect, because one architecture serves workloads with other tensors.
class Problem {
 public:
  Problem(Workload workload, Arch arch, Conventions conventions = {});

  const Workload& workload() const { return workload_; }
  const Arch& arch() const { return arch_; }
  const Conventions& conventions() const { return conventions_; }
  /// `id` must be a memory.
  const ResolvedMemory& memory(NodeId id) const { return memories_[id.pos()]; }
  const std::vector<UnknownTensor>& unknown() const { return unknown_; }

  /// The same problem, counted in another way.
  Problem with(Conventions conventions) const;
  /// The same problem on another architecture.
  Problem with(Arch arch) const { return {workload_, std::move(arch), conventions_}; }

 private:
  Workload workload_;
  Arch arch_;
  Conventions conventions_;
  std::vector<ResolvedMemory> memories_;  // by NodeId; fan-outs have an empty entry
  std::vector<UnknownTensor> unknown_;
};

}  // namespace tilewright
