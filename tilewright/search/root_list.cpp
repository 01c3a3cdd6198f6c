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
  const Promises& promises;
  const std::function<bool()>& stop;
  std::vector<Root> roots;
  double limit = kNever;  // scores above it belong to later waves
  bool is_cut = false;    // there are such
  bool stopped = false;
  std::uint64_t parts = 0;
  std::vector<std::vector<std::size_t>> alive;  // by depth: outlines that still promise
  std::size_t depth = 0;                        // of the part looked at last

  bool wants(const Least& least) {
    if (least.score <= limit) return promises(least);
    is_cut = is_cut || promises(least);
    return false;
  }
};

RootList::RootList(const Ground& ground)
    : ground_(ground),
      keeps_(all_keeps(ground.facts.rules)),
      capacity_(ground.facts, ground.steps, ground.tiles, ground.resources[0],
                ground.options.prunes.by_capacity),
      choices_(ground.facts, ground.steps, ground.options.prunes.by_axes) {
  for (const Keeps& keeps : keeps_) {
    common_.push_back(ground.resources[0].fixed + capacity_.common(keeps));
  }
  outlines_.emplace(ground.facts, ground.resources[0], keeps_, common_, capacity_);
  least_cycles_ = least_cycles();
}

// Whatever is chosen: every element crosses the bandwidth of memories outside of all fan-outs
// once, if the tensor has to be kept there.
double RootList::least_cycles() const {
  const Facts& facts = ground_.facts;
  double cycles = 1;
  for (const Resource& resource : ground_.resources) {
    if (resource.kind != Resource::Kind::kTime) continue;
    const std::size_t m = static_cast<std::size_t>(resource.memory);
    bool outside = true;
    for (std::size_t p = 0; p < facts.block[m]; ++p) {
      outside = outside && facts.rules.places[p].is_block();
    }
    if (!outside) continue;
    double time = 0;
    for_bits(facts.rules.keeps[m].required, [&](std::size_t t) {
      const Prices& prices = resource.prices[m][t];
      time += facts.elements[t] * (t == facts.output ? prices.update : prices.read);
    });
    cycles = std::max(cycles, time);
  }
  return cycles;
}

// Limits rise from wave to wave: with a low one, most choices are left out early.
std::vector<Root> RootList::next(const Promises& promises, const std::function<bool()>& stop) {
  if (!excess_) find_first_bound();
  while (bound_ < kNever) {
    Wave wave{promises, stop, {}};
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
    outlines_->set(nothing);
    first_bound_ = kNever;
    for (const Outline& outline : outlines_->outlines()) {
      const double cycles = std::max(outlines_->steps(), least_cycles_);
      first_bound_ =
          std::min(first_bound_, ground_.least(outlines_->least(outline), cycles, 1).score);
    }
    return false;
  };
  choices_.for_each(bound, [](const Tiling&) {});
  bound_ = first_bound_;
  excess_ = kFirstExcess;
}

void RootList::list(Wave& wave) {
  const std::size_t depths =
      static_cast<std::size_t>(ground_.facts.dims) * fanout_places(ground_.facts).size() + 2;
  wave.alive.resize(depths);
  for (std::size_t g = 0; g < outlines_->outlines().size(); ++g) wave.alive[0].push_back(g);
  choices_.for_each([&](const SpatialChoices::Part& part) { return is_worth_it(wave, part); },
                    [&](const Tiling& tiling) { add_roots(wave, tiling); });
  if (wave.roots.size() > kMostRoots) cut(wave);
}

// The outlines that promise with all that the part leaves open; false if none does.
bool RootList::is_worth_it(Wave& wave, const SpatialChoices::Part& part) {
  if (++wave.parts % 1024 == 0 && !wave.stopped) wave.stopped = wave.stop();
  if (wave.stopped) return false;
  const std::size_t fanouts = part.room.size();
  wave.depth = 1 + part.dim * fanouts + part.fanout;
  const std::vector<std::size_t>& before = wave.alive[wave.depth - 1];
  std::vector<std::size_t>& alive = wave.alive[wave.depth];
  alive.clear();
  outlines_->set(part);
  const double cycles = std::max(outlines_->steps(), least_cycles_);
  for (const std::size_t g : before) {
    const Outline& outline = outlines_->outlines()[g];
    if (wave.wants(ground_.least(outline.fixed, cycles, 1)) &&
        wave.wants(ground_.least(outlines_->least(outline), cycles, 1))) {
      alive.push_back(g);
    }
  }
  return !alive.empty();
}

// All keeps with one choice of loops in space.
void RootList::add_roots(Wave& wave, const Tiling& tiling) {
  const Facts& facts = ground_.facts;
  const double steps = std::max(least_cycles_, Links::steps(facts, tiling));
  capacity_.change_spatial();
  Root root;
  for (std::size_t p = 0; p < facts.rules.places.size(); ++p) {
    if (facts.rules.places[p].is_block()) continue;
    for (int d = 0; d < facts.dims; ++d) {
      root.spatial.push_back(static_cast<std::int32_t>(tiling.at(static_cast<int>(p), d)));
    }
  }
  std::uint32_t next = 0;  // outlines come by rising keeps
  for (const std::size_t o : wave.alive[wave.depth]) {
    const std::uint32_t k = outlines_->outlines()[o].keeps;
    if (k < next) continue;
    next = k + 1;
    const Links links(facts, keeps_[k], tiling);
    const double inner = links.inner_cost(ground_.resources[0]) - ground_.resources[0].fixed;
    double cycles = steps;
    for (const Resource& resource : ground_.resources) {
      if (resource.kind != Resource::Kind::kTime) continue;
      const std::size_t memory = static_cast<std::size_t>(resource.memory);
      cycles = std::max(cycles, links.inner_cost(resource) / links.instances(memory));
    }
    if (!wave.wants(ground_.least(common_[k] + inner, cycles, 1))) continue;
    const double more = capacity_.least(links, true);
    root.least = ground_.least(common_[k] + inner + more, cycles, 1);
    root.keeps = k;
    if (more == kNever || !wave.wants(root.least)) continue;
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
