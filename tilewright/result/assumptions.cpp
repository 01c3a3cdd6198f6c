// SPDX-License-Identifier: Apache-2.0
#include "tilewright/result/assumptions.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewright {
namespace {

// False if it keeps only what is never written.
bool may_be_written(const Memory& memory) {
  return memory.keep.all || std::ranges::any_of(memory.keep.names, [](const std::string& name) {
           return name != "input" && name != "weight";
         });
}

std::string joined(const std::vector<std::string>& names) {
  return names.size() < 2
             ? names.front()
             : fmt::format("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "),
                           names.back());
}

}  // namespace

std::string off_chip_title(const Arch& arch) {
  const std::vector<NodeId> memories = arch.off_chip_memories();
  return memories.size() == 1 ? arch.memory(memories.front()).name : "off-chip";
}

std::string off_chip_names(const Arch& arch) {
  std::vector<std::string> names;
  for (const NodeId id : arch.off_chip_memories()) names.push_back(arch.memory(id).name);
  return names.empty() ? "no memory" : joined(names);
}

std::vector<std::string> find_assumptions(const Arch& arch) {
  std::vector<std::string> all;
  std::vector<std::string> reads;
  std::vector<std::string> writes;
  for (const NodeId id : arch.off_chip_memories()) {
    const Memory& memory = arch.memory(id);
    if (memory.shared_bandwidth) continue;
    const bool write = !memory.write_bandwidth && may_be_written(memory);
    if (!memory.read_bandwidth && !memory.write_bandwidth) {
      all.push_back(memory.name);
    } else if (!memory.read_bandwidth) {
      reads.push_back(memory.name);
    } else if (write) {
      writes.push_back(memory.name);
    }
  }
  std::vector<std::string> assumptions;
  const auto add = [&](const std::vector<std::string>& names, const char* what) {
    if (!names.empty()) assumptions.push_back("unlimited " + joined(names) + " " + what);
  };
  add(all, "bandwidth");
  add(reads, "read bandwidth");
  add(writes, "write bandwidth");
  return assumptions;
}

std::string assumptions_words(const Arch& arch) {
  const std::vector<std::string> assumptions = find_assumptions(arch);
  return assumptions.empty() ? "" : "assuming " + joined(assumptions);
}

}  // namespace tilewright
