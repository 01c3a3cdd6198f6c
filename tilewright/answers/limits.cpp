// SPDX-License-Identifier: Apache-2.0
#include "tilewright/answers/limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "tilewright/base/text/nearest.h"
#include "tilewright/base/text/printable.h"
#include "tilewright/io/yaml/units.h"

namespace tilewright {
namespace {

struct CapFigure {
  const char* name;
  Cap::Figure figure;
  Quantity quantity;
};

constexpr CapFigure kFigures[] = {
    {"energy", Cap::Figure::kEnergy, Quantity::kTotalEnergy},
    {"latency", Cap::Figure::kCycles, Quantity::kLatency},
    {"traffic", Cap::Figure::kTraffic, Quantity::kElements},
};

/// The text of an option as a place for findings.
class OptionText {
 public:
  OptionText(std::string_view option, OptionStyle style, const std::string& text)
      : file_(std::make_shared<const SourceFile>(SourceFile{option_name(style, option), text})) {}

  Span span(std::size_t offset, std::size_t length) const {
    const std::size_t bytes = length > 0 ? length : file_->text.size() - offset;
    return {file_, 1, static_cast<int>(offset) + 1, std::max(1, static_cast<int>(bytes))};
  }

  /// A fault in the part of the text that starts at `start`.
  void report(const TextFault& fault, std::size_t start, Diagnostics& diagnostics) const {
    Diagnostic& found = diagnostics.error(fault.code, fault.message);
    found.labels.push_back({span(start + fault.offset, fault.length), fault.label});
    found.notes = fault.notes;
    found.helps = fault.helps;
  }

