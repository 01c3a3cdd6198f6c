// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapper/map.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "tilewright/base/error.h"
#include "tilewright/base/stop.h"
#include "tilewright/mapper/search_space.h"
#include "tilewright/mapspace/feasibility/feasible.h"
#include "tilewright/model/evaluate.h"
#include "tilewright/threads/timed_stop.h"

namespace tilewright {
namespace {

using Clock = std::chrono::steady_clock;
using Stage = MapProgress::Stage;

constexpr std::uint64_t kBarrenPerPatience = 1000;
constexpr int kCountableBits = 62;  // more mappings than that nobody goes through
constexpr int kMostSimplerSearches = 500;
constexpr double kCountingShare = 0.1;  // of a time limit: the rest is for the search

Objective objective_of(const Cap& cap) {
  switch (cap.figure) {
    case Cap::Figure::kEnergy:
      return {.energy = 1, .latency = 0, .traffic = 0};
    case Cap::Figure::kCycles:
      return {.energy = 0, .latency = 1, .traffic = 0};
    case Cap::Figure::kTraffic:
      break;
  }
  return {.energy = 0, .latency = 0, .traffic = 1};
}

SearchOptions options_of(const MapRequest& request) {
  SearchOptions options;
  options.objective = request.objective.objective;
  options.caps = request.caps;
  options.threads = request.threads;
  options.seed = request.seed;
  options.patience = request.patience;
  const bool huge = request.patience > ~std::uint64_t{0} / kBarrenPerPatience;
  options.barren = huge ? 0 : request.patience * kBarrenPerPatience;
  options.max_seen = request.max_seen;
  options.max_seconds = request.max_seconds;
  options.max_memory = request.max_memory;
  options.max_nodes = request.max_nodes;
  options.gap = request.gap.value_or(0);
  options.top = request.top;
  options.front = request.front;
  options.proof = request.proof;
  options.stop = request.stop;
  return options;
}

/// One call of `map`.
class Run {
 public:
  Run(const Problem& problem, const MapRequest& request)
      : request_(request), options_(options_of(request)) {
    if (auto faults = find_request_faults(request); !faults.empty()) {
      throw RequestError(std::move(faults));
    }
    result_.request = request;
    result_.request.progress = nullptr;
    result_.request.counted = nullptr;
    ReadPlacement placement = read_placement(request.placement, problem, request.constraints);
    if (!placement.faults.empty()) throw placement_error(std::move(placement.faults));
    result_.space = make_space(problem, request.space, request.constraints, placement.placement);
    result_.trace.objective = request.objective.name;
  }

  MapResult run() && {
    result_.search.ending = Ending::kStopped;
    if (find_witness()) {
      count();
      refuse_exhaustive();
      search();
      look_further();
    }
    result_.seconds = seconds_used();
    return std::move(result_);
  }

 private:
  const Space& space() const { return result_.space; }
  bool stopped() const { return request_.stop != nullptr && request_.stop->load(); }
  double seconds_used() const {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }

  // Of the budget; a little if there is nothing left, for 0 is no limit.
  double seconds_left() const {
    if (request_.max_seconds <= 0) return 0;
    return std::max(1e-3, request_.max_seconds - seconds_used());
  }

  // False if no mapping exists at any size of the workload, or the user would not wait to know.
  bool find_witness() {
    try {
      limited(1, [&](const std::atomic<bool>* stop) {
        for (std::size_t i = 0; i < space().problems.size() && !result_.witness; ++i) {
          const Problem& problem = space().problems[i];
          const Rules rules = make_rules(problem, space().kind, request_.constraints);
          if (auto mapping = find_feasible(problem, rules, stop)) {
            result_.witness = Alternative{Found{std::move(*mapping), {}, 0}, i};
          }
        }
        if (!result_.witness) find_conflict(stop);
      });
    } catch (const StoppedError&) {
      result_.status = Status::kNotFound;
    }
    return result_.witness.has_value();
  }

  // Of the given size: padding does not help, or there would be a witness.
  void find_conflict(const std::atomic<bool>* stop) {
    result_.conflict =
        tilewright::find_conflict(space().given(), space().kind, request_.constraints, stop);
    TW_CHECK(result_.conflict.has_value(), "a problem without a mapping has a conflict");
    result_.search.ending = Ending::kExhausted;
    result_.status =
        result_.conflict->among_constraints ? Status::kContradictory : Status::kInfeasible;
  }

  // Calls `work` with a flag that says when to end: the user's own, or `share` of the time limit.
  template <typename Work>
  void limited(double share, const Work& work) const {
    if (request_.max_seconds <= 0) {
      work(request_.stop);
    } else {
      const TimedStop limit(share * request_.max_seconds, request_.stop);
      work(limit.flag());
    }
  }

  void count() {
    const bool needed = request_.mapper == Mapper::kExhaustive;
    if (!needed && !request_.count) return;
    try {
      limited(needed ? 1 : kCountingShare, [&](const std::atomic<bool>* stop) {
        result_.size = count_mappings(space(), request_.constraints, stop);
        result_.effects = find_effects(space().given(), space().kind, request_.constraints, stop);
      });
    } catch (const StoppedError&) {
      return;  // the search shows what there is
    }
    if (request_.counted) request_.counted({*result_.size, result_.effects});
  }

