// SPDX-License-Identifier: Apache-2.0
#include "tilewright/library/library.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace tilewright {
namespace {

const std::filesystem::path kFolder =
    std::filesystem::path(TILEWRIGHT_SOURCE_DIR) / "tilewright/library";

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A folder and what the library makes of it.
struct Part {
  std::string folder;
  std::span<const LibraryEntry> entries;
};

class LibraryPart : public testing::TestWithParam<Part> {
 protected:
  // By name, in the folder and those below it.
  static std::map<std::string, std::filesystem::path> files() {
    std::map<std::string, std::filesystem::path> result;
    using Files = std::filesystem::recursive_directory_iterator;
    for (const auto& item : Files(kFolder / GetParam().folder)) {
      if (item.is_directory() || item.path().filename() == "README.md") continue;
      EXPECT_EQ(item.path().extension(), ".yaml") << item.path();
      EXPECT_TRUE(result.emplace(item.path().stem(), item.path()).second) << item.path();
    }
    return result;
  }
};

TEST_P(LibraryPart, HasEveryFileOfTheFolderByteForByte) {
  const auto left = files();
  EXPECT_EQ(left.size(), GetParam().entries.size());
  for (const LibraryEntry& entry : GetParam().entries) {
    const auto file = left.find(std::string(entry.name));
    ASSERT_NE(file, left.end()) << entry.name;
    EXPECT_EQ(entry.text, read_file(file->second)) << entry.name;
  }
}

TEST_P(LibraryPart, IsSortedWithoutDuplicates) {
  const auto entries = GetParam().entries;
  for (std::size_t i = 1; i < entries.size(); ++i) {
    EXPECT_LT(entries[i - 1].name, entries[i].name);
  }
}

TEST_P(LibraryPart, EveryEntryHasASummaryOfOneLine) {
  for (const LibraryEntry& entry : GetParam().entries) {
    EXPECT_GT(entry.summary.size(), 10u) << entry.name;
    EXPECT_LE(entry.summary.size(), 100u) << entry.name;
    EXPECT_EQ(entry.summary.find('\n'), std::string_view::npos) << entry.name;
    EXPECT_NE(entry.summary.front(), '#') << entry.name;
  }
}

INSTANTIATE_TEST_SUITE_P(All, LibraryPart,
                         testing::Values(Part{"archs", library_archs()},
                                         Part{"networks", library_networks()}),
                         [](const auto& instance) { return instance.param.folder; });

TEST(Library, ArchIsNamedLikeItsFileAndSaysWhereItIsFrom) {
  for (const LibraryEntry& entry : library_archs()) {
    const std::string heading = "\narch:\n  name: " + std::string(entry.name) + "\n  note: ";
    EXPECT_NE(entry.text.find(heading), std::string_view::npos) << entry.name;
  }
}

TEST(Library, NetworkIsNamedLikeItsFileAndSaysWhereItIsFrom) {
  for (const LibraryEntry& entry : library_networks()) {
    const std::string heading = "\nnetwork:\n  name: " + std::string(entry.name) + "\n  summary: ";
    EXPECT_NE(entry.text.find(heading), std::string_view::npos) << entry.name;
  }
}

// An energy without a source is a number nobody can check.
TEST(Library, EveryEnergyNamesItsSource) {
  for (const LibraryEntry& entry : library_archs()) {
    std::size_t at = 0;
    while ((at = entry.text.find("energy: {", at)) != std::string_view::npos) {
      const std::string_view braces = entry.text.substr(at, entry.text.find('}', at) - at);
      EXPECT_NE(braces.find("source: \""), std::string_view::npos) << entry.name << ": " << braces;
      at += braces.size();
    }
  }
}

TEST(Library, FindsByNameOnly) {
  const LibraryEntry* eyeriss = find_library_arch("eyeriss");
  ASSERT_NE(eyeriss, nullptr);
  EXPECT_EQ(eyeriss->name, "eyeriss");
  for (const LibraryEntry& entry : library_archs()) {
    EXPECT_EQ(find_library_arch(entry.name), &entry);
  }
  EXPECT_EQ(find_library_arch("eyeris"), nullptr);
  EXPECT_EQ(find_library_arch("Eyeriss"), nullptr);
  EXPECT_EQ(find_library_arch(""), nullptr);
  EXPECT_EQ(find_library_arch("zzz"), nullptr);
  EXPECT_EQ(find_library_arch("resnet50"), nullptr);
  for (const LibraryEntry& entry : library_networks()) {
    EXPECT_EQ(find_library_network(entry.name), &entry);
  }
  EXPECT_EQ(find_library_network("eyeriss"), nullptr);
}

}  // namespace
}  // namespace tilewright
