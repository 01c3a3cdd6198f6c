// SPDX-License-Identifier: Apache-2.0
#include "tilewright/diff/diff_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/reference.h"
#include "tilewright/model/evaluate.h"

namespace tilewright {
namespace {

constexpr NodeId kDram(0), kGlb(1), kPe(2), kPsum(5);
constexpr DimId kM(1), kC(2), kP(3), kQ(4), kR(5), kS(6);

/// A mapping of the reference problem with all that a side refers to.
struct Case {
  explicit Case(Mapping nest) : mapping(std::move(nest)) {
    run.command = "map";
    run.options["space"] = std::string("pfm");
  }

  Problem problem{testing::reference_workload(), testing::reference_arch()};
  Mapping mapping;
  RunRecord run;
  Evaluation evaluation = evaluate(problem, mapping);
  Evaluated evaluated{problem, mapping, evaluation};

  DiffSide side(const char* name) const { return {name, "0.1.0", run, evaluated}; }
};

Mapping nest(std::int64_t columns, std::int64_t passes) {
  return Mapping({keep(kDram, 0b111), temporal(kP, passes), keep(kGlb, 0b101), temporal(kM, 32),
                  temporal(kP, 112 / passes), temporal(kQ, (111 + columns) / columns),
                  spatial(kPe, 0, kQ, columns), spatial(kPe, 1, kC, 3), keep(kPsum, 0b100),
                  temporal(kR, 3), temporal(kS, 3)});
}

const FactorDifference* find_factor(const ResultDiff& diff, const std::string& name) {
  for (const FactorDifference& factor : diff.factors) {
    if (factor.name == name) return &factor;
  }
  return nullptr;
}

TEST(FindDifferences, FindsNoneBetweenAResultAndItself) {
  const Case one(nest(7, 4));
  const ResultDiff diff = find_differences(one.side("a"), one.side("b"));
  EXPECT_TRUE(diff.settings.different.empty());
  EXPECT_TRUE(diff.factors.empty());
  EXPECT_TRUE(diff.parts.empty());
  EXPECT_EQ(diff.settings.same,
            (std::vector<std::string>{"workload conv", "arch eyeriss_like", "command map",
                                      "--space pfm", "mapping"}));
}

TEST(FindDifferences, NamesTheAxisAndTheLoopBehindUtilization) {
  const Case before(nest(7, 4));
  const Case after(nest(13, 4));
  const ResultDiff diff = find_differences(before.side("a"), after.side("b"));
  const FactorDifference* spatial = find_factor(diff, "spatial");
  ASSERT_NE(spatial, nullptr);
  EXPECT_EQ(spatial->reasons, std::vector<std::string>{"PE.X 7 of 14 (q 7) -> 13 of 14 (q 13)"});
  const FactorDifference* edge = find_factor(diff, "edge");
  ASSERT_NE(edge, nullptr);
  EXPECT_EQ(edge->before, 1);
  EXPECT_EQ(edge->reasons, std::vector<std::string>{"every pass is full -> units idle in the last "
                                                    "pass of q 13 (last 8)"});
}

TEST(FindDifferences, SaysHowOftenATensorMovesAndByWhichLoops) {
  const auto ordered = [](const NestNode& outer, const NestNode& inner) {
    return Mapping({keep(kDram, 0b111), outer, inner, keep(kGlb, 0b101), temporal(kP, 28),
                    temporal(kQ, 16), spatial(kPe, 0, kQ, 7), spatial(kPe, 1, kC, 3),
                    keep(kPsum, 0b100), temporal(kR, 3), temporal(kS, 3)});
  };
  const Case before(ordered(temporal(kM, 32), temporal(kP, 4)));
  const Case after(ordered(temporal(kP, 4), temporal(kM, 32)));
  const ResultDiff diff = find_differences(before.side("a"), after.side("b"));
  const auto inputs = std::ranges::find(diff.parts, "DRAM Inputs", &PartDifference::name);
  ASSERT_NE(inputs, diff.parts.end());
  EXPECT_EQ(inputs->counts.front().action, "reads");
  ASSERT_FALSE(inputs->reasons.empty());
  EXPECT_EQ(inputs->reasons.front(), "all of it moves 32x (m 32) -> once");
  double sum = 0;
  for (const PartDifference& part : diff.parts) sum += part.change_pj();
  EXPECT_NEAR(sum, after.evaluation.energy_pj - before.evaluation.energy_pj, 1e-3);
}

TEST(FindDifferences, NamesSettingsThatDiffer) {
  const Case before(nest(7, 4));
  Case after(nest(7, 4));
  after.run.options = {{"space", std::string("ruby-s")}, {"front", true}};
  std::vector<Dim> dims(before.problem.workload().dims().begin(),
                        before.problem.workload().dims().end());
  dims[1].size = 64;
  std::vector<Tensor> tensors(before.problem.workload().tensors().begin(),
                              before.problem.workload().tensors().end());
  std::vector<ArchNode> nodes(before.problem.arch().nodes().begin(),
                              before.problem.arch().nodes().end());
  std::get<Memory>(nodes[1]).capacity_bits = std::int64_t{256} * 1024 * 8;
  const Problem other(Workload("conv", dims, tensors),
                      Arch("eyeriss_like", "", before.problem.arch().clock_hz(), nodes,
                           before.problem.arch().compute()));
  const Evaluated evaluated{other, after.mapping, after.evaluation};
  const ResultDiff diff =
      find_differences(before.side("a"), DiffSide{"b", "0.2.0", after.run, evaluated});
  std::vector<std::string> said;
  for (const SettingDifference& setting : diff.settings.different) {
    said.push_back(setting.what + ": " + setting.before + " -> " + setting.after);
  }
  EXPECT_EQ(said, (std::vector<std::string>{
                      "dim m: 32 -> 64", "shared_glb capacity: 128 KiB -> 256 KiB",
                      "version: 0.1.0 -> 0.2.0", "--front:  -> yes", "--space: pfm -> ruby-s"}));
}

TEST(DiffText, FitsInEightyColumns) {
  const Case before(nest(7, 4));
  const Case after(nest(13, 8));
  const std::string name(100, 'x');
  const std::string text =
      diff_text(before.side(name.c_str()), after.side(name.c_str()), true, TextOptions{});
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), 80) << line;
  EXPECT_EQ(text.find("\u00a0"), std::string::npos);
}

TEST(DiffJson, HasTheSameDifferences) {
  const Case before(nest(7, 4));
  const Case after(nest(13, 4));
  const auto root = nlohmann::json::parse(diff_json(before.side("a"), after.side("b"), "1"));
  EXPECT_EQ(root["before"]["file"], "a");
  EXPECT_EQ(root["totals"]["cycles"]["before"], before.evaluation.cycles);
  EXPECT_EQ(root["totals"]["cycles"]["after"], after.evaluation.cycles);
  EXPECT_EQ(root["utilization"][0]["factor"], "spatial");
  EXPECT_EQ(root["same"][0], "workload conv");
}

}  // namespace
}  // namespace tilewright
