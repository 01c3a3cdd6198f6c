// SPDX-License-Identifier: Apache-2.0
#include "tests/support/random_case.h"

#include <algorithm>
#include <set>
#include <utility>

#include "tilewright/base/checked.h"
#include "tilewright/mapping/violation.h"

namespace tilewright::testing {
namespace {

Rank rank(std::vector<Term> terms) { return {std::move(terms)}; }
Rank rank(DimId dim) { return {{{dim, 1}}}; }

// The same workload with its dims in the order in which the einsum names them, as readers return
// it.
Workload in_order(const Workload& workload) {
  std::vector<int> place(workload.dims().size(), -1);
  std::vector<Dim> dims;
  const auto visit = [&](const Tensor& tensor) {
    for (const Rank& rank : tensor.ranks) {
      for (const Term& term : rank.terms) {
        if (place[term.dim.pos()] >= 0) continue;
        place[term.dim.pos()] = static_cast<int>(dims.size());
        dims.push_back(workload.dim(term.dim));
      }
    }
  };
  visit(workload.tensor(workload.output()));
  for (const Tensor& tensor : workload.tensors()) visit(tensor);
  std::vector<Tensor> tensors(workload.tensors().begin(), workload.tensors().end());
  for (Tensor& tensor : tensors) {
    for (Rank& rank : tensor.ranks) {
      for (Term& term : rank.terms) term.dim = DimId(place[term.dim.pos()]);
    }
  }
  return Workload(workload.name(), std::move(dims), std::move(tensors));
}

class Maker {
 public:
  Maker(std::uint64_t seed, Mix mix) : random_(seed), mix_(mix) {}

  RandomCase make() {
    Workload workload = in_order(make_workload());
    Arch arch = make_arch();
    Problem problem(std::move(workload), std::move(arch));
    Mapping mapping = make_mapping(problem);
    Conventions conventions;
    conventions.drains_are_reads = random_.one_in(8);
    conventions.holes_are_data = random_.one_in(8);
    if (conventions.holes_are_data) features_.insert("convention: holes are data");
    if (conventions.drains_are_reads) features_.insert("convention: drains are reads");
    note_shape(problem, mapping);
    return {problem.with(conventions), std::move(mapping), {features_.begin(), features_.end()}};
  }

 private:
  std::int64_t pick(std::int64_t low, std::int64_t high) { return random_.between(low, high); }

  template <typename T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) {
      std::swap(items[i - 1],
                items[static_cast<std::size_t>(pick(0, static_cast<std::int64_t>(i) - 1))]);
    }
  }

  // ---- Workloads ----

  // Unfinished sums of the output are wider in some.
  Workload make_workload() {
    const Workload made = make_any_workload();
    if (mix_ != Mix::kWiderSums && !random_.one_in(3)) return made;
    features_.insert("workload: wider partial sums");
    return with_wider_sums(made, pick(1, 24));
  }

  Workload make_any_workload() {
    switch (pick(0, 5)) {
      case 0:
        return make_gemm();
      case 1:
      case 2:
        return make_conv(/*transposed=*/false);
      case 3:
        return make_conv(/*transposed=*/true);
      default:
        return make_free();
    }
  }

  std::int64_t bits() { return random_.one_in(2) ? 8 : pick(1, 24); }

  Workload make_gemm() {
    features_.insert("workload: gemm");
    const DimId m(0), n(1), k(2);
    return Workload("gemm", {{"m", pick(1, 14)}, {"n", pick(1, 12)}, {"k", pick(1, 12)}},
                    {{"A", "input", bits(), {rank(m), rank(k)}},
                     {"B", "weight", bits(), {rank(k), rank(n)}},
                     {"Z", "output", bits(), {rank(m), rank(n)}}});
  }

