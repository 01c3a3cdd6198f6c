// SPDX-License-Identifier: Apache-2.0
#include "tilewright/zigzag/zigzag.h"

#include <gtest/gtest.h>

#include "tilewright/io/render.h"

namespace tilewright::zigzag {
namespace {

constexpr const char* kHardware = R"(name: small
memories:
  reg:
    size: 32
    r_cost: 3
    w_cost: 4
    latency: 1
    operands: [O]
    ports:
      - {name: r_port_1, type: read, bandwidth_min: 16, bandwidth_max: 16, allocation: ["O, tl"]}
      - {name: w_port_1, type: write, bandwidth_min: 32, bandwidth_max: 32, allocation: ["O, fh"]}
    served_dimensions: [D2]
  sram:
    size: 4096
    r_cost: 64
    w_cost: 128
    area: 3
    latency: 1
    operands: [I1, I2, O]
    ports:
      - {name: rw_port_1, type: read_write, bandwidth_min: 8, bandwidth_max: 64, allocation: ["O, tl"]}
    served_dimensions: [D1, D2]
operational_array:
  unit_energy: 0.5
  dimensions: [D1, D2]
  sizes: [4, 8]
)";

constexpr const char* kLayers = R"(- id: 0
  name: conv
  operator_type: Conv
  equation: O[b][k][ox]+=W[k][c][fx]*I[b][c][ix]
  dimension_relations: [ix=2*ox+1*fx]
  loop_dims: [B, K, C, OX, FX]
  loop_sizes: [1, 64, 3, 112, 7]
  operand_precision: {W: 4, I: 8, O: 16, O_final: 8}
- id: 1
  operator_type: Add
  equation: O[b][g]=W[b][g]+I[b][g]
  loop_dims: [B, G]
  loop_sizes: [1, 64]
- id: 2
  operator_type: Gemm
  equation: O[d0][d1]+=I[d0][d2]*W[d2][d1]
  loop_dims: [D0, D1, D2]
  loop_sizes: [2, 3, 4]
)";

std::shared_ptr<const SourceFile> file(const char* name, std::string text) {
  return std::make_shared<const SourceFile>(SourceFile{name, std::move(text)});
}

TEST(Zigzag, ReadsAnAccelerator) {
  Diagnostics diagnostics;
  const Reading reading = zigzag::read_documents({file("h.yaml", kHardware)}, diagnostics);
  ASSERT_FALSE(diagnostics.has_errors()) << render_text(diagnostics, false);
  ASSERT_TRUE(reading.documents.arch);
  const Arch& arch = *reading.documents.arch;
  ASSERT_EQ(arch.nodes().size(), 4U);  // sram, along D1, reg, along D2
  const auto& sram = std::get<Memory>(arch.nodes()[0]);
  EXPECT_EQ(sram.capacity_bits, 4096);
  EXPECT_EQ(sram.shared_bandwidth, Rational(64));
  EXPECT_EQ(sram.energy.read_pj, 1.0);
  EXPECT_EQ(sram.energy.fill_pj, 2.0);
  EXPECT_TRUE(sram.energy.per_bit);
  EXPECT_EQ(sram.keep.names, (std::vector<std::string>{"input", "weight", "output"}));
  EXPECT_EQ(std::get<Fanout>(arch.nodes()[1]).axes, (std::vector<Axis>{{"D1", 4}}));
  const auto& reg = std::get<Memory>(arch.nodes()[2]);
  EXPECT_EQ(reg.read_bandwidth, Rational(16));
  EXPECT_EQ(reg.write_bandwidth, Rational(32));
  EXPECT_FALSE(reg.shared_bandwidth);
  EXPECT_EQ(reg.energy.read_pj, 3.0 / 16);
  EXPECT_EQ(reg.keep.names, std::vector<std::string>{"output"});
  EXPECT_EQ(std::get<Fanout>(arch.nodes()[3]).axes, (std::vector<Axis>{{"D2", 8}}));
  EXPECT_EQ(arch.compute().energy_pj, 0.5);
  EXPECT_EQ(reading.left_out, std::vector<std::string>{"areas: ZigZag's have no unit"});
}

TEST(Zigzag, CostsMayBeMissing) {
  std::string text = kHardware;
  for (const char* cost : {"    r_cost: 3\n", "    w_cost: 4\n"}) text.erase(text.find(cost), 14);
  Diagnostics diagnostics;
  const Reading reading = zigzag::read_documents({file("h.yaml", text)}, diagnostics);
  ASSERT_TRUE(reading.documents.arch) << render_text(diagnostics, false);
  EXPECT_EQ(std::get<Memory>(reading.documents.arch->nodes()[2]).energy, ActionEnergy{});
}

