// SPDX-License-Identifier: Apache-2.0
#include "tilewright/flexibility/worth/worth.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <mutex>
#include <utility>

#include "tilewright/base/error.h"
#include "tilewright/search/strategy.h"
#include "tilewright/threads/thread_pool.h"

namespace tilewright {
namespace {

/// One layer: the best of all configurations, one after the other.
class LayerSearch {
 public:
  LayerSearch(const Problem& problem, const WorthOptions& options)
      : problem_(problem), options_(options) {}

  /// No mapping of any configuration of `flexibility` scores less.
  double find_least(const Flexibility& flexibility) const {
    SearchOptions search = search_options();
    search.max_nodes = kMostNodes;
    const Configuration any = find_widest(flexibility, problem_);
    return this->search(any, search).bound.value_or(0);
  }

  /// `least`: no configuration is better, so one as good ends the search.
  LayerOptimum run(const std::vector<Configuration>& configurations, double least) const {
    LayerOptimum optimum;
    optimum.configurations = configurations.size();
    double bound = std::numeric_limits<double>::infinity();
    bool settled = true;
    for (const Configuration& configuration : configurations) {
      if (options_.stop != nullptr && options_.stop->load()) {
        settled = false;
        bound = 0;
        break;
      }
      SearchResult result = search(configuration, search_options());
      if (result.ending != Ending::kExhausted) {
        settled = false;
        bound = std::min(bound, result.bound.value_or(0));
      }
      if (result.best && (!optimum.best || result.best->score < optimum.best->score)) {
        optimum.best = std::move(result.best);
        optimum.arch = configuration.arch;
      }
      if (optimum.best && optimum.best->score <= least) {
        settled = true;
        break;
      }
    }
    if (optimum.best) {
      optimum.status = settled ? Status::kProved : Status::kNotProved;
      optimum.bound = settled ? optimum.best->score : std::min(bound, optimum.best->score);
    } else {
      optimum.status = settled ? Status::kInfeasible : Status::kNotFound;
    }
    return optimum;
  }

 private:
  static constexpr std::uint64_t kMostNodes = 20'000;  // the bound need not be sharp

  SearchResult search(const Configuration& configuration, const SearchOptions& options) const {
    const Problem problem = problem_.with(configuration.arch);
    const Rules rules = make_rules(problem, options_.space, configuration.constraints);
    return tilewright::search(problem, rules, Mapper::kOptimal, options);
  }

  SearchOptions search_options() const {
    SearchOptions search;
    search.objective = options_.objective.objective;
    search.threads = 1;
    search.stop = options_.stop;
    search.max_seconds = options_.seconds_per_search;
    return search;
  }

  const Problem& problem_;
  const WorthOptions& options_;
};

class Study {
 public:
  Study(const Flexibility& flexibility, const Arch& arch, const Network& network,
        const WorthOptions& options)
      : flexibility_(flexibility), arch_(arch), network_(network), options_(options) {}

  FlexWorth run(std::span<const Degrees> rows) {
    FlexWorth worth;
    worth.layers = view_network(flexibility_, network_);
    for (const FlexNetworkLayer& layer : worth.layers) {
      problems_.emplace_back(layer.workload, arch_, options_.conventions);
    }
    for (const Degrees& degrees : rows) {
      worth.rows.push_back({.degrees = degrees});
      worth.rows.back().layers.resize(problems_.size());
    }
    least_.resize(problems_.size());
    ThreadPool pool(options_.threads);
    if (std::ranges::any_of(rows, has_many_configurations)) {
      pool.for_each(problems_.size(), [&](int, std::size_t layer) {
        least_[layer] = LayerSearch(problems_[layer], options_).find_least(flexibility_);
      });
    }
    solve(worth, pool);
    for (WorthRow& row : worth.rows) add_up(worth.layers, row);
    return worth;
  }

