// SPDX-License-Identifier: Apache-2.0
#include "tilewright/report/search/alternatives_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tilewright/format/number_text.h"
#include "tilewright/io/write.h"
#include "tilewright/report/score_text.h"

namespace tilewright {
namespace {

using Json = nlohmann::ordered_json;

// What a mapping does at one node.
struct NodeChoice {
  TensorSet kept = 0;
  std::map<std::pair<int, DimId>, std::int64_t> factors;  // by axis (-1: in time) and dim
  std::vector<DimId> order;                               // in time

  bool operator==(const NodeChoice&) const = default;
};

std::vector<NodeChoice> read_choices(const Problem& problem, const Mapping& mapping) {
  std::vector<NodeChoice> choices(problem.arch().nodes().size());
  std::size_t block = 0;
  for (const NestNode& node : mapping.nodes()) {
    if (node.kind == NestNode::Kind::kKeep) {
      block = node.node.pos();
      choices[block].kept |= node.tensors;
      continue;
    }
    const bool spatial = node.kind == NestNode::Kind::kSpatial;
    NodeChoice& choice = choices[spatial ? node.node.pos() : block];
    auto& factor =
        choice.factors.try_emplace({spatial ? node.axis : -1, node.dim}, 1).first->second;
    factor *= node.factor;
    if (!spatial) choice.order.push_back(node.dim);
  }
  return choices;
}

// `m 4->2, k 1->2`; with `on X` where there are several axes.
std::vector<std::string> factor_items(const Problem& problem, NodeId node, const NodeChoice& best,
                                      const NodeChoice& other) {
  std::map<std::pair<int, DimId>, std::pair<std::int64_t, std::int64_t>> both;
  for (const auto& [place, factor] : best.factors) both[place] = {factor, 1};
  for (const auto& [place, factor] : other.factors) {
    both.try_emplace(place, 1, 1).first->second.second = factor;
  }
  std::vector<std::string> items;
  for (const auto& [place, factors] : both) {
    if (factors.first == factors.second) continue;
    std::string item = fmt::format("{} {}->{}", problem.workload().dim(place.second).name,
                                   factors.first, factors.second);
    if (place.first >= 0 && problem.arch().fanout(node).axes.size() > 1) {
      const auto axis = static_cast<std::size_t>(place.first);
      item += " on " + problem.arch().fanout(node).axes[axis].name;
    }
    items.push_back(std::move(item));
  }
  return items;
}

// `+A -B`.
std::string keep_words(const Workload& workload, TensorSet best, TensorSet other) {
  std::string words;
  for (std::size_t t = 0; t < workload.tensors().size(); ++t) {
    const TensorSet bit = only(TensorId(t));
    if (((best ^ other) & bit) == 0) continue;
    words += fmt::format(" {}{}", (other & bit) != 0 ? '+' : '-', workload.tensors()[t].name);
  }
  return words;
}

double relative(const Alternative& best, const Alternative& other) {
  return best.found.score > 0 ? other.found.score / best.found.score - 1 : 0;
}

// As many items as there is room for; at least one, clipped.
std::string fit_items(const std::vector<std::string>& items, int width,
                      const TextOptions& options) {
  if (options.wide) return fmt::format("{}", fmt::join(items, "; "));
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i) {
    std::string next = text + (i == 0 ? "" : "; ") + items[i];
    const std::size_t left = items.size() - i - 1;
    const std::string rest = left == 0 ? "" : fmt::format("; {} more", left);
    if (i > 0 && display_width(next + rest) > width) {
      if (options.cut != nullptr) *options.cut = true;
      return clip(text + fmt::format("; {} more", left + 1), width, options);
    }
    text = std::move(next);
  }
  return clip(text, width, options);
}

std::string heading(const MapResult& mapped, const TextOptions& options) {
  return wrap_words(paint(mapped.request.front ? "front   " : "top     ", Style::kHeading, options),
                    alternatives_words(mapped), options.width);
}

/// Points on a grid of characters.
class Plot {
 public:
  explicit Plot(const std::vector<Alternative>& answers) {
    const auto energy = [](const Alternative& answer) { return answer.found.evaluation.energy_pj; };
    const auto cycles = [](const Alternative& answer) { return answer.found.evaluation.cycles; };
    const auto [least, most] = std::ranges::minmax_element(answers, {}, energy);
    const auto [first, last] = std::ranges::minmax_element(answers, {}, cycles);
    least_ = energy(*least);
    most_ = energy(*most);
    first_ = cycles(*first);
    last_ = cycles(*last);
    const auto place = [](double value, double low, double high, int cells) {
      const double share = high > low ? (value - low) / (high - low) : 0;
      return static_cast<std::size_t>(std::lround(share * (cells - 1)));
    };
    grid_.assign(kRows, std::string(kColumns, ' '));
    for (const Alternative& answer : answers) {
      const std::size_t row = kRows - 1 - place(energy(answer), least_, most_, kRows);
      const std::size_t column =
          place(static_cast<double>(cycles(answer)), static_cast<double>(first_),
                static_cast<double>(last_), kColumns);
      grid_[row][column] = '*';
    }
  }

  std::string text() const {
    const std::string top = energy_text(most_);
    const std::string bottom = energy_text(least_);
    const int margin = 2 + std::max(display_width(top), display_width(bottom));
    std::string result;
    for (std::size_t row = 0; row < kRows; ++row) {
      const std::string label = row == 0 ? top : row == kRows - 1 ? bottom : "";
      const std::string& points = grid_[row];
      result += pad_left(label, margin) + " |" +
                points.substr(0, points.find_last_not_of(' ') + 1) + "\n";
    }
    const std::string left = count_text(first_);
    const std::string right = count_text(last_) + " cycles";
    result += std::string(static_cast<std::size_t>(margin) + 1, ' ') + "+" +
              std::string(kColumns, '-') + "\n";
    result += std::string(static_cast<std::size_t>(margin) + 2, ' ') + left +
              pad_left(right, kColumns - display_width(left)) + "\n";
    return result;
  }

