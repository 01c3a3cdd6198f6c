// SPDX-License-Identifier: Apache-2.0
#include "tilewright/cli/input/wishes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>

#include "tilewright/base/error.h"
#include "tilewright/base/text/nearest.h"
#include "tilewright/base/text/printable.h"
#include "tilewright/evaluation/objective.h"
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
  OptionText(const char* option, const std::string& text)
      : file_(std::make_shared<const SourceFile>(SourceFile{option, text})) {}

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
std::string budget_forms(const std::string& number, Mapper mapper) {
  std::string forms = fmt::format("for a time `--budget {}s`", number);
  if (mapper == Mapper::kOptimal) forms += fmt::format(", for nodes `--budget '{} nodes'`", number);
  if (mapper == Mapper::kRandom || mapper == Mapper::kExhaustive) {
    forms += fmt::format(", for mappings `--budget '{} mappings'`", number);
  }
  return forms;
}

}  // namespace

CLI::Validator one_of(std::vector<std::string> names) {
  const auto check = [names = std::move(names)](const std::string& word) -> std::string {
    if (std::ranges::find(names, word) != names.end()) return {};
    const auto meant = nearest(word, names);
    return in_backticks(word) + " is not one of " + join_names(names, "and") +
           (meant ? "; did you mean `" + *meant + "`?" : "");
  };
  return {check, ""};
}

CLI::Validator an_objective() {
  const auto check = [](const std::string& text) -> std::string {
    std::string why;
    return parse_objective(text, why) ? "" : why;
  };
  return {check, ""};
}

NamedObjective named_objective(const std::string& text) {
  std::string why;
  const std::optional<Objective> objective = parse_objective(text, why);
  TW_CHECK(objective.has_value(), "the command line checked the objective");
  return {text, *objective};
}

std::string objective_names() {
  std::string names;
  for (const NamedObjective& named : named_objectives()) {
    names += (names.empty() ? "" : "|") + named.name;
  }
  return names;
}

CLI::Validator a_count() {
  const auto check = [](const std::string& text) -> std::string {
    std::uint64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc{} && stop == end) return {};
    if (error == std::errc::result_out_of_range) return in_backticks(text) + " is too large";
    return in_backticks(text) + " is not a whole number from 0 up";
  };
  return {check, ""};
}

CLI::Validator a_mapping_file() {
  const auto check = [](const std::string& path) -> std::string {
    if (ends_with_ignoring_case(path, ".nest") || ends_with_ignoring_case(path, ".yaml")) return {};
    return in_backticks(path) + " ends in neither `.nest` (text) nor `.yaml`";
  };
  return {check, ""};
}

void add_conventions(CLI::App& command, Conventions& conventions) {
  command.add_flag("--holes-are-data", conventions.holes_are_data,
                   "count the holes in strided input tiles as data, as Timeloop does");
  command.add_flag("--drains-are-reads", conventions.drains_are_reads,
                   "charge a read for sending a finished tile outwards");
}

std::optional<Cap> parse_cap(const std::string& text, const Arch& arch, Diagnostics& diagnostics) {
  const OptionText option("--cap", text);
  const std::size_t sign = text.find_first_of("<>=");
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  const std::size_t end = text.find_last_not_of(' ', sign == 0 ? 0 : sign - 1);
  if (sign == std::string::npos || text.substr(sign, 2) != "<=") {
    Diagnostic& found = diagnostics.error("C0012", in_backticks(text) + " is not a cap");
    found.labels.push_back({sign == std::string::npos ? option.span(0, 0) : option.span(sign, 1),
                            "expected `<=` between figure and limit"});
    found.helps.emplace_back("for example --cap 'latency <= 2 ms' or --cap 'energy <= 3 uJ'");
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
    found.helps.emplace_back("cap the cycles: --cap 'latency <= 2e6 cycles'");
    return std::nullopt;
  }
  cap.limit *= to_double(*arch.clock_hz());
  return cap;
}

Span cap_place(const std::string& text) { return OptionText("--cap", text).span(0, 0); }

std::optional<Budget> parse_budget(const std::string& text, Mapper mapper,
                                   Diagnostics& diagnostics) {
  constexpr double kMost = 1e18;
  const OptionText option("--budget", text);
  TextFault fault;
  const auto measured = parse_measured(text, Quantity::kBudget, fault);
  if (!measured) {
    if (fault.code == "F0021") fault.helps.push_back(budget_forms(trimmed(text), mapper));
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
    found.helps.push_back(mapper == Mapper::kOptimal ? "a number of nodes: `--budget '1e6 nodes'`"
                          : mapper == Mapper::kRandom
                              ? "a number of mappings: `--budget '1e6 mappings'`"
                              : "a time: `--budget 10s`");
    return std::nullopt;
  }
  const double whole = std::ceil(std::min(measured->value, kMost));
  (nodes ? budget.nodes : budget.mappings) = static_cast<std::uint64_t>(whole);
  return budget;
}

std::optional<double> parse_share_option(const char* option, const std::string& text,
                                         Diagnostics& diagnostics) {
  TextFault fault;
  const std::optional<Rational> share = parse_share(text, fault);
  if (share) return to_double(*share);
  OptionText(option, text).report(fault, 0, diagnostics);
  return std::nullopt;
}

}  // namespace tilewright
