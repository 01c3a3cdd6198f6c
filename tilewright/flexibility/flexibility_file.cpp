// SPDX-License-Identifier: Apache-2.0
#include "tilewright/flexibility/flexibility_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tilewright/base/text/printable.h"
#include "tilewright/io/yaml/object_reader.h"
#include "tilewright/io/yaml/yaml_tree.h"

namespace tilewright {
namespace {

class FlexibilityReader {
 public:
  FlexibilityReader(const YamlNode& node, Diagnostics& diagnostics)
      : diagnostics_(diagnostics),
        reader_(node, ObjectId::kFlexibility, "`flexibility`", diagnostics) {}

  Flexibility read() {
    Flexibility result;
    if (!reader_.is_map()) return result;
    if (const YamlEntry* dims = reader_.take("dims")) {
      result.dims = names(dims->value, reader_.where("dims"));
    }
    read_gemm(result);
    result.buffer = reader_.take_text("buffer").value_or("");
    result.array = reader_.take_text("array").value_or("");
    for (const FlexAxis axis : kAllFlexAxes) result.supports[axis] = degree(axis);
    read_loops(result);
    read_partition(result);
    result.orders = lists("orders");
    result.parallelisms = lists("parallelisms");
    read_block(result);
    read_area(result);
    reader_.finish();
    return result;
  }

 private:
  Degree degree(FlexAxis axis) {
    const std::string key(flex_axis_name(axis));
    const YamlEntry* entry = reader_.take(key);
    if (entry == nullptr) return Degree::kFixed;
    const auto text =
        scalar_text(entry->value, reader_.where(key), "`fixed`, `partial` or `full`", diagnostics_);
    if (!text) return Degree::kFixed;
    if (const auto degree = degree_by_name(*text)) return *degree;
    Diagnostic& error = diagnostics_.error(
        "F0012", fmt::format("{} is {}, not a degree", reader_.where(key), in_backticks(*text)));
    error.labels.push_back({entry->value.span, "expected `fixed`, `partial` or `full`"});
    return Degree::kFixed;
  }

  std::vector<std::string> names(const YamlNode& node, const std::string& where) {
    std::vector<std::string> result;
    if (!demand(node, node.is_list() && !node.items.empty(), where, "a list of dims"))
      return result;
    for (const YamlNode& item : node.items) {
      if (auto text = scalar_text(item, "an entry of " + where, "a dim", diagnostics_)) {
        result.push_back(std::move(*text));
      }
    }
    return result;
  }

  std::vector<std::vector<std::string>> lists(const char* key) {
    std::vector<std::vector<std::string>> result;
    const YamlEntry* entry = reader_.take(key);
    if (entry == nullptr) return result;
    const std::string where = reader_.where(key);
    const bool right = entry->value.is_list() && !entry->value.items.empty();
    if (!demand(entry->value, right, where, "a list of lists of dims")) return result;
    for (const YamlNode& item : entry->value.items) {
      result.push_back(names(item, "a list of " + where));
    }
    return result;
  }

  void read_gemm(Flexibility& result) {
    const YamlEntry* entry = reader_.take("gemm");
    if (entry == nullptr) return;
    const std::string where = reader_.where("gemm");
    if (!demand(entry->value, entry->value.is_map(), where, "a map of dims to dims")) return;
    for (const YamlEntry& item : entry->value.entries) {
      if (auto to = scalar_text(item.value, "an entry of " + where, "a dim", diagnostics_)) {
        result.gemm.push_back({item.key, std::move(*to)});
      }
    }
  }

  void read_loops(Flexibility& result) {
    const YamlEntry* entry = reader_.take("loops");
    if (entry == nullptr) return;
    const std::string where = reader_.where("loops");
    if (!demand(entry->value, entry->value.is_map(), where, "a map of memories")) return;
    for (const YamlEntry& memory : entry->value.entries) {
      const std::string inside = fmt::format("{} of {}", in_backticks(memory.key), where);
      if (!demand(memory.value, memory.value.is_map(), inside, "a map of dims to factors"))
        continue;
      for (const YamlEntry& dim : memory.value.entries) {
        const auto size =
            read_count(dim.value, in_backticks(dim.key) + " of " + inside, 1, diagnostics_);
        if (size) result.loops.push_back({memory.key, dim.key, *size});
      }
    }
  }

  void read_partition(Flexibility& result) {
    const YamlEntry* entry = reader_.take("partition");
    if (entry == nullptr) return;
    const std::string where = reader_.where("partition");
    if (!demand(entry->value, entry->value.is_map(), where, "a map of tensors to shares")) return;
    for (const YamlEntry& item : entry->value.entries) {
      const auto share =
          read_count(item.value, in_backticks(item.key) + " of " + where, 1, diagnostics_);
      if (share) result.partition.push_back({item.key, *share});
    }
  }

  void read_block(Flexibility& result) {
    const YamlEntry* entry = reader_.take("block");
    if (entry == nullptr) return;
    const std::string where = reader_.where("block");
    if (entry->value.is_scalar()) {
      const auto size = read_count(entry->value, where, 1, diagnostics_);
      if (size) result.block = {*size, *size};
      return;
    }
    const bool right = entry->value.is_list() && entry->value.items.size() == 2;
    if (!demand(entry->value, right, where, "a size, or a list of two")) return;
    for (const YamlNode& item : entry->value.items) {
      const auto size = read_count(item, "a size in " + where, 1, diagnostics_);
      if (size) result.block.push_back(*size);
    }
  }

