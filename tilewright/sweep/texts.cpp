// SPDX-License-Identifier: Apache-2.0
#include "tilewright/sweep/texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "tilewright/arch/area.h"
#include "tilewright/base/text/printable.h"
#include "tilewright/base/version.h"
#include "tilewright/format/csv_text.h"
#include "tilewright/format/json_text.h"
#include "tilewright/format/number_text.h"

namespace tilewright {
namespace {

std::string count(std::uint64_t number) { return count_text(static_cast<std::int64_t>(number)); }

// `2 h 5 min`, `41 s`
std::string time_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(seconds + 0.5);
  if (whole >= 3600) return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
  if (whole >= 60) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} s", whole);
}

const MapRequest& request_of(const SweepPlan& plan, std::size_t request) {
  return plan.requests()[request].request;
}

// The number as it reads back.
std::string number_cell(double value) { return fmt::format("{}", value); }

template <typename Number>
std::string maybe_cell(const std::optional<Number>& value) {
  return value ? fmt::format("{}", *value) : "";
}

std::vector<std::string> parameter_names(const SweepPlan& plan) {
  std::vector<std::string> names;
  for (const Parameter& parameter : plan.designs().parameters()) names.push_back(parameter.name);
  return names;
}

std::vector<std::string> value_texts(const SweepPlan& plan, std::uint64_t design) {
  std::vector<std::string> texts;
  for (const Amount& value : plan.designs().values(design)) texts.push_back(to_text(value));
  return texts;
}

void append(std::vector<std::string>& to, std::vector<std::string> more) {
  std::ranges::move(more, std::back_inserter(to));
}

// A sentence about areas that no file gives; empty if there are none.
std::string area_note(const SweepPlan& plan) {
  if (plan.designs().size() == 0) return {};
  const std::vector<std::string> names = estimated_areas(plan.design(0).arch);
  if (names.empty()) return {};
  return fmt::format(" No area is given for {}, so it is estimated (docs/sweeps.md, \"Area\").",
                     join_names(names, "and"));
}

std::string names_of(const std::vector<Figure>& figures) {
  std::vector<std::string> names;
  for (const Figure figure : figures) names.emplace_back(figure_name(figure));
  return fmt::format("{}", fmt::join(names, ", "));
}

// Designs with what they cost, a line each.
class TextTable {
 public:
  // `marked`: the first column says which are on the front.
  TextTable(const SweepPlan& plan, bool marked)
      : plan_(plan), marked_(marked), several_(plan.requests().size() > 1), rows_(columns()) {}

  void add(const DesignCost& cost, bool on_front) {
    const MapRequest& request = request_of(plan_, cost.request);
    std::vector<std::string> cells;
    if (marked_) cells.emplace_back(on_front ? "*" : "");
    cells.push_back(count(cost.design));
    append(cells, value_texts(plan_, cost.design));
    if (several_) append(cells, {space_text(request), request.objective.name});
    if (cost.is_mapped()) {
      append(cells, {energy_text(cost.total.energy_pj), si_text(cost.total.cycles, "", 4),
                     edp_text(cost.edp(), 4)});
    } else {
      append(cells, {"", "", ""});
    }
    append(cells, {area_text(cost.area_um2, 4), std::string(standing_name(cost.total.standing))});
    rows_.add_row(std::move(cells));
  }

  std::string text(const TextOptions& options) const { return rows_.text(options); }

 private:
  std::vector<Table::Column> columns() const {
    using Align = Table::Align;
    std::vector<Table::Column> columns;
    if (marked_) columns.push_back({"", Align::kLeft, 0});
    columns.push_back({"design", Align::kRight, marked_ ? 1 : 0});
    for (const std::string& name : parameter_names(plan_)) columns.push_back({name});
    if (several_) {
      columns.push_back({"space", Align::kLeft});
      columns.push_back({"objective", Align::kLeft});
    }
    for (const char* title : {"energy", "cycles", "EDP", "area"}) columns.push_back({title});
    columns.push_back({"", Align::kLeft});
    return columns;
  }

  const SweepPlan& plan_;
  bool marked_;
  bool several_;
  Table rows_;
};

using Json = nlohmann::ordered_json;

