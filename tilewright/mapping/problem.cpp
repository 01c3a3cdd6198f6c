// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapping/problem.h"

#include <utility>

namespace tilewright {
namespace {

class Resolver {
 public:
  Resolver(const Workload& workload, NodeId node, std::vector<UnknownTensor>& unknown)
      : workload_(workload), node_(node), unknown_(unknown) {}

  TensorSet set(const Selection& selection) {
    if (selection.all) return (TensorSet{1} << workload_.tensors().size()) - 1;
    TensorSet result = 0;
    for (const std::string& name : selection.names) result |= known(name);
    return result;
  }

  // Roles first, then names, so that a name overrides its role whatever the order of keys.
  template <typename Item, typename Set>
  void values(const std::vector<Item>& list, const Set& set) {
    for (const bool by_name : {false, true}) {
      for (const Item& item : list) {
        if (workload_.find_tensor(item.tensor).has_value() != by_name) continue;
        const TensorSet who = known(item.tensor);
        for (std::size_t t = 0; t < workload_.tensors().size(); ++t) {
          if ((who & only(TensorId(t))) != 0) set(t, item);
        }
      }
    }
  }

 private:
  TensorSet known(const std::string& name) {
    const TensorSet set = resolve_tensors(workload_, name);
    if (set == 0) unknown_.push_back({node_, name});
    return set;
  }

  const Workload& workload_;
  NodeId node_;
  std::vector<UnknownTensor>& unknown_;
};

}  // namespace

TensorSet resolve_tensors(const Workload& workload, std::string_view name) {
  if (const auto id = workload.find_tensor(name)) return only(*id);
  TensorSet set = 0;
  for (std::size_t t = 0; t < workload.tensors().size(); ++t) {
    if (workload.tensors()[t].role == name) set |= only(TensorId(t));
  }
  return set;
}

Problem::Problem(Workload workload, Arch arch, Conventions conventions)
    : workload_(std::move(workload)), arch_(std::move(arch)), conventions_(conventions) {
  memories_.resize(arch_.nodes().size());
  for (const NodeId id : arch_.memories()) {
    const Memory& memory = arch_.memory(id);
    ResolvedMemory& resolved = memories_[id.pos()];
    Resolver resolver(workload_, id, unknown_);
    resolved.node = id;
    resolved.may_keep = resolver.set(memory.keep);
    resolved.sliding = resolver.set(memory.sliding);
    const auto set_width = [&](std::size_t t, const auto& width) {
      resolved.bits[t] = resolved.partial_bits[t] = width.bits;
      if (TensorId(t) != workload_.output()) return;  // inputs are not summed
      resolved.partial_bits[t] = width.partial_bits.value_or(width.bits);
      resolved.partial_given = width.partial_bits.has_value();
    };
    const std::size_t tensors = workload_.tensors().size();
    resolved.bits.resize(tensors);
    resolved.partial_bits.resize(tensors);
    for (std::size_t t = 0; t < tensors; ++t) set_width(t, workload_.tensors()[t]);
    resolver.values(memory.bits, set_width);
    resolved.partition_bits.resize(tensors);
    resolver.values(memory.partitions, [&](std::size_t t, const PerTensor& part) {
      resolved.partition_bits[t] = part.value;
    });
  }
}

Problem Problem::with(Conventions conventions) const {
  Problem other = *this;
  other.conventions_ = conventions;
  return other;
}

}  // namespace tilewright
