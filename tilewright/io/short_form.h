// SPDX-License-Identifier: Apache-2.0
// The short forms of a workload, as the einsum and sizes that they stand for.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "tilewright/io/diagnostic.h"
#include "tilewright/io/yaml_tree.h"

namespace tilewright {

/// An einsum as text and the sizes of its dims.
struct ShortForm {
  std::string einsum;
  std::map<std::string, std::int64_t> sizes;
};

std::optional<ShortForm> read_gemm(const YamlNode& node, Diagnostics& diagnostics);
std::optional<ShortForm> read_bmm(const YamlNode& node, Diagnostics& diagnostics);
std::optional<ShortForm> read_conv(const YamlNode& node, Diagnostics& diagnostics);

}  // namespace tilewright
