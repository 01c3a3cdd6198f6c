// SPDX-License-Identifier: Apache-2.0
// Runs command lines in this process, in folders of their own.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/run_cli.h"

namespace tilewright::testing {

/// A file or folder of the source tree: source_path("examples/first").
std::string source_path(const std::string& relative);

bool contains(const std::string& text, const std::string& part);

/// The widest line in columns, colours left out.
int widest_line(const std::string& text);

/// A test with an empty folder that is gone afterwards.
class FolderTest : public ::testing::Test {
 protected:
  FolderTest();
  ~FolderTest() override;

  /// Writes a file into the folder and returns its path.
  std::string write(const std::string& name, const std::string& text) const;
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::filesystem::path folder_;
};

}  // namespace tilewright::testing
