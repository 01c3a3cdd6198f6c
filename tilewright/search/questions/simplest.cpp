// SPDX-License-Identifier: Apache-2.0
// Branch and bound over what may occur in a mapping. The best mapping of a space has certain loops
// and bypasses; a simpler one lacks at least one of them. So each of them is forbidden in turn, and
// those before it are demanded: no mapping is looked at twice. With uneven placement this is done
// for each arrangement.
#include "tilewright/search/questions/simplest.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "tilewright/search/questions/status.h"
#include "tilewright/search/watch.h"

namespace tilewright {
namespace {

// A loop over `dim` at place `at`, or the bypass of `tensor` at memory `at` (in Rules::keeps).
struct Feature {
  bool is_loop = true;
  std::size_t at = 0;
  std::size_t dim = 0;
  TensorSet tensor = 0;
  std::int64_t factor = 0;  // of the loop
};

std::size_t find_place(const Rules& rules, NodeId node, int axis) {
  std::size_t p = 0;
  while (rules.places[p].node != node || rules.places[p].axis != axis) ++p;
  return p;
}

// The block of the last point at which the memory of `node` may keep one of its tensors: if a
// memory keeps the tensors of two points in one node, the block between them has no loops.
std::size_t find_block(const Rules& rules, const NestNode& node) {
  std::size_t found = 0;
  std::size_t k = 0;
  for (std::size_t p = 0; p < rules.places.size(); ++p) {
    if (!rules.places[p].is_block()) continue;
    const KeepRule& rule = rules.keeps[k++];
    if (rule.memory == node.node && (rule.allowed & node.tensors) != 0) found = p;
  }
  return found;
}

// Loops first, for they count for more, and small ones before large ones: these can best be spared.
std::vector<Feature> list_features(const Rules& rules, const Mapping& mapping) {
  std::vector<Feature> features;
  std::vector<TensorSet> kept(rules.keeps.size(), 0);
  std::size_t block = 0;
  for (const NestNode& node : mapping.nodes()) {
    if (node.kind == NestNode::Kind::kKeep) {
      block = find_block(rules, node);
      for (std::size_t k = 0; k < kept.size(); ++k) {
        if (rules.keeps[k].memory == node.node) kept[k] |= node.tensors;
      }
      continue;
    }
    const bool spatial = node.kind == NestNode::Kind::kSpatial;
    features.push_back({.at = spatial ? find_place(rules, node.node, node.axis) : block,
                        .dim = node.dim.pos(),
                        .factor = node.factor});
  }
  std::ranges::stable_sort(features, {}, &Feature::factor);
  for (std::size_t k = 0; k < kept.size(); ++k) {
    for (TensorSet left = rules.keeps[k].allowed & ~kept[k]; left != 0; left &= left - 1) {
      features.push_back({.is_loop = false, .at = k, .tensor = left & (~left + 1)});
    }
  }
  return features;
}

bool is_demanded(const Feature& feature, const Rules& rules) {
  return feature.is_loop && rules.places[feature.at].rules[feature.dim].least > 1;
}

void forbid(const Feature& feature, Rules& rules) {
  if (feature.is_loop) {
    rules.places[feature.at].rules[feature.dim].most = 1;
  } else {
    rules.keeps[feature.at].required |= feature.tensor;
  }
}

void demand(const Feature& feature, Rules& rules) {
  if (feature.is_loop) {
    FactorRule& rule = rules.places[feature.at].rules[feature.dim];
    rule.least = std::max<std::int64_t>(rule.least, 2);
  } else {
    rules.keeps[feature.at].allowed &= ~feature.tensor;
  }
}

class Simplifier {
 public:
  Simplifier(const Problem& problem, const SearchOptions& options, double limit, int most_searches)
      : problem_(problem),
        options_(options),
        watch_(options_),
        limit_(limit),
        most_searches_(most_searches) {
    options_.top = 1;
    options_.front = false;
    options_.gap = 0;
    options_.below = std::min(options_.below, limit * (1 + kSlack));
  }

