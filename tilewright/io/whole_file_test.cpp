// SPDX-License-Identifier: Apache-2.0
#include "tilewright/io/whole_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/support/test_folder.h"

namespace tilewright {
namespace {

namespace fs = std::filesystem;

class WholeFiles : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.file(name); }
  std::string read(const std::string& name) const {
    std::ifstream stream(path(name), std::ios::binary);
    return (std::ostringstream() << stream.rdbuf()).str();
  }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()));
  }

  const testing::TestFolder folder_;
};

TEST_F(WholeFiles, AreThereOnceTheyAreFinished) {
  ASSERT_EQ(write_whole_file(path("a"), "old\n"), "");
  WholeFile file(path("a"));
  file.add("new ");
  EXPECT_EQ(read("a"), "old\n");
  file.add("text\n");
  EXPECT_EQ(file.finish(), "");
  EXPECT_EQ(read("a"), "new text\n");
  EXPECT_EQ(files(), 1U);
}

TEST_F(WholeFiles, ChangeNothingIfTheyAreNotFinished) {
  ASSERT_EQ(write_whole_file(path("a"), "old"), "");
  { WholeFile(path("a")).add("new"); }
  EXPECT_EQ(read("a"), "old");
  EXPECT_EQ(files(), 1U);
}

TEST_F(WholeFiles, KeepTheirRights) {
  ASSERT_EQ(write_whole_file(path("a"), "old"), "");
  const fs::perms rights = fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read;
  fs::permissions(path("a"), rights);
  ASSERT_EQ(write_whole_file(path("a"), "new"), "");
  EXPECT_EQ(fs::status(path("a")).permissions(), rights);
}

TEST_F(WholeFiles, FollowLinks) {
  ASSERT_EQ(write_whole_file(path("a"), "old"), "");
  fs::create_symlink("a", path("to_a"));
  fs::create_symlink("b", path("to_b"));
  EXPECT_EQ(write_whole_file(path("to_a"), "new"), "");
  EXPECT_EQ(write_whole_file(path("to_b"), "first"), "");
  EXPECT_TRUE(fs::is_symlink(path("to_a")));
  EXPECT_EQ(read("a"), "new");
  EXPECT_EQ(read("b"), "first");
}

TEST_F(WholeFiles, SayWhyTheyCannotBe) {
  EXPECT_EQ(write_whole_file(path("none/a"), "text"), "No such file or directory");
  EXPECT_EQ(write_whole_file(path("."), "text"), "Is a directory");
  EXPECT_EQ(write_whole_file("/dev/full", "text"), "No space left on device");
  EXPECT_EQ(write_whole_file("/dev/null", "text"), "");
  EXPECT_EQ(files(), 0U);
}

TEST_F(WholeFiles, MayHaveLongNames) {
  const std::string name(255, 'n');
  EXPECT_EQ(write_whole_file(path(name), "text"), "");
  EXPECT_EQ(read(name), "text");
}

TEST_F(WholeFiles, CanBeAskedForBeforehand) {
  ASSERT_EQ(write_whole_file(path("old"), ""), "");
  for (const char* name : {"old", "new"}) EXPECT_EQ(why_unwritable(path(name)), "") << name;
  EXPECT_EQ(why_unwritable("/dev/null"), "");
  EXPECT_EQ(why_unwritable(path("none/new")), write_whole_file(path("none/new"), ""));
  EXPECT_EQ(why_unwritable(path("old/new")), write_whole_file(path("old/new"), ""));
  EXPECT_EQ(why_unwritable(folder_.path().string()), "Is a directory");
  EXPECT_EQ(files(), 1U);
}

}  // namespace
}  // namespace tilewright
