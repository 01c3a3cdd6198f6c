// SPDX-License-Identifier: Apache-2.0
#include "tilewright/answers/map_answer.h"

#include <vector>

#include "tilewright/advice/conflict_text.h"
#include "tilewright/advice/not_found_text.h"
#include "tilewright/answers/limits.h"
#include "tilewright/base/version.h"
#include "tilewright/html/page.h"
#include "tilewright/io/write.h"
#include "tilewright/report/mapping/evaluation_text.h"
#include "tilewright/report/search/alternatives_text.h"
#include "tilewright/report/search/search_text.h"
#include "tilewright/report/search/why_text.h"

namespace tilewright {
namespace {

Evaluated shown(const MapResult& mapped) {
  const Found& found = mapped.shown();
  return {mapped.best_problem(), found.mapping, found.evaluation, mapped.request.objective};
}

}  // namespace

std::string map_text(const MapResult& mapped, const TextOptions& options) {
  Evaluated best = shown(mapped);
  if (mapped.request.objective.name == "edp") best.objective.reset();  // every report has it
  std::string text =
      search_text(mapped, options) + padding_text(mapped.given(), best.problem, options);
  for (const std::string& section : {why_text(mapped, options), alternatives_text(mapped, options),
                                     evaluation_text(best, options)}) {
    if (!section.empty()) text += "\n" + section;
  }
  return text;
}

std::string map_json(const MapResult& mapped, const RunRecord& run) {
  return search_json(mapped, shown(mapped), program_version(), run);
}

std::string map_page(const MapResult& mapped) {
  return mapping_page(shown(mapped), {program_version(), &mapped},
                      mapped.request.trace ? &mapped.trace : nullptr);
}

std::string map_file(const MapResult& mapped, bool nest) {
  const Problem& problem = mapped.best_problem();
  const Mapping& mapping = mapped.shown().mapping;
  if (nest) return write_nest(problem, mapping);
  const bool padded = mapped.problem != 0;
  return (padded ? write_workload(problem.workload()) : "") + write_mapping(problem, mapping);
}

void report_no_mapping(const MapResult& mapped, const ArchSource& arch,
                       std::span<const Span> constraints, OptionStyle style,
                       Diagnostics& diagnostics) {
  if (mapped.conflict) {
    const ConflictSetting setting{mapped.given(), mapped.space.kind, mapped.request.constraints,
                                  arch, constraints};
    report_conflict(setting, *mapped.conflict, diagnostics);
  } else if (mapped.status == Status::kInfeasible) {
    std::vector<Span> places;
    for (const Cap& cap : mapped.request.caps) places.push_back(cap_place(cap.text, style));
    report_caps(mapped, places, diagnostics);
  } else {
    report_not_found(mapped, diagnostics);
  }
}

}  // namespace tilewright
