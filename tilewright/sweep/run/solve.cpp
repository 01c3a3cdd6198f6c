// SPDX-License-Identifier: Apache-2.0
#include "tilewright/sweep/run/solve.h"

#include <ctime>
#include <exception>
#include <new>
#include <utility>

#include "tilewright/io/write.h"
#include "tilewright/mapper/map.h"

namespace tilewright {
namespace {

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Row answer(const Problem& problem, const MapRequest& request, const Digest& key) {
  const MapResult result = map(problem, request);
  Row row;
  row.key = key;
  row.status = status_name(result.status);
  row.nodes = result.search.nodes;
  row.bound = result.search.bound;
  if (const auto& best = result.search.best) {
    row.score = best->score;
    row.energy_pj = best->evaluation.energy_pj;
    row.cycles = best->evaluation.cycles;
    row.body = write_nest(problem, best->mapping);
  }
  return row;
}

}  // namespace

Row failed_row(const Digest& key, std::string reason) {
  Row row;
  row.key = key;
  row.status = kFailedStatus;
  row.body = std::move(reason);
  return row;
}

Row solve(const Problem& problem, const MapRequest& request, const Digest& key) {
  const double begin = thread_seconds();
  Row row;
  try {
    row = answer(problem, request, key);
  } catch (const std::bad_alloc&) {
    row = failed_row(key, "out of memory");
  } catch (const std::exception& error) {
    row = failed_row(key, error.what());
  }
  row.seconds = thread_seconds() - begin;
  return row;
}

MapRequest request_of(const SweepWorkload& workload, const SweepRequest& request) {
  MapRequest result = request.request;
  result.constraints = workload.asked.constraints;
  result.count = false;
  return result;
}

Row SweepSolver::solve(std::uint64_t number) {
  const SweepProblem problem = plan_.problem(number);
  const Arch& arch = designs_.at(problem).arch;
  const SweepWorkload& what = plan_.workloads()[problem.workload];
  return tilewright::solve(Problem(what.workload, arch),
                           request_of(what, plan_.requests()[problem.request]),
                           designs_.key(problem));
}

}  // namespace tilewright
