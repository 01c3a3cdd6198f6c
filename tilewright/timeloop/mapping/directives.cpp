// SPDX-License-Identifier: Apache-2.0
#include "tilewright/timeloop/mapping/directives.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "tilewright/base/text/nearest.h"
#include "tilewright/base/text/printable.h"
#include "tilewright/io/mapping/nest_builder.h"
#include "tilewright/timeloop/constraints/factors.h"
#include "tilewright/timeloop/constraints/names_list.h"
#include "tilewright/timeloop/document/reading.h"

namespace tilewright::timeloop {
namespace {

/// The loops of one level over time, or of its fan-out.
struct Loops {
  std::map<DimId, Factor> factors;
  Permutation order;
  std::optional<std::int64_t> split;
  Span place;
  bool given = false;
};

struct LevelLoops {
  Loops temporal;
  Loops spatial;
  TensorSet keep = 0;    // said to be kept
  TensorSet bypass = 0;  // said to be bypassed
  Span keep_place;
};

class DirectiveReader {
 public:
  DirectiveReader(const Section& section, const Hardware& hardware, const Problem& problem,
                  std::vector<DimId> dims, const Names& names, Findings& findings)
      : section_(section),
        hardware_(hardware),
        problem_(problem),
        workload_(problem.workload()),
        dims_(std::move(dims)),
        names_(names),
        findings_(findings),
        diagnostics_(findings.diagnostics),
        levels_(hardware.levels.size()) {
    for (const Tensor& tensor : workload_.tensors()) tensors_.push_back(tensor.name);
  }

  std::optional<Mapping> read(MappingSource& source) {
    const int before = diagnostics_.errors();
    if (!section_.node.is_list()) {
      error_at(diagnostics_, "F0012",
               "`mapping` is " + describe(section_.node) + ", not a list of directives",
               section_.place);
      return std::nullopt;
    }
    for (const YamlNode& directive : section_.node.items) read_directive(directive);
    for (std::size_t i = 0; i < levels_.size(); ++i) add_own_constraints(i);
    if (diagnostics_.errors() == before) check_cover();
    if (diagnostics_.errors() > before) return std::nullopt;
    return build(source);
  }

 private:
  void read_directive(const YamlNode& node) {
    const std::string target = text_of(node, "target");
    const std::string type = text_of(node, "type");
    if (target.empty() || type.empty()) {
      error_at(diagnostics_, "F0011", "a directive needs `target` and `type`", node.span);
      return;
    }
    const bool keeps = type == "datatype" || type == "bypass" || type == "dataspace";
    const bool spatial = type == "spatial";
    if (type == "skew") {
      findings_.not_modelled(fmt::format("`skew` of `{}`", target), node.span);
      return;
    }
    if (!keeps && !spatial && type != "temporal") {
      Diagnostic& found =
          error_at(diagnostics_, "T0012", in_backticks(type) + " is not a type of directive",
                   node.find("type")->value.span, "expected `temporal`, `spatial` or `datatype`");
      const std::vector<std::string> known{"temporal", "spatial", "datatype", "bypass",
                                           "dataspace"};
      if (const auto near = nearest(type, known))
        found.helps.push_back("did you mean `" + *near + "`?");
      return;
    }
    check_keys(node, keeps, spatial);
    const Level* level = spatial ? hardware_.find_spatial(target) : hardware_.find_temporal(target);
    if (level == nullptr) {
      report_target(node);
      return;
    }
    LevelLoops& loops = levels_[static_cast<std::size_t>(level - hardware_.levels.data())];
    if (keeps) {
      read_kept(node, target, loops);
    } else {
      read_loops(node, target, spatial ? loops.spatial : loops.temporal);
    }
  }

  void report_target(const YamlNode& node) {
    const YamlNode& target = node.find("target")->value;
    const std::vector<std::string> known = hardware_.targets();
    Diagnostic& found =
        error_at(diagnostics_, "T0010",
                 "the architecture has no level " + in_backticks(target.text), target.span);
    if (const auto near = nearest(target.text, known)) {
      found.helps.push_back("did you mean `" + *near + "`?");
    } else {
      found.notes.push_back("it has " + join_names(known, "and"));
    }
  }