  void read_area(Flexibility& result) {
    const YamlEntry* entry = reader_.take("area");
    if (entry == nullptr) return;
    ObjectReader area(entry->value, ObjectId::kFlexibilityArea, reader_.where("area"),
                      diagnostics_);
    if (!area.is_map()) return;
    FlexCosts costs;
    costs.base_um2 = area.take_figure("base", Quantity::kArea).value_or(0);
    for (const FlexAxis axis : kAllFlexAxes) {
      costs.full_um2[static_cast<std::size_t>(axis)] =
          area.take_figure(flex_axis_name(axis), Quantity::kArea).value_or(0);
    }
    if (const auto share = area.take_share("partial")) costs.partial_share = to_double(*share);
    area.finish();
    result.costs = costs;
  }

  bool demand(const YamlNode& node, bool right, const std::string& where, const char* wanted) {
    return demand_form(node, right, where, wanted, diagnostics_);
  }

  Diagnostics& diagnostics_;
  ObjectReader reader_;
};

std::string list_text(const std::vector<std::string>& names) {
  return fmt::format("[{}]", fmt::join(names, ", "));
}

std::string lists_text(const std::vector<std::vector<std::string>>& lists) {
  std::vector<std::string> texts;
  for (const std::vector<std::string>& list : lists) texts.push_back(list_text(list));
  return list_text(texts);
}

std::string area_text(const FlexCosts& costs) {
  std::string text = fmt::format("{{base: {} um2", costs.base_um2);
  for (const FlexAxis axis : kAllFlexAxes) {
    text += fmt::format(", {}: {} um2", flex_axis_name(axis),
                        costs.full_um2[static_cast<std::size_t>(axis)]);
  }
  return text + fmt::format(", partial: {}}}", costs.partial_share);
}

std::string loops_text(const Flexibility& flexibility) {
  std::vector<std::string> memories;
  for (const FixedLoop& loop : flexibility.loops) {
    if (std::ranges::find(memories, loop.memory) == memories.end()) memories.push_back(loop.memory);
  }
  std::vector<std::string> texts;
  for (const std::string& memory : memories) {
    std::vector<std::string> loops;
    for (const FixedLoop& loop : flexibility.loops) {
      if (loop.memory == memory) loops.push_back(fmt::format("{}: {}", loop.dim, loop.factor));
    }
    texts.push_back(fmt::format("{}: {{{}}}", memory, fmt::join(loops, ", ")));
  }
  return fmt::format("{{{}}}", fmt::join(texts, ", "));
}

}  // namespace

std::string write_flexibility(const Flexibility& flexibility) {
  std::string text = "flexibility:\n";
  const auto line = [&](std::string_view key, const std::string& value) {
    text += fmt::format("  {}: {}\n", key, value);
  };
  line("dims", list_text(flexibility.dims));
  if (!flexibility.gemm.empty()) {
    std::vector<std::string> names;
    for (const Renaming& one : flexibility.gemm) {
      names.push_back(fmt::format("{}: {}", one.from, one.to));
    }
    line("gemm", fmt::format("{{{}}}", fmt::join(names, ", ")));
  }
  line("buffer", flexibility.buffer);
  line("array", flexibility.array);
  for (const FlexAxis axis : kAllFlexAxes) {
    line(flex_axis_name(axis), std::string(degree_name(flexibility.supports[axis])));
  }
  if (!flexibility.loops.empty()) line("loops", loops_text(flexibility));
  if (!flexibility.partition.empty()) {
    std::vector<std::string> parts;
    for (const PerTensor& part : flexibility.partition) {
      parts.push_back(fmt::format("{}: {}", part.tensor, part.value));
    }
    line("partition", fmt::format("{{{}}}", fmt::join(parts, ", ")));
  }
  line("orders", lists_text(flexibility.orders));
  line("parallelisms", lists_text(flexibility.parallelisms));
  if (!flexibility.block.empty()) {
    line("block", fmt::format("[{}]", fmt::join(flexibility.block, ", ")));
  }
  if (flexibility.costs) line("area", area_text(*flexibility.costs));
  return text;
}

std::optional<Flexibility> read_flexibility_file(const std::shared_ptr<const SourceFile>& file,
                                                 const Arch& arch, Diagnostics& diagnostics) {
  const int before = diagnostics.errors();
  const std::optional<YamlNode> root = parse_yaml(file, diagnostics);
  if (!root) return std::nullopt;
  const YamlEntry* section = root->is_map() ? root->find("flexibility") : nullptr;
  if (section == nullptr) {
    Diagnostic& error =
        diagnostics.error("F0011", in_backticks(file->name) + " has no section `flexibility`");
    error.labels.push_back({Span{file, 0, 0, 1}, ""});
    error.helps.emplace_back("`tilewright doc flexibility` lists what belongs in it");
    return std::nullopt;
  }
  Flexibility result = FlexibilityReader(section->value, diagnostics).read();
  if (diagnostics.errors() > before) return std::nullopt;
  for (std::string& fault : find_flexibility_faults(result, arch)) {
    diagnostics.error("X0001", std::move(fault)).labels.push_back({section->key_span, ""});
  }
  if (diagnostics.errors() > before) return std::nullopt;
  return result;
}

}  // namespace tilewright
