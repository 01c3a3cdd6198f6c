// SPDX-License-Identifier: Apache-2.0
#include "tilewright/cli/commands/map_run.h"

#include <fmt/format.h>

#include <utility>

#include "tilewright/advice/conflict_text.h"
#include "tilewright/advice/not_found_text.h"
#include "tilewright/base/error.h"
#include "tilewright/base/text/printable.h"
#include "tilewright/cli/input/inputs.h"
#include "tilewright/cli/input/results.h"
#include "tilewright/cli/input/wishes.h"
#include "tilewright/cli/run.h"
#include "tilewright/cli/searching.h"
#include "tilewright/format/number_text.h"
#include "tilewright/html/page.h"
#include "tilewright/io/write.h"
#include "tilewright/report/mapping/evaluation_text.h"
#include "tilewright/report/search/alternatives_text.h"
#include "tilewright/report/search/mapspace_text.h"
#include "tilewright/report/search/search_text.h"
#include "tilewright/report/search/why_text.h"
#include "tilewright/result/json/proof_json.h"
#include "tilewright/result/tile_table.h"

namespace tilewright {
namespace {

std::string stage_text(const MapProgress& progress) {
  switch (progress.stage) {
    case MapProgress::Stage::kSearch:
      return "";
    case MapProgress::Stage::kSimpler:
      return "simpler: ";
    case MapProgress::Stage::kWhy:
      break;
  }
  return fmt::format("why, search {}: ", progress.number);
}

int exit_code_of(Status status) {
  switch (status) {
    case Status::kProved:
    case Status::kWithinGap:
    case Status::kNotProved:
      return kOk;
    case Status::kInfeasible:
      return kIllegal;
    case Status::kContradictory:
      return kContradiction;
    case Status::kNotFound:
      break;
  }
  return kNotFound;
}

}  // namespace

void MapRun::run() {
  if (!read_request()) return;
  if (session_.console().catch_interrupts != nullptr) session_.console().catch_interrupts();
  const MapResult mapped = search();
  if (mapped.witness && !mapped.size) {
    session_.note("note: stopped before the mappings were counted");
  }
  if (mapped.witness) note_effort(mapped);
  if (mapped.search.best) {
    show_best(mapped);
  } else {
    show_nothing(mapped);
  }
}

// False, with findings shown, if an option cannot be read or met.
bool MapRun::read_request() {
  Diagnostics diagnostics;
  request_.space = options_.space;
  request_.mapper = mapper_by_name(options_.mapper);
  request_.objective = named_objective(options_.objective);
  for (const std::string& text : options_.caps) {
    if (const auto cap = parse_cap(text, *documents_.arch, diagnostics)) {
      request_.caps.push_back(*cap);
    }
  }
  request_.constraints = documents_.constraints;
  request_.constraint_places = constraint_places(documents_);
  read_limits(diagnostics);
  request_.top = options_.top;
  request_.front = options_.front;
  request_.why = options_.why;
  request_.proof = !options_.proof.empty();
  request_.trace = options_.trace;
  request_.seed = options_.seed.value_or(request_.seed);
  request_.patience = options_.patience.value_or(request_.patience);
  request_.threads = options_.threads;
  request_.stop = session_.console().interrupted;
  report_faults(find_request_faults(request_, "--"), diagnostics);
  session_.show(diagnostics);
  if (diagnostics.has_errors()) session_.exit_code = kUsageError;
  if (!diagnostics.has_errors()) note_ignored();
  return !diagnostics.has_errors();
}

void MapRun::read_limits(Diagnostics& diagnostics) {
  if (!options_.budget.empty()) {
    if (const auto budget = parse_budget(options_.budget, request_.mapper, diagnostics)) {
      request_.max_seconds = budget->seconds;
      request_.max_seen = budget->mappings;
      request_.max_nodes = budget->nodes;
    }
  }
  if (!options_.gap.empty()) {
    request_.gap = parse_share_option("--gap", options_.gap, diagnostics).value_or(0);
  }
  if (!options_.within.empty()) {
    request_.within = parse_share_option("--within", options_.within, diagnostics).value_or(0);
  }
}

// What only searches need that draw.
void MapRun::note_ignored() {
  const auto ignored = [&](const char* option) {
    session_.note(
        fmt::format("note: `{}` has no effect with the {} mapper", option, options_.mapper));
  };
  const bool random = request_.mapper == Mapper::kRandom;
  if (options_.seed && !random && request_.mapper != Mapper::kLocal) ignored("--seed");
  if (options_.patience && !random) ignored("--patience");
  if (documents_.has_mapping_section) {
    session_.note("note: the mapping in the files is not used; `map` searches for one");
  }
}

MapResult MapRun::search() {
  ProgressLine line(session_, request_.mapper, options_.objective);
  if (line.visible()) {
    request_.progress = [&](const MapProgress& progress) {
      line.set_start(stage_text(progress));
      line.show(progress.search);
    };
  }
  request_.counted = [this](const SpaceCount& count) { echo_constraints(count); };
  return map(*documents_.problem, request_);
}

void MapRun::echo_constraints(const SpaceCount& count) {
  if (count.effects.empty()) return;
  TextOptions text;
  text.color = session_.error_color();
  const auto effects = name_effects(*documents_.problem, request_.constraints,
                                    request_.constraint_places, count.effects);
  const SpaceKind kind = kind_of_space(request_.space);
  std::string echo = constraints_text(std::string(space_name(kind)), effects, text);
  echo.pop_back();
  session_.note(echo);
}

// Not part of the result, because it differs from run to run.
void MapRun::note_effort(const MapResult& mapped) {
  if (request_.mapper == Mapper::kOptimal) {
    session_.note(fmt::format("optimal search: {} nodes, {:.2f} s",
                              count_text(Natural(mapped.search.nodes)), mapped.seconds));
  }
  const bool asked = request_.within || request_.why;
  if (asked && mapped.search.best && mapped.status != Status::kProved) {
    session_.note("note: `--within` and `--why` compare with a proved best; there is none yet");
  }
}

// Options whose default may change are always there; the others if they were given.
RunRecord MapRun::record(const MapResult& mapped) const {
  RunRecord run = make_record(session_, "map", options_.conventions);
  const bool timed = request_.max_seconds > 0 && (mapped.search.ending != Ending::kExhausted ||
                                                  request_.why || request_.within);
  const bool stopped = request_.stop != nullptr && request_.stop->load();
  run.repeatable = !timed && !stopped;
  const auto set = [&](const char* name, bool given, OptionValue value) {
    if (given) run.options[name] = std::move(value);
  };
  set("space", true, options_.space);
  set("mapper", true, options_.mapper);
  set("objective", true, options_.objective);
  const bool random = request_.mapper == Mapper::kRandom;
  set("seed", random || request_.mapper == Mapper::kLocal, std::uint64_t{request_.seed});
  set("patience", random, std::uint64_t{request_.patience});
  set("cap", !options_.caps.empty(), options_.caps);
  set("budget", !options_.budget.empty(), options_.budget);
  set("gap", !options_.gap.empty(), options_.gap);
  set("top", options_.top > 1, static_cast<std::uint64_t>(options_.top));
  set("front", options_.front, true);
  set("within", !options_.within.empty(), options_.within);
  set("why", options_.why, true);
  // The number of threads decides one thing only: whether the nodes are counted in the result.
  const bool optimal = request_.mapper == Mapper::kOptimal;
  set("threads", optimal && mapped.counts_repeat() && request_.max_nodes == 0, std::uint64_t{1});
  return run;
}

void MapRun::show_best(const MapResult& mapped) {
  const Found& best = mapped.shown();
  const Problem& problem = mapped.best_problem();
  Evaluated evaluated{problem, best.mapping, best.evaluation, request_.objective};
  const bool wanted = options_.json || !options_.result.empty();
  const std::string json =
      wanted ? search_json(mapped, evaluated, program_version(), record(mapped)) : "";
  if (options_.json) {
    session_.out() << json;
  } else if (options_.csv == "-") {
    session_.out() << tiles_csv(problem, best.mapping);
  } else {
    const TextOptions text = session_.text_options();
    if (options_.objective == "edp") evaluated.objective.reset();  // every report has it
    session_.out() << search_text(mapped, text) << padding_text(mapped.given(), problem, text);
    for (const std::string& section : {why_text(mapped, text), alternatives_text(mapped, text),
                                       evaluation_text(evaluated, text)}) {
      if (!section.empty()) session_.out() << "\n" << section;
    }
  }
  save_result(session_, options_.result, json);
  if (!options_.output.empty()) save(mapped);
  if (!options_.csv.empty() && options_.csv != "-") {
    session_.save_file(options_.csv, tiles_csv(problem, best.mapping));
  }
  if (!options_.proof.empty()) save_proof(mapped);
  if (!options_.html.empty()) {
    const SearchTrace* trace = options_.trace ? &mapped.trace : nullptr;
    session_.save_file(options_.html, mapping_page(evaluated, {program_version(), &mapped}, trace));
  }
}

void MapRun::show_nothing(const MapResult& mapped) {
  Diagnostics diagnostics;
  if (mapped.conflict) {
    const ConflictSetting setting{mapped.given(), mapped.space.kind, request_.constraints,
                                  documents_.arch_source, documents_.constraint_source};
    report_conflict(setting, *mapped.conflict, diagnostics);
  } else if (mapped.status == Status::kInfeasible) {
    std::vector<Span> places;
    for (const std::string& text : options_.caps) places.push_back(cap_place(text));
    report_caps(mapped, places, diagnostics);
  } else {
    report_not_found(mapped, diagnostics);
  }
  session_.show(diagnostics);
  session_.exit_code = exit_code_of(mapped.status);
}

void MapRun::save(const MapResult& mapped) {
  const Problem& problem = mapped.best_problem();
  const Mapping& mapping = mapped.shown().mapping;
  const bool nest = ends_with_ignoring_case(options_.output, ".nest");
  const bool padded = mapped.problem != 0;
  std::string text = nest ? write_nest(problem, mapping) : write_mapping(problem, mapping);
  if (padded && !nest) text = write_workload(problem.workload()) + text;
  if (!session_.save_file(options_.output, text)) return;
  if (padded && nest) {
    session_.note("note: it is a mapping of the padded workload; `-o FILE.yaml` writes both");
  }
}

void MapRun::save_proof(const MapResult& mapped) {
  if (mapped.search.ending != Ending::kExhausted) {
    session_.note("note: no proof is written, because the best mapping is not proved");
    return;
  }
  session_.save_file(options_.proof, proof_json(mapped));
}

}  // namespace tilewright
