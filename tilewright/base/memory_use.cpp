// SPDX-License-Identifier: Apache-2.0
#include "tilewright/base/memory_use.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace tilewright {
namespace {

// The number after `key` in a file of lines such as `MemTotal: 16384 kB`, in bytes.
std::optional<std::uint64_t> read_entry(const char* file, const std::string& key) {
  std::ifstream in(file);
  for (std::string word; in >> word;) {
    std::uint64_t kib = 0;
    if (word == key && in >> kib) return kib * 1024;
  }
  return std::nullopt;
}

// Nothing if the file is absent or says `max`.
std::optional<std::uint64_t> read_number(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::uint64_t number = 0;
  if (in >> number) return number;
  return std::nullopt;
}

// Of the control group that the process is in, and of those around it.
std::optional<std::uint64_t> group_limit() {
  const std::filesystem::path root = "/sys/fs/cgroup";
  std::optional<std::uint64_t> least;
  std::ifstream in("/proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("0::/")) continue;
    for (std::filesystem::path group = line.substr(4);; group = group.parent_path()) {
      if (const auto limit = read_number(root / group / "memory.max")) {
        least = std::min(least.value_or(*limit), *limit);
      }
      if (group.empty()) break;
    }
  }
  return least;
}

}  // namespace

std::optional<std::uint64_t> memory_in_use() { return read_entry("/proc/self/status", "VmRSS:"); }

std::optional<std::uint64_t> memory_of_machine() {
  const auto all = read_entry("/proc/meminfo", "MemTotal:");
  const auto limit = group_limit();
  return all && limit ? std::min(*all, *limit) : all;
}

void release_freed_memory() {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

}  // namespace tilewright
