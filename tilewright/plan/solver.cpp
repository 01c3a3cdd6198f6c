// SPDX-License-Identifier: Apache-2.0
#include "tilewright/plan/solver.h"

#include <algorithm>
#include <atomic>
#include <ctime>
#include <numeric>
#include <string>
#include <utility>

#include "tilewright/base/error.h"
#include "tilewright/mapspace/arrangement.h"
#include "tilewright/mapspace/feasibility/conflict.h"
#include "tilewright/search/arranged.h"
#include "tilewright/threads/thread_pool.h"

namespace tilewright {
namespace {

double cpu_seconds(int threads) {
  if (threads > 1) return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

FittingConstraints constraints_of(const PlanOptions& options, const Problem& problem) {
  return options.constraints ? options.constraints(problem) : FittingConstraints{};
}

// Equal workloads may still have names of which the architecture says different things.
bool sees_the_same(const Problem& a, const Problem& b) {
  return std::ranges::all_of(a.arch().memories(), [&](NodeId id) {
    const ResolvedMemory& x = a.memory(id);
    const ResolvedMemory& y = b.memory(id);
    return x.may_keep == y.may_keep && x.sliding == y.sliding && x.bits == y.bits &&
           x.partial_bits == y.partial_bits && x.partial_given == y.partial_given &&
           x.partition_bits == y.partition_bits;
  });
}

}  // namespace

std::vector<std::size_t> find_first_equal(const Network& network, const Arch& arch,
                                          const PlanOptions& options) {
  struct First {
    std::size_t layer;
    Problem problem;
    FittingConstraints asked;
  };
  std::vector<std::size_t> first_equal(network.layers.size());
  for (const std::vector<std::size_t>& group : equal_layers(network)) {
    std::vector<First> firsts;
    for (const std::size_t layer : group) {
      const Problem problem(*network.layers[layer].workload, arch, options.conventions);
      FittingConstraints asked = constraints_of(options, problem);
      auto same = std::ranges::find_if(firsts, [&](const First& first) {
        return sees_the_same(first.problem, problem) && first.asked == asked;
      });
      if (same == firsts.end()) {
        same = firsts.insert(same, First{layer, problem, std::move(asked)});
      }
      first_equal[layer] = same->layer;
    }
  }
  return first_equal;
}

Arch arch_for(const Workload& workload, const Arch& arch, NodeId buffer, const Ask& ask) {
  if (ask.resident == 0 && ask.reserved_bits == 0) return arch;
  const Problem given(workload, arch);
  std::vector<ArchNode> nodes(arch.nodes().begin(), arch.nodes().end());
  for (const NodeId id : arch.memories()) {
    Memory& memory = std::get<Memory>(nodes[id.pos()]);
    memory.off_chip = arch.is_off_chip(id);  // whatever is kept where for this layer
    if (id == buffer) {
      if (memory.capacity_bits) *memory.capacity_bits -= ask.reserved_bits;
      break;
    }
    const TensorSet left = given.memory(id).may_keep & ~ask.resident;
    memory.keep = {false, {}};
    for (std::size_t t = 0; t < workload.tensors().size(); ++t) {
      if ((left & only(TensorId(t))) != 0) memory.keep.names.push_back(workload.tensors()[t].name);
    }
  }
  return {arch.name(), arch.note(), arch.clock_hz(), std::move(nodes), arch.compute()};
}

bool Solver::stopped() const {
  return options_.search.stop != nullptr && options_.search.stop->load();
}

void Solver::tell(const Ask& ask, const Progress& progress) {
  const std::lock_guard lock(mutex_);
  options_.progress({done_, solved_.size(), network_.layers[ask.layer].name, progress});
}

void Solver::search(const Ask& ask, int threads, Solved& solved) {
  const Problem& problem = *solved.problem;
  solved.asked = constraints_of(options_, problem);
  const std::vector<Constraint>& constraints = solved.asked.constraints;
  solved.placement = as_uneven_as_can_be(problem, constraints, options_.placement);
  if (count_arrangements(problem, constraints, solved.placement) > kMostArrangements) {
    throw OverflowError("its memories can keep their tensors in more than " +
                        std::to_string(kMostArrangements) + " orders");
  }
  const auto arrangements = list_arrangements(problem, constraints, solved.placement);
  SearchOptions search = options_.search;
  search.threads = threads;
  search.max_seconds = options_.seconds_per_layer;
  search.progress = nullptr;
  if (options_.progress) {
    search.progress = [&](const Progress& progress) { tell(ask, progress); };
  }
  SearchResult result = tilewright::search(problem, {options_.space, constraints, arrangements},
                                           options_.mapper, search);
  solved.status = status_of(result);
  solved.best = std::move(result.best);
  solved.ending = result.ending;
  solved.bound = result.bound;
  solved.nodes = result.nodes;
  if (solved.best) return;
  if (result.ending == Ending::kExhausted) {
    solved.conflict = find_conflict(problem, options_.space, constraints);
    if (solved.conflict && solved.conflict->among_constraints) {
      solved.status = Status::kContradictory;
    }
    if (!solved.conflict) solved.why_not = "no mapping that fits has costs below 2^63";
  } else {
    solved.why_not = result.ending == Ending::kStopped
                         ? "stopped before a mapping was found"
                         : "no mapping was found in the time allowed, though one may exist";
  }
}

Solved Solver::solve_one(const Ask& ask, int threads) {
  const Workload& workload = *network_.layers[ask.layer].workload;
  Solved solved;
  const double start = cpu_seconds(threads);
  try {
    solved.problem = std::make_shared<const Problem>(
        workload, arch_for(workload, arch_, buffer_, ask), options_.conventions);
    if (stopped()) {
      solved.ending = Ending::kStopped;
      solved.why_not = "stopped before its search began";
    } else {
      search(ask, threads, solved);
    }
  } catch (const OverflowError& error) {
    solved.best.reset();
    solved.bound.reset();
    solved.conflict.reset();
    solved.status = Status::kNotFound;
    solved.why_not = std::string("too large to search: ") + error.what();
  }
  solved.seconds = cpu_seconds(threads) - start;
  return solved;
}

void Solver::solve(std::span<const Ask> asks) {
  std::vector<Ask> open;
  for (const Ask& ask : asks) {
    if (index_.emplace(ask, solved_.size() + open.size()).second) open.push_back(ask);
  }
  if (open.empty()) return;
  const std::size_t first = solved_.size();
  solved_.resize(first + open.size());
  // How long a search takes is not known before; more computes are a fair guess.
  std::vector<std::size_t> order(open.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) {
    return network_.layers[open[i].layer].workload->computes();
  });
  const int all = options_.search.threads > 0 ? options_.search.threads : usable_processors();
  const int workers = std::min(all, static_cast<int>(open.size()));
  std::atomic<std::size_t> next{0};
  // Each worker takes the next in this order.
  const auto work = [&](int, std::size_t) {
    for (std::size_t i = next++; i < order.size(); i = next++) {
      solved_[first + order[i]] = solve_one(open[order[i]], all / workers);
      const std::lock_guard lock(mutex_);
      ++done_;
    }
  };
  ThreadPool(workers).for_each(static_cast<std::size_t>(workers), work);
}

}  // namespace tilewright
