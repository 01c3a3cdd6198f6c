// SPDX-License-Identifier: Apache-2.0
#include "tilewright/advice/conflict_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "tilewright/base/text/printable.h"
#include "tilewright/format/number_text.h"
#include "tilewright/io/constraints/constraint_text.h"
#include "tilewright/io/yaml/units.h"

namespace tilewright {
namespace {

using Kind = Demand::Kind;

class ConflictReporter {
 public:
  ConflictReporter(const ConflictSetting& setting, const Conflict& conflict)
      : setting_(setting), conflict_(conflict) {}

  void report(Diagnostic& finding) const {
    for (std::size_t i = 0; i < conflict_.demands.size(); ++i) {
      const Span span = span_of(conflict_.demands[i]);
      const std::string text = demand_text(conflict_.reliefs[i]);
      if (span.file) {
        finding.labels.push_back({span, text});
      } else {
        finding.notes.push_back(text);
      }
    }
    finding.notes.push_back(together_text());
    finding.helps.push_back(relief_text());
  }

  std::vector<ConflictLine> lines() const {
    std::vector<ConflictLine> lines;
    for (const Relief& relief : conflict_.reliefs) {
      lines.push_back(
          {place_text(span_of(relief.demand)), demand_text(relief), change_text(relief)});
    }
    return lines;
  }

  bool one_is_enough() const { return std::ranges::all_of(conflict_.reliefs, &Relief::enough); }

 private:
  const Arch& arch() const { return setting_.problem.arch(); }
  const std::string& name_of(NodeId node) const { return node_name(arch().nodes()[node.pos()]); }
  const Axis& axis_of(const Demand& demand) const {
    return arch().fanout(demand.node).axes[static_cast<std::size_t>(demand.axis)];
  }
  const std::string& tensor_of(const Demand& demand) const {
    return setting_.problem.workload().tensor(demand.tensor).name;
  }
  const Constraint& constraint_of(const Demand& demand) const {
    return setting_.constraints[static_cast<std::size_t>(demand.constraint)];
  }

  Span span_of(const Demand& demand) const {
    if (demand.kind == Kind::kConstraint) {
      const auto number = static_cast<std::size_t>(demand.constraint);
      const bool known = number < setting_.constraint_source.size();
      return known ? setting_.constraint_source[number] : Span{};
    }
    if (demand.kind == Kind::kSpace || setting_.arch_source.nodes.empty()) return {};
    const ArchSource::Node& node = setting_.arch_source.nodes[demand.node.pos()];
    Span span;
    switch (demand.kind) {
      case Kind::kCapacity:
        span = node.capacity;
        break;
      case Kind::kPartition:
        span = partition_span(setting_.problem, setting_.arch_source, demand.node, demand.tensor);
        break;
      case Kind::kAxis:
        span = node.axes[static_cast<std::size_t>(demand.axis)];
        break;
      case Kind::kMayKeep:
        span = node.keep;
        break;
      case Kind::kConstraint:
      case Kind::kSpace:
        break;
    }
    return span.file ? span : node.name;
  }

  // What is demanded, and the arithmetic where there is one.
  std::string demand_text(const Relief& relief) const {
    const Demand& demand = relief.demand;
    switch (demand.kind) {
      case Kind::kConstraint:
        return constraint_text(setting_.problem, constraint_of(demand));
      case Kind::kCapacity:
        return fmt::format("{} holds {}{}", name_of(demand.node), bits_text(*relief.now),
                           needed(relief));
      case Kind::kPartition:
        return fmt::format("{} reserves {} for {}{}", name_of(demand.node), bits_text(*relief.now),
                           tensor_of(demand), needed(relief));
      case Kind::kAxis:
        return fmt::format("{} has {} along {}", name_of(demand.node),
                           relief.now ? plural_text(*relief.now, "place") : "its places",
                           axis_of(demand).name);
      case Kind::kMayKeep:
        return name_of(demand.node) + " keeps only what it may";
      case Kind::kSpace:
        break;
    }
    return fmt::format("the space {} allows no remainders {}", space_name(setting_.kind),
                       setting_.kind == SpaceKind::kPfm     ? "anywhere"
                       : setting_.kind == SpaceKind::kRubyS ? "in time"
                                                            : "in space");
  }

  static std::string needed(const Relief& relief) {
    if (!relief.wanted) return "";
    return fmt::format(", the tiles need {}: {} missing", bits_text(*relief.wanted),
                       bits_text(*relief.wanted - *relief.now));
  }

