// SPDX-License-Identifier: Apache-2.0
#include "tilewright/workload/workload.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "tilewright/base/checked.h"

namespace tilewright {
namespace {

constexpr std::int64_t kLargest = std::int64_t{1} << 62;

void find_size_faults(std::span<const Dim> dims, std::vector<std::string>& faults) {
  __int128 computes = 1;
  for (const Dim& dim : dims) {
    if (dim.size < 1) {
      faults.push_back("dim `" + dim.name + "` has size " + std::to_string(dim.size) +
                       "; sizes start at 1");
      return;
    }
    computes *= dim.size;
    if (computes > kLargest) {
      faults.push_back("the product of the dims exceeds 2^62");
      return;
    }
  }
}

void find_tensor_faults(std::span<const Dim> dims, const Tensor& tensor, std::uint32_t& seen,
                        std::vector<std::string>& faults) {
  if (tensor.bits < 1 || tensor.bits > 4096) {
    faults.push_back("tensor `" + tensor.name + "` has elements of " + std::to_string(tensor.bits) +
                     " bits; 1 to 4096 are possible");
  }
  if (tensor.partial_bits && (*tensor.partial_bits < tensor.bits || *tensor.partial_bits > 4096)) {
    faults.push_back("tensor `" + tensor.name + "` has partial sums of " +
                     std::to_string(*tensor.partial_bits) + " bits; " +
                     std::to_string(tensor.bits) + " (a finished element) to 4096 are possible");
  }
  std::uint32_t here = 0;
  for (const Rank& rank : tensor.ranks) {
    __int128 extent = 1;
    for (const Term& term : rank.terms) {
      TW_CHECK(term.dim.valid() && term.dim.pos() < dims.size(), "a term names a dim");
      const Dim& dim = dims[term.dim.pos()];
      if (term.coefficient == 0) {
        faults.push_back("tensor `" + tensor.name + "`: the coefficient of `" + dim.name +
                         "` is 0");
      }
      if ((here >> term.dim.value & 1U) != 0) {
        faults.push_back("tensor `" + tensor.name + "` uses dim `" + dim.name +
                         "` in two subscripts, which is not supported");
      }
      here |= 1U << term.dim.value;
      const __int128 step = term.coefficient < 0 ? -static_cast<__int128>(term.coefficient)
                                                 : static_cast<__int128>(term.coefficient);
      extent += step * (dim.size - 1);
    }
    if (extent > kLargest) {
      faults.push_back("tensor `" + tensor.name + "`: a subscript runs beyond 2^62");
    }
  }
  seen |= here;
}

// Dims of a rank in which two points may have the same value. Of two terms m a + n b, (a, b) and
// (a + n, b - m) do, if both sizes allow for it; of more terms that is taken for granted.
std::uint32_t meeting_dims(std::span<const Dim> dims, const Rank& rank) {
  std::vector<Term> terms;
  std::uint32_t mask = 0;
  for (const Term& term : rank.terms) {
    if (dims[term.dim.pos()].size == 1) continue;
    terms.push_back(term);
    mask |= 1U << term.dim.value;
  }
  if (terms.size() < 2) return 0;
  if (terms.size() > 2) return mask;
  const std::int64_t divisor = std::gcd(terms[0].coefficient, terms[1].coefficient);
  const auto reach = [&](const Term& term) { return std::abs(term.coefficient / divisor); };
  const bool meet = dims[terms[0].dim.pos()].size > reach(terms[1]) &&
                    dims[terms[1].dim.pos()].size > reach(terms[0]);
  return meet ? mask : 0;
}

std::uint32_t find_summing_dims(std::span<const Dim> dims, const Tensor& output) {
  std::uint32_t plain = 0;
  std::uint32_t meeting = 0;
  for (const Rank& rank : output.ranks) {
    for (const Term& term : rank.terms) plain |= 1U << term.dim.value;
    meeting |= meeting_dims(dims, rank);
  }
  return (~plain & ((1U << dims.size()) - 1)) | meeting;
}

}  // namespace

std::vector<std::string> find_workload_faults(std::span<const Dim> dims,
                                              std::span<const Tensor> tensors) {
  std::vector<std::string> faults;
  if (dims.empty() || dims.size() > Workload::kMaxDims) {
    faults.push_back("a workload has 1 to " + std::to_string(Workload::kMaxDims) +
                     " dims, this one " + std::to_string(dims.size()));
    return faults;
  }
  if (tensors.size() < 2 || tensors.size() > Workload::kMaxTensors) {
    faults.push_back("a workload has 2 to " + std::to_string(Workload::kMaxTensors) +
                     " tensors, this one " + std::to_string(tensors.size()));
    return faults;
  }
  find_size_faults(dims, faults);
  std::uint32_t seen = 0;
  for (const Tensor& tensor : tensors) find_tensor_faults(dims, tensor, seen, faults);
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if ((seen >> d & 1U) == 0) {
      faults.push_back("dim `" + dims[d].name + "` occurs in no tensor");
    }
    for (std::size_t e = 0; e < d; ++e) {
      if (dims[e].name == dims[d].name)
        faults.push_back("two dims are called `" + dims[d].name + "`");
    }
  }
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    for (std::size_t u = 0; u < t; ++u) {
      if (tensors[u].name == tensors[t].name) {
        faults.push_back("two tensors are called `" + tensors[t].name + "`");
      }
    }
  }
  return faults;
}

