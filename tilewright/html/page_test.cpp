// SPDX-License-Identifier: Apache-2.0
// The pages as texts; how they look is for tests/report.
#include "tilewright/html/page.h"

#include <gtest/gtest.h>

#include "tests/support/reference.h"
#include "tilewright/html/plan_view.h"
#include "tilewright/model/evaluate.h"

namespace tilewright {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

// `text` with blanks at which no line breaks, as the page has it between numbers and units.
std::string unbroken(std::string text) {
  for (std::size_t at = 0; (at = text.find('~', at)) != std::string::npos;) {
    text.replace(at, 1, "\xC2\xA0");
  }
  return text;
}

struct Case {
  Problem problem{testing::reference_workload(), testing::reference_arch()};
  Mapping mapping = testing::reference_mapping();
  Evaluation evaluation = evaluate(problem, mapping);

  Evaluated evaluated() const { return {problem, mapping, evaluation, {}}; }
  Found found() const { return {mapping, evaluation, score({}, evaluation)}; }
  MapResult mapped(const SearchResult& search) const {
    MapResult result;
    result.space = make_space(problem, "ruby-s");
    result.search = search;
    result.status = status_of(search);
    result.size = Natural(1000);
    return result;
  }
};

TEST(MappingPage, HasEveryPictureAndNothingFromOutside) {
  const Case one;
  const std::string page = mapping_page(one.evaluated(), {"1.2.3", nullptr});
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
  EXPECT_TRUE(page.ends_with("</html>\n"));
  EXPECT_TRUE(contains(page, "<h1>conv on eyeriss_like</h1>"));
  EXPECT_TRUE(contains(page, "tilewright 1.2.3"));
  for (const char* id : {"energy", "nest", "array", "cycles", "roofline", "arch", "counts"}) {
    EXPECT_EQ(count(page, "<h2 id=\"" + std::string(id) + "\""), 1U) << id;
  }
  EXPECT_FALSE(contains(page, "id=\"search\""));
  for (const char* word : {"<script", "http:", "https:", "@import", "<link", "<img"}) {
    EXPECT_FALSE(contains(page, word)) << word;
  }
  EXPECT_EQ(page, mapping_page(one.evaluated(), {"1.2.3", nullptr}));
}

TEST(MappingPage, SaysWhichLoopReusesWhat) {
  const Case one;
  const std::string page = mapping_page(one.evaluated(), {"", nullptr});
  // m is none of Inputs' dims: innermost of its block outside GLB, so the tile there stays.
  EXPECT_TRUE(contains(page,
                       "<th scope=\"row\">for m 4</th><td class=\"t0 reuse\" title=\"Inputs "
                       "between DRAM and shared_glb: the tile stays (stationary)\">stays</td>"))
      << page.substr(page.find("id=\"nest\""), 4000);
  // p and q move Inputs inside q of the block outside the spads, Weights are fetched once.
  EXPECT_TRUE(contains(page, ">shared</td>"));
  EXPECT_TRUE(contains(page, ">summed</td>"));
  EXPECT_TRUE(contains(page, ">held</td>"));
}

TEST(MappingPage, GivesTheDerivationOfACount) {
  const Case one;
  const std::string page = mapping_page(one.evaluated(), {"", nullptr});
  EXPECT_TRUE(contains(page, "title=\"DRAM.Weights.reads = 13,824\n")) << "on hovering";
  EXPECT_EQ(count(page, "DRAM.Weights.reads = 13,824"), 2U) << "and in the list";
}

TEST(MappingPage, NamesAreTextAndNeverMarkup) {
  const Case one;
  const Workload& given = one.problem.workload();
  const Workload workload("</title><script>x</script>", {given.dims().begin(), given.dims().end()},
                          {given.tensors().begin(), given.tensors().end()});
  const Problem problem(workload, one.problem.arch());
  const std::string page = mapping_page({problem, one.mapping, one.evaluation, {}}, {"", nullptr});
  EXPECT_FALSE(contains(page, "<script"));
  EXPECT_TRUE(contains(page, "&lt;script&gt;x"));
}

TEST(MappingPage, SaysWhetherItIsProved) {
  const Case one;
  SearchResult result;
  result.best = one.found();
  MapResult mapped = one.mapped(result);
  EXPECT_TRUE(contains(mapping_page(one.evaluated(), {"", &mapped}), "<dd>proved</dd>"));
  result.ending = Ending::kBudget;
  mapped = one.mapped(result);
  EXPECT_TRUE(contains(mapping_page(one.evaluated(), {"", &mapped}), "<dd>not proved</dd>"));
  result.bound = result.best->score * 0.75;
  mapped = one.mapped(result);
  const std::string page = mapping_page(one.evaluated(), {"", &mapped});
  EXPECT_TRUE(contains(page, unbroken("<dd>gap 25.0~%</dd>")));
  EXPECT_TRUE(contains(page, "id=\"search\""));
  EXPECT_FALSE(contains(page, "<polyline"));
}

TEST(MappingPage, DrawsATraceIfThereIsOne) {
  const Case one;
  SearchResult result;
  result.best = one.found();
  MapResult mapped = one.mapped(result);
  SearchTrace trace{"edp", {}};
  EXPECT_FALSE(contains(mapping_page(one.evaluated(), {"", &mapped}, &trace), "<polyline"));
  trace.add(TracePoint{0.5, 20.0, std::nullopt});
  trace.add(TracePoint{1.0, 20.0, 10.0});
  trace.add(TracePoint{2.0, 15.0, 15.0});
  const std::string page = mapping_page(one.evaluated(), {"", &mapped}, &trace);
  // 20 holds until 15 comes; the bound rises from 10 to 15.
  EXPECT_TRUE(contains(page, "points=\"250,0 500,0 500,0 1000,0 1000,500\"")) << page;
  EXPECT_TRUE(contains(page, "points=\"500,1000 1000,1000 1000,500\""));
  EXPECT_TRUE(contains(page, "a gap of 0 %")) << "in the words for the picture";
}

// Three layers: one that takes nine tenths of the time, one that takes the rest, one without a
// mapping; and traffic.
struct PlanCase {
  Case one;
  PlanResult result{{}, {}, one.problem.arch(), {}, Status::kNotFound};
  Plan& plan = result.plan;