  std::string together_text() const {
    const std::size_t count = conflict_.demands.size();
    std::set<std::string> places;
    for (const Demand& demand : conflict_.demands) places.insert(place_text(span_of(demand)));
    const bool lines = places.size() == count && !places.contains("");
    if (count == 1) {
      return fmt::format("this {} cannot hold by itself", lines ? "line" : "demand");
    }
    return fmt::format("these {} {} cannot hold together; {} can", count,
                       lines ? "lines" : "demands",
                       count == 2 ? "each alone" : fmt::format("any {}", count - 1));
  }

  std::string relief_text() const {
    std::string text =
        one_is_enough() ? "smallest changes that make it feasible; one of them is enough:"
                        : "smallest changes that resolve this conflict; there are other conflicts:";
    std::size_t width = 0;
    for (const Relief& relief : conflict_.reliefs) {
      width = std::max(width, place_text(span_of(relief.demand)).size());
    }
    for (const Relief& relief : conflict_.reliefs) {
      text += fmt::format("\n  {:<{}}  {}", place_text(span_of(relief.demand)), width,
                          change_text(relief));
    }
    return text;
  }

  std::string change_text(const Relief& relief) const {
    const Demand& demand = relief.demand;
    switch (demand.kind) {
      case Kind::kConstraint:
        return constraint_change(relief);
      case Kind::kCapacity:
      case Kind::kPartition: {
        const std::string what =
            demand.kind == Kind::kCapacity ? "capacity" : "partition of " + tensor_of(demand);
        if (!relief.wanted) return fmt::format("no {} is enough: drop it", what);
        return fmt::format("{} {} instead of {}", what, write_bits(*relief.wanted),
                           write_bits(*relief.now));
      }
      case Kind::kAxis:
        if (!relief.wanted) return fmt::format("drop the limit of {}", axis_of(demand).name);
        return fmt::format("{} {} instead of {}", axis_of(demand).name, count_text(*relief.wanted),
                           count_text(*relief.now));
      case Kind::kMayKeep:
        return fmt::format("let {} keep everything", name_of(demand.node));
      case Kind::kSpace:
        break;
    }
    return "--space ruby, where every loop may leave a remainder";
  }

  std::string constraint_change(const Relief& relief) const {
    const Constraint& now = constraint_of(relief.demand);
    if (!relief.wanted) return "drop " + in_backticks(constraint_text(setting_.problem, now));
    Constraint wanted = now;
    if (now.kind == Constraint::Kind::kUtilization) {
      std::int64_t children = 1;
      for (const Axis& axis : arch().fanout(now.node).axes) children *= axis.size;
      wanted.share = make_rational(*relief.wanted, children);
    } else {
      wanted.value = *relief.wanted;
    }
    return in_backticks(constraint_text(setting_.problem, wanted)) + " instead of " +
           in_backticks(constraint_text(setting_.problem, now));
  }

  const ConflictSetting& setting_;
  const Conflict& conflict_;
};

// `a (x.yaml:1)`, or `a` if no file says it.
std::string with_place(const std::string& words, const std::string& place) {
  return place.empty() ? words : fmt::format("{} ({})", words, place);
}

}  // namespace

std::vector<ConflictLine> conflict_lines(const ConflictSetting& setting, const Conflict& conflict) {
  return ConflictReporter(setting, conflict).lines();
}

std::string conflict_words(const ConflictSetting& setting, const Conflict& conflict) {
  const ConflictReporter reporter(setting, conflict);
  std::vector<std::string> demands;
  std::vector<std::string> changes;
  for (const ConflictLine& line : reporter.lines()) {
    demands.push_back(with_place(line.demand, line.place));
    changes.push_back(with_place(line.change, line.place));
  }
  return fmt::format("no mapping exists: {} cannot hold {}; {}: {}", fmt::join(demands, " and "),
                     demands.size() == 1 ? "by itself" : "together",
                     reporter.one_is_enough()
                         ? "one of these changes is enough"
                         : "one of these changes settles it, but there is more that cannot hold",
                     fmt::join(changes, "; "));
}

std::string place_text(const Span& span) {
  if (!span.file) return "";
  const std::string name = printable(span.file->name);
  return span.line > 0 ? fmt::format("{}:{}", name, span.line) : name;
}

std::vector<std::string> place_texts(std::span<const Span> spans) {
  std::vector<std::string> texts;
  for (const Span& span : spans) texts.push_back(place_text(span));
  return texts;
}

Diagnostic& report_conflict(const ConflictSetting& setting, const Conflict& conflict,
                            Diagnostics& diagnostics) {
  Diagnostic& finding =
      conflict.among_constraints
          ? diagnostics.error("M0302", "the constraints contradict each other: no mapping exists")
          : diagnostics.error("M0301", "no mapping exists (proved)");
  ConflictReporter(setting, conflict).report(finding);
  return finding;
}

}  // namespace tilewright
