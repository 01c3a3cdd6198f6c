// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapspace/choices/orders.h"

#include <algorithm>
#include <array>
#include <bit>
#include <tuple>
#include <utility>

#include "tilewright/base/error.h"

namespace tilewright {
namespace {

constexpr DimSet only(DimId dim) { return DimSet{1} << dim.value; }
constexpr bool has(DimSet set, DimId dim) { return (set >> dim.value & 1U) != 0; }
// True for a set of just one dim.
constexpr bool is_single(DimSet set) { return std::has_single_bit(set); }

// The loops of a block by what the rules say about their order.
struct Sections {
  std::vector<DimId> outermost;
  std::vector<DimId> free;  // ascending
  std::vector<DimId> innermost;
};

Sections split(const Place& block, DimSet active) {
  const auto take = [&](const std::vector<DimId>& wanted) {
    std::vector<DimId> taken;
    for (const DimId dim : wanted) {
      if (has(active, dim)) taken.push_back(dim);
      active &= ~only(dim);
    }
    return taken;
  };
  Sections sections;
  sections.outermost = take(block.outermost);
  sections.innermost = take(block.innermost);
  for (; active != 0; active &= active - 1) {
    sections.free.push_back(DimId(std::countr_zero(active)));
  }
  return sections;
}

// ---- Classes ----

// What the cost of a block's order has to do with one tensor: it asks for the innermost of the
// loops over its relevant dims.
struct Watch {
  DimSet relevant = 0;  // the loops of the block that it looks for
  DimSet counted = 0;   // if it is one of these, the loops inside it matter
  DimSet named = 0;     // if it is one of these, it matters which one
};

// At most one a tensor.
class Watches {
 public:
  void add(const Watch& watch) { watches_[count_++] = watch; }
  const Watch* begin() const { return watches_.data(); }
  const Watch* end() const { return watches_.data() + count_; }

 private:
  std::array<Watch, Workload::kMaxTensors> watches_;
  std::size_t count_ = 0;
};

// The answers for some orders of a block: orders with equal answers are one class. A prefix of an
// order, from its innermost loop on, already has some of them.
class ClassFinder {
 public:
  using Marks = std::array<std::uint32_t, Workload::kMaxTensors>;  // 0: no answer yet
  struct Prefix {
    Marks marks{};
    DimSet placed = 0;
    std::uint64_t order = 0;  // 4 bits a dim, the innermost lowest: sorts like the dims themselves
  };
  static_assert(Workload::kMaxDims <= 16, "a dim has 4 bits, a set of dims 16");

  ClassFinder(const Watches& watches, std::span<const DimId> free, std::span<const DimId> innermost)
      : watches_(watches.begin(), watches.end()), free_(free) {
    DimSet dims = 0;
    for (const auto list : {free, innermost}) {
      for (const DimId dim : list) dims |= only(dim);
    }
    std::erase_if(watches_, [&](const Watch& watch) { return (watch.relevant & dims) == 0; });
    for (std::size_t i = innermost.size(); i-- > 0;) start_ = place(start_, innermost[i]);
  }

  // One for each class, with the first order in it; sorted by order. Goes from the innermost loop
  // outwards; of several ways to the same answers with the same loops only the first is kept.
  std::vector<Prefix> find() const {
    std::vector<Prefix> found;
    std::vector<Prefix> layer{start_};
    while (!layer.empty()) {
      std::vector<Prefix> next;
      for (const Prefix& prefix : layer) {
        if (is_answered(prefix)) {
          found.push_back(complete(prefix));
          continue;
        }
        for (const DimId dim : free_) {
          if (!has(prefix.placed, dim)) next.push_back(place(prefix, dim));
        }
      }
      keep_first(next);
      layer = std::move(next);
    }
    keep_first(found);
    std::ranges::sort(found, {}, &Prefix::order);
    return found;
  }

  // The answers for one order of the free loops, outermost first.
  Marks marks_of(std::span<const DimId> order) const {
    Prefix prefix = start_;
    for (std::size_t i = order.size(); i-- > 0;) prefix = place(prefix, order[i]);
    return prefix.marks;
  }

  static std::vector<DimId> dims_of(const Prefix& prefix) {
    std::vector<DimId> dims;
    for (int i = std::popcount(prefix.placed); i-- > 0;) {
      dims.push_back(DimId(static_cast<int>(prefix.order >> (4 * i) & 15U)));
    }
    return dims;
  }

 private:
  bool is_answered(const Prefix& prefix) const {
    return std::ranges::none_of(std::span(prefix.marks).first(watches_.size()),
                                [](std::uint32_t mark) { return mark == 0; });
  }

  Prefix place(Prefix prefix, DimId dim) const {
    constexpr std::uint32_t kAnswered = 1U << 31U;
    for (std::size_t i = 0; i < watches_.size(); ++i) {
      const Watch& watch = watches_[i];
      if (prefix.marks[i] != 0 || !has(watch.relevant, dim)) continue;
      const DimSet inside = has(watch.counted, dim) ? prefix.placed : 0;
      const std::uint32_t name =
          has(watch.named, dim) ? static_cast<std::uint32_t>(dim.value) + 1 : 0;
      prefix.marks[i] = kAnswered | name << 16U | inside;
    }
    prefix.order |= static_cast<std::uint64_t>(dim.value) << (4 * std::popcount(prefix.placed));
    prefix.placed |= only(dim);
    return prefix;
  }

