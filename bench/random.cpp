// SPDX-License-Identifier: Apache-2.0
// Random search on the Ruby paper's Eyeriss: how many mappings it draws and evaluates per second,
// and that neither the number of threads nor the order of dims in the file changes its answer.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <memory>
#include <string>
#include <utility>

#include "bench/support/arguments.h"
#include "tilewright/io/read.h"
#include "tilewright/io/write.h"
#include "tilewright/library/library.h"
#include "tilewright/search/search.h"

namespace {

using namespace tilewright;

constexpr double kWanted = 1e6;  // draws per second on two cores

// A layer of ResNet-50, as a user may write it.
const char* const kLayer =
    "workload:\n"
    "  name: layer\n"
    "  einsum: Outputs[n,m,p,q] += Inputs[n,c,p+r,q+s] * Weights[m,c,r,s]\n";
const char* const kDims = "  dims: {n: 1, m: 64, c: 64, p: 56, q: 56, r: 3, s: 3}\n";
const char* const kDimsOtherwise = "  dims: {s: 3, q: 56, c: 64, r: 3, m: 64, p: 56, n: 1}\n";

Problem read(const std::string& layer) {
  Diagnostics findings;
  const LibraryEntry* arch = find_library_arch("eyeriss");
  TW_CHECK(arch != nullptr, "the library has an eyeriss");
  Documents documents = read_documents(
      {std::make_shared<SourceFile>(SourceFile{"eyeriss.yaml", std::string(arch->text)}),
       std::make_shared<SourceFile>(SourceFile{"layer.yaml", layer})},
      findings);
  TW_CHECK(documents.problem.has_value(), "the files of this program are right");
  return *std::move(documents.problem);
}

// Draws per second of the clock, and per second of CPU time of all threads: the second does not
// depend on who else uses the machine.
struct Rate {
  double wall = 0;
  double cpu = 0;
};

struct Run {
  SearchResult result;
  Rate rate;
};

double seconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Run run(const Problem& problem, std::uint64_t draws, int threads) {
  SearchOptions options;
  options.threads = threads;
  options.patience = 0;
  options.max_seen = draws;
  const Rules rules = make_rules(problem, SpaceKind::kRubyS, {});
  const double wall = seconds(CLOCK_MONOTONIC);
  const double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
  SearchResult result = search_random(problem, rules, options);
  const double seen = static_cast<double>(result.seen);
  const Rate rate{seen / (seconds(CLOCK_MONOTONIC) - wall),
                  seen / (seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu)};
  return {std::move(result), rate};
}

// Everything a user may see of an answer.
std::string text_of(const Problem& problem, const SearchResult& result) {
  char numbers[160];
  std::snprintf(
      numbers, sizeof numbers, "%llu seen, %llu valid, %llu too large; score %.17g\n",
      static_cast<unsigned long long>(result.seen), static_cast<unsigned long long>(result.valid),
      static_cast<unsigned long long>(result.too_large), result.best ? result.best->score : 0);
  return numbers + (result.best ? write_nest(problem, result.best->mapping) : "nothing found\n");
}

}  // namespace

int main(int argc, char** argv) {
  bool quick = false;
  Arguments arguments("Random search on the Ruby paper's Eyeriss");
  arguments.flag("--quick", quick, "A tenth of the draws; the rate does not decide");
  if (const std::optional<int> code = arguments.read(argc, argv)) return *code;
  const std::uint64_t draws = quick ? 400'000 : 4'000'000;
  const Problem problem = read(std::string(kLayer) + kDims);
  const Problem otherwise = read(std::string(kLayer) + kDimsOtherwise);

  // The best of three: neighbours on the machine make it slower, never faster.
  const Run first = run(problem, draws, 1);
  const std::string answer = text_of(problem, first.result);
  Rate rates[2];
  bool agree = true;
  for (int round = 0; round < 3; ++round) {
    for (const int threads : {1, 2}) {
      const Run next = run(problem, draws, threads);
      agree = agree && text_of(problem, next.result) == answer;
      Rate& best = rates[threads - 1];
      best = {std::max(best.wall, next.rate.wall), std::max(best.cpu, next.rate.cpu)};
    }
  }
  const Run reordered = run(otherwise, draws / 10, 2);
  const Run ordered = run(problem, draws / 10, 2);
  const bool same_text = text_of(otherwise, reordered.result) == text_of(problem, ordered.result);

  std::printf(
      "%svalid: %.2f %%\n", answer.c_str(),
      100.0 * static_cast<double>(first.result.valid) / static_cast<double>(first.result.seen));
  for (const int threads : {1, 2}) {
    const Rate& rate = rates[threads - 1];
    std::printf("threads: %d   %.2f M/s   %.2f M per second of CPU time\n", threads,
                rate.wall / 1e6, rate.cpu / 1e6);
  }
  std::printf("dims in another order: %s\n", same_text ? "the same answer" : "ANOTHER answer");
  const bool fast = quick || rates[1].wall >= kWanted;
  std::printf("random: %.2f M mappings/s drawn and evaluated on 2 cores%s; 1 and 2 threads %s\n",
              rates[1].wall / 1e6, fast ? "" : " (wanted: 1.00)", agree ? "agree" : "DIFFER");
  return agree && same_text && first.result.best && fast ? 0 : 1;
}
