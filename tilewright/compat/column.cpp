// SPDX-License-Identifier: Apache-2.0
#include "tilewright/compat/column.h"

#include <algorithm>
#include <cmath>

#include "tilewright/base/checked.h"
#include "tilewright/compat/chains.h"

namespace tilewright::compat {
namespace {

std::int64_t rounded(double value) { return std::llround(value); }

double sum(const std::map<Fanning, double>& accesses) {
  double total = 0;
  for (const auto& [fanning, count] : accesses) total += count;
  return total;
}

double delivered(const std::map<Fanning, double>& accesses) {
  double total = 0;
  for (const auto& [fanning, count] : accesses) {
    total += count * static_cast<double>(fanning.multicast);
  }
  return total;
}

}  // namespace

Column::Column(const Problem& problem, const LevelNest& nest, const TimeloopRules& rules,
               TensorId tensor)
    : problem_(problem),
      nest_(nest),
      rules_(rules),
      tensor_(tensor),
      maker_(problem.workload(), tensor, rules.bounding_boxes),
      entries_(nest.levels.size()),
      around_(nest.levels.size()),
      counted_(nest.levels.size() + 1, 0) {
  for (std::size_t l = 0; l < entries_.size(); ++l) {
    entries_[l].kept = (nest.levels[l].kept & only(tensor)) != 0;
    entries_[l].tile = tile_at(l, false);
    if (l > 0) around_[l - 1] = tile_at(l, true);
  }
  count_links();
  settle_shares();
}

bool Column::output() const { return tensor_ == problem_.workload().output(); }

std::int64_t Column::tile_at(std::size_t level, bool with_fanout) const {
  return maker_.elements(maker_.make(PerDim{}, steady_extent(nest_, level, with_fanout)));
}

void Column::count_links() {
  std::vector<std::size_t> stations;
  for (std::size_t l = 0; l < entries_.size(); ++l) {
    if (entries_[l].kept || rules_.scaled_bypass) stations.push_back(l);
  }
  for (std::size_t s = 0; s < stations.size(); ++s) {
    add_link(stations[s], s + 1 < stations.size() ? stations[s + 1] : entries_.size());
  }
}

void Column::add_link(std::size_t parent, std::size_t child) {
  Entry& entry = entries_[parent];
  entry.counted = true;
  const bool spreads =
      std::ranges::any_of(nest_.levels.begin() + static_cast<std::ptrdiff_t>(parent),
                          nest_.levels.begin() + static_cast<std::ptrdiff_t>(child),
                          [](const Level& level) { return !level.spatial.empty(); });
  if (child == entries_.size() && !spreads) {
    // A unit by itself: an access for every compute, whatever the loops.
    const auto whole = static_cast<double>(problem_.workload().computes());
    entry.first_content = static_cast<double>(
        count_points(nest_, [](const CountedLoop& loop) { return !loop.spatial; }));
    entry.accesses[{1, 1}] = rules_.space_extrapolation ? entry.first_content : whole;
    return;
  }
  LinkCounter counter(problem_.workload(), nest_,
                      {.tensor = tensor_, .parent = parent, .child = child}, rules_);
  const LinkCounts counts = counter.count();
  entry.accesses = counts.accesses;
  entry.linked = counts.link_transfers;
  entry.first_content = counts.first_accesses;
  counted_[parent] = counts.parents;
  counted_[child] = counts.children;
  const bool averages = rules_.averaged_instances;
  if (averages && child == parent + 1) around_[parent] = counts.around_sum / counts.parents;
  if (child == entries_.size()) return;
  entries_[child].received = counts.received;
  entries_[child].first_received = counts.first_received;
  if (averages) entries_[child].tile = counts.tile_sum / counts.children;
}

// Section 6: what an instance ever holds, from the outside in.
void Column::settle_shares() {
  std::int64_t held = entries_.front().tile;
  entries_.front().held = held;
  for (std::size_t l = 1; l < entries_.size(); ++l) {
    const bool spread = !nest_.levels[l - 1].spatial.empty();
    const std::int64_t whole = spread ? around_[l - 1] : entries_[l].tile;
    held = checked_mul(held, entries_[l].tile) / whole;
    entries_[l].held = held;
  }
}

std::vector<TensorFigures> Column::figures(const InstanceNumbers& numbers) const {
  return rules_.averaged_instances ? average_figures(numbers) : sum_figures(numbers);
}

// Section 7: the figures of one instance, on average.
std::vector<Column::Entry> Column::averages(const InstanceNumbers& numbers) const {
  std::vector<Entry> entries = entries_;
  for (std::size_t l = 0; l < entries.size(); ++l) {
    Entry& entry = entries[l];
    const auto instances = static_cast<double>(numbers.counted[l]);
    for (auto& [fanning, count] : entry.accesses) count /= instances;
    entry.linked = std::floor(entry.linked / instances);
    entry.content = sum(entry.accesses);
  }
  for (std::size_t l = 1; l < entries.size(); ++l) {
    if (!entries[l].counted) continue;
    std::size_t parent = l - 1;
    while (!entries[parent].counted && parent > 0) --parent;
    if (!entries[parent].counted) continue;
    double children = 1;
    for (std::size_t p = parent; p < l; ++p) {
      children *= static_cast<double>(nest_.levels[p].children());
    }
    entries[l].received = 0;
    for (const auto& [fanning, count] : entries[parent].accesses) {
      entries[l].received += count * static_cast<double>(fanning.multicast) / children;
    }
  }
  return entries;
}

// Section 5: from the inside out, a bypassed memory hands its accesses to the memory outside it.
void Column::bypass_by_average(std::vector<Entry>& entries) const {
  for (std::size_t l = entries.size(); l-- > 0;) {
    Entry& entry = entries[l];
    if (entry.kept) continue;
    if (l > 0 && entry.counted) {
      Entry& outside = entries[l - 1];
      const double wanted = entry.content * static_cast<double>(nest_.levels[l - 1].children());
      const double ratio = wanted / delivered(outside.accesses);
      for (auto& [fanning, count] : outside.accesses) count *= ratio;
      outside.linked = 0;
      outside.content = sum(outside.accesses);
    }
    entry.tile = 0;
    entry.held = 0;
    entry.content = 0;
    entry.received = 0;
  }
  // Outside the outermost memory that keeps the tensor nothing moves at all.
  for (Entry& entry : entries) {
    if (entry.kept) {
      entry.received = 0;
      break;
    }
    entry.accesses.clear();
    entry.linked = 0;
  }
}

void Column::pass_on(std::vector<Entry>& entries, const InstanceNumbers& numbers) const {
  for (std::size_t l = 1; l < entries.size(); ++l) {
    entries[l].passed_on = entries[l - 1].linked / static_cast<double>(numbers.in_use[l]);
  }
}

std::vector<TensorFigures> Column::average_figures(const InstanceNumbers& numbers) const {
  std::vector<Entry> entries = averages(numbers);
  bypass_by_average(entries);
  pass_on(entries, numbers);
  std::vector<TensorFigures> result(entries.size());
  bool home = true;
  for (std::size_t l = 0; l < entries.size(); ++l) {
    const Entry& entry = entries[l];
    TensorFigures& figures = result[l];
    figures.kept = entry.kept;
    figures.accesses = entry.accesses;
    figures.link_transfers = entry.linked;
    if (!entry.kept) continue;
    figures.tile = entry.tile;
    figures.share = entry.held;
    const std::int64_t instances = numbers.in_use[l];
    const auto held = static_cast<double>(entry.held);
    const double exact_held =
        static_cast<double>(
            output() && !rules_.integer_shares
                ? ever_held(problem_.workload(), nest_, tensor_, l, rules_.bounding_boxes).all
                : 0) /
        static_cast<double>(instances);
    const double first =
        rules_.first_read_elision ? (rules_.integer_shares ? held : exact_held) : 0;
    if (output()) {
      figures.updates = rounded(entry.content);
      figures.reads = rounded(entry.content + entry.passed_on - first);
      figures.fills = rounded(entry.received + entry.passed_on - (home ? 0 : first));
    } else {
      figures.reads = rounded(entry.content + entry.passed_on);
      figures.fills = static_cast<std::int64_t>(entry.received + entry.passed_on);
    }
    home = false;
    figures.total_reads = checked_mul(figures.reads, instances);
    figures.total_fills = checked_mul(figures.fills, instances);
    figures.total_updates = checked_mul(figures.updates, instances);
    figures.peak_reads = static_cast<double>(figures.reads);
    figures.peak_writes = static_cast<double>(figures.fills + figures.updates);
  }
  return result;
}

std::vector<Column::Entry> Column::sums(const InstanceNumbers& numbers) const {
  std::vector<Entry> entries = entries_;
  for (std::size_t l = 0; l < entries.size(); ++l) {
    Entry& entry = entries[l];
    if (rules_.space_extrapolation) {
      const auto instances = static_cast<double>(numbers.in_use[l]);
      for (auto& [fanning, count] : entry.accesses) count *= instances;
      entry.linked *= instances;
      entry.received *= instances;
    }
    entry.content = sum(entry.accesses);
  }
  return entries;
}

void Column::bypass_by_sum(std::vector<Entry>& entries) const {
  for (std::size_t l = entries.size(); l-- > 0;) {
    Entry& entry = entries[l];
    if (entry.kept || !entry.counted) continue;
    if (l > 0) {
      Entry& outside = entries[l - 1];
      const double ratio = entry.content / entry.received;
      for (auto& [fanning, count] : outside.accesses) count *= ratio;
      outside.linked = 0;
      outside.content = sum(outside.accesses);
      outside.first_content *= ratio;
    }
    entry.content = 0;
  }
}

std::vector<TensorFigures> Column::sum_figures(const InstanceNumbers& numbers) const {
  std::vector<Entry> entries = sums(numbers);
  bypass_by_sum(entries);
  std::vector<TensorFigures> result(entries.size());
  bool home = true;
  for (std::size_t l = 0; l < entries.size(); ++l) {
    const Entry& entry = entries[l];
    TensorFigures& figures = result[l];
    figures.kept = entry.kept;
    figures.accesses = entry.accesses;
    figures.link_transfers = entry.linked;
    if (!entry.kept) continue;
    figures.tile = entry.tile;
    const double passed = l > 0 ? entries[l - 1].linked : 0;
    EverHeld held;
    if (output() && rules_.first_read_elision) {
      held = ever_held(problem_.workload(), nest_, tensor_, l, rules_.bounding_boxes);
      if (rules_.integer_shares) {
        held = {.all = checked_mul(entry.held, numbers.in_use[l]), .first = entry.held};
      }
    }
    figures.share = held.first;
    const auto all = static_cast<double>(held.all);
    const auto first = static_cast<double>(held.first);
    const double received = home ? 0 : entry.received;
    const double first_received = home ? 0 : entry.first_received;
    figures.total_reads = rounded(entry.content + passed - all);
    figures.total_fills = rounded(received + passed - (home ? 0 : all));
    figures.total_updates = output() ? rounded(entry.content) : 0;
    figures.peak_reads = entry.first_content - first;
    figures.peak_writes =
        first_received - (home ? 0 : first) + (output() ? entry.first_content : 0);
    figures.reads = figures.total_reads;
    figures.fills = figures.total_fills;
    figures.updates = figures.total_updates;
    home = false;
  }
  return result;
}

}  // namespace tilewright::compat
