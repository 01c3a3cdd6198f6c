// SPDX-License-Identifier: Apache-2.0
#include "tilewright/advice/not_found_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tilewright/format/number_text.h"
#include "tilewright/io/write.h"

namespace tilewright {
namespace {

std::string figure_text(const Cap& cap, double value) {
  switch (cap.figure) {
    case Cap::Figure::kEnergy:
      return energy_text(value);
    case Cap::Figure::kCycles:
      return plural_text(std::llround(value), "cycle");
    case Cap::Figure::kTraffic:
      break;
  }
  return plural_text(std::llround(value), "element");
}

const char* figure_name(const Cap& cap) {
  switch (cap.figure) {
    case Cap::Figure::kEnergy:
      return "energy";
    case Cap::Figure::kCycles:
      return "latency";
    case Cap::Figure::kTraffic:
      break;
  }
  return "traffic";
}

std::string seen_words(const MapResult& mapped) {
  const SearchResult& result = mapped.search;
  if (mapped.request.mapper == Mapper::kOptimal) {
    return fmt::format("{} nodes were examined", count_text(Natural(result.nodes)));
  }
  std::string words =
      fmt::format("{} mappings {}: {} too large for the memories", count_text(Natural(result.seen)),
                  mapped.request.mapper == Mapper::kRandom ? "drawn" : "seen",
                  count_text(Natural(result.too_large)));
  if (!mapped.request.caps.empty()) {
    words += fmt::format(", {} over the caps", count_text(Natural(result.over_cap)));
  }
  return words;
}

std::string why_it_ended(const MapResult& mapped) {
  switch (mapped.search.ending) {
    case Ending::kExhausted:
      return "all of them were evaluated";
    case Ending::kPatience:
      return "it gives up after so many mappings without one that fits (--patience 0: never)";
    case Ending::kBudget:
      return "the budget was used up";
    case Ending::kMemory:
      return "the memory limit was reached (--memory)";
    case Ending::kLocal:
      return "no move led any further";
    case Ending::kGap:  // only with a best
    case Ending::kStopped:
      break;
  }
  return "the user stopped it (Ctrl-C)";
}

}  // namespace

void report_not_found(const MapResult& mapped, Diagnostics& diagnostics) {
  if (!mapped.witness) {
    diagnostics.error("M0303",
                      "stopped by the user (Ctrl-C) before it was known whether a mapping exists");
    return;
  }
  const bool caps = !mapped.request.caps.empty();
  Diagnostic& found = diagnostics.error(
      "M0303", caps ? "no mapping within the caps was found; whether there is one is not known"
                    : "no mapping was found in time, although one exists");
  found.notes.push_back(seen_words(mapped));
  found.notes.push_back(why_it_ended(mapped));
  if (!caps) {
    const std::string witness =
        write_nest(mapped.problem_of(*mapped.witness), mapped.witness->found.mapping);
    found.notes.push_back(
        "this one fits the memories; save it as a file for `tilewright evaluate`:\n" +
        witness.substr(0, witness.find_last_not_of('\n') + 1));
  }
  if (caps) {
    found.helps.emplace_back(
        "drop the cap and make its figure the `--objective` to see how low it can get");
  } else {
    found.helps.emplace_back(
        "constraints that keep tiles small, such as `factors: [m <= 4]`, make more mappings fit");
  }
  const bool optimal = mapped.request.mapper == Mapper::kOptimal;
  found.helps.emplace_back(
      optimal ? "try a larger `--budget`"
              : "try a larger `--budget`, another `--seed`, or `--mapper optimal`");
}

void report_caps(const MapResult& mapped, std::span<const Span> places, Diagnostics& diagnostics) {
  Diagnostic& found = diagnostics.error("M0304", "no mapping stays within the caps (proved)");
  bool each_alone = true;
  for (const CapBound& bound : mapped.cap_bounds) {
    const Cap& cap = mapped.request.caps[bound.cap];
    const bool reachable = bound.least <= cap.limit;
    each_alone = each_alone && reachable;
    found.labels.push_back(
        {places[bound.cap], fmt::format("the least {} of any mapping is {}", figure_name(cap),
                                        figure_text(cap, bound.least))});
  }
  found.notes.push_back(fmt::format("all {} mappings of the space {} were considered",
                                    power_text(mapped.size.value_or(Natural())),
                                    mapped.space.name));
  if (each_alone) found.notes.emplace_back("each cap can be met alone, but not all together");
  found.helps.emplace_back(each_alone ? "raise one of them"
                                      : "raise the cap, or search a larger space (`--space ruby`)");
}

}  // namespace tilewright
