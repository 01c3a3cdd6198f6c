// SPDX-License-Identifier: Apache-2.0
#include "tests/timeloop/feature.h"

namespace tilewright::test {
namespace {

// A v0.4 architecture around one component.
std::string around(const std::string& nodes) {
  return "architecture:\n  version: 0.4\n  nodes:\n"
         "  - !Component {name: DRAM, class: DRAM, attributes: {width: 64, datawidth: 16}}\n" +
         nodes + "  - !Component {name: mac, class: intmac}\n";
}

std::string buffer(const std::string& attributes) {
  return around("  - !Component {name: GLB, class: SRAM, attributes: {" + attributes + "}}\n");
}

Feature attribute(const std::string& attributes, std::function<bool(const Memory&)> check) {
  return {"attributes " + attributes,
          {{"a.yaml", buffer(attributes)}},
          [check](const FeatureResult& r) { return check(r.memory("GLB")); }};
}

Feature unsupported(const std::string& name, const std::string& arch) {
  return {name, {{"a.yaml", arch}}, [](const FeatureResult& r) { return r.has("T0001"); }, false};
}

Feature component(const std::string& name, bool memory) {
  const std::string node =
      "  - !Component {name: X, class: " + name + ", attributes: {depth: 8, datawidth: 8}}\n";
  if (memory) {
    return {"class " + name, {{"a.yaml", around(node)}}, [](const FeatureResult& r) {
              return r.memory("X").capacity_bits == 64;
            }};
  }
  return {"class " + name,
          {{"a.yaml", "architecture:\n  nodes:\n  - !Component {name: D, class: DRAM}\n" + node}},
          [](const FeatureResult& r) { return r.arch().compute().name == "X"; }};
}

std::vector<Feature> tags() {
  return {
      {"!Component, !Container",
       {{"a.yaml", small_arch()}},
       [](const FeatureResult& r) {
         return r.arch().name() == "system" && r.arch().nodes().size() == 4 &&
                r.fanout("PE").axes == std::vector<Axis>{{"X", 4}, {"Y", 2}} &&
                r.arch().compute().name == "mac" && r.arch().compute_units() == 8;
       }},
      {"!Parallel and !Nothing",
       {{"a.yaml", around("  - !Parallel\n    nodes:\n"
                          "    - !Component {name: W, class: regfile, attributes: {depth: 4, "
                          "datawidth: 16}, constraints: {dataspace: {keep: [Weights]}}}\n"
                          "    - !Component {name: I, class: regfile, attributes: {depth: 4, "
                          "datawidth: 16}, constraints: {dataspace: {keep: [Inputs]}}}\n"
                          "    - !Nothing {constraints: {dataspace: {keep: [Outputs]}}}\n")},
        {"p.yaml", conv_problem()}},
       [](const FeatureResult& r) {
         return r.memory("W").keep == Selection{false, {"Weights"}} &&
                r.memory("I").keep == Selection{false, {"Inputs"}};
       }},
      {"!Parallel that leaves a data space without a branch",
       {{"a.yaml", around("  - !Parallel\n    nodes:\n"
                          "    - !Component {name: W, class: regfile, constraints: {dataspace: "
                          "{keep: [Weights, Inputs]}}}\n")},
        {"p.yaml", conv_problem()}},
       [](const FeatureResult& r) { return r.has("T0009"); },
       false},
      {"!Hierarchical and !Pipelined",
       {{"a.yaml", around("  - !Hierarchical\n    nodes:\n"
                          "    - !Component {name: A, class: SRAM}\n"
                          "  - !Pipelined\n    nodes:\n"
                          "    - !Component {name: B, class: SRAM}\n")}},
       [](const FeatureResult& r) {
         return r.arch().find("A") < r.arch().find("B") && r.arch().memories().size() == 3;
       }},
      {"enabled: False",
       {{"a.yaml", around("  - !Component {name: A, class: SRAM, enabled: False}\n")}},
       [](const FeatureResult& r) { return !r.arch().find("A"); }},
      {"spatial of a component",
       {{"a.yaml", around("  - !Component {name: A, class: SRAM, spatial: {meshY: 3}}\n")}},
       [](const FeatureResult& r) {
         return r.fanout("A_array").axes == std::vector<Axis>{{"Y", 3}} &&
                r.arch().instances(*r.arch().find("A")) == 3;
       }},
      {"spatial of 1 x 1",
       {{"a.yaml", around("  - !Container {name: A, spatial: {meshX: 1, meshY: 1}}\n")}},
       [](const FeatureResult& r) { return !r.arch().find("A"); }},
      {"required_actions, area_scale, energy_scale",
       {{"a.yaml", around("  - !Component {name: A, class: SRAM, required_actions: [read], "
                          "area_scale: 2, energy_scale: 0.5}\n")}},
       [](const FeatureResult& r) { return r.arch().find("A").has_value(); }},
      {"a misspelt key of a node",
       {{"a.yaml", around("  - !Component {name: A, class: SRAM, atributes: {depth: 4}}\n")}},
       [](const FeatureResult& r) { return r.has("F0010"); },
       false},
      {"a node without a tag",
       {{"a.yaml", around("  - {name: A}\n")}},
       [](const FeatureResult& r) { return r.has("A0002"); },
       false},
  };
}

std::vector<Feature> old_forms() {
  const std::string old = R"(architecture:
  version: 0.2
  subtree:
  - name: system
    local:
    - {name: DRAM, class: DRAM, attributes: {word-bits: 8, block-size: 4}}
    subtree:
    - name: chip
      attributes: {technology: 45nm, global_cycle_seconds: 1e-9}
      local:
      - {name: GLB, class: smartbuffer_SRAM, attributes: {word-bits: 8, sizeKB: 2, bandwidth: 4}}
      subtree:
      - name: PE[0..11]
        local:
        - name: RF
          class: regfile
          attributes: {word-bits: 8, entries: 16, meshX: 4}
        - {name: MAC, class: intmac, attributes: {datawidth: 8, meshX: 4}}
)";
  return {
      {"subtree, local, name[0..11], hyphens, sizeKB, entries, bandwidth",
       {{"a.yaml", old}},
       [](const FeatureResult& r) {
         return r.memory("DRAM").width_bits == 32 && !r.memory("DRAM").capacity_bits &&
                r.memory("GLB").capacity_bits == 2048 * 8 &&
                r.memory("GLB").read_bandwidth == make_rational(16, 1) &&
                r.memory("GLB").write_bandwidth == make_rational(16, 1) &&
                r.memory("RF").capacity_bits == 128 &&
                r.fanout("PE").axes == std::vector<Axis>{{"X", 4}, {"Y", 3}} &&
                r.arch().clock_hz() == make_rational(1'000'000'000, 1);
       }},
      {"name[1..16] of a component, no mesh",
       {{"a.yaml",
         "architecture:\n  version: 0.3\n  subtree:\n  - name: s\n    local:\n"
         "    - {name: D, class: DRAM}\n    - {name: 'RF[1..16]', class: storage}\n"
         "    - {name: 'M[1..16]', class: compute}\n"}},
       [](const FeatureResult& r) {
         return r.fanout("RF_array").axes == std::vector<Axis>{{"X", 16}} &&
                r.arch().compute_units() == 16;
       }},
      {"a flattened architecture with stand-ins",
       {{"a.yaml",
         "architecture:\n  version: '0.4'\n  local:\n"
         "  - {name: 's.D[1..1]', class: DRAM, attributes: {meshX: 1, meshY: 1}}\n"
         "  - {name: 's.inter_PE_spatial[1..1]', class: dummy_storage, attributes: "
         "{meshX: 1, meshY: 1}}\n"
         "  - {name: 's.RF[1..6]', class: regfile, attributes: {meshX: 2, meshY: 3}}\n"
         "  - {name: 's.mac[1..6]', class: intmac, attributes: {meshX: 2, meshY: 3}}\n"}},
       [](const FeatureResult& r) {
         return r.arch().nodes().size() == 3 &&
                r.fanout("PE").axes == std::vector<Axis>{{"X", 2}, {"Y", 3}};
       }},
      {"a mesh that does not divide",
       {{"a.yaml",
         "architecture:\n  version: 0.3\n  subtree:\n  - name: s\n    local:\n"
         "    - {name: 'D[1..4]', class: DRAM}\n    - {name: 'M[1..6]', class: mac}\n"}},
       [](const FeatureResult& r) { return r.has("T0009"); },
       false},
  };
}

std::vector<Feature> energies() {
  const std::string table = R"(ERT:
  version: 0.4
  tables:
  - name: system.chip.DRAM[1..1]
    actions: [{name: read, energy: 100}, {name: write, energy: 110}, {name: leak, energy: 0.5}]
  - name: system.GLB[1..1]
    actions:
    - {name: read, arguments: {a: 1}, energy: 5}
    - {name: read, arguments: {a: 2}, energy: 6}
    - {name: write, energy: 7}
    - {name: update, energy: 8}
  - {name: 'system.RF[1..8]', actions: [{name: random_read, energy: 1}, {name: random_fill, energy: 2}, {name: random_update, energy: 3}]}
  - {name: 'system.mac[1..8]', actions: [{name: compute, energy: 0.25}, {name: idle, energy: 0.01}]}
)";
  const std::string old = R"(ERT:
  version: 0.2
  tables:
    s.DRAM: {read: {energy: 100}, write: {energy: 110}, idle: {energy: 0}}
    s.GLB: {read: [{energy: 5}, {energy: 6}], write: {energy: 7}}
    s.RF[0..7]: {read: {energy: 1}, write: {energy: 2}}
    s.mac[0..7]: {mac_random: {energy: 0.25}}
)";
  return {
      {"ERT",
       {{"a.yaml", small_arch()}, {"e.yaml", table}},
       [](const FeatureResult& r) {
         const ActionEnergy& dram = r.memory("DRAM").energy;
         const ActionEnergy& glb = r.memory("GLB").energy;
         const ActionEnergy& rf = r.memory("RF").energy;
         return dram.read_pj == 100 && dram.fill_pj == 110 && dram.update_pj == 110 &&
                r.memory("DRAM").leakage_pj_per_cycle == 0.5 && glb.read_pj == 6 &&
                glb.fill_pj == 7 && glb.update_pj == 8 && rf.read_pj == 1 && rf.fill_pj == 2 &&
                rf.update_pj == 3 && r.arch().compute().energy_pj == 0.25 &&
                r.arch().compute().leakage_pj_per_cycle == 0.01 && r.diagnostics.all().empty();
       }},
      {"ERT of v0.2",
       {{"a.yaml", small_arch()}, {"e.yaml", old}},
       [](const FeatureResult& r) {
         return r.memory("GLB").energy.read_pj == 6 && r.memory("GLB").energy.update_pj == 7 &&
                r.memory("RF").energy.read_pj == 1 && r.arch().compute().energy_pj == 0.25;
       }},
      {"no ERT is said",
       {{"a.yaml", small_arch()}},
       [](const FeatureResult& r) {
         return r.has("T0011") && !r.memory("GLB").energy.read_pj.has_value();
       }},
      {"ART",
       {{"a.yaml", small_arch()},
        {"e.yaml",
         "ART:\n  version: 0.4\n  tables:\n  - {name: 'system.GLB[1..1]', area: 12.5}\n"}},
       [](const FeatureResult& r) { return r.memory("GLB").area_um2 == 12.5; }},
  };
}

}  // namespace

