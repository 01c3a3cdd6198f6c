// SPDX-License-Identifier: Apache-2.0
#include "tilewright/verify/verify.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>

#include "tests/support/proof_text.h"
#include "tilewright/mapping/fit.h"
#include "tilewright/mapspace/mapspace.h"
#include "tilewright/model/evaluator.h"
#include "tilewright/verify/tree/checker.h"
#include "tilewright/verify/verify_test_support.h"

namespace tilewright::verify {
namespace {

using json = nlohmann::ordered_json;
using testing::proof_json;
using testing::seal;

struct Claim {
  SmallProblem small;
  std::string objective;
};

// The best mapping by trying all, of those that score more than `least`; nothing if none fits or
// there are too many.
std::optional<Proof> find_best(const Claim& claim, double least = -1) {
  const Problem& problem = claim.small.problem;
  Rules rules = make_rules(problem, claim.small.kind, claim.small.constraints);
  const Mapspace space(problem, rules);
  if (space.size() > Natural(3000)) return std::nullopt;
  std::string why;
  const Objective objective = *parse_objective(claim.objective, why);
  Evaluator evaluator(problem);
  const Fit fit(problem);
  std::optional<Proof> best;
  space.for_each(OrderMode::kWhole, [&](std::span<const NestNode> nest) {
    if (!fit.fits(nest)) return true;
    const double here = score(objective, evaluator.evaluate(nest));
    if (here <= least || (best && best->score <= here)) return true;
    const Mapping mapping(std::vector<NestNode>(nest.begin(), nest.end()));
    if (!best) {
      best.emplace(Proof{problem, {rules}, objective, mapping, here, {}});
    }
    best->mapping = mapping;
    best->score = here;
    return true;
  });
  return best;
}

void expect_refused(const json& proof, const std::string& why) {
  const Verdict verdict = verify_proof(seal(proof));
  EXPECT_FALSE(verdict.ok);
  EXPECT_NE(verdict.why.find(why), std::string::npos) << verdict.why;
}

// Proofs of the optima of random small spaces.
class Proofs : public ::testing::TestWithParam<const char*> {
 protected:
  // The next one whose claim the test can use.
  json next() {
    for (;;) {
      const Claim claim{
          index_ % 2 == 0 ? make_small_problem(7, index_) : make_constrained_problem(7, index_),
          GetParam()};
      ++index_;
      std::optional<Proof> proof = find_best(claim);
      if (!proof || proof->score == 0) continue;
      proof->roots = find_needed(*proof);
      return proof_json(*proof, claim.small.kind, claim.small.constraints, claim.objective);
    }
  }

  std::uint64_t index_ = 0;
};

TEST_P(Proofs, OfSmallOptimaHold) {
  std::int64_t nodes = 0;
  for (int i = 0; i < 40; ++i) {
    const json proof = next();
    const Verdict verdict = verify_proof(seal(proof));
    EXPECT_TRUE(verdict.ok) << index_ << ": " << verdict.why;
    EXPECT_TRUE(verdict.walked);
    EXPECT_DOUBLE_EQ(verdict.score, proof["score"].get<double>());
    EXPECT_EQ(verdict.opened, static_cast<std::int64_t>(proof["roots"].size()));
    nodes += verdict.nodes;
  }
  EXPECT_GT(nodes, 0) << "every root was proved by its bound";
}

TEST_P(Proofs, WithoutARootTheyNeedAreRefused) {
  int removed = 0;
  for (int i = 0; i < 40; ++i) {
    json proof = next();
    if (proof["roots"].empty()) continue;
    proof["roots"].erase(proof["roots"].begin());
    expect_refused(proof, "a root is not opened");
    ++removed;
  }
  EXPECT_GT(removed, 0);
}

TEST_P(Proofs, WithoutANodeTheyNeedAreRefused) {
  int removed = 0;
  for (int i = 0; i < 40; ++i) {
    json proof = next();
    for (json& root : proof["roots"]) {
      if (root["open"].empty()) continue;
      root["open"].erase(root["open"].begin());
      expect_refused(proof, "a node is not opened");
      ++removed;
      break;
    }
  }
  EXPECT_GT(removed, 0);
}

TEST_P(Proofs, WithAnotherScoreAreRefused) {
  json proof = next();
  proof["score"] = proof["score"].get<double>() * 1.0000001;
  EXPECT_EQ(verify_proof(seal(proof)).why, "its mapping has another score than it says");
}

// Nothing is left out: whatever the second best mapping is, the verifier finds a better one.
TEST_P(Proofs, OfTheSecondBestAreRefused) {
  int claims = 0;
  for (std::uint64_t index = 0; index < 150; ++index) {
    const Claim claim{
        index % 2 == 0 ? make_small_problem(9, index) : make_constrained_problem(9, index),
        GetParam()};
    const std::optional<Proof> best = find_best(claim);
    const std::optional<Proof> second =
        best ? find_best(claim, best->score * (1 + 1e-6)) : std::nullopt;
    if (!second) continue;
    EXPECT_THROW(find_needed(*second), Refusal) << "case " << index;
    ++claims;
  }
  EXPECT_GT(claims, 20);
}

INSTANTIATE_TEST_SUITE_P(Objectives, Proofs,
                         ::testing::Values("energy", "latency", "edp", "traffic",
                                           "energy^0.5*latency^2*traffic"),
                         [](const auto& given) { return "Number" + std::to_string(given.index); });

using EnergyProofs = Proofs;  // the others seldom need such nodes

// Dims of one label cost the same, but each is to be tried as the innermost loop.
TEST_P(EnergyProofs, WithoutADimOfALabelTheyNeedAreRefused) {
  int removed = 0;
  for (int i = 0; i < 200 && removed < 5; ++i) {
    json proof = next();
    for (json& root : proof["roots"]) {
      const auto shared = std::ranges::find_if(
          root["open"], [](const json& node) { return node["label"].size() > 1; });
      if (shared == root["open"].end()) continue;
      (*shared)["label"].erase((*shared)["label"].begin());
      expect_refused(proof, "a node is not opened");
      ++removed;
      break;
    }
  }
  EXPECT_GT(removed, 0);
}

INSTANTIATE_TEST_SUITE_P(Objectives, EnergyProofs, ::testing::Values("energy", "edp"));

TEST(Verify, RefusesWhatIsNoProof) {
  EXPECT_EQ(verify_proof("").why, "it has no checksum");
  EXPECT_EQ(verify_proof(seal({{"checksum", "0000000000000000"}})).why, "it has no `format`");
  EXPECT_EQ(verify_proof(R"({"checksum": "0123456789abcdef"})").why, "its checksum is wrong");
}

TEST(Verify, TheChecksumIsFnv1aWithItsOwnDigitsZero) {
  const std::string text = R"({"checksum": "0000000000000000"})";
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) hash = (hash ^ static_cast<std::uint64_t>(c)) * 0x100000001b3U;
  char hex[17];
  std::snprintf(hex, sizeof hex, "%016lx", static_cast<unsigned long>(hash));
  EXPECT_EQ(checksum_of(text), hex);
  EXPECT_EQ(checksum_of(R"({"checksum": "89abcdef01234567"})"), hex);
}

}  // namespace
}  // namespace tilewright::verify
