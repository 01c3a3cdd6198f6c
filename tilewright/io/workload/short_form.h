// SPDX-License-Identifier: Apache-2.0
// The short forms of a workload, as the einsum and sizes that they stand for.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "tilewright/io/diagnostic.h"
#include "tilewright/io/yaml/yaml_tree.h"

namespace tilewright {

/// An einsum as text and the sizes of its dims.
struct ShortForm {
  std::string einsum;
  std::map<std::string, std::int64_t> sizes;
};

/// One axis of an image: how many windows, how many taps in each.
struct ConvAxis {
  std::int64_t windows = 1;
  std::int64_t taps = 1;
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
};

/// The numbers of a convolution; `m` and `c` are totals over the groups, which divide them.
struct ConvSizes {
  std::int64_t n = 1;
  std::int64_t m = 1;  ///< not looked at if depthwise
  std::int64_t c = 1;
  std::array<ConvAxis, 3> axes;  ///< p and r, q and s, o and t
  bool third_axis = false;       ///< false: there are no o and t
  std::int64_t groups = 1;
  bool depthwise = false;
  bool transposed = false;  ///< the windows lie in the output
};

ShortForm conv_form(const ConvSizes& sizes);
ShortForm gemm_form(std::int64_t m, std::int64_t n, std::int64_t k);
ShortForm bmm_form(std::int64_t b, std::int64_t m, std::int64_t n, std::int64_t k);

std::optional<ShortForm> read_gemm(const YamlNode& node, Diagnostics& diagnostics);
std::optional<ShortForm> read_bmm(const YamlNode& node, Diagnostics& diagnostics);
std::optional<ShortForm> read_conv(const YamlNode& node, Diagnostics& diagnostics);

}  // namespace tilewright
