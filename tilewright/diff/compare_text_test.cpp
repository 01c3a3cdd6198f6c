// SPDX-License-Identifier: Apache-2.0
#include "tilewright/diff/compare_text.h"

#include <gtest/gtest.h>

#include "tests/support/reference.h"
#include "tilewright/result/json/evaluation_json.h"

namespace tilewright {
namespace {

SavedEvaluation saved(const testing::Reference& reference) {
  std::string why;
  const auto result = read_saved_evaluation(evaluation_json(reference.evaluated(), "1"), why);
  EXPECT_TRUE(result.has_value()) << why;
  return result.value_or(SavedEvaluation{});
}

TEST(ReadSavedEvaluation, ReadsWhatWasWritten) {
  const testing::Reference reference;
  const SavedEvaluation result = saved(reference);
  EXPECT_EQ(result.title, "conv on eyeriss_like");
  EXPECT_EQ(result.cycles, 86'016);
  EXPECT_DOUBLE_EQ(result.energy_pj, reference.evaluation.energy_pj);
  EXPECT_EQ(result.figures.size(), 1 + 5 + 4 * 8U);
}

TEST(ReadSavedEvaluation, RefusesOtherThings) {
  std::string why;
  EXPECT_FALSE(read_saved_evaluation("{", why));
  EXPECT_EQ(why, "it is not JSON");
  EXPECT_FALSE(read_saved_evaluation("[1]", why));
  EXPECT_EQ(why, "it is not what `tilewright evaluate --json` writes");
  EXPECT_FALSE(read_saved_evaluation(R"({"tilewright":{"schema":99}})", why));
  EXPECT_EQ(why, "it has schema 99, this program reads up to 1");
  EXPECT_FALSE(read_saved_evaluation(R"({"tilewright":{"schema":1},"workload":3})", why));
  EXPECT_EQ(why, "it is not what `tilewright evaluate --json` writes");
}

TEST(CompareText, SaysThatNothingChanged) {
  const testing::Reference reference;
  EXPECT_EQ(compare_text(saved(reference), saved(reference), {}),
            "compared with before\n"
            "                      before            now  ratio\n"
            "  energy            59.32 uJ       59.32 uJ   same\n"
            "  cycles              86,016         86,016   same\n"
            "  EDP          5.102 J*cycle  5.102 J*cycle   same\n"
            "  utilization         75.0 %         75.0 %   same\n"
            "  bottleneck             mac            mac   same\n"
            "  all 38 counts are the same\n");
}

TEST(CompareText, ListsChangesByTheirEnergy) {
  const testing::Reference before;
  testing::Reference after;
  TensorCounts& small = after.evaluation.memories[0].tensors[1];
  small.reads *= 2;
  small.energy_pj *= 2;
  TensorCounts& large = after.evaluation.memories[1].tensors[0];
  large.reads /= 2;
  large.energy_pj /= 2;
  after.evaluation.memories[2].tensors[0].fills = 0;
  const std::string text = compare_text(saved(before), saved(after), {});
  const std::size_t first = text.find("shared_glb.Inputs.reads");
  const std::size_t second = text.find("DRAM.Weights.reads");
  const std::size_t third = text.find("ifmap_spad.Inputs.fills");
  EXPECT_LT(first, second);
  EXPECT_LT(second, third);
  EXPECT_NE(text.find("0.500x"), std::string::npos);
  EXPECT_NE(text.find("2.00x"), std::string::npos);
  EXPECT_NE(text.find("gone"), std::string::npos);
  EXPECT_NE(text.find("the other 35 counts are the same"), std::string::npos);
}

TEST(CompareText, NamesAnotherProblem) {
  SavedEvaluation before = saved({});
  before.title = "gemm on tpu";
  EXPECT_TRUE(compare_text(before, saved({}), {})
                  .starts_with("compared with before (before: gemm on tpu)\n"));
}

TEST(FindDisagreements, FindsEveryKindOfFigure) {
  const testing::Reference reference;
  EXPECT_TRUE(
      find_disagreements(reference.problem, reference.evaluation, reference.evaluation).empty());
  testing::Reference other;
  other.evaluation.cycles += 1;
  other.evaluation.memories[0].tensors[1].reads += 1;
  other.evaluation.memories[4].instances = 3;
  other.evaluation.memories[1].tensors[0].energy_pj *= 1.0001;
  const std::vector<std::string> found =
      find_disagreements(reference.problem, reference.evaluation, other.evaluation);
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[0], "cycles: model 86,016, walk 86,017");
  EXPECT_EQ(found[1], "DRAM.Weights.reads: model 13,824, walk 13,825");
  EXPECT_TRUE(found[2].starts_with("shared_glb.Inputs.energy: model "));
  EXPECT_EQ(found[3], "psum_spad.instances: model 126, walk 3");
}

TEST(FindDisagreements, ForgivesRounding) {
  testing::Reference other;
  other.evaluation.energy_pj *= 1 + 1e-13;
  const testing::Reference reference;
  EXPECT_TRUE(
      find_disagreements(reference.problem, reference.evaluation, other.evaluation).empty());
}

}  // namespace
}  // namespace tilewright
