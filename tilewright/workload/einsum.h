// SPDX-License-Identifier: Apache-2.0
// The einsum notation: O[n,m,p,q] += I[n,c,2p+r,2q+s] * W[m,c,r,s]
// `=` says the same as `+=`. A subscript is a sum of dims with whole coefficients (`2p`, `2*p`,
// `p*2`, `-p`); constants move nothing and are dropped; a dim that occurs twice is added up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/workload/workload.h"

namespace tilewright {

/// The parts of a workload while they are put together; find_workload_faults says whether they
/// make one. The output is the last tensor. Roles are set: the last input of several is the
/// `weight`, the others are `input`.
struct Einsum {
  std::vector<Dim> dims;  ///< in the order of first appearance, from the left: the output first
  std::vector<Tensor> tensors;
};

/// What is wrong with an einsum, and where: `length` bytes from `offset` of its text. A place at
/// the end of the text has length 1.
struct EinsumFault {
  std::string message;
  std::string help = {};  ///< may be empty
  std::size_t offset = 0;
  std::size_t length = 0;
};

/// Nothing, and a fault, if `text` is no einsum or has more dims or tensors than a Workload may
/// have. The sizes of the dims are 1: the notation does not have them.
std::optional<Einsum> parse_einsum(std::string_view text, EinsumFault& fault);

/// Coefficients of subscripts are at most this, positive or negative.
inline constexpr std::int64_t kLargestCoefficient = std::int64_t{1} << 40;
inline constexpr const char* kCoefficientTooLarge = "the coefficient is too large";

/// False: kCoefficientTooLarge. What was parsed has only coefficients that fit.
bool coefficients_fit(const Einsum& einsum);

/// Puts an einsum together in the order of its text, the output first: add_tensor, then for each
/// subscript add_rank, then for each of its terms add_term. Each says what is wrong, without a
/// place; the einsum is then not to be used.
class EinsumBuilder {
 public:
  std::optional<EinsumFault> add_tensor(std::string_view name);
  void add_rank();
  /// The size counts where the dim occurs for the first time.
  std::optional<EinsumFault> add_term(std::string_view dim, std::int64_t coefficient = 1,
                                      std::int64_t size = 1);

  /// The whole, with the output moved to its end.
  std::optional<EinsumFault> finish(Einsum& result);

 private:
  std::optional<EinsumFault> find_or_add(std::string_view dim, std::int64_t size, DimId& id);

  Einsum einsum_;  // the output first
};

}  // namespace tilewright
