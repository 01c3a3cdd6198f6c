// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/root_list.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "tilewright/mapspace/keeps.h"

namespace tilewright {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
// Of one wave.
constexpr std::size_t kMostRoots = 50'000;
// The first wave goes so far above the first bound.
constexpr double kFirstExcess = 0.02;

std::vector<Keeps> all_keeps(const Rules& rules) {
  const KeepChoices choices(rules);
  std::vector<Keeps> result;
  for (std::uint64_t i = 0; i < choices.size().to_uint64(); ++i) {
    result.push_back(choices.unrank(i));
  }
  return result;
}

// The same for every number of waves.
bool comes_before(const Root& a, const Root& b) {
  return std::tie(a.least.score, a.spatial, a.keeps) < std::tie(b.least.score, b.spatial, b.keeps);
}

}  // namespace

struct RootList::Wave {
  const Wish& wish;
  std::vector<Root> roots;
  double limit = kNever;  // scores above it belong to later waves
  bool is_cut = false;    // there are such
  bool stopped = false;
  std::uint64_t parts = 0;
  // An outline that still promises, and the largest of its bounds so far.
  struct Alive {
    std::size_t outline = 0;
    double score = 0;
  };
  std::vector<std::vector<Alive>> alive;  // all, then by the level of the part looked at
  std::size_t level = 0;                  // of the part looked at last

  bool wants(const Least& least) {
    if (least.score <= limit) return wish.promises(least);
    is_cut = is_cut || wish.promises(least);
    return false;
  }
};

RootList::RootList(const Ground& ground)
    : ground_(ground),
      keeps_(all_keeps(ground.facts.rules)),
      capacity_(ground.facts, ground.steps, ground.tiles, ground.resources,
                ground.options.prunes.by_capacity),
      room_(ground.facts),
      choices_(ground.facts, ground.steps, ground.options.prunes.by_axes) {
  for (std::size_t r = 0; r < ground.resources.size(); ++r) {
    const Resource& resource = ground.resources[r];
    if (resource.kind == Resource::Kind::kTraffic) continue;
    resources_.push_back(r);
    std::vector<double>& common = common_.emplace_back();
    for (const Keeps& keeps : keeps_) {
      common.push_back(resource.fixed + capacity_.common(r, keeps));
    }
    outlines_.emplace_back(room_, ground.facts, resource, keeps_, common, capacity_);
  }
}

void RootList::set(const SpatialChoices::Part& part) {
  room_.set(part);
  cycles_.assign(keeps_.size(), std::nullopt);
}

// Of all mappings of the part that keep the same; `least_of`: of an outline, of one time.
template <typename LeastOf>
double RootList::cycles_by(std::uint32_t keeps, const LeastOf& least_of) const {
  double most = room_.steps();
  for (std::size_t i = 1; i < outlines_.size(); ++i) {
    double least = kNever;
    for (const Outline& outline : outlines_[i].outlines(keeps)) {
      least = std::min(least, least_of(outlines_[i], outline));
    }
    const int memory = ground_.resources[resources_[i]].memory;
    most = std::max(most, least / room_.instances(static_cast<std::size_t>(memory)));
  }
  return most;
}

double RootList::cycles(std::uint32_t keeps) {
  std::optional<double>& known = cycles_[keeps];
  if (!known) {
    known = cycles_by(keeps, [](const OutlineBound& bound, const Outline& outline) {
      return bound.least(outline);
    });
  }
  return *known;
}

double RootList::cycles(std::uint32_t keeps, const OpenSharing& most) const {
  return cycles_by(keeps, [&](const OutlineBound& bound, const Outline& outline) {
    return bound.least(outline, most);
  });
}

// Of a root.
double RootList::least_cycles(const Links& links, std::uint32_t keeps) {
  double most = links.steps();
  for (std::size_t i = 1; i < resources_.size(); ++i) {
    const Resource& resource = ground_.resources[resources_[i]];
    const double time = common_[i][keeps] + links.inner_cost(resource) - resource.fixed +
                        capacity_.least(resources_[i], links);
    most = std::max(most, time / links.instances(static_cast<std::size_t>(resource.memory)));
  }
  return most;
}

