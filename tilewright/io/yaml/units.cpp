// SPDX-License-Identifier: Apache-2.0
#include "tilewright/io/yaml/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>
#include <utility>

#include "tilewright/base/text/printable.h"
#include "tilewright/io/yaml/ranges.h"
#include "tilewright/io/yaml/unit_spelling.h"

namespace tilewright {
namespace {

/// A unit is `factor` * 10^`power` of its quantity's base (bit, pJ, um2, Hz).
struct Unit {
  std::string_view name;
  std::int64_t factor;
  int power;
};

constexpr std::string_view kWord = "word";

constexpr std::array kSizes = {
    Unit{"bit", 1, 0},         Unit{"B", 8, 0},           Unit{"KiB", 8LL << 10, 0},
    Unit{"MiB", 8LL << 20, 0}, Unit{"GiB", 8LL << 30, 0}, Unit{"kB", 8, 3},
    Unit{"MB", 8, 6},          Unit{"GB", 8, 9},          Unit{"TiB", 8LL << 40, 0},
    Unit{"TB", 8, 12},         Unit{kWord, 0, 0}};
constexpr std::array kEnergies = {Unit{"fJ", 1, -3}, Unit{"pJ", 1, 0}, Unit{"nJ", 1, 3},
                                  Unit{"uJ", 1, 6}};
constexpr std::string_view kPerBit = "/bit";
constexpr std::string_view kPerWord = "/word";
constexpr std::array kAccessEnergies = {
    Unit{"fJ", 1, -3},     Unit{"pJ", 1, 0},     Unit{"nJ", 1, 3},     Unit{"uJ", 1, 6},
    Unit{"fJ/bit", 1, -3}, Unit{"pJ/bit", 1, 0}, Unit{"nJ/bit", 1, 3}, Unit{"fJ/word", 1, -3},
    Unit{"pJ/word", 1, 0}, Unit{"nJ/word", 1, 3}};
constexpr std::array kLeakages = {Unit{"fJ/cycle", 1, -3}, Unit{"pJ/cycle", 1, 0},
                                  Unit{"nJ/cycle", 1, 3}};
constexpr std::array kAreas = {Unit{"um2", 1, 0}, Unit{"mm2", 1, 6}};
constexpr std::array kClocks = {Unit{"Hz", 1, 0}, Unit{"kHz", 1, 3}, Unit{"MHz", 1, 6},
                                Unit{"GHz", 1, 9}};
constexpr std::array kTotals = {Unit{"pJ", 1, 0}, Unit{"nJ", 1, 3}, Unit{"uJ", 1, 6},
                                Unit{"mJ", 1, 9}, Unit{"J", 1, 12}};
constexpr std::array kLatencies = {Unit{"cycles", 1, 0}, Unit{"ns", 1, -9}, Unit{"us", 1, -6},
                                   Unit{"ms", 1, -3}, Unit{"s", 1, 0}};
constexpr std::array kElements = {Unit{"elements", 1, 0}};
constexpr std::array kBudgets = {Unit{"mappings", 1, 0}, Unit{"nodes", 1, 0}, Unit{"ms", 1, -3},
                                 Unit{"s", 1, 0}, Unit{"min", 60, 0}};

// The table of a quantity; for bandwidths the sizes, which `/cycle` or `/s` follows.
std::span<const Unit> units_of(Quantity quantity) {
  switch (quantity) {
    case Quantity::kSize:
    case Quantity::kBits:
    case Quantity::kBandwidth:
      return kSizes;
    case Quantity::kEnergy:
      return kEnergies;
    case Quantity::kAccessEnergy:
      return kAccessEnergies;
    case Quantity::kLeakage:
      return kLeakages;
    case Quantity::kArea:
      return kAreas;
    case Quantity::kTotalEnergy:
      return kTotals;
    case Quantity::kLatency:
      return kLatencies;
    case Quantity::kElements:
      return kElements;
    case Quantity::kBudget:
      return kBudgets;
    case Quantity::kClock:
      break;
  }
  return kClocks;
}

const Unit* find_unit(std::span<const Unit> units, std::string_view name) {
  const auto it = std::ranges::find(units, name, &Unit::name);
  return it == units.end() ? nullptr : &*it;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// digits * 10^exponent / denominator, as written.
struct Decimal {
  std::string digits;
  int exponent = 0;
  std::optional<std::string> denominator;
  std::size_t end = 0;  // of the number in the text
};

void fail(TextFault& fault, const char* code, std::string message, std::string label) {
  fault.code = code;
  fault.message = std::move(message);
  fault.label = std::move(label);
}

/// Reads the number at the front of a text.
class NumberScanner {
 public:
  NumberScanner(std::string_view text, TextFault& fault) : text_(text), fault_(fault) {}

  std::optional<Decimal> scan() {
    if (peek() == '+') ++at_;
    if (peek() == '-') {
      fail(fault_, "F0024", in_backticks(text_) + " is negative", "must not be below 0");
      return std::nullopt;
    }
    Decimal number;
    const std::size_t begin = at_;
    take_digits(number.digits);
    if (peek() == '.') {
      ++at_;
      const std::size_t before = number.digits.size();
      take_digits(number.digits);
      number.exponent = -static_cast<int>(number.digits.size() - before);
    }
    if (number.digits.empty() || at_ - begin > kLongest) return not_a_number();
    if (at_ - begin == 1 && text_[begin] == '0' && (peek() == 'x' || peek() == 'X')) {
      return not_a_number();
    }
    if (!take_exponent(number)) return not_a_number();
    if (peek() == '/' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1])) {
      ++at_;
      take_digits(number.denominator.emplace());
    }
    if (peek() == ',' || peek() == '_' || peek() == '.') return not_a_number();
    number.end = at_;
    return number;
  }

