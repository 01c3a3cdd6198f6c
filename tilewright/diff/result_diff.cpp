// SPDX-License-Identifier: Apache-2.0
#include "tilewright/diff/result_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "tilewright/format/number_text.h"
#include "tilewright/io/write.h"
#include "tilewright/model/derive.h"
#include "tilewright/report/mapping/utilization_parts.h"

namespace tilewright {
namespace {

// The sections of an architecture in canonical form: its lines by node.
std::map<std::string, std::vector<std::string>> arch_lines(const Arch& arch) {
  std::map<std::string, std::vector<std::string>> result;
  std::istringstream stream(write_arch(arch));
  std::string node;
  for (std::string line; std::getline(stream, line);) {
    const std::size_t begin = line.find_first_not_of(" -");
    if (begin == std::string::npos) continue;
    if (line[begin == 0 ? 0 : begin - 2] == '-') {
      node = line.substr(line.find(": ") + 2) + " ";
    }
    result[node].push_back(line.substr(begin));
  }
  return result;
}

class Comparer {
 public:
  Comparer(const DiffSide& before, const DiffSide& after) : before_(before), after_(after) {}

  ResultDiff compare() {
    compare_workloads();
    compare_archs();
    add_run();
    compare_constraints();
    const Evaluated& left = before_.evaluated;
    const Evaluated& right = after_.evaluated;
    const bool comparable = left.problem.workload() == right.problem.workload() &&
                            left.problem.arch() == right.problem.arch();
    if (comparable && left.mapping == right.mapping) diff_.settings.same.emplace_back("mapping");
    compare_factors();
    compare_parts();
    diff_.nest = diff_nests(left.problem, left.mapping, right.problem, right.mapping);
    return std::move(diff_);
  }

 private:
  SettingsDiff& settings() { return diff_.settings; }

  void compare_workloads() {
    const Workload& left = before_.evaluated.problem.workload();
    const Workload& right = after_.evaluated.problem.workload();
    if (left == right) {
      diff_.settings.same.push_back("workload " + left.name());
      return;
    }
    settings().add("workload", left.name(), right.name());
    settings().add("einsum", to_einsum(left), to_einsum(right));
    for (const Dim& dim : left.dims()) {
      const auto other = right.find_dim(dim.name);
      settings().add("dim " + dim.name, count_text(dim.size),
                     other ? count_text(right.dim(*other).size) : "");
    }
    for (const Dim& dim : right.dims()) {
      if (!left.find_dim(dim.name)) settings().add("dim " + dim.name, "", count_text(dim.size));
    }
    for (const Tensor& tensor : left.tensors()) {
      if (const auto other = right.find_tensor(tensor.name)) {
        settings().add("bits of " + tensor.name, write_widths(tensor.bits, tensor.partial_bits),
                       write_widths(right.tensor(*other).bits, right.tensor(*other).partial_bits));
      }
    }
  }

  void compare_archs() {
    const Arch& left = before_.evaluated.problem.arch();
    const Arch& right = after_.evaluated.problem.arch();
    if (left == right) {
      diff_.settings.same.push_back("arch " + left.name());
      return;
    }
    settings().add("arch", left.name(), right.name());
    const auto old_lines = arch_lines(left);
    auto new_lines = arch_lines(right);
    // A key that both have is one setting.
    const auto by_key = [](const std::vector<std::string>& lines) {
      std::map<std::string, std::string> result;
      for (const std::string& line : lines) {
        const std::size_t colon = std::min(line.find(": "), line.size());
        result[line.substr(0, colon)] = line.substr(std::min(line.size(), colon + 2));
      }
      return result;
    };
    std::set<std::string> nodes;
    for (const auto& [node, lines] : old_lines) nodes.insert(node);
    for (const auto& [node, lines] : new_lines) nodes.insert(node);
    for (const std::string& node : nodes) {
      const bool both = old_lines.contains(node) && new_lines.contains(node);
      if (!both) {
        const bool old = old_lines.contains(node);
        settings().add("node " + node.substr(0, node.size() - 1), old ? "there" : "",
                       old ? "" : "there");
        continue;
      }
      const auto old_keys = by_key(old_lines.at(node));
      const auto new_keys = by_key(new_lines.at(node));
      std::set<std::string> keys;
      for (const auto& [key, value] : old_keys) keys.insert(key);
      for (const auto& [key, value] : new_keys) keys.insert(key);
      for (const std::string& key : keys) {
        const auto value = [&](const std::map<std::string, std::string>& map) {
          const auto it = map.find(key);
          return it == map.end() ? std::string() : it->second;
        };
        if (key != "note" && key != "name")
          settings().add(node + key, value(old_keys), value(new_keys));
      }
    }
  }

  void add_run() {
    SettingsDiff run = compare_runs(before_.run, before_.version, after_.run, after_.version);
    std::ranges::move(run.same, std::back_inserter(settings().same));
    std::ranges::move(run.different, std::back_inserter(settings().different));
  }

