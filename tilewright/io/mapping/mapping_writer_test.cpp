// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tilewright/base/random.h"
#include "tilewright/io/mapping/nest_test_support.h"
#include "tilewright/io/read.h"
#include "tilewright/io/write.h"

namespace tilewright {
namespace {

std::optional<Mapping> read_back(const Problem& problem, const std::string& name,
                                 const std::string& text, std::string& findings) {
  Diagnostics diagnostics;
  MappingSource source;
  auto mapping = read_mapping(source_file(name, text), problem, diagnostics, &source);
  findings = summary(diagnostics);
  EXPECT_EQ(source.nodes.size(), mapping ? mapping->nodes().size() : 0U);
  return mapping;
}

void expect_round_trip(const Problem& problem, const Mapping& mapping) {
  std::string findings;
  const std::string nest = write_nest(problem, mapping);
  const auto from_nest = read_back(problem, "a.nest", nest, findings);
  ASSERT_TRUE(from_nest) << nest << findings;
  EXPECT_EQ(*from_nest, mapping) << nest;
  const std::string yaml = write_mapping(problem, mapping);
  const auto from_yaml = read_back(problem, "a.yaml", yaml, findings);
  ASSERT_TRUE(from_yaml) << yaml << findings;
  EXPECT_EQ(*from_yaml, mapping) << yaml;
  // The text form inside YAML.
  std::string block = "mapping: |\n";
  for (std::size_t begin = 0; begin < nest.size();) {
    const std::size_t end = nest.find('\n', begin) + 1;
    block += "  " + nest.substr(begin, end - begin);
    begin = end;
  }
  const auto from_block = read_back(problem, "a.yaml", block, findings);
  ASSERT_TRUE(from_block) << block << findings;
  EXPECT_EQ(*from_block, mapping) << block;
}

/// Any nest at all, legal or not.
Mapping random_nest(const Problem& problem, Random& random) {
  const Arch& arch = problem.arch();
  std::vector<NestNode> nodes;
  const std::int64_t count = random.between(0, 20);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto pick = [&](std::size_t size) {
      return static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(size) - 1));
    };
    const std::int64_t largest = random.one_in(10) ? 9223372036854775807 : 40;
    const DimId dim(pick(problem.workload().dims().size()));
    const std::int64_t kind = random.between(0, 3);
    if (kind == 0) {
      nodes.push_back(keep(arch.memories()[pick(arch.memories().size())],
                           static_cast<TensorSet>(random.between(0, 7))));
    } else if (kind == 1 && !arch.fanouts().empty()) {
      const NodeId fanout = arch.fanouts()[pick(arch.fanouts().size())];
      const int axis = static_cast<int>(pick(arch.fanout(fanout).axes.size()));
      nodes.push_back(spatial(fanout, axis, dim, random.between(1, largest)));
    } else {
      nodes.push_back(temporal(dim, random.between(1, largest)));
    }
  }
  return Mapping(std::move(nodes));
}

TEST(MappingWriter, WritesTheDocumentedForms) {
  const Problem problem = small_problem();
  const DimId m(0), c(1), p(2), q(3), s(5);
  const Mapping mapping({keep(NodeId(0), 7), temporal(p, 8), temporal(q, 2), temporal(m, 4),
                         keep(NodeId(1), 5), temporal(p, 14), spatial(NodeId(2), 0, q, 14),
                         spatial(NodeId(2), 1, c, 3), spatial(NodeId(2), 1, s, 3),
                         spatial(NodeId(3), 0, m, 4), keep(NodeId(4), 2)});
  EXPECT_EQ(write_nest(problem, mapping),
            "DRAM: keep Inputs Weights Outputs\n"
            "  for p 8, q 2, m 4\n"
            "GLB: keep Inputs Outputs\n"
            "  for p 14\n"
            "PE: parfor q 14 on X, c 3 on Y, s 3 on Y\n"
            "COL: parfor m 4 on Z\n"
            "spad: keep Weights\n"
            "mac\n");
  EXPECT_EQ(write_mapping(problem, mapping),
            "mapping:\n"
            "  - {memory: DRAM, keep: [Inputs, Weights, Outputs]}\n"
            "  - for: [p 8, q 2, m 4]\n"
            "  - {memory: GLB, keep: [Inputs, Outputs]}\n"
            "  - for: [p 14]\n"
            "  - {fanout: PE, parfor: [q 14 on X, c 3 on Y, s 3 on Y]}\n"
            "  - {fanout: COL, parfor: [m 4 on Z]}\n"
            "  - {memory: spad, keep: [Weights]}\n"
            "  - {compute: mac}\n");
}

TEST(MappingWriter, AnEmptyMappingIsTheComputeUnit) {
  const Problem problem = small_problem();
  EXPECT_EQ(write_nest(problem, Mapping({})), "mac\n");
  EXPECT_EQ(write_mapping(problem, Mapping({})), "mapping:\n  - {compute: mac}\n");
}

TEST(MappingWriter, IsReadBackAsItWas) {
  const Problem problem = small_problem();
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Random random(seed);
    expect_round_trip(problem, random_nest(problem, random));
    if (HasFatalFailure() || HasNonfatalFailure()) FAIL() << "seed " << seed;
  }
}

TEST(MappingWriter, QuotesOddNames) {
  const Rank rank_a{{Term{DimId(0), 1}}};
  const Rank rank_b{{Term{DimId(1), 1}}};
  const Problem problem(
      Workload("odd", {{"output row", 8}, {"on", 9}},
               {Tensor{"true", "input", 8, {rank_a}}, Tensor{"a, b", "weight", 8, {rank_b}},
                Tensor{"\xC3\x84#", "output", 8, {rank_a, rank_b}}}),
      Arch("odd", "", std::nullopt,
           {memory_of("for"), memory_of("L2: \"big\" \\ \x01 \n end"), memory_of("12"),
            memory_of("a-b.c"), memory_of("no"), fanout_of("- {x}", {{"*", 4}, {"", 4}})},
           Compute{.name = "keep"}));
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    expect_round_trip(problem, random_nest(problem, random));
    if (HasFatalFailure() || HasNonfatalFailure()) FAIL() << "seed " << seed;
  }
}

}  // namespace
}  // namespace tilewright
