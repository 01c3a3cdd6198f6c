// SPDX-License-Identifier: Apache-2.0
#include "tilewright/cli/map_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tilewright/advice/conflict_text.h"
#include "tilewright/base/error.h"
#include "tilewright/base/stop.h"
#include "tilewright/base/text/printable.h"
#include "tilewright/cli/inputs.h"
#include "tilewright/cli/results.h"
#include "tilewright/cli/run.h"
#include "tilewright/cli/wishes.h"
#include "tilewright/format/number_text.h"
#include "tilewright/html/page.h"
#include "tilewright/io/write.h"
#include "tilewright/mapspace/feasibility/conflict.h"
#include "tilewright/mapspace/feasibility/feasible.h"
#include "tilewright/model/evaluate.h"
#include "tilewright/report/mapping/evaluation_text.h"
#include "tilewright/report/search/alternatives_text.h"
#include "tilewright/report/search/not_found_text.h"
#include "tilewright/report/search/why_text.h"
#include "tilewright/result/json/proof_json.h"
#include "tilewright/result/tile_table.h"
#include "tilewright/search/questions/gain.h"
#include "tilewright/search/questions/gap.h"
#include "tilewright/search/questions/simplest.h"

namespace tilewright {
namespace {

constexpr std::uint64_t kBarrenPerPatience = 1000;
constexpr int kCountableBits = 62;  // more mappings than that nobody goes through
constexpr int kMostSimplerSearches = 500;

Objective objective_of(const Cap& cap) {
  const char* name = cap.figure == Cap::Figure::kEnergy   ? "energy"
                     : cap.figure == Cap::Figure::kCycles ? "latency"
                                                          : "traffic";
  return *objective_by_name(name);
}

}  // namespace

MapRun::MapRun(const MapOptions& options, const Documents& documents, Session& session)
    : options_(options),
      documents_(documents),
      session_(session),
      mapper_(mapper_by_name(options.mapper)) {}

void MapRun::run() {
  if (!read_wishes()) return;
  if (session_.console().catch_interrupts != nullptr) session_.console().catch_interrupts();
  space_ = make_space(*documents_.problem, options_.space);
  if (!find_first()) return;
  count();
  if (refuse_exhaustive()) return;
  trace_.objective = options_.objective;
  SpaceSearch found = search(wishes_.objective, wishes_.caps, options_.trace ? &trace_ : nullptr);
  offer_first(found);
  note_effort(found.result);
  if (found.result.best) {
    show_best(found);
  } else {
    show_nothing(found);
  }
}

// The options that are more than a word; false, with findings shown, if one cannot be read.
bool MapRun::read_wishes() {
  Diagnostics diagnostics;
  std::string why;
  const std::optional<Objective> objective = parse_objective(options_.objective, why);
  TW_CHECK(objective.has_value(), "the command line checked the objective");
  wishes_.objective = *objective;
  for (const std::string& text : options_.caps) {
    if (const auto cap = parse_cap(text, *documents_.arch, diagnostics)) {
      wishes_.caps.push_back(*cap);
    }
  }
  read_limits(diagnostics);
  wishes_.threads = options_.threads;
  read_luck();
  wishes_.stop = session_.console().interrupted;
  wishes_.top = options_.top;
  wishes_.front = options_.front;
  wishes_.proof = !options_.proof.empty();
  session_.show(diagnostics);
  if (diagnostics.has_errors()) session_.exit_code = kUsageError;
  return !diagnostics.has_errors();
}

void MapRun::read_limits(Diagnostics& diagnostics) {
  refuse_misfits(diagnostics);
  refuse_proof(diagnostics);
  if (!options_.budget.empty()) {
    if (const auto budget = parse_budget(options_.budget, mapper_, diagnostics)) {
      wishes_.max_seconds = budget->seconds;
      wishes_.max_seen = budget->mappings;
      wishes_.max_nodes = budget->nodes;
    }
  }
  if (!options_.gap.empty()) {
    wishes_.gap = parse_share_option("--gap", options_.gap, diagnostics).value_or(0);
  }
  if (!options_.within.empty()) {
    within_ = parse_share_option("--within", options_.within, diagnostics).value_or(0);
  }
}

// What searches need that draw.
void MapRun::read_luck() {
  const auto ignored = [&](const char* option) {
    session_.note(
        fmt::format("note: `{}` means nothing to the {} mapper", option, options_.mapper));
  };
  const bool random = mapper_ == Mapper::kRandom;
  if (options_.seed && !random && mapper_ != Mapper::kLocal) ignored("--seed");
  if (options_.patience && !random) ignored("--patience");
  wishes_.seed = options_.seed.value_or(wishes_.seed);
  wishes_.patience = options_.patience.value_or(wishes_.patience);
  const bool huge = wishes_.patience > ~std::uint64_t{0} / kBarrenPerPatience;
  wishes_.barren = huge ? 0 : wishes_.patience * kBarrenPerPatience;
}

// Options that only an optimal search can follow.
void MapRun::refuse_misfits(Diagnostics& diagnostics) const {
  if (mapper_ == Mapper::kOptimal) return;
  const std::pair<const char*, bool> wishes[] = {
      {"--gap", !options_.gap.empty()}, {"--top", options_.top > 1},
      {"--front", options_.front},      {"--within", !options_.within.empty()},
      {"--why", options_.why},          {"--proof", !options_.proof.empty()}};
  for (const auto& [name, wished] : wishes) {
    if (!wished) continue;
    diagnostics
        .error("C0012", fmt::format("`{}` needs a proof, which the {} mapper does not give", name,
                                    options_.mapper))
        .helps.emplace_back("`--mapper optimal`, which is the default");
  }
}

// A proof is that of one best mapping of one space.
void MapRun::refuse_proof(Diagnostics& diagnostics) const {
  if (options_.proof.empty()) return;
  const std::pair<const char*, bool> others[] = {{"--space pad", options_.space == "pad"},
                                                 {"--cap", !options_.caps.empty()},
                                                 {"--gap", !options_.gap.empty()},
                                                 {"--top", options_.top > 1},
                                                 {"--front", options_.front}};
  for (const auto& [name, wished] : others) {
    if (!wished) continue;
    diagnostics
        .error("C0012",
               fmt::format("`--proof` is for one best mapping of one space, not for `{}`", name))
        .helps.push_back(fmt::format("leave out `{}`", name));
  }
}

// False, with the reason shown, if no mapping exists at any size of the workload, or Ctrl-C came
// before that was known.
bool MapRun::find_first() {
  try {
    for (std::size_t i = 0; i < space_.problems.size() && !first_; ++i) {
      const Problem& problem = space_.problems[i];
      const Rules rules = make_rules(problem, space_.kind, documents_.constraints);
      if (auto mapping = find_feasible(problem, rules, wishes_.stop)) {
        first_ = SpaceFound{Found{std::move(*mapping), {}, 0}, i};
      }
    }
    if (!first_) report_conflict();
  } catch (const StoppedError&) {
    Diagnostics diagnostics;
    diagnostics.error("M0303",
                      "the user stopped it (Ctrl-C) before it was known whether a mapping exists");
    session_.show(diagnostics);
    session_.exit_code = kNotFound;
    return false;
  }
  return first_.has_value();
}

// Why no mapping exists at the given size: padding does not help, or a mapping would have been
// found.
void MapRun::report_conflict() {
  const auto conflict =
      find_conflict(space_.given(), space_.kind, documents_.constraints, wishes_.stop);
  TW_CHECK(conflict.has_value(), "a problem without a mapping has a conflict");
  Diagnostics diagnostics;
  const ConflictSetting setting{space_.given(), space_.kind, documents_.constraints,
                                documents_.arch_source, documents_.constraint_source};
  tilewright::report_conflict(setting, *conflict, diagnostics);
  session_.show(diagnostics);
  session_.exit_code = conflict->among_constraints ? kContradiction : kIllegal;
}

// How many mappings there are, and what the constraints take from them. Ctrl-C leaves that open.
void MapRun::count() {
  try {
    size_ = count_mappings(space_, documents_.constraints, wishes_.stop);
    echo_constraints();
  } catch (const StoppedError&) {
    session_.note("note: stopped before the mappings were counted");
  }
}

// Ctrl-C before the search had a mapping: the one that showed that there is any.
void MapRun::offer_first(SpaceSearch& found) const {
  const bool nothing = !found.result.best && found.result.ending == Ending::kStopped;
  if (!nothing || !wishes_.caps.empty()) return;
  const Problem& problem = space_.problems[first_->problem];
  Found first = first_->found;
  first.evaluation = evaluate(problem, first.mapping);
  first.score = score(wishes_.objective, first.evaluation);
  found.result.best = std::move(first);
  found.problem = first_->problem;
}

void MapRun::echo_constraints() {
  if (documents_.has_mapping_section) {
    session_.note("note: the mapping in the files is not used; `map` looks for one");
  }
  effects_ = find_effects(documents_, space_.kind, wishes_.stop);
  if (effects_.empty()) return;
  TextOptions text;
  text.color = session_.error_color();
  std::string echo = constraints_text(std::string(space_name(space_.kind)), effects_, text);
  echo.pop_back();
  session_.note(echo);
}

// True, with the reason shown, if all mappings are to be seen and that cannot be.
bool MapRun::refuse_exhaustive() {
  if (mapper_ != Mapper::kExhaustive || !size_) return false;
  Diagnostics diagnostics;
  if (size_->bits() > kCountableBits) {
    diagnostics
        .error("C0012",
               fmt::format("{} mappings cannot be gone through one by one", power_text(*size_)))
        .helps.emplace_back("`--mapper optimal`, or constraints that leave fewer");
  } else if (wishes_.max_seen > 0 &&
             !(is_countable(space_) && *size_ <= Natural(wishes_.max_seen))) {
    diagnostics
        .error("C0012",
               "an exhaustive search has no budget in mappings: it would see only the first")
        .helps.emplace_back("`--mapper random`, or a budget in seconds: `--budget 10s`");
  }
  session_.show(diagnostics);
  if (diagnostics.has_errors()) session_.exit_code = kUsageError;
  return diagnostics.has_errors();
}

SpaceSearch MapRun::search(const Objective& objective, const std::vector<Cap>& caps,
                           SearchTrace* trace) const {
  SearchOptions options = wishes_;
  options.objective = objective;
  options.caps = caps;
  ProgressLine line(session_, mapper_, options_.objective);
  if (line.visible() || trace != nullptr) {
    options.progress = [&](const Progress& progress) {
      if (line.visible()) line.show(progress);
      if (trace != nullptr) trace->add(progress);
    };
  }
  const double start = seconds_used();
  SpaceSearch found;
  found.result.ending = Ending::kStopped;
  if (wishes_.stop != nullptr && wishes_.stop->load()) return found;
  found = search_space(space_, documents_.constraints, mapper_, options);
  if (trace != nullptr && found.result.best) {
    trace->add(TracePoint{seconds_used() - start, found.result.best->score, found.result.bound});
  }
  return found;
}

// Not part of the result, because it differs from run to run.
void MapRun::note_effort(const SearchResult& result) {
  if (mapper_ != Mapper::kOptimal) return;
  session_.note(fmt::format("optimal search: {} nodes, {:.2f} s", count_text(Natural(result.nodes)),
                            seconds_used()));
}

// How many nodes an optimal search visits depends on which thread is first.
bool MapRun::repeatable() const {
  return mapper_ != Mapper::kOptimal || wishes_.max_nodes > 0 || wishes_.threads == 1;
}

// Options whose default may change are always there; the others if they were given.
RunRecord MapRun::record(const SpaceSearch& found) const {
  RunRecord run = make_record(session_, "map", options_.conventions);
  const bool timed = wishes_.max_seconds > 0 && (found.result.ending != Ending::kExhausted ||
                                                 options_.why || !options_.within.empty());
  const bool stopped = wishes_.stop != nullptr && wishes_.stop->load();
  run.repeatable = !timed && !stopped;
  const auto set = [&](const char* name, bool given, OptionValue value) {
    if (given) run.options[name] = std::move(value);
  };
  set("space", true, options_.space);
  set("mapper", true, options_.mapper);
  set("objective", true, options_.objective);
  const bool random = mapper_ == Mapper::kRandom;
  set("seed", random || mapper_ == Mapper::kLocal, std::uint64_t{wishes_.seed});
  set("patience", random, std::uint64_t{wishes_.patience});
  set("cap", !options_.caps.empty(), options_.caps);
  set("budget", !options_.budget.empty(), options_.budget);
  set("gap", !options_.gap.empty(), options_.gap);
  set("top", options_.top > 1, static_cast<std::uint64_t>(options_.top));
  set("front", options_.front, true);
  set("within", !options_.within.empty(), options_.within);
  set("why", options_.why, true);
  // The number of threads decides one thing only: whether the nodes are counted in the result.
  set("threads", mapper_ == Mapper::kOptimal && repeatable() && wishes_.max_nodes == 0,
      std::uint64_t{1});
  return run;
}

Searched MapRun::searched(const SpaceSearch& found) const {
  Searched all{.given = space_.given(),
               .result = found.result,
               .space = space_.name,
               .size = size_.value_or(Natural()),
               .sized = size_.has_value(),
               .sizes = static_cast<std::int64_t>(space_.problems.size()),
               .counted = is_countable(space_),
               .mapper = mapper_,
               .seed = wishes_.seed,
               .patience = wishes_.patience,
               .objective = options_.objective,
               .caps = options_.caps,
               .constraints = effects_,
               .gap = wishes_.gap,
               .repeatable = repeatable(),
               .front = wishes_.front};
  if (wishes_.top > 1 || wishes_.front) {
    for (const SpaceFound& answer : found.answers) {
      all.alternatives.push_back({space_.problems[answer.problem], answer.found});
    }
  }
  return all;
}

void MapRun::show_best(const SpaceSearch& found) {
  Searched all = searched(found);
  look_further(found, all);
  const Found& best = all.simple ? all.simple->result.found : *found.result.best;
  const Problem& problem = space_.problems[found.problem];
  Evaluated evaluated{problem, best.mapping, best.evaluation,
                      NamedObjective{options_.objective, wishes_.objective}};
  const bool wanted = options_.json || !options_.result.empty();
  const std::string json =
      wanted ? search_json(all, evaluated, program_version(), record(found)) : "";
  if (options_.json) {
    session_.out() << json;
  } else if (options_.csv == "-") {
    session_.out() << tiles_csv(problem, best.mapping);
  } else {
    const TextOptions text = session_.text_options();
    if (options_.objective == "edp") evaluated.objective.reset();  // every report has it
    session_.out() << search_text(all, text) << padding_text(space_.given(), problem, text);
    for (const std::string& section :
         {why_text(all, text), alternatives_text(all, text), evaluation_text(evaluated, text)}) {
      if (!section.empty()) session_.out() << "\n" << section;
    }
  }
  save_result(session_, options_.result, json);
  if (!options_.output.empty()) save(problem, best.mapping);
  if (!options_.csv.empty() && options_.csv != "-") {
    session_.save_file(options_.csv, tiles_csv(problem, best.mapping));
  }
  if (!options_.proof.empty()) save_proof(found);
  if (!options_.html.empty()) save_page(all, evaluated);
}

void MapRun::save_page(const Searched& all, const Evaluated& evaluated) {
  const SearchTrace* trace = options_.trace ? &trace_ : nullptr;
  session_.save_file(options_.html, mapping_page(evaluated, {program_version(), &all}, trace));
}

void MapRun::save_proof(const SpaceSearch& found) {
  if (found.result.ending != Ending::kExhausted) {
    session_.note("note: no proof is written, for the best is not proved");
    return;
  }
  const Problem& problem = space_.problems[found.problem];
  const std::string text =
      proof_json(problem, documents_.constraints, space_.kind, wishes_, found.result);
  session_.save_file(options_.proof, text);
}

// What takes more searches, once the best is proved.
void MapRun::look_further(const SpaceSearch& found, Searched& all) {
  if (options_.within.empty() && !options_.why) return;
  if (!is_proved(found.result)) {
    session_.note("note: `--within` and `--why` compare with a proved best; there is none yet");
    return;
  }
  if (!options_.within.empty()) all.simple = find_simple(found);
  if (options_.why) all.why = find_why(*found.result.best);
}

double MapRun::seconds_used() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

// Of the budget; a little if there is nothing left, for 0 is no limit.
double MapRun::seconds_left() const {
  if (wishes_.max_seconds <= 0) return 0;
  return std::max(1e-3, wishes_.max_seconds - seconds_used());
}

Simple MapRun::find_simple(const SpaceSearch& found) {
  const Found& best = *found.result.best;
  const Problem& problem = space_.problems[found.problem];
  const Rules rules = make_rules(problem, space_.kind, documents_.constraints);
  SearchOptions options = wishes_;
  options.max_seconds = seconds_left();
  ProgressLine line(session_, mapper_, options_.objective, "simpler: ");
  if (line.visible()) {
    options.progress = [&](const Progress& progress) { line.show(progress); };
  }
  return {within_, measure_simplicity(rules, best.mapping),
          find_simplest(problem, rules, options, best, best.score * (1 + within_),
                        kMostSimplerSearches)};
}

Why MapRun::find_why(const Found& best) {
  const Question asked{space_.given(), documents_.constraints, wishes_.caps};
  int number = 0;
  const auto solve = [&](const Question& question) {
    SearchOptions options = wishes_;
    options.caps = question.caps;
    options.max_seconds = seconds_left();
    options.gap = 0;
    options.top = 1;
    options.front = false;
    ProgressLine line(session_, mapper_, options_.objective,
                      fmt::format("why, search {}: ", ++number));
    if (line.visible()) {
      options.progress = [&](const Progress& progress) { line.show(progress); };
    }
    return search_space(make_space(question.problem, space_.name), question.constraints, mapper_,
                        options)
        .result;
  };
  const auto ended = [&] {
    return (wishes_.stop != nullptr && wishes_.stop->load()) ||
           (wishes_.max_seconds > 0 && seconds_left() <= 1e-3);
  };
  return {best.score, find_gains(asked, best.score, solve, ended)};
}

void MapRun::save(const Problem& problem, const Mapping& mapping) {
  const bool nest = ends_with_ignoring_case(options_.output, ".nest");
  const bool padded = &problem != &space_.given();
  std::string text = nest ? write_nest(problem, mapping) : write_mapping(problem, mapping);
  if (padded && !nest) text = write_workload(problem.workload()) + text;
  if (!session_.save_file(options_.output, text)) return;
  if (padded && nest) {
    session_.note("note: it is a mapping of the padded workload; `-o FILE.yaml` writes both");
  }
}

void MapRun::show_nothing(const SpaceSearch& found) {
  const Searched all = searched(found);
  Diagnostics diagnostics;
  if (!is_proved(found.result)) {
    report_not_found(all, write_nest(space_.problems[first_->problem], first_->found.mapping),
                     diagnostics);
    session_.exit_code = kNotFound;
  } else if (wishes_.caps.empty()) {  // some fit, because there is no conflict
    throw OverflowError("no mapping that fits has costs below 2^63 and a score below 10^308");
  } else {
    report_caps(all, find_cap_bounds(), diagnostics);
    session_.exit_code = kIllegal;
  }
  session_.show(diagnostics);
}

// Searches once more for the least of each capped figure; leaves out what was cut short.
std::vector<CapBound> MapRun::find_cap_bounds() const {
  std::vector<CapBound> bounds;
  for (std::size_t i = 0; i < wishes_.caps.size(); ++i) {
    const Cap& cap = wishes_.caps[i];
    const SpaceSearch least = search(objective_of(cap), {}, nullptr);
    if (!least.result.best || least.result.ending != Ending::kExhausted) continue;
    bounds.push_back({cap, cap_place(options_.caps[i]), least.result.best->score});
  }
  return bounds;
}

}  // namespace tilewright