  SimplestResult run(const ArrangedSpace& space, const Found& best) {
    const Rules even = make_rules(problem_, space.kind, space.constraints);
    result_.found = best;
    result_.simplicity = measure_simplicity(even, best.mapping);
    result_.proved = true;
    if (space.arrangements.size() == 1) {
      branch(even, 0, best.mapping);
      return std::move(result_);
    }
    for (const Arrangement& arrangement : space.arrangements) {
      explore(make_rules(problem_, space.kind, space.constraints, arrangement),
              count_bypasses(even, arrangement));
    }
    return std::move(result_);
  }

 private:
  // What its memories could keep and do not. Their rules do not allow it, so it is counted apart.
  static int count_bypasses(const Rules& even, const Arrangement& arrangement) {
    int bypasses = 0;
    for (const Arrangement::Points& points : arrangement.memories) {
      TensorSet kept = 0;
      for (const TensorSet tensors : points.kept) kept |= tensors;
      for (const KeepRule& rule : even.keeps) {
        if (rule.memory == points.memory) bypasses += std::popcount(rule.allowed & ~kept);
      }
    }
    return bypasses;
  }

  // `bypasses` are demanded by now.
  void explore(const Rules& rules, int bypasses) {
    if (least(rules, bypasses) >= result_.simplicity) return;
    std::optional<Found> best = solve(rules);
    if (!best) return;
    // Rules that demand a bypass do not allow the tensor any more: it is counted apart.
    Simplicity simplicity = measure_simplicity(rules, best->mapping);
    simplicity.bypasses += bypasses;
    if (simplicity < result_.simplicity) {
      result_.simplicity = simplicity;
      result_.found = *best;
    }
    branch(rules, bypasses, best->mapping);
  }

  // Everything but `answer` and what is no simpler.
  void branch(Rules rules, int bypasses, const Mapping& answer) {
    for (const Feature& feature : list_features(rules, answer)) {
      if (is_demanded(feature, rules)) continue;
      Rules without = rules;
      forbid(feature, without);
      explore(without, bypasses);
      demand(feature, rules);
      if (!feature.is_loop) ++bypasses;
    }
  }

  // What a mapping of the space has at least: loops that are demanded, and one for every dim.
  Simplicity least(const Rules& rules, int bypasses) const {
    Simplicity result{0, bypasses};
    for (std::size_t d = 0; d < problem_.workload().dims().size(); ++d) {
      int loops = 0;
      for (const Place& place : rules.places) loops += place.rules[d].least > 1 ? 1 : 0;
      if (problem_.workload().dims()[d].size > 1) loops = std::max(loops, 1);
      result.loops += loops;
    }
    return result;
  }

  // The best of the space if it is good enough; it need not be known otherwise.
  std::optional<Found> solve(const Rules& rules) {
    if (result_.searches == most_searches_ || watch_.interruption()) {
      result_.proved = false;
      return std::nullopt;
    }
    ++result_.searches;
    SearchOptions options = options_;
    if (options.max_seconds > 0) {
      options.max_seconds = std::max(kLeastSeconds, options.max_seconds - watch_.seconds());
    }
    SearchResult found = search_optimal(problem_, rules, options);
    if (found.best && found.best->score <= limit_) return std::move(found.best);
    const bool hopeless = is_settled(status_of(found)) || (found.bound && *found.bound > limit_);
    if (!hopeless) result_.proved = false;
    return std::nullopt;
  }

  static constexpr double kLeastSeconds = 1e-3;  // 0 would be no limit
  // Nothing above the limit is looked for; what is as good as the limit, but for rounding, is.
  static constexpr double kSlack = 1e-9;

  const Problem& problem_;
  SearchOptions options_;
  Watch watch_;
  double limit_;
  int most_searches_;
  SimplestResult result_{.found = {.mapping = Mapping({}), .evaluation = {}}};
};

}  // namespace

Simplicity measure_simplicity(const Rules& rules, const Mapping& mapping) {
  Simplicity result;
  for (const Feature& feature : list_features(rules, mapping)) {
    ++(feature.is_loop ? result.loops : result.bypasses);
  }
  return result;
}

SimplestResult find_simplest(const Problem& problem, const ArrangedSpace& space,
                             const SearchOptions& options, const Found& best, double limit,
                             int most_searches) {
  return Simplifier(problem, options, limit, most_searches).run(space, best);
}

}  // namespace tilewright
