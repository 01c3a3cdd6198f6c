// SPDX-License-Identifier: Apache-2.0
#include "tilewright/io/yaml/fields.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "tilewright/io/read_test_support.h"

namespace tilewright {
namespace {

TEST(Fields, AreComplete) {
  for (const ObjectFields& object : all_objects()) {
    std::set<std::string> keys;
    for (const Field& field : object.fields) {
      SCOPED_TRACE(std::string(object.name) + "." + std::string(field.key));
      EXPECT_TRUE(keys.insert(std::string(field.key)).second);
      EXPECT_TRUE(field.meaning.ends_with('.'));
      EXPECT_FALSE(field.example.empty());
      EXPECT_EQ(field.required, field.default_text.empty());
    }
    EXPECT_EQ(&fields_of(object.id), &object);
  }
}

// The examples of one object as a map, without the keys that exclude each other.
std::string all_examples(ObjectId id, const std::set<std::string>& without) {
  std::string text;
  for (const Field& field : fields_of(id).fields) {
    if (without.contains(std::string(field.key))) continue;
    const std::string quote =
        field.kind == FieldKind::kText || field.kind == FieldKind::kEinsum ? "\"" : "";
    text += (text.empty() ? "{" : ", ") + std::string(field.key) + ": " + quote +
            std::string(field.example) + quote;
  }
  return text + "}";
}

TEST(Fields, ReadersKnowEveryKeyAndEveryExampleIsRead) {
  EXPECT_TRUE(
      workload_of("workload: " + all_examples(ObjectId::kWorkload, {"gemm", "bmm", "conv"})));
  for (const char* form : {"gemm", "bmm", "conv"}) {
    const auto& fields = fields_of(ObjectId::kWorkload).fields;
    const auto it = std::ranges::find(fields, form, &Field::key);
    EXPECT_TRUE(
        workload_of("workload: {" + std::string(form) + ": " + std::string(it->example) + "}"));
  }
  EXPECT_TRUE(workload_of("workload: {gemm: " + all_examples(ObjectId::kGemm, {}) + "}"));
  EXPECT_TRUE(workload_of("workload: {bmm: " + all_examples(ObjectId::kBmm, {}) + "}"));
  EXPECT_TRUE(
      workload_of("workload: {conv: " + all_examples(ObjectId::kConv, {"groups", "m"}) + "}"));
  EXPECT_TRUE(workload_of("workload: {conv: {groups: 32, m: 64, c: 32}}"));
  EXPECT_TRUE(arch_of("arch: " + all_examples(ObjectId::kArch, {})));
  const auto nodes = [](const std::string& memory, const std::string& compute) {
    return "arch: {nodes: [" + memory + ", " + all_examples(ObjectId::kFanout, {}) + ", " +
           compute + "]}";
  };
  EXPECT_TRUE(
      arch_of(nodes(all_examples(ObjectId::kMemory, {}), all_examples(ObjectId::kCompute, {}))));
  for (const std::set<std::string>& without :
       {std::set<std::string>{"write"}, std::set<std::string>{"fill", "update"}}) {
    EXPECT_TRUE(
        arch_of(nodes("{memory: M, energy: " + all_examples(ObjectId::kMemoryEnergy, without) + "}",
                      "{compute: c, energy: " + all_examples(ObjectId::kComputeEnergy, {}) + "}")));
  }
}

TEST(Fields, EveryExampleOfAConstraintIsRead) {
  const Problem problem(
      *workload_of("workload: {conv: {m: 64, c: 8, p: 14, q: 14}}\n"),
      *arch_of("arch: {nodes: [{memory: GLB}, {fanout: PE, axes: {X: 4, Y: 4}}, {compute: mac}]}"));
  const std::string memory = all_examples(ObjectId::kConstraint, {"dims", "utilization"});
  const std::string fanout =
      all_examples(ObjectId::kConstraint, {"at", "keep", "bypass", "factors", "order"});
  Diagnostics diagnostics;
  const auto constraints = read_constraints(
      source_text("c.yaml", "constraints: [" + memory + ", {at: PE, " + fanout.substr(1) + "]\n"),
      problem, diagnostics);
  EXPECT_TRUE(diagnostics.all().empty()) << render_text(diagnostics, false);
  ASSERT_TRUE(constraints);
  EXPECT_EQ(constraints->size(), 11U);
}

TEST(Fields, EveryExampleOfANetworkIsRead) {
  const std::string edge = all_examples(ObjectId::kEdge, {});
  const auto network = [&](const std::string& layers) {
    Diagnostics diagnostics;
    const auto result = read_network(
        source_text("n.yaml", "network: {edges: [" + edge + "], layers: [" + layers + "]}\n"),
        diagnostics);
    EXPECT_TRUE(result) << render_text(diagnostics, false);
  };
  const std::set<std::string> forms{"einsum", "dims",    "roles",   "bits", "gemm", "bmm",
                                    "conv",   "traffic", "nothing", "op",   "from"};
  const auto layer = [&](std::set<std::string> without) {
    without.insert("from");
    return all_examples(ObjectId::kLayer, without);
  };
  network(layer({"gemm", "bmm", "conv", "traffic", "nothing", "bits"}));
  for (const char* form : {"traffic", "nothing", "gemm", "bmm", "conv"}) {
    std::set<std::string> without = forms;
    without.erase(form);
    if (std::string(form) == "gemm") without.erase("bits");
    without.insert("to");
    network(layer(without) + ", {name: next, traffic: relu, from: [conv1]}");
  }
  network("{name: a, gemm: {m: 1, n: 1, k: 1}, from: [" + all_examples(ObjectId::kEdgeUse, {}) +
          "]}");
  Diagnostics diagnostics;
  EXPECT_TRUE(read_network(
      source_text("n.yaml", "network: " + all_examples(ObjectId::kNetwork, {"llm"})), diagnostics));
  for (const std::string& llm :
       {all_examples(ObjectId::kLlm, {}),
        std::string(fields_of(ObjectId::kNetwork).fields.back().example)}) {
    EXPECT_TRUE(read_network(source_text("n.yaml", "network: {llm: " + llm + "}"), diagnostics))
        << render_text(diagnostics, false);
  }
}

TEST(FindDoc, ByKeyByPathAndByObject) {
  ASSERT_EQ(find_doc("capacity").size(), 1U);
  const DocEntry entry = find_doc("capacity").front();
  EXPECT_EQ(entry.object, "memory");
  EXPECT_EQ(entry.default_text, "unlimited");
  EXPECT_EQ(entry.example, "capacity: 128 KiB");
  EXPECT_NE(entry.kind.find("`KiB`"), std::string::npos);
  EXPECT_EQ(find_doc("energy").size(), 2U);
  EXPECT_EQ(find_doc("compute.energy").size(), 3U);
  EXPECT_EQ(find_doc("conv").size(), 14U);
  EXPECT_EQ(find_doc("constraints").size(), 9U);
  EXPECT_EQ(find_doc("constraints.keep").size(), 1U);
  EXPECT_TRUE(find_doc("no_such_key").empty());
  EXPECT_EQ(find_doc("network").size(), 9U);
  EXPECT_EQ(find_doc("layer.from").size(), 1U);
  EXPECT_EQ(doc_entries().front().key, "workload");
}

TEST(JsonSchema, NamesEveryKey) {
  const nlohmann::json schema = nlohmann::json::parse(json_schema());
  EXPECT_EQ(schema["properties"].size(), 7U);
  EXPECT_EQ(schema["properties"]["constraints"]["items"]["$ref"], "#/$defs/constraints");
  EXPECT_EQ(schema["additionalProperties"], false);
  EXPECT_EQ(schema["$defs"]["memory"]["required"], nlohmann::json::array({"memory"}));
  EXPECT_EQ(schema["$defs"]["workload"]["oneOf"][0]["required"],
            nlohmann::json::array({"einsum", "dims"}));
  EXPECT_EQ(schema["$defs"]["workload"]["oneOf"][1]["required"], nlohmann::json::array({"gemm"}));
  for (const ObjectFields& object : all_objects()) {
    if (object.id == ObjectId::kDocument) continue;
    std::string name(object.name);
    std::ranges::replace(name, '.', '_');
    ASSERT_TRUE(schema["$defs"].contains(name)) << name;
    EXPECT_EQ(schema["$defs"][name]["properties"].size(), object.fields.size()) << name;
  }
}

}  // namespace
}  // namespace tilewright
