// SPDX-License-Identifier: Apache-2.0
#include "tilewright/io/arch/overrides.h"

#include <gtest/gtest.h>

#include "tilewright/io/read.h"
#include "tilewright/io/write.h"

namespace tilewright {
namespace {

constexpr const char* kArch = R"(arch:
  name: a
  nodes:
    - {memory: DRAM, word: 16 bit}
    - {memory: GLB, capacity: 1 KiB, bits: 8, energy: {write: 2 pJ}}
    - {memory: GLB.1, capacity: 2 KiB}
    - {fanout: PE, axes: {X: 4, Y: 2}}
    - {compute: mac, energy: 1 pJ}
)";

std::shared_ptr<const SourceFile> file(std::string text) {
  return std::make_shared<const SourceFile>(SourceFile{"arch.yaml", std::move(text)});
}

std::optional<Arch> read(const std::vector<std::string>& texts, Diagnostics& diagnostics) {
  return read_arch(file(kArch), diagnostics, make_overrides(texts, "--with"));
}

// What is wrong: code, message, the text that is underlined and the help.
std::vector<std::string> faults(const std::vector<std::string>& texts) {
  Diagnostics diagnostics;
  EXPECT_FALSE(read(texts, diagnostics));
  std::vector<std::string> result;
  for (const Diagnostic& finding : diagnostics.all()) {
    const Span& span = finding.labels.front().span;
    EXPECT_EQ(span.file->name, "--with");
    result.push_back(finding.code + " " + finding.message);
    result.push_back(span.file->line(1).substr(static_cast<std::size_t>(span.column - 1),
                                               static_cast<std::size_t>(span.length)));
    if (!finding.helps.empty()) result.push_back(finding.helps.front());
  }
  return result;
}

TEST(Overrides, ChangeWhatAFileSays) {
  Diagnostics diagnostics;
  const auto changed =
      read({"DRAM.bandwidth=12.8 GB/s", "clock = 200 MHz", "GLB.capacity= 4 KiB",
            "GLB.energy.read=6 pJ", "PE.axes.X=16", "mac.energy={compute: 2 pJ}",
            "DRAM.energy.read=3 pJ", "DRAM.keep=[input, output]", "GLB.1.capacity=3 KiB", "name=b"},
           diagnostics);
  ASSERT_TRUE(changed) << diagnostics.all().front().message;
  const auto expected = read_arch(file(R"(arch:
  name: b
  clock: 200 MHz
  nodes:
    - {memory: DRAM, bandwidth: 12.8 GB/s, energy: {read: 3 pJ}, keep: [input, output]}
    - {memory: GLB, capacity: 4 KiB, bits: 8, energy: {read: 6 pJ, write: 2 pJ}}
    - {memory: GLB.1, capacity: 3 KiB}
    - {fanout: PE, axes: {X: 16, Y: 2}}
    - {compute: mac, energy: 2 pJ}
)"),
                                  diagnostics);
  EXPECT_EQ(write_arch(*changed), write_arch(*expected));
}

TEST(Overrides, AreCheckedLikeAFile) {
  using Lines = std::vector<std::string>;
  // The unit, the key and the size are wrong as they would be in the file.
  EXPECT_EQ(faults({"DRAM.bandwidth=12.8"})[1], "12.8");
  EXPECT_EQ(faults({"DRAM.bandwith=1 bit/cycle"})[1], "bandwith");
  EXPECT_EQ(faults({"DRAM.bandwith=1 bit/cycle"})[2], "did you mean `bandwidth`?");
  EXPECT_EQ(faults({"DRAM.bandwidth=12.8 GB/s"})[0].substr(0, 5), "F0026");  // no clock
  EXPECT_EQ(faults({"PE.axes.X=0"})[1], "0");
  EXPECT_EQ(faults({"clok=1 GHz"})[2], "did you mean `clock`?");
  EXPECT_EQ(faults({"GLB.energy.fill=1 pJ"})[0],
            "F0015 `write` and `fill` cannot be given together");
  EXPECT_EQ(faults({"GLB.capacity="})[0].substr(0, 5), "F0012");
  EXPECT_EQ(faults({"GLB.capacity=[1, "})[0].substr(0, 2), "F0");
  EXPECT_EQ(faults({"DRM.bandwidth=1 bit/cycle"}),
            (Lines{"A0010 the architecture has no node `DRM`", "DRM", "did you mean `DRAM`?"}));
  EXPECT_EQ(faults({"DRAM=1"})[0], "A0010 which figure of `DRAM` is meant?");
  EXPECT_EQ(faults({"nodes=[]"})[0], "A0010 `nodes` cannot be replaced as a whole");
  EXPECT_EQ(faults({"bandwidth"})[0], "A0010 `bandwidth` is not an override of the architecture");
  EXPECT_EQ(faults({"=3"})[0], "A0010 `=3` is not an override of the architecture");
  EXPECT_EQ(faults({"GLB.bits.input=4"}),
            (Lines{"A0010 `bits` of `GLB` is `8`, not a map", "bits.input",
                   "replace it as a whole: `--with GLB.bits=VALUE`"}));
  EXPECT_EQ(faults({"clock=1 GHz", "clock=2 GHz"})[0], "F0009 `clock` is given twice");
}

TEST(Overrides, NeedAnArchitecture) {
  Diagnostics diagnostics;
  const std::vector<std::string> texts = {"clock=1 GHz"};
  read_documents({file("workload: {gemm: {m: 2, n: 2, k: 2}}")}, diagnostics,
                 make_overrides(texts, "--with"));
  ASSERT_EQ(diagnostics.errors(), 1);
  EXPECT_EQ(diagnostics.all().front().message, "there is no architecture to change");
}

}  // namespace
}  // namespace tilewright
