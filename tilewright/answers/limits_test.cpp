// SPDX-License-Identifier: Apache-2.0
// What the user asks of a search, from texts to values.
#include "tilewright/answers/limits.h"

#include <gtest/gtest.h>

namespace tilewright {
namespace {

struct Read {
  std::optional<Budget> budget;
  Diagnostics diagnostics;

  Read(const std::string& text, Mapper mapper) {
    budget = parse_budget(text, mapper, OptionStyle::kCommand, diagnostics);
    EXPECT_EQ(budget.has_value(), !diagnostics.has_errors()) << text;
  }
  std::string help() const { return diagnostics.all().front().helps.front(); }
};

TEST(ParseBudget, ReadsTimesForEveryMapper) {
  for (const Mapper mapper :
       {Mapper::kOptimal, Mapper::kLocal, Mapper::kRandom, Mapper::kExhaustive}) {
    EXPECT_EQ(Read("10s", mapper).budget->seconds, 10);
    EXPECT_EQ(Read("500ms", mapper).budget->seconds, 0.5);
    EXPECT_EQ(Read("2min", mapper).budget->seconds, 120);
    EXPECT_EQ(Read("10s", mapper).budget->nodes, 0U);
    EXPECT_EQ(Read("10s", mapper).budget->mappings, 0U);
  }
}

TEST(ParseBudget, ReadsWhatTheMapperCounts) {
  EXPECT_EQ(Read("1e6 nodes", Mapper::kOptimal).budget->nodes, 1'000'000U);
  EXPECT_EQ(Read("1000000nodes", Mapper::kOptimal).budget->nodes, 1'000'000U);
  EXPECT_EQ(Read("2.5e3 nodes", Mapper::kOptimal).budget->nodes, 2500U);
  EXPECT_EQ(Read("1e6 mappings", Mapper::kRandom).budget->mappings, 1'000'000U);
  EXPECT_EQ(Read("50 mappings", Mapper::kRandom).budget->mappings, 50U);
  EXPECT_EQ(Read("1e300 mappings", Mapper::kRandom).budget->mappings, 1'000'000'000'000'000'000U);
  EXPECT_EQ(Read("1e6 mappings", Mapper::kExhaustive).budget->mappings, 1'000'000U);
}

TEST(ParseBudget, RefusesABareNumberAndShowsTheForms) {
  for (const Mapper mapper :
       {Mapper::kOptimal, Mapper::kLocal, Mapper::kRandom, Mapper::kExhaustive}) {
    const Read read(" 10 ", mapper);
    ASSERT_FALSE(read.budget);
    EXPECT_EQ(read.diagnostics.all().front().code, "F0021");
  }
  EXPECT_EQ(Read("10", Mapper::kOptimal).help(),
            "for a time `--budget 10s`, for nodes `--budget '10 nodes'`");
  EXPECT_EQ(Read("10", Mapper::kRandom).help(),
            "for a time `--budget 10s`, for mappings `--budget '10 mappings'`");
  EXPECT_EQ(Read("10", Mapper::kLocal).help(), "for a time `--budget 10s`");
}

TEST(ParseBudget, NamesTheNearestBudgetThatWorks) {
  EXPECT_EQ(Read("1e6 mappings", Mapper::kOptimal).help(),
            "a number of nodes: `--budget '1e6 nodes'`");
  EXPECT_EQ(Read("1e6 nodes", Mapper::kRandom).help(),
            "a number of mappings: `--budget '1e6 mappings'`");
  for (const char* text : {"1e6 nodes", "1e6 mappings"}) {
    const Read read(text, Mapper::kLocal);
    EXPECT_EQ(read.help(), "a time: `--budget 10s`");
    EXPECT_EQ(read.diagnostics.all().front().code, "C0012");
  }
  EXPECT_FALSE(Read("0 s", Mapper::kOptimal).budget);
  EXPECT_FALSE(Read("soon", Mapper::kOptimal).budget);
}

TEST(ParseBudget, SpeaksAsPythonWhereThatIsAsked) {
  Diagnostics diagnostics;
  EXPECT_FALSE(parse_budget("10", Mapper::kOptimal, OptionStyle::kPython, diagnostics));
  EXPECT_EQ(diagnostics.all().front().helps.front(),
            "for a time `budget=\"10s\"`, for nodes `budget=\"10 nodes\"`");
}

TEST(ParseMemory, ReadsSizesInBytes) {
  Diagnostics diagnostics;
  const auto read = [&](const std::string& text) {
    return parse_memory(text, OptionStyle::kCommand, diagnostics);
  };
  EXPECT_EQ(read("4GiB"), 4ULL << 30U);
  EXPECT_EQ(read("1.5 KiB"), 1536U);
  EXPECT_EQ(read("500 MB"), 500'000'000U);
  EXPECT_FALSE(diagnostics.has_errors());
  for (const char* text : {"4", "0 GiB", "4 bit", "-1 GiB", "much", "3 word", "9e99 GiB"}) {
    const int before = diagnostics.errors();
    EXPECT_EQ(read(text), std::nullopt) << text;
    EXPECT_EQ(diagnostics.errors(), before + 1) << text;
    EXPECT_EQ(diagnostics.all().back().helps,
              std::vector<std::string>{"for example `--memory 4GiB`"});
  }
}

TEST(ParseShareOption, ReadsPercentagesAndParts) {
  Diagnostics diagnostics;
  const auto read = [&](const std::string& text) {
    return parse_share_option("gap", text, OptionStyle::kCommand, diagnostics);
  };
  EXPECT_EQ(read("1%"), 0.01);
  EXPECT_EQ(read("2.5 %"), 0.025);
  EXPECT_EQ(read("0.01"), 0.01);
  EXPECT_EQ(read("1/8"), 0.125);
  EXPECT_EQ(read("0"), 0);
  EXPECT_FALSE(diagnostics.has_errors());
  EXPECT_EQ(read("a little"), std::nullopt);
  EXPECT_EQ(read("5"), std::nullopt);
  EXPECT_EQ(diagnostics.all().back().helps.front(), "write `5 %`");
}

}  // namespace
}  // namespace tilewright