  Planned planned() const { return {.result = result}; }

  PlanCase(const PlanCase&) = delete;
  PlanCase& operator=(const PlanCase&) = delete;
  PlanCase() {
    Network& network = result.network;
    network.name = "net";
    for (const char* name : {"long", "short", "broken"}) {
      Layer layer{.name = name, .op = "conv", .workload = one.problem.workload()};
      network.layers.push_back(layer);
    }
    network.layers[0].count = 3;
    network.layers.push_back({.name = "pool", .op = "MaxPool", .kind = LayerKind::kTraffic});
    network.layers.push_back({.name = "view", .op = "Reshape", .kind = LayerKind::kNothing});
    Solved good;
    good.problem = std::make_shared<const Problem>(one.problem);
    good.best = one.found();
    good.status = Status::kProved;
    Solved bad;
    bad.problem = good.problem;
    bad.why_not = "a tile of <1> element does not fit";
    plan.solved = {good, bad};
    plan.layers.resize(5);
    plan.layers[0] = {0, 10, 300, 80};
    plan.layers[1] = {0, 10, 60, 80};
    plan.layers[2] = {1, 0, 0, 0};
    plan.layers[3] = {std::nullopt, 1, 40, 8};
    plan.totals.cycles = 1000;
    plan.totals.energy_pj = 41;
    plan.totals.unmapped = 1;
  }
};

TEST(LayerViews, ShowWhatCostsOverAllRuns) {
  const PlanCase all;
  const std::vector<LayerView> views = layer_views(all.planned());
  ASSERT_EQ(views.size(), 4U);  // `view` moves nothing
  EXPECT_DOUBLE_EQ(views[0].time_share, 0.9);
  EXPECT_DOUBLE_EQ(views[0].costs.energy_pj, 30);
  EXPECT_DOUBLE_EQ(views[0].energy_share, 30.0 / 41);
  EXPECT_EQ(views[0].costs.runs, 3);
  EXPECT_EQ(views[0].kind, views[1].kind);
  EXPECT_NE(views[0].kind, views[3].kind);
  EXPECT_EQ(views[0].result, "proved");
  EXPECT_TRUE(views[0].main_time);
  EXPECT_TRUE(views[1].main_time) << "equal to the first";
  EXPECT_FALSE(views[3].main_time);
  EXPECT_EQ(views[2].state, LayerView::State::kUnmapped);
  EXPECT_EQ(views[2].result, "a tile of <1> element does not fit");
  EXPECT_EQ(views[3].state, LayerView::State::kTraffic);
}

TEST(LayerViews, OfNoTimeHaveNoShares) {
  PlanCase all;
  for (PlannedLayer& layer : all.plan.layers) layer.cycles = 0;
  const std::vector<LayerView> views = layer_views(all.planned());
  for (const LayerView& view : views) EXPECT_FALSE(view.main_time);
  const std::string page = plan_page(all.planned(), "");
  EXPECT_TRUE(contains(page, "there is nothing to draw"));
}

TEST(PlanPage, ShowsLayersTotalsAndWhatHasNoMapping) {
  const PlanCase all;
  const std::string page = plan_page(all.planned(), "7");
  EXPECT_TRUE(contains(page, "<h1>net on eyeriss_like</h1>"));
  EXPECT_TRUE(contains(
      page, unbroken("80~% of the time is in 1 of 3 kinds of layers: </strong>long x 4 ")));
  EXPECT_TRUE(contains(page, "not mapped: a tile of &lt;1&gt; element does not fit"));
  EXPECT_EQ(count(page, "<tr class=\"bad\">"), 1U);
  EXPECT_EQ(count(page, "<tr class=\"other\">"), 1U) << "equal layers are one row";
  EXPECT_TRUE(contains(page, ">long, short</a>"));
  EXPECT_TRUE(contains(page, unbroken("<strong>96.0~%</strong>"))) << "what matters in bold";
  EXPECT_EQ(count(page, "class=\"broken\""), 1U) << "the gap in the timeline";
  EXPECT_TRUE(contains(page, "<dd>1 not mapped</dd>"));
  EXPECT_EQ(count(page, "<details>"), 1U) << "equal layers once";
  EXPECT_TRUE(contains(page, "long and 1 equal layer"));
  EXPECT_TRUE(contains(page, "they move nothing: 1 layer"));
  EXPECT_EQ(page, plan_page(all.planned(), "7"));
}

TEST(PlanPage, ShowsEnergyByLevel) {
  PlanCase all;
  all.plan.layers[0].levels_pj = {6, 3, 1, 0, 0, 0};
  all.plan.layers[3].levels_pj = {1, 0, 0, 0, 0, 0};
  const std::string page = plan_page(all.planned(), "");
  // Three runs of the first and one of the pool, of 41 pJ.
  EXPECT_TRUE(contains(page, unbroken("<td class=\"number\">19.00~pJ</td>"))) << page;
  EXPECT_TRUE(contains(page, unbroken("<td class=\"number\">46.3~%</td>")));
  EXPECT_TRUE(contains(page, "aria-label=\"DRAM: 46.3 %\""));
}

TEST(PlanPage, TrafficIsSeenWhereItTakesTimeAndWhereItTakesNone) {
  PlanCase all;
  const auto marks = [&](const std::string& what) {
    return count(plan_page(all.planned(), ""), what);
  };
  EXPECT_EQ(marks("<rect class=\"idle\" x=\"96%\""), 1U) << "hatched, behind the others";
  EXPECT_EQ(marks("line class=\"instant\""), 0U);
  EXPECT_EQ(marks(", traffic only</span>"), 1U);
  all.plan.layers[3].cycles = 0;
  EXPECT_EQ(marks("line class=\"instant\""), 1U);
}

TEST(MappingPage, ShowsWhyItIsNoBetter) {
  const Case one;
  SearchResult result;
  result.best = one.found();
  MapResult mapped = one.mapped(result);
  EXPECT_FALSE(contains(mapping_page(one.evaluated(), {"", &mapped}), "id=\"why\""));
  const NodeId glb(1);
  Gain binding{{.kind = Limit::Kind::kCapacity, .node = glb}, make_rational(8192, 1), {}};
  binding.tries = {{Relaxation::kTwice, make_rational(16384, 1), 75.0, 60.0, false}};
  Gain idle{{.kind = Limit::Kind::kReadBandwidth, .node = glb}, make_rational(16, 1), {}};
  idle.tries = {{Relaxation::kTwice, make_rational(32, 1), 100.0, 100.0, true}};
  mapped.why = Why{100, {binding, idle}};
  const std::string page = mapping_page(one.evaluated(), {"", &mapped});
  EXPECT_EQ(count(page, "id=\"why\""), 1U);
  EXPECT_TRUE(contains(page, unbroken("1~KiB \u2192 2~KiB</td>"))) << page;
  EXPECT_TRUE(contains(page, unbroken("-25.0~% to -40.0~%</td>")));
  EXPECT_TRUE(contains(page, "<rect class=\"t2\" x=\"0%\" width=\"25%\"")) << "known";
  EXPECT_TRUE(contains(page, "<rect class=\"idle\" x=\"25%\" width=\"15%\"")) << "possible";
  EXPECT_TRUE(contains(page, "</strong>shared_glb read bandwidth.</p>"));
}

TEST(MappingPage, ShowsSeveralMappingsSideBySide) {
  const Case one;
  SearchResult result;
  result.best = one.found();
  Found slow = one.found();
  slow.evaluation.cycles *= 2;
  slow.evaluation.energy_pj /= 4;
  slow.score /= 2;
  Found slower = slow;
  slower.evaluation.cycles *= 2;
  slower.evaluation.energy_pj *= 0.75;
  slower.score *= 1.5;
  MapResult mapped = one.mapped(result);
  for (const Found& found : {one.found(), slow, slower}) {
    mapped.alternatives.push_back({found, 0});
  }
  const std::string top = mapping_page(one.evaluated(), {"", &mapped});
  EXPECT_TRUE(contains(top, "<p>The best 3 mappings"));
  EXPECT_TRUE(contains(top, unbroken("<td class=\"number\">+100~%</td>"))) << "than the best";
  EXPECT_TRUE(contains(top, unbroken("<td class=\"number\">+50~%</td>")));
  EXPECT_EQ(count(top, ">the best</td>"), 1U);
  EXPECT_EQ(count(top, "chart plot"), 0U);
  mapped.request.front = true;
  const std::string front = mapping_page(one.evaluated(), {"", &mapped});
  std::string plot = front.substr(front.find("chart plot"));
  plot.resize(plot.find("</svg>"));
  EXPECT_EQ(count(plot, "<circle"), 3U);
  EXPECT_EQ(count(plot, "<g class=\"mark hot\">"), 1U);
  EXPECT_TRUE(contains(front, ">no. 2, best</text>"));
}

}  // namespace
}  // namespace tilewright