  // With the loops that are left in the order that comes first.
  Prefix complete(Prefix prefix) const {
    for (std::size_t i = free_.size(); i-- > 0;) {
      if (!has(prefix.placed, free_[i])) prefix = place(prefix, free_[i]);
    }
    return prefix;
  }

  static void keep_first(std::vector<Prefix>& list) {
    const auto state = [](const Prefix& p) { return std::tie(p.marks, p.placed); };
    std::ranges::sort(list, [&](const Prefix& a, const Prefix& b) {
      return std::tie(a.marks, a.placed, a.order) < std::tie(b.marks, b.placed, b.order);
    });
    const auto rest = std::ranges::unique(
        list, [&](const Prefix& a, const Prefix& b) { return state(a) == state(b); });
    list.erase(rest.begin(), rest.end());
  }

  std::vector<Watch> watches_;
  std::span<const DimId> free_;
  Prefix start_;
};

// ---- Which tensors a block's order matters to ----

// A tiling and what is kept, as far as the cost of the orders of one block depends on them.
struct Choice {
  const Problem& problem;
  const Rules& rules;
  std::size_t block;  // in Rules::places
  std::span<const DimSet> active;
  const Keeps& keeps;

  const Place& place(std::size_t p) const { return rules.places[p]; }
  DimSet here() const { return active[block]; }
};

// The dims along which two tiles of `tensor` in `child` (the place of its block), one step apart,
// have elements in common that the child holds back: another dim of the same rank extends inside
// it.
DimSet find_sliding(const Choice& choice, TensorId tensor, std::size_t child) {
  const NodeId memory = choice.place(child).node;
  if ((choice.problem.memory(memory).sliding & tilewright::only(tensor)) == 0) return 0;
  DimSet inside = 0;
  for (std::size_t p = child; p < choice.active.size(); ++p) inside |= choice.active[p];
  DimSet sliding = 0;
  for (const Rank& rank : choice.problem.workload().tensor(tensor).ranks) {
    DimSet dims = 0;
    for (const Term& term : rank.terms) dims |= only(term.dim);
    for (const Term& term : rank.terms) {
      if ((dims & ~only(term.dim) & inside) != 0) sliding |= only(term.dim);
    }
  }
  return sliding;
}

// Adds what the link of `tensor` to `child` (the place of its block) asks of the block.
void add_link(const Choice& choice, TensorId tensor, std::size_t child, Watch& watch) {
  const DimSet relevant = choice.problem.workload().relevant_dims(tensor);
  const DimSet sliding = find_sliding(choice, tensor, child);
  DimSet between = 0;  // relevant loops in time between the block and the child
  DimSet space = 0;    // loops in space between the block and the innermost of those
  DimSet space_so_far = 0;
  for (std::size_t p = choice.block + 1; p < child; ++p) {
    if (!choice.place(p).is_block()) {
      space_so_far |= choice.active[p];
    } else if ((choice.active[p] & relevant) != 0) {
      between |= choice.active[p] & relevant;
      space = space_so_far;
    }
  }
  if (between == 0) {  // l* stands here
    watch.counted |= watch.relevant;
    watch.named |= watch.relevant & sliding;
  } else if (is_single(between) && (between & sliding & ~space) != 0) {  // a sweep may go on here
    watch.counted |= watch.relevant & between;
    watch.named |= watch.relevant & between;
  }
}

// One for each tensor whose traffic depends on the order of the block. Links to compute units do
// not: they get an element at every step.
Watches find_watches(const Choice& choice) {
  Watches watches;
  const Workload& workload = choice.problem.workload();
  for (TensorId t(0); t.pos() < workload.tensors().size(); ++t.value) {
    Watch watch{.relevant = workload.relevant_dims(t) & choice.here()};
    if (watch.relevant == 0) continue;
    bool home = true;
    std::size_t m = 0;
    for (std::size_t p = 0; p < choice.active.size(); ++p) {
      if (!choice.place(p).is_block()) continue;
      if ((choice.keeps[m++] & tilewright::only(t)) == 0) continue;
      if (std::exchange(home, false) || p <= choice.block) continue;
      add_link(choice, t, p, watch);
    }
    if (watch.counted != 0) watches.add(watch);
  }
  return watches;
}

std::vector<DimId> join(std::span<const DimId> outermost, std::vector<DimId> inner) {
  inner.insert(inner.begin(), outermost.begin(), outermost.end());
  return inner;
}

}  // namespace

BlockOrders::BlockOrders(const Place& block, DimSet active) {
  Sections sections = split(block, active);
  outermost_ = std::move(sections.outermost);
  free_ = std::move(sections.free);
  innermost_ = std::move(sections.innermost);
}

Natural BlockOrders::size() const { return factorial(static_cast<int>(free_.size())); }

std::vector<DimId> BlockOrders::unrank(Natural rank) const {
  TW_CHECK(rank < size(), "an order has a number below the size");
  std::vector<DimId> left = free_;
  std::vector<DimId> order = outermost_;
  while (!left.empty()) {
    const Natural::Division digit = rank.divide(factorial(static_cast<int>(left.size()) - 1));
    const auto next = left.begin() + static_cast<std::ptrdiff_t>(digit.quotient.to_uint64());
    order.push_back(*next);
    left.erase(next);
    rank = digit.remainder;
  }
  order.insert(order.end(), innermost_.begin(), innermost_.end());
  return order;
}

std::optional<Natural> BlockOrders::rank(std::span<const DimId> order) const {
  if (order.size() != outermost_.size() + free_.size() + innermost_.size()) return std::nullopt;
  if (!std::ranges::equal(order.first(outermost_.size()), outermost_) ||
      !std::ranges::equal(order.last(innermost_.size()), innermost_)) {
    return std::nullopt;
  }
  std::vector<DimId> left = free_;
  Natural rank;
  for (const DimId dim : order.subspan(outermost_.size(), free_.size())) {
    const auto found = std::ranges::find(left, dim);
    if (found == left.end()) return std::nullopt;
    rank *= left.size();
    rank += static_cast<std::uint64_t>(found - left.begin());
    left.erase(found);
  }
  return rank;
}

std::vector<std::vector<DimId>> BlockOrders::all() const {
  std::vector<std::vector<DimId>> orders;
  std::vector<DimId> free = free_;
  do {
    std::vector<DimId> order = join(outermost_, free);
    order.insert(order.end(), innermost_.begin(), innermost_.end());
    orders.push_back(std::move(order));
  } while (std::ranges::next_permutation(free).found);
  return orders;
}

void OrderClasses::key(int place, std::span<const DimSet> active, const Keeps& keeps,
                       std::vector<std::uint64_t>& key) const {
  static_assert(Workload::kMaxDims <= 16, "a set of dims has 16 bits");
  const Choice choice{problem_, rules_, static_cast<std::size_t>(place), active, keeps};
  key.assign(1, static_cast<std::uint64_t>(place) << 16U | choice.here());
  for (const Watch& watch : find_watches(choice)) {
    key.push_back(std::uint64_t{watch.named} << 32U | watch.counted << 16U | watch.relevant);
  }
}

std::vector<std::vector<DimId>> OrderClasses::representatives(int place,
                                                              std::span<const DimSet> active,
                                                              const Keeps& keeps) const {
  const Choice choice{problem_, rules_, static_cast<std::size_t>(place), active, keeps};
  const Sections loops = split(choice.place(choice.block), choice.here());
  const ClassFinder finder(find_watches(choice), loops.free, loops.innermost);
  std::vector<std::vector<DimId>> orders;
  for (const ClassFinder::Prefix& found : finder.find()) {
    orders.push_back(join(loops.outermost, ClassFinder::dims_of(found)));
  }
  return orders;
}

std::vector<DimId> OrderClasses::representative(int place, std::span<const DimSet> active,
                                                const Keeps& keeps,
                                                std::span<const DimId> order) const {
  const Choice choice{problem_, rules_, static_cast<std::size_t>(place), active, keeps};
  const Sections loops = split(choice.place(choice.block), choice.here());
  TW_CHECK(BlockOrders(choice.place(choice.block), choice.here()).rank(order),
           "the order is one of the block's");
  const ClassFinder finder(find_watches(choice), loops.free, loops.innermost);
  const ClassFinder::Marks marks =
      finder.marks_of(order.subspan(loops.outermost.size(), loops.free.size()));
  const std::vector<ClassFinder::Prefix> found = finder.find();
  const auto same = std::ranges::find(found, marks, &ClassFinder::Prefix::marks);
  TW_CHECK(same != found.end(), "every order is in a class");
  return join(loops.outermost, ClassFinder::dims_of(*same));
}

std::int64_t count_reuse_classes(const Workload& workload) {
  std::vector<DimId> dims;
  DimSet split_dims = 0;
  for (DimId d(0); d.pos() < workload.dims().size(); ++d.value) {
    if (workload.dim(d).size == 1) continue;
    dims.push_back(d);
    split_dims |= only(d);
  }
  Watches watches;
  for (TensorId t(0); t.pos() < workload.tensors().size(); ++t.value) {
    const DimSet relevant = workload.relevant_dims(t) & split_dims;
    Watch watch{.relevant = relevant, .counted = relevant};
    for (const Rank& rank : workload.tensor(t).ranks) {
      DimSet in_rank = 0;
      for (const Term& term : rank.terms) in_rank |= only(term.dim) & split_dims;
      if (!is_single(in_rank)) watch.named |= in_rank;
    }
    watches.add(watch);
  }
  return static_cast<std::int64_t>(ClassFinder(watches, dims, {}).find().size());
}

}  // namespace tilewright