Json head_json(const char* format, const SweepPlan& plan, const std::vector<Figure>& figures) {
  Json root{
      {"format", format}, {"version", 1}, {"program", program_version()}, {"sweep", plan.name()}};
  root["targets"] = Json::array();
  for (const SweepTarget& target : plan.targets()) {
    root["targets"].push_back({{"name", target.name}, {"weight", target.weight}});
  }
  root["figures"] = Json::array();
  for (const Figure figure : figures) root["figures"].push_back(figure_name(figure));
  return root;
}

// A design by its number and parameters.
Json design_json(const SweepPlan& plan, std::uint64_t number) {
  Json design{{"design", number}};
  const std::vector<std::string> names = parameter_names(plan);
  const std::vector<std::string> values = value_texts(plan, number);
  for (std::size_t p = 0; p < names.size(); ++p) design["parameters"][names[p]] = values[p];
  return design;
}

Json cost_json(const SweepPlan& plan, const DesignCost& cost, bool on_front) {
  const MapRequest& request = request_of(plan, cost.request);
  Json design = design_json(plan, cost.design);
  design["space"] = request.space;
  if (request.placement != "even") design["placement"] = request.placement;
  design["objective"] = request.objective.name;
  const auto add_figures = [](Json& to, const TargetCost& target) {
    to["standing"] = standing_name(target.standing);
    const bool mapped = target.standing <= Standing::kNotProved;
    to["energy_pj"] = mapped ? Json(target.energy_pj) : Json();
    to["cycles"] = mapped ? Json(target.cycles) : Json();
  };
  add_figures(design, cost.total);
  design["edp"] = cost.is_mapped() ? Json(cost.edp()) : Json();
  design["area_um2"] = cost.area_um2;
  design["on_front"] = on_front;
  design["targets"] = Json::array();
  for (const TargetCost& target : cost.targets)
    add_figures(design["targets"].emplace_back(), target);
  return design;
}

}  // namespace

std::string area_text(double area_um2, int digits) {
  return fmt::format("{:.{}g} mm2", area_um2 / 1e6, digits);
}

std::string edp_text(double edp, int digits) { return si_text(edp * 1e-12, "J", digits); }

std::string progress_text(const SweepProgress& progress, double seconds) {
  const std::uint64_t done = progress.elsewhere + progress.known + progress.solved;
  const double rate = seconds > 0 ? static_cast<double>(progress.solved) / seconds : 0;
  std::string text = fmt::format(
      "{} of {} ({})", count(done), count(progress.planned),
      percent_text(progress.planned == 0
                       ? 1
                       : static_cast<double>(done) / static_cast<double>(progress.planned)));
  if (rate > 0) {
    text += fmt::format(", {} per s, {} left", significant_text(rate, 3),
                        time_text(static_cast<double>(progress.planned - done) / rate));
  }
  if (progress.solved > 0) {
    text += fmt::format(", {} settled", percent_text(static_cast<double>(progress.settled) /
                                                     static_cast<double>(progress.solved)));
  }
  if (progress.failed > 0) text += fmt::format(", {} FAILED", count(progress.failed));
  return text;
}

std::string summary_text(const SweepProgress& progress, double seconds) {
  const std::uint64_t here = progress.looked - progress.elsewhere;
  std::string text =
      fmt::format("{} problems: {} stored before or equal to others, {} solved in {}\n",
                  count(here), count(progress.known), count(progress.solved), time_text(seconds));
  if (progress.elsewhere > 0) {
    text += fmt::format("{} belong to other shards\n", count(progress.elsewhere));
  }
  const std::uint64_t open = progress.solved - progress.settled - progress.failed;
  text += fmt::format("{} settled, {} not proved, {} failed\n", count(progress.settled),
                      count(open), count(progress.failed));
  if (progress.solved > 0 && seconds > 0) {
    text += fmt::format("searches took {:.2f} s of CPU time: {:.3f} processors on average\n",
                        progress.busy_seconds, progress.busy_seconds / seconds);
  }
  const std::uint64_t left =
      progress.planned - progress.elsewhere - progress.known - progress.solved;
  if (left > 0) text += fmt::format("{} are left; the same command goes on\n", count(left));
  return text;
}

