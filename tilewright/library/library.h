// SPDX-License-Identifier: Apache-2.0
// The accelerators and networks that come with the program: the files of archs/ and networks/,
// inside the binary. They are texts in the format of docs/formats.md, comments and all, so that a
// user can print one, change it and read it back; io/read.h makes an Arch or a Network of one.
#pragma once

#include <span>
#include <string_view>

namespace tilewright {

/// One file.
struct LibraryEntry {
  std::string_view name;     ///< the file's name without .yaml, and `name:` in it
  std::string_view summary;  ///< one line: the file's first comment
  std::string_view text;     ///< the file
};

/// All of them, sorted by name.
std::span<const LibraryEntry> library_archs();
std::span<const LibraryEntry> library_networks();

/// The one of that name; null if there is none.
const LibraryEntry* find_library_arch(std::string_view name);
const LibraryEntry* find_library_network(std::string_view name);

}  // namespace tilewright
