// SPDX-License-Identifier: Apache-2.0
#include "tilewright/compat/nest.h"

#include <algorithm>

#include "tilewright/base/checked.h"
#include "tilewright/base/error.h"

namespace tilewright::compat {
namespace {

// Puts the nodes of a mapping on levels, from the outside in.
class Reader {
 public:
  Reader(const Problem& problem, const Mapping& mapping) : problem_(problem), mapping_(mapping) {
    for (const Dim& dim : problem.workload().dims()) result_.nest.sizes.push_back(dim.size);
    const Arch& arch = problem.arch();
    for (const NodeId memory : arch.memories()) {
      Level level;
      level.memory = memory;
      for (const NestNode& node : mapping.nodes()) {
        if (node.kind == NestNode::Kind::kKeep && node.node == memory) level.kept |= node.tensors;
      }
      result_.nest.levels.push_back(level);
    }
    for (const NodeId id : arch.fanouts()) {
      Level& owner = result_.nest.levels[owner_of(id)];
      const Fanout& fanout = arch.fanout(id);
      for (std::size_t a = 0; a < fanout.axes.size(); ++a) {
        std::int64_t& size = a == 0 ? owner.fanout_x : owner.fanout_y;
        size = checked_mul(size, fanout.axes[a].size);
      }
    }
  }

  NestReading read() {
    for (const NestNode& node : mapping_.nodes()) {
      switch (node.kind) {
        case NestNode::Kind::kKeep:
          enter(node);
          break;
        case NestNode::Kind::kTemporal:
          add_temporal(node);
          break;
        case NestNode::Kind::kSpatial:
          add_spatial(node);
          break;
      }
    }
    for (Level& level : result_.nest.levels) order_axes(level);
    result_.nest.settle();
    return std::move(result_);
  }

 private:
  std::size_t owner_of(NodeId fanout) const {
    const auto memories = problem_.arch().memories();
    const auto inside = std::ranges::upper_bound(memories, fanout);
    TW_CHECK(inside != memories.begin(), "the outermost node must be a memory");
    return static_cast<std::size_t>(inside - memories.begin()) - 1;
  }

  const std::string& name(std::size_t level) const {
    return problem_.arch().memory(problem_.arch().memories()[level]).name;
  }

  void enter(const NestNode& node) {
    const auto memories = problem_.arch().memories();
    const auto level =
        static_cast<std::size_t>(std::ranges::find(memories, node.node) - memories.begin());
    if (level < current_ || (level == current_ && entered_)) {
      result_.obstacles.push_back("the tensors that " + name(level) +
                                  " keeps are kept at different places of the nest");
      return;
    }
    current_ = level;
    entered_ = true;
  }

  void add_temporal(const NestNode& node) {
    Level& level = result_.nest.levels[current_];
    if (level.spatial.empty()) {
      push(level.temporal, node, current_);
      return;
    }
    // Inside a fan-out already: the loop belongs to the next memory, if that one keeps nothing and
    // so has no place of its own. Else it may trade places with loops over other dims.
    if (current_ + 1 < result_.nest.levels.size() && result_.nest.levels[current_ + 1].kept == 0) {
      ++current_;
      push(result_.nest.levels[current_].temporal, node, current_);
      return;
    }
    const bool same_dim = std::ranges::any_of(
        level.spatial, [&](const CountedLoop& loop) { return loop.dim == node.dim; });
    if (!same_dim) {
      push(level.temporal, node, current_);
      return;
    }
    result_.obstacles.push_back("a temporal loop over " + problem_.workload().dim(node.dim).name +
                                " lies inside the fan-out of " + name(current_) +
                                " but outside the next memory");
  }

  void add_spatial(const NestNode& node) {
    const std::size_t owner = owner_of(node.node);
    if (owner < current_) {
      result_.obstacles.push_back("the fan-out of " + name(owner) +
                                  " has a loop inside a memory further in");
      return;
    }
    if (owner > current_) entered_ = true;
    current_ = owner;
    push(result_.nest.levels[owner].spatial, node, owner);
  }

  static void push(std::vector<CountedLoop>& loops, const NestNode& node, std::size_t level) {
    CountedLoop loop;
    loop.level = level;
    loop.spatial = node.kind == NestNode::Kind::kSpatial;
    loop.along_y = loop.spatial && node.axis > 0;
    loop.dim = node.dim;
    loop.factor = node.factor;
    loops.push_back(loop);
  }

  // X lies inside Y, unless that would exchange two loops over one dim.
  static void order_axes(Level& level) {
    for (const CountedLoop& a : level.spatial) {
      for (const CountedLoop& b : level.spatial) {
        if (&a != &b && a.dim == b.dim) return;
      }
    }
    std::ranges::stable_sort(level.spatial, [](const CountedLoop& a, const CountedLoop& b) {
      return a.along_y && !b.along_y;
    });
  }

  const Problem& problem_;
  const Mapping& mapping_;
  NestReading result_;
  std::size_t current_ = 0;
  bool entered_ = false;  // the current level has begun
};

}  // namespace

std::int64_t Level::children() const {
  std::int64_t product = 1;
  for (const CountedLoop& loop : spatial) product = checked_mul(product, loop.factor);
  return product;
}

bool LevelNest::ragged() const {
  return std::ranges::any_of(levels, [](const Level& level) {
    const auto has_remainder = [](const CountedLoop& l) { return l.factor != l.remainder; };
    return std::ranges::any_of(level.temporal, has_remainder) ||
           std::ranges::any_of(level.spatial, has_remainder);
  });
}

void LevelNest::settle() {
  std::vector<std::int64_t> step(sizes.size(), 1);
  std::vector<std::int64_t> left = sizes;
  std::vector<bool> ragged(sizes.size(), false);
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    for (auto* loops : {&level->spatial, &level->temporal}) {
      for (auto loop = loops->rbegin(); loop != loops->rend(); ++loop) {
        const std::size_t d = loop->dim.pos();
        const std::int64_t passes = ceil_div(left[d], loop->factor);
        loop->step = step[d];
        loop->remainder = left[d] - (passes - 1) * loop->factor;
        loop->ragged_inside = ragged[d];
        if (loop->remainder != loop->factor) ragged[d] = true;
        step[d] = checked_mul(step[d], loop->factor);
        left[d] = passes;
      }
    }
  }
}

NestReading read_levels(const Problem& problem, const Mapping& mapping) {
  return Reader(problem, mapping).read();
}

}  // namespace tilewright::compat
