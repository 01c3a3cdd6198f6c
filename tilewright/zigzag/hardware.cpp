// SPDX-License-Identifier: Apache-2.0
#include "tilewright/zigzag/hardware.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "tilewright/base/checked.h"
#include "tilewright/base/text/printable.h"
#include "tilewright/zigzag/fields.h"

namespace tilewright::zigzag {
namespace {

struct Ports {
  std::int64_t read = 0;  // bits per cycle
  std::int64_t write = 0;
  std::int64_t both = 0;
};

class HardwareReader {
 public:
  HardwareReader(Diagnostics& diagnostics, std::vector<std::string>& left_out)
      : diagnostics_(diagnostics), left_out_(left_out) {}

  std::optional<Arch> read(const YamlNode& root) {
    const int before = diagnostics_.errors();
    const Fields top(root, root.span, "the accelerator", diagnostics_);
    const std::string name = top.text("name");
    read_array(top);
    if (const YamlNode* memories = top.find("memories")) add_memories(*memories);
    if (diagnostics_.errors() > before) return std::nullopt;
    spread_out({});
    const std::vector<std::string> faults = find_arch_faults(nodes_, compute_);
    for (const std::string& fault : faults) {
      diagnostics_.error("Z0001", fault).labels.push_back({root.span, ""});
    }
    if (!faults.empty()) return std::nullopt;
    return Arch(name, "imported from a file of ZigZag's", std::nullopt, nodes_, compute_);
  }

 private:
  void read_array(const Fields& top) {
    const YamlNode* node = top.find("operational_array");
    if (node == nullptr) return;
    const Fields array(*node, node->span, "`operational_array`", diagnostics_);
    if (array.flag("is_imc")) {
      diagnostics_.error("Z0002", "computing in memory is not modelled")
          .labels.push_back({node->find("is_imc")->key_span, ""});
    }
    const std::vector<std::string> names = array.texts("dimensions");
    const std::vector<std::int64_t> sizes = array.counts("sizes");
    if (names.size() != sizes.size()) {
      array.wrong(node->span,
                  fmt::format("`operational_array` has {} dimensions and {} sizes", names.size(),
                              sizes.size()),
                  "");
    }
    for (std::size_t i = 0; i < std::min(names.size(), sizes.size()); ++i) {
      axes_.push_back({.name = names[i], .size = sizes[i]});
    }
    compute_.energy_pj = array.number("unit_energy", false);
    if (array.number("unit_area", false).value_or(0) > 0) note_areas();
  }

  // A memory of the file.
  struct Listed {
    const YamlEntry* entry = nullptr;
    Fields fields;
    std::vector<std::string> served;
    std::vector<std::string> operands;
  };

  void add_memories(const YamlNode& memories) {
    std::vector<Listed> listed;  // from the inside out, as in the file
    for (const YamlEntry& entry : memories.entries) {
      const Fields fields(entry.value, entry.key_span, "memory " + in_backticks(entry.key),
                          diagnostics_);
      listed.push_back({.entry = &entry,
                        .fields = fields,
                        .served = fields.texts("served_dimensions"),
                        .operands = fields.texts("operands")});
    }
    // Memories of different operands have no order of their own: those that serve more units lie
    // further out.
    std::vector<const Listed*> outermost_first;
    for (const Listed& one : listed) outermost_first.insert(outermost_first.begin(), &one);
    std::ranges::stable_sort(outermost_first, std::ranges::greater(),
                             [](const Listed* one) { return one->served.size(); });
    const Listed* outer = nullptr;
    for (const Listed* one : outermost_first) {
      if (!spread_out(one->served) || !in_order(*one, outermost_first)) {
        refuse_order(*one, outer);
        return;
      }
      add_memory(one->entry->key, one->fields, one->operands);
      outer = one;
    }
  }

  // Whether no memory of the same operand is listed further out and lies further in.
  static bool in_order(const Listed& one, const std::vector<const Listed*>& outermost_first) {
    const auto at = std::ranges::find(outermost_first, &one);
    return std::none_of(at, outermost_first.end(), [&](const Listed* inner) {
      return inner > &one && std::ranges::any_of(inner->operands, [&](const std::string& operand) {
               return std::ranges::find(one.operands, operand) != one.operands.end();
             });
    });
  }

