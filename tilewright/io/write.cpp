// SPDX-License-Identifier: Apache-2.0
#include "tilewright/io/write.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "tilewright/io/yaml/units.h"
#include "tilewright/io/yaml/yaml_scalar.h"

namespace tilewright {
namespace {

/// Collects the lines of one map; the first one of a list item carries the dash.
class Lines {
 public:
  explicit Lines(std::string first, std::string others)
      : indent_(std::move(first)), others_(std::move(others)) {}

  void add(std::string_view name, std::string_view value) {
    text_ += fmt::format("{}{}: {}\n", indent_, name, value);
    indent_ = others_;
  }

  const std::string& text() const { return text_; }

 private:
  std::string indent_;
  std::string others_;
  std::string text_;
};

std::string join(const std::vector<std::string>& parts, char open, char close) {
  return fmt::format("{}{}{}", open, fmt::join(parts, ", "), close);
}

std::string per_tensor(const std::vector<PerTensor>& list) {
  std::vector<std::string> parts;
  for (const PerTensor& item : list) {
    parts.push_back(fmt::format("{}: {}", yaml_scalar(item.tensor), write_bits(item.value)));
  }
  return join(parts, '{', '}');
}

std::string widths(const std::vector<ElementWidth>& list) {
  std::vector<std::string> parts;
  for (const ElementWidth& item : list) {
    const std::string bits = write_bits(item.bits);
    parts.push_back(fmt::format("{}: {}", yaml_scalar(item.tensor),
                                item.partial_bits ? fmt::format("{{final: {}, partial: {}}}", bits,
                                                                write_bits(*item.partial_bits))
                                                  : bits));
  }
  return join(parts, '{', '}');
}

std::string selection(const Selection& selected) {
  std::vector<std::string> parts;
  for (const std::string& name : selected.names) parts.push_back(yaml_scalar(name));
  return join(parts, '[', ']');
}

std::string energy(const ActionEnergy& action) {
  std::vector<std::string> parts;
  const auto add = [&](const char* name, const std::optional<double>& value) {
    if (!value) return;
    parts.push_back(fmt::format("{}: {}", name, write_access_energy(*value, action.per_bit)));
  };
  add("read", action.read_pj);
  if (action.fill_pj && action.fill_pj == action.update_pj) {
    add("write", action.fill_pj);
  } else {
    add("fill", action.fill_pj);
    add("update", action.update_pj);
  }
  if (!action.source.empty()) parts.push_back("source: " + yaml_scalar(action.source));
  return join(parts, '{', '}');
}

void add_static_figures(Lines& lines, double leakage, double area) {
  if (leakage != 0) lines.add("leakage", write_figure(leakage, Quantity::kLeakage));
  if (area != 0) lines.add("area", write_figure(area, Quantity::kArea));
}

std::string write_memory(const Memory& memory) {
  Lines lines("    - ", "      ");
  lines.add("memory", yaml_scalar(memory.name));
  if (memory.width_bits) lines.add("width", write_bits(*memory.width_bits));
  if (memory.capacity_bits) lines.add("capacity", write_bits(*memory.capacity_bits));
  if (memory.buffering != 1) lines.add("buffering", std::to_string(memory.buffering));
  if (!memory.partitions.empty()) lines.add("partition", per_tensor(memory.partitions));
  if (!memory.bits.empty()) lines.add("bits", widths(memory.bits));
  const auto add_rate = [&](const char* name, const std::optional<Rational>& rate) {
    if (rate) lines.add(name, write_bandwidth(*rate));
  };
  add_rate("bandwidth", memory.shared_bandwidth);
  add_rate("read_bandwidth", memory.read_bandwidth);
  add_rate("write_bandwidth", memory.write_bandwidth);
  if (memory.energy != ActionEnergy{}) lines.add("energy", energy(memory.energy));
  if (!memory.keep.all) lines.add("keep", selection(memory.keep));
  if (!memory.sliding.all) {
    lines.add("sliding", memory.sliding.names.empty() ? "false" : selection(memory.sliding));
  }
  if (memory.off_chip) lines.add("off_chip", *memory.off_chip ? "true" : "false");
  add_static_figures(lines, memory.leakage_pj_per_cycle, memory.area_um2);
  return lines.text();
}

std::string write_fanout(const Fanout& fanout) {
  Lines lines("    - ", "      ");
  lines.add("fanout", yaml_scalar(fanout.name));
  std::vector<std::string> axes;
  for (const Axis& axis : fanout.axes) {
    axes.push_back(fmt::format("{}: {}", yaml_scalar(axis.name), axis.size));
  }
  lines.add("axes", join(axes, '{', '}'));
  if (fanout.multicast == Multicast::kNone) lines.add("multicast", "none");
  if (fanout.multicast == Multicast::kOverlap) lines.add("multicast", "overlap");
  if (!fanout.reduction) lines.add("reduction", "false");
  return lines.text();
}

std::string write_compute(const Compute& compute) {
  Lines lines("    - ", "      ");
  lines.add("compute", yaml_scalar(compute.name));
  std::vector<std::string> parts;
  if (compute.energy_pj) {
    parts.push_back("compute: " + write_figure(*compute.energy_pj, Quantity::kEnergy));
  }
  if (!compute.source.empty()) {
    parts.push_back("source: " + yaml_scalar(compute.source));
    lines.add("energy", join(parts, '{', '}'));
  } else if (compute.energy_pj) {
    lines.add("energy", write_figure(*compute.energy_pj, Quantity::kEnergy));
  }
  add_static_figures(lines, compute.leakage_pj_per_cycle, compute.area_um2);
  return lines.text();
}

}  // namespace

std::string write_widths(std::int64_t bits, const std::optional<std::int64_t>& partial_bits) {
  return partial_bits ? fmt::format("{{final: {}, partial: {}}}", bits, *partial_bits)
                      : fmt::format("{}", bits);
}

std::string write_workload(const Workload& workload) {
  Lines lines("  ", "  ");
  lines.add("name", yaml_scalar(workload.name()));
  lines.add("einsum", to_einsum(workload));
  std::vector<std::string> dims;
  for (const Dim& dim : workload.dims())
    dims.push_back(fmt::format("{}: {}", yaml_scalar(dim.name), dim.size));
  lines.add("dims", join(dims, '{', '}'));
  std::vector<std::string> bits;
  std::vector<std::string> roles;
  for (const Tensor& tensor : workload.tensors()) {
    bits.push_back(fmt::format("{}: {}", yaml_scalar(tensor.name),
                               write_widths(tensor.bits, tensor.partial_bits)));
    roles.push_back(fmt::format("{}: {}", yaml_scalar(tensor.name), yaml_scalar(tensor.role)));
  }
  lines.add("bits", join(bits, '{', '}'));
  lines.add("roles", join(roles, '{', '}'));
  return "workload:\n" + lines.text();
}

std::string write_arch(const Arch& arch) {
  Lines lines("  ", "  ");
  if (!arch.name().empty()) lines.add("name", yaml_scalar(arch.name()));
  if (!arch.note().empty()) lines.add("note", yaml_scalar(arch.note()));
  if (arch.clock_hz()) lines.add("clock", write_clock(*arch.clock_hz()));
  std::string text = "arch:\n" + lines.text() + "  nodes:\n";
  for (const ArchNode& node : arch.nodes()) {
    const auto* memory = std::get_if<Memory>(&node);
    text += memory != nullptr ? write_memory(*memory) : write_fanout(std::get<Fanout>(node));
  }
  return text + write_compute(arch.compute());
}

}  // namespace tilewright
