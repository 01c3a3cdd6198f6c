// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapping/sums.h"

#include <algorithm>
#include <bit>

namespace tilewright {

SumProgress::SumProgress(const Problem& problem) : output_(only(problem.workload().output())) {
  const Workload& workload = problem.workload();
  for (std::size_t d = 0; d < workload.dims().size(); ++d) {
    sizes_[d] = workload.dims()[d].size;
    if (sizes_[d] > 1) summing_ |= workload.summing_dims() & 1U << d;
  }
  meeting_ = summing_ & workload.relevant_dims(workload.output());
  const Arch& arch = problem.arch();
  static_assert(Arch::kMaxNodes <= 32, "a bit for every node");
  for (const NodeId fanout : arch.fanouts()) {
    if (arch.fanout(fanout).reduction) reduces_ |= 1U << fanout.value;
  }
  inside_.fill(1);
  summed_.fill(1);
}

// A legal nest covers a dim with all its loops and with no fewer, so a loop that is missing in
// `summed_` leaves it below the size.
void SumProgress::pass(const NestNode& node) {
  if (node.is_loop()) {
    const std::size_t d = node.dim.pos();
    if ((summing_ >> d & 1U) == 0) return;
    const auto grow = [&](std::int64_t& extent) {
      const bool too_long = __builtin_mul_overflow(extent, node.factor, &extent);
      if (too_long || extent > sizes_[d]) extent = sizes_[d];
    };
    grow(inside_[d]);
    const bool reduced =
        node.kind == NestNode::Kind::kSpatial && (reduces_ >> node.node.value & 1U) != 0;
    if (reduced && (meeting_ >> d & 1U) == 0) grow(summed_[d]);
    return;
  }
  if ((node.tensors & output_) == 0) return;
  unfinished_ = false;
  for (std::uint32_t left = summing_; left != 0; left &= left - 1) {
    const auto d = static_cast<std::size_t>(std::countr_zero(left));
    unfinished_ = unfinished_ || summed_[d] < sizes_[d];
  }
  summed_ = inside_;
}

bool sums_unfinished(const Problem& problem, std::span<const NestNode> nodes, int position) {
  SumProgress progress(problem);
  for (int i = static_cast<int>(nodes.size()) - 1; i >= position; --i) {
    progress.pass(nodes[static_cast<std::size_t>(i)]);
  }
  return progress.unfinished();
}

std::int64_t element_bits(const Problem& problem, std::span<const NestNode> nodes, TensorId tensor,
                          int position) {
  const NodeId memory = nodes[static_cast<std::size_t>(position)].node;
  const ResolvedMemory& resolved = problem.memory(memory);
  const bool wider = tensor == problem.workload().output() &&
                     resolved.partial_bits[tensor.pos()] != resolved.bits[tensor.pos()] &&
                     sums_unfinished(problem, nodes, position);
  return (wider ? resolved.partial_bits : resolved.bits)[tensor.pos()];
}

}  // namespace tilewright
