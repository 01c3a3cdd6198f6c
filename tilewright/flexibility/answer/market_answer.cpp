// SPDX-License-Identifier: Apache-2.0
#include "tilewright/flexibility/answer/market_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "tilewright/base/text/printable.h"
#include "tilewright/base/version.h"
#include "tilewright/flexibility/answer/words.h"
#include "tilewright/format/json_text.h"
#include "tilewright/format/number_text.h"
#include "tilewright/html/parts.h"
#include "tilewright/html/scatter.h"
#include "tilewright/io/yaml/units.h"

namespace tilewright {
namespace {

using Json = nlohmann::ordered_json;

/// What the text and the page say alike.
class MarketWords {
 public:
  explicit MarketWords(const MarketAnswer& answer) : answer_(answer) {}

  const FlexMarket& market() const { return answer_.market; }

  std::string title() const {
    std::vector<std::string> names;
    for (const Network& network : answer_.networks) names.push_back(network.name);
    return fmt::format("{}: which flexibility to buy for {}", answer_.arch.name(),
                       fmt::join(names, ", "));
  }

  // Of an offer that is solved, relative to the cheapest that runs everything.
  double relative(const FlexOffer& offer) const {
    return offer.score / market().offers[market().front.front()].score;
  }

  double share(const FlexOffer& offer) const { return offer.added_um2 / market().costs.base_um2; }

  std::string share_text(const FlexOffer& offer) const { return added_share_text(share(offer)); }

  std::string verdict() const {
    const FlexOffer* best = best_offer(market());
    if (best == nullptr) return "No choice of degrees runs all layers.";
    return fmt::format("{}: {} of the {}, for {} area ({}).",
                       best->added_um2 == 0 ? "Buy nothing" : "Buy " + wanted(best->degrees),
                       percent_text(relative(*best)), answer_.objective.name, share_text(*best),
                       market().is_proved ? "proved best within the budget" : "not proved");
  }

  std::string effort() const {
    const auto solved = std::ranges::count(market().offers, true, &FlexOffer::is_solved);
    return fmt::format(
        "{} of {} choices solved; {}", solved, market().offers.size(),
        market().is_proved ? "no other can be on the front" : "others may be on the front");
  }

  std::string score_text(const FlexOffer& offer) const {
    return std::isinf(offer.score) ? "no mapping" : fixed_text(relative(offer), 3);
  }

 private:
  // `tile full, shape partial`
  static std::string wanted(const Degrees& degrees) {
    std::vector<std::string> parts;
    for (const FlexAxis axis : kAllFlexAxes) {
      if (degrees[axis] == Degree::kFixed) continue;
      parts.push_back(fmt::format("{} {}", flex_axis_name(axis), degree_name(degrees[axis])));
    }
    return fmt::format("{}", fmt::join(parts, ", "));
  }

