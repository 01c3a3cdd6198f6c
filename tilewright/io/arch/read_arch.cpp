// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "tilewright/base/text/nearest.h"
#include "tilewright/base/text/printable.h"
#include "tilewright/io/sections.h"

namespace tilewright {
namespace {

/// Reads the nodes; what they share is the clock and the list of tensors that they name.
class NodeReader {
 public:
  NodeReader(std::optional<Rational> clock, std::vector<PlacedName>& tensors,
             Diagnostics& diagnostics)
      : clock_(clock), tensors_(tensors), diagnostics_(diagnostics) {}

  Memory read_memory(const YamlNode& node) {
    Memory memory;
    ObjectReader reader(node, ObjectId::kMemory, title(node, "memory"), diagnostics_);
    if (auto name = reader.take_name("memory")) memory.name = std::move(name->name);
    UnitContext context{std::nullopt, clock_};
    context.word_bits = reader.take_size("word", {}, 1);
    // A wrong `word` is reported once; what is counted in it gets a stand-in.
    if (reader.has("word") && !context.word_bits) context.word_bits = 1;
    memory.width_bits = reader.take_size("width", context, 1);
    memory.capacity_bits = reader.take_size("capacity", context, 0);
    memory.buffering = reader.take_count("buffering").value_or(1);
    read_partitions(reader, context, memory.partitions);
    read_widths(reader, memory.bits);
    memory.shared_bandwidth = reader.take_bandwidth("bandwidth", context);
    memory.read_bandwidth = reader.take_bandwidth("read_bandwidth", context);
    memory.write_bandwidth = reader.take_bandwidth("write_bandwidth", context);
    if (const YamlEntry* energy = reader.take("energy")) {
      memory.energy = read_energy(energy->value, reader.where("energy"), context);
    }
    if (const YamlEntry* keep = reader.take("keep")) {
      memory.keep = read_selection(keep->value, reader.where("keep"));
    }
    if (const YamlEntry* sliding = reader.take("sliding")) {
      memory.sliding = read_sliding(sliding->value, reader.where("sliding"));
    }
    memory.off_chip = reader.take_flag("off_chip");
    memory.leakage_pj_per_cycle = reader.take_figure("leakage", Quantity::kLeakage).value_or(0);
    memory.area_um2 = reader.take_figure("area", Quantity::kArea).value_or(0);
    reader.finish();
    return memory;
  }

  Fanout read_fanout(const YamlNode& node) {
    Fanout fanout;
    ObjectReader reader(node, ObjectId::kFanout, title(node, "fanout"), diagnostics_);
    if (auto name = reader.take_name("fanout")) fanout.name = std::move(name->name);
    if (const YamlEntry* axes = reader.take("axes")) {
      read_axes(axes->value, reader.where("axes"), fanout);
    }
    if (const auto multicast = reader.take_text("multicast")) {
      fanout.multicast = read_multicast(node.find("multicast")->value, *multicast);
    }
    fanout.reduction = reader.take_flag("reduction").value_or(true);
    reader.finish();
    return fanout;
  }

  Compute read_compute(const YamlNode& node) {
    Compute compute;
    ObjectReader reader(node, ObjectId::kCompute, title(node, "compute"), diagnostics_);
    if (auto name = reader.take_name("compute")) compute.name = std::move(name->name);
    const YamlEntry* energy = node.find("energy");
    if (energy != nullptr && energy->value.is_map()) {
      reader.take("energy");
      ObjectReader inner(energy->value, ObjectId::kComputeEnergy, reader.where("energy"),
                         diagnostics_);
      compute.energy_pj = inner.take_figure("compute", Quantity::kEnergy);
      compute.source = inner.take_text("source").value_or("");
      inner.finish();
    } else {
      compute.energy_pj = reader.take_figure("energy", Quantity::kEnergy);
    }
    compute.leakage_pj_per_cycle = reader.take_figure("leakage", Quantity::kLeakage).value_or(0);
    compute.area_um2 = reader.take_figure("area", Quantity::kArea).value_or(0);
    reader.finish();
    return compute;
  }