std::vector<Feature> architecture_features() {
  std::vector<Feature> all = tags();
  for (const char* name : {"storage", "DRAM", "smartbuffer_SRAM", "smartbuffer_RF", "regfile",
                           "smartbuffer_metadata", "SRAM"}) {
    all.push_back(component(name, true));
  }
  for (const char* name : {"intmac", "mac", "fpmac", "compute"}) {
    all.push_back(component(name, false));
  }
  all.push_back(
      {"class storage with a subclass of its own",
       {{"a.yaml", around("  - !Component {name: X, class: storage, subclass: my_reg}\n")}},
       [](const FeatureResult& r) { return r.arch().find("X").has_value(); }});
  all.push_back({"an unknown class",
                 {{"a.yaml", around("  - !Component {name: X, class: adder}\n")}},
                 [](const FeatureResult& r) { return r.has("A0002"); },
                 false});
  const auto rate = [](std::int64_t n, std::int64_t d) { return make_rational(n, d); };
  all.push_back(attribute("depth: 16, width: 64, datawidth: 8", [](const Memory& m) {
    return m.capacity_bits == 1024 && m.width_bits == 64 && m.bits.front().bits == 8;
  }));
  all.push_back(attribute("depth: 16, datawidth: 8, block_size: 2", [](const Memory& m) {
    return m.capacity_bits == 256 && m.width_bits == 16;
  }));
  all.push_back(
      attribute("depth: 1, width: 512, datawidth: 8, cluster_size: 64",
                [](const Memory& m) { return m.capacity_bits == 8 && m.width_bits == 8; }));
  all.push_back(attribute("entries: 10, word_bits: 4",
                          [](const Memory& m) { return m.capacity_bits == 40; }));
  all.push_back(attribute("sizeKB: 1, datawidth: 16",
                          [](const Memory& m) { return m.capacity_bits == 8192; }));
  all.push_back(attribute("depth: 11, datawidth: 8, multiple_buffering: 2", [](const Memory& m) {
    return m.capacity_bits == 80 && m.buffering == 2;
  }));
  all.push_back(attribute("depth: 11, datawidth: 8, multiple_buffering: 1.5", [](const Memory& m) {
    return m.capacity_bits == 56 && m.buffering == 1;
  }));
  all.push_back(
      attribute("datawidth: 8, read_bandwidth: 16, write_bandwidth: 0.5", [rate](const Memory& m) {
        return m.read_bandwidth == rate(128, 1) && m.write_bandwidth == rate(4, 1) &&
               !m.shared_bandwidth;
      }));
  all.push_back(attribute("datawidth: 8, shared_bandwidth: 3", [rate](const Memory& m) {
    return m.shared_bandwidth == rate(24, 1) && !m.read_bandwidth;
  }));
  all.push_back(attribute(
      "depth: 4, technology: '45nm', n_banks: 4, nports: 2, type: LPDDR4, has_power_gating: "
      "False, allow_overbooking: False, min_utilization: 0, network_fill_latency: 0, "
      "per_dataspace_bandwidth_consumption_scale: {}, reduction_supported: True",
      [](const Memory& m) { return m.capacity_bits == 64; }));
  for (const char* one :
       {"network_fill_latency: 2", "network_drain_latency: 1",
        "per_dataspace_bandwidth_consumption_scale: {Inputs: 2}", "allow_overbooking: True",
        "min_utilization: 0.5", "reduction_supported: False", "has_power_gating: True",
        "metadata_datawidth: 4", "metadata_storage_depth: 16"}) {
    all.push_back(unsupported(std::string("not modelled: ") + one, buffer(one)));
  }
  all.push_back(
      unsupported("not modelled: a network", around("  - !Component {name: N, class: XY_NoC}\n")));
  all.push_back(unsupported(
      "not modelled: sparse_optimizations",
      around("  - !Component {name: A, class: SRAM, sparse_optimizations: {action_optimization: "
             "[{type: gating}]}}\n")));
  all.push_back({"--ignore-unsupported",
                 {{"a.yaml", around("  - !Component {name: N, class: XY_NoC}\n")}},
                 [](const FeatureResult& r) {
                   return r.has("T0001") && r.reading.ignored.size() == 1 &&
                          r.arch().memories().size() == 1;
                 },
                 true,
                 true});
  all.push_back({"a misspelt attribute",
                 {{"a.yaml", buffer("depth: 4, datawidth: 8, read_bandwith: 3")}},
                 [](const FeatureResult& r) { return r.has("T0007"); }});
  for (const auto& list : {old_forms(), energies()})
    all.insert(all.end(), list.begin(), list.end());
  return all;
}

}  // namespace tilewright::test
