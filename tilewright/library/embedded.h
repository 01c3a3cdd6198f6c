// SPDX-License-Identifier: Apache-2.0
// What cmake/EmbedFiles.cmake generates; only library.cpp needs it.
#pragma once

#include <span>
#include <string_view>

namespace tilewright::internal {

struct EmbeddedFile {
  std::string_view name;  ///< without directory and extension
  std::string_view text;
};

/// The files of archs/ and of networks/, in the order of CMakeLists.txt.
std::span<const EmbeddedFile> embedded_archs();
std::span<const EmbeddedFile> embedded_networks();

}  // namespace tilewright::internal
