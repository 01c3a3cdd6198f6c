// SPDX-License-Identifier: Apache-2.0
#include "tilewright/cli/commands/demo_files.h"

#include "tilewright/library/embedded.h"

namespace tilewright {
namespace internal {

// Made by tilewright_embed_files; entries carry their names without extension.
std::span<const EmbeddedFile> embedded_demo();

}  // namespace internal

std::vector<DemoFile> demo_files() {
  std::vector<DemoFile> result;
  for (const internal::EmbeddedFile& file : internal::embedded_demo()) {
    const std::string_view name = file.name == "arch"       ? "arch.yaml"
                                  : file.name == "workload" ? "workload.yaml"
                                                            : "mapping.nest";
    result.push_back({name, file.text});
  }
  return result;
}

}  // namespace tilewright