std::string size_text(const SweepPlan& plan) {
  return fmt::format("{} x {} x {} = {}",
                     plural_text(static_cast<std::int64_t>(plan.designs().size()), "design"),
                     plural_text(static_cast<std::int64_t>(plan.workloads().size()), "workload"),
                     plural_text(static_cast<std::int64_t>(plan.requests().size()), "request"),
                     plural_text(static_cast<std::int64_t>(plan.problems()), "problem"));
}

DesignTable make_table(const SweepPlan& plan, const Store& store, std::vector<Figure> figures) {
  DesignTable table{std::move(figures), cost_designs(plan, store), {}, {}};
  table.on_front.resize(table.costs.size(), false);
  for (std::size_t request = 0; request < plan.requests().size(); ++request) {
    std::vector<DesignCost> costs;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < table.costs.size(); ++i) {
      if (table.costs[i].request != request || !table.costs[i].is_mapped()) continue;
      costs.push_back(table.costs[i]);
      places.push_back(i);
    }
    for (const std::size_t found : find_front(costs, table.figures)) {
      table.front.push_back(places[found]);
      table.on_front[places[found]] = true;
    }
  }
  return table;
}

std::string table_text(const SweepPlan& plan, const DesignTable& table, std::size_t most,
                       const TextOptions& options) {
  std::vector<std::size_t> order = table.front;
  for (std::size_t i = 0; i < table.costs.size(); ++i) {
    if (!table.on_front[i]) order.push_back(i);
  }
  const std::size_t shown = most == 0 ? order.size() : std::min(most, order.size());
  TextTable rows(plan, /*marked=*/true);
  for (std::size_t i = 0; i < shown; ++i) {
    rows.add(table.costs[order[i]], table.on_front[order[i]]);
  }
  std::string text = title_text(plan.name() + ": " + size_text(plan), options);
  text += rows.text(options);
  if (shown < order.size()) {
    text += fmt::format("... and {} more; --all shows them\n", count(order.size() - shown));
  }
  text += wrap_words("",
                     fmt::format("* on the front: no other design under the same request is at "
                                 "least as good in {} and better in one of them. EDP is in "
                                 "J*cycle.{}",
                                 names_of(table.figures), area_note(plan)),
                     options.width);
  return text;
}

std::string table_csv(const SweepPlan& plan, const DesignTable& table) {
  std::vector<std::string> titles = {"design"};
  append(titles, parameter_names(plan));
  append(titles,
         {"space", "objective", "energy_pj", "cycles", "edp", "area_um2", "standing", "on_front"});
  for (const SweepTarget& target : plan.targets()) {
    append(titles, {csv_cell(target.name + " energy_pj"), csv_cell(target.name + " cycles")});
  }
  std::string text = csv_line(titles);
  for (std::size_t i = 0; i < table.costs.size(); ++i) {
    const DesignCost& cost = table.costs[i];
    const MapRequest& request = request_of(plan, cost.request);
    const auto figure = [](const TargetCost& target, double value) {
      return target.standing <= Standing::kNotProved ? number_cell(value) : "";
    };
    std::vector<std::string> cells = {fmt::format("{}", cost.design)};
    append(cells, value_texts(plan, cost.design));
    append(cells, {csv_cell(space_text(request)), csv_cell(request.objective.name),
                   figure(cost.total, cost.total.energy_pj), figure(cost.total, cost.total.cycles),
                   figure(cost.total, cost.edp()), number_cell(cost.area_um2),
                   std::string(standing_name(cost.total.standing)), table.on_front[i] ? "1" : "0"});
    for (const TargetCost& target : cost.targets) {
      append(cells, {figure(target, target.energy_pj), figure(target, target.cycles)});
    }
    text += csv_line(cells);
  }
  return text;
}

std::string table_json(const SweepPlan& plan, const DesignTable& table) {
  Json root = head_json("tilewright sweep table", plan, table.figures);
  root["designs"] = Json::array();
  for (std::size_t i = 0; i < table.costs.size(); ++i) {
    root["designs"].push_back(cost_json(plan, table.costs[i], table.on_front[i]));
  }
  return json_text(root);
}

std::string best_progress_text(const BestProgress& progress) {
  return fmt::format("{} of {} designs ruled out, {} solved, and {} relaxed ones for bounds",
                     count(progress.ruled_out), count(progress.designs), count(progress.solved),
                     count(progress.relaxed));
}