 private:
  static constexpr std::size_t kLongest = 400;

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void take_digits(std::string& digits) {
    while (is_digit(peek())) digits += text_[at_++];
  }

  // `e` is an exponent only before digits.
  bool take_exponent(Decimal& number) {
    if (peek() != 'e' && peek() != 'E') return true;
    std::size_t next = at_ + 1;
    const bool negative = next < text_.size() && text_[next] == '-';
    if (next < text_.size() && (text_[next] == '-' || text_[next] == '+')) ++next;
    if (next >= text_.size() || !is_digit(text_[next])) return true;
    at_ = next;
    std::string digits;
    take_digits(digits);
    int value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || value > 10'000) return false;
    number.exponent += negative ? -value : value;
    return true;
  }

  std::optional<Decimal> not_a_number() {
    fail(fault_, "F0020", in_backticks(text_) + " is not a number", "not a decimal number");
    if (text_.find(',') != std::string_view::npos || text_.find('_') != std::string_view::npos) {
      fault_.helps.push_back("write the digits without separators: `1024`");
    }
    return std::nullopt;
  }

  std::string_view text_;
  TextFault& fault_;
  std::size_t at_ = 0;
};

std::int64_t power_of_ten(int power) {
  std::int64_t result = 1;
  for (int i = 0; i < power; ++i) result = checked_mul(result, 10);
  return result;
}

std::int64_t to_integer(std::string_view digits) {
  std::int64_t value = 0;
  for (const char c : digits) value = checked_add(checked_mul(value, 10), c - '0');
  return value;
}

// Exact; throws OverflowError where it does not fit.
Rational to_rational(const Decimal& number, int unit_power) {
  std::string digits = number.digits;
  int exponent = number.exponent + unit_power;
  while (digits.size() > 1 && digits.back() == '0') {
    digits.pop_back();
    ++exponent;
  }
  if (digits == "0") return {0, 1};
  Rational value = make_rational(to_integer(digits), 1);
  if (exponent > 0) value = value * Rational{power_of_ten(std::min(exponent, 19)), 1};
  if (exponent < 0) value = value * Rational{1, power_of_ten(std::min(-exponent, 19))};
  if (number.denominator) {
    const std::int64_t den = to_integer(*number.denominator);
    if (den == 0) internal::fail_overflow();
    value = value * make_rational(1, den);
  }
  return value;
}

std::string list_units(Quantity quantity) {
  std::vector<std::string> names = unit_names(quantity);
  if (quantity == Quantity::kBandwidth) {
    const std::vector<std::string> sizes = unit_names(Quantity::kSize);
    return "a bandwidth is " + join_names(sizes, "or") + ", then `/cycle` or `/s`";
  }
  const std::string name(quantity_name(quantity));
  const char* article = name == "energy" || name == "area" ? "an " : name == "traffic" ? "" : "a ";
  return article + name + " is in " + join_names(names, "or");
}

/// Splits a text into number and unit and finds the unit, or says why not.
class QuantityParser {
 public:
  QuantityParser(std::string_view text, Quantity quantity, const UnitContext& context,
                 TextFault& fault)
      : text_(text), quantity_(quantity), context_(context), fault_(fault) {}

