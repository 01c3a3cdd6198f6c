// SPDX-License-Identifier: Apache-2.0
// A folder for one test of one process: two builds may be tested side by side.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace tilewright::testing {

/// Gone after the test.
class TestFolder {
 public:
  TestFolder() {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::filesystem::path& path() const { return path_; }
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  const std::filesystem::path path_ =
      std::filesystem::path(::testing::TempDir()) /
      (std::string("tilewright-") + std::to_string(::getpid()) + "-" +
       ::testing::UnitTest::GetInstance()->current_test_info()->name());
};

}  // namespace tilewright::testing