 private:
  static constexpr int kRows = 10;
  static constexpr int kColumns = 60;

  double least_ = 0;
  double most_ = 0;
  std::int64_t first_ = 0;
  std::int64_t last_ = 0;
  std::vector<std::string> grid_;
};

}  // namespace

const Alternative& best_alternative(const MapResult& mapped) {
  return *std::ranges::min_element(mapped.alternatives, {},
                                   [](const Alternative& answer) { return answer.found.score; });
}

std::vector<std::size_t> shown_alternatives(const MapResult& mapped) {
  constexpr std::size_t kMostOfFront = 24;
  const std::size_t count = mapped.alternatives.size();
  const std::size_t shown = mapped.request.front ? std::min(count, kMostOfFront) : count;
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < shown; ++i) {
    rows.push_back(shown == 1 ? 0 : i * (count - 1) / (shown - 1));
  }
  return rows;
}

std::string alternatives_words(const MapResult& mapped) {
  const std::size_t count = mapped.alternatives.size();
  const std::size_t rows = shown_alternatives(mapped).size();
  const bool complete = mapped.search.ending == Ending::kExhausted;
  const std::string mappings = plural_text(static_cast<std::int64_t>(count), "mapping");
  if (mapped.request.front) {
    return fmt::format(
        "energy and cycles: {}{}; {}", mappings,
        rows < count ? fmt::format(", {} of them below", rows) : "",
        complete ? "proved: no other is as good in both" : "not proved: others may be better");
  }
  return fmt::format("the best {}, one per score: {}", mappings,
                     complete ? "proved" : "not proved, others may be as good");
}

std::vector<std::string> find_differences(const MapResult& mapped, const Alternative& other) {
  const Alternative& best = best_alternative(mapped);
  const Problem& best_problem = mapped.problem_of(best);
  const Problem& problem = mapped.problem_of(other);
  std::vector<std::string> result;
  for (std::size_t d = 0; d < problem.workload().dims().size(); ++d) {
    const std::int64_t from = best_problem.workload().dims()[d].size;
    const Dim& dim = problem.workload().dims()[d];
    if (from != dim.size) {
      result.push_back(fmt::format("size of {} {}->{}", dim.name, from, dim.size));
    }
  }
  const std::vector<NodeChoice> now = read_choices(best_problem, best.found.mapping);
  const std::vector<NodeChoice> then = read_choices(problem, other.found.mapping);
  for (std::size_t n = 0; n < now.size(); ++n) {
    if (now[n] == then[n]) continue;
    std::string words = keep_words(problem.workload(), now[n].kept, then[n].kept);
    const auto items = factor_items(problem, NodeId(n), now[n], then[n]);
    if (!items.empty()) words += fmt::format(" {}", fmt::join(items, ", "));
    result.push_back(node_name(problem.arch().nodes()[n]) + (words.empty() ? " order" : words));
  }
  return result;
}

std::string alternatives_text(const MapResult& mapped, const TextOptions& options) {
  constexpr int kLeastWords = 12;
  constexpr int kWidestName = 12;
  if (mapped.alternatives.empty()) return "";
  const Alternative& best = best_alternative(mapped);
  const std::vector<std::size_t> rows = shown_alternatives(mapped);
  Table table({{"", Table::Align::kRight},
               {clip(mapped.request.objective.name, kWidestName, options), Table::Align::kRight},
               {"energy", Table::Align::kRight},
               {"cycles", Table::Align::kRight},
               {"differs from the best", Table::Align::kLeft}});
  const auto cells = [&](std::size_t row) -> std::vector<std::string> {
    const Alternative& answer = mapped.alternatives[row];
    const double more = relative(best, answer);
    const std::string score = &answer == &best
                                  ? score_text(mapped.request.objective.name, best.found.score)
                                  : fmt::format("+{:.3g} %", more * 100);
    return {count_text(static_cast<std::int64_t>(row) + 1), score,
            energy_text(answer.found.evaluation.energy_pj),
            count_text(answer.found.evaluation.cycles)};
  };
  Table narrow = table;
  for (const std::size_t row : rows) narrow.add_row(cells(row));
  const int title = display_width("differs from the best");
  const int room = std::max(kLeastWords, options.width - (narrow.width() - title));
  for (const std::size_t row : rows) {
    std::vector<std::string> line = cells(row);
    line.push_back(fit_items(find_differences(mapped, mapped.alternatives[row]), room, options));
    table.add_row(std::move(line));
  }
  std::string text = heading(mapped, options) + table.text(options);
  if (mapped.request.front && mapped.alternatives.size() > 2) {
    text += "\n" + Plot(mapped.alternatives).text();
  }
  return text;
}

Json alternatives_json(const MapResult& mapped) {
  Json list = Json::array();
  for (const Alternative& answer : mapped.alternatives) {
    Json entry;
    entry["score"] = answer.found.score;
    entry["energy_pj"] = answer.found.evaluation.energy_pj;
    entry["cycles"] = answer.found.evaluation.cycles;
    entry["differences"] = find_differences(mapped, answer);
    const Problem& problem = mapped.problem_of(answer);
    if (answer.problem != 0) {
      Json dims = Json::object();
      for (const Dim& dim : problem.workload().dims()) dims[dim.name] = dim.size;
      entry["dims"] = dims;
    }
    entry["mapping"] = write_nest(problem, answer.found.mapping);
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace tilewright
