// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapper/print.h"

#include <ostream>
#include <string>

namespace tilewright {
namespace {

// "no mapping of ruby-s is better in edp", said together with what was searched.
void print_status(std::ostream& out, Status status, const std::string& space,
                  const std::string& objective) {
  out << status_name(status) << ": ";
  switch (status) {
    case Status::kProved:
      out << "no mapping of the space " << space << " has a better " << objective;
      break;
    case Status::kWithinGap:
      out << "no mapping of the space " << space << " has an " << objective
          << " that is better by more than the gap";
      break;
    case Status::kNotProved:
      out << "the best " << objective << " that was found in the space " << space;
      break;
    case Status::kInfeasible:
      out << "no mapping of the space " << space << " exists";
      break;
    case Status::kContradictory:
      out << "the constraints contradict each other";
      break;
    case Status::kNotFound:
      out << "the search of the space " << space << " ended without a mapping";
      break;
  }
  out << '\n';
}

void print_costs(std::ostream& out, double energy_pj, double cycles, double utilization) {
  const auto precision = out.precision(10);
  out << energy_pj << " pJ, " << cycles << " cycles, " << energy_pj * cycles << " pJ*cycles, ";
  out.precision(4);
  out << "utilization " << 100 * utilization << " %\n";
  out.precision(precision);
}

}  // namespace

void print_nest(std::ostream& out, const Problem& problem, const Mapping& mapping) {
  const Workload& workload = problem.workload();
  for (const NestNode& node : mapping.nodes()) {
    switch (node.kind) {
      case NestNode::Kind::kKeep:
        out << problem.arch().memory(node.node).name << " keeps";
        for (std::size_t t = 0; t < workload.tensors().size(); ++t) {
          if ((node.tensors & only(TensorId(t))) != 0) out << ' ' << workload.tensors()[t].name;
        }
        break;
      case NestNode::Kind::kTemporal:
        out << "for " << workload.dim(node.dim).name << " in " << node.factor;
        break;
      case NestNode::Kind::kSpatial: {
        const Fanout& fanout = problem.arch().fanout(node.node);
        out << "spread " << workload.dim(node.dim).name << " over " << node.factor << " of "
            << fanout.axes[static_cast<std::size_t>(node.axis)].name << " of " << fanout.name;
        break;
      }
    }
    out << '\n';
  }
}

std::ostream& operator<<(std::ostream& out, const MapResult& mapped) {
  print_status(out, mapped.status, mapped.space.name, mapped.request.objective.name);
  if (!mapped.search.best) return out;
  const Problem& problem = mapped.best_problem();
  const Found& best = mapped.shown();
  print_costs(out, best.evaluation.energy_pj, static_cast<double>(best.evaluation.cycles),
              utilization(best.evaluation, problem.arch().compute_units()).total);
  print_nest(out, problem, best.mapping);
  return out;
}

std::ostream& operator<<(std::ostream& out, const PlanResult& planned) {
  const PlanTotals& totals = planned.plan.totals;
  print_status(out, planned.status, planned.request.space, planned.request.objective.name);
  print_costs(out, totals.energy_pj, totals.cycles, totals.utilization);
  for (const Solved& solved : planned.plan.solved) {
    out << solved.problem->workload().name() << ": " << status_name(solved.status);
    if (solved.best) {
      const auto precision = out.precision(10);
      out << ", " << solved.best->evaluation.energy_pj << " pJ, " << solved.best->evaluation.cycles
          << " cycles";
      out.precision(precision);
    }
    out << '\n';
  }
  return out;
}

}  // namespace tilewright