std::string best_text(const SweepPlan& plan, const BestDesigns& best, const TextOptions& options) {
  TextTable rows(plan, /*marked=*/false);
  for (const std::size_t i : best.front) rows.add(best.solved[i], /*on_front=*/true);
  std::string text = title_text(plan.name() + ": " + size_text(plan), options);
  text += rows.text(options);
  const BestProgress& counts = best.counts;
  const double share = static_cast<double>(counts.ruled_out) /
                       static_cast<double>(std::max<std::uint64_t>(counts.designs, 1));
  std::string words = fmt::format(
      "{} of {} designs were solved; {} ({}) were ruled out by bounds, unsolved.",
      count(counts.solved), count(counts.designs), count(counts.ruled_out), percent_text(share));
  if (counts.relaxed > 0) {
    words += fmt::format(" For the bounds, {} were solved besides.",
                         plural_text(static_cast<std::int64_t>(counts.relaxed), "relaxed design"));
  }
  const std::uint64_t left = counts.designs - counts.solved - counts.ruled_out;
  const std::int64_t unproved = best.not_proved();
  if (left > 0) {
    words += fmt::format(" {} are left, so better ones may exist; the same command goes on.",
                         count(left));
  } else if (unproved > 0) {
    words += fmt::format(
        " No better design was found, but {} of the solved ones {} mappings that are not proved to "
        "be the best, so another may be better: give the searches a longer budget.",
        count(static_cast<std::uint64_t>(unproved)), unproved == 1 ? "has" : "have");
  } else if (best.figures.size() == 1) {
    words += fmt::format(" No other design has less {}.", names_of(best.figures));
  } else {
    words += fmt::format(" No other design is at least as good in {} and better in one of them.",
                         names_of(best.figures));
  }
  return text + wrap_words("", words + area_note(plan), options.width) + "\n";
}

std::string best_json(const SweepPlan& plan, std::span<const BestDesigns> requests) {
  Json root = head_json("tilewright best designs", plan,
                        requests.empty() ? std::vector<Figure>{} : requests.front().figures);
  root["requests"] = Json::array();
  for (const BestDesigns& best : requests) {
    const MapRequest& request = request_of(plan, best.request);
    Json one{{"space", request.space},         {"objective", request.objective.name},
             {"complete", best.complete},      {"designs", best.counts.designs},
             {"solved", best.counts.solved},   {"relaxed", best.counts.relaxed},
             {"not_proved", best.not_proved()}};
    if (request.placement != "even") one["placement"] = request.placement;
    one["front"] = Json::array();
    for (const std::size_t i : best.front) {
      one["front"].push_back(cost_json(plan, best.solved[i], true));
    }
    one["ruled_out"] = Json::array();
    for (const Ruling& ruling : best.ruled_out) {
      Json design = design_json(plan, ruling.design);
      design["bounds"] = ruling.bounds.empty() ? Json() : Json(ruling.bounds);
      design["by"] = ruling.by ? Json(*ruling.by) : Json();
      one["ruled_out"].push_back(std::move(design));
    }
    root["requests"].push_back(std::move(one));
  }
  return json_text(root);
}

void write_problems_csv(const SweepPlan& plan, const Store& store,
                        const std::function<void(const std::string&)>& write) {
  std::vector<std::string> titles = {"design"};
  append(titles, parameter_names(plan));
  append(titles, {"workload", "space", "objective", "status", "score", "energy_pj", "cycles",
                  "bound", "nodes", "seconds", "key"});
  write(csv_line(titles));
  for_each_problem(
      plan, store, [&](const SweepProblem& problem, const Digest& key, const Row* row) {
        if (row == nullptr) return;
        const MapRequest& request = request_of(plan, problem.request);
        std::vector<std::string> cells = {fmt::format("{}", problem.design)};
        append(cells, value_texts(plan, problem.design));
        append(cells,
               {csv_cell(plan.workloads()[problem.workload].name), csv_cell(space_text(request)),
                csv_cell(request.objective.name), row->status, maybe_cell(row->score),
                maybe_cell(row->energy_pj), maybe_cell(row->cycles), maybe_cell(row->bound),
                fmt::format("{}", row->nodes), number_cell(row->seconds), to_hex(key)});
        write(csv_line(cells));
      });
}

}  // namespace tilewright
