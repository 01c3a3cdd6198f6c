// SPDX-License-Identifier: Apache-2.0
#include "tests/timeloop/feature.h"

namespace tilewright::test {
namespace {

// Constraints of the GLB, in its node.
Feature at_glb(const std::string& text, const std::string& expected) {
  return {"constraints " + text,
          {{"a.yaml", small_arch("    constraints: {" + text + "}\n")}, {"p.yaml", conv_problem()}},
          [expected](const FeatureResult& r) { return r.constraints() == expected; }};
}

// Spatial constraints of an array of 4 x 2.
Feature at_array(const std::string& text, const std::string& expected) {
  const std::string arch = small_arch();
  const std::string spatial = "spatial: {meshX: 4, meshY: 2}";
  std::string changed = arch;
  changed.replace(arch.find(spatial), spatial.size(),
                  spatial + ", constraints: {spatial: {" + text + "}}");
  return {"spatial " + text,
          {{"a.yaml", changed}, {"p.yaml", conv_problem()}},
          [expected](const FeatureResult& r) { return r.constraints() == expected; }};
}

Feature target(const std::string& section, const std::string& text, const std::string& expected) {
  return {section + " " + text,
          {{"a.yaml", small_arch()},
           {"p.yaml", conv_problem()},
           {"c.yaml", section + ": {version: 0.4, targets: [{" + text + "}]}\n"}},
          [expected](const FeatureResult& r) { return r.constraints() == expected; }};
}

Feature not_modelled(const std::string& text) {
  return {"not modelled: " + text,
          {{"a.yaml", small_arch("    constraints: {" + text + "}\n")}, {"p.yaml", conv_problem()}},
          [](const FeatureResult& r) { return r.has("T0001"); },
          false};
}

}  // namespace

std::vector<Feature> constraint_features() {
  std::vector<Feature> all = {
      at_glb("dataspace: {keep: [Inputs, Outputs], bypass: [Weights]}",
             "keep Inputs, Outputs at GLB"),
      at_glb("dataspace: {keep_only: [Inputs]}", "keep Inputs at GLB"),
      at_glb("dataspace: {bypass_only: [Inputs]}", "keep Weights, Outputs at GLB"),
      at_glb("dataspace: {keep: ['*']}", "keep Weights, Inputs, Outputs at GLB"),
      at_glb("temporal: {factors: [P=4, R<=2, C>=2]}",
             "P = 4 at GLB; R <= 2 at GLB; C >= 2 at GLB"),
      at_glb("temporal: {factors: 'P4 R1'}", "P = 4 at GLB; R = 1 at GLB"),
      at_glb("temporal: {factors: P=4 R=3, permutation: PRCK}",
             "P = 4 at GLB; R = 3 at GLB; order K, C, R, P at GLB"),
      at_glb("temporal: {permutation: [P, R]}", "order ..., R, P at GLB"),
      at_glb("temporal: {permutation: 'PR_K'}", "order K, ..., R, P at GLB"),
      at_glb("temporal: {factors_only: [P=4]}",
             "P = 4 at GLB; K = 1 at GLB; C = 1 at GLB; R = 1 at GLB"),
      at_glb("temporal: {factors_only: []}",
             "K = 1 at GLB; P = 1 at GLB; C = 1 at GLB; R = 1 at GLB"),
      at_glb("temporal: {no_iteration_over_dataspaces: [Weights]}",
             "K = 1 at GLB; C = 1 at GLB; R = 1 at GLB"),
      at_glb("temporal: {must_iterate_over_dataspaces: [Outputs]}", "C = 1 at GLB; R = 1 at GLB"),
      at_glb("temporal: {default_max_factor: 2, factors: [P=4]}",
             "P = 4 at GLB; K <= 2 at GLB; C <= 2 at GLB; R <= 2 at GLB"),
      at_glb("temporal: {maximize_dims: [[P, K]], maximize_dims_capacity: 24}",
             "P = 8 at GLB; K = 3 at GLB"),
      at_array("permutation: [C, K], split: 1, factors: [R=1]",
               "only C on X of PE; only K, P on Y of PE"),
      at_array("split: 999, factors: [P=1, R=1]", "only K, C on X of PE; nothing on Y of PE"),
      at_array("split: 0", "nothing on X of PE"),
      at_array("permutation: [C, K, P, R], split: 2, factors: [C=4, K<=2]",
               "C = 4 on X of PE; K <= 2 on X of PE; only K, C on X of PE; only P, R on Y of PE"),
      at_array("maximize_dims: [[C], [K]], permutation: [C, K], split: 1",
               "C = 4 on X of PE; K = 2 on Y of PE; only C on X of PE; only K, P, R on Y of PE"),
      at_array("no_link_transfer: [Inputs]", ""),
      {"spatial no_reuse of everything",
       {{"a.yaml", small_arch().replace(small_arch().find("meshY: 2}"), 9,
                                        "meshY: 2}, constraints: {spatial: {no_reuse: ['*']}}")},
        {"p.yaml", conv_problem()}},
       [](const FeatureResult& r) {
         return r.fanout("PE").multicast == Multicast::kNone && !r.fanout("PE").reduction;
       }},
      target("constraints", "target: GLB, type: temporal, factors: P=4", "P = 4 at GLB"),
      target("mapspace_constraints", "target: GLB, type: bypass, bypass: [Inputs], keep: [Weights]",
             "keep Weights at GLB; bypass Inputs at GLB"),
      target("architecture_constraints", "target: PE, type: spatial, factors: P=1 R=1, split: 4",
             "only K, C on X of PE; nothing on Y of PE"),
      target("architecture-constraints", "target: GLB, type: spatial, factors: P=1 R=1",
             "only K, C on X of PE; only K, C on Y of PE"),
      target("extra_mapping_constraints", "target: RF, type: dataspace, keep: [Inputs]",
             "keep Inputs at RF"),
      target("constraints", "target: GLB, type: temporal, factors: P=99", ""),
  };
  for (const char* text :
       {"temporal: {no_reuse: [Inputs]}", "temporal: {rmw_first_update: [Outputs]}",
        "dataspace: {no_coalesce: [Inputs]}", "max_overbooked_proportion: {proportion: 0.1}"}) {
    all.push_back(not_modelled(text));
  }
  all.push_back({"a misspelt constraint",
                 {{"a.yaml", small_arch("    constraints: {temporal: {factor: [P=1]}}\n")},
                  {"p.yaml", conv_problem()}},
                 [](const FeatureResult& r) { return r.has("F0010"); },
                 false});
  all.push_back({"no constraints at all",
                 {{"a.yaml", small_arch()},
                  {"p.yaml", conv_problem()},
                  {"c.yaml", "mapspace_constraints: {version: 0.4, targets: []}\n"}},
                 [](const FeatureResult& r) { return r.constraints().empty(); }});
  return all;
}

}  // namespace tilewright::test