  const MarketAnswer& answer_;
};

void front_picture(Markup& out, const MarketWords& words) {
  const FlexMarket& market = words.market();
  Scatter scatter{
      .label = "runtime against added area, and the Pareto front",
      .x = {"area added", added_share_text},
      .y = {"relative to no flexibility", [](double value) { return significant_text(value, 3); }},
      .series = {"degrees of tile, order, parallelism, shape"},
      .points = {}};
  for (std::size_t i = 0; i < market.offers.size(); ++i) {
    const FlexOffer& offer = market.offers[i];
    if (!offer.is_solved || std::isinf(offer.score)) continue;
    scatter.points.push_back(
        {.x = words.share(offer),
         .y = words.relative(offer),
         .on_front = std::ranges::find(market.front, i) != market.front.end(),
         .is_proved = offer.status == Status::kProved,
         .words = fmt::format("{}: {}, {}", degrees_text(offer.degrees), words.share_text(offer),
                              words.score_text(offer)),
         .link = {}});
  }
  const auto figure = out.in("figure");
  out.raw(scatter_svg(scatter));
  caption(out,
          "Every point is a choice of degrees that was solved. Those left out cost no less than a "
          "point of the front and cannot be better.");
}

}  // namespace

std::optional<double> parse_area_budget(const std::string& text, const FlexCosts& costs,
                                        Diagnostics& diagnostics) {
  constexpr std::string_view kKey = "area=";
  TextFault fault;
  if (text.starts_with(kKey)) {
    const std::string amount = text.substr(kKey.size());
    if (amount.ends_with('m') || amount.ends_with('2')) {
      if (const auto area = parse_figure(amount, Quantity::kArea, fault)) return *area;
    } else if (const auto share = parse_share(amount, fault)) {
      return to_double(*share) * costs.base_um2;
    }
  }
  Diagnostic& error = diagnostics.error(
      "X0002", fmt::format("`--buy` is {}, not an area budget", in_backticks(text)));
  if (!fault.message.empty()) error.notes.push_back(fault.message);
  error.helps.emplace_back(
      "write `area=5%`, a share of the accelerator without flexibility, or `area=2000um2`");
  return std::nullopt;
}

std::string market_verdict(const MarketAnswer& answer) { return MarketWords(answer).verdict(); }

std::string market_text(const MarketAnswer& answer, const TextOptions& options) {
  const MarketWords words(answer);
  std::string text = title_text(words.title(), options);
  const FlexMarket& market = answer.market;
  if (!market.front.empty()) {
    Table table({{"tile", Table::Align::kLeft, 0},
                 {"order", Table::Align::kLeft},
                 {"parallelism", Table::Align::kLeft},
                 {"shape", Table::Align::kLeft},
                 {"area"},
                 {answer.objective.name},
                 {"", Table::Align::kLeft}});
    for (const std::size_t i : market.front) {
      const FlexOffer& offer = market.offers[i];
      std::vector<std::string> cells;
      for (const FlexAxis axis : kAllFlexAxes) {
        cells.emplace_back(degree_name(offer.degrees[axis]));
      }
      cells.push_back(words.share_text(offer));
      cells.push_back(words.score_text(offer));
      cells.emplace_back(status_name(offer.status));
      table.add_row(std::move(cells));
    }
    text += table.text(options) + "\n";
  }
  text += wrap_words("", words.verdict(), options.width);
  text += wrap_words("", words.effort() + ".", options.width);
  return text;
}

std::string market_json(const MarketAnswer& answer) {
  const FlexMarket& market = answer.market;
  Json json = {{"tilewright", program_version()},
               {"arch", answer.arch.name()},
               {"objective", answer.objective.name},
               {"space", space_name(answer.space)},
               {"budget", answer.budget},
               {"base_um2", market.costs.base_um2},
               {"proved", market.is_proved}};
  for (const Network& network : answer.networks) json["networks"].push_back(network.name);
  for (std::size_t i = 0; i < market.offers.size(); ++i) {
    const FlexOffer& offer = market.offers[i];
    Json one;
    for (const FlexAxis axis : kAllFlexAxes) {
      one[std::string(flex_axis_name(axis))] = degree_name(offer.degrees[axis]);
    }
    one["added_um2"] = offer.added_um2;
    one["front"] = std::ranges::find(market.front, i) != market.front.end();
    one["solved"] = offer.is_solved;
    if (offer.is_solved) {
      one["status"] = status_name(offer.status);
      const bool is_mapped = !std::isinf(offer.score);
      one["score"] = is_mapped ? Json(offer.score) : Json();
      for (const double score : offer.scores) {
        one["scores"].push_back(std::isinf(score) ? Json() : Json(score));
      }
    } else if (!std::isinf(offer.bound)) {
      one["bound"] = offer.bound;
    }
    json["offers"].push_back(std::move(one));
  }
  return json_text(json);
}

std::string market_page(const MarketAnswer& answer, const std::string& version) {
  const MarketWords words(answer);
  const FlexMarket& market = answer.market;
  Markup header;
  Markup main;
  header.leaf("h1", words.title());
  header.leaf("p", words.verdict());
  header.leaf("p", words.effort() + ".");
  if (market.front.empty()) return html_page(words.title(), version, header, main);
  section(main, "front", "Area against " + answer.objective.name,
          [&] { front_picture(main, words); });
  section(main, "offers", "On the front", [&] {
    const Wide wide(main, "the front");
    const auto table = main.in("table");
    std::vector<Column> columns;
    for (const FlexAxis axis : kAllFlexAxes) columns.push_back({std::string(flex_axis_name(axis))});
    columns.push_back({"area", true});
    columns.push_back({"all networks", true});
    for (const Network& network : answer.networks) columns.push_back({network.name, true});
    columns.push_back({"standing"});
    head_row(main, columns);
    const auto body = main.in("tbody");
    const FlexOffer& cheapest = market.offers[market.front.front()];
    for (const std::size_t i : market.front) {
      const FlexOffer& offer = market.offers[i];
      const auto line = main.in("tr");
      for (const FlexAxis axis : kAllFlexAxes) main.leaf("td", degree_name(offer.degrees[axis]));
      const auto figure = [&](const std::string& text) {
        main.leaf("td", {{"class", "number"}}, text);
      };
      figure(words.share_text(offer));
      figure(words.score_text(offer));
      for (std::size_t n = 0; n < offer.scores.size(); ++n) {
        figure(fixed_text(offer.scores[n] / cheapest.scores[n], 3));
      }
      main.leaf("td", status_name(offer.status));
    }
  });
  return html_page(words.title(), version, header, main);
}

}  // namespace tilewright