 private:
  // "memory `GLB`" if the node has a name that can be shown.
  static std::string title(const YamlNode& node, const char* kind) {
    const std::string word = std::string_view(kind) == "fanout"    ? "fan-out"
                             : std::string_view(kind) == "compute" ? "compute unit"
                                                                   : kind;
    const YamlEntry* entry = node.find(kind);
    if (entry == nullptr || !entry->value.is_scalar()) return "a " + word;
    return word + " " + in_backticks(entry->value.text);
  }

  bool is_map(const YamlNode& node, const std::string& where, const std::string& example) {
    if (node.is_map()) return true;
    const std::string message = node.is_null()
                                    ? where + " has no value"
                                    : fmt::format("{} is {}, not a map", where, describe(node));
    diagnostics_.error("F0012", message)
        .labels.push_back({node.span, fmt::format("expected `{}`", example)});
    return false;
  }

  void add_tensor(const std::string& name, const Span& span) { tensors_.push_back({name, span}); }

  void read_partitions(ObjectReader& reader, const UnitContext& context,
                       std::vector<PerTensor>& partitions) {
    const YamlEntry* partition = reader.take("partition");
    if (partition == nullptr) return;
    const std::string where = reader.where("partition");
    if (!is_map(partition->value, where, "{input: 64 KiB}")) return;
    for (const YamlEntry& entry : partition->value.entries) {
      add_tensor(entry.key, entry.key_span);
      const std::string what = in_backticks(entry.key) + " in " + where;
      const auto bits = read_bits(entry.value, Quantity::kSize, context, what, 0, diagnostics_);
      if (bits) partitions.push_back({entry.key, *bits});
    }
    std::ranges::sort(partitions, {}, &PerTensor::tensor);
  }

  void read_widths(ObjectReader& reader, std::vector<ElementWidth>& list) {
    const YamlEntry* bits = reader.take("bits");
    if (bits == nullptr) return;
    const std::string where = reader.where("bits");
    if (!bits->value.is_map()) {
      const auto value = read_element_width(bits->value, where, diagnostics_);
      if (!value) return;
      for (const char* role : {"input", "output", "weight"}) list.push_back({role, *value});
      return;
    }
    for (const YamlEntry& entry : bits->value.entries) {
      add_tensor(entry.key, entry.key_span);
      const bool may_sum = entry.key != "input" && entry.key != "weight";
      const auto value = read_element_bits(entry.value, in_backticks(entry.key) + " in " + where,
                                           may_sum, diagnostics_);
      if (value) list.push_back({entry.key, value->bits, value->partial_bits});
    }
    std::ranges::sort(list, {}, &ElementWidth::tensor);
  }

  ActionEnergy read_energy(const YamlNode& node, const std::string& where,
                           const UnitContext& context) {
    ActionEnergy energy;
    // One figure for both is what people write first.
    constexpr std::size_t kShort = 20;
    const bool is_one = node.is_scalar() && !node.text.empty() && node.text.size() <= kShort;
    const std::string example = is_one ? fmt::format("{{read: {0}, write: {0}}}", node.text)
                                       : "{read: 18.2 pJ, write: 14.1 pJ}";
    if (!is_map(node, where, example)) return energy;
    ObjectReader reader(node, ObjectId::kMemoryEnergy, where, diagnostics_);
    std::optional<PlacedFigure> first;
    const auto take = [&](const char* key) { return take_energy(reader, key, context, first); };
    energy.read_pj = take("read");
    const auto write = take("write");
    energy.fill_pj = take("fill");
    energy.update_pj = take("update");
    energy.per_bit = first && first->per_bit;
    energy.source = reader.take_text("source").value_or("");
    reader.finish();
    for (const char* key : {"fill", "update"}) {
      if (!reader.has("write") || !reader.has(key)) continue;
      Diagnostic& error = diagnostics_.error(
          "F0015", fmt::format("`write` and `{}` cannot be given together", key));
      error.labels.push_back({node.find(key)->key_span, ""});
      error.labels.push_back({node.find("write")->key_span, "this means fill and update"});
      error.helps.push_back("give `write`, or `fill` and `update`");
    }
    if (write) energy.fill_pj = energy.update_pj = write;
    return energy;
  }

