// SPDX-License-Identifier: Apache-2.0
#include "tilewright/report/search/search_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tilewright/format/json_text.h"
#include "tilewright/format/number_text.h"
#include "tilewright/report/assumptions_text.h"
#include "tilewright/report/score_text.h"
#include "tilewright/report/search/alternatives_text.h"
#include "tilewright/report/search/constraint_json.h"
#include "tilewright/report/search/why_text.h"
#include "tilewright/result/json/evaluation_json.h"
#include "tilewright/result/json/run_json.h"
#include "tilewright/search/questions/status.h"

namespace tilewright {
namespace {

using Json = nlohmann::ordered_json;

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

// Exact where it fits in a line.
std::string size_words(const MapResult& mapped, int width) {
  if (!mapped.size) return mapped.space.name + ": mappings not counted";
  const std::string short_size = power_text(*mapped.size);
  std::string words = fmt::format("{}: {} mapping{}", mapped.space.name, short_size,
                                  *mapped.size == Natural(1) ? "" : "s");
  const std::string exact = count_text(*mapped.size);
  if (exact != short_size && display_width(words) + display_width(exact) + 3 <= width) {
    words += fmt::format(" ({})", exact);
  }
  const auto problems = static_cast<std::int64_t>(mapped.space.problems.size());
  if (problems == 1) return words;
  const std::string sizes = count_text(problems);
  return words + (is_countable(mapped.space) ? " over " + sizes + " sizes"
                                             : " at the given of " + sizes + " sizes");
}

std::string search_words(const MapResult& mapped) {
  const SearchResult& result = mapped.search;
  const std::string seen = count_text(Natural(result.seen));
  const std::string fit = fmt::format(", {} fit ({})", count_text(Natural(result.valid)),
                                      percent_text(share(result.valid, result.seen)));
  const std::string over_cap =
      result.over_cap == 0
          ? ""
          : fmt::format(", {} over the caps", count_text(Natural(result.over_cap)));
  switch (mapped.request.mapper) {
    case Mapper::kOptimal:
      return "optimal";  // how many nodes depends on the threads
    case Mapper::kLocal:
      return fmt::format("local, seed {}: {} evaluated", mapped.request.seed, seen) + fit +
             over_cap;
    case Mapper::kRandom:
      return fmt::format("random, seed {}: {} drawn", mapped.request.seed, seen) + fit + over_cap;
    case Mapper::kExhaustive:
      break;
  }
  return fmt::format("exhaustive: {} evaluated (one order per class)", seen) + fit + over_cap;
}

std::string ending_words(const MapResult& mapped) {
  switch (mapped.search.ending) {
    case Ending::kExhausted:
      return mapped.request.mapper == Mapper::kOptimal
                 ? "all mappings were evaluated or ruled out by a bound"
                 : "all mappings were evaluated";
    case Ending::kPatience:
      return fmt::format("{} mappings in a row fit but were no better (--patience)",
                         count_text(Natural(mapped.request.patience)));
    case Ending::kBudget:
      return "the budget was used up (--budget)";
    case Ending::kMemory:
      return "the memory limit was reached (--memory)";
    case Ending::kLocal:
      return "no further move is an improvement";
    case Ending::kGap:
      return fmt::format("no mapping is better by more than {} (--gap)",
                         percent_text(mapped.request.gap.value_or(0)));
    case Ending::kStopped:
      break;
  }
  return "stopped by the user (Ctrl-C)";
}

// No mapping of what was searched is better.
std::string proved_words(const MapResult& mapped) {
  const std::string_view caps = mapped.request.caps.empty() ? "" : " within the caps";
  std::vector<std::string> names;
  for (const NodeId memory : mapped.space.placement.uneven) {
    names.push_back(mapped.given().arch().memory(memory).name);
  }
  if (!names.empty()) {
    return fmt::format(
        "proved: no mapping of this space{} is better, wherever in the nest {} {} tensors ({})",
        caps, fmt::join(names, " and "), names.size() == 1 ? "keeps its" : "keep their",
        mapped.request.objective.name);
  }
  const bool more = leaves_out_uneven(mapped.space, mapped.request.constraints);
  return fmt::format("proved: no mapping of this space{}{} is better ({})",
                     more ? " with even placement" : "", caps, mapped.request.objective.name);
}

std::string result_words(const MapResult& mapped) {
  const SearchResult& result = mapped.search;
  if (mapped.status == Status::kProved) return proved_words(mapped);
  if (result.bound && *result.bound > 0) {
    return fmt::format("not proved: {} {}, and no mapping has less than {}; gap {}",
                       mapped.request.objective.name,
                       score_text(mapped.request.objective.name, result.best->score, 5),
                       score_text(mapped.request.objective.name, *result.bound, 5),
                       percent_text(find_gap(result.best->score, *result.bound)));
  }
  if (mapped.request.mapper == Mapper::kOptimal) {
    return fmt::format("not proved: {} {}; no bound is known yet", mapped.request.objective.name,
                       score_text(mapped.request.objective.name, result.best->score, 5));
  }
  return fmt::format("best {} of {} {}; not proved", mapped.request.objective.name,
                     count_text(Natural(result.seen)),
                     mapped.request.mapper == Mapper::kRandom ? "draws" : "mappings");
}

std::string simplicity_text(const Simplicity& simplicity) {
  return plural_text(simplicity.loops, "loop") + " and " +
         (simplicity.bypasses == 1 ? "1 bypass" : count_text(simplicity.bypasses) + " bypasses");
}

// Nothing below the best is said to be simple unless it is.
std::string simple_words(const MapResult& mapped) {
  const Simple& simple = *mapped.simple;
  const SimplestResult& result = simple.result;
  const double best = mapped.search.best->score;
  const double above = best > 0 ? result.found.score / best - 1 : 0;
  const std::string limit = percent_text(simple.share);
  return fmt::format("{} instead of {}, {} {} above the best; {}",
                     simplicity_text(result.simplicity), simplicity_text(simple.best),
                     mapped.request.objective.name, percent_text(above),
                     result.proved ? "proved: no mapping within " + limit + " is simpler"
                                   : "not proved: a simpler one within " + limit + " may exist");
}

struct PaddedDim {
  std::string name;
  std::int64_t from = 0;
  std::int64_t to = 0;
};

std::vector<PaddedDim> padded_dims(const Problem& given, const Problem& best) {
  std::vector<PaddedDim> result;
  for (std::size_t d = 0; d < given.workload().dims().size(); ++d) {
    const Dim& dim = given.workload().dims()[d];
    const std::int64_t size = best.workload().dims()[d].size;
    if (size != dim.size) result.push_back({dim.name, dim.size, size});
  }
  return result;
}

Json simple_json(const MapResult& mapped) {
  const Simple& simple = *mapped.simple;
  const auto counts = [](const Simplicity& simplicity) {
    return Json{{"loops", simplicity.loops}, {"bypasses", simplicity.bypasses}};
  };
  const SimplestResult& result = simple.result;
  return {{"share", simple.share},
          {"score", result.found.score},
          {"proved", result.proved},
          {"searches", result.searches},
          {"simplicity", counts(result.simplicity)},
          {"simplicity_of_best", counts(simple.best)}};
}

double padding_share(const Problem& given, const Problem& best) {
  return 1 - static_cast<double>(given.workload().computes()) /
                 static_cast<double>(best.workload().computes());
}

}  // namespace

std::string search_text(const MapResult& mapped, const TextOptions& options) {
  const auto line = [&](const char* head, const std::string& words) {
    const std::string start = pad_right(paint(head, Style::kHeading, options), 8);
    return wrap_words(start, words, options.width);
  };
  return assumptions_text(mapped.given().arch(), options) +
         line("space", size_words(mapped, options.width - 8)) +
         line("search", search_words(mapped)) + line("ended", ending_words(mapped)) +
         line("result", result_words(mapped)) +
         (mapped.simple ? line("simple", simple_words(mapped)) : "");
}

std::string padding_text(const Problem& given, const Problem& best, const TextOptions& options) {
  std::vector<std::string> words;
  for (const PaddedDim& dim : padded_dims(given, best)) {
    words.push_back(fmt::format("{} {} -> {}", dim.name, count_text(dim.from), count_text(dim.to)));
  }
  if (words.empty()) return "";
  return wrap_words(pad_right(paint("padded", Style::kHeading, options), 8),
                    fmt::format("{}: {} of the computes below are padding", fmt::join(words, ", "),
                                percent_text(padding_share(given, best))),
                    options.width);
}

std::string search_json(const MapResult& mapped, const Evaluated& best, const std::string& version,
                        const RunRecord& run) {
  const SearchResult& result = mapped.search;
  Json root = Json::parse(evaluation_json(best, version));
  Json search;
  search["space"] = mapped.space.name;
  if (!mapped.space.placement.uneven.empty()) {
    search["uneven"] = Json::array();
    for (const NodeId memory : mapped.space.placement.uneven) {
      search["uneven"].push_back(mapped.given().arch().memory(memory).name);
    }
  }
  search[is_countable(mapped.space) ? "size" : "size_as_given"] =
      mapped.size ? Json(mapped.size->to_string()) : Json(nullptr);
  const std::size_t sizes = mapped.space.problems.size();
  if (sizes > 1) search["sizes"] = sizes;
  search["mapper"] = mapper_name(mapped.request.mapper);
  if (mapped.request.mapper == Mapper::kRandom || mapped.request.mapper == Mapper::kLocal) {
    search["seed"] = mapped.request.seed;
  }
  if (mapped.request.mapper == Mapper::kRandom) search["patience"] = mapped.request.patience;
  search["objective"] = mapped.request.objective.name;
  search["caps"] = Json::array();
  for (const Cap& cap : mapped.request.caps) search["caps"].push_back(cap.text);
  if (mapped.counts_repeat()) {
    search["seen"] = result.seen;
    search["valid"] = result.valid;
    search["too_large"] = result.too_large;
    search["over_cap"] = result.over_cap;
    if (mapped.request.mapper == Mapper::kOptimal) search["nodes"] = result.nodes;
  }
  search["ending"] = ending_name(result.ending);
  search["proved"] = mapped.status == Status::kProved;
  search["score"] = result.best->score;
  const std::optional<double> bound =
      mapped.status == Status::kProved ? result.best->score : result.bound;
  search["bound"] = bound ? Json(*bound) : Json(nullptr);
  search["gap"] = bound ? Json(find_gap(result.best->score, *bound)) : Json(nullptr);
  search["constraints"] = constraints_json(name_effects(mapped));
  const std::vector<PaddedDim> padded = padded_dims(mapped.given(), best.problem);
  if (!padded.empty()) {
    Json dims = Json::object();
    for (const PaddedDim& dim : padded) dims[dim.name] = {{"from", dim.from}, {"to", dim.to}};
    search["padding"] = {{"dims", dims},
                         {"share_of_computes", padding_share(mapped.given(), best.problem)}};
  }
  if (!mapped.alternatives.empty())
    search[mapped.request.front ? "front" : "top"] = alternatives_json(mapped);
  if (mapped.simple) search["within"] = simple_json(mapped);
  if (mapped.why) search["why"] = why_json(mapped);
  root["search"] = search;
  add_run(run, root);
  return json_text(root);
}

std::string progress_text(const Progress& progress, Mapper mapper, const std::string& objective) {
  std::string text = fmt::format("{:.1f} s", progress.seconds);
  if (mapper == Mapper::kOptimal) {
    text += fmt::format("  {} nodes", count_text(Natural(progress.nodes)));
  } else {
    text += fmt::format("  {} seen  {} fit", count_text(Natural(progress.seen)),
                        percent_text(share(progress.valid, progress.seen)));
  }
  if (progress.best)
    text += fmt::format("  best {} {}", objective, score_text(objective, *progress.best));
  if (!progress.bound) return text;
  // The gap first: what does not fit in the line is the bound.
  if (progress.best) text += "  gap " + percent_text(find_gap(*progress.best, *progress.bound));
  return text + fmt::format("  bound {}", score_text(objective, *progress.bound));
}

}  // namespace tilewright