  bool parse() {
    const std::string_view trimmed = without_blanks(text_);
    std::optional<Decimal> number = NumberScanner(trimmed, fault_).scan();
    if (!number) return false;
    number_ = std::move(*number);
    unit_text_ = without_blanks(trimmed.substr(number_.end));
    if (!unit_text_.empty()) {
      fault_.offset = static_cast<std::size_t>(unit_text_.data() - text_.data());
      fault_.length = unit_text_.size();
    }
    if (!find()) return false;
    fault_.offset = fault_.length = 0;
    return true;
  }

  /// In the base unit; throws OverflowError.
  Rational exact() const {
    const bool word = unit_.name == kWord;
    Rational value = to_rational(number_, unit_.power);
    value = value * Rational{word ? context_.word_bits.value_or(1) : unit_.factor, 1};
    if (!per_second_) return value;
    const Rational hz = context_.clock_hz.value_or(Rational{1, 1});
    return value * Rational{hz.den, hz.num};
  }

  const Decimal& number() const { return number_; }
  const Unit& unit() const { return unit_; }

 private:
  bool find() {
    if (unit_text_.empty()) return take_bare();
    if (quantity_ == Quantity::kBandwidth) return find_rate();
    const Unit* unit = find_unit(units_of(quantity_), unit_text_);
    if (unit == nullptr) return unknown_unit();
    unit_ = *unit;
    return word_is_known();
  }

  bool take_bare() {
    if (quantity_ == Quantity::kBits || quantity_ == Quantity::kElements) {
      unit_ = units_of(quantity_).front();
      return true;
    }
    fail(fault_, "F0021", in_backticks(text_) + " has no unit", "unit missing");
    fault_.notes.push_back(list_units(quantity_));
    return false;
  }

  bool find_rate() {
    const std::size_t slash = unit_text_.find('/');
    if (slash == std::string_view::npos) {
      const Unit* size = find_unit(kSizes, unit_text_);
      if (size == nullptr) return unknown_unit();
      fail(fault_, "F0023", in_backticks(unit_text_) + " is a size, not a bandwidth", "per what?");
      // Kilobytes and more are rather meant per second.
      const bool many = size->name.size() > 1 && size->name.ends_with('B');
      const std::string rates = many ? in_backticks(std::string(text_) + "/s") + " or " : "";
      fault_.helps.push_back("did you mean " + rates + in_backticks(std::string(text_) + "/cycle") +
                             "?");
      return false;
    }
    const Unit* unit = find_unit(kSizes, without_blanks(unit_text_.substr(0, slash)));
    const std::string_view per = without_blanks(unit_text_.substr(slash + 1));
    if (unit == nullptr || (per != "cycle" && per != "s")) return unknown_unit();
    unit_ = *unit;
    per_second_ = per == "s";
    if (per_second_ && !context_.clock_hz) {
      fail(fault_, "F0026", in_backticks(text_) + " needs the clock, which is not given",
           "per second");
      fault_.helps.push_back(
          "add `clock: 200 MHz` (or the actual value) to `arch`, or write `/cycle`");
      return false;
    }
    return word_is_known();
  }

  bool word_is_known() {
    const bool needs_word = unit_.name == kWord || unit_.name.ends_with(kPerWord);
    if (!needs_word || context_.word_bits) return true;
    fail(fault_, "F0027", "`word` is not defined here", "how many bits?");
    fault_.helps.push_back("add `word: 16 bit` (or the actual value) to this node");
    return false;
  }