  // An energy, where it stands, and what it is for.
  struct PlacedFigure {
    std::string key;
    Span span;
    bool per_bit = false;
  };

  // All energies of a memory are of an access, or all are of a bit: as the `first` one is.
  std::optional<double> take_energy(ObjectReader& reader, const char* key,
                                    const UnitContext& context,
                                    std::optional<PlacedFigure>& first) {
    const std::optional<AccessEnergy> energy = reader.take_access_energy(key, context);
    if (!energy) return std::nullopt;
    const Span span = reader.span_of(key);
    if (!first) first = PlacedFigure{key, span, energy->per_bit};
    if (energy->per_bit == first->per_bit) return energy->pj;
    const auto of = [](bool per_bit) { return per_bit ? "each bit" : "an access"; };
    Diagnostic& error = diagnostics_.error(
        "F0023", fmt::format("`{}` is the energy of {}, but `{}` is that of {}", key,
                             of(energy->per_bit), first->key, of(first->per_bit)));
    error.labels.push_back({span, "the wrong kind of unit"});
    error.labels.push_back({first->span, ""});
    error.helps.push_back("give all energies of a memory per access, or all per bit or word");
    return std::nullopt;
  }

  Selection read_selection(const YamlNode& node, const std::string& where) {
    Selection selection{false, {}};
    if (!node.is_list()) {
      const std::string message = node.is_null()
                                      ? where + " has no value"
                                      : fmt::format("{} is {}, not a list", where, describe(node));
      Diagnostic& error = diagnostics_.error("F0012", message);
      error.labels.push_back({node.span, "expected a list of tensors or roles"});
      if (node.is_scalar() && is_name(node.text)) {
        error.helps.push_back(fmt::format("write `[{}]`", node.text));
      }
      return selection;
    }
    for (const YamlNode& item : node.items) {
      const auto name = scalar_text(item, "a tensor in " + where, "a name", diagnostics_);
      if (!name) continue;
      if (std::ranges::find(selection.names, *name) != selection.names.end()) {
        diagnostics_
            .error("F0009", fmt::format("{} occurs twice in {}", in_backticks(*name), where))
            .labels.push_back({item.span, "given again here"});
        continue;
      }
      add_tensor(*name, item.span);
      selection.names.push_back(*name);
    }
    return selection;
  }

  Selection read_sliding(const YamlNode& node, const std::string& where) {
    if (node.is_list()) return read_selection(node, where);
    const auto text = scalar_text(node, where, "`true`, `false` or a list", diagnostics_);
    if (!text) return {};
    const std::optional<bool> flag = parse_flag(*text);
    if (flag) return Selection{*flag, {}};
    diagnostics_
        .error("F0012",
               fmt::format("{} is {}, not `true`, `false` or a list", where, describe(node)))
        .labels.push_back({node.span, "expected `true`, `false` or a list of tensors"});
    return {};
  }

  void read_axes(const YamlNode& node, const std::string& where, Fanout& fanout) {
    if (!is_map(node, where, "{X: 14, Y: 12}")) return;
    for (const YamlEntry& entry : node.entries) {
      if (!is_name(entry.key)) {
        diagnostics_.error("F0014", in_backticks(entry.key) + " cannot be the name of an axis")
            .labels.push_back({entry.key_span, "not a name"});
        continue;
      }
      const std::string what = fmt::format("axis `{}` in {}", entry.key, where);
      if (const auto size = read_count(entry.value, what, 1, diagnostics_)) {
        fanout.axes.push_back({entry.key, *size});
      }
    }
    std::ranges::sort(fanout.axes, {}, &Axis::name);
    if (node.entries.size() <= Arch::kMaxAxes) return;
    diagnostics_
        .error("A0008", fmt::format("{} has {} entries; at most {} are allowed", where,
                                    node.entries.size(), Arch::kMaxAxes))
        .labels.push_back({node.span, "too many axes"});
  }

