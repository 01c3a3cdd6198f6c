// SPDX-License-Identifier: Apache-2.0
#include "tilewright/model/laws.h"

#include <algorithm>

#include "tilewright/base/checked.h"
#include "tilewright/workload/footprint.h"

namespace tilewright {
namespace {

class Checker {
 public:
  Checker(const Problem& problem, const Mapping& mapping, const Evaluation& evaluation)
      : problem_(problem), mapping_(mapping), evaluation_(evaluation) {}

  LawReport check() {
    check_totals();
    for (std::size_t t = 0; t < problem_.workload().tensors().size(); ++t)
      check_tensor(TensorId(t));
    return std::move(report_);
  }

 private:
  void law(bool holds, const std::string& sentence) {
    ++report_.checked;
    if (!holds) report_.broken.push_back(sentence);
  }

  void check_totals() {
    const std::int64_t units = problem_.arch().compute_units();
    law(evaluation_.computes == problem_.workload().computes(),
        "computes are the product of the dims");
    law(evaluation_.compute_instances >= 1 && evaluation_.compute_instances <= units,
        "no more units work than there are");
    law(checked_mul(evaluation_.compute_steps, evaluation_.compute_instances) >=
            evaluation_.computes,
        "every compute has a unit and a step");
    law(evaluation_.compute_steps <= evaluation_.computes, "every step computes something");
    law(evaluation_.cycles >= evaluation_.compute_steps, "cycles are at least the steps");
    law(evaluation_.energy_pj >= 0, "energy is not negative");
    for (const MemoryEvaluation& memory : evaluation_.memories) {
      law(memory.instances >= 1 && memory.instances <= problem_.arch().instances(memory.node),
          "no more instances work than there are");
      law(memory.cycles <= evaluation_.cycles, "no memory needs more than all cycles");
    }
  }

  // Elements of the whole tensor.
  std::int64_t size(TensorId tensor) const {
    std::int64_t elements = 1;
    const bool holes =
        problem_.conventions().holes_are_data && tensor != problem_.workload().output();
    for (const Rank& rank : problem_.workload().tensor(tensor).ranks) {
      const RankForm form = make_rank_form(problem_.workload(), rank, holes);
      std::vector<std::int64_t> extents;
      for (const Term& term : form.terms) extents.push_back(problem_.workload().dim(term.dim).size);
      elements = checked_mul(elements, footprint(form, extents));
    }
    return elements;
  }

  // Children of one instance of `parent` along the way to `child`, by the nest's factors.
  std::int64_t children(NodeId parent, NodeId child) const {
    std::int64_t product = 1;
    for (const NestNode& node : mapping_.nodes()) {
      if (node.kind != NestNode::Kind::kSpatial || node.node < parent) continue;
      if (child.valid() && node.node > child) continue;
      product = checked_mul(product, node.factor);
    }
    return product;
  }

  void check_tensor(TensorId tensor) {
    const std::string name = problem_.workload().tensor(tensor).name;
    const bool output = tensor == problem_.workload().output();
    const std::int64_t whole = size(tensor);
    const MemoryEvaluation* above = nullptr;
    for (const MemoryEvaluation& memory : evaluation_.memories) {
      const TensorCounts& counts = memory.tensors[tensor.pos()];
      const std::string where = problem_.arch().memory(memory.node).name + "." + name + ": ";
      const bool none =
          counts.reads == 0 && counts.fills == 0 && counts.updates == 0 && counts.tile == 0;
      if (!counts.kept) {
        law(none, where + "what is bypassed is not touched");
        continue;
      }
      law(counts.reads >= 0 && counts.fills >= 0 && counts.updates >= 0,
          where + "no count is negative");
      law(counts.tile >= 1 && counts.tile <= whole, where + "a tile is part of the tensor");
      law(output || counts.updates == 0, where + "inputs are not updated");
      law(!output || counts.updates == counts.accesses,
          where + "every delivery of a result is an update");
      law(problem_.conventions().holes_are_data || counts.accesses >= whole,
          where + "every element is touched");
      if (above == nullptr) {
        law(counts.tile == whole, where + "the home holds the whole tensor");
        law(counts.fills == 0, where + "nothing fills the home");
      } else {
        check_link(*above, memory, tensor, where);
      }
      above = &memory;
    }
    law(above != nullptr, name + ": some memory keeps it");
    if (above != nullptr && !problem_.conventions().holes_are_data) {
      const std::int64_t served = above->tensors[tensor.pos()].accesses;
      law(served <= evaluation_.computes, name + ": a compute uses one element");
      law(checked_mul(served, children(above->node, NodeId())) >= evaluation_.computes,
          name + ": what leaves the last memory, times sharing, feeds every compute");
    }
  }

  // What leaves the parent, times the children that may share it, covers what arrives.
  void check_link(const MemoryEvaluation& parent, const MemoryEvaluation& child, TensorId tensor,
                  const std::string& where) {
    const TensorCounts& inner = child.tensors[tensor.pos()];
    const std::int64_t sent = parent.tensors[tensor.pos()].accesses;
    std::int64_t arrived = inner.fills;
    if (tensor == problem_.workload().output()) {
      if (problem_.conventions().drains_are_reads)
        return;  // first touches cannot be told from the counts
      arrived += inner.updates - inner.reads;
    }
    law(sent <= arrived, where + "no more leaves the parent than arrives");
    law(checked_mul(sent, children(parent.node, child.node)) >= arrived,
        where + "what leaves the parent, times multicast, covers what arrives");
  }

  const Problem& problem_;
  const Mapping& mapping_;
  const Evaluation& evaluation_;
  LawReport report_;
};

}  // namespace

LawReport check_laws(const Problem& problem, const Mapping& mapping, const Evaluation& evaluation) {
  return Checker(problem, mapping, evaluation).check();
}

}  // namespace tilewright
