// SPDX-License-Identifier: Apache-2.0
// The files of examples/first, inside the binary.
#pragma once

#include <string_view>
#include <vector>

namespace tilewright {

struct DemoFile {
  std::string_view name;  ///< `arch.yaml`
  std::string_view text;
};

std::vector<DemoFile> demo_files();

}  // namespace tilewright