  Multicast read_multicast(const YamlNode& node, const std::string& text) {
    const std::vector<std::string> words{"none", "equal", "overlap"};
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i] == text) return static_cast<Multicast>(i);
    }
    Diagnostic& error = diagnostics_.error(
        "F0012", fmt::format("{} is not a kind of multicast", in_backticks(text)));
    error.labels.push_back({node.span, "expected " + join_names(words, "or")});
    if (const auto near = nearest(text, words)) {
      error.helps.push_back("did you mean `" + *near + "`?");
    }
    return Multicast::kEqual;
  }

  std::optional<Rational> clock_;
  std::vector<PlacedName>& tensors_;
  Diagnostics& diagnostics_;
};

class ArchReader {
 public:
  ArchReader(const YamlNode& node, Diagnostics& diagnostics, std::vector<PlacedName>& tensors)
      : node_(node), diagnostics_(diagnostics), tensors_(tensors) {}

  std::optional<Arch> read(ArchSource* source) {
    const int before = diagnostics_.errors();
    ObjectReader reader(node_, ObjectId::kArch, "the architecture", diagnostics_);
    if (!reader.is_map()) return std::nullopt;
    std::string name = reader.take_text("name").value_or("");
    std::string note = reader.take_text("note").value_or("");
    std::optional<Rational> clock = reader.take_clock("clock");
    const YamlEntry* nodes = reader.take("nodes");
    reader.finish();
    if (nodes != nullptr) {
      // A wrong clock is reported once; bandwidths per second get a stand-in.
      const bool stand_in = reader.has("clock") && !clock;
      read_nodes(nodes->value, stand_in ? Rational{1, 1} : clock);
    }
    if (diagnostics_.errors() > before) return std::nullopt;
    const std::vector<std::string> faults = find_arch_faults(nodes_, compute_);
    for (const std::string& fault : faults) {
      diagnostics_.error("A0005", fault).labels.push_back({nodes->key_span, ""});
    }
    if (!faults.empty()) return std::nullopt;
    if (source != nullptr) *source = find_places(nodes->value.items);
    return Arch(std::move(name), std::move(note), clock, std::move(nodes_), std::move(compute_));
  }