Workload::Workload(std::string name, std::vector<Dim> dims, std::vector<Tensor> tensors)
    : name_(std::move(name)), dims_(std::move(dims)), tensors_(std::move(tensors)) {
  const std::vector<std::string> faults = find_workload_faults(dims_, tensors_);
  TW_CHECK(faults.empty(), faults.front());
  for (const Tensor& tensor : tensors_) {
    std::uint32_t mask = 0;
    for (const Rank& rank : tensor.ranks) {
      for (const Term& term : rank.terms) mask |= 1U << term.dim.value;
    }
    relevant_.push_back(mask);
  }
  for (const Dim& dim : dims_) computes_ *= dim.size;
  summing_ = find_summing_dims(dims_, tensors_.back());
}

std::optional<DimId> Workload::find_dim(std::string_view name) const {
  const auto it = std::ranges::find(dims_, name, &Dim::name);
  if (it == dims_.end()) return std::nullopt;
  return DimId(static_cast<std::size_t>(it - dims_.begin()));
}

std::optional<TensorId> Workload::find_tensor(std::string_view name) const {
  const auto it = std::ranges::find(tensors_, name, &Tensor::name);
  if (it == tensors_.end()) return std::nullopt;
  return TensorId(static_cast<std::size_t>(it - tensors_.begin()));
}

std::string to_subscript(const Workload& workload, const Rank& rank) {
  std::string text;
  for (const Term& term : rank.terms) {
    const std::int64_t size = term.coefficient < 0 ? -term.coefficient : term.coefficient;
    if (term.coefficient < 0) {
      text += "-";
    } else if (!text.empty()) {
      text += "+";
    }
    if (size != 1) text += std::to_string(size) + "*";
    text += workload.dim(term.dim).name;
  }
  return text.empty() ? "0" : text;
}

namespace {

std::string access(const Workload& workload, const Tensor& tensor) {
  std::string text = tensor.name + "[";
  for (std::size_t r = 0; r < tensor.ranks.size(); ++r) {
    if (r > 0) text += ",";
    text += to_subscript(workload, tensor.ranks[r]);
  }
  return text + "]";
}

}  // namespace

std::string to_einsum(const Workload& workload) {
  std::string text = access(workload, workload.tensor(workload.output())) + " +=";
  for (std::size_t t = 0; t + 1 < workload.tensors().size(); ++t) {
    text += (t > 0 ? " * " : " ") + access(workload, workload.tensors()[t]);
  }
  return text;
}

}  // namespace tilewright
