// SPDX-License-Identifier: Apache-2.0
#include "tilewright/report/network/plan_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tilewright/plan/plan_test_support.h"
#include "tilewright/result/json/plan_json.h"

namespace tilewright {
namespace {

using plan_test::chain;
using plan_test::mapped;
using plan_test::options;
using plan_test::product;
using plan_test::small_arch;
using plan_test::unmapped;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

int widest_line(const std::string& text) {
  int widest = 0;
  for (const std::string& line : lines_of(text)) widest = std::max(widest, display_width(line));
  return widest;
}

// A network, an accelerator and what came of them.
struct Case {
  explicit Case(const Network& n, const PlanOptions& wishes = options(),
                const Arch& a = small_arch())
      : result{{}, n, a, plan_network(n, a, wishes), Status::kProved} {}

  Planned planned() const { return {.result = result}; }

  PlanResult result;
};

// The second layer cannot be mapped.
Case with_fault() {
  Network network = chain();
  network.layers[1].name = "a name that is much too long for a row of the table, is it not";
  network.layers[1].count = 12;
  PlanOptions wishes = options();
  wishes.constraints = [](const Problem& problem) {
    FittingConstraints all;
    if (problem.workload().name() != "b") return all;
    Constraint too_much;
    too_much.kind = Constraint::Kind::kAtLeast;
    too_much.node = NodeId(2);
    too_much.axis = 0;
    too_much.dim = DimId(0);
    too_much.value = 3;
    all.constraints.push_back(too_much);
    return all;
  };
  return Case(network, wishes);
}

TEST(PlanText, FoldsEqualLayersAndAddsThemUp) {
  Network network = chain();
  network.edges.push_back({"v", 4, 8});
  network.layers.push_back(mapped("again", product("again", 2, 6, 4), 0, 4));
  network.layers.back().count = 2;
  network.layers.push_back(unmapped("view", LayerKind::kNothing, {4}, {}));
  const Case c(network);
  const std::vector<PlanRow> rows = fold_layers(c.planned());
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].layers, (std::vector<std::size_t>{0, 3}));
  EXPECT_EQ(rows[0].runs, 3);
  double cycles = 0;
  for (const PlanRow& row : rows) cycles += static_cast<double>(row.runs) * row.each.cycles;
  EXPECT_EQ(cycles, c.result.plan.totals.cycles);
  const std::string text = plan_text(c.planned(), {});
  EXPECT_TRUE(
      text.starts_with("chain on small: 4 layers in 5 runs, 3 to solve, 192 MACs, 2 units\n"))
      << text;
  EXPECT_TRUE(contains(text, "\na     x3 ")) << text;
  EXPECT_TRUE(contains(
      text, "\nresult   proved: no mapping of any layer with even placement is better (4 of 4)\n"))
      << text;
  EXPECT_FALSE(contains(text, "view")) << text;
  EXPECT_FALSE(contains(text, "gap%")) << text;
  EXPECT_LE(widest_line(text), 80);
}

TEST(PlanText, TellsWhereTheTimeGoes) {
  Network network = chain();
  network.layers[2].count = 100;
  const Case c(network);
  const std::string text = plan_notes_text(c.planned(), {});
  EXPECT_TRUE(text.starts_with("time     80 % goes to 1 of 3 rows: c x100 9")) << text;
  std::vector<PlanRow> rows = longest_rows(fold_layers(c.planned()), c.result.plan.totals.cycles);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].layers.front(), 2U);
}

TEST(PlanText, ALayerWithoutAMappingIsARedRow) {
  const Case c = with_fault();
  TextOptions colors;
  colors.color = true;
  const std::string text = plan_text(c.planned(), colors);
  const std::vector<std::string> lines = lines_of(text);
  const auto row = std::ranges::find_if(
      lines, [](const std::string& line) { return contains(line, "a name that"); });
  ASSERT_NE(row, lines.end());
  EXPECT_TRUE(row->starts_with(paint("a", Style::kBad, colors).substr(0, 4))) << *row;
  EXPECT_TRUE(contains(text, "no mapping exists: m >= 3 on X of PE cannot hold")) << text;
  EXPECT_TRUE(contains(text, "1 layer without a\n         mapping")) << text;
  EXPECT_LE(widest_line(text), 80) << text;
}

TEST(PlanText, ShowsGapsWhereNotAllIsProved) {
  Case c(chain());
  c.result.plan.solved[1].ending = Ending::kBudget;
  c.result.plan.solved[1].bound = 0.875 * c.result.plan.solved[1].best->score;
  c.result.plan.solved[2].ending = Ending::kLocal;
  c.result.plan.solved[2].bound.reset();
  c.result.plan.solved[1].status = c.result.plan.solved[2].status = Status::kNotProved;
  c.result.plan.totals.proved = 1;
  const std::string text = plan_text(c.planned(), {});
  EXPECT_TRUE(contains(text, "gap%")) << text;
  EXPECT_TRUE(contains(text, "\nresult   1 of 3 layers proved optimal, ")) << text;
  EXPECT_TRUE(contains(text, "better by more than 12.5 %; 1 layer without a bound")) << text;
  EXPECT_LE(widest_line(text), 80) << text;
}

