// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/optimal/roots/keep_lister.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "tilewright/base/stop.h"

namespace tilewright {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

}  // namespace

KeepLister::KeepLister(const OptimalContext& context, const Answers& answers,
                       const SpatialChoices& choices, std::span<const std::size_t> resources,
                       CapacityBound& capacity, std::span<OutlineParts> parts)
    : context_(context),
      tables_(context.tables),
      answers_(answers),
      resources_(resources),
      capacity_(capacity),
      parts_(parts),
      limits_(context.tables, false),
      none_(context.tables.no_loops()),
      keeps_(static_cast<std::size_t>(context.tables.memories), 0) {
  const KeepChoices all(tables_.rules);
  for (std::size_t m = 0; m < keeps_.size(); ++m) choices_.push_back(all.of(m));
  for (std::size_t t = 0; t < static_cast<std::size_t>(tables_.tensors); ++t) {
    for (std::size_t m = 0; m < keeps_.size(); ++m) {
      limits_.need(t, m, false);
      limits_.need(t, m, true);
    }
  }
  choices.for_each(
      [&](const SpatialChoices::Part& nothing) {
        limits_.set(nothing);
        return false;
      },
      [](const Tiling&) {});
  for (std::size_t r = 0; r < resources_.size(); ++r) find_rest(r);
}

std::vector<Keeps> KeepLister::list() {
  std::vector<double> used;
  for (const OutlineParts& parts : parts_) used.push_back(parts.resource().fixed);
  decide(0, used);
  return std::exchange(listed_, {});
}

// From the innermost memory outwards: a tensor is taken by compute units, or goes to another memory
// that may keep it, whichever costs less.
void KeepLister::find_rest(std::size_t resource) {
  const std::size_t memories = keeps_.size();
  const std::size_t tensors = static_cast<std::size_t>(tables_.tensors);
  rest_.emplace_back(memories, std::vector<ByMemory>(tensors, ByMemory(memories + 1, kNever)));
  std::vector<std::vector<ByMemory>>& rest = rest_.back();
  for (std::size_t m = memories; m-- > 0;) {
    for (std::size_t t = 0; t < tensors; ++t) {
      for (std::size_t from = 0; from <= m + 1; ++from) {
        double& least = rest[m][t][from];
        if (from > 0) least = inner_cost(resource, t, from - 1);
        for (std::size_t into = m + 1; into < memories; ++into) {
          if ((tables_.rules.keeps[into].allowed >> t & 1U) == 0) continue;
          const double link = from > 0 ? link_cost(resource, t, from - 1, into) : 0;
          least = std::min(least, link + rest[into][t][into + 1]);
        }
      }
    }
  }
}

double KeepLister::inner_cost(std::size_t resource, std::size_t tensor, std::size_t memory) const {
  Outline taken;
  parts_[resource].add_inner(tensor, memory, taken);
  return least_of(taken, limits_, any_sharing());
}

// Every element goes over the link once.
double KeepLister::link_cost(std::size_t resource, std::size_t tensor, std::size_t from,
                             std::size_t into) const {
  const Resource& used = parts_[resource].resource();
  if (!tables_.knows(used, tensor, into)) return 0;
  const Prices& out = used.prices[from][tensor];
  const Prices& in = used.prices[into][tensor];
  const bool output = tensor == tables_.output;
  return tables_.elements[tensor] * (output ? out.update + in.drain : out.read + in.fill);
}

double KeepLister::links_into(std::size_t resource, const Links& links, std::size_t memory) {
  if (memory == 0 || links.keeps()[memory] == 0) return 0;
  if (parts_[resource].is_common(memory)) {
    return capacity_.links_into(resources_[resource], links, memory);
  }
  double least = kNever;
  for (const Outline& way : parts_[resource].ways_into(memory, links)) {
    least = std::min(least, least_of(way, limits_, any_sharing()));
  }
  return least;
}

// `used`: by resource, for all that lies outside of `memory`.
void KeepLister::decide(std::size_t memory, const std::vector<double>& used) {
  if (memory == keeps_.size()) {
    listed_.push_back(keeps_);
    return;
  }
  if (context_.stop && context_.stop()) throw StoppedError();
  for (const TensorSet kept : choices_[memory]) {
    keeps_[memory] = kept;
    if (context_.prunes.by_keeps) {
      const Links links(tables_, keeps_, none_);
      std::vector<double> more = used;
      for (std::size_t r = 0; r < more.size(); ++r) more[r] += links_into(r, links, memory);
      if (promises(memory, bounds(memory, more))) decide(memory + 1, more);
    } else {
      decide(memory + 1, used);
    }
  }
  keeps_[memory] = 0;
}

// Of all mappings that keep this in `memory` and outside of it.
LowerBounds KeepLister::bounds(std::size_t memory, const std::vector<double>& used) const {
  std::vector<double> least = used;
  for (std::size_t t = 0; t < static_cast<std::size_t>(tables_.tensors); ++t) {
    std::size_t innermost = memory + 1;
    while (innermost > 0 && (keeps_[innermost - 1] >> t & 1U) == 0) --innermost;
    for (std::size_t r = 0; r < least.size(); ++r) least[r] += rest_[r][memory][t][innermost];
  }
  double cycles = context_.prunes.by_steps ? limits_.steps() : 1;
  for (std::size_t r = 1; r < least.size(); ++r) {
    const std::size_t of = static_cast<std::size_t>(parts_[r].resource().memory);
    cycles = std::max(cycles, least[r] / limits_.instances(of));
  }
  // Sums are rounded in another order elsewhere.
  return context_.lower_bounds(least[0] * (1 - 1e-12), cycles * (1 - 1e-12), 1);
}

bool KeepLister::promises(std::size_t memory, const LowerBounds& bounds) {
  if (context_.witness) {
    const Keeps& known = context_.witness->choices().keeps;
    const auto end = keeps_.begin() + static_cast<std::ptrdiff_t>(memory) + 1;
    if (std::equal(keeps_.begin(), end, known.begin())) {
      context_.witness->check("by_keeps", bounds);
    }
  }
  if (!context_.prunes.by_cost) return true;
  answers_.refresh(view_);
  return answers_.promises(view_, bounds, {});
}

}  // namespace tilewright