 private:
  // So many that it pays to know when no other can be better.
  static bool has_many_configurations(const Degrees& degrees) {
    return degrees[FlexAxis::kParallelism] != Degree::kFixed ||
           degrees[FlexAxis::kShape] == Degree::kPartial ||
           degrees[FlexAxis::kOrder] == Degree::kPartial;
  }

  void solve(FlexWorth& worth, ThreadPool& pool) {
    const std::size_t all = worth.rows.size() * problems_.size();
    pool.for_each(all, [&](int, std::size_t index) {
      const std::size_t layer = index % problems_.size();
      WorthRow& row = worth.rows[index / problems_.size()];
      const Problem& problem = problems_[layer];
      row.layers[layer] =
          LayerSearch(problem, options_)
              .run(find_configurations(flexibility_, row.degrees, problem), least_[layer]);
      const std::lock_guard lock(mutex_);
      ++done_;
      if (options_.progress) options_.progress(done_, all);
    });
  }

  const Flexibility& flexibility_;
  const Arch& arch_;
  const Network& network_;
  const WorthOptions& options_;
  std::vector<Problem> problems_;
  std::vector<double> least_;  // by layer
  std::mutex mutex_;           // guards what follows, and the user's progress
  std::size_t done_ = 0;
};

}  // namespace

FlexWorth find_worth(const Flexibility& flexibility, const Arch& arch, const Network& network,
                     std::span<const Degrees> rows, const WorthOptions& options) {
  TW_CHECK(find_flexibility_faults(flexibility, arch).empty(), "there are faults");
  return Study(flexibility, arch, network, options).run(rows);
}

void add_up(const std::vector<FlexNetworkLayer>& layers, WorthRow& row) {
  row.score = row.bound = row.energy_pj = row.cycles = 0;
  row.status = Status::kProved;
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const LayerOptimum& optimum = row.layers[l];
    row.status = std::max(row.status, optimum.status);
    row.bound += layers[l].runs * optimum.bound.value_or(0);
    if (!optimum.best) continue;
    row.score += layers[l].runs * optimum.best->score;
    row.energy_pj += layers[l].runs * optimum.best->evaluation.energy_pj;
    row.cycles += layers[l].runs * static_cast<double>(optimum.best->evaluation.cycles);
  }
}

std::vector<Degrees> class_rows(const Flexibility& flexibility) {
  std::vector<Degrees> rows;
  for (unsigned bits = 0; bits < (1U << kFlexAxes); ++bits) {
    Degrees degrees;
    for (std::size_t axis = 0; axis < kFlexAxes; ++axis) {
      if ((bits >> (kFlexAxes - 1 - axis) & 1U) != 0) degrees.of[axis] = Degree::kFull;
    }
    rows.push_back(degrees);
  }
  std::ranges::stable_sort(rows, {}, [](const Degrees& degrees) {
    return std::ranges::count(degrees.of, Degree::kFull);
  });
  const bool partial = std::ranges::any_of(
      kAllFlexAxes, [&](FlexAxis axis) { return has_partial(flexibility, axis); });
  if (partial) rows.push_back(all_degrees(Degree::kPartial));
  return rows;
}

std::vector<Degrees> isolation_rows(const Flexibility& flexibility) {
  std::vector<Degrees> rows;
  const auto add = [&](const Degrees& degrees) {
    if (std::ranges::find(rows, degrees) == rows.end()) rows.push_back(degrees);
  };
  add(flexibility.supports);
  for (const FlexAxis axis : kAllFlexAxes) {
    for (const Degree degree : {Degree::kFixed, Degree::kPartial, Degree::kFull}) {
      if (degree == Degree::kPartial && !has_partial(flexibility, axis)) continue;
      Degrees degrees = flexibility.supports;
      degrees[axis] = degree;
      add(degrees);
    }
  }
  add(all_degrees(Degree::kFixed));
  add(all_degrees(Degree::kFull));
  return rows;
}

}  // namespace tilewright
