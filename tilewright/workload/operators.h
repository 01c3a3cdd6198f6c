// SPDX-License-Identifier: Apache-2.0
// Workloads from numbers: the usual operators, and any einsum. They have the names, dims and roles
// of the short forms in files (docs/formats.md), and elements of 16 bits.
//   gemm(512, 768, 3072)
//   conv({.m = 64, .c = 64, .p = 56, .q = 56, .r = 3, .s = 3, .stride = 2})
//   einsum("Z[m,n] += A[m,k] * B[k,n]", {{"m", 512}, {"n", 768}, {"k", 3072}})
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "tilewright/workload/einsum.h"
#include "tilewright/workload/workload.h"

namespace tilewright {

/// A step along each axis of an image: one number for all axes, or one each.
struct Steps {
  constexpr Steps(std::int64_t all = 1) : p(all), q(all), o(all) {}  // NOLINT: `.stride = 2`
  constexpr Steps(std::int64_t along_p, std::int64_t along_q, std::int64_t along_o = 1)
      : p(along_p), q(along_q), o(along_o) {}

  std::int64_t p = 1;
  std::int64_t q = 1;
  std::int64_t o = 1;
};

/// The numbers of a convolution. `m` and `c` are totals over the groups, which divide them.
struct ConvShape {
  std::int64_t n = 1;                  ///< images
  std::int64_t m = 1;                  ///< filters; ignored if depthwise
  std::int64_t c = 1;                  ///< channels
  std::int64_t p = 1;                  ///< output rows
  std::int64_t q = 1;                  ///< output columns
  std::int64_t r = 1;                  ///< filter rows
  std::int64_t s = 1;                  ///< filter columns
  std::optional<std::int64_t> o = {};  ///< output size along a third axis, if there is one
  std::int64_t t = 1;                  ///< filter size along it
  Steps stride = {};
  Steps dilation = {};
  std::int64_t groups = 1;
  bool depthwise = false;   ///< one filter per channel
  bool transposed = false;  ///< p, q and o are then the size of the input
};

/// Z[m,n] += A[m,k] * B[k,n].
Workload gemm(std::int64_t m, std::int64_t n, std::int64_t k);
/// Z[b,m,n] += A[b,m,k] * B[b,k,n].
Workload bmm(std::int64_t b, std::int64_t m, std::int64_t n, std::int64_t k);
/// Outputs[n,m,p,q] += Inputs[n,c,p+r,q+s] * Weights[m,c,r,s], with strides and dilations; with
/// groups there is a dim `g`, with a third axis there are `o` and `t`.
Workload conv(const ConvShape& shape);
/// Every dim of the einsum has a size.
Workload einsum(std::string_view text,
                std::initializer_list<std::pair<std::string_view, std::int64_t>> sizes);
Workload einsum(std::string_view text,
                std::span<const std::pair<std::string_view, std::int64_t>> sizes);
// All of them throw InputError (base/input_error.h) if the numbers form no workload: sizes start at
// 1, their product is at most 2^62, groups divide `m` and `c`; or if the text is no einsum.

/// The same workload with elements of another width, for the tensor of that name or those of that
/// role; partial sums of an output may be wider than its results. Widths are 1 to kWidest bits.
/// Throws InputError.
Workload with_bits(const Workload& workload, std::string_view tensor, std::int64_t bits,
                   std::optional<std::int64_t> partial_bits = std::nullopt);
inline constexpr std::int64_t kWidest = 1024;

/// The same, not yet checked. conv_einsum: groups divide `m` and `c`.
Einsum gemm_einsum(std::int64_t m, std::int64_t n, std::int64_t k);
Einsum bmm_einsum(std::int64_t b, std::int64_t m, std::int64_t n, std::int64_t k);
Einsum conv_einsum(const ConvShape& shape);

}  // namespace tilewright
