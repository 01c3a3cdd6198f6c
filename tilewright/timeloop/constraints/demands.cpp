// SPDX-License-Identifier: Apache-2.0
#include "tilewright/timeloop/constraints/demands.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "tilewright/base/checked.h"
#include "tilewright/base/text/nearest.h"
#include "tilewright/base/text/printable.h"
#include "tilewright/timeloop/constraints/maximize.h"
#include "tilewright/timeloop/constraints/names_list.h"
#include "tilewright/timeloop/document/reading.h"

namespace tilewright::timeloop {
namespace {

/// A `maximize_dims` that is still to be worked out.
struct Maximize {
  std::size_t level = 0;
  bool spatial = false;
  const YamlEntry* groups = nullptr;
  std::optional<std::int64_t> capacity;
};

class DemandReader {
 public:
  DemandReader(const Hardware& hardware, const Problem& problem, const Names& names,
               Findings& findings)
      : hardware_(hardware),
        workload_(problem.workload()),
        names_(names),
        findings_(findings),
        diagnostics_(findings.diagnostics),
        demands_(hardware.levels.size()) {
    for (const Tensor& tensor : workload_.tensors()) tensors_.push_back(tensor.name);
  }

  std::vector<LevelDemands> read(const Document& document) {
    for (std::size_t i = 0; i < hardware_.levels.size(); ++i) {
      const Level& level = hardware_.levels[i];
      const std::string where = "the constraints of " + in_backticks(level.name);
      if (level.temporal != nullptr) read_loops(*level.temporal, i, false, where);
      if (level.spatial != nullptr) read_loops(*level.spatial, i, true, where);
      // What such a node bypasses is a property of the hardware: the Arch has it.
      if (level.dataspace != nullptr) {
        check_keys(*level.dataspace, "dataspace");
        read_kept(*level.dataspace, i, where, false);
      }
    }
    for (const Section& section : document.constraints) read_section(section);
    work_out_maxima();
    return std::move(demands_);
  }

 private:
  void read_section(const Section& section) {
    const YamlEntry* targets = section.node.find("targets");
    const YamlNode& list = targets == nullptr ? section.node : targets->value;
    if (list.is_null() || (list.is_map() && targets == nullptr)) {
      for (const YamlEntry& entry : list.entries) {
        if (entry.key != "version") {
          report_unknown_key(entry, "`" + section.name + "`", {"version", "targets"}, diagnostics_);
        }
      }
      return;
    }
    if (!list.is_list()) {
      error_at(diagnostics_, "F0012", "the targets are " + describe(list) + ", not a list",
               list.span);
      return;
    }
    for (const YamlNode& node : list.items) read_target(node);
  }

  void read_target(const YamlNode& node) {
    const std::string type = text_of(node, "type");
    const char* key = node.find("target") != nullptr ? "target" : "name";
    const std::string target = text_of(node, key);
    if (type == "utilization" || type == "parallelism" || type == "max_overbooked_proportion") {
      findings_.not_modelled("a constraint of type `" + type + "`", node.span);
      return;
    }
    if (target.empty() || type.empty()) {
      error_at(diagnostics_, "F0011", "a constraint needs `target` and `type`", node.span);
      return;
    }
    const bool spatial = type == "spatial";
    const bool keeps =
        type == "datatype" || type == "bypass" || type == "bypassing" || type == "dataspace";
    if (!spatial && !keeps && type != "temporal") {
      error_at(diagnostics_, "T0012", in_backticks(type) + " is not a type of constraint",
               node.find("type")->value.span, "expected `temporal`, `spatial` or `dataspace`");
      return;
    }
    const Level* level = spatial ? hardware_.find_spatial(target) : hardware_.find_temporal(target);
    if (level == nullptr) {
      const std::vector<std::string> known = hardware_.targets();
      Diagnostic& found =
          error_at(diagnostics_, "T0010", "the architecture has no level " + in_backticks(target),
                   node.find(key)->value.span);
      if (const auto near = nearest(target, known)) {
        found.helps.push_back("did you mean `" + *near + "`?");
      }
      return;
    }
    const auto i = static_cast<std::size_t>(level - hardware_.levels.data());
    const std::string where = "the constraint on " + in_backticks(target);
    if (keeps) {
      check_keys(node, "dataspace");
      read_kept(node, i, where, true);
    } else {
      read_loops(node, i, spatial, where);
    }
  }

