// SPDX-License-Identifier: Apache-2.0
#include "experiments/support/program.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tilewright/base/error.h"

namespace tilewright {

OutputFolder::OutputFolder(std::string path) : path_(std::move(path)) {
  if (!path_.empty()) std::filesystem::create_directories(path_);
}

void OutputFolder::write(std::string_view name, std::string_view text) const {
  if (path_.empty()) return;
  const std::filesystem::path path = std::filesystem::path(path_) / name;
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw std::runtime_error("cannot write " + path.string());
  fmt::print("wrote {}\n", path.string());
}

bool Checks::expect(bool holds, std::string_view what) {
  if (!holds) {
    fmt::print(stderr, "FAILED: {}\n", what);
    failed_ = true;
  }
  return holds;
}

std::string read_repository_file(std::string_view path) {
  const std::filesystem::path whole = std::filesystem::path(TILEWRIGHT_SOURCE_DIR) / path;
  std::ifstream file(whole, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + whole.string());
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

Arch with_first_axis(const Arch& arch, std::int64_t size) {
  std::vector<ArchNode> nodes(arch.nodes().begin(), arch.nodes().end());
  TW_CHECK(!arch.fanouts().empty(), "there is a fan-out");
  std::get<Fanout>(nodes[arch.fanouts().front().pos()]).axes.front().size = size;
  return Arch(arch.name(), arch.note(), arch.clock_hz(), std::move(nodes), arch.compute());
}

}  // namespace tilewright
