// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tests/support/proof_text.h"
#include "tilewright/io/read.h"
#include "tilewright/verify/proof/compare.h"
#include "tilewright/verify/proof/proof.h"
#include "tilewright/verify/tolerance.h"
#include "tilewright/verify/verdict_text.h"

namespace tilewright::verify {
namespace {

using json = nlohmann::ordered_json;

constexpr const char* kWorkload =
    "workload: {name: w, einsum: \"Z[m] += A[m,k]\", dims: {m: 4, k: 3}}";
constexpr const char* kArch =
    "arch: {name: a, note: n, nodes: [{memory: D, energy: {read: 8 pJ, source: book}}, {memory: "
    "G}, "
    "{fanout: P, axes: {X: 2}}, {compute: c}]}";
constexpr const char* kConstraints = "constraints: [{at: G, factors: [m = 1, k <= 3]}]";

std::shared_ptr<const SourceFile> file(const char* name, std::string text) {
  return std::make_shared<const SourceFile>(SourceFile{name, std::move(text)});
}

Documents read_all(const std::string& workload, const std::string& arch,
                   const std::string& constraints = "") {
  Diagnostics findings;
  std::vector<std::shared_ptr<const SourceFile>> files{file("w.yaml", workload),
                                                       file("a.yaml", arch)};
  if (!constraints.empty()) files.push_back(file("c.yaml", constraints));
  Documents all = read_documents(files, findings);
  EXPECT_FALSE(findings.has_errors());
  return all;
}

// Its form is right; nothing in it holds.
json make_json() {
  return {{"format", "tilewright-proof/1"},
          {"workload", kWorkload},
          {"arch", kArch},
          {"constraints", kConstraints},
          {"space", "ruby-s"},
          {"objective", "edp"},
          {"conventions", json::array()},
          {"mapping", "D: keep A Z\n  for m 4, k 3\nc\n"},
          {"score", 12},
          {"roots",
           {{{"keeps", {{"A", "Z"}, {"A"}}},
             {"spatial", {{{"k", 2}}}},
             {"open",
              {{{"label", {"m"}}, {"counts", {{"m", 4}, {"k", 3}}}, {"open", json::array()}}}}}}},
          {"checksum", "0000000000000000"}};
}

std::string why_refused(const std::string& text) {
  try {
    read_proof(text);
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "";
}

std::string reseal(std::string text) {
  const std::size_t at = text.rfind("\"checksum\": \"") + 13;
  return text.replace(at, 16, checksum_of(text));
}

// With `from` replaced by `to` in the text, once.
std::string why_not(const std::string& from, const std::string& to) {
  std::string text = make_json().dump(1);
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return why_refused(reseal(text.replace(at, from.size(), to)));
}

TEST(Reader, TakesAProof) {
  const Proof proof = read_proof(testing::seal(make_json()));
  EXPECT_EQ(proof.score, 12);
  EXPECT_EQ(proof.space, SpaceKind::kRubyS);
  EXPECT_EQ(proof.constraints.size(), 2U);
  ASSERT_EQ(proof.roots.size(), 1U);
  EXPECT_EQ(proof.roots[0].keeps, (Keeps{3, 1}));
  const DimId k = *proof.problem.workload().find_dim("k");
  EXPECT_EQ(proof.roots[0].factors[k.pos()], 2);
  ASSERT_EQ(proof.roots[0].open.size(), 1U);
  EXPECT_EQ(proof.roots[0].open[0].counts[k.pos()], 3);
  EXPECT_EQ(proof.roots[0].open[0].label,
            DimSet{1} << proof.problem.workload().find_dim("m")->value);
}

TEST(Reader, TakesRootsOfUnevenMemories) {
  json proof = make_json();
  proof["arch"] =
      "arch: {name: a, nodes: [{memory: D}, {memory: G, capacity: 16 B}, {fanout: P, axes: {X: "
      "2}}, {compute: c}]}";
  proof["constraints"] = "";
  proof["uneven"] = {"G"};
  json& root = proof["roots"][0];
  root["memories"] = {"D", "G", "G"};
  root["keeps"] = {{"A", "Z"}, {"Z"}, {"A"}};
  const Proof read = read_proof(testing::seal(proof));
  EXPECT_EQ(read.placement.uneven, std::vector<NodeId>{NodeId(1)});
  EXPECT_EQ(read.arrangements.size(), 3U);  // even, A outside Z, Z outside A
  ASSERT_EQ(read.roots.size(), 1U);
  EXPECT_EQ(read.roots[0].memories, (std::vector{NodeId(0), NodeId(1), NodeId(1)}));
  EXPECT_EQ(read.roots[0].keeps, (Keeps{3, 2, 1}));
  const auto refused = [&](const std::string& key, const json& value) {
    json other = proof;
    other[key] = value;
    return why_refused(testing::seal(other));
  };
  EXPECT_EQ(refused("uneven", {"L2"}), "there is no memory `L2`");
  EXPECT_EQ(refused("uneven", {"D"}), "placement cannot be uneven at `D`");
  EXPECT_EQ(refused("uneven", {"G", "G"}), "it has an uneven memory twice");
  EXPECT_EQ(refused("uneven", "G"), "it is not the JSON of a proof");
  root["memories"] = {"D", "G"};
  EXPECT_EQ(why_refused(testing::seal(proof)),
            "a root has not one entry for each memory and each axis");
  root["memories"] = {"D", "G", "P"};
  EXPECT_EQ(why_refused(testing::seal(proof)), "there is no memory `P`");
  root["memories"] = {"D", "G", "G", "G"};
  EXPECT_EQ(why_refused(testing::seal(proof)),
            "a root has not one entry for each memory and each axis");
}

TEST(Reader, RefusesAKeyThatStandsTwice) {
  EXPECT_EQ(why_not("\"score\":", "\"score\": 1, \"score\":"), "the file has `score` twice");
  EXPECT_EQ(why_not("\"keeps\":", "\"keeps\": [], \"keeps\":"), "a root has `keeps` twice");
  EXPECT_EQ(why_not("\"label\":", "\"label\": [], \"label\":"), "a node has `label` twice");
  EXPECT_EQ(why_not("\"m\": 4", "\"m\": 4, \"m\": 3"), "`m` is there twice");
  EXPECT_EQ(
      why_not("\"conventions\": []", "\"conventions\": [\"holes-are-data\", \"holes-are-data\"]"),
      "it has the convention `holes-are-data` twice");
}

TEST(Reader, RefusesWhatNoProofHas) {
  EXPECT_EQ(why_not("\"score\":", "\"note\": 1, \"score\":"), "the file has an unknown key `note`");
  EXPECT_EQ(why_not("\"score\": 12,", ""), "it has no `score`");
  EXPECT_EQ(why_not("\"space\": \"ruby-s\",", ""), "it has no `space`");
  EXPECT_EQ(why_not("\"keeps\":", "\"holds\":"), "a root has an unknown key `holds`");
  EXPECT_EQ(why_not("\"label\":", "\"sign\":"), "a node has an unknown key `sign`");
  EXPECT_EQ(why_not("\"m\": 4", "\"x\": 4"), "there is no dim `x`");
  EXPECT_EQ(why_not("\"m\": 4", "\"m\": 0"), "a count or factor of `m` is not a whole number");
  EXPECT_EQ(why_not("\"m\": 4", "\"m\": 1.5"), "a count or factor of `m` is not a whole number");
  EXPECT_EQ(why_not("\"m\": 4", "\"m\": 9223372036854775808"),
            "a count or factor of `m` is not a whole number");
  const std::string no_json = "it is not the JSON of a proof";
  for (const char* score : {"1e999", "null", "\"12\"", "[12]", "{}", "NaN"}) {
    EXPECT_EQ(why_not("\"score\": 12", std::string("\"score\": ") + score), no_json) << score;
  }
  EXPECT_EQ(why_not("\"m\": 4", "\"m\": []"), no_json);
  EXPECT_EQ(why_not("\"label\": [", "\"label\": [["), no_json);
}

TEST(Reader, IsNotLedIntoDepth) {
  std::string deep;
  std::string ends;
  for (int i = 0; i < 100'000; ++i) {
    deep += R"({"label": [], "counts": {}, "open": [)";
    ends += "]}";
  }
  const std::string open = "\"open\": []";
  EXPECT_EQ(why_not(open, "\"open\": [" + deep + ends + "]"),
            "its nodes nest deeper than the memories");
  EXPECT_EQ(why_not("\"roots\": [", "\"roots\": [" + std::string(1'000'000, '[')),
            "it is not the JSON of a proof");
}

TEST(Reader, RefusesWhatIsTooLarge) {
  EXPECT_EQ(why_refused(std::string(kLargestProof + 1, '\0')), "it is larger than 64 MiB");
}

TEST(Compare, FindsNoDifferenceInNames) {
  const Proof proof = read_proof(testing::seal(make_json()));
  EXPECT_EQ(find_differences(proof, {}), std::vector<std::string>{});
  const std::string arch =
      "arch: {nodes: [{memory: D, energy: {read: 8 pJ}}, {memory: G}, {fanout: P, axes: {X: 2}}, "
      "{compute: c}]}";
  const std::string workload = "workload: {einsum: \"Z[m] += A[m,k]\", dims: {m: 4, k: 3}}";
  EXPECT_EQ(find_differences(proof, read_all(workload, arch, kConstraints)),
            std::vector<std::string>{});
}

TEST(Compare, NamesTheFirstLineThatDiffers) {
  const Proof proof = read_proof(testing::seal(make_json()));
  std::string arch = kArch;
  arch.replace(arch.find("8 pJ"), 4, "9 pJ");
  EXPECT_EQ(find_differences(proof, read_all(kWorkload, arch, kConstraints)),
            std::vector<std::string>{
                "its architecture differs: `energy: {read: 8 pJ}` (memory: D) in the proof, "
                "`energy: {read: 9 pJ}` (memory: D) in your files"});
  const std::string workload = "workload: {einsum: \"Z[m] += A[m,k]\", dims: {m: 5, k: 3}}";
  EXPECT_EQ(find_differences(proof, read_all(workload, kArch, kConstraints)).at(0),
            "its workload differs: `dims: {m: 4, k: 3}` in the proof, `dims: {m: 5, k: 3}` in your "
            "files");
}

TEST(Compare, NoConstraintsAreOtherConstraints) {
  const Proof proof = read_proof(testing::seal(make_json()));
  const auto granted = find_differences(proof, read_all(kWorkload, kArch));
  ASSERT_EQ(granted.size(), 2U);
  EXPECT_EQ(granted[0], "it takes for granted what your files do not demand: m = 1 at G");
  const auto left_out = find_differences(
      proof,
      read_all(kWorkload, kArch, "constraints: [{at: G, factors: [k <= 3, m = 1], keep: [A]}]"));
  EXPECT_EQ(left_out,
            std::vector<std::string>{"it leaves out what your files demand: keep A at G"});
}

TEST(Tolerance, ShrinksWithTheSmallestExponent) {
  EXPECT_EQ(tolerance({.energy = 1, .latency = 1}), 1e-9);
  EXPECT_DOUBLE_EQ(tolerance({.energy = 0.1, .latency = 8}), 1e-10);
  EXPECT_LT(tolerance({.energy = 0, .latency = 1}) * 1e11, 1) << "whole numbers";
  EXPECT_LT(tolerance({.energy = 0, .latency = 0, .traffic = 0.1}) * 1e11, 0.1);
}

TEST(Tolerance, OneFigureIsRankedByItself) {
  EXPECT_EQ(ranking({.energy = 0, .latency = 0.1}), (Objective{.energy = 0, .latency = 1}));
  EXPECT_EQ(ranking({.energy = 3, .latency = 0}), (Objective{.energy = 1, .latency = 0}));
  EXPECT_EQ(ranking({.energy = 1, .latency = 2}), (Objective{.energy = 1, .latency = 2}));
}

TEST(VerdictText, SaysThatThereAreConstraints) {
  Verdict verdict;
  verdict.ok = true;
  verdict.score = 7;
  EXPECT_NE(verdict_text("p.json", verdict).find("p.json: ok: no mapping scores below 7\n"),
            std::string::npos);
  verdict.claim.constraints = {"m = 1 at G"};
  EXPECT_NE(
      verdict_text("p.json", verdict).find("no mapping that obeys this constraint scores below 7"),
      std::string::npos);
  verdict.claim.constraints.emplace_back("k <= 3 at G");
  const std::string text = verdict_text("p.json", verdict);
  EXPECT_NE(text.find("no mapping that obeys these 2 constraints scores below 7"),
            std::string::npos);
  EXPECT_NE(text.find("constraints  m = 1 at G\n               k <= 3 at G\n"), std::string::npos)
      << text;
  verdict.ok = false;
  verdict.why = "its checksum is wrong";
  EXPECT_EQ(verdict_text("p\x1b.json", verdict),
            "p\xEF\xBF\xBD.json: refused: its checksum is wrong\n");
}

}  // namespace
}  // namespace tilewright::verify
