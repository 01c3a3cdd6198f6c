// SPDX-License-Identifier: Apache-2.0
#include "tilewright/io/workload/operator_text.h"

#include <gtest/gtest.h>

#include "tilewright/io/read.h"
#include "tilewright/io/render.h"
#include "tilewright/io/write.h"

namespace tilewright {
namespace {

struct Read {
  std::optional<Workload> workload;
  Diagnostics diagnostics;

  explicit Read(const std::string& text) {
    auto file = std::make_shared<const SourceFile>(SourceFile{std::string(kOperatorName), text});
    workload = read_workload(file, diagnostics);
    EXPECT_EQ(workload.has_value(), !diagnostics.has_errors()) << text;
  }
  std::string shown() const { return render_text(diagnostics, false); }
};

// The same workload as a file.
Workload from_yaml(const std::string& text) {
  Diagnostics diagnostics;
  const auto file =
      std::make_shared<const SourceFile>(SourceFile{"w.yaml", "workload: " + text + "\n"});
  const auto workload = read_workload(file, diagnostics);
  EXPECT_TRUE(workload) << render_text(diagnostics, false);
  return *workload;
}

TEST(OperatorText, SaysWhatAFileSays) {
  const std::pair<const char*, const char*> cases[] = {
      {"gemm 512 768 3072", "{gemm: {m: 512, n: 768, k: 3072}}"},
      {"gemm m=512 n=768 k=3072", "{gemm: {m: 512, n: 768, k: 3072}}"},
      {"  gemm 512, 768, 3072 bits=8", "{gemm: {m: 512, n: 768, k: 3072}, bits: 8}"},
      {"bmm 12 128 128 64", "{bmm: {b: 12, m: 128, n: 128, k: 64}}"},
      {"conv m=64 c=64 p=56 q=56 r=3 s=3", "{conv: {m: 64, c: 64, p: 56, q: 56, r: 3, s: 3}}"},
      {"conv m = 64 c=3 p=112 q=112 r=7 s=7 stride=2 dilation=[1, 2] name=conv1",
       "{name: conv1, conv: {m: 64, c: 3, p: 112, q: 112, r: 7, s: 7, stride: 2, "
       "dilation: [1, 2]}}"},
      {"conv c=32 p=7 q=7 r=3 s=3 depthwise",
       "{conv: {c: 32, p: 7, q: 7, r: 3, s: 3, depthwise: true}}"},
      {"conv m=8 c=8 p=4 q=4 r=3 s=3 groups=2 bits.input=8 bits.output=24",
       "{conv: {m: 8, c: 8, p: 4, q: 4, r: 3, s: 3, groups: 2}, bits: {input: 8, output: 24}}"},
      {"Z[m,n] += A[m,k] * B[k,n]; m=512 n=768 k=3072",
       "{einsum: 'Z[m,n] += A[m,k] * B[k,n]', dims: {m: 512, n: 768, k: 3072}}"},
      {"O[p]=I[2p+r]*W[r]; p=5, r=3; bits.W=4",
       "{einsum: 'O[p]=I[2p+r]*W[r]', dims: {p: 5, r: 3}, bits: {W: 4}}"}};
  for (const auto& [text, yaml] : cases) {
    const Read read(text);
    ASSERT_TRUE(read.workload) << text << "\n" << read.shown();
    EXPECT_EQ(*read.workload, from_yaml(yaml)) << text;
  }
}

TEST(OperatorText, ShowsThePlaceOfAFault) {
  EXPECT_EQ(Read("conv m=64 c=64 p=56 q=56 r=3 strid=2").shown(),
            "error[F0010]: unknown key `strid` in `conv`\n"
            "  --> <operator>:1:30\n"
            "   |\n"
            " 1 | conv m=64 c=64 p=56 q=56 r=3 strid=2\n"
            "   |                              ^^^^^ not a key of a conv\n"
            "help: did you mean `stride`?\n");
  EXPECT_EQ(Read("gemm 512 768").shown(),
            "error[W0009]: `gemm` takes 3 numbers (m, n, k) or names for all of them\n"
            "  --> <operator>:1:6\n"
            "   |\n"
            " 1 | gemm 512 768\n"
            "   |      ^^^^^^^ here are 2\n"
            "help: for example `gemm 512 768 3072`\n");
  EXPECT_EQ(Read("Z[m,n] += A[m,k] * B[k,n]; m=512 n=x k=3072").shown(),
            "error[F0020]: size of dim `n`: `x` is not a whole number\n"
            "  --> <operator>:1:36\n"
            "   |\n"
            " 1 | Z[m,n] += A[m,k] * B[k,n]; m=512 n=x k=3072\n"
            "   |                                    ^ not a whole number\n");
}

TEST(OperatorText, NamesTheNearestFix) {
  const std::pair<const char*, const char*> cases[] = {
      {"conf m=4 c=4", "did you mean `conv`?"},
      {"Z[m,n] += A[m,k] * B[k,n]", "put them after a semicolon"},
      {"conv 64 64 56", "for example `conv m=64 c=64 p=56 q=56 r=3 s=3`"},
      {"Z[m] += A[m]; 4", "write `DIM=4`"},
      {"gemm m=1 n=2 k=3 m=4", "first given here"},
      {"gemm 1 2 3 bits=8 bits.input=4", "for example `bits.input=8"},
      {"conv m=3 c=4 p=1 q=1 groups=2", "`m: 2` and `m: 4` are divisible"},
      {"gemm m n=2 k=3", "`m` of `gemm`"},
      {"Z[m,n] += A[m,k] * B[k,n]; m=512 n=768", "dim `k` has no size"},
      {"Z[m,n] += A[m,k * B[k,n]; m=1", "an einsum looks like"}};
  for (const auto& [text, part] : cases) {
    const Read read(text);
    EXPECT_FALSE(read.workload) << text;
    EXPECT_NE(read.shown().find(part), std::string::npos) << text << "\n" << read.shown();
  }
}

TEST(OperatorText, IsToldFromNamesOfFiles) {
  for (const char* text :
       {"gemm 1 2 3", "gemm", "conv m=1", "Z[m] += A[m]", "gemmm 1 2 3", "x m=1 n=2"}) {
    EXPECT_TRUE(looks_like_operator(text)) << text;
  }
  for (const char* text : {"eyeriss", "work.yaml", "a=b.yaml", "my file.yaml", "-"}) {
    EXPECT_FALSE(looks_like_operator(text)) << text;
  }
}

TEST(OperatorText, NoTextBreaksIt) {
  for (const char* text : {"", " ", "gemm", "[", "conv =", "conv [", "conv stride=[", "gemm =1",
                           "Z[;", "a[b];c", ";[", "conv bits.=", "gemm 1 2 3 name", "conv m=[]"}) {
    const Read read(text);
    EXPECT_FALSE(read.workload) << text;
  }
}

}  // namespace
}  // namespace tilewright
