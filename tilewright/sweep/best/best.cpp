// SPDX-License-Identifier: Apache-2.0
#include "tilewright/sweep/best/best.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "tilewright/arch/area.h"
#include "tilewright/arch/relaxed.h"
#include "tilewright/base/error.h"
#include "tilewright/base/input_error.h"
#include "tilewright/sweep/best/bounds.h"
#include "tilewright/sweep/run/solve.h"
#include "tilewright/threads/thread_pool.h"

namespace tilewright {
namespace {

// Boxes that are looked at together: enough for some processors, and always as many, so that what
// is solved does not depend on the machine.
constexpr std::size_t kBoxesPerRound = 8;

// All designs are kept in memory, some kilobytes each.
constexpr std::uint64_t kMostDesigns = 200'000;

// How much a difference between two designs is likely to matter: weights of logarithms of ratios.
constexpr double kUnitsWeight = 1;
constexpr double kCapacityWeight = 0.25;
constexpr double kBandwidthWeight = 0.5;
constexpr double kEnergyWeight = 0.5;

// Designs that are still to be solved or ruled out together.
struct Box {
  std::vector<std::uint64_t> designs;
  std::vector<double> bounds;  // by figure
};

double log_ratio(double a, double b) { return a > 0 && b > 0 ? std::abs(std::log(a / b)) : 0; }

template <typename Figure>
double log_ratio(const std::optional<Figure>& a, const std::optional<Figure>& b) {
  return a && b ? log_ratio(static_cast<double>(*a), static_cast<double>(*b)) : 0;
}

double log_ratio(const std::optional<Rational>& a, const std::optional<Rational>& b) {
  return a && b ? log_ratio(to_double(*a), to_double(*b)) : 0;
}

double difference(const Arch& a, const Arch& b) {
  double sum = kUnitsWeight * log_ratio(static_cast<double>(a.compute_units()),
                                        static_cast<double>(b.compute_units()));
  sum += kEnergyWeight * log_ratio(a.compute().energy_pj, b.compute().energy_pj);
  for (const NodeId id : a.memories()) {
    const Memory& one = a.memory(id);
    const Memory& other = b.memory(id);
    sum += kCapacityWeight * log_ratio(one.capacity_bits, other.capacity_bits);
    sum += kBandwidthWeight * (log_ratio(one.read_bandwidth, other.read_bandwidth) +
                               log_ratio(one.write_bandwidth, other.write_bandwidth) +
                               log_ratio(one.shared_bandwidth, other.shared_bandwidth));
    sum += kEnergyWeight * log_ratio(one.energy.read_pj, other.energy.read_pj);
  }
  return sum;
}

class BestSearch {
 public:
  BestSearch(const SweepPlan& plan, Store& store, const BestOptions& options)
      : plan_(plan), store_(store), options_(options), pool_(options.threads) {
    check_request();
    result_.request = options.request;
    result_.figures = options.figures;
    result_.counts.designs = plan.designs().size();
  }

  BestDesigns run() {
    store_.add_plan(bundle_to_json(plan_.bundle()));
    make_designs();
    Box all;
    for (std::uint64_t design = 0; design < designs_.size(); ++design) {
      all.designs.push_back(design);
    }
    all.bounds.assign(options_.figures.size(), 0);
    open(std::move(all));
    while (!open_.empty() && !stopped()) {
      rule_out();
      look_at(take_best());
      if (options_.progress) options_.progress(result_.counts);
    }
    finish();
    return std::move(result_);
  }

 private:
  bool stopped() const { return options_.stop != nullptr && options_.stop->load(); }

  void check_request() const {
    if (plan_.designs().size() > kMostDesigns) {
      throw InputError(fmt::format("{} designs are too many to bound in groups; {} is the limit",
                                   plan_.designs().size(), kMostDesigns));
    }
    const NamedObjective& objective = plan_.requests()[options_.request].request.objective;
    for (const Figure figure : options_.figures) {
      if (figure == Figure::kArea || figure == bounded_figure(objective.objective)) continue;
      throw InputError(
          fmt::format("searches for {} do not bound the {} of a design; only all designs, solved "
                      "by `sweep run`, tell which is best in it",
                      objective.name, figure_name(figure)));
    }
    for (const SweepWorkload& workload : plan_.workloads()) {
      const bool demands = std::ranges::any_of(
          workload.asked.constraints,
          [](const Constraint& one) { return one.kind == Constraint::Kind::kUtilization; });
      if (demands) {
        throw InputError(
            "constraints demand a utilization, which says nothing about smaller arrays; only all "
            "designs, solved by `sweep run`, tell which is best");
      }
    }
  }

