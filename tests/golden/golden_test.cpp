// SPDX-License-Identifier: Apache-2.0
// Every folder beside this file is a case: `args` holds the arguments of `tilewright evaluate`, one
// a line, seen from the root of the source tree; expected.txt and expected.json what it prints.
// UPDATE_GOLDEN=1 rewrites them. The version in the JSON and the path of the
// source tree are left out.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tilewright/base/version.h"
#include "tilewright/cli/run.h"

namespace tilewright {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = TILEWRIGHT_SOURCE_DIR;

std::string read(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::vector<std::string> case_names() {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(kRoot / "tests/golden")) {
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string run_case(const fs::path& folder, bool json) {
  std::vector<std::string> args = {"evaluate"};
  std::istringstream lines(read(folder / "args"));
  for (std::string line; std::getline(lines, line);) {
    // A path is seen from the root; a library name and an option are not.
    const fs::path path = kRoot / line;
    args.push_back(fs::exists(path) ? path.string() : line);
  }
  if (json) args.emplace_back("--json");
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  Console console{in, out, err};
  const int code = run(args, console);
  std::string text = out.str();
  const auto replace = [&](const std::string& what, const std::string& by) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at)) {
      text.replace(at, what.size(), by);
    }
  };
  replace("\"version\": \"" + program_version() + "\"", "\"version\": \"-\"");
  replace(kRoot.string() + "/", "");
  if (code != kOk || !err.str().empty()) {
    text += "exit code " + std::to_string(code) + "\n" + err.str();
  }
  return text;
}

class Golden : public ::testing::TestWithParam<std::string> {};

TEST_P(Golden, PrintsWhatIsExpected) {
  const fs::path folder = kRoot / "tests/golden" / GetParam();
  for (const bool json : {false, true}) {
    const fs::path expected = folder / (json ? "expected.json" : "expected.txt");
    const std::string text = run_case(folder, json);
    if (std::getenv("UPDATE_GOLDEN") != nullptr) std::ofstream(expected, std::ios::binary) << text;
    EXPECT_EQ(text, read(expected)) << "UPDATE_GOLDEN=1 rewrites " << expected;
  }
}

std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Cases, Golden, ::testing::ValuesIn(case_names()), test_name);

}  // namespace
}  // namespace tilewright
