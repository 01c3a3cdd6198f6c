// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "tilewright/io/yaml/fields.h"
#include "tilewright/io/yaml/units.h"

namespace tilewright {
namespace {

using Json = nlohmann::ordered_json;

std::string definition_name(ObjectId id) {
  std::string name(fields_of(id).name);
  for (char& c : name) c = c == '.' ? '_' : c;
  return name;
}

Json reference(ObjectId id) { return {{"$ref", "#/$defs/" + definition_name(id)}}; }

Json quantity(Quantity kind) {
  std::string units;
  for (const std::string& unit : unit_names(kind)) units += (units.empty() ? "" : "|") + unit;
  const std::string number = R"(\+?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?(/[0-9]+)?)";
  return {{"type", "string"}, {"pattern", fmt::format(R"(^\s*{}\s*({})\s*$)", number, units)}};
}

Json count(int least = 1) { return {{"type", "integer"}, {"minimum", least}}; }
Json text() { return {{"type", "string"}}; }
Json flag() { return {{"type", "boolean"}}; }
Json any_of(Json a, Json b) { return {{"anyOf", Json::array({std::move(a), std::move(b)})}}; }
Json list_of(Json items) { return {{"type", "array"}, {"items", std::move(items)}}; }
Json map_of(Json values) {
  return {{"type", "object"}, {"additionalProperties", std::move(values)}};
}
Json one_of(std::initializer_list<ObjectId> objects) {
  Json options = Json::array();
  for (const ObjectId id : objects) options.push_back(reference(id));
  return {{"oneOf", std::move(options)}};
}
Json choice(std::initializer_list<const char*> words) {
  Json options = Json::array();
  for (const char* word : words) options.push_back(word);
  return {{"enum", std::move(options)}};
}

Json bits() { return any_of(count(), quantity(Quantity::kBits)); }

Json pair_of_counts() {
  Json list = list_of(count());
  list["minItems"] = 2;
  list["maxItems"] = 2;
  return list;
}

Json mapping() {
  return any_of(text(), list_of(one_of({ObjectId::kMappingMemory, ObjectId::kMappingLoops,
                                        ObjectId::kMappingFanout, ObjectId::kMappingCompute})));
}

Json factor() {
  return {{"type", "string"},
          {"pattern", R"(^\s*\w+\s*(=|<=|>=)\s*[1-9][0-9]*(\s+on\s+\S+)?\s*$)"}};
}

Json percentage() {
  return {{"type", "string"}, {"pattern", R"(^\s*([0-9]+\.?[0-9]*|\.[0-9]+)(/[0-9]+)?\s*%?\s*$)"}};
}

// Of a figure with a unit.
Quantity quantity_of(FieldKind kind) {
  switch (kind) {
    case FieldKind::kBandwidth:
      return Quantity::kBandwidth;
    case FieldKind::kEnergy:
      return Quantity::kEnergy;
    case FieldKind::kAccessEnergy:
      return Quantity::kAccessEnergy;
    case FieldKind::kLeakage:
      return Quantity::kLeakage;
    case FieldKind::kArea:
      return Quantity::kArea;
    case FieldKind::kClock:
      return Quantity::kClock;
    default:
      return Quantity::kSize;
  }
}

// The kinds that only constraints have.
Json constraint_schema(FieldKind kind) {
  switch (kind) {
    case FieldKind::kConstraints:
      return list_of(reference(ObjectId::kConstraint));
    case FieldKind::kFactors:
      return list_of(factor());
    case FieldKind::kDimsPerAxis:
      return map_of(list_of(text()));
    case FieldKind::kShare:
      return any_of({{"type", "number"}, {"minimum", 0}, {"maximum", 1}}, percentage());
    default:
      return Json::object();
  }
}

// The kinds that only networks have.
Json network_schema(FieldKind kind) {
  switch (kind) {
    case FieldKind::kCountFromZero:
      return count(0);
    case FieldKind::kLayers:
      return list_of(reference(ObjectId::kLayer));
    case FieldKind::kEdges:
      return list_of(reference(ObjectId::kEdge));
    case FieldKind::kEdgeUses:
      return list_of(any_of(text(), reference(ObjectId::kEdgeUse)));
    case FieldKind::kPhase:
      return choice({"prefill", "decode"});
    default:
      return Json::object();
  }
}

// The kinds that only sweeps have.
Json sweep_schema(const Field& field) {
  const Json value = any_of(count(0), text());
  switch (field.kind) {
    case FieldKind::kParameters:
      return map_of(any_of(value, list_of(value)));
    case FieldKind::kSettings:
      return map_of(value);
    case FieldKind::kTexts:
      return list_of(text());
    case FieldKind::kWeighted:
      return list_of(any_of(text(), reference(field.object)));
    default:
      return Json::object();
  }
}

// The kinds that only flexibility has.
Json flexibility_schema(FieldKind kind) {
  switch (kind) {
    case FieldKind::kDegree:
      return choice({"fixed", "partial", "full"});
    case FieldKind::kNamePerName:
      return map_of(text());
    case FieldKind::kLoopsPerMemory:
      return map_of(map_of(count(1)));
    case FieldKind::kDimLists:
      return list_of(list_of(text()));
    default:
      return Json::object();
  }
}

// The kinds that only one section has.
Json section_schema(const Field& field) {
  switch (field.kind) {
    case FieldKind::kConstraints:
    case FieldKind::kFactors:
    case FieldKind::kDimsPerAxis:
    case FieldKind::kShare:
      return constraint_schema(field.kind);
    case FieldKind::kCountFromZero:
    case FieldKind::kLayers:
    case FieldKind::kEdges:
    case FieldKind::kEdgeUses:
    case FieldKind::kPhase:
      return network_schema(field.kind);
    case FieldKind::kParameters:
    case FieldKind::kSettings:
    case FieldKind::kTexts:
    case FieldKind::kWeighted:
      return sweep_schema(field);
    case FieldKind::kDegree:
    case FieldKind::kNamePerName:
    case FieldKind::kLoopsPerMemory:
    case FieldKind::kDimLists:
      return flexibility_schema(field.kind);
    default:
      return Json::object();
  }
}

Json value_schema(const Field& field) {
  switch (field.kind) {
    case FieldKind::kText:
    case FieldKind::kName:
    case FieldKind::kEinsum:
      return text();
    case FieldKind::kCount:
      return count();
    case FieldKind::kCountOrPair:
      return any_of(count(), pair_of_counts());
    case FieldKind::kCountPerName:
      return map_of(count());
    case FieldKind::kFlag:
      return flag();
    case FieldKind::kBits:
      return bits();
    case FieldKind::kSize:
    case FieldKind::kBandwidth:
    case FieldKind::kEnergy:
    case FieldKind::kAccessEnergy:
    case FieldKind::kLeakage:
    case FieldKind::kArea:
    case FieldKind::kClock:
      return quantity(quantity_of(field.kind));
    case FieldKind::kSizePerTensor:
      return map_of(quantity(Quantity::kSize));
    case FieldKind::kBitsPerTensor:
      return any_of(bits(), map_of(any_of(bits(), reference(ObjectId::kElementWidth))));
    case FieldKind::kRolePerTensor:
      return map_of(choice({"input", "weight", "output"}));
    case FieldKind::kTensors:
    case FieldKind::kLoops:
    case FieldKind::kOrder:
      return list_of(text());
    case FieldKind::kTensorsOrFlag:
      return any_of(flag(), list_of(text()));
    case FieldKind::kMulticast:
      return choice({"none", "equal", "overlap"});
    case FieldKind::kObject:
      return reference(field.object);
    case FieldKind::kComputeEnergy:
      return any_of(quantity(Quantity::kEnergy), reference(field.object));
    case FieldKind::kArchNodes:
      return list_of(one_of({ObjectId::kMemory, ObjectId::kFanout, ObjectId::kCompute}));
    case FieldKind::kMapping:
      return mapping();
    default:
      return section_schema(field);
  }
}

Json object_schema(const ObjectFields& object) {
  Json properties = Json::object();
  Json required = Json::array();
  for (const Field& field : object.fields) {
    Json value = value_schema(field);
    std::string description(field.meaning);
    if (!field.default_text.empty()) {
      description += fmt::format(" Default: {}.", field.default_text);
    }
    description += fmt::format(" Example: {}", field.example);
    value["description"] = std::move(description);
    properties[std::string(field.key)] = std::move(value);
    if (field.required) required.push_back(field.key);
  }
  Json schema = {
      {"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
  if (!required.empty()) schema["required"] = std::move(required);
  if (object.id == ObjectId::kWorkload || object.id == ObjectId::kLayer) {
    Json forms = Json::array({Json{{"required", {"einsum", "dims"}}}});
    for (const char* form : {"gemm", "bmm", "conv", "traffic", "nothing"}) {
      if (std::ranges::find(object.fields, form, &Field::key) == object.fields.end()) continue;
      forms.push_back(Json{{"required", Json::array({form})}});
    }
    schema["oneOf"] = std::move(forms);
  }
  return schema;
}

}  // namespace

std::string json_schema() {
  Json document = object_schema(fields_of(ObjectId::kDocument));
  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"title", "Tilewright input file"}};
  schema.update(document);
  Json definitions = Json::object();
  for (const ObjectFields& object : all_objects()) {
    if (object.id == ObjectId::kDocument) continue;
    definitions[definition_name(object.id)] = object_schema(object);
  }
  schema["$defs"] = std::move(definitions);
  return schema.dump(2) + "\n";
}

}  // namespace tilewright