  void check_keys(const YamlNode& node, const std::string& kind) {
    std::vector<std::string> known{"target", "type", "name"};
    const std::vector<std::string> kept{"keep", "bypass", "keep_only", "bypass_only",
                                        "no_coalesce"};
    const std::vector<std::string> loops{"factors",
                                         "permutation",
                                         "no_reuse",
                                         "factors_only",
                                         "no_iteration_over_dataspaces",
                                         "must_iterate_over_dataspaces",
                                         "maximize_dims",
                                         "maximize_dims_capacity",
                                         "default_max_factor",
                                         "default_min_factor",
                                         "remainders"};
    const std::vector<std::string>& more = kind == "dataspace" ? kept : loops;
    known.insert(known.end(), more.begin(), more.end());
    if (kind == "spatial") {
      known.insert(known.end(), {"split", "no_link_transfer", "no_multicast_no_reduction"});
    }
    if (kind == "temporal") {
      known.insert(known.end(), {"rmw_first_update", "no_temporal_reuse"});
    }
    for (const YamlEntry& entry : node.entries) {
      if (std::ranges::find(known, entry.key) == known.end()) {
        report_unknown_key(entry, "a " + kind + " constraint", known, diagnostics_);
        continue;
      }
      // Spatial `no_reuse` in the architecture is a property of a fan-out: the Arch has it.
      const bool listed = entry.key == "no_coalesce" || entry.key == "rmw_first_update" ||
                          entry.key == "no_temporal_reuse" ||
                          (entry.key == "no_reuse" && kind == "temporal") ||
                          (entry.key == "no_reuse" && node.find("target") != nullptr);
      const bool filled =
          !entry.value.items.empty() || (entry.value.is_scalar() && !entry.value.text.empty());
      if (listed && filled) findings_.not_modelled("`" + entry.key + "`", entry.key_span);
      if (entry.key == "remainders" && !entry.value.is_null()) {
        findings_.not_modelled("`remainders`: `--space` says where loops may leave some",
                               entry.key_span);
      }
    }
  }

  TensorSet set_of(const std::vector<std::string>& names) const {
    TensorSet set = 0;
    for (const std::string& name : names) {
      if (const auto tensor = workload_.find_tensor(name)) set |= only(*tensor);
    }
    return set;
  }

  void read_kept(const YamlNode& node, std::size_t i, const std::string& where, bool bypasses) {
    const KeptSpaces spaces = read_kept_spaces(node, where, tensors_, diagnostics_);
    demands_[i].keep |= set_of(spaces.keep);
    if (bypasses) demands_[i].bypass |= set_of(spaces.bypass);
    demands_[i].keep_place = node.span;
  }