  Workload make_conv(bool transposed) {
    const bool grouped = random_.one_in(3);
    const bool flat = random_.one_in(2);
    std::vector<Dim> dims{
        {"p", pick(1, 9)}, {"r", pick(1, 5)}, {"m", pick(1, 4)}, {"c", pick(1, 4)}};
    const DimId p(0), r(1), m(2), c(3);
    std::vector<Rank> in, w, out;
    if (grouped) {
      dims.push_back({"g", pick(1, 4)});
      for (auto* list : {&in, &w, &out}) list->push_back(rank(DimId(4)));
      features_.insert("workload: grouped");
    }
    const std::int64_t stride = random_.one_in(2) ? 1 : pick(2, 3);
    const std::int64_t dilation = random_.one_in(2) ? 1 : pick(2, 3);
    if (stride > 1) features_.insert("workload: stride");
    if (dilation > 1) features_.insert("workload: dilation");
    in.push_back(rank(c));
    w.push_back(rank(m));
    w.push_back(rank(c));
    w.push_back(rank(r));
    out.push_back(rank(m));
    (transposed ? in : out).push_back(rank(p));
    (transposed ? out : in)
        .push_back(rank({{p, stride}, {r, random_.one_in(6) ? -dilation : dilation}}));
    if (!flat) {
      const DimId q(dims.size()), s(dims.size() + 1);
      dims.push_back({"q", pick(1, 5)});
      dims.push_back({"s", pick(1, 3)});
      w.push_back(rank(s));
      (transposed ? in : out).push_back(rank(q));
      (transposed ? out : in).push_back(rank({{q, pick(1, 2)}, {s, pick(1, 2)}}));
    }
    features_.insert(transposed ? "workload: transposed conv" : "workload: conv");
    return Workload(
        "conv", shrink(std::move(dims)),
        {{"I", "input", bits(), in}, {"W", "weight", bits(), w}, {"O", "output", bits(), out}});
  }

  // 2 to 4 tensors, ranks of 1 to 3 terms, coefficients of either sign.
  Workload make_free() {
    const int tensors = static_cast<int>(pick(2, 4));
    features_.insert("workload: free einsum, " + std::to_string(tensors) + " tensors");
    std::vector<Dim> dims;
    const std::int64_t count = pick(2, 5);
    for (std::int64_t d = 0; d < count; ++d) {
      dims.push_back({std::string(1, static_cast<char>('a' + d)), pick(1, 9)});
    }
    std::vector<Tensor> list;
    std::set<int> used;
    for (int t = 0; t < tensors; ++t) {
      Tensor tensor{"T" + std::to_string(t), t + 1 == tensors ? "output" : "input", bits(), {}};
      std::vector<int> order;
      for (int d = 0; d < static_cast<int>(count); ++d) {
        if (!random_.one_in(3)) order.push_back(d);
      }
      shuffle(order);
      for (std::size_t i = 0; i < order.size();) {
        Rank one;
        for (std::int64_t terms = random_.one_in(3) ? pick(2, 3) : 1; terms > 0 && i < order.size();
             --terms) {
          std::int64_t coefficient = random_.one_in(2) ? 1 : pick(1, 3);
          if (random_.one_in(8)) coefficient = -coefficient;
          one.terms.push_back({DimId(order[i]), coefficient});
          used.insert(order[i++]);
        }
        if (one.terms.size() > 2) features_.insert("workload: rank of three terms");
        tensor.ranks.push_back(one);
      }
      list.push_back(tensor);
    }
    for (int d = 0; d < static_cast<int>(count); ++d) {
      if (!used.contains(d)) list.front().ranks.push_back(rank(DimId(d)));
    }
    return Workload("free", shrink(std::move(dims)), std::move(list));
  }

  // Keeps the walk short.
  std::vector<Dim> shrink(std::vector<Dim> dims) {
    const auto computes = [&] {
      std::int64_t product = 1;
      for (const Dim& dim : dims) product *= dim.size;
      return product;
    };
    while (computes() > 1500) {
      Dim& dim =
          dims[static_cast<std::size_t>(pick(0, static_cast<std::int64_t>(dims.size()) - 1))];
      dim.size = std::max<std::int64_t>(1, dim.size - 1);
    }
    return dims;
  }

  // ---- Architectures ----

  Arch make_arch() {
    const std::int64_t memories = pick(2, 6);
    features_.insert("arch: " + std::to_string(memories) + " memories");
    std::vector<ArchNode> nodes;
    for (std::int64_t i = 0; i < memories; ++i) {
      nodes.emplace_back(make_memory("M" + std::to_string(i)));
      if (random_.one_in(2)) nodes.emplace_back(make_fanout("F" + std::to_string(i)));
    }
    Compute compute;
    compute.energy_pj = static_cast<double>(pick(0, 3));
    compute.leakage_pj_per_cycle = static_cast<double>(pick(0, 1));
    return Arch("random", "", std::nullopt, std::move(nodes), compute);
  }

