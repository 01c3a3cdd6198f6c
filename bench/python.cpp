// SPDX-License-Identifier: Apache-2.0
// The C++ side of tests/python/speed. Each line of its input asks for some calls, as the Python
// side makes them, and is answered with the seconds that they took:
//   evaluate 0 1000    one mapping, 1,000 times
//   map 300 50         the best mappings of 50 products, from number 300 on
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
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

double evaluate_seconds(const Problem& problem, const Mapping& mapping, int count) {
  double sum = 0;
  const auto start = Clock::now();
  for (int i = 0; i < count; ++i) {
    if (!find_violations(problem, mapping).empty()) std::abort();
    sum += evaluate(problem, mapping).energy_pj;
  }
  const double all = seconds_since(start);
  return sum > 0 ? all : 0;
}

double map_seconds(const Arch& arch, int first, int count) {
  double sum = 0;
  const auto start = Clock::now();
  for (int i = first; i < first + count; ++i) {
    const MapResult best =
        map(Problem(gemm(16 + i % 50, 24 + i % 7, 32 + i % 11), arch), on_one_thread());
    sum += best.shown().score;
  }
  const double all = seconds_since(start);
  return sum > 0 ? all : 0;
}

}  // namespace

int main() {
  const Arch arch = library_arch("eyeriss");
  const Problem problem(gemm(64, 64, 64), arch);
  const MapResult best = map(problem, on_one_thread());
  std::string what;
  int first = 0;
  int count = 0;
  while (std::cin >> what >> first >> count) {
    std::printf("%.9f\n", what == "map" ? map_seconds(arch, first, count)
                                        : evaluate_seconds(problem, best.shown().mapping, count));
    std::fflush(stdout);
  }
  return 0;
}