TEST(PlanText, CountsLayersWithoutAConstraintApart) {
  PlanOptions wishes = options();
  wishes.constraints = [](const Problem& problem) {
    FittingConstraints all;
    if (problem.workload().name() == "b") all.without = {"r >= 3 on X of PE"};
    return all;
  };
  const Case c(chain(), wishes);
  const std::string text = plan_text(c.planned(), {});
  EXPECT_TRUE(contains(text, "(2 of 3\n         with all constraints; 1 more without `r >= 3 on X"))
      << text;
  EXPECT_TRUE(contains(text, "\nb* ")) << text;
  EXPECT_TRUE(
      contains(text, "note: * searched without `r >= 3 on X of PE`, which does not apply: b"))
      << text;
  const nlohmann::json json = nlohmann::json::parse(plan_json(c.planned(), "1"));
  EXPECT_EQ(json["totals"]["proved"], 2);
  EXPECT_EQ(json["totals"]["proved_without"], 1);
  EXPECT_TRUE(lines_of(plan_csv(c.planned()))[2].ends_with(",r >= 3 on X of PE"));
}

TEST(PlanText, TheFirstLineSaysWhatIsAssumed) {
  std::vector<ArchNode> nodes = plan_test::small_nodes();
  std::get<Memory>(nodes[0]).shared_bandwidth.reset();
  const Case c(chain(), options(), Arch("small", "", std::nullopt, nodes, {}));
  EXPECT_TRUE(
      plan_text(c.planned(), {}).starts_with("assuming unlimited DRAM bandwidth\nchain on"));
}

TEST(PlanText, NamesEdgesOnChip) {
  Case c(chain(), options(true), small_arch(std::nullopt));
  c.result.request.keep_on_chip = true;
  EXPECT_TRUE(contains(plan_text(c.planned(), {}), "\non chip  2 of 4 edges stay in buf: y, z\n"));
}

TEST(PlanJson, HoldsEveryMapping) {
  const Case c = with_fault();
  const nlohmann::json json = nlohmann::json::parse(plan_json(c.planned(), "1.2.3"));
  EXPECT_EQ(json["tilewright"]["kind"], "plan");
  EXPECT_EQ(json["tilewright"]["schema"], kPlanSchema);
  ASSERT_EQ(json["layers"].size(), 3U);
  ASSERT_EQ(json["problems"].size(), 3U);
  EXPECT_TRUE(json["problems"][0]["mapping"].get<std::string>().starts_with("DRAM")) << json;
  EXPECT_EQ(json["problems"][0]["evaluation"]["energy_pj"], json["layers"][0]["energy_pj"]);
  EXPECT_EQ(json["problems"][0]["proved"], true);
  EXPECT_FALSE(json["problems"][0].contains("arch"));
  EXPECT_FALSE(json["problems"][1].contains("mapping"));
  EXPECT_TRUE(contains(json["problems"][1]["why_not"], "no mapping exists"));
  EXPECT_EQ(json["problems"][1]["conflict"][0]["demand"], "m >= 3 on X of PE");
  EXPECT_EQ(json["off_chip"], nlohmann::json({"DRAM"}));
  EXPECT_TRUE(json["assumptions"].empty());
  EXPECT_EQ(json["totals"]["unmapped"], 1);
  EXPECT_TRUE(json["totals"]["edp_bound_pj_cycles"].is_null());
  EXPECT_EQ(plan_json(c.planned(), "1.2.3"), plan_json(c.planned(), "1.2.3"));
}

TEST(PlanJson, HasTheAcceleratorThatALayerSees) {
  const Case c(chain(), options(true), small_arch(std::nullopt));
  const nlohmann::json json = nlohmann::json::parse(plan_json(c.planned(), "1"));
  EXPECT_TRUE(contains(json["problems"][1]["arch"], "keep: [B]")) << json["problems"][1]["arch"];
}

TEST(PlanCsv, HasALineForEachLayer) {
  const Case c = with_fault();
  const std::vector<std::string> lines = lines_of(plan_csv(c.planned()));
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_TRUE(lines[0].starts_with("layer,op,domain,kind,count,problem,computes,cycles,"));
  EXPECT_TRUE(lines[1].starts_with("a,gemm,,mapped,1,0,48,")) << lines[1];
  EXPECT_TRUE(lines[2].starts_with("\"a name that is much too long for a row of the table, is"))
      << lines[2];
  const auto commas = [](const std::string& line) { return std::ranges::count(line, ','); };
  EXPECT_EQ(commas(lines[0]), commas(lines[1]));
}

}  // namespace
}  // namespace tilewright
