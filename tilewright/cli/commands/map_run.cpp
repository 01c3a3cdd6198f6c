// SPDX-License-Identifier: Apache-2.0
#include "tilewright/cli/commands/map_run.h"

#include <fmt/format.h>

#include <utility>

#include "tilewright/advice/conflict_text.h"
#include "tilewright/answers/map_answer.h"
#include "tilewright/base/text/printable.h"
#include "tilewright/cli/input/inputs.h"
#include "tilewright/cli/input/results.h"
#include "tilewright/cli/searching.h"
#include "tilewright/format/number_text.h"
#include "tilewright/report/search/mapspace_text.h"
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
  if (!session_.can_write(
          {command_.output, command_.csv, command_.proof, command_.html, command_.result})) {
    return;
  }
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
  MapOptions options = command_.options;
  options.proof = !command_.proof.empty();
  auto request =
      tilewright::read_request(options, *documents_.arch, OptionStyle::kCommand, diagnostics);
  session_.show(diagnostics);
  if (!request) {
    session_.exit_code = kUsageError;
    return false;
  }
  request_ = *std::move(request);
  request_.constraints = documents_.constraints;
  request_.constraint_places = place_texts(documents_.constraint_source);
  request_.stop = session_.console().interrupted;
  note_ignored();
  return true;
}

// What only searches need that draw.
void MapRun::note_ignored() {
  const auto ignored = [&](const char* option) {
    session_.note(fmt::format("note: `{}` has no effect with the {} mapper", option,
                              command_.options.mapper));
  };
  const bool random = request_.mapper == Mapper::kRandom;
  if (command_.options.seed && !random && request_.mapper != Mapper::kLocal) ignored("--seed");
  if (command_.options.patience && !random) ignored("--patience");
  if (documents_.has_mapping_section) {
    session_.note("note: the mapping in the files is not used; `map` searches for one");
  }
}

MapResult MapRun::search() {
  ProgressLine line(session_, request_.mapper, request_.objective.name);
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
    if (mapped.search.best && mapped.search.ending == Ending::kBudget) {
      session_.note(
          "note: more time raises the bound; `--mapper local` has none, and may find a better "
          "mapping sooner");
    }
  }
  const bool asked = request_.within || request_.why;
  if (asked && mapped.search.best && mapped.status != Status::kProved) {
    session_.note("note: `--within` and `--why` compare with a proved best; there is none yet");
  }
}

void MapRun::show_best(const MapResult& mapped) {
  const Problem& problem = mapped.best_problem();
  std::string json;
  if (command_.json || !command_.result.empty()) {
    const bool stopped = request_.stop != nullptr && request_.stop->load();
    json = map_json(mapped, make_record(command_.options, inputs_of(session_), mapped, stopped));
  }
  const auto tiles = [&] { return tiles_csv(problem, mapped.shown().mapping); };
  session_.out() << (command_.json         ? json
                     : command_.csv == "-" ? tiles()
                                           : map_text(mapped, session_.text_options()));
  save_result(session_, command_.result, json);
  if (!command_.output.empty()) save(mapped);
  if (!command_.csv.empty() && command_.csv != "-") session_.save_file(command_.csv, tiles());
  if (!command_.proof.empty()) save_proof(mapped);
  if (!command_.html.empty()) session_.save_file(command_.html, map_page(mapped));
}

void MapRun::show_nothing(const MapResult& mapped) {
  Diagnostics diagnostics;
  report_no_mapping(mapped, documents_.arch_source, documents_.constraint_source,
                    OptionStyle::kCommand, diagnostics);
  session_.show(diagnostics);
  session_.exit_code = exit_code_of(mapped.status);
}

void MapRun::save(const MapResult& mapped) {
  const bool nest = ends_with_ignoring_case(command_.output, ".nest");
  if (!session_.save_file(command_.output, map_file(mapped, nest))) return;
  if (mapped.problem != 0 && nest) {
    session_.note("note: it is a mapping of the padded workload; `-o FILE.yaml` writes both");
  }
}

void MapRun::save_proof(const MapResult& mapped) {
  if (mapped.search.ending != Ending::kExhausted) {
    session_.note("note: no proof is written, because the best mapping is not proved");
    return;
  }
  session_.save_file(command_.proof, proof_json(mapped));
}

}  // namespace tilewright
