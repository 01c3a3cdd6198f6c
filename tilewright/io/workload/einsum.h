// SPDX-License-Identifier: Apache-2.0
// The einsum notation: O[n,m,p,q] += I[n,c,2p+r,2q+s] * W[m,c,r,s]
// `=` says the same as `+=`. A subscript is a sum of dims with whole coefficients (`2p`, `2*p`,
// `p*2`, `-p`); constants move nothing and are dropped; a dim that occurs twice is added up.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/io/yaml/fault.h"
#include "tilewright/workload/workload.h"

namespace tilewright {

/// An einsum without sizes. Tensors have neither role nor bits yet; the output is the last one.
struct Einsum {
  std::vector<std::string> dims;  ///< in the order of first appearance, from the left
  std::vector<Tensor> tensors;
};

/// Nothing, and a fault with its place in the text, if `text` is no einsum or has more dims or
/// tensors than a Workload may have.
std::optional<Einsum> parse_einsum(std::string_view text, TextFault& fault);

}  // namespace tilewright
