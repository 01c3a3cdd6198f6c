// SPDX-License-Identifier: Apache-2.0
// The layers of experiments/data: a table of convolutions, and each as a Workload.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/workload/workload.h"

namespace tilewright {

/// A convolution. `p` and `q` are the output's sizes, of a transposed one the input's; a matrix
/// product is one with p, q, r, s of 1.
struct ConvLayer {
  std::string name;
  std::int64_t n = 1, m = 1, c = 1, p = 1, q = 1, r = 1, s = 1;
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  bool transposed = false;
  std::int64_t count = 1;  ///< how often it occurs in the network

  bool operator==(const ConvLayer&) const = default;
};

/// A table as in experiments/data: `#` starts a comment, the first other line names the columns.
/// Throws std::runtime_error with the line's number.
std::vector<ConvLayer> read_layers(std::string_view csv);

/// O[n,m,p,q] += I[n,c,2*p+r,2*q+s] * W[m,c,r,s] for a stride of 2; in a transposed convolution the
/// output has the affine ranks. Roles are input, weight, output.
Workload layer_workload(const ConvLayer& layer);

}  // namespace tilewright
