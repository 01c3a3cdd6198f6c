// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "tests/support/search_case.h"

namespace tilewright::testing {
namespace {

class Simpler {
 public:
  explicit Simpler(const SearchCase& made)
      : made_(made),
        dims_(made.problem.workload().dims().begin(), made.problem.workload().dims().end()),
        nodes_(made.problem.arch().nodes().begin(), made.problem.arch().nodes().end()) {
    for (std::size_t d = 0; d < dims_.size(); ++d) {
      for (const std::int64_t size : {std::int64_t{1}, dims_[d].size / 2, dims_[d].size - 1}) {
        if (size < 1 || size >= dims_[d].size) continue;
        std::vector<Dim> dims = dims_;
        dims[d].size = size;
        add(std::move(dims), nodes_);
      }
    }
    drop_each(&SearchCase::constraints);
    for (std::size_t i = 0; i < made.options.caps.size(); ++i) {
      all.push_back(made);
      all.back().options.caps.erase(all.back().options.caps.begin() +
                                    static_cast<std::ptrdiff_t>(i));
    }
    if (made.problem.conventions() != Conventions{}) {
      all.push_back(made);
      all.back().problem = made.problem.with(Conventions{});
    }
    for (std::size_t n = 0; n < nodes_.size(); ++n) simplify_node(n);
  }

  std::vector<SearchCase> all;

 private:
  void add(std::vector<Dim> dims, std::vector<ArchNode> nodes) {
    const Workload& old = made_.problem.workload();
    const Arch& arch = made_.problem.arch();
    all.push_back(
        {Problem(Workload("small", std::move(dims), {old.tensors().begin(), old.tensors().end()}),
                 Arch("small", "", std::nullopt, std::move(nodes), arch.compute()),
                 made_.problem.conventions()),
         made_.kind, made_.constraints, made_.options, made_.features});
  }

  template <typename T>
  void drop_each(std::vector<T> SearchCase::*list) {
    for (std::size_t i = 0; i < (made_.*list).size(); ++i) {
      all.push_back(made_);
      auto& left = all.back().*list;
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  void simplify_node(std::size_t n) {
    if (n > 0 && made_.constraints.empty()) {  // constraints name nodes by number
      std::vector<ArchNode> nodes = nodes_;
      nodes.erase(nodes.begin() + static_cast<std::ptrdiff_t>(n));
      add(dims_, std::move(nodes));
    }
    if (std::holds_alternative<Fanout>(nodes_[n])) {
      simplify_fanout(n);
    } else {
      simplify_memory(n);
    }
  }

  void simplify_fanout(std::size_t n) {
    const auto& axes = std::get<Fanout>(nodes_[n]).axes;
    for (std::size_t a = 0; a < axes.size(); ++a) {
      if (axes[a].size > 2) edit<Fanout>(n, [&](Fanout& f) { --f.axes[a].size; });
    }
    if (axes.size() > 1 && made_.constraints.empty()) {
      edit<Fanout>(n, [](Fanout& f) { f.axes.pop_back(); });
    }
    edit<Fanout>(n, [](Fanout& f) { f.multicast = Multicast::kNone; });
    edit<Fanout>(n, [](Fanout& f) { f.reduction = false; });
  }

  void simplify_memory(std::size_t n) {
    edit<Memory>(n, [](Memory& m) { m.capacity_bits.reset(); });
    edit<Memory>(n, [](Memory& m) { m.partitions.clear(); });
    edit<Memory>(n, [](Memory& m) { m.buffering = 1; });
    edit<Memory>(n, [](Memory& m) { m.width_bits.reset(); });
    edit<Memory>(n, [](Memory& m) { m.bits.clear(); });
    edit<Memory>(n, [](Memory& m) { m.read_bandwidth.reset(); });
    edit<Memory>(n, [](Memory& m) { m.write_bandwidth.reset(); });
    edit<Memory>(n, [](Memory& m) { m.shared_bandwidth.reset(); });
    edit<Memory>(n, [](Memory& m) { m.leakage_pj_per_cycle = 0; });
    edit<Memory>(n, [](Memory& m) { m.sliding = {false, {}}; });
    edit<Memory>(n, [](Memory& m) { m.energy.read_pj = 0; });
    edit<Memory>(n, [](Memory& m) { m.energy.fill_pj = 0; });
    edit<Memory>(n, [](Memory& m) { m.energy.update_pj = 0; });
  }

  template <typename Node, typename Edit>
  void edit(std::size_t n, const Edit& change) {
    std::vector<ArchNode> nodes = nodes_;
    change(std::get<Node>(nodes[n]));
    if (nodes != nodes_) add(dims_, std::move(nodes));
  }

  const SearchCase& made_;
  std::vector<Dim> dims_;
  std::vector<ArchNode> nodes_;
};

}  // namespace

std::vector<SearchCase> simpler_cases(const SearchCase& made) { return Simpler(made).all; }

SearchCase simplify(SearchCase made, const std::function<bool(const SearchCase&)>& fails) {
  bool simpler = true;
  while (simpler) {
    simpler = false;
    for (SearchCase& next : simpler_cases(made)) {
      if (!fails(next)) continue;
      made = std::move(next);
      simpler = true;
      break;
    }
  }
  return made;
}

}  // namespace tilewright::testing
