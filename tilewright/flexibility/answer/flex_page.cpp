// SPDX-License-Identifier: Apache-2.0
#include "tilewright/flexibility/answer/flex_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "tilewright/flexibility/answer/words.h"
#include "tilewright/format/number_text.h"
#include "tilewright/html/parts.h"

namespace tilewright {
namespace {

// The colour of an axis everywhere on the page.
std::string axis_class(FlexAxis axis) { return fmt::format("t{}", static_cast<int>(axis)); }

/// Sets inside each other, as circles whose areas are to scale.
class VennPicture {
 public:
  struct Ring {
    double share = 1;  ///< of the first one
    std::string style;
    std::string words;
  };

  static void draw(Markup& out, const std::string& label, const std::vector<Ring>& rings) {
    constexpr double kRadius = 70;
    constexpr double kMargin = 4;
    constexpr double kSize = 2 * (kRadius + kMargin);
    const auto svg = out.in("svg", {{"class", "venn"},
                                    {"viewBox", fmt::format("0 0 {} {}", kSize, kSize)},
                                    {"width", number(kSize)},
                                    {"height", number(kSize)},
                                    {"role", "img"},
                                    {"aria-label", label}});
    for (const Ring& ring : rings) {
      // They touch at the bottom, so that each of them is seen.
      const double radius = kRadius * std::sqrt(ring.share);
      const auto circle = out.in("circle", {{"class", ring.style},
                                            {"cx", number(kSize / 2)},
                                            {"cy", number(kSize - kMargin - radius)},
                                            {"r", number(radius)}});
      out.leaf("title", ring.words);
    }
  }
};

class FlexPage {
 public:
  explicit FlexPage(const FlexAnswer& answer)
      : answer_(answer),
        supports_(answer.flexibility.supports),
        costs_(costs_of(answer.flexibility, answer.arch)) {}

  std::string write(const std::string& version) {
    const std::string title =
        fmt::format("{} on {}: flexibility", answer_.network.name, answer_.arch.name());
    header_.leaf("h1", title);
    header_.leaf("p", flex_verdict(answer_));
    facts(header_,
          {{"class", flex_class(answer_.flexibility, supports_), degrees_text(supports_), ""},
           {answer_.objective.name, score_text(answer_, row_of(answer_, supports_)), "as it is",
            row_of(answer_, supports_).status == Status::kProved ? "good" : "fair"},
           {"all axes full", relative_text(all_degrees(Degree::kFull)),
            fmt::format("of that, for {} area", added(all_degrees(Degree::kFull))), ""}});
    section(main_, "worth", "What each axis is worth", [&] { worth(); });
    if (!answer_.flexion.empty()) {
      section(main_, "flexion", "How flexible it is", [&] { flexion(); });
    }
    if (has_classes(answer_)) {
      section(main_, "classes", "The 16 classes", [&] { classes(); });
    }
    section(main_, "layers", "Layers", [&] { layers(); });
    return html_page(title, version, header_, main_);
  }

 private:
  std::string relative_text(const Degrees& degrees) const {
    const WorthRow& now = row_of(answer_, supports_);
    const WorthRow& row = row_of(answer_, degrees);
    if (std::max(row.status, now.status) > Status::kNotProved) return "no mapping";
    return percent_text(row.score / now.score);
  }

  std::string added(const Degrees& degrees) const {
    return added_share_text(added_area_um2(costs_, degrees) / costs_.base_um2);
  }

  double most() const {
    double result = 0;
    for (const WorthRow& row : answer_.worth.rows) {
      if (row.status <= Status::kNotProved) result = std::max(result, row.score);
    }
    return result;
  }

  void number_cell(const std::string& text) { main_.leaf("td", {{"class", "number"}}, text); }

  void worth_line(const std::string& name, const Degrees& degrees, const std::string& style,
                  double most) {
    const WorthRow& row = row_of(answer_, degrees);
    const auto line = main_.in("tr");
    main_.leaf("th", {{"scope", "row"}}, name);
    number_cell(score_text(answer_, row));
    number_cell(relative_text(degrees));
    number_cell(added(degrees));
    const auto cell = main_.in("td");
    const bool is_mapped = row.status <= Status::kNotProved;
    bar(main_, {{is_mapped ? row.score / most : 0, style, status_text(row)}},
        fmt::format("{}: {}", name, score_text(answer_, row)), Track::kNone);
  }

  static std::string status_text(const WorthRow& row) {
    return std::string(status_name(row.status));
  }

  void worth() {
    const double longest = most();
    const auto figure = main_.in("figure");
    {
      const auto table = main_.in("table", {{"class", "bars"}});
      head_row(main_,
               {{""}, {answer_.objective.name, true}, {"relative", true}, {"area", true}, {""}});
      const auto body = main_.in("tbody");
      worth_line("as it is", supports_, "unit", longest);
      for (const FlexAxis axis : kAllFlexAxes) {
        for (const Degree degree : {Degree::kFixed, Degree::kPartial, Degree::kFull}) {
          if (degree == supports_[axis]) continue;
          if (degree == Degree::kPartial && !has_partial(answer_.flexibility, axis)) continue;
          worth_line(fmt::format("{} {}", flex_axis_name(axis), degree_name(degree)),
                     with_degree(supports_, axis, degree), axis_class(axis), longest);
        }
      }
      worth_line("all fixed", all_degrees(Degree::kFixed), "unit", longest);
      worth_line("all full", all_degrees(Degree::kFull), "unit", longest);
    }
    caption(main_,
            fmt::format("The {} of the network, the sum over all runs of its layers, for the "
                        "best mappings in {}. One axis is changed at a time.",
                        answer_.objective.name, space_name(answer_.space)));
  }

