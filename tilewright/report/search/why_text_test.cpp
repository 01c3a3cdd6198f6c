// SPDX-License-Identifier: Apache-2.0
#include "tilewright/report/search/why_text.h"

#include <gtest/gtest.h>

#include "tests/support/reference.h"

namespace tilewright {
namespace {

using Kind = Limit::Kind;

Relaxed relaxed(Relaxation relaxation, std::optional<std::int64_t> value, double score) {
  Relaxed result{.relaxation = relaxation, .score = score, .bound = score, .proved = true};
  if (value) result.value = Rational{*value, 1};
  return result;
}

class WhyText : public ::testing::Test {
 protected:
  static constexpr auto kStep = Relaxation::kStep;
  static constexpr auto kTwice = Relaxation::kTwice;

  MapResult mapped(std::vector<Gain> gains) const {
    Constraint constraint;
    constraint.kind = Constraint::Kind::kEqual;
    constraint.node = NodeId(1);
    constraint.dim = DimId(1);
    MapResult all;
    all.request.caps = {{Cap::Figure::kCycles, 2e6, "latency <= 2 ms"}};
    all.request.constraints = {constraint};
    all.request.constraint_places = {"some/limits.yaml:3"};
    all.space = make_space(problem, "pfm");
    all.search = result;
    all.effects = {{Natural(1), Natural(2)}};
    all.why = Why{100, std::move(gains)};
    return all;
  }
  Gain capacity() const {
    constexpr std::int64_t kKib = 8 << 10;
    return {{.kind = Kind::kCapacity, .node = NodeId(1)},
            Rational{128 * kKib, 1},
            {relaxed(kStep, 129 * kKib, 97.9), relaxed(kTwice, 256 * kKib, 91.6)}};
  }

  Problem problem = testing::Reference().problem;
  SearchResult result;
};

TEST_F(WhyText, TheDearestLimitComesFirst) {
  const Gain axis{{.kind = Kind::kAxis, .node = NodeId(2), .axis = 0},
                  Rational{14, 1},
                  {relaxed(kStep, 15, 100), relaxed(kTwice, 28, 60)}};
  const Gain constraint{{.kind = Kind::kConstraint, .number = 0}, {}, {relaxed(kTwice, {}, 99.99)}};
  const Gain idle{{.kind = Kind::kCap, .number = 0}, {}, {relaxed(kTwice, {}, 100)}};
  const Gain untried{{.kind = Kind::kReadBandwidth, .node = NodeId(1)}, Rational{128, 1}, {}};
  EXPECT_EQ(why_text(mapped({capacity(), axis, constraint, idle, untried}), {}),
            "why     the best edp if a single limit were relaxed, by searching again\n"
            "  axis X of PE 14 -> 15                        0 %\n"
            "                  -> 28                        -40.0 %\n"
            "  shared_glb capacity 128 KiB -> 129 KiB       -2.1 %\n"
            "                              -> 256 KiB       -8.4 %\n"
            "  m = 1 at shared_glb (limits.yaml:3) dropped  -0.01 %\n"
            "  no gain from doubling or dropping:\n"
            "    latency <= 2 ms\n"
            "  not tried, because the search ended:\n"
            "    shared_glb read bandwidth\n");
}

TEST_F(WhyText, SaysWhatIsKnownOfAnUnprovedOne) {
  Gain gain = capacity();
  gain.tries.erase(gain.tries.begin());
  gain.tries.front().proved = false;
  gain.tries.front().bound = 85;
  EXPECT_NE(why_text(mapped({gain}), {})
                .find("-> 256 KiB  -8.4 % to -15.0 %\n  not proved where only a range is given\n"),
            std::string::npos);
  gain.tries.front().score = 103;  // worse than what is known already
  EXPECT_NE(why_text(mapped({gain}), {}).find("-> 256 KiB  0 % to -15.0 %\n"), std::string::npos);
}

TEST_F(WhyText, StaysNarrow) {
  Relaxed unproved = relaxed(kTwice, 32, 91.6);
  unproved.proved = false;
  unproved.bound = 50;
  const Gain gain{{.kind = Kind::kWriteBandwidth, .node = NodeId(5)}, Rational{16, 1}, {unproved}};
  EXPECT_NE(why_text(mapped({gain}), {})
                .find("  psum_spad write bandwidth 16 -> 32 bit/cycle  -8.4 % to -50.0 %\n"),
            std::string::npos);
}

TEST_F(WhyText, NamesEveryKind) {
  const MapResult all = mapped({});
  EXPECT_EQ(limit_text(all, {.kind = Kind::kWriteBandwidth, .node = NodeId(5)}),
            "psum_spad write bandwidth");
  EXPECT_EQ(limit_text(all, {.kind = Kind::kSharedBandwidth, .node = NodeId(0)}), "DRAM bandwidth");
  EXPECT_EQ(limit_text(all, {.kind = Kind::kPartition, .node = NodeId(1), .tensor = TensorId(2)}),
            "shared_glb partition of Outputs");
}

TEST_F(WhyText, ProgramsGetEveryTry) {
  const Gain untried{{.kind = Kind::kReadBandwidth, .node = NodeId(1)}, Rational{128, 1}, {}};
  const auto json = why_json(mapped({capacity(), untried}));
  EXPECT_EQ(json[0]["limit"], "shared_glb capacity");
  EXPECT_EQ(json[0]["binding"], true);
  EXPECT_EQ(json[0]["now"], "128 KiB");
  EXPECT_EQ(json[0]["tries"][0]["to"], "129 KiB");
  EXPECT_EQ(json[0]["tries"][1]["score"], 91.6);
  EXPECT_EQ(json[0]["tries"][1]["proved"], true);
  EXPECT_TRUE(json[1]["binding"].is_null());
  EXPECT_EQ(json[1]["now"], "128 bit/cycle");
}

}  // namespace
}  // namespace tilewright
