// SPDX-License-Identifier: Apache-2.0
// The C++ side of tests/python/speed: the same calls as its Python side, timed.
//   bench.python evaluate 10000    one mapping again and again: microseconds each
//   bench.python map 1000          the best mappings of so many products: seconds in all
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tilewright/files.h"

namespace {

using namespace tilewright;  // NOLINT(google-build-using-namespace): a program of one page
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

MapRequest on_one_thread() {
  MapRequest request;
  request.threads = 1;
  return request;
}

double evaluate_microseconds(const Arch& arch, int count) {
  const Problem problem(gemm(64, 64, 64), arch);
  const MapResult best = map(problem, on_one_thread());
  const Mapping& mapping = best.shown().mapping;
  double sum = 0;
  const auto start = Clock::now();
  for (int i = 0; i < count; ++i) {
    if (!find_violations(problem, mapping).empty()) std::abort();
    sum += evaluate(problem, mapping).energy_pj;
  }
  const double each = 1e6 * seconds_since(start) / count;
  return sum > 0 ? each : 0;
}

double map_seconds(const Arch& arch, int count) {
  double sum = 0;
  const auto start = Clock::now();
  for (int i = 0; i < count; ++i) {
    const MapResult best =
        map(Problem(gemm(16 + i % 50, 24 + i % 7, 32 + i % 11), arch), on_one_thread());
    sum += best.shown().score;
  }
  const double all = seconds_since(start);
  return sum > 0 ? all : 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const Arch arch = library_arch("eyeriss");
  const int count = std::atoi(argv[2]);
  std::printf("%.6f\n", std::string(argv[1]) == "map" ? map_seconds(arch, count)
                                                      : evaluate_microseconds(arch, count));
  return 0;
}