  static std::string count_of(const ChoiceCount& count) {
    if (count.is_exact) return power_text(count.exact);
    return "about " + significant_text(count.estimate, 3);
  }

  void flexion() {
    const auto figure = main_.in("figure");
    {
      const Wide wide(main_, "flexion by axis");
      const auto table = main_.in("table");
      head_row(main_, {{"axis"},
                       {"hardware: A in C"},
                       {"workload: A in C in W"},
                       {"H-F", true},
                       {"W-F, mean", true}});
      const auto body = main_.in("tbody");
      for (const FlexAxis axis : kAllFlexAxes) axis_line(axis);
    }
    caption(
        main_,
        "Areas are to scale. Left: the choices of this accelerator (A, coloured) among those of "
        "a fully flexible one (C). Right: the choices that a layer has on any hardware (W), "
        "those that a fully flexible accelerator supports, and those that this one supports; "
        "means over all runs of all layers.");
  }

  void axis_line(FlexAxis axis) {
    const MapSpaces& first = answer_.flexion.front()[axis];
    const auto mean = [&](const ChoiceCount MapSpaces::*part) {
      return flexion_mean(answer_, [&](const Flexion& one) {
        return (one[axis].*part).estimate / one[axis].workload.estimate;
      });
    };
    const double possible = mean(&MapSpaces::hardware_workload);
    const double supported = mean(&MapSpaces::accelerator_workload);
    const std::string name(flex_axis_name(axis));
    const auto line = main_.in("tr");
    main_.leaf("th", {{"scope", "row"}}, fmt::format("{} {}", name, degree_name(supports_[axis])));
    {
      const auto cell = main_.in("td");
      VennPicture::draw(
          main_,
          fmt::format("{}: {} of {}", name, count_of(first.accelerator), count_of(first.hardware)),
          {{1, "venn-all", "C: " + count_of(first.hardware)},
           {first.hardware_flexion(), axis_class(axis), "A: " + count_of(first.accelerator)}});
      main_.leaf("p",
                 fmt::format("{} of {}", count_of(first.accelerator), count_of(first.hardware)));
    }
    {
      const auto cell = main_.in("td");
      VennPicture::draw(main_,
                        fmt::format("{}: {} of what a layer has", name, percent_text(supported)),
                        {{1, "venn-all", "W"},
                         {possible, "venn-some", "C and W: " + percent_text(possible)},
                         {supported, axis_class(axis), "A and W: " + percent_text(supported)}});
    }
    number_cell(significant_text(first.hardware_flexion(), 2));
    number_cell(significant_text(supported, 2));
  }

  void classes() {
    const auto table = main_.in("table", {{"class", "bars"}});
    head_row(main_,
             {{"class"}, {answer_.objective.name, true}, {"relative", true}, {"area", true}, {""}});
    const auto body = main_.in("tbody");
    const double longest = most();
    for (const Degrees& degrees : class_rows(answer_.flexibility)) {
      const bool is_partial = degrees == all_degrees(Degree::kPartial);
      worth_line(flex_class(answer_.flexibility, degrees) + (is_partial ? ", all partial" : ""),
                 degrees, "unit", longest);
    }
  }

  void layers() {
    const Wide wide(main_, "layers");
    const auto table = main_.in("table");
    std::vector<Column> columns = {{"layer"}, {"runs", true}};
    for (const FlexAxis axis : kAllFlexAxes) {
      columns.push_back({fmt::format("W-F {}", flex_axis_name(axis)), true});
    }
    columns.push_back({answer_.objective.name, true});
    columns.push_back({"all full", true});
    head_row(main_, columns);
    const auto body = main_.in("tbody");
    const WorthRow& now = row_of(answer_, supports_);
    const WorthRow& full = row_of(answer_, all_degrees(Degree::kFull));
    for (std::size_t l = 0; l < answer_.flexion.size(); ++l) {
      const FlexNetworkLayer& layer = answer_.worth.layers[l];
      const auto line = main_.in("tr");
      {
        const auto head = main_.in("th", {{"scope", "row"}});
        breakable(main_, answer_.network.layers[layer.layer].name);
      }
      number_cell(count_text(static_cast<std::int64_t>(layer.runs)));
      for (const MapSpaces& spaces : answer_.flexion[l].axes) {
        number_cell(significant_text(spaces.workload_flexion(), 2));
      }
      for (const WorthRow* row : {&now, &full}) {
        const LayerOptimum& optimum = row->layers[l];
        number_cell(optimum.best ? si_text(optimum.best->score, "", 4) : "no mapping");
      }
    }
  }

  const FlexAnswer& answer_;
  const Degrees& supports_;
  FlexCosts costs_;
  Markup header_;
  Markup main_;
};

}  // namespace

std::string flex_page(const FlexAnswer& answer, const std::string& version) {
  return FlexPage(answer).write(version);
}

}  // namespace tilewright
