// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/optimal/roots/root_lister.h"

#include <algorithm>
#include <map>
#include <utility>

#include "tilewright/search/optimal/roots/keep_lister.h"

namespace tilewright {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
// Listers share the choices by their parts of this level.
constexpr std::size_t kSharedLevel = 8;

}  // namespace

RootContext::RootContext(const OptimalContext& the_context, const Answers& answers)
    : context(the_context),
      capacity(context.tables, context.steps, context.tiles, context.resources,
               context.prunes.by_capacity),
      choices(context.tables, context.steps, context.prunes.by_axes) {
  std::vector<OutlineParts> parts;
  for (std::size_t r = 0; r < context.resources.size(); ++r) {
    if (context.resources[r].kind == Resource::Kind::kTraffic) continue;
    resources.push_back(r);
    parts.emplace_back(context.tables, context.resources[r], capacity);
  }
  keeps = KeepLister(context, answers, choices, resources, capacity, parts).list();
  for (std::size_t i = 0; i < resources.size(); ++i) {
    const double fixed = context.resources[resources[i]].fixed;
    std::vector<double>& of_keeps = common.emplace_back();
    for (const Keeps& kept : keeps) {
      of_keeps.push_back(fixed + capacity.common(resources[i], kept));
    }
    outlines.emplace_back(context.tables, keeps, of_keeps, parts[i], context.stop);
  }
  kinds.emplace(outlines);
}

OutlineKinds::OutlineKinds(std::span<const Outlines> outlines) {
  using Parts = std::vector<Outline::Shared>;
  // Times are the same only if all is.
  std::map<std::vector<std::pair<double, Parts>>, std::size_t> times;
  std::map<std::pair<std::size_t, Parts>, std::size_t> kinds;
  std::size_t time = 0;
  std::uint32_t keeps = std::numeric_limits<std::uint32_t>::max();
  for (const Outline& outline : outlines.front().all()) {
    if (outline.keeps != keeps) {
      keeps = outline.keeps;
      std::vector<std::pair<double, Parts>> all;
      for (const Outlines& of_time : outlines.subspan(1)) {
        all.emplace_back(-1, Parts{});  // the next memory
        for (const Outline& one : of_time.with(keeps)) all.emplace_back(one.fixed, one.shared);
      }
      time = times.try_emplace(std::move(all), times.size()).first->second;
    }
    kinds_.push_back(kinds.try_emplace({time, outline.shared}, kinds.size()).first->second);
  }
  size_ = kinds.size();
}

RootLister::RootLister(const RootContext& common, const Answers& answers)
    : common_(common),
      context_(common.context),
      answers_(answers),
      capacity_(common.capacity),
      limits_(common.context.tables, common.context.prunes.by_shared_room) {
  for (const Outlines& outlines : common_.outlines) outlines.prepare(limits_);
  alive_.resize(1);
  for (std::size_t i = 0; i < common_.outlines[0].all().size(); ++i) alive_[0].push_back({i, 0});
  known_.resize(common_.kinds->size());
}

RootLister::Listed RootLister::list(RootWave& wave) {
  wave_limit_ = wave.limit;
  common_.choices.for_each(
      [&](const SpatialChoices::Part& part) { return is_worth_it(wave, part); },
      [&](const Tiling& tiling) { add_roots(wave, tiling); });
  return std::exchange(listed_, {});
}

double RootLister::first_bound() {
  double first = kNever;
  const auto bound = [&](const SpatialChoices::Part& nothing) {
    set(nothing);
    const std::span<const Outline> outlines = common_.outlines[0].all();
    for (std::size_t i = 0; i < outlines.size(); ++i) {
      const LowerBounds bounds =
          context_.lower_bounds(least_energy(i), cycles(outlines[i].keeps), 1);
      first = std::min(first, bounds.score);
    }
    return false;
  };
  common_.choices.for_each(bound, [](const Tiling&) {});
  return first;
}

double RootLister::steps() const { return context_.prunes.by_steps ? limits_.steps() : 1; }

double RootLister::least_energy(std::size_t outline) {
  const Outline& whole = common_.outlines[0].all()[outline];
  if (!context_.prunes.by_outline) return context_.prunes.by_fixed_cost ? whole.fixed : 0;
  Known& known = known_of(outline);
  if (!known.shared) known.shared = least_shared(whole, limits_);
  return whole.fixed + *known.shared;
}

