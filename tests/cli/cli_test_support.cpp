// SPDX-License-Identifier: Apache-2.0
#include "cli_test_support.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <sstream>

#include "tilewright/format/layout.h"

namespace tilewright::testing {

std::string source_path(const std::string& relative) {
  return std::string(TILEWRIGHT_SOURCE_DIR) + "/" + relative;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

int widest_line(const std::string& text) {
  int widest = 0;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    widest = std::max(widest, display_width(line));
  }
  return widest;
}

FolderTest::FolderTest() {
  static std::atomic<int> next = 0;
  folder_ = std::filesystem::temp_directory_path() /
            ("tilewright-cli-" + std::to_string(getpid()) + "-" + std::to_string(next++));
  std::filesystem::create_directories(folder_);
}

FolderTest::~FolderTest() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string FolderTest::write(const std::string& name, const std::string& text) const {
  const std::filesystem::path file = folder_ / name;
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
  return file.string();
}

}  // namespace tilewright::testing