  void refuse_order(const Listed& one, const Listed* outer) {
    Diagnostic& error = diagnostics_.error(
        "Z0002",
        fmt::format("{} and the others do not lie one inside the other", one.fields.what()));
    error.labels.push_back({one.entry->key_span, fmt::format("it serves the units along [{}]",
                                                             fmt::join(one.served, ", "))});
    if (outer != nullptr) {
      error.labels.push_back({outer->entry->key_span, fmt::format("this serves those along [{}]",
                                                                  fmt::join(outer->served, ", "))});
    }
    error.helps.emplace_back(
        "memories form a chain here: the dimensions that one serves must be among those that every "
        "memory outside it serves");
  }

  // A fan-out along the dimensions that are left and not among `served`. False if one of these is
  // not left.
  bool spread_out(const std::vector<std::string>& served) {
    const auto is_served = [&](const Axis& axis) {
      return std::ranges::find(served, axis.name) != served.end();
    };
    Fanout fanout;
    std::vector<Axis> left;
    for (const Axis& axis : axes_) (is_served(axis) ? left : fanout.axes).push_back(axis);
    if (left.size() != served.size()) return false;
    axes_ = std::move(left);
    if (fanout.axes.empty()) return true;
    fanout.name = "array";
    for (const Axis& axis : fanout.axes) fanout.name += "_" + axis.name;
    nodes_.emplace_back(std::move(fanout));
    return true;
  }

  void add_memory(const std::string& name, const Fields& fields,
                  const std::vector<std::string>& operands) {
    Memory memory;
    memory.name = name;
    memory.capacity_bits = fields.count("size");
    if (fields.flag("force_double_buffering")) memory.buffering = 2;
    const Ports ports = read_ports(fields);
    if (ports.read > 0) memory.read_bandwidth = Rational(ports.read + ports.both);
    if (ports.write > 0) memory.write_bandwidth = Rational(ports.write + ports.both);
    if (ports.both > 0) memory.shared_bandwidth = Rational(ports.read + ports.write + ports.both);
    add_energy(memory, fields, ports);
    memory.keep.all = false;
    for (const std::string& operand : operands) {
      if (operand == "I1") memory.keep.names.emplace_back("input");
      if (operand == "I2") memory.keep.names.emplace_back("weight");
      if (operand == "O") memory.keep.names.emplace_back("output");
    }
    if (fields.number("area", false).value_or(0) > 0) note_areas();
    nodes_.emplace_back(std::move(memory));
  }

  // ZigZag's costs are those of an access as wide as the ports.
  static void add_energy(Memory& memory, const Fields& fields, const Ports& ports) {
    const auto per_bit = [](std::optional<double> cost, std::int64_t bits) {
      return cost && bits > 0 ? std::optional(*cost / static_cast<double>(bits)) : std::nullopt;
    };
    memory.energy.read_pj = per_bit(fields.number("r_cost", false), ports.read + ports.both);
    memory.energy.fill_pj = per_bit(fields.number("w_cost", false), ports.write + ports.both);
    memory.energy.update_pj = memory.energy.fill_pj;
    if (!memory.energy.read_pj && !memory.energy.fill_pj) return;
    memory.energy.per_bit = true;
    memory.energy.source = "ZigZag's r_cost and w_cost, per bit of the ports";
  }

  Ports read_ports(const Fields& memory) {
    Ports ports;
    const YamlNode* list = memory.find("ports");
    if (list == nullptr) return ports;
    for (const YamlNode& node : list->items) {
      const Fields port(node, node.span, "a port of " + memory.what(), diagnostics_);
      const std::string type = port.text("type");
      const std::int64_t bits = port.count("bandwidth_max").value_or(0);
      if (type == "read") {
        ports.read += bits;
      } else if (type == "write") {
        ports.write += bits;
      } else if (type == "read_write") {
        ports.both += bits;
      } else if (!type.empty()) {
        port.wrong(node.find("type")->value.span,
                   fmt::format("{} has the type {}", port.what(), in_backticks(type)),
                   "expected `read`, `write` or `read_write`");
      }
    }
    return ports;
  }

  void note_areas() {
    const std::string text = "areas: ZigZag's have no unit";
    if (std::ranges::find(left_out_, text) == left_out_.end()) left_out_.push_back(text);
  }

  Diagnostics& diagnostics_;
  std::vector<std::string>& left_out_;
  std::vector<Axis> axes_;  // of the array, that no fan-out has yet
  std::vector<ArchNode> nodes_;
  Compute compute_;
};

}  // namespace

std::optional<Arch> read_hardware(const YamlNode& root, Diagnostics& diagnostics,
                                  std::vector<std::string>& left_out) {
  return HardwareReader(diagnostics, left_out).read(root);
}

}  // namespace tilewright::zigzag