  Memory make_memory(std::string name) {
    Memory memory;
    memory.name = std::move(name);
    const auto energy = [&] { return static_cast<double>(pick(0, 9)) / 2; };
    memory.energy = {energy(), energy(), energy(), "random"};
    memory.leakage_pj_per_cycle = static_cast<double>(pick(0, 1));
    if (random_.one_in(2)) memory.width_bits = pick(8, 64);
    if (random_.one_in(3)) {
      const std::int64_t bits = pick(1, 32);
      memory.bits = {{"output", bits, std::nullopt}};
      if (random_.one_in(2)) memory.bits[0].partial_bits = bits + pick(0, 24);
      features_.insert("arch: bits differ per memory");
    }
    if (random_.one_in(6)) {
      memory.energy.per_bit = true;
      features_.insert("arch: energy per bit");
    }
    const auto rate = [&] { return make_rational(pick(1, 40), pick(1, 3)); };
    if (random_.one_in(3)) memory.read_bandwidth = rate();
    if (random_.one_in(3)) memory.write_bandwidth = rate();
    if (random_.one_in(4)) memory.shared_bandwidth = rate();
    if (memory.read_bandwidth || memory.write_bandwidth || memory.shared_bandwidth) {
      features_.insert("arch: bandwidth limits");
    }
    memory.sliding.all = !random_.one_in(3);
    features_.insert(memory.sliding.all ? "arch: sliding on" : "arch: sliding off");
    return memory;
  }

  Fanout make_fanout(std::string name) {
    Fanout fanout;
    fanout.name = std::move(name);
    const std::int64_t axes = pick(0, 2);
    for (std::int64_t a = 0; a < axes; ++a) fanout.axes.push_back({a == 0 ? "X" : "Y", pick(2, 6)});
    fanout.multicast = static_cast<Multicast>(pick(0, 2));
    fanout.reduction = random_.one_in(2);
    features_.insert("arch: fan-out with " + std::to_string(axes) + " axes");
    if (axes > 0) {
      const char* kinds[] = {"none", "equal", "overlap"};
      features_.insert(std::string("arch: multicast ") + kinds[static_cast<int>(fanout.multicast)]);
      features_.insert(fanout.reduction ? "arch: reduction on" : "arch: reduction off");
    }
    return fanout;
  }

  // ---- Nests ----

  // Where loops may go, innermost first: a gap between nodes (temporal) or an axis (spatial).
  struct Place {
    std::size_t gap = 0;
    NodeId fanout;  // unset: in time
    int axis = 0;
    std::int64_t room = 0;  // left on the axis
    std::vector<NestNode> loops;
  };

  Mapping make_mapping(const Problem& problem) {
    const Arch& arch = problem.arch();
    const bool bypass = random_.one_in(2);
    const bool uneven = random_.one_in(3);
    ragged_time_ = random_.one_in(2);
    ragged_space_ = random_.one_in(2);
    places_.clear();
    // Skeleton: keep nodes, with a place for temporal loops behind each, and spatial places.
    std::vector<std::vector<NestNode>> keeps;  // one list per gap
    keep_zone(problem, NodeId(0), bypass, uneven, keeps);
    for (const NodeId fanout : arch.fanouts()) {
      const auto& axes = arch.fanout(fanout).axes;
      // Which axis has the outer loops over a dim is free.
      const bool reversed = !axes.empty() && axes.front().size > axes.back().size;
      if (reversed) features_.insert("nest: axes in another order");
      for (std::size_t i = 0; i < axes.size(); ++i) {
        const std::size_t a = reversed ? axes.size() - 1 - i : i;
        places_.push_back({keeps.size(), fanout, static_cast<int>(a), axes[a].size, {}});
      }
      keeps.push_back({});
      places_.push_back({keeps.size() - 1, NodeId(), 0, 0, {}});
      keep_zone(problem, NodeId(fanout.value + 1), bypass, uneven, keeps);
    }
    for (std::size_t d = 0; d < problem.workload().dims().size(); ++d) {
      place_dim(DimId(d), problem.workload().dims()[d].size);
    }
    std::vector<NestNode> nest;
    std::size_t next = 0;
    for (std::size_t gap = 0; gap < keeps.size(); ++gap) {
      // Spatial places of a gap come first, then its keep nodes, then its temporal loops.
      for (; next < places_.size() && places_[next].gap == gap && places_[next].fanout.valid();
           ++next) {
        nest.insert(nest.end(), places_[next].loops.begin(), places_[next].loops.end());
      }
      nest.insert(nest.end(), keeps[gap].begin(), keeps[gap].end());
      for (; next < places_.size() && places_[next].gap == gap; ++next) {
        shuffle(places_[next].loops);
        nest.insert(nest.end(), places_[next].loops.begin(), places_[next].loops.end());
      }
    }
    return Mapping(std::move(nest));
  }

