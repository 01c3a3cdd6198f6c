// SPDX-License-Identifier: Apache-2.0
#include "experiments/support/gemms.h"

#include <vector>

namespace tilewright {
namespace {

enum { kM, kN, kK };

std::vector<Dim> dims_of(const Gemm& gemm) { return {{"m", gemm.m}, {"n", gemm.n}, {"k", gemm.k}}; }

std::vector<Rank> ranks(int first, int second) {
  return {Rank{{{DimId(first), 1}}}, Rank{{{DimId(second), 1}}}};
}

}  // namespace

Workload gemm_workload(const std::string& name, const Gemm& gemm) {
  return Workload(name, dims_of(gemm),
                  {{"A", "input", 16, ranks(kM, kK)},
                   {"B", "weight", 16, ranks(kK, kN)},
                   {"Z", "output", 16, ranks(kM, kN)}});
}

Workload weight_first_gemm_workload(const std::string& name, const Gemm& gemm) {
  return Workload(name, dims_of(gemm),
                  {{"I", "input", 16, ranks(kK, kN)},
                   {"W", "weight", 16, ranks(kM, kK)},
                   {"O", "output", 16, ranks(kM, kN)}});
}

}  // namespace tilewright
