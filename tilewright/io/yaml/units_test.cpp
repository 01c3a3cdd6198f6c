// SPDX-License-Identifier: Apache-2.0
#include "tilewright/io/yaml/units.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "tilewright/base/random.h"

namespace tilewright {
namespace {

const UnitContext kNone;
const UnitContext kFull{16, Rational{200'000'000, 1}};

std::string code_of(const std::string& text, Quantity quantity,
                    const UnitContext& context = kNone) {
  TextFault fault;
  if (quantity == Quantity::kSize || quantity == Quantity::kBits) {
    parse_bits(text, quantity, context, fault);
  } else if (quantity == Quantity::kBandwidth) {
    parse_bandwidth(text, context, fault);
  } else if (quantity == Quantity::kClock) {
    parse_clock(text, fault);
  } else {
    parse_figure(text, quantity, fault);
  }
  return fault.code;
}

std::int64_t bits(const std::string& text, const UnitContext& context = kFull) {
  TextFault fault;
  return parse_bits(text, Quantity::kSize, context, fault).value_or(-1);
}

Rational rate(const std::string& text) {
  TextFault fault;
  return parse_bandwidth(text, kFull, fault).value_or(Rational{-1, 1});
}

double figure(const std::string& text, Quantity quantity) {
  TextFault fault;
  return parse_figure(text, quantity, fault).value_or(-1);
}

TEST(ParseBits, KnowsAllUnits) {
  EXPECT_EQ(bits("7 bit"), 7);
  EXPECT_EQ(bits("3 B"), 24);
  EXPECT_EQ(bits("128 KiB"), 1'048'576);
  EXPECT_EQ(bits("1MiB"), 8 << 20);
  EXPECT_EQ(bits("2 GiB"), 16LL << 30);
  EXPECT_EQ(bits("1 kB"), 8'000);
  EXPECT_EQ(bits("1.5 MB"), 12'000'000);
  EXPECT_EQ(bits("1 GB"), 8'000'000'000);
  EXPECT_EQ(bits("12 word"), 192);
  EXPECT_EQ(bits("0.125 B"), 1);
  EXPECT_EQ(bits("1/8 B"), 1);
  EXPECT_EQ(bits("  1e3   bit "), 1000);
  EXPECT_EQ(bits("0 B"), 0);
  EXPECT_EQ(bits("000.50 KiB"), 4096);
}

TEST(ParseBits, BareNumbersOnlyWhereTheyAreClear) {
  TextFault fault;
  EXPECT_EQ(parse_bits("24", Quantity::kBits, kNone, fault), 24);
  EXPECT_EQ(parse_bits("24 bit", Quantity::kBits, kNone, fault), 24);
  EXPECT_EQ(code_of("24", Quantity::kSize), "F0021");
}

TEST(ParseBits, SaysWhatIsWrong) {
  EXPECT_EQ(code_of("-4 B", Quantity::kSize), "F0024");
  EXPECT_EQ(code_of("nan B", Quantity::kSize), "F0020");
  EXPECT_EQ(code_of("inf B", Quantity::kSize), "F0020");
  EXPECT_EQ(code_of("0x10 B", Quantity::kSize), "F0020");
  EXPECT_EQ(code_of("1,024 B", Quantity::kSize), "F0020");
  EXPECT_EQ(code_of("1_024 B", Quantity::kSize), "F0020");
  EXPECT_EQ(code_of("1.2.3 B", Quantity::kSize), "F0020");
  EXPECT_EQ(code_of("", Quantity::kSize), "F0020");
  EXPECT_EQ(code_of(".", Quantity::kSize), "F0020");
  EXPECT_EQ(code_of("KiB", Quantity::kSize), "F0020");
  EXPECT_EQ(code_of("0.3 B", Quantity::kSize), "F0025");
  EXPECT_EQ(code_of("1/0 B", Quantity::kSize), "F0024");
  EXPECT_EQ(code_of("9e18 B", Quantity::kSize), "F0024");
  EXPECT_EQ(code_of("1e99999999999 B", Quantity::kSize), "F0020");
  EXPECT_EQ(code_of("1e9999 B", Quantity::kSize), "F0024");
  EXPECT_EQ(code_of("1e-9999 B", Quantity::kSize), "F0024");
  EXPECT_EQ(code_of("99999999999999999999 bit", Quantity::kSize), "F0024");
  EXPECT_EQ(code_of("4 word", Quantity::kSize), "F0027");
  EXPECT_EQ(code_of("4 pJ", Quantity::kSize), "F0023");
  EXPECT_EQ(code_of("4 B/cycle", Quantity::kSize), "F0023");
  EXPECT_EQ(code_of("4 furlong", Quantity::kSize), "F0022");
  EXPECT_EQ(code_of(std::string(100'000, '9') + " B", Quantity::kSize), "F0020");
}

std::string help_of(const std::string& text, Quantity quantity) {
  TextFault fault;
  if (quantity == Quantity::kSize) parse_bits(text, quantity, kNone, fault);
  if (quantity == Quantity::kBandwidth) parse_bandwidth(text, kNone, fault);
  if (quantity == Quantity::kArea) parse_figure(text, quantity, fault);
  return fault.helps.empty() ? "" : fault.helps.front();
}

TEST(Units, SuggestTheUnitThatWasMeant) {
  EXPECT_EQ(help_of("1 KB", Quantity::kSize), "did you mean `kB` (1000 B) or `KiB` (1024 B)?");
  EXPECT_EQ(help_of("1 mb", Quantity::kSize), "did you mean `MB` (1000000 B) or `MiB` (1024 KiB)?");
  EXPECT_EQ(help_of("1 KB/s", Quantity::kBandwidth),
            "did you mean `kB/s` (1000 B) or `KiB/s` (1024 B)?");
  EXPECT_EQ(help_of("1 bytes", Quantity::kSize), "did you mean `B`?");
  EXPECT_EQ(help_of("1 words/cycle", Quantity::kBandwidth), "did you mean `word/cycle`?");
  EXPECT_EQ(help_of("1 GBps", Quantity::kBandwidth), "did you mean `GB/s`?");
  EXPECT_EQ(help_of("1 word", Quantity::kBandwidth), "did you mean `1 word/cycle`?");
  EXPECT_EQ(help_of("1 mm^2", Quantity::kArea), "did you mean `mm2`?");
  EXPECT_EQ(help_of("1 kib", Quantity::kSize), "did you mean `KiB`?");
  EXPECT_EQ(help_of("512k", Quantity::kSize), "did you mean `KiB`?");
  EXPECT_EQ(help_of("4 G", Quantity::kSize), "did you mean `GiB`?");
  EXPECT_EQ(help_of("256 GB", Quantity::kBandwidth), "did you mean `256 GB/s` or `256 GB/cycle`?");
  EXPECT_EQ(help_of("256 Gb/s", Quantity::kBandwidth),
            "did you mean `GB/s` (1000000000 B) or `GiB/s` (1024 MiB)? If these are bits: 8 Gb are "
            "1 GB.");
}

TEST(Units, PointAtTheUnit) {
  TextFault fault;
  parse_bits("128  KB", Quantity::kSize, kNone, fault);
  EXPECT_EQ(fault.offset, 5U);
  EXPECT_EQ(fault.length, 2U);
  ASSERT_EQ(fault.notes.size(), 1U);
  EXPECT_EQ(fault.notes[0],
            "a size is in `bit`, `B`, `KiB`, `MiB`, `GiB`, `kB`, `MB`, `GB`, `TiB`, `TB` or "
            "`word`");
}

TEST(ParseBandwidth, IsExact) {
  EXPECT_EQ(rate("16 word/cycle"), (Rational{256, 1}));
  EXPECT_EQ(rate("25.6 GB/s"), (Rational{1024, 1}));
  EXPECT_EQ(rate("0.4 TB/s"), rate("400 GB/s"));
  EXPECT_EQ(rate("0.1 bit/cycle"), (Rational{1, 10}));
  EXPECT_EQ(rate("1/3 bit/cycle"), (Rational{1, 3}));
  EXPECT_EQ(rate("2/3 B / cycle"), (Rational{16, 3}));
  EXPECT_EQ(rate("1 bit/s"), (Rational{1, 200'000'000}));
}

TEST(ParseBandwidth, SaysWhatIsWrong) {
  EXPECT_EQ(code_of("1 GB/s", Quantity::kBandwidth), "F0026");
  EXPECT_EQ(code_of("1 word/cycle", Quantity::kBandwidth), "F0027");
  EXPECT_EQ(code_of("0 B/cycle", Quantity::kBandwidth, kFull), "F0024");
  EXPECT_EQ(code_of("1 B", Quantity::kBandwidth), "F0023");
  EXPECT_EQ(code_of("1 pJ/cycle", Quantity::kBandwidth), "F0023");
  EXPECT_EQ(code_of("1 B/minute", Quantity::kBandwidth), "F0022");
  EXPECT_EQ(code_of("1", Quantity::kBandwidth), "F0021");
}

TEST(ParseFigure, HasARange) {
  EXPECT_EQ(figure("1e12 pJ", Quantity::kEnergy), 1e12);
  EXPECT_EQ(figure("1e-9 pJ", Quantity::kEnergy), 1e-9);
  for (const char* text : {"1.01e12 pJ", "1e306 pJ", "0.9e-9 pJ", "1e-300 pJ"}) {
    EXPECT_EQ(code_of(text, Quantity::kEnergy), "F0024") << text;
  }
  EXPECT_EQ(code_of("1e13 pJ/cycle", Quantity::kLeakage), "F0024");
  EXPECT_EQ(code_of("1e16 um2", Quantity::kArea), "F0024");
  EXPECT_EQ(code_of("1e16 bit/cycle", Quantity::kBandwidth), "F0024");
  EXPECT_EQ(code_of("1/9999999999 bit/cycle", Quantity::kBandwidth), "F0024");
  EXPECT_EQ(code_of("2e15 Hz", Quantity::kClock), "F0024");
  EXPECT_EQ(code_of("0.5 Hz", Quantity::kClock), "F0024");
  EXPECT_EQ(code_of("1152921504606846976 bit", Quantity::kSize), "");
  EXPECT_EQ(code_of("1200000000000000000 bit", Quantity::kSize), "F0024");
}

TEST(ParseFigure, GivesTheNearestDouble) {
  EXPECT_EQ(figure("2.1 pJ", Quantity::kEnergy), 2.1);
  EXPECT_EQ(figure("2.1 fJ", Quantity::kEnergy), 0.0021);
  EXPECT_EQ(figure("0.7 nJ", Quantity::kEnergy), 700.0);
  EXPECT_EQ(figure("1 uJ", Quantity::kEnergy), 1e6);
  EXPECT_EQ(figure("0.5 fJ/cycle", Quantity::kLeakage), 0.0005);
  EXPECT_EQ(figure("0.2 mm2", Quantity::kArea), 200'000.0);
  EXPECT_EQ(figure("1.1 um2", Quantity::kArea), 1.1);
  EXPECT_EQ(figure("0 pJ", Quantity::kEnergy), 0.0);
  EXPECT_EQ(code_of("1e400 pJ", Quantity::kEnergy), "F0024");
  EXPECT_EQ(code_of("1/3 pJ", Quantity::kEnergy), "F0020");
  EXPECT_EQ(code_of("-1 pJ", Quantity::kEnergy), "F0024");
  EXPECT_EQ(code_of("1 J", Quantity::kEnergy), "F0022");
}

TEST(ParseClock, IsExact) {
  TextFault fault;
  EXPECT_EQ(parse_clock("200 MHz", fault), (Rational{200'000'000, 1}));
  EXPECT_EQ(parse_clock("1.2GHz", fault), (Rational{1'200'000'000, 1}));
  EXPECT_EQ(parse_clock("2.5 Hz", fault), (Rational{5, 2}));
  EXPECT_EQ(code_of("0 Hz", Quantity::kClock), "F0024");
  EXPECT_EQ(code_of("200", Quantity::kClock), "F0021");
}

TEST(ParseCount, TakesWholeNumbersOnly) {
  TextFault fault;
  EXPECT_EQ(parse_count("42", 1, fault), 42);
  EXPECT_EQ(parse_count("9223372036854775807", 1, fault), INT64_MAX);
  for (const auto& [text, code] :
       std::vector<std::pair<std::string, std::string>>{{"0", "F0024"},
                                                        {"-3", "F0024"},
                                                        {"9223372036854775808", "F0024"},
                                                        {"1.5", "F0020"},
                                                        {"1e3", "F0020"},
                                                        {"0x10", "F0020"},
                                                        {"", "F0020"},
                                                        {"seven", "F0020"},
                                                        {"-", "F0020"}}) {
    TextFault f;
    EXPECT_EQ(parse_count(text, 1, f), std::nullopt) << text;
    EXPECT_EQ(f.code, code) << text;
  }
}

TEST(WriteUnits, ReadBackToTheSameValue) {
  Random random(11);
  TextFault fault;
  for (int i = 0; i < 20'000; ++i) {
    const std::int64_t size = random.between(0, INT64_MAX) >> random.between(3, 62);
    EXPECT_EQ(parse_bits(write_bits(size), Quantity::kSize, kNone, fault), size);
    const std::int64_t den = 1 + (random.between(0, INT64_MAX - 1) >> random.between(34, 62));
    const std::int64_t num = 1 + (random.between(0, INT64_MAX - 1) >> random.between(14, 62));
    const Rational any = make_rational(num, den);
    EXPECT_EQ(parse_bandwidth(write_bandwidth(any), kNone, fault), any) << write_bandwidth(any);
    const Rational clock = make_rational(num + den, den);
    EXPECT_EQ(parse_clock(write_clock(clock), fault), clock) << write_clock(clock);
    const double value = std::ldexp(static_cast<double>(random.next() >> 11U),
                                    -static_cast<int>(random.between(14, 70)));
    if (value < 1e-6) continue;
    for (const Quantity quantity : {Quantity::kEnergy, Quantity::kLeakage, Quantity::kArea}) {
      EXPECT_EQ(parse_figure(write_figure(value, quantity), quantity, fault), value)
          << write_figure(value, quantity);
    }
  }
  EXPECT_EQ(write_bits(1'048'576), "128 KiB");
  EXPECT_EQ(write_bits(12), "12 bit");
  EXPECT_EQ(write_clock({200'000'000, 1}), "200 MHz");
  EXPECT_EQ(write_bandwidth({1, 3}), "1/3 bit/cycle");
  EXPECT_EQ(write_figure(2.2, Quantity::kEnergy), "2.2 pJ");
}

TEST(Shares, AreExact) {
  const auto share = [](const std::string& text) {
    TextFault fault;
    return parse_share(text, fault).value_or(Rational{-1, 1});
  };
  EXPECT_EQ(share("75 %"), (Rational{3, 4}));
  EXPECT_EQ(share(" 37.5% "), (Rational{3, 8}));
  EXPECT_EQ(share("0.75"), (Rational{3, 4}));
  EXPECT_EQ(share("2/3"), (Rational{2, 3}));
  EXPECT_EQ(share("200/3 %"), (Rational{2, 3}));
  EXPECT_EQ(share("0"), (Rational{0, 1}));
  EXPECT_EQ(share("100 %"), (Rational{1, 1}));
  EXPECT_EQ(write_share({3, 8}), "37.5 %");
  EXPECT_EQ(write_share({1, 1}), "100 %");
  EXPECT_EQ(write_share({0, 1}), "0 %");
  EXPECT_EQ(write_share({1, 16}), "6.25 %");
  EXPECT_EQ(write_share({1, 3}), "1/3");
  for (std::int64_t den = 1; den <= 60; ++den) {
    for (std::int64_t num = 0; num <= den; ++num) {
      const Rational any = make_rational(num, den);
      EXPECT_EQ(share(write_share(any)), any) << write_share(any);
    }
  }
}

TEST(Shares, WrongOnesAreRefused) {
  const auto code = [](const std::string& text) {
    TextFault fault;
    EXPECT_FALSE(parse_share(text, fault)) << text;
    return fault.code + (fault.helps.empty() ? "" : " " + fault.helps.front());
  };
  EXPECT_EQ(code("101 %"), "K0010");
  EXPECT_EQ(code("75"), "K0010 write `75 %`");
  EXPECT_EQ(code("100"), "K0010 write `100 %`");
  EXPECT_EQ(code("101"), "K0010");
  EXPECT_EQ(code("9000000000000000000"), "K0010");
  EXPECT_EQ(code("1e300"), "F0024");
  EXPECT_EQ(code("0.123456789012"), "F0024");
  EXPECT_EQ(code("1/0"), "F0024");
  EXPECT_EQ(code("-1 %"), "F0024");
  EXPECT_EQ(code("half"), "F0020");
  EXPECT_EQ(code("3 pJ"), "F0022");
}

TEST(Measured, KeepsTheUnit) {
  const auto read = [](const std::string& text, Quantity quantity) {
    TextFault fault;
    const std::optional<Measured> measured = parse_measured(text, quantity, fault);
    return measured ? fmt::format("{} {}", measured->value, measured->unit) : fault.code;
  };
  EXPECT_EQ(read("2 ms", Quantity::kLatency), "0.002 s");
  EXPECT_EQ(read("3 s", Quantity::kLatency), "3 s");
  EXPECT_EQ(read("2e6 cycles", Quantity::kLatency), "2000000 cycles");
  EXPECT_EQ(read("2", Quantity::kLatency), "F0021");
  EXPECT_EQ(read("2 parsecs", Quantity::kLatency), "F0022");
  EXPECT_EQ(read("2 pJ", Quantity::kLatency), "F0023");
  EXPECT_EQ(read("2 ms", Quantity::kTotalEnergy), "F0023");
  EXPECT_EQ(read("1.5 mJ", Quantity::kTotalEnergy), "1500000000 mJ");
  EXPECT_EQ(read("2 fJ", Quantity::kTotalEnergy), "F0022");
  EXPECT_EQ(read("1e6", Quantity::kElements), "1000000 elements");
  EXPECT_EQ(read("1e6", Quantity::kBudget), "F0021");
  EXPECT_EQ(read("1e6 mappings", Quantity::kBudget), "1000000 mappings");
  EXPECT_EQ(read("1e6 nodes", Quantity::kBudget), "1000000 nodes");
  EXPECT_EQ(read("10s", Quantity::kBudget), "10 s");
  EXPECT_EQ(read("500ms", Quantity::kBudget), "0.5 s");
  EXPECT_EQ(read("1.5 min", Quantity::kBudget), "90 s");
  EXPECT_EQ(read("2 min", Quantity::kLatency), "F0022");
  EXPECT_EQ(read("1e308 min", Quantity::kBudget), "F0024");
  EXPECT_EQ(read("0 s", Quantity::kBudget), "F0024");
  EXPECT_EQ(read("-1 s", Quantity::kBudget), "F0024");
}

TEST(Units, EveryListedUnitIsRead) {
  for (const Quantity quantity :
       {Quantity::kSize, Quantity::kBits, Quantity::kBandwidth, Quantity::kEnergy,
        Quantity::kLeakage, Quantity::kArea, Quantity::kClock}) {
    for (const std::string& unit : unit_names(quantity)) {
      EXPECT_EQ(code_of("8 " + unit, quantity, kFull), "") << unit;
    }
  }
}

}  // namespace
}  // namespace tilewright
