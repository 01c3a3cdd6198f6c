// SPDX-License-Identifier: Apache-2.0
// Progress of our own, and an end of our own: stop once the best is within 1 % of the bound, or
// after two seconds, whichever comes first.
#include <tilewright/files.h>

#include <atomic>
#include <iostream>

int main() {
  using namespace tilewright;
  const Problem problem(conv({.m = 64, .c = 64, .p = 56, .q = 56, .r = 3, .s = 3}),
                        library_arch("eyeriss"));
  std::atomic<bool> stop = false;
  MapRequest request;
  request.stop = &stop;
  request.progress = [&](const MapProgress& progress) {
    const Progress& now = progress.search;
    if (now.best && now.bound) {
      const double gap = find_gap(*now.best, *now.bound);
      std::cerr << now.seconds << " s: " << now.nodes << " nodes, gap " << 100 * gap << " %\n";
      stop = stop || gap < 0.01;
    }
    stop = stop || now.seconds > 2;
  };
  const MapResult mapped = map(problem, request);
  std::cout << mapped;
  return mapped.search.best ? 0 : 1;
}
