// SPDX-License-Identifier: Apache-2.0
#include "tilewright/sweep/picture/front_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "tilewright/format/number_text.h"
#include "tilewright/html/markup.h"
#include "tilewright/html/parts.h"
#include "tilewright/sweep/picture/front_svg.h"

namespace tilewright {
namespace {

class FrontPage {
 public:
  FrontPage(const SweepPlan& plan, const Store& store, const DesignTable& table)
      : plan_(plan), table_(table), rows_(store, /*bodies=*/true) {}

  std::string write(const std::string& version) {
    header_.leaf("h1", plan_.name());
    header_.leaf("p", size_text(plan_));
    facts(header_,
          {{"designs", count_text(static_cast<std::int64_t>(plan_.designs().size())), "", ""},
           {"on the front", count_text(static_cast<std::int64_t>(table_.front.size())),
            "under all requests together", ""},
           unproved()});
    section(main_, "front", "Front", [&] {
      const auto figure = main_.in("figure");
      main_.raw(front_svg(plan_, table_, /*linked=*/true));
      const auto words = main_.in("figcaption");
      main_.text(
          "Every point is a design. No other design under the same request is at least as good as "
          "a large one in both figures and better in one. A large point leads to its mappings.");
    });
    section(main_, "designs", "Designs on the front", [&] {
      for (const std::size_t i : table_.front) design(table_.costs[i]);
    });
    return html_page(plan_.name(), version, header_, main_);
  }

 private:
  Fact unproved() const {
    const auto open = std::ranges::count_if(table_.costs, [](const DesignCost& cost) {
      return cost.total.standing != Standing::kProved;
    });
    if (open == 0) return {"standing", "proved", "every mapping of every design", "good"};
    return {"not proved", count_text(open),
            "designs that are unfinished, unmapped, failed or missing, counted by request", "fair"};
  }

  void design(const DesignCost& cost) {
    const auto details = main_.in("details", {{"id", design_anchor(cost)}});
    {
      const auto summary = main_.in("summary");
      main_.leaf("h3",
                 fmt::format("Design {}: {}", cost.design, plan_.designs().to_text(cost.design)));
      const MapRequest& request = plan_.requests()[cost.request].request;
      main_.leaf("p",
                 fmt::format("{}, {}: {}, {} cycles, EDP {}*cycle, {}, {}", space_text(request),
                             request.objective.name, energy_text(cost.total.energy_pj),
                             si_text(cost.total.cycles, "", 4), edp_text(cost.edp(), 4),
                             area_text(cost.area_um2, 4), standing_name(cost.total.standing)));
    }
    const Design made = plan_.design(cost.design);
    const Wide wide(main_, fmt::format("layers of design {}", cost.design));
    const auto table = main_.in("table");
    head_row(main_, {{"workload"}, {"energy", true}, {"cycles", true}, {"standing"}, {"mapping"}});
    const auto body = main_.in("tbody");
    for (std::size_t w = 0; w < plan_.workloads().size(); ++w) {
      layer(plan_.workloads()[w], rows_.find(plan_.key(made, w, cost.request)));
    }
  }

  void layer(const SweepWorkload& workload, const std::optional<Row>& row) {
    if (!row) return;
    const auto line = main_.in("tr");
    main_.leaf("td", workload.name);
    main_.leaf("td", {{"class", "number"}}, row->energy_pj ? energy_text(*row->energy_pj) : "");
    main_.leaf("td", {{"class", "number"}}, row->cycles ? count_text(*row->cycles) : "");
    main_.leaf("td", row->status);
    const auto cell = main_.in("td");
    const auto folded = main_.in("details");
    main_.leaf("summary", "nest");
    main_.leaf("pre", row->body);
  }

  const SweepPlan& plan_;
  const DesignTable& table_;
  RowFinder rows_;
  Markup header_;
  Markup main_;
};

}  // namespace

std::string front_page(const SweepPlan& plan, const Store& store, const DesignTable& table,
                       const std::string& version) {
  return FrontPage(plan, store, table).write(version);
}

}  // namespace tilewright