  void compare_constraints() {
    const auto only_in = [](const std::vector<std::string>& some,
                            const std::vector<std::string>& others) {
      std::vector<std::string> result;
      for (const std::string& text : some) {
        if (std::ranges::find(others, text) == others.end()) result.push_back(text);
      }
      return result;
    };
    const auto left = only_in(before_.constraints, after_.constraints);
    const auto right = only_in(after_.constraints, before_.constraints);
    settings().add("constraints", fmt::format("{}", fmt::join(left, "; ")),
                   fmt::format("{}", fmt::join(right, "; ")));
    const std::size_t both = before_.constraints.size() - left.size();
    if (both > 0)
      diff_.settings.same.push_back(plural_text(static_cast<std::int64_t>(both), "constraint"));
  }

  void compare_factors() {
    const auto used = [](const DiffSide& side) {
      return utilization(side.evaluated.evaluation, side.evaluated.problem.arch().compute_units());
    };
    const Utilization left = used(before_);
    const Utilization right = used(after_);
    const auto add = [&](const char* name, double old_value, double new_value,
                         std::vector<std::string> reasons) {
      if (old_value == new_value && reasons.empty()) return;
      diff_.factors.push_back({name, old_value, new_value, std::move(reasons)});
    };
    const auto change = [](const std::string& old_text, const std::string& new_text) {
      std::vector<std::string> reasons;
      if (old_text != new_text) reasons.push_back(old_text + " -> " + new_text);
      return reasons;
    };
    add("spatial", left.spatial, right.spatial, axis_changes());
    add("edge", left.edge, right.edge,
        change(edge_text(before_.evaluated), edge_text(after_.evaluated)));
    add("temporal", left.temporal, right.temporal,
        change(wait_text(before_.evaluated), wait_text(after_.evaluated)));
  }

  // `PE.X 7 of 14 (p 7) -> 14 of 14 (p 7 * m 2)`
  std::vector<std::string> axis_changes() const {
    std::vector<std::string> reasons;
    const std::vector<AxisUse> left = axis_uses(before_.evaluated);
    for (const AxisUse& use : axis_uses(after_.evaluated)) {
      const std::string now = axis_text(use);
      const auto old = std::ranges::find(left, use.name, &AxisUse::name);
      if (old == left.end()) {
        reasons.push_back("new: " + now);
      } else if (const std::string was = axis_text(*old); was != now) {
        const bool same = old->used == use.used && old->size == use.size;
        reasons.push_back(same ? fmt::format("{} {} of {}: {} -> {}", use.name, use.used, use.size,
                                             fmt::join(old->loops, " * "),
                                             fmt::join(use.loops, " * "))
                               : was + " -> " + now.substr(use.name.size() + 1));
      }
    }
    return reasons;
  }

  void compare_parts();
  void add_tensor(const std::string& memory, const std::string& tensor);
  std::vector<std::string> find_reasons(const std::string& memory, const std::string& tensor,
                                        Action action) const;

