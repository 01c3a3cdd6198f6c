// SPDX-License-Identifier: Apache-2.0
// Matrix products as workloads.
#pragma once

#include <cstdint>
#include <string>

#include "tilewright/workload/workload.h"

namespace tilewright {

struct Gemm {
  std::int64_t m = 1;
  std::int64_t n = 1;
  std::int64_t k = 1;

  auto operator<=>(const Gemm&) const = default;
};

/// Z[m,n] += A[m,k] * B[k,n] with the roles input, weight, output; dims in the order m, n, k.
Workload gemm_workload(const std::string& name, const Gemm& gemm);

/// O[m,n] += I[k,n] * W[m,k], FactorFlow's way: the weights on the left.
Workload weight_first_gemm_workload(const std::string& name, const Gemm& gemm);

}  // namespace tilewright