// Limits rise from wave to wave: with a low one, most choices are left out early.
std::vector<Root> RootList::next(const Wish& wish) {
  if (!excess_) find_first_bound();
  while (bound_ < kNever) {
    Wave wave{wish, {}};
    wave.limit = first_bound_ > 0 ? std::max(bound_, first_bound_ * (1 + *excess_)) : kNever;
    list(wave);
    if (wave.stopped) return {};
    *excess_ *= 2;
    bound_ = wave.is_cut ? wave.limit : kNever;
    if (wave.roots.empty()) continue;
    std::ranges::sort(wave.roots, comes_before);
    for (Root& root : wave.roots) root.number = listed_++;
    last_ = wave.roots.back();
    return std::move(wave.roots);
  }
  return {};
}

void RootList::find_first_bound() {
  const auto bound = [&](const SpatialChoices::Part& nothing) {
    set(nothing);
    first_bound_ = kNever;
    for (const Outline& outline : outlines_[0].outlines()) {
      const Least least = ground_.least(outlines_[0].least(outline), cycles(outline.keeps), 1);
      first_bound_ = std::min(first_bound_, least.score);
    }
    return false;
  };
  choices_.for_each(bound, [](const Tiling&) {});
  bound_ = first_bound_;
  excess_ = kFirstExcess;
}

void RootList::list(Wave& wave) {
  wave.alive.resize(1);
  for (std::size_t g = 0; g < outlines_[0].outlines().size(); ++g) wave.alive[0].push_back({g, 0});
  choices_.for_each([&](const SpatialChoices::Part& part) { return is_worth_it(wave, part); },
                    [&](const Tiling& tiling) { add_roots(wave, tiling); });
  if (wave.roots.size() > kMostRoots) cut(wave);
}

// The outlines that promise with all that the part leaves open; false if none does.
bool RootList::is_worth_it(Wave& wave, const SpatialChoices::Part& part) {
  if (++wave.parts % 1024 == 0 && !wave.stopped) wave.stopped = wave.wish.stop();
  if (wave.stopped) return false;
  wave.level = part.level;
  if (wave.alive.size() < part.level + 2) wave.alive.resize(part.level + 2);
  const std::vector<Wave::Alive>& before = wave.alive[part.level];
  std::vector<Wave::Alive>& alive = wave.alive[part.level + 1];
  alive.clear();
  set(part);
  const OutlineBound& energy = outlines_[0];
  for (const auto& [number, score] : before) {
    const Outline& outline = energy.outlines()[number];
    if (!wave.wants(ground_.least(outline.fixed, room_.steps(), 1))) continue;
    const Least least = ground_.least(energy.least(outline), cycles(outline.keeps), 1);
    // Not the wave's limit: whether an earlier wave had a root is told by bounds.
    if (!wave.wants(least) || !may_score(wave.wish.limit(), outline)) continue;
    alive.push_back({number, std::max(score, least.score)});
  }
  return !alive.empty();
}

// False if no mapping of the part and the outline scores less than `limit`. Such a mapping has
// limited energy and cycles; to keep to them, tensors must share so much, which limits the others.
bool RootList::may_score(double limit, const Outline& outline) {
  const Objective& goal = ground_.options.objective;
  if (limit == kNever || goal.energy == 0 || goal.traffic > 0 || ground_.options.front) return true;
  constexpr double kRounding = 1 + 1e-9;
  const OutlineBound& energy = outlines_[0];
  OpenSharing most;
  most.fill(kNever);
  double least_energy = energy.least(outline);
  double least_cycles = cycles(outline.keeps);
  for (int round = 0; round < 3; ++round) {
    const double most_energy =
        kRounding * power(limit / power(least_cycles, goal.latency), 1 / goal.energy);
    if (least_energy > most_energy) return false;
    OpenSharing needed = energy.needed(outline, most_energy, most);
    if (goal.latency > 0) {
      const double most_cycles =
          kRounding * power(limit / power(least_energy, goal.energy), 1 / goal.latency);
      add_needed(most_cycles, outline.keeps, most, needed);
    }
    most = room_.left_by(needed);
    for (std::size_t t = 0; t < needed.size(); ++t) {
      if (needed[t] > most[t] * kRounding) return false;
    }
    least_energy = std::max(least_energy, energy.least(outline, most));
    least_cycles = std::max(least_cycles, cycles(outline.keeps, most));
  }
  return true;
}