RootLister::Known& RootLister::known_of(std::size_t outline) {
  Known& known = known_[common_.kinds->of(outline)];
  if (known.part != parts_) known = {.part = parts_};
  return known;
}

void RootLister::set(const SpatialChoices::Part& part) {
  limits_.set(part);
  cycles_.assign(common_.keeps.size(), std::nullopt);
}

// Of all mappings of the part that keep the same; `bound_of`: time of one memory with an outline.
template <typename BoundOf>
double RootLister::cycles_by(std::uint32_t keeps, const BoundOf& bound_of) const {
  double most = steps();
  if (!context_.prunes.by_outline_time) return most;
  for (std::size_t i = 1; i < common_.outlines.size(); ++i) {
    const int memory = context_.resources[common_.resources[i]].memory;
    const double instances = limits_.instances(static_cast<std::size_t>(memory));
    if (common_.outlines[i].unshared(keeps) <= most * instances) continue;
    double time = kNever;
    for (const Outline& outline : common_.outlines[i].with(keeps)) {
      time = std::min(time, bound_of(outline));
    }
    most = std::max(most, time / instances);
  }
  return most;
}

double RootLister::cycles(std::uint32_t keeps) {
  std::optional<double>& known = cycles_[keeps];
  if (!known) {
    known = cycles_by(keeps, [&](const Outline& outline) { return least_of(outline, limits_); });
  }
  return *known;
}

double RootLister::cycles(std::uint32_t keeps, const OpenSharing& most) const {
  return cycles_by(keeps, [&](const Outline& outline) { return least_of(outline, limits_, most); });
}

// Of a root.
double RootLister::least_cycles(const Links& links, const Links::InnerMoves& moves,
                                std::uint32_t keeps) {
  double most = context_.prunes.by_steps ? links.steps() : 1;
  if (!context_.prunes.by_root_time) return most;
  for (std::size_t i = 1; i < common_.resources.size(); ++i) {
    const Resource& resource = context_.resources[common_.resources[i]];
    const double time = common_.common[i][keeps] + links.inner_cost(resource, moves) -
                        resource.fixed + capacity_.least(common_.resources[i], links);
    most = std::max(most, time / links.instances(static_cast<std::size_t>(resource.memory)));
  }
  return most;
}

// Whether a root that has not been numbered yet is of interest.
bool RootLister::promises(const LowerBounds& bounds) {
  if (!context_.prunes.by_cost) return true;
  answers_.refresh(view_);
  return answers_.promises(view_, bounds, {});
}

// The same in this wave.
bool RootLister::wants(const LowerBounds& bounds) {
  if (bounds.score <= wave_limit_) return promises(bounds);
  listed_.is_cut = listed_.is_cut || promises(bounds);
  return false;
}

// The outlines that promise with all that the part leaves open; false if none does.
bool RootLister::is_worth_it(RootWave& wave, const SpatialChoices::Part& part) {
  if (++parts_ % 1024 == 0 && !wave.stopped && wave.stop()) wave.stopped = true;
  if (wave.stopped) return false;
  const bool whole = part.dim == context_.tables.sizes.size();
  const bool shared = part.level == kSharedLevel || (whole && part.level < kSharedLevel);
  if (shared && !wave.claim(part.path)) return false;
  holds_witness_ = context_.witness && context_.witness->is_in(part);
  if (context_.witness && context_.witness->alone() && !holds_witness_) return false;
  level_ = part.level;
  if (alive_.size() < part.level + 2) alive_.resize(part.level + 2);
  const std::vector<Alive>& before = alive_[part.level];
  std::vector<Alive>& alive = alive_[part.level + 1];
  alive.clear();
  set(part);
  if (holds_witness_) check_witness();
  for (const auto& [number, score] : before) {
    const Outline& outline = common_.outlines[0].all()[number];
    const bool by_fixed_cost = context_.prunes.by_fixed_cost;
    if (by_fixed_cost && !wants(context_.lower_bounds(outline.fixed, steps(), 1))) continue;
    const LowerBounds bounds =
        context_.lower_bounds(least_energy(number), cycles(outline.keeps), 1);
    // Not the wave's limit: whether an earlier wave had a root is told by bounds.
    if (!wants(bounds) || !may_score(number)) continue;
    alive.push_back({number, std::max(score, bounds.score)});
  }
  return !alive.empty();
}

