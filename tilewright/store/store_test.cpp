// SPDX-License-Identifier: Apache-2.0
#include "tilewright/store/store.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <fstream>

#include "tests/support/test_folder.h"

namespace tilewright {
namespace {

class StoreTest : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.file(name); }

  void alter(const std::string& file, const std::string& statement) const {
    const Database database = [&] {
      sqlite3* opened = nullptr;
      EXPECT_EQ(sqlite3_open(file.c_str(), &opened), SQLITE_OK);
      return Database(opened);
    }();
    execute(database.get(), statement.c_str());
  }

 private:
  const testing::TestFolder folder_;
};

Row row(const std::string& name, double score = 1) {
  return {sha256_digest(name), "proved", score, 2.5, 10, score, 5, "mapping of " + name, 0.1};
}

TEST_F(StoreTest, HasNoPartsOfStrangers) {
  { const Store store(path("a.db"), Store::Mode::kWrite); }
  alter(path("a.db"), "CREATE VIEW others AS SELECT 1");
  EXPECT_THROW(Store(path("a.db"), Store::Mode::kRead), StoreError);
  EXPECT_THROW(Store(path("a.db"), Store::Mode::kWrite), StoreError);
}

TEST_F(StoreTest, IsMadeAnewWhereAnotherProcessWasKilled) {
  std::ofstream(path("a.db")).flush();
  std::ofstream(path("a.db.new")) << "half of it";
  { const Store store(path("a.db"), Store::Mode::kWrite); }
  EXPECT_EQ(Store(path("a.db"), Store::Mode::kRead).size(), 0U);
}

TEST_F(StoreTest, KeepsRowsAcrossOpenings) {
  {
    Store store(path("a.db"), Store::Mode::kWrite);
    EXPECT_EQ(store.add(std::vector{row("x"), row("y")}), 2U);
    EXPECT_EQ(store.add(std::vector{row("y", 7), row("z")}), 1U);
  }
  const Store store(path("a.db"), Store::Mode::kRead);
  EXPECT_EQ(store.size(), 3U);
  EXPECT_EQ(store.keys().size(), 3U);
  RowFinder finder(store, true);
  ASSERT_TRUE(finder.find(sha256_digest("y")));
  EXPECT_TRUE(finder.find(sha256_digest("y"))->same_answer(row("y")));
  EXPECT_FALSE(finder.find(sha256_digest("w")));
  EXPECT_EQ(RowFinder(store, false).find(sha256_digest("y"))->body, "");
  EXPECT_EQ(store.statuses().at("proved"), 3U);
  EXPECT_TRUE(store.find_faults().empty());
}

TEST_F(StoreTest, IsOneFileOnceItIsClosed) {
  { Store(path("a.db"), Store::Mode::kWrite).add(std::vector{row("x")}); }
  EXPECT_FALSE(std::filesystem::exists(path("a.db-wal")));
  EXPECT_EQ(Store(path("a.db"), Store::Mode::kRead).size(), 1U);
  EXPECT_FALSE(std::filesystem::exists(path("a.db-shm")));
}

TEST_F(StoreTest, HasOneWriterAndManyReaders) {
  Store writer(path("a.db"), Store::Mode::kWrite);
  writer.add(std::vector{row("x")});
  const Store reader(path("a.db"), Store::Mode::kRead);
  writer.add(std::vector{row("y")});
  EXPECT_EQ(reader.size(), 2U);
  EXPECT_THROW(Store(path("a.db"), Store::Mode::kWrite), StoreError);
}

TEST_F(StoreTest, KeepsEachPlanOnceAndTheLatestLast) {
  Store store(path("a.db"), Store::Mode::kWrite);
  store.add_plan("one");
  store.add_plan("two");
  store.add_plan("one");
  EXPECT_EQ(store.plans(), (std::vector<std::string>{"two", "one"}));
}

TEST_F(StoreTest, MergesTwiceWithTheSameResult) {
  Store all(path("all.db"), Store::Mode::kWrite);
  Store part(path("part.db"), Store::Mode::kWrite);
  all.add(std::vector{row("x"), row("y")});
  part.add(std::vector{row("y"), row("z")});
  part.add_plan("plan");
  const Merged first = merge(all, part);
  EXPECT_EQ(first.added, 1U);
  EXPECT_EQ(first.known, 1U);
  EXPECT_TRUE(first.differ.empty());
  const Merged second = merge(all, part);
  EXPECT_EQ(second.added, 0U);
  EXPECT_EQ(second.known, 2U);
  EXPECT_EQ(all.plans(), std::vector<std::string>{"plan"});
}

TEST_F(StoreTest, SaysWhichRowsDiffer) {
  Store all(path("all.db"), Store::Mode::kWrite);
  Store part(path("part.db"), Store::Mode::kWrite);
  all.add(std::vector{row("x", 1)});
  part.add(std::vector{row("x", 2)});
  EXPECT_EQ(merge(all, part).differ, std::vector<std::string>{sha256("x")});
  EXPECT_EQ(RowFinder(all, true).find(sha256_digest("x"))->score, 1);
}

TEST_F(StoreTest, RefusesWhatIsNoStore) {
  std::ofstream(path("text.db")) << "this is no database, and it is long enough to tell";
  EXPECT_THROW(Store(path("text.db"), Store::Mode::kRead), StoreError);
  EXPECT_THROW(Store(path("absent.db"), Store::Mode::kRead), StoreError);
  alter(path("other.db"), "CREATE TABLE t (x)");
  EXPECT_THROW(Store(path("other.db"), Store::Mode::kWrite), StoreError);
  { const Store store(path("new.db"), Store::Mode::kWrite); }
  alter(path("new.db"), "PRAGMA user_version = 99");
  EXPECT_THROW(Store(path("new.db"), Store::Mode::kRead), StoreError);
}

TEST_F(StoreTest, FindsDamage) {
  {
    Store store(path("a.db"), Store::Mode::kWrite);
    store.add(std::vector{row("x"), row("y"), row("z")});
    store.add_plan("plan");
  }
  alter(path("a.db"), "UPDATE results SET body = x'0011' WHERE id = 1");
  alter(path("a.db"), "UPDATE results SET key = x'00' WHERE id = 2");
  alter(path("a.db"), "UPDATE results SET score = NULL WHERE id = 3");
  alter(path("a.db"), "UPDATE plans SET digest = x'00'");
  const Store store(path("a.db"), Store::Mode::kRead);
  EXPECT_EQ(store.find_faults().size(), 4U);
}

}  // namespace
}  // namespace tilewright
