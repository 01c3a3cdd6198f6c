// SPDX-License-Identifier: Apache-2.0
#include "tilewright/model/derive.h"

#include <algorithm>
#include <variant>

#include "tilewright/base/checked.h"
#include "tilewright/mapping/violation.h"
#include "tilewright/model/chain.h"
#include "tilewright/model/evaluate.h"
#include "tilewright/workload/footprint.h"

namespace tilewright {
namespace {

using Kind = LoopRole::Kind;
using NodeKind = NestNode::Kind;

// The nest seen by one link: everything is derived from the mapping anew, so that it can be
// compared with what the model counted.
class Deriver {
 public:
  Deriver(const Problem& problem, const Mapping& mapping, TensorId tensor)
      : problem_(problem), nodes_(mapping.nodes()), tensor_(tensor) {}

  // Position of the keep node of `memory`, or of the next one inside it; -1 if there is none.
  int keep_position(NodeId memory, bool next) const {
    bool found = false;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].kind != NodeKind::kKeep || (nodes_[i].tensors & only(tensor_)) == 0) continue;
      if (found) return static_cast<int>(i);
      if (nodes_[i].node == memory) {
        if (!next) return static_cast<int>(i);
        found = true;
      }
    }
    return -1;
  }

  int position_before(int position) const {
    for (int i = position; i-- > 0;) {
      const NestNode& node = nodes_[static_cast<std::size_t>(i)];
      if (node.kind == NodeKind::kKeep && (node.tensors & only(tensor_)) != 0) return i;
    }
    return -1;
  }

  // Roles of the loops outside `child` (-1: the compute units); those in space between it and
  // `parent` may share if `at_parent`.
  std::vector<LoopRole> find_roles(int parent, int child, bool at_parent) const {
    const int end = child < 0 ? static_cast<int>(nodes_.size()) : child;
    int innermost = -1;  // l*
    for (int i = 0; i < end; ++i) {
      if (nodes_[static_cast<std::size_t>(i)].kind == NodeKind::kTemporal && relevant(i))
        innermost = i;
    }
    std::vector<LoopRole> roles;
    for (int i = 0; i < end; ++i) {
      const NestNode& node = nodes_[static_cast<std::size_t>(i)];
      if (!node.is_loop()) continue;
      if (node.kind == NodeKind::kTemporal) {
        const bool stays = child >= 0 && i > innermost;
        roles.push_back({relevant(i) ? Kind::kMoves : stays ? Kind::kStays : Kind::kRepeats, i});
      } else {
        const bool shares = at_parent && i > parent && shares_reads(node.node);
        roles.push_back({relevant(i) ? Kind::kSplits : shares ? Kind::kShares : Kind::kCopies, i});
      }
    }
    return roles;
  }

  // (3) over the loops of `dim` among `roles`.
  std::int64_t count_passes(DimId dim, const std::vector<LoopRole>& roles) const {
    std::vector<Slot> slots;
    LoopSet merged = 0;
    std::int64_t left = problem_.workload().dim(dim).size;
    std::size_t next = roles.size();
    for (std::size_t i = nodes_.size(); i-- > 0;) {
      const NestNode& node = nodes_[i];
      if (!node.is_loop() || node.dim != dim) continue;
      const std::int64_t outer = ceil_div(left, node.factor);
      while (next > 0 && roles[next - 1].position > static_cast<int>(i)) --next;
      if (next > 0 && roles[next - 1].position == static_cast<int>(i)) {
        const int bit = static_cast<int>(slots.size());
        const Kind kind = roles[next - 1].kind;
        if (kind == Kind::kStays || kind == Kind::kShares) merged |= LoopSet{1} << bit;
        slots.push_back({node.factor, left, left - (outer - 1) * node.factor, bit, 1});
      }
      left = outer;
    }
    return count_events(slots, merged);
  }

 private:
  bool relevant(int i) const {
    return problem_.workload().relevant(tensor_, nodes_[static_cast<std::size_t>(i)].dim);
  }
  bool shares_reads(NodeId fanout) const {
    const Fanout& f = problem_.arch().fanout(fanout);
    return tensor_ == problem_.workload().output() ? f.reduction : f.multicast != Multicast::kNone;
  }

  const Problem& problem_;
  std::span<const NestNode> nodes_;
  TensorId tensor_;
};

