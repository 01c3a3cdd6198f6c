// SPDX-License-Identifier: Apache-2.0
#include "tests/timeloop/feature.h"

namespace tilewright::test {
namespace {

// A buffer whose attributes are `text`, under a container with attributes, after variables.
Feature expression(const std::string& text, std::int64_t depth) {
  const std::string arch =
      "variables: {version: 0.4, DEPTH: 12, TWICE: DEPTH * 2}\n"
      "architecture:\n  version: 0.4\n  nodes:\n"
      "  - !Container {name: top, attributes: {a: 3, datawidth: 8}}\n"
      "  - !Component {name: DRAM, class: DRAM, attributes: {width: 64, b: a + 1}}\n"
      "  - !Component\n    name: GLB\n    class: SRAM\n    attributes:\n      block_size: 1\n"
      "      depth: " +
      text + "\n  - !Component {name: mac, class: intmac}\n";
  return {"depth: " + text,
          {{"a.yaml", arch}, {"p.yaml", conv_problem()}},
          [depth](const FeatureResult& r) { return r.memory("GLB").capacity_bits == depth * 8; }};
}

std::vector<Feature> templates() {
  const std::string base =
      "base_ignore: &base\n  version: 0.4\n"
      "  instance: {P: 16, R: 3, C: 1, K: 1}\n  shape:\n"
      "    dimensions: [P, R, C, K]\n    data_spaces:\n"
      "    - {name: Weights, projection: [[[C]], [[K]], [[R]]]}\n"
      "    - {name: Inputs, projection: [[[C]], [[P], [R]]]}\n"
      "    - {name: Outputs, projection: [[[K]], [[P]]], read_write: true}\n";
  return {
      {"include_text and <<<",
       {{"layers/one.yaml",
         "{{include_text('../base.yaml')}}\nproblem:\n  <<<: *base\n  instance: {C: 4}\n"},
        {"base.yaml", base}},
       [](const FeatureResult& r) {
         return r.workload().dim(*r.workload().find_dim("C")).size == 4 &&
                r.workload().dim(*r.workload().find_dim("P")).size == 16 &&
                r.reading.included.size() == 1;
       }},
      {"include of a part",
       {{"top.yaml.jinja2", "problem: {{include('p.yaml', 'problem')}}\n"},
        {"p.yaml", conv_problem()}},
       [](const FeatureResult& r) { return r.workload().computes() == 16 * 3 * 4 * 8; }},
      {"include_all, add_to_path, find_path, cwd",
       {{"d/top.yaml",
         "{{add_to_path(cwd())}}\nvariables: {v: \"{{find_path('x/c1.yaml')}}\"}\n"
         "components:\n  classes: {{include_all('x/*.yaml', "
         "'compound_components.classes')}}\n"},
        {"d/x/c1.yaml", "compound_components:\n  classes: [{name: a}]\n"},
        {"d/x/c2.yaml", "compound_components:\n  classes: [{name: b}]\n"}},
       [](const FeatureResult& r) { return r.reading.included.size() == 2; }},
      {"{% if %}, {% else %}, {% set %}, |default, path_exists",
       {{"a.yaml",
         "{% set depth = depth | default(32) %}\n"
         "{% if path_exists('no.yaml') %}\nbroken: [\n{% else %}\n" +
             small_arch("{% if reg|default(True) %}\n  - !Component {name: REG, class: "
                        "SRAM, attributes: {datawidth: 8, depth: {{depth}}}}\n"
                        "{% endif %}\n") +
             "{% endif %}\n"}},
       [](const FeatureResult& r) { return r.memory("REG").capacity_bits == 256; }},
      {"a definition from outside",
       {{"a.yaml", small_arch("  - !Component {name: REG, class: {{kind}}, attributes: "
                              "{datawidth: 8, depth: {{rows}}}}\n")}},
       [](const FeatureResult& r) { return r.memory("REG").capacity_bits == 56; },
       true,
       false,
       {{"kind", "regfile"}, {"rows", "7"}}},
      {"a name that nobody defines",
       {{"a.yaml", small_arch("  - !Component {name: REG, class: {{kind}}}\n")}},
       [](const FeatureResult& r) {
         return r.has("T0002") && !r.diagnostics.all().front().helps.empty();
       },
       false},
      {"a file that is not there",
       {{"a.yaml", "problem: {{include('gone.yaml')}}\n"}},
       [](const FeatureResult& r) { return r.has("T0002"); },
       false},
      {"a file that includes itself",
       {{"a.yaml", "{{include_text('a.yaml')}}\n"}},
       [](const FeatureResult& r) { return r.has("T0002"); },
       false},
      {"places in included files",
       {{"one.yaml", "{{include_text('bad.yaml')}}\n"},
        {"bad.yaml", "problem:\n  shape: {dimensions: [P], wrong: 1}\n  instance: {P: 2}\n"}},
       [](const FeatureResult& r) {
         for (const Diagnostic& one : r.diagnostics.all()) {
           if (one.labels.front().span.file->name == "bad.yaml") return true;
         }
         return false;
       },
       false},
  };
}

std::vector<Feature> merging() {
  return {
      {"anchors, aliases and <<",
       {{"a.yaml", small_arch("  - !Component\n    name: A\n    class: SRAM\n    attributes: &x "
                              "{depth: 4, datawidth: 8, width: 8}\n"
                              "  - !Component\n    name: B\n    class: SRAM\n    attributes: {<<: "
                              "*x, depth: 5}\n")}},
       [](const FeatureResult& r) {
         return r.memory("A").capacity_bits == 32 && r.memory("B").capacity_bits == 40;
       }},
      {"<<< in lists and maps, !nomerge",
       {{"a.yaml", "x_ignore: &x\n  instance: {P: 1, R: 1, C: 4, K: 8}\n" +
                       conv_problem().substr(0, conv_problem().find("  instance")) +
                       "  <<<: *x\n  instance: {P: 16, R: 3}\n"}},
       [](const FeatureResult& r) { return r.workload().computes() == 16 * 3 * 4 * 8; }},
      {"several files, blocks in any order, variables twice",
       {{"m.yaml", "mapper: {version: 0.4, optimization_metrics: [delay], timeout: 10}\n"},
        {"v.yaml", "variables: {D: 4}\n"},
        {"w.yaml", "variables: {D: 6}\n"},
        {"a.yaml", small_arch("  - !Component {name: A, class: SRAM, attributes: {datawidth: 8, "
                              "depth: D}}\n")},
        {"p.yaml", conv_problem()}},
       [](const FeatureResult& r) {
         return r.memory("A").capacity_bits == 48 && r.reading.objective == "latency" &&
                r.reading.notes.size() == 1 && r.reading.documents.problem.has_value() &&
                r.problem().conventions().holes_are_data;
       }},
      {"a section in two files",
       {{"a.yaml", small_arch()}, {"b.yaml", small_arch()}},
       [](const FeatureResult& r) { return r.has("F0013"); },
       false},
      {"a .cfg file",
       {{"a.cfg", "arch : { arithmetic : { instances = 256; } };\n"}},
       [](const FeatureResult& r) { return r.has("T0005"); },
       false},
      {"a workload of ours on an architecture of theirs",
       {{"a.yaml", small_arch()},
        {"w.yaml", "workload: {gemm: {m: 4, n: 4, k: 4}}\n"},
        {"m.nest", "DRAM: keep A B Z\n  for m 4, n 4, k 4\nmac\n"}},
       [](const FeatureResult& r) {
         return r.nest() == "DRAM: keep A B Z; for m 4, n 4, k 4; mac";
       },
       true},
      {"outputs that say nothing new",
       {{"a.yaml", small_arch()},
        {"e.yaml", "ERT_summary: {version: 0.4, table_summary: []}\n"},
        {"g.yaml", "globals: {version: 0.4, environment_variables: {X: 1}}\n"}},
       [](const FeatureResult& r) { return r.arch().memories().size() == 3; }},
  };
}

std::vector<Feature> problems() {
  const auto shape = [](const std::string& text) { return "problem:\n" + text; };
  return {
      {"coefficients and defaults",
       {{"p.yaml", conv_problem() + "  \n"}},
       [](const FeatureResult& r) {
         const Tensor& inputs = r.workload().tensors()[1];
         return inputs.name == "Inputs" && inputs.role == "input" && inputs.ranks.size() == 2 &&
                inputs.ranks[1].terms.size() == 2 && r.workload().tensors()[0].role == "weight" &&
                r.workload().tensors()[2].role == "output";
       }},
      {"a stride in the instance",
       {{"p.yaml", conv_problem().replace(conv_problem().find("K: 8}"), 5, "K: 8, stride: 2}")}},
       [](const FeatureResult& r) {
         return r.workload().tensors()[1].ranks[1].terms[0].coefficient == 2;
       }},
      {"a misspelt stride has no effect and is said",
       {{"p.yaml", conv_problem().replace(conv_problem().find("K: 8}"), 5, "K: 8, Stride: 2}")}},
       [](const FeatureResult& r) {
         return r.has("T0007") && r.workload().tensors()[1].ranks[1].terms[0].coefficient == 1;
       }},
      {"data-spaces, read-write, the output first",
       {{"p.yaml", shape("  shape:\n    dimensions: [M, K]\n    data-spaces:\n"
                         "    - {name: Z, projection: [[[M]]], read-write: True}\n"
                         "    - {name: A, projection: [[[M]], [[K]]]}\n"
                         "    - {name: B, projection: [[[K]]]}\n  instance: {M: 2, K: 3}\n")}},
       [](const FeatureResult& r) {
         return r.workload().tensors()[2].name == "Z" && r.workload().tensors()[1].role == "weight";
       }},
      {"shape: cnn-layer",
       {{"p.yaml",
         "problem: {shape: cnn-layer, R: 3, S: 3, P: 8, Q: 8, C: 4, K: 2, N: 1, Wstride: "
         "2}\n"}},
       [](const FeatureResult& r) { return r.workload().computes() == 9 * 64 * 8; }},
      {"H, W and paddings are information",
       {{"p.yaml", conv_problem().replace(conv_problem().find("K: 8}"), 5,
                                          "K: 8, H: 9, W: 9, Hpad: 1, Wpad: 1}")}},
       [](const FeatureResult& r) { return !r.has("T0007"); }},
      {"densities are not modelled",
       {{"p.yaml", conv_problem().replace(conv_problem().find("K: 8}"), 5,
                                          "K: 8, densities: {Inputs: 0.5}}")}},
       [](const FeatureResult& r) { return r.has("T0001"); },
       false},
      {"a dimension without a size",
       {{"p.yaml", conv_problem().replace(conv_problem().find(", K: 8}"), 7, "}")}},
       [](const FeatureResult& r) { return r.has("W0002"); },
       false},
      {"long names of dimensions",
       {{"p.yaml", shape("  shape:\n    dimensions: [rows, inner]\n    data_spaces:\n"
                         "    - {name: A, projection: [[[rows]], [[inner]]]}\n"
                         "    - {name: B, projection: [[[inner]]]}\n"
                         "    - {name: Z, projection: [[[rows]]], read_write: True}\n"
                         "  instance: {rows: 6, inner: 4}\n")},
        {"a.yaml", small_arch()},
        {"m.yaml",
         "mapping:\n- {target: DRAM, type: temporal, factors: 'rows=2 inner=4', "
         "permutation: [inner, rows]}\n"
         "- {target: RF, type: temporal, factors: [rows=3]}\n"}},
       [](const FeatureResult& r) {
         return r.nest() ==
                "DRAM: keep A B Z; for rows 2, inner 4; GLB: keep A B Z; "
                "RF: keep A B Z; for rows 3; mac";
       }},
  };
}

}  // namespace

std::vector<Feature> document_features() {
  std::vector<Feature> all = {
      expression("64", 64),
      expression("DEPTH * 2 + 1", 25),
      expression("TWICE", 24),
      expression("a ** 2", 9),
      expression("max(1, ceil(log2(DEPTH))) if DEPTH >= 1 else 1", 4),
      expression("DRAM.attributes[\"b\"] * 10", 40),
      expression("len(spec.problem.instance)", 4),
      expression("spec.problem.instance.P", 16),
      expression("\"7\"", 7),
      expression("1e2", 100),
      expression("datawidth * 3", 24),
      expression("DRAM.attributes.width / 8", 8),
  };
  all.push_back({"a value that makes no sense",
                 {{"a.yaml", small_arch("  - !Component {name: A, class: SRAM, attributes: {depth: "
                                        "NOTHING + 1}}\n")}},
                 [](const FeatureResult& r) { return r.has("T0003"); },
                 false});
  all.push_back({"9**9**9 ends at once",
                 {{"a.yaml", small_arch("  - !Component {name: A, class: SRAM, attributes: {depth: "
                                        "9**9**9}}\n")}},
                 [](const FeatureResult& r) { return r.has("T0003"); },
                 false});
  for (const auto& list : {templates(), merging(), problems()}) {
    all.insert(all.end(), list.begin(), list.end());
  }
  return all;
}

}  // namespace tilewright::test
