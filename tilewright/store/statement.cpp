// SPDX-License-Identifier: Apache-2.0
#include "tilewright/store/statement.h"

#include <sqlite3.h>

#include "tilewright/store/store.h"

namespace tilewright {
namespace {

[[noreturn]] void fail(sqlite3* database) {
  const char* path = sqlite3_db_filename(database, "main");
  throw StoreError(std::string(path == nullptr ? "" : path) + ": " + sqlite3_errmsg(database));
}

}  // namespace

void CloseDatabase::operator()(sqlite3* database) const { sqlite3_close_v2(database); }

void execute(sqlite3* database, const char* statements) {
  if (sqlite3_exec(database, statements, nullptr, nullptr, nullptr) != SQLITE_OK) fail(database);
}

Statement::Statement(sqlite3* database, std::string_view text) : database_(database) {
  sqlite3_stmt* statement = nullptr;
  check(sqlite3_prepare_v2(database, text.data(), static_cast<int>(text.size()), &statement,
                           nullptr));
  statement_.reset(statement);
}

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

void Statement::check(int code) const {
  if (code != SQLITE_OK) fail(database_);
}

Statement& Statement::bind(std::int64_t value) {
  check(sqlite3_bind_int64(statement_.get(), ++bound_, value));
  return *this;
}

Statement& Statement::bind(double value) {
  check(sqlite3_bind_double(statement_.get(), ++bound_, value));
  return *this;
}

Statement& Statement::bind_text(std::string_view text) {
  check(sqlite3_bind_text64(statement_.get(), ++bound_, text.data(), text.size(), SQLITE_STATIC,
                            SQLITE_UTF8));
  return *this;
}

Statement& Statement::bind_blob(std::string_view bytes) {
  check(sqlite3_bind_blob64(statement_.get(), ++bound_, bytes.data(), bytes.size(), SQLITE_STATIC));
  return *this;
}

Statement& Statement::bind_null() {
  check(sqlite3_bind_null(statement_.get(), ++bound_));
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code != SQLITE_ROW && code != SQLITE_DONE) fail(database_);
  return code == SQLITE_ROW;
}

void Statement::reset() {
  check(sqlite3_reset(statement_.get()));
  bound_ = 0;
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

std::optional<std::int64_t> Statement::maybe_integer(int column) const {
  if (sqlite3_column_type(statement_.get(), column) == SQLITE_NULL) return std::nullopt;
  return integer(column);
}

std::optional<double> Statement::maybe_real(int column) const {
  if (sqlite3_column_type(statement_.get(), column) == SQLITE_NULL) return std::nullopt;
  return sqlite3_column_double(statement_.get(), column);
}

std::string_view Statement::bytes(int column) const {
  const void* blob = sqlite3_column_blob(statement_.get(), column);
  const int size = sqlite3_column_bytes(statement_.get(), column);
  return {static_cast<const char*>(blob), blob == nullptr ? 0 : static_cast<std::size_t>(size)};
}

}  // namespace tilewright