  void read_loops(const YamlNode& node, std::size_t i, bool spatial, const std::string& where) {
    check_keys(node, spatial ? "spatial" : "temporal");
    LoopDemands& loops = spatial ? demands_[i].spatial : demands_[i].temporal;
    loops.place = node.span;
    if (const YamlEntry* factors = node.find("factors")) {
      add_factors(read_factors(factors->value, where, workload_, diagnostics_), loops);
    }
    if (const YamlEntry* only_these = node.find("factors_only")) {
      add_factors(read_factors(only_these->value, where, workload_, diagnostics_), loops);
      fix_others(all_dims(), only_these->key_span, loops);
    }
    read_iteration(node, where, loops);
    read_defaults(node, where, loops);
    if (const YamlEntry* order = node.find("permutation")) {
      if (loops.order && !order->value.is_null()) {
        error_at(diagnostics_, "T0012", where + " gives a second permutation", entry_span(*order))
            .labels.push_back({loops.order_place, "the first one"});
      }
      loops.order = read_permutation(order->value, where, workload_, diagnostics_);
      loops.order_place = entry_span(*order);
    }
    const YamlEntry* split = node.find("split");
    if (split != nullptr && !split->value.is_null()) {
      loops.split = names_.whole(split->value, "`split`", 0, diagnostics_);
    }
    if (const YamlEntry* groups = node.find("maximize_dims")) {
      Maximize maximize{i, spatial, groups, std::nullopt};
      if (const YamlEntry* capacity = node.find("maximize_dims_capacity")) {
        maximize.capacity =
            names_.whole(capacity->value, "`maximize_dims_capacity`", 1, diagnostics_);
      }
      maxima_.push_back(maximize);
    }
  }

  std::vector<DimId> all_dims() const {
    std::vector<DimId> dims;
    for (std::size_t d = 0; d < workload_.dims().size(); ++d) dims.emplace_back(d);
    return dims;
  }

  // As Timeloop does, an equality beyond the size of its dim has no effect.
  void add_factors(const std::vector<Factor>& factors, LoopDemands& loops) {
    for (const Factor& factor : factors) {
      const Dim& dim = workload_.dim(factor.dim);
      if (factor.value > dim.size && factor.relation != Factor::Relation::kAtMost) {
        diagnostics_
            .warning("T0013", fmt::format("a factor of {} is more than the size of `{}`, {}",
                                          factor.value, dim.name, dim.size))
            .labels.push_back({factor.place, "this has no effect, nor has it in Timeloop"});
        continue;
      }
      loops.factors.push_back(factor);
    }
  }

  static bool has_factor(const LoopDemands& loops, DimId dim) {
    return std::ranges::any_of(loops.factors,
                               [&](const Factor& factor) { return factor.dim == dim; });
  }

  // Factor 1 for those of `dims` about which nothing is said.
  static void fix_others(const std::vector<DimId>& dims, const Span& place, LoopDemands& loops) {
    for (const DimId dim : dims) {
      if (has_factor(loops, dim)) continue;
      loops.factors.push_back({dim, Factor::Relation::kEqual, 1, std::nullopt, place});
    }
  }

  void read_iteration(const YamlNode& node, const std::string& where, LoopDemands& loops) {
    for (const bool must : {false, true}) {
      const YamlEntry* entry =
          node.find(must ? "must_iterate_over_dataspaces" : "no_iteration_over_dataspaces");
      if (entry == nullptr || entry->value.is_null()) continue;
      const TensorSet set = set_of(read_data_spaces(
          entry->value, fmt::format("`{}` of {}", entry->key, where), tensors_, diagnostics_));
      std::vector<DimId> fixed;
      for (const DimId dim : all_dims()) {
        bool relevant = false;
        for (std::size_t t = 0; t < tensors_.size(); ++t) {
          const bool in = (set & only(TensorId(t))) != 0;
          relevant = relevant || (in && workload_.relevant(TensorId(t), dim));
        }
        if (relevant != must) fixed.push_back(dim);
      }
      fix_others(fixed, entry->key_span, loops);
    }
  }

  void read_defaults(const YamlNode& node, const std::string& where, LoopDemands& loops) {
    for (const bool most : {true, false}) {
      const YamlEntry* entry = node.find(most ? "default_max_factor" : "default_min_factor");
      if (entry == nullptr || entry->value.is_null()) continue;
      const auto value =
          names_.whole(entry->value, fmt::format("`{}` of {}", entry->key, where), 1, diagnostics_);
      if (!value) continue;
      for (const DimId dim : all_dims()) {
        if (has_factor(loops, dim) || (!most && *value > workload_.dim(dim).size)) continue;
        const auto relation = most ? Factor::Relation::kAtMost : Factor::Relation::kAtLeast;
        loops.factors.push_back({dim, relation, *value, std::nullopt, entry->key_span});
      }
    }
  }

