// SPDX-License-Identifier: Apache-2.0
// The optimum of a file with `workload:` and `arch:`, for tests/second_solver/compare.
//   second_solver.optimum FILE SPACE OBJECTIVE      prints: energy cycles
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "tilewright/base/error.h"
#include "tilewright/io/read.h"
#include "tilewright/search/search.h"

int main(int argc, char** argv) {
  using namespace tilewright;
  TW_CHECK(argc == 4, "usage: second_solver.optimum FILE SPACE OBJECTIVE");
  std::ifstream file(argv[1]);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  Diagnostics findings;
  const Documents documents =
      read_documents({std::make_shared<SourceFile>(SourceFile{argv[1], text})}, findings);
  const auto kind = space_by_name(argv[2]);
  const auto objective = objective_by_name(argv[3]);
  TW_CHECK(documents.problem && !findings.has_errors() && kind && objective,
           "the file and the words are right");
  SearchOptions options;
  options.objective = *objective;
  options.threads = 1;
  const Rules rules = make_rules(*documents.problem, *kind, documents.constraints);
  const SearchResult found = search_optimal(*documents.problem, rules, options);
  TW_CHECK(found.ending == Ending::kExhausted, "without a budget the optimum is proved");
  if (!found.best) {
    std::printf("none\n");
    return 0;
  }
  std::printf("%.17g %lld\n", found.best->evaluation.energy_pj,
              static_cast<long long>(found.best->evaluation.cycles));
  return 0;
}
