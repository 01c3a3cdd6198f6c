// SPDX-License-Identifier: Apache-2.0
// What is computed: an einsum whose indices are affine in the dims, and the sizes of the dims.
//   O[n,m,p,q] += I[n,c,2p+r,2q+s] * W[m,c,r,s]
// See docs/glossary.md ("dim", "tensor", "rank").
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/base/index.h"

namespace tilewright {

/// One loop dimension of the einsum; `size` >= 1.
struct Dim {
  std::string name;
  std::int64_t size = 1;
  bool operator==(const Dim&) const = default;
};

/// `coefficient` * `dim`; the coefficient is not 0 and may be negative.
struct Term {
  DimId dim;
  std::int64_t coefficient = 1;
  bool operator==(const Term&) const = default;
};

/// One subscript of a tensor: a sum of terms over different dims. Constants have no effect and are
/// not stored. A rank with one term is plain, one with several terms is affine.
struct Rank {
  std::vector<Term> terms;
  bool operator==(const Rank&) const = default;
};

/// One operand. `role` is a second name by which architectures may refer to it
/// ("input", "weight", "output"); `bits` is the width of an element. Partial sums of an output may
/// be wider: `partial_bits`, if given.
struct Tensor {
  std::string name;
  std::string role;
  std::int64_t bits = 16;
  std::vector<Rank> ranks;
  std::optional<std::int64_t> partial_bits = std::nullopt;
  bool operator==(const Tensor&) const = default;
};

/// An einsum with sizes: a plain value.
///
/// Invariant (checked by the constructor, InternalError): 1 to kMaxDims dims, 2 to kMaxTensors
/// tensors, the output last; names unique; every dim occurs in some tensor; within a tensor no dim
/// occurs in two ranks; the product of all dims (the computes) fits in 62 bits, and so does the
/// extent of every rank.
class Workload {
 public:
  static constexpr int kMaxDims = 16;
  static constexpr int kMaxTensors = 8;

  Workload(std::string name, std::vector<Dim> dims, std::vector<Tensor> tensors);

  const std::string& name() const { return name_; }
  std::span<const Dim> dims() const { return dims_; }
  std::span<const Tensor> tensors() const { return tensors_; }
  const Dim& dim(DimId id) const { return dims_[id.pos()]; }
  const Tensor& tensor(TensorId id) const { return tensors_[id.pos()]; }

  /// The tensor that is written; always the last one.
  TensorId output() const { return TensorId(tensors_.size() - 1); }
  /// True if `dim` occurs in a subscript of `tensor`.
  bool relevant(TensorId tensor, DimId dim) const {
    return (relevant_[tensor.pos()] >> dim.value & 1U) != 0;
  }
  /// Bit d is set if dim d occurs in a subscript of `tensor`.
  std::uint32_t relevant_dims(TensorId tensor) const { return relevant_[tensor.pos()]; }
  /// Bit d is set if a loop over dim d may add to an element of the output several times: dims that
  /// the output does not depend on, and those of a subscript that has one value at several points
  /// (docs/model.md section 6).
  std::uint32_t summing_dims() const { return summing_; }
  /// Multiply-accumulates: the product of all dims.
  std::int64_t computes() const { return computes_; }

  std::optional<DimId> find_dim(std::string_view name) const;
  /// By name only, not by role.
  std::optional<TensorId> find_tensor(std::string_view name) const;

  bool operator==(const Workload&) const = default;

 private:
  std::string name_;
  std::vector<Dim> dims_;
  std::vector<Tensor> tensors_;
  std::vector<std::uint32_t> relevant_;
  std::uint32_t summing_ = 0;
  std::int64_t computes_ = 1;
};

/// Why these parts do not form a Workload, one sentence each; empty if they do.
std::vector<std::string> find_workload_faults(std::span<const Dim> dims,
                                              std::span<const Tensor> tensors);

/// One subscript as text: `2*p+r`; `0` if it has no terms.
std::string to_subscript(const Workload& workload, const Rank& rank);

/// The einsum as text that `parse_einsum` reads back, e.g. `O[m] += A[m,k] * B[k]`.
std::string to_einsum(const Workload& workload);

}  // namespace tilewright
