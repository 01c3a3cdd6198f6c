// SPDX-License-Identifier: Apache-2.0
#include "tilewright/arch/area.h"

namespace tilewright {

double area_um2(const Memory& memory) {
  if (memory.area_um2 > 0) return memory.area_um2;
  double bits = static_cast<double>(memory.capacity_bits.value_or(0));
  for (const PerTensor& partition : memory.partitions) {
    bits += static_cast<double>(partition.value);
  }
  if (bits <= kMostRegisterBits) return bits * kRegisterBitUm2;
  return bits * kSramBitUm2 + kSramPortUm2;
}

double area_um2(const Compute& compute) {
  return compute.area_um2 > 0 ? compute.area_um2 : kMacUm2;
}

double area_um2(const Arch& arch) {
  double sum = area_um2(arch.compute()) * static_cast<double>(arch.compute_units());
  for (const NodeId id : arch.memories()) {
    if (arch.is_off_chip(id)) continue;
    sum += area_um2(arch.memory(id)) * static_cast<double>(arch.instances(id));
  }
  return sum;
}

std::vector<std::string> estimated_areas(const Arch& arch) {
  std::vector<std::string> names;
  for (const NodeId id : arch.memories()) {
    const Memory& memory = arch.memory(id);
    const bool is_counted = !arch.is_off_chip(id) && area_um2(memory) > 0;
    if (is_counted && memory.area_um2 <= 0) names.push_back(memory.name);
  }
  if (arch.compute().area_um2 <= 0) names.push_back(arch.compute().name);
  return names;
}

}  // namespace tilewright
