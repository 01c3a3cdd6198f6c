// SPDX-License-Identifier: Apache-2.0
// That they are the workloads of the short forms in files: io/workload/read_workload_test.cpp.
#include "tilewright/workload/operators.h"

#include <gtest/gtest.h>

#include "tilewright/base/input_error.h"

namespace tilewright {
namespace {

// What is wrong with what `make` makes.
template <typename Make>
std::string fault_of(Make make) {
  try {
    make();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Operators, AreEinsums) {
  EXPECT_EQ(to_einsum(gemm(2, 3, 4)), "Z[m,n] += A[m,k] * B[k,n]");
  EXPECT_EQ(to_einsum(bmm(2, 3, 4, 5)), "Z[b,m,n] += A[b,m,k] * B[b,k,n]");
  EXPECT_EQ(to_einsum(conv({.m = 8, .c = 3, .p = 4, .q = 4, .r = 3, .s = 3, .stride = 2})),
            "Outputs[n,m,p,q] += Inputs[n,c,2*p+r,2*q+s] * Weights[m,c,r,s]");
  EXPECT_EQ(to_einsum(conv({.c = 3, .p = 4, .r = 3, .dilation = {3, 1}, .depthwise = true})),
            "Outputs[n,c,p,q] += Inputs[n,c,p+3*r,q+s] * Weights[c,r,s]");
  EXPECT_EQ(to_einsum(conv({.m = 4, .c = 6, .groups = 2, .transposed = true})),
            "Outputs[n,g,m,p+r,q+s] += Inputs[n,g,c,p,q] * Weights[g,m,c,r,s]");
  EXPECT_EQ(to_einsum(conv({.o = 7, .t = 3, .stride = {1, 1, 2}})),
            "Outputs[n,m,p,q,o] += Inputs[n,c,p+r,q+s,2*o+t] * Weights[m,c,r,s,t]");
}

TEST(Operators, HaveSizesRolesAndANameOfTheirOwn) {
  const Workload product = gemm(2, 3, 4);
  EXPECT_EQ(product.name(), "gemm");
  EXPECT_EQ(product.computes(), 24);
  EXPECT_EQ(product.tensors()[0].role, "input");
  EXPECT_EQ(product.tensors()[1].role, "weight");
  EXPECT_EQ(product.tensors()[2].role, "output");
  EXPECT_EQ(product.tensors()[2].bits, 16);
  const Workload grouped = conv({.m = 4, .c = 6, .groups = 2});
  EXPECT_EQ(grouped.dim(*grouped.find_dim("m")).size, 2);
  EXPECT_EQ(grouped.dim(*grouped.find_dim("c")).size, 3);
  EXPECT_EQ(grouped.dim(*grouped.find_dim("g")).size, 2);
}

TEST(Operators, AnEinsumHasTheSizesOfItsDims) {
  const Workload product = gemm(2, 3, 4);
  EXPECT_EQ(einsum("Z[m,n] = A[m,k] * B[k,n]", {{"k", 4}, {"m", 2}, {"n", 3}}),
            Workload("workload", {{"m", 2}, {"n", 3}, {"k", 4}},
                     {product.tensors().begin(), product.tensors().end()}));
}

TEST(Operators, CanHaveOtherWidths) {
  const Workload product = gemm(2, 3, 4);
  const Workload narrow = with_bits(with_bits(product, "A", 8), "output", 8, 32);
  EXPECT_EQ(narrow.tensors()[0].bits, 8);
  EXPECT_EQ(narrow.tensors()[1].bits, 16);
  EXPECT_EQ(narrow.tensors()[2].bits, 8);
  EXPECT_EQ(narrow.tensors()[2].partial_bits, 32);
  EXPECT_EQ(with_bits(product, "A", 16), product);
  EXPECT_THROW(with_bits(product, "C", 8), InputError);
  EXPECT_THROW(with_bits(product, "A", 0), InputError);
  EXPECT_THROW(with_bits(product, "A", 1025), InputError);
  EXPECT_THROW(with_bits(product, "A", 8, 16), InputError);
  EXPECT_THROW(with_bits(product, "Z", 16, 8), InputError);
}

TEST(Operators, SayWhatIsWrong) {
  EXPECT_EQ(fault_of([] { gemm(2, 0, 4); }), "gemm: dim `n` has size 0; sizes start at 1");
  EXPECT_EQ(fault_of([] { conv({.m = 3, .c = 2, .groups = 2}); }),
            "conv: `groups` is 2, which does not divide `m`, which is 3");
  EXPECT_EQ(fault_of([] { conv({.groups = 0}); }), "conv: `groups` starts at 1");
  EXPECT_EQ(fault_of([] { conv({.c = 2, .groups = 2, .depthwise = true}); }),
            "conv: `groups` and `depthwise` cannot be given together");
  EXPECT_EQ(fault_of([] { conv({.stride = std::int64_t{1} << 41}); }),
            "conv: the coefficient is too large");
  EXPECT_EQ(fault_of([] {
              einsum("Z[m] += A[m", {{"m", 2}});
            }),
            "einsum `Z[m] += A[m`: expected `,` or `]`, at byte 11");
  EXPECT_EQ(fault_of([] {
              einsum("Z[m] += A[m] * A[m]", {{"m", 2}});
            }),
            "einsum `Z[m] += A[m] * A[m]`: tensor `A` occurs twice, at byte 15; give each access a "
            "name of its own");
  EXPECT_EQ(fault_of([] {
              einsum("Z[m] += A[m]", {{"m", 2}, {"k", 2}});
            }),
            "einsum `Z[m] += A[m]` has no dim `k`");
  EXPECT_EQ(fault_of([] {
              einsum("Z[m] += A[m,k]", {{"m", 2}});
            }),
            "dim `k` of the einsum has no size");
}

}  // namespace
}  // namespace tilewright
