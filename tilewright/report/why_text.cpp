// SPDX-License-Identifier: Apache-2.0
#include "tilewright/report/why_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tilewright/report/number_text.h"

namespace tilewright {
namespace {

using Json = nlohmann::ordered_json;
using Kind = Limit::Kind;

constexpr const char* kRate = " bit/cycle";

std::string value_text(const Limit& limit, const Rational& value) {
  switch (limit.kind) {
    case Kind::kCapacity:
    case Kind::kPartition:
      return bits_text(value.num);
    case Kind::kReadBandwidth:
    case Kind::kWriteBandwidth:
    case Kind::kSharedBandwidth:
      return rational_text(value) + kRate;
    case Kind::kAxis:
    case Kind::kConstraint:
    case Kind::kCap:
      break;
  }
  return rational_text(value);
}

// Without a unit that what comes next has too.
std::string now_text(const Gain& gain) {
  const std::string text = value_text(gain.limit, *gain.value);
  const bool rate = text.ends_with(kRate);
  return rate ? text.substr(0, text.size() - std::string_view(kRate).size()) : text;
}

// 0 for the same, -0.021 for 2.1 % less.
double change(double best, double score) { return best > 0 ? score / best - 1 : 0; }

std::string change_text(double change) {
  if (change == 0) return "0 %";
  const std::string sign = change < 0 ? "-" : "+";
  const double percent = std::abs(change) * 100;
  return percent < 0.05 ? sign + fmt::format("{:.1g} %", percent)
                        : sign + fmt::format("{:.1f} %", percent);
}

// `-2.1 %`, or what is known of it: `-2.1 % to -3.0 %`.
std::string worth_text(double best, const Relaxed& relaxed) {
  if (relaxed.proved) {
    return relaxed.score ? change_text(change(best, *relaxed.score)) : "no mapping exists";
  }
  const double found = change(best, relaxed.score.value_or(best));
  return change_text(std::min(found, 0.0)) +
         (relaxed.bound ? " to " + change_text(change(best, *relaxed.bound)) : " or more");
}

double found_change(double best, const Gain& gain) {
  return gain.tries.empty() ? 0 : change(best, gain.tries.back().score.value_or(best));
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
        relaxed.value ? value_text(gain.limit, *relaxed.value) : std::string("dropped");
    table.add_row({(first ? start : arrow + "-> ") + to, worth_text(best, relaxed)});
    first = false;
  }
}

}  // namespace

std::string limit_text(const Searched& searched, const Limit& limit) {
  const Arch& arch = searched.given.arch();
  const auto number = static_cast<std::size_t>(limit.number);
  switch (limit.kind) {
    case Kind::kCapacity:
      return arch.memory(limit.node).name + " capacity";
    case Kind::kPartition:
      return fmt::format("{} partition of {}", arch.memory(limit.node).name,
                         searched.given.workload().tensor(limit.tensor).name);
    case Kind::kReadBandwidth:
      return arch.memory(limit.node).name + " read bandwidth";
    case Kind::kWriteBandwidth:
      return arch.memory(limit.node).name + " write bandwidth";
    case Kind::kSharedBandwidth:
      return arch.memory(limit.node).name + " bandwidth";
    case Kind::kAxis: {
      const Fanout& fanout = arch.fanout(limit.node);
      return fmt::format("axis {} of {}", fanout.axes[static_cast<std::size_t>(limit.axis)].name,
                         fanout.name);
    }
    case Kind::kConstraint: {
      const ConstraintEffect& effect = searched.constraints[number];
      return fmt::format("{} ({})", effect.text,
                         effect.place.substr(effect.place.find_last_of('/') + 1));
    }
    case Kind::kCap:
      break;
  }
  return searched.caps[number];
}

std::string why_text(const Searched& searched, const TextOptions& options) {
  if (!searched.why) return "";
  const double best = searched.why->best;
  std::vector<Gain> binding;
  std::vector<std::string> idle;
  std::vector<std::string> unknown;
  for (const Gain& gain : searched.why->gains) {
    if (gain.tries.empty()) {
      unknown.push_back(limit_text(searched, gain.limit));
    } else if (binds(gain, best).value_or(true)) {
      binding.push_back(gain);
    } else {
      idle.push_back(limit_text(searched, gain.limit));
    }
  }
  const bool all_proved = std::ranges::all_of(
      binding, [](const Gain& gain) { return std::ranges::all_of(gain.tries, &Relaxed::proved); });
  std::ranges::stable_sort(binding, {}, [&](const Gain& gain) { return found_change(best, gain); });
  Table table({{"", Table::Align::kLeft}, {"", Table::Align::kLeft}});
  for (const Gain& gain : binding) {
    const int widest = gain.value ? 36 : 50;  // numbers stand behind it
    add_tries(clip(limit_text(searched, gain.limit), widest), best, gain, table);
  }
  return wrap_words(paint("why     ", Style::kHeading, options),
                    fmt::format("the best {} if one limit alone were relaxed, by searching again",
                                searched.objective),
                    options.width) +
         (binding.empty() ? "" : table.text(options)) +
         (all_proved ? "" : "  not proved where only a range is given\n") +
         names_lines("no gain from twice as much, or without:", idle, options) +
         names_lines("not tried, the search was ended:", unknown, options);
}

Json why_json(const Searched& searched) {
  const double best = searched.why->best;
  const auto number = [](const auto& value) { return value ? Json(*value) : Json(nullptr); };
  const auto text = [](const Limit& limit, const std::optional<Rational>& value) {
    return value ? Json(value_text(limit, *value)) : Json(nullptr);
  };
  Json list = Json::array();
  for (const Gain& gain : searched.why->gains) {
    Json tries = Json::array();
    for (const Relaxed& relaxed : gain.tries) {
      Json entry;
      entry["to"] = text(gain.limit, relaxed.value);
      entry["score"] = number(relaxed.score);
      entry["bound"] = number(relaxed.bound);
      entry["proved"] = relaxed.proved;
      entry["change"] = relaxed.score ? Json(change(best, *relaxed.score)) : Json(nullptr);
      tries.push_back(std::move(entry));
    }
    list.push_back({{"limit", limit_text(searched, gain.limit)},
                    {"binding", number(binds(gain, best))},
                    {"now", text(gain.limit, gain.value)},
                    {"tries", std::move(tries)}});
  }
  return list;
}

}  // namespace tilewright
