// SPDX-License-Identifier: Apache-2.0
#include "tests/timeloop/feature.h"

namespace tilewright::test {
namespace {

Feature mapping(const std::string& name, const std::string& directives, const std::string& nest) {
  return {
      name,
      {{"a.yaml", small_arch()}, {"p.yaml", conv_problem()}, {"m.yaml", "mapping:\n" + directives}},
      [nest](const FeatureResult& r) { return r.nest() == nest; }};
}

Feature refused(const std::string& name, const std::string& directives, const std::string& code) {
  return {
      name,
      {{"a.yaml", small_arch()}, {"p.yaml", conv_problem()}, {"m.yaml", "mapping:\n" + directives}},
      [code](const FeatureResult& r) { return r.has(code); },
      false};
}

}  // namespace

std::vector<Feature> mapping_features() {
  const std::string all = ": keep Weights Inputs Outputs; ";
  return {
      mapping("permutation from inside, split, container as target",
              "- {target: DRAM, type: temporal, factors: P=4 K=2, permutation: PKCR}\n"
              "- {target: PE, type: spatial, factors: [C=4, K=2], permutation: [C, K, P, R], "
              "split: 1}\n"
              "- {target: RF, type: temporal, factors: P4 R3 K2, permutation: RPKC}\n",
              "DRAM" + all + "for K 2, P 4; GLB" + all + "PE: parfor C 4 on X, K 2 on Y; RF" + all +
                  "for K 2, P 4, R 3; mac"),
      mapping(
          "inter_PE_spatial as target, split 999",
          "- {target: DRAM, type: temporal, factors: P=16 R=3 K=8}\n"
          "- {target: inter_PE_spatial, type: spatial, factors: C=4, split: 999}\n"
          "- {target: inter_PE_spatial, type: temporal, factors: C=1}\n",
          "DRAM" + all + "for K 8, R 3, P 16; GLB" + all + "PE: parfor C 4 on X; RF" + all + "mac"),
      mapping("the parent memory as target, split 0",
              "- {target: DRAM, type: temporal, factors: P=16 R=3 K=4 C=4}\n"
              "- {target: GLB, type: spatial, factors: K=2, split: 0}\n",
              "DRAM" + all + "for K 4, C 4, R 3, P 16; GLB" + all + "PE: parfor K 2 on Y; RF" +
                  all + "mac"),
      mapping("datatype, bypass and dataspace",
              "- {target: GLB, type: datatype, keep: [Inputs], bypass: [Weights, Outputs]}\n"
              "- {target: RF, type: bypass, bypass: [Inputs]}\n"
              "- {target: DRAM, type: dataspace, keep: [Weights, Inputs, Outputs]}\n"
              "- {target: DRAM, type: temporal, factors: P=16 R=3 K=8 C=4}\n",
              "DRAM" + all +
                  "for K 8, C 4, R 3, P 16; GLB: keep Inputs; RF: keep Weights Outputs; mac"),
      mapping("a remainder",
              "- {target: DRAM, type: temporal, factors: 'P=3 R=3 K=8 C=4'}\n"
              "- {target: RF, type: temporal, factors: 'P=6,4'}\n",
              "DRAM" + all + "for K 8, C 4, R 3, P 3; GLB" + all + "RF" + all + "for P 6; mac"),
      mapping("factor 0 is the size",
              "- {target: DRAM, type: temporal, factors: P=0 R=0 K=0 C=0}\n",
              "DRAM" + all + "for K 8, C 4, R 3, P 16; GLB" + all + "RF" + all + "mac"),
      refused("factors that do not cover",
              "- {target: DRAM, type: temporal, factors: P=4 R=3 K=8 C=4}\n", "T0014"),
      refused("factors that cover too much without a remainder",
              "- {target: DRAM, type: temporal, factors: P=3 R=3 K=8 C=4}\n"
              "- {target: RF, type: temporal, factors: P=6}\n",
              "T0014"),
      refused("an unknown target", "- {target: GLBB, type: temporal, factors: P=4}\n", "T0010"),
      refused("an unknown dimension", "- {target: GLB, type: temporal, factors: X=4}\n", "T0010"),
      refused("an unknown data space", "- {target: GLB, type: bypass, keep: [Input]}\n", "T0010"),
      refused("an unknown type", "- {target: GLB, type: temporl, factors: P=4}\n", "T0012"),
      refused("a misspelt key", "- {target: GLB, type: temporal, factor: P=4}\n", "F0010"),
      refused("a skew is not modelled", "- {target: GLB, type: skew, modulo: 2, terms: []}\n",
              "T0001"),
      refused("a range is no factor", "- {target: GLB, type: temporal, factors: P<=4}\n", "T0012"),
      {"constraints of the architecture fill what a mapping leaves open",
       {{"a.yaml", small_arch("    constraints: {temporal: {factors: [P=16, R=3], permutation: [P, "
                              "R]}, dataspace: {bypass: [Weights]}}\n")},
        {"p.yaml", conv_problem()},
        {"m.yaml", "mapping:\n- {target: DRAM, type: temporal, factors: K=8 C=4}\n"}},
       [all](const FeatureResult& r) {
         return r.nest() == "DRAM" + all +
                                "for K 8, C 4; GLB: keep Inputs Outputs; for R 3, P 16; RF" + all +
                                "mac";
       }},
  };
}

}  // namespace tilewright::test
