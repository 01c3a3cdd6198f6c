// SPDX-License-Identifier: Apache-2.0
// SQLite with exceptions and destructors. For store.cpp alone.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace tilewright {

struct CloseDatabase {
  void operator()(sqlite3* database) const;
};
using Database = std::unique_ptr<sqlite3, CloseDatabase>;

/// Runs statements that have neither parameters nor results. Throws StoreError.
void execute(sqlite3* database, const char* statements);

/// A prepared statement. Every function throws StoreError if SQLite refuses.
class Statement {
 public:
  Statement(sqlite3* database, std::string_view text);

  /// The next parameter, from the first one on. Texts and blobs must live until `step`.
  Statement& bind(std::int64_t value);
  Statement& bind(double value);
  Statement& bind_text(std::string_view text);
  Statement& bind_blob(std::string_view bytes);
  template <typename Number>
  Statement& bind(const std::optional<Number>& value) {
    return value ? bind(*value) : bind_null();
  }

  /// True if there is a row of results.
  bool step();
  /// Ready to be bound and stepped again.
  void reset();

  std::int64_t integer(int column) const;
  std::optional<std::int64_t> maybe_integer(int column) const;
  std::optional<double> maybe_real(int column) const;
  /// A text or a blob; valid until the next step.
  std::string_view bytes(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };

  Statement& bind_null();
  void check(int code) const;

  sqlite3* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  int bound_ = 0;
};

}  // namespace tilewright
