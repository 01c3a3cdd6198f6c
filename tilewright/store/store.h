// SPDX-License-Identifier: Apache-2.0
// Answers in an SQLite file (docs/sweeps.md): what is in it has been solved, and is never solved
// again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "tilewright/store/key_set.h"
#include "tilewright/store/row.h"
#include "tilewright/store/statement.h"

namespace tilewright {

/// A file that is no store, is being written by another process, or cannot be read or written.
/// `what()` begins with its path.
class StoreError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Raised whenever the tables change.
inline constexpr int kStoreVersion = 1;

/// One file. Readers may look on while one process writes. All functions throw StoreError.
class Store {
 public:
  enum class Mode {
    kRead,
    kWrite,  ///< created if it is not there; one process at a time
  };
  Store(std::string path, Mode mode);
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;
  ~Store();

  const std::string& path() const { return path_; }

  /// All of them or none, on disk once it returns; keys that are there already keep their row.
  /// Returns how many were new.
  std::size_t add(std::span<const Row> rows);
  KeySet keys() const;
  /// Every row, in the order of the keys.
  void for_each(const std::function<void(const Row&)>& visit) const;

  /// A text that the rows belong to, kept once however often it is added. The latest one comes
  /// last in `plans`.
  void add_plan(const std::string& text);
  std::vector<std::string> plans() const;

  std::size_t size() const;
  /// How many rows have each status.
  std::map<std::string, std::size_t> statuses() const;

  /// What is wrong with the file, one sentence each; empty if nothing is.
  std::vector<std::string> find_faults() const;

 private:
  friend class RowFinder;
  struct Lock;

  std::string path_;
  std::unique_ptr<Lock> lock_;
  Database database_;
};

/// Looks rows up by their keys, many of them. The store must outlive it.
class RowFinder {
 public:
  /// `bodies`: whether rows come with them.
  RowFinder(const Store& store, bool bodies);

  std::optional<Row> find(const Digest& key);

 private:
  Statement select_;
  bool bodies_;
};

/// What `merge` did, or found.
struct Merged {
  std::size_t added = 0;
  std::size_t known = 0;            ///< rows that were there already, and say the same
  std::vector<std::string> differ;  ///< keys whose rows say something else; the old ones are kept
};

/// Adds the rows and plans of `from`. A second time changes nothing.
Merged merge(Store& into, const Store& from);

}  // namespace tilewright