// Adds the sharing that times need to be no more than `limit`.
void RootList::add_needed(double limit, std::uint32_t keeps, const OpenSharing& most,
                          OpenSharing& needed) const {
  for (std::size_t i = 1; i < outlines_.size(); ++i) {
    const std::size_t memory = static_cast<std::size_t>(ground_.resources[resources_[i]].memory);
    OpenSharing least;
    least.fill(kNever);
    for (const Outline& outline : outlines_[i].outlines(keeps)) {
      const OpenSharing here = outlines_[i].needed(outline, limit * room_.instances(memory), most);
      for (std::size_t t = 0; t < least.size(); ++t) least[t] = std::min(least[t], here[t]);
    }
    for (std::size_t t = 0; t < least.size(); ++t) needed[t] = std::max(needed[t], least[t]);
  }
}

// All keeps with one choice of loops in space.
void RootList::add_roots(Wave& wave, const Tiling& tiling) {
  const Facts& facts = ground_.facts;
  capacity_.change_spatial();
  Root root;
  for (std::size_t p = 0; p < facts.rules.places.size(); ++p) {
    if (facts.rules.places[p].is_block()) continue;
    for (int d = 0; d < facts.dims; ++d) {
      root.spatial.push_back(static_cast<std::int32_t>(tiling.at(static_cast<int>(p), d)));
    }
  }
  const std::vector<Wave::Alive>& alive = wave.alive[wave.level + 1];
  for (std::size_t i = 0; i < alive.size();) {  // by rising keeps
    const std::uint32_t k = outlines_[0].outlines()[alive[i].outline].keeps;
    double score = kNever;
    for (; i < alive.size() && outlines_[0].outlines()[alive[i].outline].keeps == k; ++i) {
      score = std::min(score, alive[i].score);
    }
    const Links links(facts, keeps_[k], tiling);
    double energy =
        common_[0][k] + links.inner_cost(ground_.resources[0]) - ground_.resources[0].fixed;
    if (!wave.wants(ground_.least(energy, cycles(k), 1))) continue;
    energy += capacity_.least(0, links);
    if (energy == kNever || !wave.wants(ground_.least(energy, cycles(k), 1))) continue;
    root.least = ground_.least(energy, std::max(cycles(k), least_cycles(links, k)), 1);
    root.least.score = std::max(root.least.score, score);
    root.keeps = k;
    if (!wave.wants(root.least)) continue;
    if (last_ && !comes_before(*last_, root)) continue;
    wave.roots.push_back(root);
  }
  if (wave.roots.size() >= 2 * kMostRoots) cut(wave);
}

void RootList::cut(Wave& wave) const {
  const auto end = wave.roots.begin() + static_cast<std::ptrdiff_t>(kMostRoots);
  std::ranges::nth_element(wave.roots, end - 1, comes_before);
  wave.limit = (end - 1)->least.score;
  wave.is_cut = true;
  wave.roots.erase(end, wave.roots.end());
}

Tiling RootList::spatial(const Root& root) const {
  const Facts& facts = ground_.facts;
  Tiling tiling;
  tiling.dims = facts.dims;
  tiling.factors.assign(facts.rules.places.size() * static_cast<std::size_t>(facts.dims), 1);
  auto next = root.spatial.begin();
  for (std::size_t p = 0; p < facts.rules.places.size(); ++p) {
    if (facts.rules.places[p].is_block()) continue;
    for (int d = 0; d < facts.dims; ++d) tiling.at(static_cast<int>(p), d) = *next++;
  }
  return tiling;
}

}  // namespace tilewright
