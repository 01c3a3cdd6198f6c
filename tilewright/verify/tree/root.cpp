// SPDX-License-Identifier: Apache-2.0
#include "tilewright/verify/tree/root.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tilewright::verify {

Root::Root(const Frame& frame, const RootKey& key, std::vector<const Chain*> chains)
    : frame_(frame), keeps_(key.keeps), factors_(key.factors), chains_(std::move(chains)) {
  const int levels = frame.memory_count() + 1;
  instances_.assign(pos(levels), 1);
  const TensorView& output = frame.tensors.back();
  touched_.assign(pos(levels), output.points);
  alike_.assign(pos(levels), true);
  for (int d = 0; d < frame.dims(); ++d) {
    // What works at all along a dim is no more than its size, whatever the factors.
    const double size = static_cast<double>(frame.sizes[pos(d)]);
    double outside = 1;
    for (int m = 0; m < levels; ++m) {
      for (std::size_t f = 0; f < frame.fanouts.size(); ++f) {
        if (frame.fanouts[f].gap != m - 1) continue;
        outside *= static_cast<double>(factor(static_cast<int>(f), d));
      }
      instances_[pos(m)] *= std::min(size, outside);
      if (has(output.irrelevant, d)) touched_[pos(m)] *= std::min(size, outside);
      if (outside > 1 && has(frame.ragged, d)) alike_[pos(m)] = false;
    }
    steps_ *= std::ceil(size / outside);
  }
}

int Root::parent_of(int tensor, int level) const {
  for (int m = level - 1; m >= 0; --m) {
    if (has(keeps_[pos(m)], tensor)) return m;
  }
  return -1;
}

int Root::child_of(int tensor, int level) const {
  for (int m = level; m < frame_.memory_count(); ++m) {
    if (has(keeps_[pos(m)], tensor)) return m;
  }
  return -1;
}

TensorSet Root::held(int memory) const {
  TensorSet held = 0;
  for (int m = frame_.memories[pos(memory)].first; m <= memory; ++m) held |= keeps_[pos(m)];
  return held;
}

TensorSet Root::linked(int memory) const {
  TensorSet outside = 0;
  for (int m = 0; m < memory; ++m) outside |= keeps_[pos(m)];
  return keeps_[pos(memory)] & outside;
}

// How many children of the fan-out are served at least in `count` passes: only the last one can
// lack some.
double Root::spread(int fanout, int dim, double count) const {
  const double s = static_cast<double>(factor(fanout, dim));
  if (frame_.fanouts[pos(fanout)].perfect[pos(dim)]) return count * s;
  return count == 1 ? chain(dim).least_active[pos(fanout)] : (count - 1) * s + 1;
}

double Root::spread(int dim, double count, int from_gap, int to_gap) const {
  for (std::size_t f = 0; f < frame_.fanouts.size(); ++f) {
    const int gap = frame_.fanouts[f].gap;
    if (gap >= from_gap && gap < to_gap) count = spread(static_cast<int>(f), dim, count);
  }
  return count;
}

Sight Root::irrelevant_sight(const Link& link, const Turn& turn, int dim, double at,
                             double next) const {
  Sight sight;
  const int from = std::max(turn.block, 0);
  sight.received =
      turn.moves ? spread(dim, next, from + 1, link.child) : spread(dim, at, from, link.child);
  const bool output = frame_.tensors[pos(link.tensor)].output;
  bool merged = false;
  double times = at;
  for (std::size_t f = 0; f < frame_.fanouts.size(); ++f) {
    const FanoutView& fanout = frame_.fanouts[f];
    const int id = static_cast<int>(f);
    if (fanout.gap >= link.child || factor(id, dim) == 1) continue;
    const bool shared = fanout.gap >= link.parent && fanout.shares(output);
    merged |= shared;
    if (fanout.gap < turn.block) {
      if (shared) times = std::ceil(times / static_cast<double>(factor(id, dim)));
    } else if (!shared) {
      times = spread(id, dim, times);
    }
  }
  sight.delivered = merged ? times : sight.received;
  return sight;
}

Sight Root::relevant_sight(const Link& link, const Turn& turn, int dim, double at, double inside,
                           int level) const {
  Sight sight;
  sight.received = spread(dim, inside, level, link.child);
  const bool output = frame_.tensors[pos(link.tensor)].output;
  sight.delivered = at;
  for (std::size_t f = 0; f < frame_.fanouts.size(); ++f) {
    const FanoutView& fanout = frame_.fanouts[f];
    const int id = static_cast<int>(f);
    if (fanout.gap < turn.block && fanout.gap < link.child) {
      sight.runs_received = spread(id, dim, sight.runs_received);
      if (fanout.gap < link.parent) sight.runs_delivered = spread(id, dim, sight.runs_delivered);
    }
    if (fanout.gap < link.parent || fanout.gap >= link.child || factor(id, dim) == 1) continue;
    if (fanout.gap < turn.block) {
      if (!fanout.shares(output)) continue;
      sight.delivered = std::ceil(sight.delivered / static_cast<double>(factor(id, dim)));
      sight.in_pieces = true;
    } else if (!fanout.shares(output)) {
      sight.delivered = spread(id, dim, sight.delivered);
    }
  }
  return sight;
}