  bool unknown_unit() {
    fault_.notes.push_back(list_units(quantity_));
    for (const Quantity other :
         {Quantity::kSize, Quantity::kBandwidth, Quantity::kEnergy, Quantity::kLeakage,
          Quantity::kArea, Quantity::kClock, Quantity::kLatency}) {
      const std::vector<std::string> names = unit_names(other);
      if (std::ranges::find(names, unit_text_) == names.end()) continue;
      if (quantity_name(other) == quantity_name(quantity_)) continue;
      fail(fault_, "F0023",
           fmt::format("{} is a unit of {}, not of {}", in_backticks(unit_text_),
                       quantity_name(other), quantity_name(quantity_)),
           "the wrong kind of unit");
      return false;
    }
    fail(fault_, "F0022",
         fmt::format("{} is not a unit of {}", in_backticks(unit_text_), quantity_name(quantity_)),
         "not a unit");
    const bool is_size = units_of(quantity_).data() == kSizes.data();
    const UnitFamily family = quantity_ == Quantity::kBandwidth ? UnitFamily::kRates
                              : is_size                         ? UnitFamily::kSizes
                                                                : UnitFamily::kOthers;
    const std::string help = suggest_unit(unit_text_, family, unit_names(quantity_));
    if (!help.empty()) fault_.helps.push_back(help);
    return false;
  }

  std::string_view text_;
  Quantity quantity_;
  const UnitContext& context_;
  TextFault& fault_;
  Decimal number_;
  std::string_view unit_text_;
  Unit unit_{};
  bool per_second_ = false;
};

void fail_range(TextFault& fault, std::string_view text, const char* what) {
  fail(fault, "F0024", in_backticks(text) + " is " + what, "out of range");
}

std::optional<Rational> parse_exact(std::string_view text, Quantity quantity,
                                    const UnitContext& context, TextFault& fault) {
  QuantityParser parser(text, quantity, context, fault);
  if (!parser.parse()) return std::nullopt;
  try {
    return parser.exact();
  } catch (const OverflowError&) {
    fail_range(fault, text, "too large or too precise to be exact");
    return std::nullopt;
  }
}

std::optional<Rational> parse_positive(std::string_view text, Quantity quantity,
                                       const UnitContext& context, TextFault& fault) {
  const std::optional<Rational> value = parse_exact(text, quantity, context, fault);
  if (!value) return std::nullopt;
  if (value->num > 0 && in_range(text, to_double(*value), quantity, fault)) return value;
  if (value->num <= 0) fail_range(fault, text, "zero");
  return std::nullopt;
}

std::optional<Measured> parse_double(std::string_view text, Quantity quantity,
                                     const UnitContext& context, TextFault& fault) {
  QuantityParser parser(text, quantity, context, fault);
  if (!parser.parse()) return std::nullopt;
  if (parser.number().denominator) {
    fail(fault, "F0020", in_backticks(text) + " is not a decimal number", "not a decimal number");
    return std::nullopt;
  }
  const std::string number =
      fmt::format("{}e{}", parser.number().digits, parser.number().exponent + parser.unit().power);
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  value *= static_cast<double>(parser.unit().factor);
  if (error != std::errc{} || !std::isfinite(value)) {
    fail_range(fault, text, "too large or too small");
    return std::nullopt;
  }
  const std::string_view unit = parser.unit().name;
  const bool time = unit == "min" || (parser.unit().power < 0 && unit.ends_with('s'));
  return Measured{value, time ? "s" : unit};
}

std::string fraction(const Rational& value) {
  return value.den == 1 ? fmt::format("{}", value.num) : fmt::format("{}/{}", value.num, value.den);
}

}  // namespace

std::string_view quantity_name(Quantity quantity) {
  switch (quantity) {
    case Quantity::kSize:
    case Quantity::kBits:
      return "size";
    case Quantity::kBandwidth:
      return "bandwidth";
    case Quantity::kEnergy:
    case Quantity::kAccessEnergy:
    case Quantity::kTotalEnergy:
      return "energy";
    case Quantity::kLeakage:
      return "leakage";
    case Quantity::kArea:
      return "area";
    case Quantity::kLatency:
      return "latency";
    case Quantity::kElements:
      return "traffic";
    case Quantity::kBudget:
      return "budget";
    case Quantity::kClock:
      break;
  }
  return "clock";
}

std::vector<std::string> unit_names(Quantity quantity) {
  std::vector<std::string> names;
  const bool rate = quantity == Quantity::kBandwidth;
  for (const char* per : {"/cycle", "/s"}) {
    for (const Unit& unit : units_of(quantity)) {
      names.push_back(std::string(unit.name) + (rate ? per : ""));
    }
    if (!rate) break;
  }
  return names;
}