  // Keep nodes of the memories from `first` up to the next fan-out, in an order that keeps each
  // tensor's memories outermost first.
  void keep_zone(const Problem& problem, NodeId first, bool bypass, bool uneven,
                 std::vector<std::vector<NestNode>>& keeps) {
    const Arch& arch = problem.arch();
    const bool top = first == NodeId(0);
    const int tensors = static_cast<int>(problem.workload().tensors().size());
    std::vector<std::vector<NodeId>> queue(static_cast<std::size_t>(tensors));
    for (NodeId id = first; id.pos() < arch.nodes().size() && arch.is_memory(id);
         id = NodeId(id.value + 1)) {
      for (auto& list : queue) {
        if (!bypass || !random_.one_in(3)) list.push_back(id);
      }
    }
    std::vector<NestNode> homes;
    for (int t = 0; t < tensors && top; ++t) {
      auto& list = queue[static_cast<std::size_t>(t)];
      if (list.empty()) list.push_back(NodeId(0));
      homes.push_back(keep(list.front(), only(TensorId(t))));
      list.erase(list.begin());
    }
    if (top) add_gap(keeps, std::move(homes));
    if (uneven) {
      features_.insert("nest: uneven keep nodes");
      while (true) {
        std::vector<int> left;
        for (int t = 0; t < tensors; ++t) {
          if (!queue[static_cast<std::size_t>(t)].empty()) left.push_back(t);
        }
        if (left.empty()) return;
        const int t =
            left[static_cast<std::size_t>(pick(0, static_cast<std::int64_t>(left.size()) - 1))];
        auto& list = queue[static_cast<std::size_t>(t)];
        add_gap(keeps, {keep(list.front(), only(TensorId(t)))});
        list.erase(list.begin());
      }
    }
    for (NodeId id = first; id.pos() < arch.nodes().size() && arch.is_memory(id);
         id = NodeId(id.value + 1)) {
      TensorSet set = 0;
      for (int t = 0; t < tensors; ++t) {
        auto& list = queue[static_cast<std::size_t>(t)];
        if (!list.empty() && list.front() == id) {
          set |= only(TensorId(t));
          list.erase(list.begin());
        }
      }
      add_gap(keeps, {keep(id, set)});
    }
  }

  void add_gap(std::vector<std::vector<NestNode>>& keeps, std::vector<NestNode> nodes) {
    keeps.push_back(std::move(nodes));
    places_.push_back({keeps.size() - 1, NodeId(), 0, 0, {}});
  }

  // Factors from the innermost place outwards, by (1).
  void place_dim(DimId dim, std::int64_t size) {
    std::int64_t left = size;
    for (std::size_t i = places_.size(); i-- > 0 && left > 1;) {
      Place& place = places_[i];
      const bool in_space = place.fanout.valid();
      if (i > 0 && random_.one_in(in_space ? 2 : 3)) continue;
      std::int64_t most = in_space ? std::min(left, place.room) : left;
      if (i > 0 && !in_space && random_.one_in(2)) most = std::min<std::int64_t>(most, 3);
      std::int64_t factor = i == 0 ? left : (most < 1 ? 1 : pick(1, most));
      if (!(in_space ? ragged_space_ : ragged_time_)) {
        while (left % factor != 0) --factor;
      }
      if (factor == 1) continue;
      if (left % factor != 0)
        features_.insert(in_space ? "nest: ragged in space" : "nest: ragged in time");
      if (in_space) place.room /= factor;
      place.loops.push_back(in_space ? spatial(place.fanout, place.axis, dim, factor)
                                     : temporal(dim, factor));
      left = ceil_div(left, factor);
    }
  }

  void note_shape(const Problem& problem, const Mapping& mapping) {
    if (features_.contains("nest: ragged in space") && features_.contains("nest: ragged in time")) {
      features_.insert("nest: ragged in both");
    }
    std::size_t kept = 0;
    for (const NestNode& node : mapping.nodes()) {
      if (node.kind == NestNode::Kind::kKeep)
        kept += static_cast<std::size_t>(__builtin_popcount(node.tensors));
      if (node.kind == NestNode::Kind::kSpatial) features_.insert("nest: loops in space");
    }
    if (kept < problem.workload().tensors().size() * problem.arch().memories().size()) {
      features_.insert("nest: bypass");
    }
  }

  Random random_;
  Mix mix_;
  std::set<std::string> features_;
  std::vector<Place> places_;
  bool ragged_time_ = false;
  bool ragged_space_ = false;
};

}  // namespace

Workload with_wider_sums(const Workload& workload, std::int64_t more) {
  std::vector<Tensor> tensors(workload.tensors().begin(), workload.tensors().end());
  tensors.back().partial_bits = tensors.back().bits + more;
  return Workload(workload.name(), {workload.dims().begin(), workload.dims().end()},
                  std::move(tensors));
}

RandomCase make_case(std::uint64_t seed, std::uint64_t index, Mix mix) {
  return Maker(Random(seed ^ (index * 0x9e3779b97f4a7c15ULL)).next(), mix).make();
}

}  // namespace tilewright::testing
