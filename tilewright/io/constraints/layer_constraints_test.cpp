// SPDX-License-Identifier: Apache-2.0
#include "tilewright/io/constraints/layer_constraints.h"

#include <gtest/gtest.h>

#include "tilewright/io/constraints/constraint_text.h"
#include "tilewright/io/read.h"

namespace tilewright {
namespace {

std::shared_ptr<const SourceFile> file(std::string text) {
  return std::make_shared<const SourceFile>(SourceFile{"limits.yaml", std::move(text)});
}

Arch arch() {
  Diagnostics diagnostics;
  return *read_arch(file("arch: {nodes: [{memory: DRAM}, {memory: GLB}, {fanout: PE, axes: {X: 4, "
                         "Y: 4}}, {compute: mac}]}"),
                    diagnostics);
}

// A 3 x 3 convolution, a 1 x 1 one, and a product.
Network network() {
  Diagnostics diagnostics;
  const auto read = read_network(file(R"(network:
  layers:
    - {name: wide, conv: {m: 4, c: 4, p: 4, q: 4, r: 3, s: 3}}
    - {name: point, conv: {m: 4, c: 4, p: 4, q: 4}}
    - {name: point2, conv: {m: 4, c: 4, p: 4, q: 4}}
    - {name: fc, gemm: {m: 4, n: 4, k: 4}}
)"),
                                 diagnostics);
  return *read;
}

struct Read {
  std::optional<std::vector<LayerConstraints>> layers;
  Diagnostics diagnostics;
};

Read read(const std::string& text, bool strict = false) {
  Read result;
  result.layers = read_layer_constraints(file(text), network(), arch(), strict, result.diagnostics);
  return result;
}

// What holds and, after `without`, what does not, for one layer.
std::string words(const Read& read, const std::string& layer) {
  for (const Layer& l : network().layers) {
    if (l.name != layer) continue;
    const LayerConstraints* known = find_layer_constraints(*read.layers, *l.workload);
    const Problem problem(*l.workload, arch());
    std::string text;
    for (const Constraint& c : known->constraints) text += constraint_text(problem, c) + "; ";
    for (const UnfitConstraint& u : known->unfit) text += "without " + u.words + "; ";
    EXPECT_EQ(known->source.size(), known->constraints.size());
    return text;
  }
  return "no such layer";
}

TEST(LayerConstraints, OnlyWhatDoesNotFitIsDropped) {
  const Read all = read(R"(constraints:
  - at: PE
    factors: [r >= 3 on X, m = 4 on Y]
    dims: {X: [r, m], Y: [m]}
  - at: GLB
    keep: [input, Weights]
    order: [c, ...]
)");
  ASSERT_TRUE(all.layers) << all.diagnostics.all().front().message;
  EXPECT_EQ(words(all, "wide"),
            "r >= 3 on X of PE; m = 4 on Y of PE; only r, m on X of PE; only m on Y of PE; "
            "keep Inputs, Weights at GLB; order c, ... at GLB; ");
  EXPECT_EQ(words(all, "point"),
            "m = 4 on Y of PE; only r, m on X of PE; only m on Y of PE; "
            "keep Inputs, Weights at GLB; order c, ... at GLB; without r >= 3 on X of PE; ");
  EXPECT_EQ(words(all, "fc"),
            "m = 4 on Y of PE; only m on Y of PE; keep A at GLB; "
            "without r >= 3 on X of PE; without only r, m on X of PE; "
            "without keep Weights at GLB; without order c, ... at GLB; ");
  EXPECT_FALSE(all.diagnostics.has_errors());
  ASSERT_EQ(all.diagnostics.all().size(), 4U);
  EXPECT_EQ(all.diagnostics.all().front().message,
            "`r >= 3 on X of PE` does not apply to 3 of 4 layers: `point`, `point2` and `fc`");
}

TEST(LayerConstraints, WhatFitsNoLayerOrTheArchitectureIsAnError) {
  const Read none = read("constraints: [{at: PE, factors: [r >= 4 on X, m = 4 on Y]}]");
  EXPECT_FALSE(none.layers);
  EXPECT_EQ(none.diagnostics.all().front().code, "K0007");
  const Read axis = read("constraints: [{at: PE, factors: [r >= 3 on Z, m = 4 on Y]}]");
  EXPECT_FALSE(axis.layers);
  EXPECT_EQ(axis.diagnostics.all().front().code, "K0004");
  const Read node = read("constraints: [{at: PEE, factors: [r >= 3 on X]}]");
  EXPECT_FALSE(node.layers);
  EXPECT_EQ(node.diagnostics.all().front().code, "K0001");
}

TEST(LayerConstraints, StrictlyEveryLayerMustFit) {
  const std::string text = "constraints: [{at: PE, factors: [r >= 3 on X]}]";
  EXPECT_TRUE(read(text).layers);
  const Read strict = read(text, true);
  EXPECT_FALSE(strict.layers);
  EXPECT_EQ(strict.diagnostics.all().front().code, "C0015");
}

}  // namespace
}  // namespace tilewright
