// SPDX-License-Identifier: Apache-2.0
// Reported conflicts are minimal and reliefs work: on problems built to be infeasible and on random
// ones. What is dropped or changed here is changed in the problem itself, not by the code under
// test.
//   property.conflicts [--random N] [--seed S]
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>

#include "tests/property/infeasible_problems.h"
#include "tests/support/options.h"
#include "tests/support/small_case.h"
#include "tilewright/mapping/violation.h"
#include "tilewright/mapspace/feasibility/conflict.h"
#include "tilewright/mapspace/feasibility/feasible.h"

namespace {

using namespace tilewright;
using testing::SmallCase;

// ---- The problem with demands dropped or changed ----

struct Parts {
  explicit Parts(const SmallCase& from)
      : workload(from.problem.workload()),
        nodes(from.problem.arch().nodes().begin(), from.problem.arch().nodes().end()),
        kind(from.kind),
        constraints(from.constraints) {}

  SmallCase whole() const {
    std::vector<Constraint> held;
    for (std::size_t c = 0; c < constraints.size(); ++c) {
      if (!dropped.contains(static_cast<int>(c))) held.push_back(constraints[c]);
    }
    return {Problem(workload, Arch("changed", "", std::nullopt, nodes, Compute{})), kind, held};
  }
  Memory& memory(NodeId node) { return std::get<Memory>(nodes[node.pos()]); }
  std::int64_t children(NodeId node) const {
    std::int64_t product = 1;
    for (const Axis& axis : std::get<Fanout>(nodes[node.pos()]).axes) product *= axis.size;
    return product;
  }
  std::size_t axes() const {
    std::size_t count = 0;
    for (const ArchNode& node : nodes) {
      if (const auto* fanout = std::get_if<Fanout>(&node)) count += fanout->axes.size();
    }
    return count;
  }
  void set_part(NodeId node, TensorId tensor, std::int64_t bits) {
    const std::string name = workload.tensor(tensor).name;
    auto& parts = memory(node).partitions;
    std::erase_if(parts, [&](const PerTensor& part) { return part.tensor == name; });
    parts.push_back({name, bits});
  }

