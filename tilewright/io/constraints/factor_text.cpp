// SPDX-License-Identifier: Apache-2.0
#include "tilewright/io/constraints/factor_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "tilewright/base/error.h"
#include "tilewright/base/text/printable.h"
#include "tilewright/io/yaml/units.h"

namespace tilewright {
namespace {

using Kind = Constraint::Kind;

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kRelationMarks = "=<>!";
constexpr const char* kGrammar =
    "a factor is `c = 4`, `c = all`, `c <= 4` or `c >= 4`; at a fan-out it may end in `on X`";

/// Takes a text apart from the left.
class Parser {
 public:
  Parser(std::string_view text, TextFault& fault) : text_(text), fault_(fault) {}

  std::optional<FactorText> parse() {
    FactorText factor;
    factor.dim = take_word();
    if (factor.dim.text.empty()) return expected("the name of a dim", "");
    if (!take_relation(factor)) return std::nullopt;
    factor.number = take_word();
    if (factor.number.text.empty()) return expected("a whole number", "");
    if (factor.kind != Kind::kEqual || factor.number.text != "all") {
      factor.value = parse_count(factor.number.text, 1, fault_);
      if (!factor.value) {
        fault_.offset = factor.number.offset;
        fault_.length = factor.number.text.size();
        return std::nullopt;
      }
    }
    return take_axis(factor) ? std::optional(factor) : std::nullopt;
  }

 private:
  void skip_blanks() { at_ = std::min(text_.find_first_not_of(kBlanks, at_), text_.size()); }

  std::string_view take_until(std::size_t end) {
    const std::size_t begin = at_;
    at_ = std::min(end, text_.size());
    return text_.substr(begin, at_ - begin);
  }

  FactorText::Word take_word() {
    skip_blanks();
    const std::size_t begin = at_;
    const std::size_t end =
        std::min(text_.find_first_of(kBlanks, at_), text_.find_first_of(kRelationMarks, at_));
    return {std::string(take_until(end)), begin};
  }

  bool take_relation(FactorText& factor) {
    skip_blanks();
    const std::size_t begin = at_;
    const std::string relation(take_until(text_.find_first_not_of(kRelationMarks, at_)));
    for (const Kind kind : {Kind::kEqual, Kind::kAtMost, Kind::kAtLeast}) {
      factor.kind = kind;
      if (relation == relation_of(kind)) return true;
    }
    const std::string number = take_word().text;
    at_ = begin;
    expected("`=`, `<=` or `>=`", meant(factor.dim.text, relation, number));
    return false;
  }

  // What somebody may have meant by another sign or by none; empty if there is no telling.
  static std::string meant(const std::string& dim, const std::string& relation,
                           const std::string& number) {
    if (relation == "==") return fmt::format("{} = {}", dim, number);
    if (relation == "=<") return fmt::format("{} <= {}", dim, number);
    if (relation == "=>") return fmt::format("{} >= {}", dim, number);
    TextFault unused;
    const auto value = parse_count(number, 2, unused);
    if (value && relation == "<") return fmt::format("{} <= {}", dim, *value - 1);
    if (value && relation == ">" && *value < INT64_MAX) {
      return fmt::format("{} >= {}", dim, *value + 1);
    }
    if (relation.empty() && !number.empty()) return fmt::format("{} = {}", dim, number);
    const std::size_t digits = dim.find_last_not_of("0123456789") + 1;
    if (!relation.empty() || digits == 0 || digits == dim.size()) return "";
    return fmt::format("{} = {}", dim.substr(0, digits), dim.substr(digits));  // `c4`
  }

  bool take_axis(FactorText& factor) {
    skip_blanks();
    if (at_ == text_.size()) return true;
    const std::size_t begin = at_;
    if (take_until(text_.find_first_of(kBlanks, at_)) != "on") {
      at_ = begin;
      expected("`on` and an axis, or the end", "");
      return false;
    }
    skip_blanks();
    if (at_ == text_.size()) {
      expected("the name of an axis", "");
      return false;
    }
    const std::size_t axis = at_;
    factor.axis = {std::string(take_until(text_.find_first_of(kBlanks, at_))), axis};
    skip_blanks();
    if (at_ == text_.size()) return true;
    expected("the end", "");
    return false;
  }

  // Always nothing, with the fault filled in.
  std::optional<FactorText> expected(const char* what, const std::string& instead) {
    const std::string_view rest = text_.substr(at_);
    const std::string found = rest.empty() ? "the end" : in_backticks(rest);
    fault_.code = "K0005";
    fault_.message = fmt::format("expected {}, found {}", what, found);
    fault_.label = "";
    fault_.offset = rest.empty() ? 0 : at_;
    fault_.length = rest.size();
    fault_.notes.emplace_back(kGrammar);
    if (!instead.empty()) fault_.helps.push_back("write " + in_backticks(instead));
    return std::nullopt;
  }

  std::string_view text_;
  TextFault& fault_;
  std::size_t at_ = 0;
};

}  // namespace

std::string_view relation_of(Kind kind) {
  TW_CHECK(kind == Kind::kEqual || kind == Kind::kAtMost || kind == Kind::kAtLeast,
           "the constraint is about a factor");
  return kind == Kind::kEqual ? "=" : kind == Kind::kAtMost ? "<=" : ">=";
}

std::optional<FactorText> parse_factor(std::string_view text, TextFault& fault) {
  return Parser(text, fault).parse();
}

}  // namespace tilewright
