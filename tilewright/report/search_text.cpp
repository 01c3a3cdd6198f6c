// SPDX-License-Identifier: Apache-2.0
#include "tilewright/report/search_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tilewright/report/constraint_json.h"
#include "tilewright/report/evaluation_json.h"
#include "tilewright/report/number_text.h"

namespace tilewright {
namespace {

using Json = nlohmann::ordered_json;

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

// Exact where it fits in a line.
std::string size_words(const Searched& searched, int width) {
  const std::string short_size = power_text(searched.size);
  std::string words = fmt::format("{}: {} mapping{}", searched.space, short_size,
                                  searched.size == Natural(1) ? "" : "s");
  const std::string exact = count_text(searched.size);
  if (exact != short_size && display_width(words) + display_width(exact) + 3 <= width) {
    words += fmt::format(" ({})", exact);
  }
  if (searched.sizes == 1) return words;
  const std::string sizes = count_text(searched.sizes);
  return words +
         (searched.counted ? " over " + sizes + " sizes" : " at the given of " + sizes + " sizes");
}

std::string search_words(const Searched& searched) {
  const SearchResult& result = searched.result;
  std::string words = searched.mapper == Mapper::kRandom
                          ? fmt::format("random, seed {}: {} drawn", searched.seed,
                                        count_text(Natural(result.seen)))
                          : fmt::format("exhaustive: {} seen (one order a class)",
                                        count_text(Natural(result.seen)));
  words += fmt::format(", {} fit ({})", count_text(Natural(result.valid)),
                       percent_text(share(result.valid, result.seen)));
  if (result.over_cap > 0) {
    words += fmt::format(", {} over the caps", count_text(Natural(result.over_cap)));
  }
  return words;
}

std::string ending_words(const Searched& searched) {
  switch (searched.result.ending) {
    case Ending::kExhausted:
      return "all mappings were looked at";
    case Ending::kPatience:
      return fmt::format("{} that fit in a row were no better (--patience)",
                         count_text(Natural(searched.patience)));
    case Ending::kBudget:
      return "the budget was used up (--budget)";
    case Ending::kStopped:
      break;
  }
  return "stopped by the user (Ctrl-C)";
}

std::string result_words(const Searched& searched) {
  if (is_proved(searched)) {
    return fmt::format("proved best {} of all {} mappings", searched.objective,
                       power_text(searched.size));
  }
  return fmt::format("best {} of {} {}; not proved", searched.objective,
                     count_text(Natural(searched.result.seen)),
                     searched.mapper == Mapper::kRandom ? "draws" : "mappings");
}

const char* ending_name(Ending ending) {
  switch (ending) {
    case Ending::kExhausted:
      return "exhausted";
    case Ending::kPatience:
      return "patience";
    case Ending::kBudget:
      return "budget";
    case Ending::kStopped:
      break;
  }
  return "stopped";
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

double padding_share(const Problem& given, const Problem& best) {
  return 1 - static_cast<double>(given.workload().computes()) /
                 static_cast<double>(best.workload().computes());
}

}  // namespace

std::string mapper_name(Mapper mapper) {
  return mapper == Mapper::kRandom ? "random" : "exhaustive";
}

bool is_proved(const Searched& searched) { return searched.result.ending == Ending::kExhausted; }

std::string search_text(const Searched& searched, const TextOptions& options) {
  const auto line = [&](const char* head, const std::string& words) {
    const std::string start = pad_right(paint(head, Style::kHeading, options), 8);
    return wrap_words(start, words, options.width);
  };
  return line("space", size_words(searched, options.width - 8)) +
         line("search", search_words(searched)) + line("ended", ending_words(searched)) +
         line("result", result_words(searched));
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

std::string search_json(const Searched& searched, const Evaluated& best,
                        const std::string& version) {
  const SearchResult& result = searched.result;
  Json root = Json::parse(evaluation_json(best, version));
  Json search;
  search["space"] = searched.space;
  search[searched.counted ? "size" : "size_as_given"] = searched.size.to_string();
  if (searched.sizes > 1) search["sizes"] = searched.sizes;
  search["mapper"] = mapper_name(searched.mapper);
  if (searched.mapper == Mapper::kRandom) {
    search["seed"] = searched.seed;
    search["patience"] = searched.patience;
  }
  search["objective"] = searched.objective;
  search["caps"] = searched.caps;
  search["seen"] = result.seen;
  search["valid"] = result.valid;
  search["too_large"] = result.too_large;
  search["over_cap"] = result.over_cap;
  search["ending"] = ending_name(result.ending);
  search["proved"] = is_proved(searched);
  search["constraints"] = constraints_json(searched.constraints);
  const std::vector<PaddedDim> padded = padded_dims(searched.given, best.problem);
  if (!padded.empty()) {
    Json dims = Json::object();
    for (const PaddedDim& dim : padded) dims[dim.name] = {{"from", dim.from}, {"to", dim.to}};
    search["padding"] = {{"dims", dims},
                         {"share_of_computes", padding_share(searched.given, best.problem)}};
  }
  root["search"] = search;
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string progress_text(const Progress& progress, const std::string& objective) {
  std::string text =
      fmt::format("{:.1f} s  {} seen  {} fit", progress.seconds, count_text(Natural(progress.seen)),
                  percent_text(share(progress.valid, progress.seen)));
  if (progress.best) text += fmt::format("  best {} {:.3e}", objective, *progress.best);
  return text;
}

}  // namespace tilewright
