// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/optimal/roots/root_list.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace tilewright {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
// Of the first wave, and of any: every wave goes through all choices again, so where one is full,
// the next may have twice as many.
constexpr std::size_t kFirstRoots = 50'000;
constexpr std::size_t kMostRoots = 200'000;
// The first wave goes so far above the first bound.
constexpr double kFirstExcess = 0.02;

}  // namespace

RootList::RootList(const OptimalContext& context, const Answers& answers, ThreadPool& pool)
    : common_(context, answers), pool_(pool), excess_(kFirstExcess), most_roots_(kFirstRoots) {
  for (int i = 0; i < pool.size(); ++i) listers_.emplace_back(common_, answers);
  first_bound_ = bound_ = listers_.front().first_bound();
}

// Limits rise from wave to wave: with a low one, most choices are left out early.
std::vector<Root> RootList::next(double enough, const std::function<bool()>& stop) {
  std::vector<Root> roots;
  while (bound_ < kNever && bound_ <= enough && roots.empty()) {
    RootWave wave;
    const bool alone = common_.context.witness && common_.context.witness->alone();
    if (first_bound_ > 0 && !alone) wave.limit = std::max(bound_, first_bound_ * (1 + excess_));
    wave.last = last_ ? &*last_ : nullptr;
    wave.most_roots = most_roots_;
    wave.stop = stop;
    bool is_cut = list(wave, roots);
    if (wave.stopped) return {};
    std::ranges::sort(roots, comes_before);
    double limit = wave.limit;
    if (roots.size() >= most_roots_) {  // or a lister has left out some
      is_cut = is_cut || roots.size() > most_roots_;
      roots.resize(most_roots_);
      limit = roots.back().bounds.score;
      most_roots_ = std::min(2 * most_roots_, kMostRoots);
    }
    excess_ *= 2;
    bound_ = is_cut ? limit : kNever;
  }
  for (Root& root : roots) root.number = listed_++;
  if (!roots.empty()) last_ = roots.back();
  return roots;
}

bool RootList::list(RootWave& wave, std::vector<Root>& roots) {
  std::vector<RootLister::Listed> parts(listers_.size());
  pool_.for_each(listers_.size(), [&](int, std::size_t i) { parts[i] = listers_[i].list(wave); });
  bool is_cut = false;
  for (RootLister::Listed& part : parts) {
    is_cut = is_cut || part.is_cut;
    std::ranges::move(part.roots, std::back_inserter(roots));
  }
  return is_cut;
}

Tiling RootList::spatial(const Root& root) const {
  const ProblemTables& tables = common_.context.tables;
  Tiling tiling = tables.no_loops();
  auto next = root.spatial.begin();
  for (std::size_t p = 0; p < tables.rules.places.size(); ++p) {
    if (tables.rules.places[p].is_block()) continue;
    for (int d = 0; d < tables.dims; ++d) tiling.at(static_cast<int>(p), d) = *next++;
  }
  return tiling;
}

}  // namespace tilewright
