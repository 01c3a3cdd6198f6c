// SPDX-License-Identifier: Apache-2.0
// Searches of every kind on several threads, each against the answer of one thread; with progress,
// and stopped from another thread. Built with the thread sanitizer (preset tsan), a race is an
// error too: tests/threads/check.
//   threads.searches [--searches N] [--threads T] [--seed S] [--only K] [--plant pool|search]
// --plant makes one race on purpose, to show that races are reported.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/search_case.h"
#include "tilewright/base/random.h"
#include "tilewright/files/files.h"
#include "tilewright/library/library.h"
#include "tilewright/mapspace/mapspace.h"
#include "tilewright/network/network.h"
#include "tilewright/plan/plan.h"
#include "tilewright/search/search.h"
#include "tilewright/threads/thread_pool.h"

namespace tilewright {
namespace {

using testing::SearchCase;
using Failure = std::runtime_error;

void expect(bool holds, const std::string& what) {
  if (!holds) throw Failure(what);
}

// ---- Problems ----

Workload product(std::int64_t m, std::int64_t n, std::int64_t k) {
  const auto plain = [](int dim) { return Rank{{Term{DimId(dim)}}}; };
  return Workload("product", {{"m", m}, {"n", n}, {"k", k}},
                  {{"A", "input", 8, {plain(0), plain(2)}},
                   {"B", "weight", 8, {plain(2), plain(1)}},
                   {"Z", "output", 8, {plain(0), plain(1)}}});
}

// A product on an accelerator of the library: many roots, and branches that threads give away.
SearchCase make_real_case(Random& random) {
  constexpr const char* kArchs[] = {"eyeriss", "gemmini", "toy-grid-6", "tpu-v1"};
  const char* const arch = kArchs[random.between(0, 3)];
  const auto size = [&] { return random.between(1, 5) * random.between(1, 3); };
  SearchCase made{Problem(product(size(), size(), size()), library_arch(arch)),
                  random.one_in(4) ? SpaceKind::kRubyS : SpaceKind::kPfm,
                  {},
                  {},
                  {}};
  made.options.objective = *objective_by_name(random.one_in(2) ? "edp" : "energy");
  return made;
}

// Every third is real.
SearchCase make_problem(std::uint64_t seed, std::uint64_t index) {
  Random random(seed ^ (index * 0x9e3779b97f4a7c15ULL));
  if (index % 3 == 0) return make_real_case(random);
  return testing::make_search_case(seed, index, 20'000);
}

// ---- Searches ----

// Written without a lock: progress is told from one thread at a time, each after the other.
struct Told {
  std::uint64_t times = 0;
  std::uint64_t seen = 0;

  void take(const Progress& progress) {
    ++times;
    seen += progress.seen;
  }
};

// What an answer comes to, so that two can be compared.
std::string describe(const SearchResult& result) {
  std::string text;
  for (const Found& found : result.answers) text += std::to_string(found.score) + " ";
  if (!result.best) return text + "nothing";
  char score[40];
  std::snprintf(score, sizeof score, "%.17g", result.best->score);
  return text + score;
}

bool is_same(const SearchResult& a, const SearchResult& b) {
  if (describe(a) != describe(b) || a.ending != b.ending) return false;
  return !a.best || std::ranges::equal(a.best->mapping.nodes(), b.best->mapping.nodes());
}

using Search = std::function<SearchResult(const SearchCase&, const SearchOptions&)>;

SearchResult optimal(const SearchCase& made, const SearchOptions& options) {
  return search_optimal(made.problem, made.rules(), options);
}

SearchResult random_draws(const SearchCase& made, const SearchOptions& options) {
  SearchOptions draws = options;
  draws.max_seen = 6000;
  draws.patience = 2000;
  return search_random(made.problem, made.rules(), draws);
}

SearchResult local(const SearchCase& made, const SearchOptions& options) {
  SearchOptions few = options;
  few.starts = 6;
  few.generations = 3;
  return search_local(made.problem, made.rules(), few);
}

SearchResult exhaustive(const SearchCase& made, const SearchOptions& options) {
  return search_exhaustive(Mapspace(made.problem, made.rules()), options);
}

void run_both(const Search& search, const SearchCase& made, int threads) {
  SearchOptions options = made.options;
  Told told;
  options.progress = [&](const Progress& progress) { told.take(progress); };
  options.threads = threads;
  const SearchResult many = search(made, options);
  options.threads = 1;
  const SearchResult one = search(made, options);
  expect(is_same(many, one), "one thread has another answer: " + describe(one) + " for " +
                                 describe(many) + "\n" + to_yaml(made));
}

// Whenever it is stopped, what is found is a mapping, and its bound is no lie.
void run_stopped(const Search& search, const SearchCase& made, int threads, Random& random) {
  std::atomic<bool> stop = false;
  SearchOptions options = made.options;
  Told told;
  options.progress = [&](const Progress& progress) { told.take(progress); };
  options.stop = &stop;
  options.threads = threads;
  const auto pause = std::chrono::microseconds(random.between(0, 20'000));
  SearchResult result;
  {
    const std::jthread stopper([&] {
      std::this_thread::sleep_for(pause);
      stop = true;
    });
    result = search(made, options);
  }
  expect(!result.best || !result.bound || *result.bound <= result.best->score,
         "the bound is above the best\n" + to_yaml(made));
}

Network chain(Random& random) {
  Network network{.name = "chain"};
  const auto size = [&] { return random.between(2, 24); };
  std::int64_t wide = size();
  const std::int64_t rows = size();
  network.edges = {{"e0", rows * wide, 8}};
  for (std::size_t i = 0; i < 5; ++i) {
    const std::int64_t next = size();
    Layer layer{
        .name = "l" + std::to_string(i), .op = "gemm", .workload = product(rows, next, wide)};
    layer.reads = {{i, TensorId(0)}};
    layer.writes = {{i + 1, TensorId(2)}};
    network.layers.push_back(std::move(layer));
    network.edges.push_back({"e" + std::to_string(i + 1), rows * next, 8});
    wide = next;
  }
  return network;
}

std::string describe(const Plan& plan) {
  char figures[100];
  std::snprintf(figures, sizeof figures, "%.17g pJ, %.17g cycles, %zu proved",
                plan.totals.energy_pj, plan.totals.cycles, plan.totals.proved);
  return figures;
}

void run_plan(Random& random, int threads) {
  const Network network = chain(random);
  const Arch arch = library_arch(library_archs().front().name);
  PlanOptions options;
  options.space = SpaceKind::kPfm;
  options.mapper = random.one_in(3) ? Mapper::kLocal : Mapper::kOptimal;
  options.keep_on_chip = random.one_in(2);
  std::uint64_t told = 0;  // without a lock, as in Told
  options.progress = [&](const PlanProgress& progress) { told += progress.done; };
  options.search.threads = threads;
  const std::string many = describe(plan_network(network, arch, options));
  options.search.threads = 1;
  const std::string one = describe(plan_network(network, arch, options));
  expect(many == one, "one thread has another plan: " + one + " for " + many);
}

// ---- All kinds ----

struct Kind {
  const char* name;
  std::function<void(SearchCase&, Random&, int threads)> run;
};

std::vector<Kind> all_kinds() {
  const auto with = [](auto SearchOptions::*option, auto value) {
    return [=](SearchCase& made, Random&, int threads) {
      made.options.*option = value;
      run_both(optimal, made, threads);
    };
  };
  const auto both = [](const Search& search) {
    return [=](SearchCase& made, Random&, int threads) { run_both(search, made, threads); };
  };
  const auto stopped = [](const Search& search) {
    return [=](SearchCase& made, Random& random, int threads) {
      run_stopped(search, made, threads, random);
    };
  };
  return {{"optimal", both(optimal)},
          {"random", both(random_draws)},
          {"top", with(&SearchOptions::top, 5)},
          {"stopped", stopped(optimal)},
          {"front", with(&SearchOptions::front, true)},
          {"local", both(local)},
          {"proof", with(&SearchOptions::proof, true)},
          {"stopped random", stopped(random_draws)},
          {"plan", [](SearchCase&, Random& random, int threads) { run_plan(random, threads); }},
          {"stopped local", stopped(local)},
          {"exhaustive", both(exhaustive)},
          {"optimal again", both(optimal)}};
}

// ---- Races on purpose ----

void plant_in_pool(int threads) {
  ThreadPool pool(threads);
  std::int64_t sum = 0;
  pool.for_each(1000, [&](int, std::size_t index) {
    sum += static_cast<std::int64_t>(index);  // the race
    std::this_thread::yield();
  });
  std::printf("planted: %lld\n", static_cast<long long>(sum));
}

// Draws are traced by whichever thread takes them, and another one looks without asking.
void plant_in_search(int threads) {
  SearchCase made = make_problem(1, 0);
  std::uint64_t traced = 0;
  std::atomic<bool> done = false;
  made.options.trace = [&](std::uint64_t seen, std::optional<double>) { traced = seen; };
  made.options.threads = threads;
  std::uint64_t last = 0;
  {
    const std::jthread reader([&] {
      while (!done) last = traced;  // the race
    });
    random_draws(made, made.options);
    done = true;
  }
  std::printf("planted: %llu\n", static_cast<unsigned long long>(last));
}

struct Wishes {
  std::uint64_t searches = 200;
  std::uint64_t seed = 20241116;
  int threads = 4;
  std::int64_t only = -1;
  std::string plant;
};

Wishes read_wishes(int argc, char** argv) {
  Wishes wishes;
  for (int i = 1; i < argc; i += 2) {
    const std::string word = argv[i];
    const bool has_value = i + 1 < argc;
    if (word == "--searches" && has_value) {
      wishes.searches = std::strtoull(argv[i + 1], nullptr, 10);
    } else if (word == "--seed" && has_value) {
      wishes.seed = std::strtoull(argv[i + 1], nullptr, 10);
    } else if (word == "--threads" && has_value) {
      wishes.threads = std::atoi(argv[i + 1]);
    } else if (word == "--only" && has_value) {
      wishes.only = std::atoll(argv[i + 1]);
    } else if (word == "--plant" && has_value) {
      wishes.plant = argv[i + 1];
    } else {
      throw Failure(
          "usage: threads.searches [--searches N] [--threads T] [--seed S] [--only K] "
          "[--plant pool|search]");
    }
  }
  return wishes;
}

void run(const Wishes& wishes) {
  const std::vector<Kind> kinds = all_kinds();
  std::map<std::string, int> mix;
  for (std::uint64_t i = 0; i < wishes.searches; ++i) {
    if (wishes.only >= 0 && i != static_cast<std::uint64_t>(wishes.only)) continue;
    // Shifted after each round, so that small and real problems both meet every kind.
    const Kind& kind = kinds[(i + i / kinds.size()) % kinds.size()];
    const bool small = std::string_view(kind.name) == "exhaustive";
    SearchCase made =
        small ? testing::make_search_case(wishes.seed, i, 20'000) : make_problem(wishes.seed, i);
    Random random(wishes.seed + i);
    try {
      kind.run(made, random, wishes.threads);
    } catch (const std::exception& failure) {
      throw Failure("search " + std::to_string(i) + " (" + kind.name + "): " + failure.what());
    }
    ++mix[kind.name];
  }
  for (const auto& [name, count] : mix) std::printf("%-16s %d\n", name.c_str(), count);
  std::printf("%llu searches on %d threads, each with the answer of one\n",
              static_cast<unsigned long long>(wishes.searches), wishes.threads);
}

int run_program(int argc, char** argv) {
  try {
    const Wishes wishes = read_wishes(argc, argv);
    if (wishes.plant == "pool") {
      plant_in_pool(wishes.threads);
    } else if (wishes.plant == "search") {
      plant_in_search(wishes.threads);
    } else {
      run(wishes);
    }
    return 0;
  } catch (const std::exception& error) {
    std::printf("threads: %s\n", error.what());
    return 1;
  }
}

}  // namespace
}  // namespace tilewright

int main(int argc, char** argv) { return tilewright::run_program(argc, argv); }
