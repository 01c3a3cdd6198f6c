// SPDX-License-Identifier: Apache-2.0
// Wrong inputs and exactly what we say about them. A case is a folder: its input files, read
// together in the order of their names, and expected.txt. UPDATE_GOLDEN=1 rewrites expected.txt.
#include "tilewright/base/error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tilewright/advice/violation_text.h"
#include "tilewright/io/read.h"
#include "tilewright/io/render.h"
#include "tilewright/mapping/violation.h"
#include "tilewright/timeloop/timeloop.h"

namespace tilewright {
namespace {

namespace fs = std::filesystem;

fs::path source_dir() { return TILEWRIGHT_SOURCE_DIR; }

std::string slurp(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<std::string> case_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(source_dir() / "tests" / "error")) {
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

std::vector<std::shared_ptr<const SourceFile>> inputs_of(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().filename() != "expected.txt") paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  std::vector<std::shared_ptr<const SourceFile>> files;
  for (const fs::path& path : paths) {
    files.push_back(
        std::make_shared<SourceFile>(SourceFile{path.filename().string(), slurp(path)}));
  }
  return files;
}

// Our files, or Timeloop's.
Documents read(const std::vector<std::shared_ptr<const SourceFile>>& files,
               Diagnostics& diagnostics) {
  const auto theirs = [](const auto& file) { return timeloop::is_timeloop(*file); };
  if (std::ranges::none_of(files, theirs)) return read_documents(files, diagnostics);
  return timeloop::read_documents(files, diagnostics).documents;
}

class ErrorCase : public testing::TestWithParam<std::string> {};

TEST_P(ErrorCase, SaysExactlyThis) {
  const fs::path folder = source_dir() / "tests" / "error" / GetParam();
  Diagnostics diagnostics;
  try {
    const Documents documents = read(inputs_of(folder), diagnostics);
    if (documents.mapping && !diagnostics.has_errors()) {
      report_violations(*documents.problem, *documents.mapping, documents.mapping_source,
                        find_violations(*documents.problem, *documents.mapping), diagnostics);
    }
  } catch (const InternalError& error) {
    FAIL() << "an input must not break an invariant: " << error.what();
  }
  EXPECT_FALSE(diagnostics.all().empty()) << "the case has no fault";
  const std::string actual = render_text(diagnostics, false);
  EXPECT_FALSE(render_json(diagnostics).empty());
  if (std::getenv("UPDATE_GOLDEN") != nullptr) {
    std::ofstream(folder / "expected.txt", std::ios::binary) << actual;
  }
  EXPECT_EQ(actual, slurp(folder / "expected.txt"));
}

INSTANTIATE_TEST_SUITE_P(All, ErrorCase, testing::ValuesIn(case_names()),
                         [](const auto& param_info) {
                           std::string name = param_info.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

std::set<std::string> codes_in(const std::string& text) {
  static const std::regex kCode("[A-Z]0[0-9]{3}");
  return {std::sregex_token_iterator(text.begin(), text.end(), kCode),
          std::sregex_token_iterator()};
}

TEST(ErrorCodes, AreAllDocumented) {
  const std::set<std::string> documented = codes_in(slurp(source_dir() / "docs" / "errors.md"));
  std::set<std::string> used;
  for (const auto& entry : fs::recursive_directory_iterator(source_dir() / "tilewright")) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(".cpp") || name.ends_with("_test.cpp")) continue;
    used.merge(codes_in(slurp(entry.path())));
  }
  EXPECT_EQ(used, documented);
}

TEST(ErrorCodes, HaveOneMeaning) {
  const std::string text = slurp(source_dir() / "docs" / "errors.md");
  static const std::regex kRow("(?:^|\n)\\| ([A-Z]0[0-9]{3}) \\|");
  std::set<std::string> seen;
  for (std::sregex_token_iterator row(text.begin(), text.end(), kRow, 1);
       row != std::sregex_token_iterator(); ++row) {
    EXPECT_TRUE(seen.insert(*row).second) << *row;
  }
  EXPECT_GT(seen.size(), 100U);
}

}  // namespace
}  // namespace tilewright
