// SPDX-License-Identifier: Apache-2.0
#include "tilewright/answers/map_options.h"

#include <algorithm>
#include <utility>

#include "tilewright/answers/limits.h"
#include "tilewright/base/error.h"
#include "tilewright/base/text/nearest.h"
#include "tilewright/base/text/printable.h"

namespace tilewright {
namespace {

// False, with a finding, if `word` is none of `names`. The command line checks that by itself.
bool is_one_of(const std::string& option, const std::string& word,
               const std::vector<std::string>& names, Diagnostics& diagnostics) {
  if (std::ranges::find(names, word) != names.end()) return true;
  Diagnostic& found = diagnostics.error("C0012", in_backticks(option) + ": " + in_backticks(word) +
                                                     " is not one of " + join_names(names, "and"));
  if (const auto meant = nearest(word, names)) {
    found.helps.push_back("did you mean `" + *meant + "`?");
  }
  return false;
}

// What both kinds of requests have.
template <typename Options, typename Request>
void read_common(const Options& options, OptionStyle style, Request& request,
                 Diagnostics& diagnostics) {
  const auto name = [&](const char* option) { return option_name(style, option); };
  if (is_one_of(name("space"), options.space, space_names(), diagnostics)) {
    request.space = options.space;
  }
  request.placement = options.placement;
  if (is_one_of(name("mapper"), options.mapper, mapper_names(), diagnostics)) {
    request.mapper = mapper_by_name(options.mapper);
  }
  std::string why;
  if (const auto objective = parse_objective(options.objective, why)) {
    request.objective = {options.objective, *objective};
  } else {
    diagnostics.error("C0012", in_backticks(name("objective")) + ": " + why);
  }
  if (!options.memory.empty()) {
    request.max_memory = parse_memory(options.memory, style, diagnostics).value_or(0);
  }
  if (!options.gap.empty()) {
    request.gap = parse_share_option("gap", options.gap, style, diagnostics).value_or(0);
  }
  request.seed = options.seed.value_or(request.seed);
  if (options.threads < 0) {
    diagnostics.error("C0012", in_backticks(name("threads")) + " is less than 0")
        .helps.emplace_back("0 is as many as the machine allows");
  }
  request.threads = options.threads;
}

template <typename Request>
std::optional<Request> checked(Request request, OptionStyle style, Diagnostics& diagnostics) {
  report_faults(find_request_faults(request, option_prefix(style)), diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  return request;
}

void set(RunRecord& run, const char* name, bool given, OptionValue value) {
  if (given) run.options[name] = std::move(value);
}

// Options whose default may change are always there; the others if they were given.
template <typename Options>
void record_common(const Options& options, RunRecord& run) {
  set(run, "space", true, options.space);
  set(run, "placement", options.placement != "even", options.placement);
  set(run, "mapper", true, options.mapper);
  set(run, "objective", true, options.objective);
  set(run, "budget", !options.budget.empty(), options.budget);
  set(run, "memory", !options.memory.empty(), options.memory);
  set(run, "gap", !options.gap.empty(), options.gap);
}

}  // namespace

std::optional<MapRequest> read_request(const MapOptions& options, const Arch& arch,
                                       OptionStyle style, Diagnostics& diagnostics) {
  MapRequest request;
  read_common(options, style, request, diagnostics);
  for (const std::string& text : options.caps) {
    if (const auto cap = parse_cap(text, arch, style, diagnostics)) request.caps.push_back(*cap);
  }
  if (!options.budget.empty()) {
    if (const auto budget = parse_budget(options.budget, request.mapper, style, diagnostics)) {
      request.max_seconds = budget->seconds;
      request.max_seen = budget->mappings;
      request.max_nodes = budget->nodes;
    }
  }
  if (!options.within.empty()) {
    request.within = parse_share_option("within", options.within, style, diagnostics).value_or(0);
  }
  request.top = options.top;
  request.front = options.front;
  request.why = options.why;
  request.proof = options.proof;
  request.trace = options.trace;
  request.patience = options.patience.value_or(request.patience);
  return checked(std::move(request), style, diagnostics);
}

RunRecord make_record(const MapOptions& options, const RunInputs& inputs, const MapResult& mapped,
                      bool stopped) {
  const MapRequest& request = mapped.request;
  RunRecord run = make_record("map", inputs, options.conventions);
  const bool timed = request.max_seconds > 0 &&
                     (mapped.search.ending != Ending::kExhausted || request.why || request.within);
  const bool filled = mapped.search.ending == Ending::kMemory;
  run.repeatable = !timed && !filled && !stopped;
  record_common(options, run);
  const bool random = request.mapper == Mapper::kRandom;
  set(run, "seed", random || request.mapper == Mapper::kLocal, std::uint64_t{request.seed});
  set(run, "patience", random, std::uint64_t{request.patience});
  set(run, "cap", !options.caps.empty(), options.caps);
  set(run, "top", options.top > 1, static_cast<std::uint64_t>(options.top));
  set(run, "front", options.front, true);
  set(run, "within", !options.within.empty(), options.within);
  set(run, "why", options.why, true);
  // The number of threads decides one thing only: whether the nodes are counted in the result.
  const bool optimal = request.mapper == Mapper::kOptimal;
  set(run, "threads", optimal && mapped.counts_repeat() && request.max_nodes == 0,
      std::uint64_t{1});
  return run;
}

std::optional<PlanRequest> read_request(const NetOptions& options, OptionStyle style,
                                        Diagnostics& diagnostics) {
  PlanRequest request;
  read_common(options, style, request, diagnostics);
  request.conventions = options.conventions;
  request.keep_on_chip = options.keep_on_chip;
  if (!options.budget.empty()) {
    if (const auto budget = parse_budget(options.budget, request.mapper, style, diagnostics)) {
      request.seconds_per_layer = budget->seconds;
      request.max_nodes = budget->nodes;
    }
  }
  return checked(std::move(request), style, diagnostics);
}

// A plan counts no nodes, so threads never matter.
RunRecord make_record(const NetOptions& options, const RunInputs& inputs, const PlanResult& planned,
                      bool stopped) {
  const PlanRequest& request = planned.request;
  RunRecord run = make_record("net", inputs, options.conventions);
  record_common(options, run);
  set(run, "seed", request.mapper == Mapper::kLocal, std::uint64_t{request.seed});
  set(run, "keep-on-chip", options.keep_on_chip, true);
  set(run, "strict", options.strict, true);
  set(run, "fuse", !options.fuse.empty(), options.fuse);
  const bool timed = request.seconds_per_layer > 0;
  const bool limited = std::ranges::any_of(planned.plan.solved, [&](const Solved& solved) {
    return solved.ending == Ending::kMemory || (timed && solved.ending != Ending::kExhausted);
  });
  run.repeatable = !limited && !stopped;
  return run;
}

std::function<FittingConstraints(const Problem&)> constraints_of_layers(
    std::span<const LayerConstraints> read) {
  return [read](const Problem& problem) {
    const LayerConstraints* known = find_layer_constraints(read, problem.workload());
    TW_CHECK(known != nullptr, "the constraints of every layer have been read");
    FittingConstraints fitting{known->constraints, {}};
    for (const UnfitConstraint& unfit : known->unfit) fitting.without.push_back(unfit.words);
    return fitting;
  };
}

void report_faults(std::span<const RequestFault> faults, Diagnostics& diagnostics) {
  for (const RequestFault& fault : faults) {
    diagnostics.error("C0012", fault.text).helps.push_back(fault.help);
  }
}

}  // namespace tilewright