// by_needed_sharing costs more than all other bounds together. Where it hardly ever leaves anything
// out, it is asked now and then only.
bool RootLister::is_due() {
  constexpr std::uint64_t kFirst = 4096;
  constexpr std::uint64_t kOneOf = 32;
  constexpr std::uint64_t kWorth = 50;  // one refusal pays for so many questions
  const bool pays = asked_ < kFirst || refused_ * kWorth >= asked_;
  return ++turns_ % kOneOf == 0 || pays;
}

// False if no mapping of the part and the outline is better than the answers. With more that is
// fixed, none is if none was with less.
bool RootLister::may_score(std::size_t outline) {
  const Prunes& prunes = context_.prunes;
  if (!prunes.by_cost || !prunes.by_needed_sharing || context_.options.front) return true;
  const Outline& whole = common_.outlines[0].all()[outline];
  Known& known = known_of(outline);
  if (whole.fixed <= known.most_fixed) return true;
  if (whole.fixed >= known.least_fixed) return false;
  if (!is_due()) return true;
  answers_.refresh(view_);
  const bool may = may_score(whole, answers_.limit(view_, {}));
  ++asked_;
  if (!may) ++refused_;
  (may ? known.most_fixed : known.least_fixed) = whole.fixed;
  return may;
}

// False if no mapping of the part and the outline scores less. Such a mapping has limited energy
// and cycles; to keep to them, tensors must share so much, which limits the others.
bool RootLister::may_score(const Outline& outline, double limit) {
  const Objective& goal = context_.options.objective;
  if (limit == kNever || goal.energy == 0 || goal.traffic > 0) return true;
  constexpr double kRounding = 1 + 1e-9;
  OpenSharing most = any_sharing();
  double least_energy = least_of(outline, limits_);
  double least_cycles = cycles(outline.keeps);
  for (int round = 0; round < 3; ++round) {
    const double most_energy =
        kRounding * power(limit / power(least_cycles, goal.latency), 1 / goal.energy);
    if (least_energy > most_energy) return false;
    OpenSharing needed = needed_by(outline, most_energy, limits_, most);
    if (goal.latency > 0) {
      const double most_cycles =
          kRounding * power(limit / power(least_energy, goal.energy), 1 / goal.latency);
      add_needed(most_cycles, outline.keeps, most, needed);
    }
    most = limits_.left_by(needed);
    for (std::size_t t = 0; t < needed.size(); ++t) {
      if (needed[t] > most[t] * kRounding) return false;
    }
    least_energy = std::max(least_energy, least_of(outline, limits_, most));
    least_cycles = std::max(least_cycles, cycles(outline.keeps, most));
  }
  return true;
}

// The bounds of a part that holds the witness, one by one. Which outline it has is not known: one
// of them must do.
void RootLister::check_witness() {
  const WitnessPath& witness = *context_.witness;
  const auto found = std::ranges::find(common_.keeps, witness.choices().keeps);
  if (found == common_.keeps.end()) {
    if (witness.alone()) witness.lose("by_keeps", "what it keeps is not listed");
    return;  // what cost as much at least was dropped
  }
  const std::uint32_t keeps = static_cast<std::uint32_t>(found - common_.keeps.begin());
  const std::span<const Outline> outlines = common_.outlines[0].with(keeps);
  if (outlines.empty()) witness.lose("by_capacity", "nothing fits what it keeps");
  const auto check = [&](std::string_view prune, const auto& energy_of) {
    double energy = kNever;
    for (const Outline& outline : outlines) energy = std::min(energy, energy_of(outline));
    witness.check(prune, context_.lower_bounds(energy, 1, 1));
  };
  const OpenSharing any = any_sharing();
  witness.check("by_steps", context_.lower_bounds(0, limits_.steps(), 1));
  check("by_fixed_cost", [](const Outline& outline) { return outline.fixed; });
  check("by_outline", [&](const Outline& outline) { return least_of(outline, limits_, any); });
  check("by_shared_room", [&](const Outline& outline) { return least_of(outline, limits_); });
  witness.check("by_outline_time", context_.lower_bounds(0, cycles(keeps), 1));
  const double limit = witness.cost().score * (1 + kSameFigure);
  const auto may = [&](const Outline& outline) { return may_score(outline, limit); };
  if (std::ranges::none_of(outlines, may)) {
    witness.lose("by_needed_sharing", "no outline may score as little");
  }
  witness.check("by_needed_sharing", {});
}

