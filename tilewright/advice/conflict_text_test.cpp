// SPDX-License-Identifier: Apache-2.0
#include "tilewright/advice/conflict_text.h"

#include <gtest/gtest.h>

#include <memory>

#include "tests/support/reference.h"

namespace tilewright {
namespace {

using Kind = Demand::Kind;

// Nodes of reference_arch and what is asked of them.
constexpr NodeId kGlb(1);
constexpr NodeId kPe(2);
constexpr NodeId kInputs(3);

class ConflictText : public ::testing::Test {
 protected:
  ConflictText() {
    source.nodes.resize(problem.arch().nodes().size());
    for (std::size_t n = 0; n < source.nodes.size(); ++n) {
      source.nodes[n].name = line(arch, static_cast<int>(n) + 1);
    }
    source.nodes[kInputs.pos()].capacity = line(arch, 20);
    source.nodes[kPe.pos()].axes = {line(arch, 30), line(arch, 31)};
    constraints = {{.kind = Constraint::Kind::kEqual, .node = kGlb, .dim = DimId(1), .value = 8},
                   {.kind = Constraint::Kind::kKeep, .node = kInputs, .tensors = 1},
                   {.kind = Constraint::Kind::kUtilization, .node = kPe, .share = {1, 2}}};
    spans = {line(user, 3), line(user, 4), line(user, 5)};
  }

  static std::shared_ptr<const SourceFile> file(const char* name) {
    return std::make_shared<const SourceFile>(SourceFile{name, ""});
  }
  static Span line(const std::shared_ptr<const SourceFile>& where, int number) {
    return {where, number, 1, 1};
  }

  void add(const Demand& demand, std::optional<std::int64_t> now = {},
           std::optional<std::int64_t> wanted = {}, bool enough = true) {
    conflict.demands.push_back(demand);
    conflict.reliefs.push_back({demand, now, wanted, enough});
  }
  void add_constraint(int number, std::optional<std::int64_t> now = {},
                      std::optional<std::int64_t> wanted = {}) {
    add({.kind = Kind::kConstraint, .constraint = number}, now, wanted);
  }

  const Diagnostic& report() {
    return report_conflict({problem, SpaceKind::kPfm, constraints, source, spans}, conflict,
                           diagnostics);
  }

  Problem problem = testing::Reference().problem;
  std::shared_ptr<const SourceFile> arch = file("arch.yaml");
  std::shared_ptr<const SourceFile> user = file("user.yaml");
  ArchSource source;
  std::vector<Constraint> constraints;
  std::vector<Span> spans;
  Conflict conflict;
  Diagnostics diagnostics;
};

TEST_F(ConflictText, PointsAtTheLinesAndDoesTheArithmetic) {
  add_constraint(0, 8, 4);
  add_constraint(1);
  add({.kind = Kind::kCapacity, .node = kInputs}, 192, 256);
  const Diagnostic& found = report();
  EXPECT_EQ(found.code, "M0301");
  ASSERT_EQ(found.labels.size(), 3U);
  EXPECT_EQ(place_text(found.labels[0].span), "user.yaml:3");
  EXPECT_EQ(found.labels[0].text, "m = 8 at shared_glb");
  EXPECT_EQ(place_text(found.labels[2].span), "arch.yaml:20");
  EXPECT_EQ(found.labels[2].text, "ifmap_spad holds 24 B, the tiles need 32 B: 8 B missing");
  EXPECT_EQ(found.notes.back(), "these 3 lines cannot hold together; any 2 can");
  EXPECT_EQ(found.helps.back(),
            "smallest changes that make it feasible; one of them is enough:\n"
            "  user.yaml:3   `m = 4 at shared_glb` instead of `m = 8 at shared_glb`\n"
            "  user.yaml:4   drop `keep Inputs at ifmap_spad`\n"
            "  arch.yaml:20  capacity 32 B instead of 24 B");
}

TEST_F(ConflictText, NamesTheAxesAndTheSpace) {
  add_constraint(2, 84, 42);
  add({.kind = Kind::kAxis, .node = kPe, .axis = 1}, 12, 6);
  add({.kind = Kind::kSpace});
  const Diagnostic& found = report();
  EXPECT_EQ(found.labels[1].text, "PE has 12 places along Y");
  EXPECT_EQ(found.notes[0], "the space pfm allows no remainders anywhere");
  EXPECT_EQ(found.notes[1], "these 3 demands cannot hold together; any 2 can");
  const std::string& help = found.helps.back();
  EXPECT_NE(help.find("`at least 25 % of PE` instead of `at least 50 % of PE`"), std::string::npos)
      << help;
  EXPECT_NE(help.find("Y 6 instead of 12"), std::string::npos);
  EXPECT_NE(help.find("--space ruby"), std::string::npos);
}

TEST_F(ConflictText, IsAContradictionIfOnlyTheUserIsToBlame) {
  conflict.among_constraints = true;
  add_constraint(1);
  const Diagnostic& found = report();
  EXPECT_EQ(found.code, "M0302");
  EXPECT_EQ(found.notes.back(), "this line cannot hold by itself");
}

TEST_F(ConflictText, SaysIfThereIsMore) {
  add({.kind = Kind::kMayKeep, .node = kGlb}, {}, {}, false);
  const Diagnostic& found = report();
  EXPECT_EQ(place_text(found.labels[0].span), "arch.yaml:2");
  EXPECT_TRUE(found.helps.back().starts_with(
      "smallest changes that resolve this conflict; there are other"));
}

}  // namespace
}  // namespace tilewright