  void make_designs() {
    for (std::uint64_t number = 0; number < plan_.designs().size(); ++number) {
      designs_.push_back(plan_.design(number));
      digests_.insert(designs_.back().digest);
      areas_.push_back(area_um2(designs_.back().arch));
      const std::vector<Amount> values = plan_.designs().values(number);
      std::vector<std::size_t>& places = places_.emplace_back();
      for (std::size_t p = 0; p < values.size(); ++p) {
        const std::vector<Amount>& all = plan_.designs().parameters()[p].values;
        places.push_back(static_cast<std::size_t>(std::ranges::find(all, values[p]) - all.begin()));
      }
    }
  }

  void open(Box box) {
    for (std::size_t f = 0; f < options_.figures.size(); ++f) {
      if (options_.figures[f] != Figure::kArea) continue;
      box.bounds[f] = areas_[box.designs.front()];
      for (const std::uint64_t design : box.designs) {
        box.bounds[f] = std::min(box.bounds[f], areas_[design]);
      }
    }
    open_.push_back(std::move(box));
  }

  // A solved design that is not worse in any figure, and better in one or the first of equal ones,
  // whatever the box holds.
  const DesignCost* find_better(const Box& box) const {
    for (const DesignCost& cost : result_.solved) {
      if (!cost.is_mapped()) continue;
      bool worse = false;
      bool better = cost.design < box.designs.front();
      for (std::size_t f = 0; f < options_.figures.size(); ++f) {
        const double figure = figure_of(cost, options_.figures[f]);
        worse = worse || figure > box.bounds[f];
        better = better || figure < box.bounds[f];
      }
      if (better && !worse) return &cost;
    }
    return nullptr;
  }

  void rule_out() {
    std::vector<Box> left;
    for (Box& box : open_) {
      if (const DesignCost* better = find_better(box)) {
        rule_out(box, box.bounds, better->design);
      } else {
        left.push_back(std::move(box));
      }
    }
    open_ = std::move(left);
  }

  void rule_out(const Box& box, const std::vector<double>& bounds,
                std::optional<std::uint64_t> by) {
    for (const std::uint64_t design : box.designs) {
      result_.ruled_out.push_back({design, bounds, by});
    }
    result_.counts.ruled_out += box.designs.size();
  }

  // Those that promise most: the least product of bounds.
  std::vector<Box> take_best() {
    const auto promise = [](const Box& box) {
      double product = 1;
      for (const double bound : box.bounds) product *= bound;
      return std::pair(product, box.designs.front());
    };
    std::ranges::sort(open_, {}, promise);
    const auto end =
        open_.begin() + static_cast<std::ptrdiff_t>(std::min(kBoxesPerRound, open_.size()));
    std::vector<Box> best(std::make_move_iterator(open_.begin()), std::make_move_iterator(end));
    open_.erase(open_.begin(), end);
    return best;
  }

  std::vector<Arch> archs_of(const std::vector<std::uint64_t>& designs) const {
    std::vector<Arch> archs;
    archs.reserve(designs.size());
    for (const std::uint64_t design : designs) archs.push_back(designs_[design].arch);
    return archs;
  }

  // A problem that has to be solved.
  struct Work {
    const Arch* arch = nullptr;
    std::size_t workload = 0;
    Digest key = {};
  };

  void look_at(std::vector<Box> boxes) {
    std::vector<std::optional<Design>> stands_for;  // the design of a box, or a relaxed one
    for (const Box& box : boxes) {
      if (box.designs.size() == 1) {
        stands_for.emplace_back(designs_[box.designs.front()]);
      } else if (auto relaxed = relax(archs_of(box.designs))) {
        const Digest digest = digest_of(*relaxed);
        stands_for.emplace_back(Design{0, std::move(*relaxed), digest});
      } else {
        stands_for.emplace_back();
      }
    }
    if (!solve(stands_for)) {  // stopped: they stay open
      for (Box& box : boxes) open_.push_back(std::move(box));
      return;
    }
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      if (!stands_for[i]) {
        split(boxes[i]);
      } else if (boxes[i].designs.size() == 1) {
        result_.solved.push_back(
            cost_design(plan_, *stands_for[i], options_.request, rows_of(*stands_for[i])));
        ++result_.counts.solved;
      } else {
        bound(boxes[i], *stands_for[i]);
      }
    }
  }

  std::vector<std::optional<Row>> rows_of(const Design& design) {
    RowFinder finder(store_, /*bodies=*/false);
    return find_rows(plan_, finder, design, options_.request);
  }

