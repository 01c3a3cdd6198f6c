// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tilewright/io/read_test_support.h"
#include "tilewright/workload/operators.h"

namespace tilewright {
namespace {

std::vector<std::string> codes(const std::string& text) {
  Diagnostics diagnostics;
  EXPECT_FALSE(read_workload(source_text("w.yaml", text), diagnostics)) << text;
  return codes_of(diagnostics);
}

using Codes = std::vector<std::string>;

TEST(ReadWorkload, ReadsTheDocumentedExample) {
  const auto w = workload_of(R"(
workload:
  name: conv2
  einsum: O[n,m,p,q] += I[n,c,2p+r,2q+s] * W[m,c,r,s]
  dims: {n: 1, m: 64, c: 3, p: 112, q: 112, r: 7, s: 7}
  bits: {I: 8, W: 8 bit, O: 24}
  roles: {W: weight}
)");
  ASSERT_TRUE(w);
  EXPECT_EQ(w->name(), "conv2");
  EXPECT_EQ(to_einsum(*w), "O[n,m,p,q] += I[n,c,2*p+r,2*q+s] * W[m,c,r,s]");
  EXPECT_EQ(w->dim(*w->find_dim("p")).size, 112);
  EXPECT_EQ(w->tensor(*w->find_tensor("O")).bits, 24);
  EXPECT_EQ(w->tensor(*w->find_tensor("O")).role, "output");
  EXPECT_EQ(w->tensor(*w->find_tensor("W")).role, "weight");
  EXPECT_EQ(w->tensor(*w->find_tensor("I")).role, "input");
  EXPECT_EQ(w->computes(), 64LL * 3 * 112 * 112 * 49);
}

TEST(ReadWorkload, ReadsShortForms) {
  EXPECT_EQ(to_einsum(*workload_of("workload: {gemm: {m: 2, n: 3, k: 4}}")),
            "Z[m,n] += A[m,k] * B[k,n]");
  EXPECT_EQ(to_einsum(*workload_of("workload: {bmm: {b: 5, m: 2, n: 3, k: 4}}")),
            "Z[b,m,n] += A[b,m,k] * B[b,k,n]");
  const auto gemm = workload_of("workload: {gemm: {k: 4, n: 3, m: 2}, bits: 8}");
  EXPECT_EQ(gemm->name(), "gemm");
  EXPECT_EQ(gemm->dim(DimId(0)).name, "m");
  EXPECT_EQ(gemm->dim(DimId(2)).size, 4);
  EXPECT_EQ(gemm->tensors()[1].role, "weight");
  EXPECT_EQ(gemm->tensors()[1].bits, 8);
}

TEST(ReadWorkload, FormsAreThoseOfTheBuilders) {
  EXPECT_EQ(*workload_of("workload: {gemm: {m: 2, n: 3, k: 4}}"), gemm(2, 3, 4));
  EXPECT_EQ(*workload_of("workload: {bmm: {b: 5, m: 2, n: 3, k: 4}}"), bmm(5, 2, 3, 4));
  EXPECT_EQ(*workload_of("workload: {einsum: 'O[p] += I[2p+r] * W[r]', dims: {p: 3, r: 5}}"),
            einsum("O[p] += I[2p+r] * W[r]", {{"p", 3}, {"r", 5}}));
}

struct ConvCase {
  const char* text;
  ConvShape shape;
  const char* einsum;
};

TEST(ReadWorkload, ReadsEveryKindOfConvolution) {
  for (const ConvCase& c : {
           ConvCase{"{m: 4, c: 2, p: 8, q: 8, r: 3, s: 3}",
                    {.m = 4, .c = 2, .p = 8, .q = 8, .r = 3, .s = 3},
                    "Outputs[n,m,p,q] += Inputs[n,c,p+r,q+s] * Weights[m,c,r,s]"},
           ConvCase{"{m: 4, c: 2, p: 8, q: 8, r: 3, s: 3, stride: 2, dilation: 3}",
                    {.m = 4, .c = 2, .p = 8, .q = 8, .r = 3, .s = 3, .stride = 2, .dilation = 3},
                    "Outputs[n,m,p,q] += Inputs[n,c,2*p+3*r,2*q+3*s] * Weights[m,c,r,s]"},
           ConvCase{"{p: 8, q: 8, stride: [2, 1], dilation: [1, 4]}",
                    {.p = 8, .q = 8, .stride = {2, 1}, .dilation = {1, 4}},
                    "Outputs[n,m,p,q] += Inputs[n,c,2*p+r,q+4*s] * Weights[m,c,r,s]"},
           ConvCase{"{m: 4, c: 2, groups: 2}",
                    {.m = 4, .c = 2, .groups = 2},
                    "Outputs[n,g,m,p,q] += Inputs[n,g,c,p+r,q+s] * Weights[g,m,c,r,s]"},
           ConvCase{"{n: 3, m: 4, c: 2, groups: 1}",
                    {.n = 3, .m = 4, .c = 2, .groups = 1},
                    "Outputs[n,m,p,q] += Inputs[n,c,p+r,q+s] * Weights[m,c,r,s]"},
           ConvCase{"{c: 8, depthwise: true, stride: 2}",
                    {.c = 8, .stride = 2, .depthwise = true},
                    "Outputs[n,c,p,q] += Inputs[n,c,2*p+r,2*q+s] * Weights[c,r,s]"},
           ConvCase{"{m: 4, c: 2, p: 8, stride: 2, transposed: true}",
                    {.m = 4, .c = 2, .p = 8, .stride = 2, .transposed = true},
                    "Outputs[n,m,2*p+r,2*q+s] += Inputs[n,c,p,q] * Weights[m,c,r,s]"},
           ConvCase{"{m: 4, c: 2, groups: 2, transposed: true}",
                    {.m = 4, .c = 2, .groups = 2, .transposed = true},
                    "Outputs[n,g,m,p+r,q+s] += Inputs[n,g,c,p,q] * Weights[g,m,c,r,s]"},
           ConvCase{"{c: 2, depthwise: true, transposed: true}",
                    {.c = 2, .depthwise = true, .transposed = true},
                    "Outputs[n,c,p+r,q+s] += Inputs[n,c,p,q] * Weights[c,r,s]"},
       }) {
    const auto w = workload_of(std::string("workload: {conv: ") + c.text + "}");
    ASSERT_TRUE(w);
    EXPECT_EQ(to_einsum(*w), c.einsum) << c.text;
    EXPECT_EQ(*w, conv(c.shape)) << c.text;
    // The notation says the same as the builder.
    EinsumFault fault;
    const std::optional<Einsum> parsed = parse_einsum(c.einsum, fault);
    ASSERT_TRUE(parsed) << fault.message;
    EXPECT_TRUE(std::ranges::equal(parsed->tensors, w->tensors())) << c.text;
    EXPECT_TRUE(std::ranges::equal(parsed->dims, w->dims(), {}, &Dim::name, &Dim::name)) << c.text;
  }
  const auto grouped = workload_of("workload: {conv: {m: 64, c: 32, groups: 16}}");
  EXPECT_EQ(grouped->dim(*grouped->find_dim("m")).size, 4);
  EXPECT_EQ(grouped->dim(*grouped->find_dim("c")).size, 2);
  EXPECT_EQ(grouped->dim(*grouped->find_dim("g")).size, 16);
}

TEST(ReadWorkload, ANameOverridesItsRoleInAnyOrder) {
  for (const char* bits : {"{A: 4, input: 8}", "{input: 8, A: 4}"}) {
    const auto w =
        workload_of(std::string("workload: {gemm: {m: 2, n: 3, k: 4}, bits: ") + bits + "}");
    EXPECT_EQ(w->tensors()[0].bits, 4);
    EXPECT_EQ(w->tensors()[1].bits, 16);
  }
}

TEST(ReadWorkload, SizesThatTensorsShareNamesWithAreNoMatter) {
  EXPECT_TRUE(workload_of("workload: {einsum: 'A[A] += B[A,k]', dims: {A: 2, k: 3}}"));
}

TEST(ReadWorkload, ReportsEverythingAtOnce) {
  EXPECT_EQ(codes("workload: {gemm: {m: 0, n: x, k: 1.5}, bits: 8 pJ, nme: x}"),
            (Codes{"F0024", "F0020", "F0020", "F0010"}));
}

TEST(ReadWorkload, FormsExcludeEachOther) {
  EXPECT_EQ(codes("workload: {name: x}"), Codes{"W0005"});
  EXPECT_EQ(codes("workload: {gemm: {m: 1, n: 1, k: 1}, conv: {p: 1}}"), Codes{"F0015"});
  EXPECT_EQ(codes("workload: {gemm: {m: 1, n: 1, k: 1}, dims: {m: 1}}"), Codes{"F0015"});
  EXPECT_EQ(codes("workload: {einsum: 'O[m] += A[m]'}"), Codes{"F0011"});
  EXPECT_EQ(codes("workload: {gem: {m: 1, n: 1, k: 1}}"), Codes{"F0010"});
  EXPECT_EQ(codes("workload:\n"), Codes{"F0012"});
  EXPECT_EQ(codes("workload: [1]"), Codes{"F0012"});
}

TEST(ReadWorkload, DimsMustMatchTheEinsum) {
  const std::string head = "workload: {einsum: 'O[m] += A[m,k]', dims: ";
  EXPECT_EQ(codes(head + "{m: 1}}"), Codes{"W0002"});
  EXPECT_EQ(codes(head + "{m: 1, kk: 2}}"), Codes{"W0003"});
  EXPECT_EQ(codes(head + "{m: 1, k: 2, z: 2}}"), Codes{"W0003"});
  EXPECT_EQ(codes(head + "{: 1, k: 2}}"), Codes{"W0003"});
  EXPECT_EQ(codes(head + "{m: -1, k: 2}}"), Codes{"F0024"});
  EXPECT_EQ(codes(head + "{m: '1', k: 2}}"), Codes{"F0012"});
  EXPECT_EQ(codes(head + "[1, 2]}"), Codes{"F0012"});
  EXPECT_EQ(codes(head + "{m: 3000000000000000000, k: 2}}"), Codes{"W0004"});
  EXPECT_EQ(codes("workload: {einsum: 'O[m] += A[m,0*k]', dims: {m: 1, k: 2}}"), Codes{"W0004"});
}

TEST(ReadWorkload, RolesAndBitsMustExist) {
  const std::string head = "workload: {gemm: {m: 1, n: 1, k: 1}, ";
  EXPECT_EQ(codes(head + "roles: {Q: weight}}"), Codes{"W0006"});
  EXPECT_EQ(codes(head + "roles: {A: weigth}}"), Codes{"W0007"});
  EXPECT_EQ(codes(head + "roles: x}"), Codes{"F0012"});
  EXPECT_EQ(codes(head + "bits: {inptu: 8}}"), Codes{"W0006"});
  EXPECT_EQ(codes(head + "bits: {A: {final: 8, partial: 32}}}"), Codes{"F0012"});
  EXPECT_EQ(codes(head + "bits: {Z: {final: 8, partial: 5000}}}"), Codes{"F0024"});
  EXPECT_EQ(codes(head + "bits: {A: 0}}"), Codes{"F0024"});
  EXPECT_EQ(codes(head + "bits: 5000}"), Codes{"F0024"});
  EXPECT_EQ(codes(head + "bits: [8]}"), Codes{"F0012"});
}

TEST(ReadWorkload, ConvolutionsHaveRules) {
  EXPECT_EQ(codes("workload: {conv: {m: 64, c: 3, groups: 2}}"), Codes{"W0008"});
  EXPECT_EQ(codes("workload: {conv: {groups: 2}}"), (Codes{"W0008", "W0008"}));
  EXPECT_EQ(codes("workload: {conv: {m: 64, c: 3, depthwise: true}}"), Codes{"F0015"});
  EXPECT_EQ(codes("workload: {conv: {groups: 3, c: 3, depthwise: true}}"), Codes{"F0015"});
  EXPECT_EQ(codes("workload: {conv: {stride: [1, 2, 3]}}"), Codes{"F0012"});
  EXPECT_EQ(codes("workload: {conv: {stride: 0}}"), Codes{"F0024"});
  EXPECT_EQ(codes("workload: {conv: {stride: 9000000000000000000}}"), Codes{"W0001"});
  EXPECT_EQ(codes("workload: {conv: {depthwise: yes}}"), Codes{"F0012"});
}

TEST(ReadWorkload, ASectionIsNeeded) {
  EXPECT_EQ(codes("arch: {nodes: []}"), Codes{"F0011"});
  EXPECT_EQ(codes("wrkload: {gemm: {m: 1, n: 1, k: 1}}"), Codes{"F0010"});
  EXPECT_EQ(codes("- 1"), Codes{"F0012"});
}

}  // namespace
}  // namespace tilewright