  void refuse_exhaustive() const {
    if (request_.mapper != Mapper::kExhaustive || stopped()) return;
    if (!result_.size) {
      throw RequestError(std::vector<RequestFault>{
          {"the mappings could not be counted in the time allowed, so they are too many to "
           "evaluate "
           "one by one",
           "use the optimal mapper, or constraints that leave fewer mappings"}});
    }
    if (result_.size->bits() > kCountableBits) {
      throw RequestError(std::vector<RequestFault>{
          {"more than 2^" + std::to_string(kCountableBits) +
               " mappings are too many to evaluate one by one",
           "use the optimal mapper, or constraints that leave fewer mappings"}});
    }
    const bool seen = is_countable(space()) && *result_.size <= Natural(request_.max_seen);
    if (request_.max_seen > 0 && !seen) {
      throw RequestError(
          std::vector<RequestFault>{{"an exhaustive search does not support a budget in mappings: "
                                     "it would see only the first ones",
                                     "use the random mapper, or a budget in seconds"}});
    }
  }

  // Options that tell the user about a stage.
  SearchOptions told(SearchOptions options, Stage stage, int number = 1) const {
    if (!request_.progress) return options;
    options.progress = [this, stage, number](const Progress& progress) {
      request_.progress({stage, number, progress});
    };
    return options;
  }

  SpaceSearch search_for(const Objective& objective, const std::vector<Cap>& caps,
                         SearchTrace* trace) {
    SearchOptions options = told(options_, Stage::kSearch);
    options.objective = objective;
    options.caps = caps;
    options.max_seconds = seconds_left();  // counting took some
    if (trace != nullptr) {
      options.progress = [trace, tell = options.progress](const Progress& progress) {
        if (tell) tell(progress);
        trace->add(progress);
      };
    }
    const double start = seconds_used();
    SpaceSearch found = search_space(space(), request_.constraints, request_.mapper, options);
    if (trace != nullptr && found.result.best) {
      trace->add(TracePoint{seconds_used() - start, found.result.best->score, found.result.bound});
    }
    return found;
  }

  void search() {
    SpaceSearch found =
        search_for(options_.objective, options_.caps, request_.trace ? &result_.trace : nullptr);
    result_.search = std::move(found.result);
    result_.problem = found.problem;
    if (request_.top > 1 || request_.front) result_.alternatives = std::move(found.answers);
    offer_witness();
    result_.status = status_of(result_.search);
    if (result_.status != Status::kInfeasible) return;
    if (request_.caps.empty()) {  // some fit, because there is a witness
      throw OverflowError("no mapping that fits has costs below 2^63 and a score below 10^308");
    }
    find_cap_bounds();
  }

  // Stopped before the search had a mapping: the one that showed that there is any.
  void offer_witness() {
    const Ending ending = result_.search.ending;
    const bool stopped = ending == Ending::kStopped || ending == Ending::kMemory;
    if (result_.search.best || !stopped || !request_.caps.empty()) return;
    Found first = result_.witness->found;
    first.evaluation = evaluate(result_.problem_of(*result_.witness), first.mapping);
    first.score = score(options_.objective, first.evaluation);
    result_.search.best = std::move(first);
    result_.problem = result_.witness->problem;
  }

  // Searches once more for the least of each capped figure; leaves out what was cut short.
  void find_cap_bounds() {
    for (std::size_t i = 0; i < request_.caps.size(); ++i) {
      const SpaceSearch least = search_for(objective_of(request_.caps[i]), {}, nullptr);
      if (!least.result.best || least.result.ending != Ending::kExhausted) continue;
      result_.cap_bounds.push_back({i, least.result.best->score});
    }
  }

  // What takes more searches, once the best is proved.
  void look_further() {
    if (result_.status != Status::kProved) return;
    if (request_.within) find_simple(*request_.within);
    if (request_.why) find_why();
  }

  void find_simple(double share) {
    const Found& best = *result_.search.best;
    const Problem& problem = result_.best_problem();
    const Rules rules = make_rules(problem, space().kind, request_.constraints);
    const ArrangedSpace arranged{space().kind, request_.constraints, space().arrangements};
    SearchOptions options = told(options_, Stage::kSimpler);
    options.max_seconds = seconds_left();
    result_.simple = Simple{share, measure_simplicity(rules, best.mapping),
                            find_simplest(problem, arranged, options, best,
                                          best.score * (1 + share), kMostSimplerSearches)};
  }

  void find_why() {
    const double best = result_.search.best->score;
    const Question asked{space().given(), request_.constraints, request_.caps};
    int number = 0;
    const auto solve = [&](const Question& question) {
      SearchOptions options = told(options_, Stage::kWhy, ++number);
      options.caps = question.caps;
      options.max_seconds = seconds_left();
      options.gap = 0;
      options.top = 1;
      options.front = false;
      // With other limits a memory that was uneven may have to be even, and then loses nothing by
      // it.
      const Placement placement =
          as_uneven_as_can_be(question.problem, question.constraints, space().placement);
      return search_space(
                 make_space(question.problem, space().name, question.constraints, placement),
                 question.constraints, request_.mapper, options)
          .result;
    };
    const auto ended = [&] {
      return stopped() || (request_.max_seconds > 0 && seconds_left() <= 1e-3);
    };
    result_.why = Why{best, find_gains(asked, best, solve, ended)};
  }

  const MapRequest& request_;
  SearchOptions options_;
  MapResult result_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace

bool MapResult::counts_repeat() const {
  return request.mapper != Mapper::kOptimal || request.max_nodes > 0 || request.threads == 1;
}

MapResult map(const Problem& problem, const MapRequest& request) {
  return Run(problem, request).run();
}

}  // namespace tilewright