TEST(Zigzag, MemoriesOfDifferentOperandsHaveNoOrderOfTheirOwn) {
  std::string text = kHardware;
  const std::size_t sram = text.find("  sram:");
  std::string private_reg = text.substr(text.find("  reg:"), sram - text.find("  reg:"));
  private_reg.replace(private_reg.find("reg:"), 4, "own:");
  private_reg.replace(private_reg.find("[O]"), 3, "[I2]");
  private_reg.replace(private_reg.find("[D2]"), 4, "[]");
  text.insert(sram, private_reg);  // after `reg`, which serves more units
  Diagnostics diagnostics;
  const Reading reading = zigzag::read_documents({file("h.yaml", text)}, diagnostics);
  ASSERT_TRUE(reading.documents.arch) << render_text(diagnostics, false);
  std::string names;
  for (const ArchNode& node : reading.documents.arch->nodes()) names += node_name(node) + " ";
  EXPECT_EQ(names, "sram array_D1 reg array_D2 own ");
}

TEST(Zigzag, ReadsLayersThatAreProducts) {
  Diagnostics diagnostics;
  const Reading reading = zigzag::read_documents({file("w.yaml", kLayers)}, diagnostics);
  ASSERT_FALSE(diagnostics.has_errors()) << render_text(diagnostics, false);
  ASSERT_TRUE(reading.documents.network);
  const Network& network = *reading.documents.network;
  ASSERT_EQ(network.layers.size(), 2U);
  const Workload& conv = *network.layers[0].workload;
  EXPECT_EQ(to_einsum(conv), "O[b,k,ox] += W[k,c,fx] * I[b,c,2*ox+fx]");
  EXPECT_EQ(conv.computes(), 64 * 3 * 112 * 7);
  EXPECT_EQ(conv.tensor(*conv.find_tensor("W")).bits, 4);
  EXPECT_EQ(conv.tensor(*conv.find_tensor("W")).role, "weight");
  EXPECT_EQ(conv.tensor(*conv.find_tensor("I")).role, "input");
  EXPECT_EQ(conv.tensor(conv.output()).bits, 8);
  EXPECT_EQ(conv.tensor(conv.output()).partial_bits, 16);
  EXPECT_EQ(network.layers[1].name, "layer_2");
  EXPECT_EQ(reading.left_out,
            std::vector<std::string>{"layer `layer_1` (Add): not a product of two "
                                     "tensors that is summed up"});
}

std::string what_is_wrong(const std::string& from, const std::string& to) {
  std::string text = kHardware;
  text.replace(text.find(from), from.size(), to);
  Diagnostics diagnostics;
  zigzag::read_documents({file("h.yaml", text)}, diagnostics);
  EXPECT_TRUE(diagnostics.has_errors());
  return render_text(diagnostics, false);
}

TEST(Zigzag, SaysWhatIsWrong) {
  const auto has = [](const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  // One memory serves those along D1, the other those along D2.
  has(what_is_wrong("served_dimensions: [D1, D2]", "served_dimensions: [D1]"), "error[Z0002]");
  // The outer memory of the outputs serves fewer units than the inner one.
  has(what_is_wrong("served_dimensions: [D1, D2]", "served_dimensions: []"), "error[Z0002]");
  has(what_is_wrong("operational_array:\n", "operational_array:\n  is_imc: True\n"),
      "computing in memory is not modelled");
  has(what_is_wrong("  sram:", "  s=ram:"), "`s=ram` cannot be a name");
  has(what_is_wrong("r_cost: 64", "r_cost: 1e-12"), "is too small");
  has(what_is_wrong("size: 4096", "size: large"), "`size` of memory `sram` is");
  has(what_is_wrong("    size: 32\n", ""), "memory `reg` has no `size`");
  has(what_is_wrong("sizes: [4, 8]", "sizes: [4]"), "has 2 dimensions and 1 sizes");
  has(what_is_wrong("type: read,", "type: raed,"), "expected `read`, `write` or `read_write`");
}

TEST(Zigzag, KnowsItsFiles) {
  EXPECT_TRUE(is_zigzag(*file("h.yaml", kHardware)));
  EXPECT_TRUE(is_zigzag(*file("w.yaml", kLayers)));
  EXPECT_FALSE(is_zigzag(*file("a.yaml", "arch: {name: a}\n")));
  EXPECT_FALSE(is_zigzag(*file("t.yaml", "architecture:\n  nodes: []\n")));
}

}  // namespace
}  // namespace tilewright::zigzag
