// SPDX-License-Identifier: Apache-2.0
#include "tilewright/store/row.h"

#include <cstring>
#include <tuple>

#include "tilewright/base/input_error.h"

namespace tilewright {
namespace {

class Writer {
 public:
  template <typename Number>
  void number(Number value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    out_.append(bytes, sizeof value);
  }

  template <typename Number>
  void maybe(const std::optional<Number>& value) {
    number(static_cast<char>(value.has_value()));
    number(value.value_or(Number{}));
  }

  void text(std::string_view text) {
    number(std::uint64_t{text.size()});
    out_ += text;
  }

  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : left_(bytes) {}

  bool at_end() const { return left_.empty(); }

  template <typename Number>
  Number number() {
    const std::string_view bytes = take(sizeof(Number));
    Number value{};
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }

  template <typename Number>
  std::optional<Number> maybe() {
    const bool there = number<char>() != 0;
    const Number value = number<Number>();
    return there ? std::optional(value) : std::nullopt;
  }

  std::string text() { return std::string(take(number<std::uint64_t>())); }

 private:
  std::string_view take(std::uint64_t count) {
    if (count > left_.size())
      throw InputError("these bytes are no rows of a store: they end early");
    const std::string_view taken = left_.substr(0, count);
    left_.remove_prefix(count);
    return taken;
  }

  std::string_view left_;
};

}  // namespace

bool Row::same_answer(const Row& other) const {
  const auto told = [](const Row& row) {
    return std::tie(row.key, row.status, row.score, row.energy_pj, row.cycles, row.bound, row.nodes,
                    row.body);
  };
  return told(*this) == told(other);
}

std::string rows_to_bytes(std::span<const Row> rows) {
  Writer writer;
  for (const Row& row : rows) {
    writer.number(row.key);
    writer.text(row.status);
    writer.maybe(row.score);
    writer.maybe(row.energy_pj);
    writer.maybe(row.cycles);
    writer.maybe(row.bound);
    writer.number(row.nodes);
    writer.text(row.body);
    writer.number(row.seconds);
  }
  return writer.take();
}

std::vector<Row> rows_from_bytes(std::string_view bytes) {
  std::vector<Row> rows;
  for (Reader reader(bytes); !reader.at_end();) {
    Row& row = rows.emplace_back();
    row.key = reader.number<Digest>();
    row.status = reader.text();
    row.score = reader.maybe<double>();
    row.energy_pj = reader.maybe<double>();
    row.cycles = reader.maybe<std::int64_t>();
    row.bound = reader.maybe<double>();
    row.nodes = reader.number<std::uint64_t>();
    row.body = reader.text();
    row.seconds = reader.number<double>();
  }
  return rows;
}

}  // namespace tilewright
