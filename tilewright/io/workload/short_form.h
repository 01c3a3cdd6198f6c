// SPDX-License-Identifier: Apache-2.0
// The short forms of a workload (`gemm`, `bmm`, `conv`), read from a file.
#pragma once

#include <optional>

#include "tilewright/io/diagnostic.h"
#include "tilewright/io/yaml/yaml_tree.h"
#include "tilewright/workload/einsum.h"

namespace tilewright {

std::optional<Einsum> read_gemm(const YamlNode& node, Diagnostics& diagnostics);
std::optional<Einsum> read_bmm(const YamlNode& node, Diagnostics& diagnostics);
std::optional<Einsum> read_conv(const YamlNode& node, Diagnostics& diagnostics);

}  // namespace tilewright