  const DiffSide& before_;
  const DiffSide& after_;
  ResultDiff diff_;
};

const MemoryEvaluation* find_memory(const Evaluated& evaluated, const std::string& name) {
  for (const MemoryEvaluation& memory : evaluated.evaluation.memories) {
    if (evaluated.problem.arch().memory(memory.node).name == name) return &memory;
  }
  return nullptr;
}

const TensorCounts* find_counts(const Evaluated& evaluated, const std::string& memory,
                                const std::string& tensor) {
  const MemoryEvaluation* found = find_memory(evaluated, memory);
  const auto id = evaluated.problem.workload().find_tensor(tensor);
  return found == nullptr || !id ? nullptr : &found->tensors[id->pos()];
}

// Names of one side, then those that only the other has.
std::vector<std::string> memory_names(const Evaluated& before, const Evaluated& after) {
  std::vector<std::string> names;
  for (const Evaluated* side : {&before, &after}) {
    for (const MemoryEvaluation& memory : side->evaluation.memories) {
      const std::string& name = side->problem.arch().memory(memory.node).name;
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

std::vector<std::string> tensor_names(const Evaluated& before, const Evaluated& after) {
  std::vector<std::string> names;
  for (const Evaluated* side : {&before, &after}) {
    for (const Tensor& tensor : side->problem.workload().tensors()) {
      if (std::ranges::find(names, tensor.name) == names.end()) names.push_back(tensor.name);
    }
  }
  return names;
}

void Comparer::compare_parts() {
  const Evaluated& left = before_.evaluated;
  const Evaluated& right = after_.evaluated;
  const std::string& unit = left.problem.arch().compute().name;
  diff_.parts.push_back(
      {unit, left.evaluation.compute_energy_pj, right.evaluation.compute_energy_pj, {}, {}});
  for (const std::string& memory : memory_names(left, right)) {
    const auto leakage = [&](const Evaluated& side) {
      const MemoryEvaluation* found = find_memory(side, memory);
      return found == nullptr ? 0 : found->leakage_pj;
    };
    diff_.parts.push_back({memory + " leakage", leakage(left), leakage(right), {}, {}});
    for (const std::string& tensor : tensor_names(left, right)) add_tensor(memory, tensor);
  }
  std::erase_if(diff_.parts, [](const PartDifference& part) {
    return part.before_pj == part.after_pj && part.counts.empty();
  });
  std::ranges::stable_sort(diff_.parts, std::greater<>{},
                           [](const PartDifference& part) { return std::abs(part.change_pj()); });
}

void Comparer::add_tensor(const std::string& memory, const std::string& tensor) {
  const TensorCounts none;
  const TensorCounts* left = find_counts(before_.evaluated, memory, tensor);
  const TensorCounts* right = find_counts(after_.evaluated, memory, tensor);
  left = left == nullptr ? &none : left;
  right = right == nullptr ? &none : right;
  PartDifference part{memory + " " + tensor, left->energy_pj, right->energy_pj, {}, {}};
  const auto add = [&](const char* action, std::int64_t old_count, std::int64_t new_count) {
    if (old_count != new_count) part.counts.push_back({action, old_count, new_count});
  };
  add("reads", left->reads, right->reads);
  add("fills", left->fills, right->fills);
  add("updates", left->updates, right->updates);
  std::ranges::stable_sort(part.counts, std::greater<>{}, [](const CountDifference& count) {
    return std::abs(count.after - count.before);
  });
  if (left->kept != right->kept) {
    part.reasons.emplace_back(right->kept ? "now kept here" : "no longer kept here");
  } else if (right->kept && !part.counts.empty()) {
    const std::string& action = part.counts.front().action;
    part.reasons = find_reasons(memory, tensor,
                                action == "reads"   ? Action::kReads
                                : action == "fills" ? Action::kFills
                                                    : Action::kUpdates);
  }
  diff_.parts.push_back(std::move(part));
}

// How often everything is moved, and the loops that make it so: `14x (p 2, p 7)`.
std::string passes_text(const Evaluated& evaluated, const Derivation& derivation) {
  std::int64_t passes = 1;
  for (const DimCount& count : derivation.passes) passes = checked_mul(passes, count.count);
  std::vector<std::string> loops;
  for (const LoopRole& role : derivation.loops) {
    const bool again =
        role.kind == LoopRole::Kind::kRepeats || role.kind == LoopRole::Kind::kCopies;
    const NestNode& node = evaluated.mapping.nodes()[static_cast<std::size_t>(role.position)];
    if (!again) continue;
    loops.push_back(
        fmt::format("{} {}", evaluated.problem.workload().dim(node.dim).name, node.factor));
  }
  if (passes == 1) return "once";
  return fmt::format("{}x ({})", count_text(passes), fmt::join(loops, ", "));
}

std::string affine_ranks(const Evaluated& evaluated, TensorId tensor) {
  std::vector<std::string> ranks;
  const Workload& workload = evaluated.problem.workload();
  for (const Rank& rank : workload.tensor(tensor).ranks) {
    if (rank.terms.size() > 1) ranks.push_back(to_subscript(workload, rank));
  }
  return fmt::format("{}", fmt::join(ranks, ", "));
}

std::vector<std::string> Comparer::find_reasons(const std::string& memory,
                                                const std::string& tensor, Action action) const {
  const auto derived = [&](const Evaluated& side) {
    return derive(side.problem, side.mapping, find_memory(side, memory)->node,
                  *side.problem.workload().find_tensor(tensor), action);
  };
  const Derivation left = derived(before_.evaluated);
  const Derivation right = derived(after_.evaluated);
  std::vector<std::string> reasons;
  const std::string old_passes = passes_text(before_.evaluated, left);
  const std::string new_passes = passes_text(after_.evaluated, right);
  const auto count = [](const std::string& passes) { return passes.substr(0, passes.find(' ')); };
  if (count(old_passes) != count(new_passes)) {
    reasons.push_back(fmt::format("all of it moves {} -> {}", old_passes, new_passes));
  }
  if (left.affine != right.affine) {
    reasons.push_back(fmt::format(
        "its tiles along {} hold {} -> {} elements, overlap counted",
        affine_ranks(after_.evaluated, *after_.evaluated.problem.workload().find_tensor(tensor)),
        count_text(left.affine), count_text(right.affine)));
  }
  if (left.held_back != right.held_back) {
    reasons.push_back(fmt::format("sliding saves {} -> {}", count_text(left.held_back),
                                  count_text(right.held_back)));
  }
  if (left.first_touches != right.first_touches) {
    reasons.push_back(fmt::format("first touches, which read nothing: {} -> {}",
                                  count_text(left.first_touches), count_text(right.first_touches)));
  }
  return reasons;
}

}  // namespace

ResultDiff find_differences(const DiffSide& before, const DiffSide& after) {
  return Comparer(before, after).compare();
}

}  // namespace tilewright