 private:
  std::shared_ptr<const SourceFile> file_;
};

const CapFigure* find_figure(const std::string& name, const OptionText& option, std::size_t at,
                             Diagnostics& diagnostics) {
  std::vector<std::string> names;
  for (const CapFigure& figure : kFigures) {
    if (name == figure.name) return &figure;
    names.emplace_back(figure.name);
  }
  Diagnostic& found = diagnostics.error("C0012", in_backticks(name) + " cannot be capped");
  found.labels.push_back({option.span(at, name.size()), "expected a figure"});
  if (const auto meant = nearest(name, names)) {
    found.helps.push_back(fmt::format("did you mean `{}`?", *meant));
  } else {
    found.helps.push_back("a cap is on " + join_names(names, "or"));
  }
  return nullptr;
}

std::string trimmed(const std::string& text) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

// What a bare number may have meant, for a mapper that counts nodes, mappings or neither.
std::string budget_forms(const std::string& number, Mapper mapper, OptionStyle style) {
  const auto form = [&](const char* unit) {
    return in_backticks(option_example(style, "budget", number + unit));
  };
  std::string forms = "for a time " + form("s");
  if (mapper == Mapper::kOptimal) forms += ", for nodes " + form(" nodes");
  if (mapper == Mapper::kRandom || mapper == Mapper::kExhaustive) {
    forms += ", for mappings " + form(" mappings");
  }
  return forms;
}

// A budget that the mapper supports.
std::string budget_help(Mapper mapper, OptionStyle style) {
  const auto form = [&](const char* amount) {
    return in_backticks(option_example(style, "budget", amount));
  };
  if (mapper == Mapper::kOptimal) return "a number of nodes: " + form("1e6 nodes");
  if (mapper == Mapper::kRandom) return "a number of mappings: " + form("1e6 mappings");
  return "a time: " + form("10s");
}

}  // namespace

std::optional<Cap> parse_cap(const std::string& text, const Arch& arch, OptionStyle style,
                             Diagnostics& diagnostics) {
  const OptionText option("cap", style, text);
  const std::size_t sign = text.find_first_of("<>=");
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  const std::size_t end = text.find_last_not_of(' ', sign == 0 ? 0 : sign - 1);
  if (sign == std::string::npos || text.substr(sign, 2) != "<=") {
    Diagnostic& found = diagnostics.error("C0012", in_backticks(text) + " is not a cap");
    found.labels.push_back({sign == std::string::npos ? option.span(0, 0) : option.span(sign, 1),
                            "expected `<=` between figure and limit"});
    found.helps.push_back(fmt::format("for example {} or {}",
                                      option_example(style, "cap", "latency <= 2 ms"),
                                      option_example(style, "cap", "energy <= 3 uJ")));
    return std::nullopt;
  }
  const std::string name = begin < sign ? text.substr(begin, end - begin + 1) : "";
  const CapFigure* figure = find_figure(name, option, begin, diagnostics);
  if (figure == nullptr) return std::nullopt;
  const std::size_t start = std::min(text.find_first_not_of(' ', sign + 2), text.size());
  TextFault fault;
  const auto measured =
      parse_measured(std::string_view(text).substr(start), figure->quantity, fault);
  if (!measured) {
    option.report(fault, start, diagnostics);
    return std::nullopt;
  }
  Cap cap{figure->figure, measured->value, text};
  if (figure->quantity != Quantity::kLatency || measured->unit != "s") return cap;
  if (!arch.clock_hz()) {
    Diagnostic& found = diagnostics.error(
        "F0026", in_backticks(text) + " needs the clock, which the architecture does not give");
    found.labels.push_back({option.span(start, 0), "a time"});
    found.helps.push_back("cap the cycles: " +
                          option_example(style, "cap", "latency <= 2e6 cycles"));
    return std::nullopt;
  }
  cap.limit *= to_double(*arch.clock_hz());
  return cap;
}

Span cap_place(const std::string& text, OptionStyle style) {
  return OptionText("cap", style, text).span(0, 0);
}

std::optional<Budget> parse_budget(const std::string& text, Mapper mapper, OptionStyle style,
                                   Diagnostics& diagnostics) {
  constexpr double kMost = 1e18;
  const OptionText option("budget", style, text);
  TextFault fault;
  const auto measured = parse_measured(text, Quantity::kBudget, fault);
  if (!measured) {
    if (fault.code == "F0021") fault.helps.push_back(budget_forms(trimmed(text), mapper, style));
    option.report(fault, 0, diagnostics);
    return std::nullopt;
  }
  Budget budget;
  if (measured->unit == "s") {
    budget.seconds = measured->value;
    return budget;
  }
  const bool nodes = measured->unit == "nodes";
  if (mapper == Mapper::kLocal || nodes != (mapper == Mapper::kOptimal)) {
    const char* what = nodes ? "nodes" : "mappings";
    Diagnostic& found = diagnostics.error(
        "C0012",
        fmt::format("the {} mapper does not support a budget in {}", mapper_name(mapper), what));
    found.labels.push_back({option.span(0, 0), fmt::format("a number of {}", what)});
    found.helps.push_back(budget_help(mapper, style));
    return std::nullopt;
  }
  const double whole = std::ceil(std::min(measured->value, kMost));
  (nodes ? budget.nodes : budget.mappings) = static_cast<std::uint64_t>(whole);
  return budget;
}

std::optional<std::uint64_t> parse_memory(const std::string& text, OptionStyle style,
                                          Diagnostics& diagnostics) {
  const OptionText option("memory", style, text);
  TextFault fault;
  const auto bits = parse_bits(text, Quantity::kSize, {}, fault);
  if (bits && *bits >= 8) return static_cast<std::uint64_t>(*bits) / 8;
  if (bits) {
    fault.code = "C0012";
    fault.message = "a search needs some memory";
    fault.label = "less than a byte";
  }
  fault.notes.clear();  // words are units of files
  fault.helps = {"for example " + in_backticks(option_example(style, "memory", "4GiB"))};
  option.report(fault, 0, diagnostics);
  return std::nullopt;
}

std::optional<double> parse_share_option(std::string_view option, const std::string& text,
                                         OptionStyle style, Diagnostics& diagnostics) {
  TextFault fault;
  const std::optional<Rational> share = parse_share(text, fault);
  if (share) return to_double(*share);
  OptionText(option, style, text).report(fault, 0, diagnostics);
  return std::nullopt;
}

}  // namespace tilewright
