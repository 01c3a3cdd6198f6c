// SPDX-License-Identifier: Apache-2.0
#include "tilewright/report/search/why_text.h"

#include <fmt/format.h>

#include "tilewright/format/number_text.h"

namespace tilewright {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kRate = " bit/cycle";

// Without a unit that what comes next has too.
std::string now_text(const Gain& gain) {
  const std::string text = limit_value_text(gain.limit, *gain.value);
  const bool rate = text.ends_with(kRate);
  return rate ? text.substr(0, text.size() - std::string_view(kRate).size()) : text;
}

std::string names_lines(const std::string& words, const std::vector<std::string>& names,
                        const TextOptions& options) {
  if (names.empty()) return "";
  std::string text = "  " + words + "\n";
  for (const std::string& line : wrap_items(names, ", ", options.width - 4)) {
    text += "    " + line + "\n";
  }
  return text;
}

// `GLB capacity 128 KiB -> 129 KiB`; the next one of a limit has its arrow below the first.
void add_tries(const std::string& name, double best, const Gain& gain, Table& table) {
  const std::string start = gain.value ? name + " " + now_text(gain) + " -> " : name + " ";
  bool first = true;
  for (const Relaxed& relaxed : gain.tries) {
    const std::string arrow(static_cast<std::size_t>(display_width(start)) - 3, ' ');
    const std::string to =
        relaxed.value ? limit_value_text(gain.limit, *relaxed.value) : std::string("dropped");
    table.add_row({(first ? start : arrow + "-> ") + to, worth_text(best, relaxed)});
    first = false;
  }
}

}  // namespace

std::string why_text(const MapResult& mapped, const TextOptions& options) {
  if (!mapped.why) return "";
  const WhyView view = view_why(mapped);
  Table table({{"", Table::Align::kLeft}, {"", Table::Align::kLeft}});
  for (const Gain& gain : view.binding) {
    const int widest = gain.value ? 36 : 50;  // numbers stand behind it
    add_tries(clip(limit_text(mapped, gain.limit), widest, options), mapped.why->best, gain, table);
  }
  return wrap_words(paint("why     ", Style::kHeading, options),
                    fmt::format("the best {} if a single limit were relaxed, by searching again",
                                mapped.request.objective.name),
                    options.width) +
         (view.binding.empty() ? "" : table.text(options)) +
         (view.proved ? "" : "  not proved where only a range is given\n") +
         names_lines("no gain from doubling or dropping:", view.idle, options) +
         names_lines("not tried, because the search ended:", view.untried, options);
}

Json why_json(const MapResult& mapped) {
  const double best = mapped.why->best;
  const auto number = [](const auto& value) { return value ? Json(*value) : Json(nullptr); };
  const auto text = [](const Limit& limit, const std::optional<Rational>& value) {
    return value ? Json(limit_value_text(limit, *value)) : Json(nullptr);
  };
  Json list = Json::array();
  for (const Gain& gain : mapped.why->gains) {
    Json tries = Json::array();
    for (const Relaxed& relaxed : gain.tries) {
      Json entry;
      entry["to"] = text(gain.limit, relaxed.value);
      entry["score"] = number(relaxed.score);
      entry["bound"] = number(relaxed.bound);
      entry["proved"] = relaxed.proved;
      entry["change"] = relaxed.score ? Json(score_change(best, *relaxed.score)) : Json(nullptr);
      tries.push_back(std::move(entry));
    }
    list.push_back({{"limit", limit_text(mapped, gain.limit)},
                    {"binding", number(binds(gain, best))},
                    {"now", text(gain.limit, gain.value)},
                    {"tries", std::move(tries)}});
  }
  return list;
}

}  // namespace tilewright