// Adds the sharing that times need to be no more than `limit`.
void RootLister::add_needed(double limit, std::uint32_t keeps, const OpenSharing& most,
                            OpenSharing& needed) const {
  for (std::size_t i = 1; i < common_.outlines.size(); ++i) {
    const std::size_t memory =
        static_cast<std::size_t>(context_.resources[common_.resources[i]].memory);
    OpenSharing least = any_sharing();
    for (const Outline& outline : common_.outlines[i].with(keeps)) {
      const OpenSharing here = needed_by(outline, limit * limits_.instances(memory), limits_, most);
      for (std::size_t t = 0; t < least.size(); ++t) least[t] = std::min(least[t], here[t]);
    }
    for (std::size_t t = 0; t < least.size(); ++t) needed[t] = std::max(needed[t], least[t]);
  }
}

// All keeps with one choice of loops in space.
void RootLister::add_roots(const RootWave& wave, const Tiling& tiling) {
  const ProblemTables& tables = context_.tables;
  capacity_.change_spatial();
  Root root;
  for (std::size_t p = 0; p < tables.rules.places.size(); ++p) {
    if (tables.rules.places[p].is_block()) continue;
    for (int d = 0; d < tables.dims; ++d) {
      root.spatial.push_back(static_cast<std::int32_t>(tiling.at(static_cast<int>(p), d)));
    }
  }
  const std::span<const Outline> outlines = common_.outlines[0].all();
  const std::vector<Alive>& alive = alive_[level_ + 1];
  for (std::size_t i = 0; i < alive.size();) {  // by rising keeps
    const std::uint32_t k = outlines[alive[i].outline].keeps;
    double score = kNever;
    for (; i < alive.size() && outlines[alive[i].outline].keeps == k; ++i) {
      score = std::min(score, alive[i].score);
    }
    root.keeps = k;
    root.holds_witness = holds_witness_ && context_.witness->choices().keeps == common_.keeps[k];
    if (context_.witness && context_.witness->alone() && !root.holds_witness) continue;
    if (!bound_root(Links(tables, common_.keeps[k], tiling), score, root)) continue;
    if (wave.last != nullptr && !comes_before(*wave.last, root)) continue;
    listed_.roots.push_back(root);
  }
  if (listed_.roots.size() >= 2 * wave.most_roots) cut(wave.most_roots);
}

// Bounds a root by what it keeps and its loops in space; `score` is known. False if it is of no
// interest in this wave.
bool RootLister::bound_root(const Links& links, double score, Root& root) {
  const Prunes& prunes = context_.prunes;
  const std::uint32_t k = root.keeps;
  const auto bound = [&](std::string_view prune, double energy, double cycles) {
    root.bounds = context_.lower_bounds(energy, cycles, 1);
    if (root.holds_witness) context_.witness->check(prune, root.bounds);
  };
  const Links::InnerMoves moves = links.inner_moves();
  const Resource& energy_used = context_.resources[0];
  double energy = common_.common[0][k] + links.inner_cost(energy_used, moves) - energy_used.fixed;
  bound("by_inner_accesses", energy, cycles(k));
  if (prunes.by_inner_accesses && !wants(root.bounds)) return false;
  if (prunes.by_root_capacity) energy += capacity_.least(0, links);
  bound("by_root_capacity", energy, cycles(k));
  if (energy == kNever || !wants(root.bounds)) return false;
  bound("by_root_time", energy, std::max(cycles(k), least_cycles(links, moves, k)));
  root.bounds.score = std::max(root.bounds.score, score);
  if (root.holds_witness) context_.witness->check("by_outline", root.bounds);
  return wants(root.bounds);
}

void RootLister::cut(std::size_t most_roots) {
  std::vector<Root>& roots = listed_.roots;
  const auto end = roots.begin() + static_cast<std::ptrdiff_t>(most_roots);
  std::ranges::nth_element(roots, end - 1, comes_before);
  wave_limit_ = (end - 1)->bounds.score;
  listed_.is_cut = true;
  roots.erase(end, roots.end());
}

}  // namespace tilewright