// True if no two tiles of the rank that go out together are the same or, where parts are shared,
// have anything in common: each is read for itself.
bool Root::separate(const Link& link, const TwoTerms& rank) const {
  const bool output = frame_.tensors[pos(link.tensor)].output;
  bool equal = output;
  bool spread_a = false;
  bool spread_b = false;
  for (std::size_t f = 0; f < frame_.fanouts.size(); ++f) {
    const FanoutView& fanout = frame_.fanouts[f];
    const int id = static_cast<int>(f);
    if (fanout.gap < link.parent || fanout.gap >= link.child || !fanout.shares(output)) continue;
    spread_a |= factor(id, rank.a) > 1;
    spread_b |= factor(id, rank.b) > 1;
    for (int d = 0; d < frame_.dims() && !equal; ++d) {
      equal = !fanout.overlaps && factor(id, d) > 1;
    }
  }
  return (!spread_a && !spread_b) || (equal && !(spread_a && spread_b));
}

// Tiles do not touch if one step of a child leads past all that the other dim adds.
bool Root::may_slide(const Link& link, const TwoTerms& rank, int dim, int block) const {
  double apart = 1;
  for (std::size_t f = 0; f < frame_.fanouts.size(); ++f) {
    const int gap = frame_.fanouts[f].gap;
    if (gap < block || gap >= link.child) continue;
    apart *= static_cast<double>(factor(static_cast<int>(f), dim));
  }
  const bool along_a = dim == rank.a;
  const double reach = (along_a ? rank.n : rank.m) * ((along_a ? rank.size_b : rank.size_a) - 1);
  return (along_a ? rank.m : rank.n) * apart <= reach;
}

std::vector<int> Root::slides(const Link& link, int block, DimSet over) const {
  const TensorView& tensor = frame_.tensors[pos(link.tensor)];
  if (!has(frame_.memories[pos(link.child)].sliding, link.tensor)) return {-1};
  std::vector<int> found;
  bool none = over == 0;
  for (int d = 0; d < frame_.dims(); ++d) {
    if (!has(over, d)) continue;
    const auto rank =
        std::ranges::find_if(tensor.ranks, [&](const TwoTerms& r) { return r.a == d || r.b == d; });
    if (rank != tensor.ranks.end() && may_slide(link, *rank, d, block)) {
      found.push_back(d);
    } else {
      none = true;
    }
  }
  if (none && found.empty()) found.push_back(-1);
  return found;
}

Moved Root::elements(const Link& link, const TwoTerms& rank, const Sight& a, const Sight& b,
                     int slide) const {
  // Along a dim nothing can be held back if tiles have one element along the other.
  const bool along_a = slide == rank.a && b.received < rank.size_b;
  const bool along_b = slide == rank.b && a.received < rank.size_a;
  const auto sum = [&](double x, double y, bool joined) {
    return rank.elements(x, y, joined || along_a || along_b);
  };
  const auto cut = [](bool slides, double count, double runs) {
    return slides ? std::min(count, runs) : count;
  };
  Moved moved;
  moved.received = sum(cut(along_a, a.received, a.runs_received),
                       cut(along_b, b.received, b.runs_received), false);
  if (separate(link, rank)) {
    moved.delivered = moved.received;
  } else if (a.in_pieces || b.in_pieces) {
    moved.delivered = rank.whole;  // pieces may coincide in more ways than tiles overlap
  } else {
    moved.delivered = sum(cut(along_a, a.delivered, a.runs_delivered),
                          cut(along_b, b.delivered, b.runs_delivered), true);
  }
  return moved;
}

Moved Root::moved(const Link& link, std::span<const Sight> sights, int slide) const {
  const TensorView& tensor = frame_.tensors[pos(link.tensor)];
  Moved moved{tensor.plain, tensor.plain};
  for (const TwoTerms& rank : tensor.ranks) {
    const Moved along = elements(link, rank, sights[pos(rank.a)], sights[pos(rank.b)], slide);
    moved.received *= along.received;
    moved.delivered *= along.delivered;
  }
  for (int d = 0; d < frame_.dims(); ++d) {
    if (!has(tensor.irrelevant, d)) continue;
    moved.received *= sights[pos(d)].received;
    moved.delivered *= sights[pos(d)].delivered;
  }
  return moved;
}

double Root::cost(const Metric& metric, const Link& link, const Moved& moved) const {
  // Where a slide leaves holes, another instance than the first may be the busiest.
  if (metric.kind == Metric::Kind::kTime && !alike_[pos(metric.memory)] &&
      frame_.tensors[pos(link.tensor)].strided &&
      has(frame_.memories[pos(link.child)].sliding, link.tensor)) {
    return 0;
  }
  const Price& parent = frame_.price(metric, link.parent, link.tensor);
  const Price& child = frame_.price(metric, link.child, link.tensor);
  if (!frame_.tensors[pos(link.tensor)].output) {
    return moved.delivered * parent.read + moved.received * child.fill;
  }
  return moved.delivered * parent.update +
         std::max(0.0, moved.delivered - touched(link.parent)) * parent.read +
         moved.received * child.drain +
         std::max(0.0, moved.received - touched(link.child)) * child.fill;
}

