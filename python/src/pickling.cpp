// SPDX-License-Identifier: Apache-2.0
#include "pickling.h"

#include <utility>

#include "archive.h"
#include "tilewright/base/version.h"
#include "tilewright/files/files.h"
#include "tilewright/io/write.h"

namespace tilewright::python {
namespace {

std::string digits_of(const Natural& number) { return number.to_string(); }

Natural natural_of(const std::string& digits) {
  Natural number;
  for (const char digit : digits) {
    if (digit < '0' || digit > '9') throw InputError("these bytes are no pickled result");
    number *= Natural(10);
    number += Natural(static_cast<std::uint64_t>(digit - '0'));
  }
  return number;
}

}  // namespace

// The fields of every struct that a result holds.
void fields(Saver& a, Natural& v) { a(digits_of(v)); }
void fields(Loader& a, Natural& v) {
  std::string digits;
  a(digits);
  v = natural_of(digits);
}
void fields(Saver& a, Mapping& v) { a(std::vector<NestNode>(v.nodes().begin(), v.nodes().end())); }
void fields(Loader& a, Mapping& v) {
  std::vector<NestNode> nodes;
  a(nodes);
  v = Mapping(std::move(nodes));
}
void fields(auto& a, Rational& v) { a(v.num, v.den); }
void fields(auto& a, NestNode& v) { a(v.kind, v.node, v.tensors, v.axis, v.dim, v.factor); }
void fields(auto& a, TensorCounts& v) {
  a(v.kept, v.tile, v.reads, v.fills, v.updates, v.accesses, v.peak_reads, v.peak_writes,
    v.energy_pj, v.unfinished, v.finished_updates);
}
void fields(auto& a, MemoryEvaluation& v) {
  a(v.node, v.instances, v.cycles, v.leakage_pj, v.energy_pj, v.tensors);
}
void fields(auto& a, Evaluation& v) {
  a(v.computes, v.compute_instances, v.compute_steps, v.cycles, v.bottleneck, v.compute_energy_pj,
    v.energy_pj, v.memories);
}
void fields(auto& a, Found& v) { a(v.mapping, v.evaluation, v.score); }
void fields(auto& a, Tiling& v) { a(v.dims, v.factors); }
void fields(auto& a, OpenedNode& v) { a(v.bound, v.label, v.counts, v.open); }
void fields(auto& a, OpenedRoot& v) { a(v.keeps, v.spatial, v.open); }
void fields(auto& a, SearchResult& v) {
  a(v.best, v.ending, v.seen, v.valid, v.too_large, v.over_cap, v.nodes, v.bound, v.opened,
    v.answers);
}
void fields(auto& a, Alternative& v) { a(v.found, v.problem); }
void fields(auto& a, Simplicity& v) { a(v.loops, v.bypasses); }
void fields(auto& a, SimplestResult& v) { a(v.found, v.simplicity, v.proved, v.searches); }
void fields(auto& a, Simple& v) { a(v.share, v.best, v.result); }
void fields(auto& a, Limit& v) { a(v.kind, v.node, v.tensor, v.axis, v.number); }
void fields(auto& a, Relaxed& v) { a(v.relaxation, v.value, v.score, v.bound, v.proved); }
void fields(auto& a, Gain& v) { a(v.limit, v.value, v.tries); }
void fields(auto& a, Why& v) { a(v.best, v.gains); }
void fields(auto& a, ConstraintEffect& v) { a(v.with, v.without); }
void fields(auto& a, Demand& v) { a(v.kind, v.constraint, v.node, v.tensor, v.axis); }
void fields(auto& a, Relief& v) { a(v.demand, v.now, v.wanted, v.enough); }
void fields(auto& a, Conflict& v) { a(v.demands, v.reliefs, v.among_constraints); }
void fields(auto& a, CapBound& v) { a(v.cap, v.least); }
void fields(auto& a, TracePoint& v) { a(v.seconds, v.best, v.bound); }
void fields(auto& a, SearchTrace& v) { a(v.objective, v.points); }
void fields(auto& a, Conventions& v) { a(v.holes_are_data, v.drains_are_reads); }
void fields(auto& a, Constraint& v) {
  a(v.kind, v.node, v.tensors, v.dim, v.axis, v.value, v.dims, v.outermost, v.innermost, v.share);
}
void fields(auto& a, FittingConstraints& v) { a(v.constraints, v.without); }
void fields(auto& a, PlannedLayer& v) {
  a(v.solved, v.energy_pj, v.cycles, v.dram_bits, v.slowest, v.levels_pj);
}
void fields(auto& a, PlanTotals& v) {
  a(v.energy_pj, v.cycles, v.computes, v.dram_bits, v.utilization, v.bound, v.unmapped, v.proved,
    v.proved_without);
}
void fields(auto& a, MapOptions& v) {
  a(v.space, v.placement, v.mapper, v.objective, v.caps, v.budget, v.memory, v.gap, v.top, v.front,
    v.within, v.why, v.proof, v.trace, v.seed, v.patience, v.threads, v.conventions);
}
void fields(auto& a, NetOptions& v) {
  a(v.space, v.placement, v.mapper, v.objective, v.budget, v.memory, v.gap, v.seed, v.threads,
    v.keep_on_chip, v.strict, v.fuse, v.conventions);
}
// The problem, the request and the space follow from inputs and options.
void fields(auto& a, MapResult& v) {
  a(v.status, v.search, v.problem, v.alternatives, v.simple, v.why, v.size, v.effects, v.witness,
    v.conflict, v.cap_bounds, v.trace, v.seconds);
}

template <>
Found make_empty() {
  return {Mapping({}), {}, 0};
}
template <>
Alternative make_empty() {
  return {make_empty<Found>(), 0};
}
template <>
SimplestResult make_empty() {
  return {make_empty<Found>(), {}, false, 0};
}
template <>
Simple make_empty() {
  return {0, {}, make_empty<SimplestResult>()};
}

namespace {

// Everything but the problem, which several layers share.
void solved_fields(auto& a, Solved& v) {
  a(v.asked, v.placement.uneven, v.best, v.conflict, v.why_not, v.status, v.ending, v.bound,
    v.nodes, v.seconds);
}

void save_head(Saver& save, const Arch& arch) { save(program_version(), write_arch(arch)); }

Arch load_head(Loader& load) {
  std::string version;
  std::string arch;
  load(version);
  if (version != program_version()) {
    throw InputError("this result was pickled by another version; files saved as JSON last");
  }
  load(arch);
  return arch_from_yaml(arch);
}

std::string load_text(Loader& load) {
  std::string text;
  load(text);
  return text;
}

template <typename Request>
Request checked(std::optional<Request> request, const Diagnostics& diagnostics) {
  if (!request) throw FileError(diagnostics);
  return *std::move(request);
}

}  // namespace

std::string save(const MapAnswer& answer) {
  Saver save;
  const Problem& problem = answer.result.given();
  save_head(save, problem.arch());
  save(write_workload(problem.workload()), answer.constraints, answer.options, answer.stopped,
       answer.why_not, answer.result);
  return save.take();
}

MapAnswer load_map(std::string_view bytes) {
  Loader load(bytes);
  const Arch arch = load_head(load);
  const Workload workload = workload_from_yaml(load_text(load));
  const std::string constraints = load_text(load);
  MapOptions options;
  load(options);
  const Problem problem(workload, arch, options.conventions);
  Diagnostics diagnostics;
  MapAnswer answer{options, constraints, {}, false, ""};
  answer.result.request =
      checked(read_request(options, arch, OptionStyle::kPython, diagnostics), diagnostics);
  PlacedConstraints placed = read_placed(constraints, problem);
  answer.result.request.constraints = std::move(placed.constraints);
  answer.result.request.constraint_places = std::move(placed.places);
  const std::span<const Constraint> obeyed = answer.result.request.constraints;
  answer.result.space = make_space(problem, options.space, obeyed,
                                   read_placement(options.placement, problem, obeyed).placement);
  load(answer.stopped, answer.why_not, answer.result);
  return answer;
}

std::string save(const PlanAnswer& answer) {
  Saver save;
  const PlanResult& result = answer.result;
  const Plan& plan = result.plan;
  save_head(save, result.arch);
  save(write_network(result.network), answer.constraints, answer.options, answer.stopped,
       result.status, plan.solved.size());
  for (const Solved& solved : plan.solved) {
    // With edges on chip a layer sees less of the accelerator.
    const Problem& problem = *solved.problem;
    save(problem.arch() == result.arch ? std::string() : write_arch(problem.arch()),
         write_workload(problem.workload()));
    Solved copy = solved;
    solved_fields(save, copy);
  }
  save(plan.layers, plan.resident, plan.buffer, plan.totals, plan.seconds);
  return save.take();
}

PlanAnswer load_plan(std::string_view bytes) {
  Loader load(bytes);
  Arch arch = load_head(load);
  Network network = network_from_yaml(load_text(load));
  std::string constraints = load_text(load);
  NetOptions options;
  load(options);
  Diagnostics diagnostics;
  std::vector<LayerConstraints> read = read_placed(constraints, network, arch, options.strict);
  PlanRequest request =
      checked(read_request(options, OptionStyle::kPython, diagnostics), diagnostics);
  PlanAnswer answer{options, std::move(constraints),
                    PlanResult{std::move(request), std::move(network), std::move(arch), {}, {}},
                    std::move(read), false};
  std::size_t solved = 0;
  load(answer.stopped, answer.result.status, solved);
  Plan& plan = answer.result.plan;
  for (; solved > 0; --solved) {
    const std::string own = load_text(load);
    const Workload workload = workload_from_yaml(load_text(load));
    Solved one;
    one.problem = std::make_shared<const Problem>(
        workload, own.empty() ? answer.result.arch : arch_from_yaml(own), options.conventions);
    solved_fields(load, one);
    plan.solved.push_back(std::move(one));
  }
  load(plan.layers, plan.resident, plan.buffer, plan.totals, plan.seconds);
  return answer;
}

}  // namespace tilewright::python