 private:
  // Only after reading without an error: items and nodes then agree.
  ArchSource find_places(const std::vector<YamlNode>& items) const {
    ArchSource source;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const YamlNode& item = items[i];
      ArchSource::Node& places = source.nodes.emplace_back();
      places.name = kind_of(item)->value.span;
      if (const YamlEntry* capacity = item.find("capacity")) {
        places.capacity = entry_span(*capacity);
      }
      if (const YamlEntry* keep = item.find("keep")) places.keep = entry_span(*keep);
      if (const auto* memory = std::get_if<Memory>(&nodes_[i])) {
        for (const PerTensor& part : memory->partitions) {
          places.partitions.push_back(entry_span(*item.find("partition")->value.find(part.tensor)));
        }
      } else {
        for (const Axis& axis : std::get<Fanout>(nodes_[i]).axes) {
          places.axes.push_back(entry_span(*item.find("axes")->value.find(axis.name)));
        }
      }
    }
    return source;
  }

  void read_nodes(const YamlNode& node, std::optional<Rational> clock) {
    if (!node.is_list() || node.items.empty()) {
      Diagnostic& error = diagnostics_.error("A0001", "the architecture has no nodes");
      error.labels.push_back({node.span, "expected a list of memories and fan-outs"});
      error.helps.push_back("for example `nodes: [{memory: DRAM}, {compute: mac}]`");
      return;
    }
    NodeReader reader(clock, tensors_, diagnostics_);
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      read_node(node.items[i], i + 1 == node.items.size(), reader);
    }
    if (!misplaced_compute_) {
      check_outermost(node.items.front());
      check_innermost(node.items.back());
    }
    check_names(node.items);
  }

  // "memory", "fanout" or "compute"; null if it is none, or more than one.
  static const YamlEntry* kind_of(const YamlNode& node) {
    for (const char* kind : {"memory", "fanout", "compute"}) {
      if (const YamlEntry* entry = node.find(kind)) return entry;
    }
    return nullptr;
  }

  void read_node(const YamlNode& node, bool last, NodeReader& reader) {
    const YamlEntry* kind = kind_of(node);
    if (kind == nullptr) {
      report_kind(node);
    } else if (kind->key == "memory") {
      nodes_.emplace_back(reader.read_memory(node));
    } else if (kind->key == "fanout") {
      nodes_.emplace_back(reader.read_fanout(node));
    } else {
      compute_ = reader.read_compute(node);
      if (last) return;
      misplaced_compute_ = true;
      Diagnostic& error = diagnostics_.error(
          "A0004", "compute unit " + in_backticks(compute_.name) + " is not the last node");
      error.labels.push_back({kind->value.span, "nodes follow it"});
      error.helps.push_back("nodes are listed outermost first; move it to the end");
    }
  }

  void report_kind(const YamlNode& node) {
    const std::vector<std::string> kinds{"memory", "fanout", "compute"};
    Diagnostic& error =
        diagnostics_.error("A0002", "a node is a memory, a fan-out or the compute unit");
    if (!node.is_map() || node.entries.empty()) {
      error.labels.push_back({node.span, "this is " + describe(node)});
      error.helps.push_back("write `- memory: NAME`, `- fanout: NAME` or `- compute: NAME`");
      return;
    }
    for (const YamlEntry& entry : node.entries) {
      const auto near = nearest(entry.key, kinds);
      if (!near || is_key_of_some_node(entry.key)) continue;
      error.message = fmt::format("unknown kind of node {}", in_backticks(entry.key));
      error.labels.push_back({entry.key_span, "not `memory`, `fanout` or `compute`"});
      error.helps.push_back("did you mean `" + *near + "`?");
      return;
    }
    error.labels.push_back({node.entries.front().key_span, "this node does not say which it is"});
    error.helps.push_back("write `- memory: NAME`, `- fanout: NAME` or `- compute: NAME`");
  }

  static bool is_key_of_some_node(const std::string& key) {
    for (const ObjectId id : {ObjectId::kMemory, ObjectId::kFanout, ObjectId::kCompute}) {
      const std::vector<std::string> keys = keys_of(id);
      if (std::ranges::find(keys, key) != keys.end()) return true;
    }
    return false;
  }

  void check_outermost(const YamlNode& node) {
    const YamlEntry* kind = kind_of(node);
    if (kind == nullptr || kind->key == "memory") return;
    Diagnostic& error = diagnostics_.error("A0007", "the outermost node is not a memory");
    error.labels.push_back({kind->value.span, "no memory outside this node can hold the tensors"});
    error.helps.push_back("add a memory as the first node\n+ - memory: DRAM");
  }

  void check_innermost(const YamlNode& node) {
    const YamlEntry* kind = kind_of(node);
    if (kind == nullptr || kind->key == "compute") return;
    const char* what = kind->key == "memory" ? "a memory" : "a fan-out";
    Diagnostic& error = diagnostics_.error("A0003", "the architecture has no compute unit");
    error.labels.push_back(
        {kind->value.span, fmt::format("this is the innermost node, and it is {}", what)});
    error.helps.push_back("add a compute unit as the last node\n+ - compute: mac");
  }

  void check_names(const std::vector<YamlNode>& nodes) {
    std::map<std::string_view, Span> seen;
    for (const YamlNode& node : nodes) {
      const YamlEntry* kind = kind_of(node);
      if (kind == nullptr || !kind->value.is_scalar()) continue;
      const auto [first, is_new] = seen.emplace(kind->value.text, kind->value.span);
      if (is_new) continue;
      Diagnostic& error =
          diagnostics_.error("A0006", "two nodes are called " + in_backticks(kind->value.text));
      error.labels.push_back({kind->value.span, "the second one"});
      error.labels.push_back({first->second, "the first one"});
    }
  }

  const YamlNode& node_;
  Diagnostics& diagnostics_;
  std::vector<PlacedName>& tensors_;
  std::vector<ArchNode> nodes_;
  Compute compute_;
  bool misplaced_compute_ = false;
};

}  // namespace

std::optional<Arch> read_arch_node(const YamlNode& node, Diagnostics& diagnostics,
                                   std::vector<PlacedName>& tensors, ArchSource* source) {
  return ArchReader(node, diagnostics, tensors).read(source);
}

}  // namespace tilewright