  void check_keys(const YamlNode& node, bool keeps, bool spatial) {
    std::vector<std::string> known{"target", "type"};
    const std::vector<std::string> kept{"keep", "bypass", "keep_only", "bypass_only",
                                        "no_coalesce"};
    const std::vector<std::string> loops{"factors", "permutation", "no_reuse"};
    const std::vector<std::string>& more = keeps ? kept : loops;
    known.insert(known.end(), more.begin(), more.end());
    if (spatial) known.insert(known.end(), {"split", "no_link_transfer"});
    if (!spatial && !keeps) known.insert(known.end(), {"rmw_first_update", "no_temporal_reuse"});
    for (const YamlEntry& entry : node.entries) {
      if (std::ranges::find(known, entry.key) == known.end()) {
        report_unknown_key(entry, "such a directive", known, diagnostics_);
        continue;
      }
      const bool listed = entry.key == "no_coalesce" || entry.key == "no_reuse" ||
                          entry.key == "rmw_first_update" || entry.key == "no_temporal_reuse";
      if (listed && !entry.value.items.empty()) {
        findings_.not_modelled(fmt::format("`{}` of `{}`", entry.key, text_of(node, "target")),
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

  void read_kept(const YamlNode& node, const std::string& target, LevelLoops& loops) {
    const KeptSpaces spaces = read_kept_spaces(node, in_backticks(target), tensors_, diagnostics_);
    loops.keep |= set_of(spaces.keep);
    loops.bypass |= set_of(spaces.bypass);
    loops.keep_place = node.span;
  }

  void read_loops(const YamlNode& node, const std::string& target, Loops& loops) {
    const std::string where = "the mapping of " + in_backticks(target);
    if (loops.given) {
      error_at(diagnostics_, "F0009", "two directives say the same about " + in_backticks(target),
               node.span, "given again here")
          .labels.push_back({loops.place, "first given here"});
      return;
    }
    loops.given = true;
    loops.place = node.span;
    if (const YamlEntry* factors = node.find("factors")) {
      for (const Factor& factor : read_factors(factors->value, where, workload_, diagnostics_)) {
        if (factor.relation != Factor::Relation::kEqual) {
          error_at(diagnostics_, "T0012",
                   "a mapping has one factor for each dimension, not a range", factor.place);
        }
        loops.factors[factor.dim] = factor;
      }
    }
    if (const YamlEntry* order = node.find("permutation")) {
      loops.order = read_permutation(order->value, where, workload_, diagnostics_);
    }
    if (const YamlEntry* split = node.find("split")) {
      loops.split = names_.whole(split->value, "`split`", 0, diagnostics_);
    }
  }

  // A level's node in the architecture may fix what the mapping leaves open.
  void add_own_constraints(std::size_t i) {
    const Level& level = hardware_.levels[i];
    for (const auto& [node, loops] : {std::pair{level.temporal, &levels_[i].temporal},
                                      std::pair{level.spatial, &levels_[i].spatial}}) {
      if (node == nullptr) continue;
      const std::string where = "the constraints of " + in_backticks(level.name);
      for (const char* key : {"factors", "factors_only"}) {
        const YamlEntry* factors = node->find(key);
        if (factors == nullptr) continue;
        for (const Factor& factor : read_factors(factors->value, where, workload_, diagnostics_)) {
          if (factor.relation == Factor::Relation::kEqual)
            loops->factors.emplace(factor.dim, factor);
        }
      }
      const YamlEntry* order = node->find("permutation");
      if (order != nullptr && loops->order.inner.empty() && loops->order.outer.empty()) {
        loops->order = read_permutation(order->value, where, workload_, diagnostics_);
      }
      const YamlEntry* split = node->find("split");
      if (split != nullptr && !loops->split) {
        loops->split = names_.whole(split->value, "`split`", 0, diagnostics_);
      }
    }
  }

  // All loops over `dim`, outermost first.
  std::vector<const Factor*> loops_over(DimId dim) const {
    std::vector<const Factor*> result;
    for (const LevelLoops& level : levels_) {
      for (const Loops* loops : {&level.temporal, &level.spatial}) {
        const auto it = loops->factors.find(dim);
        if (it != loops->factors.end()) result.push_back(&it->second);
      }
    }
    return result;
  }

  // Factors and remainders together must give the size: a loop with factor P and remainder R makes
  // R steps when all loops outside it are at their last step, else P.
  void check_cover() {
    for (std::size_t d = 0; d < workload_.dims().size(); ++d) {
      const Dim& dim = workload_.dims()[d];
      const std::vector<const Factor*> loops = loops_over(DimId(d));
      std::int64_t covered = 0;
      bool fits = true;
      for (const Factor* loop : loops) {
        const std::int64_t rest = loop->remainder.value_or(loop->value);
        fits = fits && rest >= 1 && rest <= loop->value &&
               !__builtin_mul_overflow(covered, loop->value, &covered) &&
               !__builtin_add_overflow(covered, rest - 1, &covered);
      }
      if (fits && covered + 1 == dim.size) continue;
      report_cover(dim, loops, fits ? covered + 1 : -1);
    }
  }

  void report_cover(const Dim& dim, const std::vector<const Factor*>& loops, std::int64_t covered) {
    const std::string message =
        covered > 0
            ? fmt::format("the factors of `{}` cover {}, not its size {}", dim.name, covered,
                          dim.size)
            : fmt::format("the factors of `{}` do not give its size {}", dim.name, dim.size);
    const Span place = loops.empty() ? section_.place : loops.front()->place;
    Diagnostic& found = error_at(diagnostics_, "T0014", message, place);
    std::string product;
    for (const Factor* loop : loops) {
      product += fmt::format("{}{}", product.empty() ? "" : " * ", loop->value);
      if (loop->remainder) product += fmt::format(" (last time {})", *loop->remainder);
      if (loop != loops.front()) found.labels.push_back({loop->place, ""});
    }
    if (!product.empty()) found.notes.push_back("from the outermost level: " + product);
    suggest_remainders(dim, loops, found);
  }

  // The remainders that would make it right are the digits of size - 1 in the base of the factors.
  static void suggest_remainders(const Dim& dim, const std::vector<const Factor*>& loops,
                                 Diagnostic& found) {
    std::int64_t rest = dim.size - 1;
    std::vector<std::string> words;
    for (std::size_t i = loops.size(); i-- > 0;) {
      if (loops[i]->value < 1) return;
      const std::int64_t last = rest % loops[i]->value + 1;
      rest /= loops[i]->value;
      std::string word = fmt::format("`{}={}", dim.name, loops[i]->value);
      word += last == loops[i]->value ? "`" : fmt::format(",{}`", last);
      words.insert(words.begin(), word);
    }
    if (rest != 0 || words.empty()) return;
    found.helps.push_back("with remainders: " + fmt::format("{}", fmt::join(words, ", ")));
  }

  // Dims from the outermost loop inwards; those that no permutation names are outermost.
  std::vector<DimId> order_of(const Loops& loops) const {
    std::vector<DimId> inner_first = loops.order.inner;
    for (const DimId dim : dims_) {
      const bool named = std::ranges::find(inner_first, dim) != inner_first.end() ||
                         std::ranges::find(loops.order.outer, dim) != loops.order.outer.end();
      if (!named) inner_first.push_back(dim);
    }
    inner_first.insert(inner_first.end(), loops.order.outer.begin(), loops.order.outer.end());
    return {inner_first.rbegin(), inner_first.rend()};
  }

  LoopItem item_of(const Factor& factor) const {
    LoopItem item;
    item.dim = {workload_.dim(factor.dim).name, factor.place};
    item.factor = {std::to_string(factor.value), factor.place};
    item.span = factor.place;
    return item;
  }

  void add_keep(const Level& level, const LevelLoops& loops, NestBuilder& builder) const {
    const TensorSet may = problem_.memory(level.memory_node).may_keep;
    const TensorSet kept = (may & ~loops.bypass) | loops.keep;
    std::vector<Word> words;
    const Span place = loops.keep_place.file ? loops.keep_place : level.place;
    for (std::size_t t = 0; t < tensors_.size(); ++t) {
      if ((kept & only(TensorId(t))) != 0) words.push_back({tensors_[t], place});
    }
    if (words.empty()) return;
    builder.keep({problem_.arch().memory(level.memory_node).name, place}, words, place);
  }

  void add_spatial(const Level& level, const Loops& loops, NestBuilder& builder) {
    std::vector<LoopItem> items;
    const std::vector<DimId> order = order_of(loops);  // outermost first
    const auto count = static_cast<std::int64_t>(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto factor = loops.factors.find(order[i]);
      if (factor == loops.factors.end() || factor->second.value == 1) continue;
      if (level.axes.empty()) {
        error_at(diagnostics_, "T0014",
                 fmt::format("{} is spread out, but there is only one of what is inside `{}`",
                             in_backticks(workload_.dim(order[i]).name), level.name),
                 factor->second.place);
        continue;
      }
      // The first `split` of the permutation, which begins innermost, lie along X.
      const std::int64_t position = count - 1 - static_cast<std::int64_t>(i);
      const bool along_x = position < loops.split.value_or(count);
      const std::string axis = along_x ? "X" : "Y";
      LoopItem item = item_of(factor->second);
      const bool there = std::ranges::find(level.axes, axis, &Axis::name) != level.axes.end();
      if (!there && !loops.split) {
        item.axis = {level.axes.front().name, factor->second.place};
      } else if (!there) {
        error_at(diagnostics_, "T0014",
                 fmt::format("{} is spread along {}, but `{}` has only one column of it",
                             in_backticks(workload_.dim(order[i]).name), axis, level.fanout),
                 factor->second.place)
            .helps.push_back(fmt::format("`split: {}` puts all dimensions along {}",
                                         axis == "X" ? 0 : count, level.axes.front().name));
        continue;
      } else {
        item.axis = {axis, factor->second.place};
      }
      items.push_back(std::move(item));
    }
    if (items.empty()) return;
    builder.spatial_loops({problem_.arch().fanout(level.fanout_node).name, items.front().span},
                          items);
  }

  std::optional<Mapping> build(MappingSource& source) {
    const int before = diagnostics_.errors();
    NestBuilder builder(problem_, diagnostics_);
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      const Level& level = hardware_.levels[i];
      const LevelLoops& loops = levels_[i];
      if (level.is_memory()) add_keep(level, loops, builder);
      for (const DimId dim : order_of(loops.temporal)) {
        const auto factor = loops.temporal.factors.find(dim);
        if (factor == loops.temporal.factors.end() || factor->second.value == 1) continue;
        builder.temporal_loop(item_of(factor->second));
      }
      add_spatial(level, loops.spatial, builder);
    }
    if (diagnostics_.errors() > before) return std::nullopt;
    return builder.finish(section_.place, &source);
  }

  const Section& section_;
  const Hardware& hardware_;
  const Problem& problem_;
  const Workload& workload_;
  std::vector<DimId> dims_;  // in the order of the shape
  const Names& names_;
  Findings& findings_;
  Diagnostics& diagnostics_;
  std::vector<LevelLoops> levels_;
  std::vector<std::string> tensors_;
};

}  // namespace

std::optional<Mapping> read_mapping(const Section& section, const Hardware& hardware,
                                    const Problem& problem, std::vector<DimId> dims,
                                    const Names& names, Findings& findings, MappingSource& source) {
  return DirectiveReader(section, hardware, problem, std::move(dims), names, findings).read(source);
}

}  // namespace tilewright::timeloop
