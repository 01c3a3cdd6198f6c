// SPDX-License-Identifier: Apache-2.0
#include "tilewright/store/store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "tilewright/base/input_error.h"
#include "tilewright/store/compress.h"

namespace tilewright {
namespace {

// "Tile"
constexpr int kApplication = 0x54696c65;
// Rows that are merged in one transaction.
constexpr std::size_t kMergeStep = 10'000;

constexpr const char* kTables = R"(
  CREATE TABLE results (
    id INTEGER PRIMARY KEY,
    key BLOB NOT NULL UNIQUE,
    status TEXT NOT NULL,
    score REAL,
    energy_pj REAL,
    cycles INTEGER,
    bound REAL,
    nodes INTEGER NOT NULL,
    seconds REAL NOT NULL,
    body BLOB NOT NULL
  ) STRICT;
  CREATE TABLE plans (
    id INTEGER PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE,
    text BLOB NOT NULL
  ) STRICT;
)";

constexpr std::string_view kColumns =
    "key, status, score, energy_pj, cycles, bound, nodes, body, seconds";

std::string_view as_bytes(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

Digest to_digest(std::string_view bytes) {
  Digest digest{};
  if (bytes.size() != digest.size()) throw InputError("a key is not 32 bytes long");
  std::memcpy(digest.data(), bytes.data(), digest.size());
  return digest;
}

// A statement that begins with kColumns. Throws InputError if the row is damaged.
Row read_row(const Statement& statement, bool with_body = true) {
  Row row;
  row.key = to_digest(statement.bytes(0));
  row.status = statement.bytes(1);
  row.score = statement.maybe_real(2);
  row.energy_pj = statement.maybe_real(3);
  row.cycles = statement.maybe_integer(4);
  row.bound = statement.maybe_real(5);
  row.nodes = static_cast<std::uint64_t>(statement.integer(6));
  if (with_body) row.body = decompress(statement.bytes(7));
  row.seconds = statement.maybe_real(8).value_or(0);
  return row;
}

std::int64_t pragma(sqlite3* database, const char* name) {
  Statement statement(database, fmt::format("PRAGMA {}", name));
  return statement.step() ? statement.integer(0) : 0;
}

// Either all that happens while it lives is kept (`commit`), or nothing.
class Transaction {
 public:
  explicit Transaction(sqlite3* database) : database_(database) {
    execute(database, "BEGIN IMMEDIATE");
  }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction() {
    if (database_ != nullptr) sqlite3_exec(database_, "ROLLBACK", nullptr, nullptr, nullptr);
  }
  void commit() {
    execute(database_, "COMMIT");
    database_ = nullptr;
  }

 private:
  sqlite3* database_;
};

Database open_database(const std::string& path, Store::Mode mode) {
  const bool write = mode == Store::Mode::kWrite;
  if (!write && !std::filesystem::exists(path)) {
    throw StoreError(path + ": there is no such file");
  }
  sqlite3* opened = nullptr;
  const int code = sqlite3_open_v2(
      path.c_str(), &opened,
      write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY, nullptr);
  Database database(opened);
  if (code != SQLITE_OK) {
    throw StoreError(fmt::format("{}: {}", path, sqlite3_errstr(code)));
  }
  sqlite3_extended_result_codes(opened, 1);
  sqlite3_busy_timeout(opened, 20'000);
  return database;
}

void create_tables(sqlite3* database) {
  Transaction transaction(database);
  execute(database, kTables);
  execute(database, fmt::format("PRAGMA application_id = {}", kApplication).c_str());
  execute(database, fmt::format("PRAGMA user_version = {}", kStoreVersion).c_str());
  transaction.commit();
}

// A new store has its tables from the start: it is made beside its place, which a killed process
// leaves empty. A link is followed, and then it is made in place.
void create_store(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const bool is_new = !fs::exists(path, error) || fs::file_size(path, error) == 0;
  if (!is_new || fs::is_symlink(path, error)) return;
  const std::string aside = path + ".new";
  fs::remove(aside, error);
  fs::remove(aside + "-journal", error);
  {
    const Database database = open_database(aside, Store::Mode::kWrite);
    execute(database.get(), "PRAGMA synchronous = FULL");
    create_tables(database.get());
  }
  fs::rename(aside, path, error);
  if (error) throw StoreError(fmt::format("{}: {}", path, error.message()));
}

// Takes back what a killed process had begun to write, which one that only reads cannot.
void roll_back(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path + "-journal", error)) return;
  sqlite3* opened = nullptr;
  sqlite3_open_v2(path.c_str(), &opened, SQLITE_OPEN_READWRITE, nullptr);
  const Database database(opened);
  sqlite3_busy_timeout(opened, 20'000);
  sqlite3_exec(opened, "PRAGMA schema_version", nullptr, nullptr, nullptr);
}

// What is left of a database is one of ours, or nothing yet.
void check_kind(sqlite3* database, const std::string& path) {
  const std::int64_t application = pragma(database, "application_id");
  const std::int64_t version = pragma(database, "user_version");
  if (application != kApplication) {
    throw StoreError(fmt::format("{}: this is an SQLite file, but no store of tilewright", path));
  }
  if (version != kStoreVersion) {
    throw StoreError(fmt::format(
        "{}: its tables have version {}, and this program reads version {}; export it with the "
        "program that wrote it",
        path, version, kStoreVersion));
  }
  // A view or a trigger of a stranger would be run.
  Statement parts(database, "SELECT count(*) FROM sqlite_master WHERE type IN ('view', 'trigger')");
  if (parts.step() && parts.integer(0) != 0) {
    throw StoreError(path + ": it has views or triggers, and no store of tilewright has any");
  }
}

}  // namespace

// Held while a process writes; the system releases it however the process ends.
struct Store::Lock {
  explicit Lock(const std::string& store) {
    const std::string path = store + ".lock";
    file = open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    if (file < 0) throw StoreError(fmt::format("{}: {}", path, std::strerror(errno)));
    if (flock(file, LOCK_EX | LOCK_NB) == 0) return;
    const int reason = errno;
    close(file);
    throw StoreError(reason == EWOULDBLOCK
                         ? fmt::format("{}: another process is writing to it", store)
                         : fmt::format("{}: {}", path, std::strerror(reason)));
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  ~Lock() { close(file); }

  int file = -1;
};

Store::Store(std::string path, Mode mode) : path_(std::move(path)) {
  if (mode == Mode::kWrite) {
    lock_ = std::make_unique<Lock>(path_);
    create_store(path_);
  } else {
    roll_back(path_);
  }
  database_ = open_database(path_, mode);
  if (mode == Mode::kWrite) {
    execute(database_.get(), "PRAGMA synchronous = FULL");
    if (pragma(database_.get(), "application_id") == 0 &&
        pragma(database_.get(), "schema_version") == 0) {
      create_tables(database_.get());
    }
  }
  check_kind(database_.get(), path_);
  // Readers can look on while a log is written beside the file.
  if (mode == Mode::kWrite) execute(database_.get(), "PRAGMA journal_mode = WAL");
}

Store::~Store() {
  if (!lock_) return;
  // One plain file again, unless somebody is reading.
  sqlite3_busy_timeout(database_.get(), 0);
  sqlite3_exec(database_.get(), "PRAGMA journal_mode = DELETE", nullptr, nullptr, nullptr);
}

std::size_t Store::add(std::span<const Row> rows) {
  Transaction transaction(database_.get());
  Statement insert(database_.get(),
                   fmt::format("INSERT INTO results ({}) VALUES (?,?,?,?,?,?,?,?,?) "
                               "ON CONFLICT (key) DO NOTHING",
                               kColumns));
  const int before = sqlite3_total_changes(database_.get());
  Compressor compressor;
  for (const Row& row : rows) {
    const std::string body = compressor.compress(row.body);
    insert.bind_blob(as_bytes(row.key)).bind_text(row.status).bind(row.score).bind(row.energy_pj);
    insert.bind(row.cycles).bind(row.bound).bind(static_cast<std::int64_t>(row.nodes));
    insert.bind_blob(body).bind(row.seconds);
    insert.step();
    insert.reset();
  }
  const int after = sqlite3_total_changes(database_.get());
  transaction.commit();
  return static_cast<std::size_t>(after - before);
}

KeySet Store::keys() const {
  std::vector<Digest> keys;
  keys.reserve(size());
  // The index of the keys alone is read, not the rows.
  Statement select(database_.get(), "SELECT key FROM results ORDER BY key");
  while (select.step()) keys.push_back(to_digest(select.bytes(0)));
  return KeySet(std::move(keys));
}

void Store::for_each(const std::function<void(const Row&)>& visit) const {
  Statement select(database_.get(), fmt::format("SELECT {} FROM results ORDER BY key", kColumns));
  while (select.step()) visit(read_row(select));
}

void Store::add_plan(const std::string& text) {
  Transaction transaction(database_.get());
  const Digest digest = sha256_digest(text);
  const std::string packed = Compressor().compress(text);
  Statement remove(database_.get(), "DELETE FROM plans WHERE digest = ?");
  remove.bind_blob(as_bytes(digest)).step();
  Statement insert(database_.get(), "INSERT INTO plans (digest, text) VALUES (?,?)");
  insert.bind_blob(as_bytes(digest)).bind_blob(packed).step();
  transaction.commit();
}

std::vector<std::string> Store::plans() const {
  std::vector<std::string> texts;
  Statement select(database_.get(), "SELECT text FROM plans ORDER BY id");
  while (select.step()) texts.push_back(decompress(select.bytes(0)));
  return texts;
}

std::size_t Store::size() const {
  Statement count(database_.get(), "SELECT count(*) FROM results");
  count.step();
  return static_cast<std::size_t>(count.integer(0));
}

std::map<std::string, std::size_t> Store::statuses() const {
  std::map<std::string, std::size_t> counts;
  Statement count(database_.get(), "SELECT status, count(*) FROM results GROUP BY status");
  while (count.step()) {
    counts[std::string(count.bytes(0))] = static_cast<std::size_t>(count.integer(1));
  }
  return counts;
}

std::vector<std::string> Store::find_faults() const {
  std::vector<std::string> faults;
  Statement check(database_.get(), "PRAGMA integrity_check");
  while (check.step()) {
    if (check.bytes(0) != "ok") faults.emplace_back(check.bytes(0));
  }
  Statement select(database_.get(), fmt::format("SELECT {}, id FROM results", kColumns));
  while (select.step()) {
    try {
      const Row row = read_row(select);
      const bool has_body = row.score.has_value() || row.status == kFailedStatus;
      if (has_body == row.body.empty()) {
        faults.push_back(fmt::format("row {}: what it says and its status, {}, do not fit",
                                     select.integer(9), row.status));
      }
    } catch (const InputError& error) {
      faults.push_back(fmt::format("row {}: {}", select.integer(9), error.what()));
    }
  }
  Statement plans(database_.get(), "SELECT digest, text, id FROM plans");
  while (plans.step()) {
    try {
      const std::string text = decompress(plans.bytes(1));
      if (as_bytes(sha256_digest(text)) != plans.bytes(0)) {
        faults.push_back(fmt::format("plan {} is not the one it says it is", plans.integer(2)));
      }
    } catch (const InputError& error) {
      faults.push_back(fmt::format("plan {}: {}", plans.integer(2), error.what()));
    }
  }
  return faults;
}

RowFinder::RowFinder(const Store& store, bool bodies)
    : select_(store.database_.get(), fmt::format("SELECT {} FROM results WHERE key = ?", kColumns)),
      bodies_(bodies) {}

std::optional<Row> RowFinder::find(const Digest& key) {
  select_.reset();
  select_.bind_blob(as_bytes(key));
  if (!select_.step()) return std::nullopt;
  Row row = read_row(select_, bodies_);
  select_.reset();
  return row;
}

Merged merge(Store& into, const Store& from) {
  Merged merged;
  RowFinder finder(into, /*bodies=*/true);
  std::vector<Row> rows;
  const auto flush = [&] {
    merged.added += into.add(rows);
    rows.clear();
  };
  from.for_each([&](const Row& row) {
    const std::optional<Row> known = finder.find(row.key);
    if (!known) {
      rows.push_back(row);
      if (rows.size() == kMergeStep) flush();
    } else if (known->same_answer(row)) {
      ++merged.known;
    } else {
      merged.differ.push_back(to_hex(row.key));
    }
  });
  flush();
  for (const std::string& plan : from.plans()) into.add_plan(plan);
  return merged;
}

}  // namespace tilewright
