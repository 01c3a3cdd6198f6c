// SPDX-License-Identifier: Apache-2.0
// Evaluations per second of CPU time on one core: whole mappings, and one dim changed.
// Instructions can be counted:  valgrind --tool=callgrind bench.speed --rounds 4 --only gemm
// The mappings are random, perfect and imperfect alike, with loops over all dims at all levels.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include "bench/support/arguments.h"
#include "tilewright/base/checked.h"
#include "tilewright/base/random.h"
#include "tilewright/mapping/violation.h"
#include "tilewright/model/evaluator.h"

namespace {

using namespace tilewright;

Memory memory(std::string name, std::int64_t bits_per_cycle, Selection keep, double pj) {
  Memory m;
  m.name = std::move(name);
  m.keep = std::move(keep);
  m.energy = {pj, pj, pj, "bench"};
  if (bits_per_cycle > 0) m.read_bandwidth = m.write_bandwidth = make_rational(bits_per_cycle, 1);
  return m;
}

Rank rank(DimId dim) { return {{{dim, 1}}}; }

Problem gemm() {
  const DimId m(0), n(1), k(2);
  return Problem(Workload("gemm", {{"m", 512}, {"n", 768}, {"k", 3072}},
                          {{"A", "input", 8, {rank(m), rank(k)}},
                           {"B", "weight", 8, {rank(k), rank(n)}},
                           {"Z", "output", 8, {rank(m), rank(n)}}}),
                 Arch("three", "", std::nullopt,
                      {memory("DRAM", 64, {}, 64), memory("GLB", 256, {}, 2),
                       Fanout{"PE", {{"X", 16}, {"Y", 16}}}, memory("RF", 0, {}, 0.5)},
                      Compute{.energy_pj = 0.2}));
}

Problem conv() {
  const DimId n(0), m(1), c(2), p(3), q(4), r(5), s(6);
  return Problem(
      Workload("conv", {{"n", 2}, {"m", 128}, {"c", 64}, {"p", 56}, {"q", 56}, {"r", 3}, {"s", 3}},
               {{"Inputs", "input", 16, {rank(n), rank(c), {{{p, 1}, {r, 1}}}, {{{q, 1}, {s, 1}}}}},
                {"Weights", "weight", 16, {rank(m), rank(c), rank(r), rank(s)}},
                {"Outputs", "output", 16, {rank(n), rank(m), rank(p), rank(q)}}}),
      Arch("eyeriss", "", std::nullopt,
           {memory("DRAM", 0, {}, 128), memory("GLB", 256, {false, {"input", "output"}}, 8),
            Fanout{"PE", {{"X", 14}, {"Y", 12}}}, memory("ifmap", 32, {false, {"input"}}, 0.3),
            memory("weights", 32, {false, {"weight"}}, 3),
            memory("psum", 32, {false, {"output"}}, 0.4)},
           Compute{.energy_pj = 0.3}));
}

// A random nest: every memory keeps what it may, then loops over the dims in random order.
Mapping random_mapping(const Problem& problem, Random& random) {
  const Workload& workload = problem.workload();
  const Arch& arch = problem.arch();
  std::vector<std::int64_t> left;
  for (const Dim& dim : workload.dims()) left.push_back(dim.size);
  std::vector<NestNode> inside_out;
  const auto take = [&](std::size_t d, std::int64_t most, bool outermost) {
    std::int64_t factor =
        outermost ? left[d] : random.between(1, std::max<std::int64_t>(1, std::min(left[d], most)));
    if (!outermost && random.one_in(2)) {
      while (left[d] % factor != 0) --factor;
    }
    left[d] = ceil_div(left[d], factor);
    return factor;
  };
  for (std::size_t i = arch.nodes().size(); i-- > 0;) {
    const NodeId node(i);
    std::vector<std::size_t> order(left.size());
    for (std::size_t d = 0; d < order.size(); ++d) order[d] = d;
    for (std::size_t d = order.size(); d > 1; --d) {
      std::swap(
          order[d - 1],
          order[static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(d) - 1))]);
    }
    if (!arch.is_memory(node)) {
      for (std::size_t a = 0; a < arch.fanout(node).axes.size(); ++a) {
        const std::size_t d = order[a];
        inside_out.push_back(spatial(node, static_cast<int>(a), DimId(d),
                                     take(d, arch.fanout(node).axes[a].size, false)));
      }
      continue;
    }
    for (const std::size_t d : order) inside_out.push_back(temporal(DimId(d), take(d, 4, i == 0)));
    inside_out.push_back(keep(node, problem.memory(node).may_keep));
  }
  std::reverse(inside_out.begin(), inside_out.end());
  return Mapping(std::move(inside_out));
}

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Calls `work` (which does `batch` evaluations) for about `seconds`; the best of several rounds, in
// evaluations per second, so that a neighbour's noise does not count.
template <typename Work>
double best_rate(double seconds, std::int64_t batch, Work work) {
  double best = 0;
  constexpr int kRounds = 8;
  for (int round = 0; round < kRounds; ++round) {
    std::int64_t done = 0;
    const double start = cpu_seconds();
    double now = start;
    while (now - start < seconds / kRounds) {
      work();
      done += batch;
      now = cpu_seconds();
    }
    best = std::max(best, static_cast<double>(done) / (now - start));
  }
  return best;
}

