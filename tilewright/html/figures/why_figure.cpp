// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "tilewright/format/number_text.h"
#include "tilewright/html/figures/figures.h"
#include "tilewright/html/parts.h"
#include "tilewright/report/search/why_view.h"

namespace tilewright {
namespace {

// Filled as far as the gain is known, hatched as far as it may go.
std::vector<Piece> gain_pieces(double best, const Relaxed& relaxed) {
  const double found = std::max(0.0, -score_change(best, relaxed.score.value_or(best)));
  std::vector<Piece> pieces = {{found, "t2", "less " + percent_text(found)}};
  if (!relaxed.proved && relaxed.bound) {
    const double most = std::max(found, -score_change(best, *relaxed.bound));
    pieces.push_back({most - found, "idle", "at most " + percent_text(most)});
  }
  return pieces;
}

void write_gain(Markup& out, const MapResult& mapped, const Gain& gain) {
  const auto body = out.in("tbody");
  const std::string name = limit_text(mapped, gain.limit);
  bool first = true;
  for (const Relaxed& relaxed : gain.tries) {
    const auto row = out.in("tr");
    if (first) {
      const auto head =
          out.in("th", {{"scope", "rowgroup"}, {"rowspan", std::to_string(gain.tries.size())}});
      breakable(out, name);
    }
    first = false;
    const std::string to = relaxed.value ? limit_value_text(gain.limit, *relaxed.value) : "dropped";
    const std::string from = gain.value ? limit_value_text(gain.limit, *gain.value) : "";
    const std::string worth = worth_text(mapped.why->best, relaxed);
    out.leaf("td", {{"class", "flow"}}, from.empty() ? to : from + " \u2192 " + to);
    out.leaf("td", {{"class", "flow"}}, worth);
    const auto cell = out.in("td");
    bar(out, gain_pieces(mapped.why->best, relaxed), fmt::format("{} {}: {}", name, to, worth));
  }
}

void write_names(Markup& out, const char* words, const std::vector<std::string>& names) {
  if (names.empty()) return;
  const auto line = out.in("p");
  out.leaf("strong", words);
  out.text(fmt::format("{}.", fmt::join(names, ", ")));
}

}  // namespace

void why_figure(Markup& out, const MapResult& mapped) {
  const WhyView view = view_why(mapped);
  const auto figure = out.in("figure");
  if (view.binding.empty()) {
    out.leaf("p", "None of the limits that were tried is binding.");
  } else {
    const auto table = out.in("table", {{"class", "bars why"}});
    head_row(out, {{"limit"},
                   {"if relaxed", true},
                   {mapped.request.objective.name + " of the best", true},
                   {"less, of 100 %"}});
    for (const Gain& gain : view.binding) write_gain(out, mapped, gain);
  }
  write_names(out, "No gain from doubling or dropping: ", view.idle);
  write_names(out, "Not tried, because the search ended: ", view.untried);
  caption(out,
          std::string("Each limit is relaxed on its own, and the best mapping is searched again.") +
              (view.proved ? "" : " Where a range is given, the gain is not proved (hatched)."));
}

}  // namespace tilewright
