// SPDX-License-Identifier: Apache-2.0
#include "tilewright/library/library.h"

#include <algorithm>
#include <vector>

#include "tilewright/base/error.h"
#include "tilewright/library/embedded.h"

namespace tilewright {
namespace {

std::string_view first_comment(std::string_view text) {
  TW_CHECK(text.starts_with("# "), "a library file starts with a comment");
  return text.substr(2, text.find('\n') - 2);
}

std::vector<LibraryEntry> make_entries(std::span<const internal::EmbeddedFile> files) {
  std::vector<LibraryEntry> entries;
  for (const internal::EmbeddedFile& file : files) {
    entries.push_back({file.name, first_comment(file.text), file.text});
  }
  std::ranges::sort(entries, {}, &LibraryEntry::name);
  return entries;
}

const LibraryEntry* find_entry(std::span<const LibraryEntry> entries, std::string_view name) {
  const auto found = std::ranges::lower_bound(entries, name, {}, &LibraryEntry::name);
  return found != entries.end() && found->name == name ? &*found : nullptr;
}

}  // namespace

std::span<const LibraryEntry> library_archs() {
  static const std::vector<LibraryEntry> entries = make_entries(internal::embedded_archs());
  return entries;
}

std::span<const LibraryEntry> library_networks() {
  static const std::vector<LibraryEntry> entries = make_entries(internal::embedded_networks());
  return entries;
}

const LibraryEntry* find_library_arch(std::string_view name) {
  return find_entry(library_archs(), name);
}

const LibraryEntry* find_library_network(std::string_view name) {
  return find_entry(library_networks(), name);
}

}  // namespace tilewright