std::optional<std::int64_t> parse_count(std::string_view text, std::int64_t least,
                                        TextFault& fault) {
  std::string_view digits = without_blanks(text);
  const bool negative = digits.starts_with('-');
  if (negative || digits.starts_with('+')) digits.remove_prefix(1);
  if (digits.empty() || !std::ranges::all_of(digits, is_digit)) {
    fail(fault, "F0020", in_backticks(text) + " is not a whole number", "not a whole number");
    return std::nullopt;
  }
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{}) {
    fail_range(fault, text, negative ? "too small" : "too large");
    return std::nullopt;
  }
  if (negative) value = -value;
  if (value < least) {
    fail(fault, "F0024", fmt::format("{} is less than {}", value, least),
         fmt::format("must be at least {}", least));
    return std::nullopt;
  }
  return value;
}

std::optional<std::int64_t> parse_bits(std::string_view text, Quantity quantity,
                                       const UnitContext& context, TextFault& fault) {
  const std::optional<Rational> value = parse_exact(text, quantity, context, fault);
  if (!value) return std::nullopt;
  if (!in_range(text, to_double(*value), quantity, fault)) return std::nullopt;
  if (value->den == 1) return value->num;
  fail(fault, "F0025",
       fmt::format("{} is {} bits, which is not a whole number", in_backticks(text),
                   fraction(*value)),
       "not a whole number of bits");
  return std::nullopt;
}

std::optional<Rational> parse_bandwidth(std::string_view text, const UnitContext& context,
                                        TextFault& fault) {
  return parse_positive(text, Quantity::kBandwidth, context, fault);
}

std::optional<Rational> parse_clock(std::string_view text, TextFault& fault) {
  return parse_positive(text, Quantity::kClock, {}, fault);
}

std::optional<double> parse_figure(std::string_view text, Quantity quantity, TextFault& fault) {
  const std::optional<Measured> measured = parse_double(text, quantity, {}, fault);
  if (!measured || !in_range(text, measured->value, quantity, fault)) return std::nullopt;
  return measured->value;
}

std::optional<Measured> parse_measured(std::string_view text, Quantity quantity, TextFault& fault) {
  const std::optional<Measured> measured = parse_double(text, quantity, {}, fault);
  if (!measured || measured->value > 0) return measured;
  fail_range(fault, text, "zero");
  return std::nullopt;
}

std::optional<AccessEnergy> parse_access_energy(std::string_view text, const UnitContext& context,
                                                TextFault& fault) {
  const auto measured = parse_double(text, Quantity::kAccessEnergy, context, fault);
  if (!measured) return std::nullopt;
  const bool per_word = measured->unit.ends_with(kPerWord);
  AccessEnergy energy{measured->value, per_word || measured->unit.ends_with(kPerBit)};
  if (per_word) energy.pj /= static_cast<double>(*context.word_bits);
  if (!in_range(text, energy.pj, Quantity::kAccessEnergy, fault)) return std::nullopt;
  return energy;
}

std::optional<Rational> parse_share(std::string_view text, TextFault& fault) {
  constexpr std::int64_t kFinest = 1'000'000'000;
  const std::string_view trimmed = without_blanks(text);
  const std::optional<Decimal> number = NumberScanner(trimmed, fault).scan();
  if (!number) return std::nullopt;
  const std::string_view unit = without_blanks(trimmed.substr(number->end));
  if (!unit.empty() && unit != "%") {
    fail(fault, "F0022", in_backticks(unit) + " is not a unit of a share", "not a unit");
    fault.offset = static_cast<std::size_t>(unit.data() - text.data());
    fault.length = unit.size();
    fault.notes.push_back("a share is a percentage such as `75 %`, or a part of 1 such as `0.75`");
    return std::nullopt;
  }
  std::optional<Rational> share;
  try {
    share = to_rational(*number, unit.empty() ? 0 : -2);
  } catch (const OverflowError&) {  // no share is that fine or that large
  }
  if (share && share->num > share->den) {
    fail(fault, "K0010", in_backticks(text) + " is more than 100 %", "must be 0 to 100 %");
    if (unit.empty() && (share->num - 1) / 100 < share->den) {
      fault.helps.push_back("write " + in_backticks(std::string(trimmed) + " %"));
    }
    return std::nullopt;
  }
  if (share && share->den <= kFinest) return share;
  fail_range(fault, text, "too large or too precise to be exact");
  return std::nullopt;
}

}  // namespace tilewright
