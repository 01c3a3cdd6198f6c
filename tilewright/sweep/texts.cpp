// SPDX-License-Identifier: Apache-2.0
#include "tilewright/sweep/texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

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

}  // namespace

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
  using Align = Table::Align;
  std::vector<Table::Column> columns = {{"", Align::kLeft, 0}, {"design", Align::kRight, 1}};
  for (const std::string& name : parameter_names(plan)) columns.push_back({name});
  const bool several = plan.requests().size() > 1;
  if (several) {
    columns.push_back({"space", Align::kLeft});
    columns.push_back({"objective", Align::kLeft});
  }
  for (const char* title : {"energy", "cycles", "EDP", "area"}) columns.push_back({title});
  columns.push_back({"", Align::kLeft});
  Table rows(columns);
  for (std::size_t i = 0; i < shown; ++i) {
    const DesignCost& cost = table.costs[order[i]];
    const MapRequest& request = request_of(plan, cost.request);
    std::vector<std::string> cells = {table.on_front[order[i]] ? "*" : "", count(cost.design)};
    append(cells, value_texts(plan, cost.design));
    if (several) append(cells, {request.space, request.objective.name});
    if (cost.is_mapped()) {
      append(cells, {energy_text(cost.total.energy_pj), si_text(cost.total.cycles, "", 4),
                     si_text(cost.edp() * 1e-12, "J", 4)});
    } else {
      append(cells, {"", "", ""});
    }
    append(cells, {fmt::format("{:.4g} mm2", cost.area_um2 / 1e6),
                   std::string(standing_name(cost.total.standing))});
    rows.add_row(std::move(cells));
  }
  std::vector<std::string> names;
  for (const Figure figure : table.figures) names.emplace_back(figure_name(figure));
  std::string text = title_text(plan.name() + ": " + size_text(plan), options);
  text += rows.text(options);
  if (shown < order.size()) {
    text += fmt::format("... and {} more; --all shows them\n", count(order.size() - shown));
  }
  text += wrap_words("",
                     fmt::format("* on the front: no other design under the same request is at "
                                 "least as good in {} and better in one of them. EDP is in "
                                 "J*cycle.",
                                 fmt::join(names, ", ")),
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
    append(cells, {csv_cell(request.space), csv_cell(request.objective.name),
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
  using Json = nlohmann::ordered_json;
  Json root{{"format", "tilewright sweep table"},
            {"version", 1},
            {"program", program_version()},
            {"sweep", plan.name()}};
  root["targets"] = Json::array();
  for (const SweepTarget& target : plan.targets()) {
    root["targets"].push_back({{"name", target.name}, {"weight", target.weight}});
  }
  root["figures"] = Json::array();
  for (const Figure figure : table.figures) root["figures"].push_back(figure_name(figure));
  root["designs"] = Json::array();
  for (std::size_t i = 0; i < table.costs.size(); ++i) {
    const DesignCost& cost = table.costs[i];
    const MapRequest& request = request_of(plan, cost.request);
    Json design{{"design", cost.design}};
    const std::vector<std::string> names = parameter_names(plan);
    const std::vector<std::string> values = value_texts(plan, cost.design);
    for (std::size_t p = 0; p < names.size(); ++p) design["parameters"][names[p]] = values[p];
    design["space"] = request.space;
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
    design["on_front"] = static_cast<bool>(table.on_front[i]);
    design["targets"] = Json::array();
    for (const TargetCost& target : cost.targets)
      add_figures(design["targets"].emplace_back(), target);
    root["designs"].push_back(std::move(design));
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
        append(cells, {csv_cell(plan.workloads()[problem.workload].name), csv_cell(request.space),
                       csv_cell(request.objective.name), row->status, maybe_cell(row->score),
                       maybe_cell(row->energy_pj), maybe_cell(row->cycles), maybe_cell(row->bound),
                       fmt::format("{}", row->nodes), number_cell(row->seconds), to_hex(key)});
        write(csv_line(cells));
      });
}

}  // namespace tilewright
