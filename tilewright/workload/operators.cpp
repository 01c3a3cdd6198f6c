// SPDX-License-Identifier: Apache-2.0
#include "tilewright/workload/operators.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "tilewright/base/error.h"
#include "tilewright/base/input_error.h"
#include "tilewright/base/text/printable.h"

namespace tilewright {
namespace {

// Dims of operators have names of one letter.
struct LetterTerm {
  char dim = 0;
  std::int64_t coefficient = 1;
};
using Subscripts = std::vector<std::vector<LetterTerm>>;

/// A subscript for each letter.
Subscripts plain(std::string_view dims) {
  Subscripts result;
  for (const char dim : dims) result.push_back({{dim}});
  return result;
}

Subscripts operator+(Subscripts first, const Subscripts& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// Puts together an operator, the output first; nothing can be wrong with it but its numbers.
class Operator {
 public:
  explicit Operator(std::map<char, std::int64_t> sizes) : sizes_(std::move(sizes)) {}

  Operator& access(const char* tensor, const Subscripts& subscripts) {
    check(builder_.add_tensor(tensor));
    for (const std::vector<LetterTerm>& terms : subscripts) {
      builder_.add_rank();
      for (const LetterTerm& term : terms) {
        check(builder_.add_term({&term.dim, 1}, term.coefficient, sizes_.at(term.dim)));
      }
    }
    return *this;
  }

  Einsum finish() {
    Einsum result;
    check(builder_.finish(result));
    return result;
  }

 private:
  static void check(const std::optional<EinsumFault>& fault) {
    TW_CHECK(!fault, "an operator is an einsum");
  }

  std::map<char, std::int64_t> sizes_;
  EinsumBuilder builder_;
};

Workload checked(const std::string& name, Einsum einsum) {
  if (!coefficients_fit(einsum)) throw InputError(name + ": " + kCoefficientTooLarge);
  const std::vector<std::string> faults = find_workload_faults(einsum.dims, einsum.tensors);
  if (!faults.empty()) throw InputError(name + ": " + faults.front());
  return {name, std::move(einsum.dims), std::move(einsum.tensors)};
}

void check_groups(const ConvShape& shape) {
  if (shape.groups == 1) return;
  if (shape.groups < 1) throw InputError("conv: `groups` starts at 1");
  if (shape.depthwise) throw InputError("conv: `groups` and `depthwise` cannot be given together");
  for (const auto& [dim, size] : {std::pair{"m", shape.m}, std::pair{"c", shape.c}}) {
    if (size % shape.groups == 0) continue;
    throw InputError("conv: `groups` is " + std::to_string(shape.groups) +
                     ", which does not divide `" + dim + "`, which is " + std::to_string(size));
  }
}

}  // namespace

Workload with_bits(const Workload& workload, std::string_view tensor, std::int64_t bits,
                   std::optional<std::int64_t> partial_bits) {
  for (const std::int64_t width : {bits, partial_bits.value_or(bits)}) {
    if (width >= 1 && width <= kWidest) continue;
    throw InputError("an element has 1 to " + std::to_string(kWidest) + " bits, not " +
                     std::to_string(width));
  }
  std::vector<Tensor> tensors(workload.tensors().begin(), workload.tensors().end());
  const std::optional<TensorId> named = workload.find_tensor(tensor);
  bool found = false;
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    if (named ? t != named->pos() : tensors[t].role != tensor) continue;
    found = true;
    if (partial_bits && t != workload.output().pos()) {
      throw InputError(in_backticks(tensors[t].name) + " is an input, which has no partial sums");
    }
    if (partial_bits && *partial_bits < bits) {
      throw InputError("partial sums of " + in_backticks(tensors[t].name) +
                       " are narrower than its results: " + std::to_string(*partial_bits) +
                       " and " + std::to_string(bits) + " bits");
    }
    tensors[t].bits = bits;
    tensors[t].partial_bits = partial_bits;
  }
  if (!found) {
    throw InputError("workload " + in_backticks(workload.name()) + " has no tensor or role " +
                     in_backticks(tensor));
  }
  return {workload.name(), {workload.dims().begin(), workload.dims().end()}, std::move(tensors)};
}

Einsum gemm_einsum(std::int64_t m, std::int64_t n, std::int64_t k) {
  return Operator({{'m', m}, {'n', n}, {'k', k}})
      .access("Z", plain("mn"))
      .access("A", plain("mk"))
      .access("B", plain("kn"))
      .finish();
}

Einsum bmm_einsum(std::int64_t b, std::int64_t m, std::int64_t n, std::int64_t k) {
  return Operator({{'b', b}, {'m', m}, {'n', n}, {'k', k}})
      .access("Z", plain("bmn"))
      .access("A", plain("bmk"))
      .access("B", plain("bkn"))
      .finish();
}

Einsum conv_einsum(const ConvShape& shape) {
  const Steps& stride = shape.stride;
  const Steps& dilation = shape.dilation;
  const bool deep = shape.o.has_value();
  const bool grouped = shape.groups > 1;
  const Subscripts windows = plain(deep ? "pqo" : "pq");
  Subscripts pixels = {{{'p', stride.p}, {'r', dilation.p}}, {{'q', stride.q}, {'s', dilation.q}}};
  if (deep) pixels.push_back({{'o', stride.o}, {'t', dilation.o}});
  const Subscripts outputs = plain(shape.depthwise ? "nc" : grouped ? "ngm" : "nm");
  const Subscripts inputs = plain(grouped ? "ngc" : "nc");
  const Subscripts weights = plain(shape.depthwise ? "c" : grouped ? "gmc" : "mc");
  return Operator({{'n', shape.n},
                   {'m', shape.m / shape.groups},
                   {'c', shape.c / shape.groups},
                   {'p', shape.p},
                   {'q', shape.q},
                   {'o', shape.o.value_or(1)},
                   {'r', shape.r},
                   {'s', shape.s},
                   {'t', shape.t},
                   {'g', shape.groups}})
      .access("Outputs", outputs + (shape.transposed ? pixels : windows))
      .access("Inputs", inputs + (shape.transposed ? windows : pixels))
      .access("Weights", weights + plain(deep ? "rst" : "rs"))
      .finish();
}

Workload gemm(std::int64_t m, std::int64_t n, std::int64_t k) {
  return checked("gemm", gemm_einsum(m, n, k));
}

Workload bmm(std::int64_t b, std::int64_t m, std::int64_t n, std::int64_t k) {
  return checked("bmm", bmm_einsum(b, m, n, k));
}

Workload conv(const ConvShape& shape) {
  check_groups(shape);
  return checked("conv", conv_einsum(shape));
}

Workload einsum(std::string_view text,
                std::initializer_list<std::pair<std::string_view, std::int64_t>> sizes) {
  return einsum(text, std::span(sizes.begin(), sizes.size()));
}

Workload einsum(std::string_view text,
                std::span<const std::pair<std::string_view, std::int64_t>> sizes) {
  EinsumFault fault;
  std::optional<Einsum> parsed = parse_einsum(text, fault);
  if (!parsed) {
    throw InputError("einsum " + in_backticks(text) + ": " + fault.message + ", at byte " +
                     std::to_string(fault.offset) + (fault.help.empty() ? "" : "; " + fault.help));
  }
  for (const auto& [name, size] : sizes) {
    if (std::ranges::find(parsed->dims, name, &Dim::name) == parsed->dims.end()) {
      throw InputError("einsum " + in_backticks(text) + " has no dim " + in_backticks(name));
    }
  }
  for (Dim& dim : parsed->dims) {
    const auto given =
        std::ranges::find(sizes, dim.name, &std::pair<std::string_view, std::int64_t>::first);
    if (given == sizes.end()) {
      throw InputError("dim " + in_backticks(dim.name) + " of the einsum has no size");
    }
    dim.size = given->second;
  }
  return checked("workload", *std::move(parsed));
}

}  // namespace tilewright
