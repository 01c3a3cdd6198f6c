// SPDX-License-Identifier: Apache-2.0
#include "tilewright/sweep/picture/front_svg.h"

#include <fmt/format.h>

#include "tilewright/base/error.h"
#include "tilewright/format/number_text.h"
#include "tilewright/html/scatter.h"

namespace tilewright {
namespace {

std::string label_of(Figure figure, double value) {
  switch (figure) {
    case Figure::kEnergy:
      return energy_text(value);
    case Figure::kCycles:
      return si_text(value, "", 3);
    case Figure::kEdp:
      return edp_text(value, 3);
    case Figure::kArea:
      return area_text(value, 3);
  }
  return "";
}

std::string title_of(Figure figure) {
  switch (figure) {
    case Figure::kEnergy:
      return "energy";
    case Figure::kCycles:
      return "cycles";
    case Figure::kEdp:
      return "EDP in J*cycle";
    case Figure::kArea:
      return "area";
  }
  return "";
}

ScatterAxis axis_of(Figure figure) {
  return {title_of(figure), [figure](double value) { return label_of(figure, value); }};
}

}  // namespace

std::string design_anchor(const DesignCost& cost) {
  return fmt::format("design-{}-{}", cost.design, cost.request);
}

std::string front_svg(const SweepPlan& plan, const DesignTable& table, bool linked) {
  TW_CHECK(table.figures.size() == 2, "a picture has two axes");
  Scatter scatter{.x = axis_of(table.figures[0]), .y = axis_of(table.figures[1])};
  scatter.label = fmt::format("{}: {} against {}, and the Pareto front", plan.name(),
                              scatter.y.title, scatter.x.title);
  for (const SweepRequest& request : plan.requests()) {
    scatter.series.push_back(space_text(request.request) + ", " + request.request.objective.name);
  }
  for (std::size_t i = 0; i < table.costs.size(); ++i) {
    const DesignCost& cost = table.costs[i];
    if (!cost.is_mapped()) continue;
    const double x = figure_of(cost, table.figures[0]);
    const double y = figure_of(cost, table.figures[1]);
    const bool is_proved = cost.total.standing == Standing::kProved;
    scatter.points.push_back(
        {.x = x,
         .y = y,
         .series = cost.request,
         .on_front = table.on_front[i],
         .is_proved = is_proved,
         .words = fmt::format(
             "design {} ({}), {}: {} {}, {} {}{}", cost.design, plan.designs().to_text(cost.design),
             space_text(plan.requests()[cost.request].request), scatter.x.title, scatter.x.text(x),
             scatter.y.title, scatter.y.text(y), is_proved ? "" : ", not proved"),
         .link = table.on_front[i] && linked ? "#" + design_anchor(cost) : ""});
  }
  return scatter_svg(scatter);
}

}  // namespace tilewright