const TensorCounts& counts_of(const Evaluation& evaluation, NodeId memory, TensorId tensor) {
  const auto found = std::ranges::find(evaluation.memories, memory, &MemoryEvaluation::node);
  TW_CHECK(found != evaluation.memories.end(), "the memory is one of the architecture's");
  return found->tensors[tensor.pos()];
}

// What `memory` gets from outside, first touches included.
std::int64_t received(const TensorCounts& counts, bool output, std::int64_t drained) {
  return counts.fills + (output ? counts.updates - (counts.reads - drained) : 0);
}

// The same problem without sliding windows.
Problem without_sliding(const Problem& problem) {
  const Arch& arch = problem.arch();
  std::vector<ArchNode> nodes(arch.nodes().begin(), arch.nodes().end());
  for (ArchNode& node : nodes) {
    if (auto* memory = std::get_if<Memory>(&node)) memory->sliding = {false, {}};
  }
  return problem.with(
      Arch(arch.name(), arch.note(), arch.clock_hz(), std::move(nodes), arch.compute()));
}

}  // namespace

Derivation derive(const Problem& problem, const Mapping& mapping, NodeId memory, TensorId tensor,
                  Action action) {
  const Workload& workload = problem.workload();
  const bool output = tensor == workload.output();
  const Deriver deriver(problem, mapping, tensor);
  const int here = deriver.keep_position(memory, /*next=*/false);
  TW_CHECK(here >= 0, "the memory keeps the tensor");
  Derivation result;
  result.action = action;
  const Problem undrained =
      problem.with(Conventions{.holes_are_data = problem.conventions().holes_are_data});
  const TensorCounts counts = counts_of(evaluate(undrained, mapping), memory, tensor);
  const std::int64_t touches = output ? counts.updates - counts.reads : 0;
  const bool fills = action == Action::kFills;
  const int parent = fills ? deriver.position_before(here) : here;
  if (action == Action::kUpdates && !output) return result;
  if (fills && parent < 0) return result;  // the home of the tensor
  const int child = fills ? here : deriver.keep_position(memory, /*next=*/true);
  result.parent = mapping.nodes()[static_cast<std::size_t>(parent)].node;
  if (child >= 0) {
    result.child = mapping.nodes()[static_cast<std::size_t>(child)].node;
    result.child_tile = tile_elements(problem, mapping, tensor, child);
  }
  result.loops = deriver.find_roles(parent, child, /*at_parent=*/!fills);
  std::int64_t product = 1;
  std::uint32_t affine_dims = 0;
  for (const Rank& rank : workload.tensor(tensor).ranks) {
    const RankForm form =
        make_rank_form(workload, rank, problem.conventions().holes_are_data && !output);
    if (form.plain()) continue;
    result.has_affine = true;
    for (const Term& term : form.terms) affine_dims |= 1U << term.dim.value;
  }
  for (std::size_t d = 0; d < workload.dims().size(); ++d) {
    const DimId dim(d);
    if (!workload.relevant(tensor, dim)) {
      const std::int64_t passes = deriver.count_passes(dim, result.loops);
      if (passes > 1) result.passes.push_back({dim, passes});
      product = checked_mul(product, passes);
    } else if ((affine_dims >> d & 1U) == 0) {
      result.elements.push_back({dim, workload.dim(dim).size});
      product = checked_mul(product, workload.dim(dim).size);
    }
  }
  const TensorCounts plain =
      counts_of(evaluate(without_sliding(undrained), mapping), memory, tensor);
  result.whole = fills ? received(plain, output, 0) : plain.accesses;
  result.affine = result.whole / product;
  result.held_back = result.whole - (fills ? received(counts, output, 0) : counts.accesses);
  if (output && action != Action::kUpdates) result.first_touches = touches;
  if (output && action == Action::kReads && problem.conventions().drains_are_reads &&
      deriver.position_before(here) >= 0) {
    result.drained = received(counts, output, 0);
  }
  result.value = result.whole - result.held_back - result.first_touches + result.drained;
  TW_CHECK(result.affine * product == result.whole,
           "the parts of a derivation multiply to the whole");
  return result;
}

}  // namespace tilewright