  Workload workload;
  std::vector<ArchNode> nodes;
  SpaceKind kind;
  std::vector<Constraint> constraints;
  std::set<int> dropped;  // constraints
};

Axis& axis_of(Parts& parts, const Demand& demand) {
  auto& axes = std::get<Fanout>(parts.nodes[demand.node.pos()]).axes;
  return axes[static_cast<std::size_t>(demand.axis)];
}

void drop(Parts& parts, const Demand& demand) {
  switch (demand.kind) {
    case Demand::Kind::kConstraint:
      parts.dropped.insert(demand.constraint);
      break;
    case Demand::Kind::kCapacity:
      parts.memory(demand.node).capacity_bits.reset();
      break;
    case Demand::Kind::kPartition:
      parts.set_part(demand.node, demand.tensor, std::int64_t{1} << 60);
      break;
    case Demand::Kind::kMayKeep:
      parts.memory(demand.node).keep.all = true;
      break;
    case Demand::Kind::kSpace:
      parts.kind = SpaceKind::kRuby;
      break;
    case Demand::Kind::kAxis: {
      // The axis becomes large, but a utilization still asks for as many children as before.
      const std::int64_t before = parts.children(demand.node);
      axis_of(parts, demand).size = parts.axes() > 2 ? 200 : 20'000;  // 2^31 units at most
      const std::int64_t after = parts.children(demand.node);
      for (Constraint& c : parts.constraints) {
        if (c.kind != Constraint::Kind::kUtilization || c.node != demand.node) continue;
        c.share = make_rational(ceil_div(before * c.share.num, c.share.den), after);
      }
      break;
    }
  }
}

void set(Parts& parts, const Demand& demand, std::int64_t value) {
  if (demand.kind == Demand::Kind::kConstraint) {
    Constraint& c = parts.constraints[static_cast<std::size_t>(demand.constraint)];
    c.value = value;
    if (c.kind == Constraint::Kind::kUtilization) {
      c.share = make_rational(value, parts.children(c.node));
    }
  } else if (demand.kind == Demand::Kind::kCapacity) {
    parts.memory(demand.node).capacity_bits = value;
  } else if (demand.kind == Demand::Kind::kPartition) {
    parts.set_part(demand.node, demand.tensor, value);
  } else {
    axis_of(parts, demand).size = value;
  }
}

// ---- The checks; each returns what is wrong, empty if nothing ----

struct Verdict {
  bool feasible = false;
  std::string wrong;
};

// Decided, and the witness checked.
Verdict decide(const SmallCase& given) {
  const Rules rules = make_rules(given.problem, given.kind, given.constraints);
  const std::optional<Mapping> found = find_feasible(given.problem, rules);
  if (!found) return {};
  if (!find_violations(given.problem, *found).empty()) return {true, "a witness has violations"};
  const std::string broken = testing::find_broken_rule(given.problem, rules, *found);
  if (!broken.empty()) return {true, "a witness breaks a rule: " + broken};
  return {true, ""};
}

// Everything that is demanded of the problem, from the same list as the conflict's.
std::vector<Demand> all_demands(const SmallCase& given) {
  using Kind = Demand::Kind;
  std::vector<Demand> all;
  const Arch& arch = given.problem.arch();
  for (std::size_t c = 0; c < given.constraints.size(); ++c) {
    all.push_back({.kind = Kind::kConstraint, .constraint = static_cast<int>(c)});
  }
  for (const NodeId node : arch.fanouts()) {
    for (std::size_t a = 0; a < arch.fanout(node).axes.size(); ++a) {
      all.push_back({.kind = Kind::kAxis, .node = node, .axis = static_cast<int>(a)});
    }
  }
  for (const NodeId node : arch.memories()) {
    all.push_back({.kind = Kind::kCapacity, .node = node});
    all.push_back({.kind = Kind::kMayKeep, .node = node});
    for (std::size_t t = 0; t < given.problem.workload().tensors().size(); ++t) {
      if (!given.problem.memory(node).partition_bits[t]) continue;
      all.push_back({.kind = Kind::kPartition, .node = node, .tensor = TensorId(t)});
    }
  }
  all.push_back({.kind = Kind::kSpace});
  return all;
}

// The problem in which only `demands` hold, apart from `but`.
Parts only_these(const SmallCase& given, const std::vector<Demand>& demands, const Demand* but) {
  Parts parts(given);
  for (const Demand& demand : all_demands(given)) {
    const bool named = std::ranges::find(demands, demand) != demands.end();
    if (!named || (but != nullptr && demand == *but)) drop(parts, demand);
  }
  return parts;
}

std::string check_minimal(const SmallCase& given, const Conflict& conflict, bool by_trying) {
  const auto infeasible = [&](const SmallCase& what) -> std::string {
    if (decide(what).feasible) return "feasible";
    if (!by_trying) return "";
    const Rules rules = make_rules(what.problem, what.kind, what.constraints);
    return testing::try_all(what.problem, rules, 1e5).value_or(false) ? "feasible" : "";
  };
  if (!infeasible(given).empty()) return "all demands together are feasible";
  if (!infeasible(only_these(given, conflict.demands, nullptr).whole()).empty()) {
    return "the named demands are feasible together";
  }
  if (conflict.reliefs.size() != conflict.demands.size()) return "not one relief per demand";
  for (std::size_t i = 0; i < conflict.demands.size(); ++i) {
    const Demand& demand = conflict.demands[i];
    if (conflict.reliefs[i].demand != demand) return "a relief is not that of its demand";
    const std::string name = demand_text(given, demand);
    const Verdict rest = decide(only_these(given, conflict.demands, &demand).whole());
    if (!rest.feasible) return "still infeasible without `" + name + "`";
    Parts without(given);
    drop(without, demand);
    const Verdict everything = decide(without.whole());
    if (everything.feasible != conflict.reliefs[i].enough) {
      return "wrong about whether dropping `" + name + "` is enough";
    }
    for (const Verdict& verdict : {rest, everything}) {
      if (!verdict.wrong.empty()) return verdict.wrong;
    }
  }
  return "";
}

// The value works, and none nearer to what it is now does.
std::string check_relief(const SmallCase& given, const Conflict& conflict, const Relief& relief) {
  const std::string name = demand_text(given, relief.demand);
  if (!relief.now) return relief.wanted ? "a value for `" + name + "`" : "";
  const auto with = [&](std::int64_t value) {
    Parts parts = relief.enough ? Parts(given) : only_these(given, conflict.demands, nullptr);
    set(parts, relief.demand, value);
    return decide(parts.whole());
  };
  if (with(*relief.now).feasible) return "`" + name + "` is feasible as it is";
  const bool bits = relief.demand.kind == Demand::Kind::kCapacity ||
                    relief.demand.kind == Demand::Kind::kPartition;
  if (bits && !relief.wanted) return "no number of bits is enough for `" + name + "`";
  // Without a value: no other works either, as far as one looks.
  const std::int64_t far = relief.wanted ? std::abs(*relief.wanted - *relief.now) : 40;
  for (std::int64_t near = 1; near < far; ++near) {
    if (near > 40 && near < far - 1) continue;
    for (const std::int64_t value : {*relief.now + near, *relief.now - near}) {
      if (value >= 1 && with(value).feasible) {
        return "`" + name + "` works with " + std::to_string(value) + " already";
      }
    }
  }
  if (!relief.wanted) return "";
  const Verdict works = with(*relief.wanted);
  if (!works.feasible) return "`" + name + "` does not work as " + std::to_string(*relief.wanted);
  return works.wrong;
}

std::string check(const SmallCase& given, const Conflict& conflict, bool by_trying) {
  std::string wrong = check_minimal(given, conflict, by_trying);
  for (const Relief& relief : conflict.reliefs) {
    if (wrong.empty()) wrong = check_relief(given, conflict, relief);
  }
  return wrong;
}

std::string conflict_text(const SmallCase& given, const Conflict& conflict) {
  std::string text;
  bool others = false;
  for (const Relief& relief : conflict.reliefs) {
    text += text.empty() ? "" : "; ";
    text += demand_text(given, relief.demand);
    if (relief.wanted) text += " -> " + std::to_string(*relief.wanted);
    others = others || !relief.enough;
  }
  return others ? text + " (not the only conflict)" : text;
}

bool check_built() {
  bool good = true;
  for (const BuiltProblem& built : infeasible_problems()) {
    const auto conflict =
        find_conflict(built.given.problem, built.given.kind, built.given.constraints);
    const std::string text = conflict ? conflict_text(built.given, *conflict) : "no conflict";
    std::printf("%-28s %s\n", built.name.c_str(), text.c_str());
    std::string wrong = conflict ? check(built.given, *conflict, false) : "no conflict is found";
    if (wrong.empty() && text != built.expected) wrong = "expected " + built.expected;
    if (wrong.empty()) continue;
    std::printf("%-28s WRONG: %s\n", "", wrong.c_str());
    good = false;
  }
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  const testing::Options options =
      testing::read_options(argc, argv, {{"--random", 300}, {"--seed", 1}});
  const std::uint64_t wanted = options.at("--random");
  const std::uint64_t seed = options.at("--seed");
  bool good = check_built();
  std::uint64_t random = 0;
  std::set<std::size_t> sizes;
  for (std::uint64_t index = 0; random < wanted; ++index) {
    const SmallCase given = testing::make_small_case(seed, index);
    const auto rules = make_rules(given.problem, given.kind, given.constraints);
    const auto any = testing::try_all(given.problem, rules);
    if (!any) continue;
    const auto conflict = find_conflict(given.problem, given.kind, given.constraints);
    std::string wrong;
    if (conflict.has_value() == *any)
      wrong = *any ? "a conflict where there is none" : "no conflict";
    if (conflict) {
      ++random;
      sizes.insert(conflict->demands.size());
      if (wrong.empty()) wrong = check(given, *conflict, true);
    }
    if (wrong.empty()) continue;
    const std::string text = conflict ? conflict_text(given, *conflict) : "";
    std::printf("random %llu: %s: WRONG: %s\n", static_cast<unsigned long long>(index),
                text.c_str(), wrong.c_str());
    good = false;
  }
  if (!good) {
    std::printf("conflicts: some are wrong\n");
    return 1;
  }
  std::printf(
      "conflicts: %zu built and %llu random problems, every conflict minimal, "
      "every relief works\n",
      infeasible_problems().size(), static_cast<unsigned long long>(random));
  return 0;
}