  // All problems of these designs that are not in the store yet. False if it was stopped.
  bool solve(const std::vector<std::optional<Design>>& designs) {
    std::vector<Work> list;
    std::set<Digest> listed;
    for (const std::optional<Design>& design : designs) {
      if (!design) continue;
      const std::vector<std::optional<Row>> rows = rows_of(*design);
      for (std::size_t w = 0; w < rows.size(); ++w) {
        const Digest key = plan_.key(*design, w, options_.request);
        if (!rows[w] && listed.insert(key).second) list.push_back({&design->arch, w, key});
      }
    }
    std::vector<std::optional<Row>> found(list.size());
    const SweepRequest& request = plan_.requests()[options_.request];
    pool_.for_each(list.size(), [&](int, std::size_t i) {
      if (stopped()) return;
      const SweepWorkload& workload = plan_.workloads()[list[i].workload];
      MapRequest asked = request_of(workload, request);
      asked.stop = options_.stop;
      Row row = tilewright::solve(Problem(workload.workload, *list[i].arch), asked, list[i].key);
      if (!stopped()) found[i] = std::move(row);  // or it may be unfinished
    });
    std::vector<Row> rows;
    for (std::optional<Row>& row : found) {
      if (row) rows.push_back(std::move(*row));
    }
    store_.add(rows);
    result_.counts.problems += rows.size();
    return rows.size() == list.size();
  }

  void bound(Box& box, const Design& relaxed) {
    if (digests_.insert(relaxed.digest).second) ++result_.counts.relaxed;
    const Figure figure =
        *bounded_figure(plan_.requests()[options_.request].request.objective.objective);
    const auto least = bound_design(plan_, relaxed.arch, rows_of(relaxed), figure);
    if (!least) return rule_out(box, {}, std::nullopt);
    for (std::size_t f = 0; f < options_.figures.size(); ++f) {
      if (options_.figures[f] == figure) box.bounds[f] = std::max(box.bounds[f], *least);
    }
    split(box);
  }

  // In two, along the parameter that seems to matter most.
  void split(const Box& box) {
    std::pair<Box, Box> best;
    double most = -1;
    for (std::size_t p = 0; p < plan_.designs().parameters().size(); ++p) {
      std::vector<std::size_t> values;
      for (const std::uint64_t design : box.designs) values.push_back(places_[design][p]);
      std::ranges::sort(values);
      values.erase(std::unique(values.begin(), values.end()), values.end());
      if (values.size() < 2) continue;
      const std::size_t first_above = values[values.size() / 2];
      std::pair<Box, Box> parts{{{}, box.bounds}, {{}, box.bounds}};
      for (const std::uint64_t design : box.designs) {
        (places_[design][p] < first_above ? parts.first : parts.second).designs.push_back(design);
      }
      const auto below = relax(archs_of(parts.first.designs));
      const auto above = relax(archs_of(parts.second.designs));
      const double matters = below && above ? difference(*below, *above) : 0;
      if (matters <= most) continue;
      most = matters;
      best = std::move(parts);
    }
    TW_CHECK(most >= 0, "two designs differ in a parameter");
    open(std::move(best.first));
    open(std::move(best.second));
  }

  void finish() {
    result_.complete = open_.empty();
    std::ranges::sort(result_.solved, {}, &DesignCost::design);
    std::ranges::sort(result_.ruled_out, {}, &Ruling::design);
    std::vector<DesignCost> mapped;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < result_.solved.size(); ++i) {
      if (!result_.solved[i].is_mapped()) continue;
      mapped.push_back(result_.solved[i]);
      places.push_back(i);
    }
    for (const std::size_t i : find_front(mapped, options_.figures)) {
      result_.front.push_back(places[i]);
    }
  }

  const SweepPlan& plan_;
  Store& store_;
  const BestOptions& options_;
  ThreadPool pool_;
  std::vector<Design> designs_;                   // by number
  std::vector<double> areas_;                     // likewise
  std::vector<std::vector<std::size_t>> places_;  // likewise: of its values, by parameter
  std::vector<Box> open_;
  std::set<Digest> digests_;  // of all designs, and of the relaxed ones so far
  BestDesigns result_;
};

}  // namespace

std::int64_t BestDesigns::not_proved() const {
  return std::ranges::count_if(solved, [](const DesignCost& cost) {
    const Standing standing = cost.total.standing;
    return standing != Standing::kProved && standing != Standing::kUnmapped;
  });
}

BestDesigns find_best(const SweepPlan& plan, Store& store, const BestOptions& options) {
  return BestSearch(plan, store, options).run();
}

}  // namespace tilewright