struct Result {
  double rate = 0;
  double sink = 0;
};

Result measure(const Problem& problem, double seconds) {
  Random random(7);
  std::vector<Mapping> mappings;
  while (mappings.size() < 512) mappings.push_back(random_mapping(problem, random));
  Evaluator evaluator(problem, {.detail = false});
  Result result;
  result.rate = best_rate(seconds, static_cast<std::int64_t>(mappings.size()), [&] {
    for (const Mapping& mapping : mappings) result.sink += evaluator.evaluate(mapping).energy_pj;
  });
  return result;
}

// 512 evaluations a round.
double go_through(const Problem& problem, int rounds) {
  Random random(7);
  std::vector<Mapping> mappings;
  while (mappings.size() < 512) mappings.push_back(random_mapping(problem, random));
  Evaluator evaluator(problem, {.detail = false});
  double sink = 0;
  for (int i = 0; i < rounds; ++i) {
    for (const Mapping& mapping : mappings) sink += evaluator.evaluate(mapping).energy_pj;
  }
  return sink;
}

}  // namespace

int main(int argc, char** argv) {
  double seconds = 4;
  int rounds = 0;
  std::string only;
  Arguments arguments("Evaluations per second of CPU time on one core");
  arguments.option("--seconds", seconds, "For each rate");
  arguments.option("--rounds", rounds, "Go through the mappings so often instead");
  arguments.option("--only", only, "Problems with this in their name");
  if (const std::optional<int> code = arguments.read(argc, argv)) return *code;
  struct Row {
    const char* name;
    Problem problem;
    double wanted;
  };
  const Row rows[] = {{"gemm on 3 memories", gemm(), 3e6},
                      {"conv (7 dims) on Eyeriss, 5 memories", conv(), 1e6}};
  bool holds = true;
  for (const Row& row : rows) {
    if (!only.empty() && std::strstr(row.name, only.c_str()) == nullptr) continue;
    if (rounds > 0) {
      std::printf("%-38s %d evaluations, sum %g\n", row.name, 512 * rounds,
                  go_through(row.problem, rounds));
      continue;
    }
    const Result result = measure(row.problem, seconds);
    std::printf("%-38s %6.2f M/s (wanted %.0f)\n", row.name, result.rate / 1e6, row.wanted / 1e6);
    holds = holds && result.rate >= row.wanted && result.sink > 0;
  }
  if (rounds > 0) return 0;
  std::printf("speed: %s\n", holds ? "both rates reached" : "NOT reached");
  return holds ? 0 : 1;
}