  // Fan-outs from the innermost outwards, then memories in the same order.
  void work_out_maxima() {
    std::ranges::stable_sort(maxima_, [](const Maximize& a, const Maximize& b) {
      if (a.spatial != b.spatial) return a.spatial;
      return a.level > b.level;
    });
    left_.clear();
    for (const Dim& dim : workload_.dims()) left_.push_back(dim.size);
    for (const LevelDemands& level : demands_) {
      for (const LoopDemands* loops : {&level.temporal, &level.spatial}) {
        for (const Factor& factor : loops->factors) {
          if (factor.relation == Factor::Relation::kEqual) take(factor.dim, factor.value);
        }
      }
    }
    for (const Maximize& maximize : maxima_) work_out(maximize);
  }

  void take(DimId dim, std::int64_t factor) {
    left_[dim.pos()] = ceil_div(left_[dim.pos()], factor);
  }

  void work_out(const Maximize& maximize) {
    LevelDemands& level = demands_[maximize.level];
    LoopDemands& loops = maximize.spatial ? level.spatial : level.temporal;
    std::int64_t capacity = maximize.capacity.value_or(0);
    if (!maximize.capacity && maximize.spatial) {
      capacity = 1;
      for (const Axis& axis : hardware_.levels[maximize.level].axes) capacity *= axis.size;
    } else if (!maximize.capacity) {
      error_at(diagnostics_, "T0012", "`maximize_dims` over time needs `maximize_dims_capacity`",
               maximize.groups->key_span);
      return;
    }
    const YamlNode& list = maximize.groups->value;
    const bool nested = list.is_list() && std::ranges::any_of(list.items, &YamlNode::is_list);
    const std::vector<YamlNode> groups = nested ? list.items : std::vector<YamlNode>{list};
    for (const YamlNode& group : groups) {
      std::int64_t free = capacity;
      for (const Factor& factor : loops.factors) {
        if (factor.relation != Factor::Relation::kAtMost)
          free /= std::max<std::int64_t>(1, factor.value);
      }
      maximize_group(group, free, maximize.groups->key_span, loops);
    }
  }

  void maximize_group(const YamlNode& group, std::int64_t capacity, const Span& place,
                      LoopDemands& loops) {
    const Permutation named = read_permutation(group, "`maximize_dims`", workload_, diagnostics_);
    std::vector<std::int64_t> sizes;
    for (const DimId dim : named.inner) {
      if (has_factor(loops, dim)) {
        error_at(diagnostics_, "T0012",
                 fmt::format("`{}` cannot be maximized: it has a factor already",
                             workload_.dim(dim).name),
                 place);
        return;
      }
      sizes.push_back(left_[dim.pos()]);
    }
    const std::vector<std::int64_t> factors = maximize_factors(sizes, capacity);
    for (std::size_t i = 0; i < factors.size(); ++i) {
      const DimId dim = named.inner[i];
      loops.factors.push_back({dim, Factor::Relation::kEqual, factors[i], std::nullopt, place});
      take(dim, factors[i]);
    }
  }

  const Hardware& hardware_;
  const Workload& workload_;
  const Names& names_;
  Findings& findings_;
  Diagnostics& diagnostics_;
  std::vector<LevelDemands> demands_;
  std::vector<std::string> tensors_;
  std::vector<Maximize> maxima_;
  std::vector<std::int64_t> left_;  // by dim: what no equality has taken yet
};

}  // namespace

std::vector<LevelDemands> read_demands(const Document& document, const Hardware& hardware,
                                       const Problem& problem, const Names& names,
                                       Findings& findings) {
  return DemandReader(hardware, problem, names, findings).read(document);
}

}  // namespace tilewright::timeloop