Root::Units Root::units(int tensor, int memory, int dim) const {
  const double size = static_cast<double>(frame_.sizes[pos(dim)]);
  double product = 1;
  double tiles = 1;
  bool parted = false;  // there may be other loops between the fan-outs in use
  bool scattered = false;
  int passed = memory;  // blocks
  for (std::size_t f = 0; f < frame_.fanouts.size(); ++f) {
    const FanoutView& fanout = frame_.fanouts[f];
    if (fanout.gap < memory) continue;
    for (; passed < fanout.gap; ++passed) {
      if (keeps_[pos(passed + 1)] != 0 && product > 1) parted = true;
    }
    const double s = static_cast<double>(factor(static_cast<int>(f), dim));
    if (s == 1) continue;
    if (!fanout.shares(frame_.tensors[pos(tensor)].output)) {
      parted = parted || product > 1;
      continue;
    }
    // Another loop has two iterations at least; then there are more tiles.
    scattered = scattered || (parted && (tiles - 1) * 2 * s + 1 <= size);
    tiles = spread(static_cast<int>(f), dim, tiles);
    product *= s;
  }
  const double apart = tiles > 1 ? std::max(1.0, std::floor((size - 1) / (tiles - 1))) : size;
  return {size / std::ceil(size / product), std::min(product, size), scattered ? 0 : apart};
}

// Of a rank: (a + b - 1) / (a b), or better if what stands along b falls into residue classes of
// the coefficient of a.
double Root::least_kept(const Units& a, const Units& b, double coefficient) {
  const double any = (a.mean + b.mean - 1) / (a.mean * b.mean);
  if (b.apart == 0) return any;
  double classes = b.most;
  for (std::int64_t apart = 1; static_cast<double>(apart) <= std::min(b.apart, coefficient);
       ++apart) {
    const auto whole = static_cast<std::int64_t>(coefficient);
    classes = std::min(classes, static_cast<double>(whole / std::gcd(whole, apart)));
  }
  return std::max(any, (classes * (a.mean - 1) + b.most) / (a.mean * b.most));
}

double Root::compute_cost(const Metric& metric, int tensor) const {
  const TensorView& view = frame_.tensors[pos(tensor)];
  const int memory = parent_of(tensor, frame_.memory_count());
  double moved = 1;
  for (int d = 0; d < frame_.dims(); ++d) {
    moved *= static_cast<double>(frame_.sizes[pos(d)]);
    if (!has(view.relevant, d) || has(view.many, d)) moved /= units(tensor, memory, d).mean;
  }
  for (const TwoTerms& rank : view.ranks) {
    const Units a = units(tensor, memory, rank.a);
    const Units b = units(tensor, memory, rank.b);
    // Boxes have their holes in the coefficients; single elements have none.
    const double common = static_cast<double>(
        std::gcd(static_cast<std::int64_t>(rank.m), static_cast<std::int64_t>(rank.n)));
    moved *= std::max(least_kept(a, b, rank.m / common), least_kept(b, a, rank.n / common));
  }
  moved = std::max(moved, view.elements);
  const Price& price = frame_.price(metric, memory, tensor);
  if (!view.output) return moved * price.read;
  return moved * price.update + std::max(0.0, moved - touched(memory)) * price.read;
}

double Root::compute_cost(const Metric& metric) const {
  double sum = 0;
  for (std::size_t t = 0; t < frame_.tensors.size(); ++t) {
    sum += compute_cost(metric, static_cast<int>(t));
  }
  return sum;
}

double Root::cost_once(const Metric& metric, int tensor) const {
  const TensorView& view = frame_.tensors[pos(tensor)];
  double sum = compute_cost(metric, tensor);
  std::vector<Sight> sights(pos(frame_.dims()));
  for (int m = 1; m < frame_.memory_count(); ++m) {
    if (!has(linked(m), tensor)) continue;
    const Link link{tensor, parent_of(tensor, m), m};
    for (int d = 0; d < frame_.dims(); ++d) {
      const auto least = [&](int level) {
        return static_cast<double>(chain(d).counts[pos(level)].front());
      };
      sights[pos(d)] = has(view.irrelevant, d)
                           ? irrelevant_sight(link, {}, d, 1, 1)
                           : relevant_sight(link, {}, d, least(link.parent), least(m), m);
    }
    double best = INFINITY;
    for (const int slide : slides(link, m, view.relevant)) {
      best = std::min(best, cost(metric, link, moved(link, sights, slide)));
    }
    sum += best;
  }
  return sum;
}

}  // namespace tilewright::verify
