// SPDX-License-Identifier: Apache-2.0
// Values as bytes and back, for pickles: one list of fields for both ways (`fields` of a struct).
// The bytes hold for one version of the program on one kind of machine.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tilewright/base/index.h"
#include "tilewright/base/input_error.h"

namespace tilewright::python {

template <typename T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

class Saver {
 public:
  template <typename... Values>
  void operator()(const Values&... values) {
    (save(values), ...);
  }
  std::string take() { return std::move(bytes_); }

 private:
  template <typename T>
  void save(const T& value) {
    if constexpr (Plain<T>) {
      bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    } else {
      // One list of fields serves both ways; saving changes nothing.
      fields(*this, const_cast<T&>(value));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
    }
  }
  template <typename Tag>
  void save(const Index<Tag>& index) {
    save(index.value);
  }
  void save(const std::string& text) {
    save(text.size());
    bytes_ += text;
  }
  template <typename T>
  void save(const std::optional<T>& value) {
    save(value.has_value());
    if (value) save(*value);
  }
  template <typename T>
  void save(const std::vector<T>& values) {
    save(values.size());
    for (const T& value : values) save(value);
  }

  std::string bytes_;
};

/// What a value is before its fields are read; others than these are made by default.
template <typename T>
T make_empty() {
  return T{};
}

/// Throws InputError where the bytes end too early.
class Loader {
 public:
  explicit Loader(std::string_view bytes) : bytes_(bytes) {}

  template <typename... Values>
  void operator()(Values&... values) {
    (load(values), ...);
  }

 private:
  template <typename T>
  void load(T& value) {
    if constexpr (Plain<T>) {
      std::memcpy(&value, take(sizeof value).data(), sizeof value);
    } else {
      fields(*this, value);
    }
  }
  template <typename Tag>
  void load(Index<Tag>& index) {
    load(index.value);
  }
  void load(std::string& text) { text = take(load_size()); }
  template <typename T>
  void load(std::optional<T>& value) {
    bool there = false;
    load(there);
    value.reset();
    if (!there) return;
    value.emplace(make_empty<T>());
    load(*value);
  }
  template <typename T>
  void load(std::vector<T>& values) {
    values.clear();
    for (std::size_t i = load_size(); i > 0; --i) {
      values.push_back(make_empty<T>());
      load(values.back());
    }
  }

  // Every item has at least a byte: a spoilt size is found out here.
  std::size_t load_size() {
    std::size_t size = 0;
    load(size);
    if (size > bytes_.size()) throw InputError("these bytes are no pickled result");
    return size;
  }
  std::string_view take(std::size_t size) {
    if (size > bytes_.size()) throw InputError("these bytes are no pickled result");
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }

  std::string_view bytes_;
};

}  // namespace tilewright::python
