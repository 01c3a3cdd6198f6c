// SPDX-License-Identifier: Apache-2.0
#include "tilewright/timeloop/document/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tilewright/base/text/printable.h"
#include "tilewright/io/yaml/fault.h"

namespace tilewright::timeloop {
namespace {

/// A map of the tree as something with members.
class TreeScope : public Scope {
 public:
  TreeScope(Names names, const YamlNode& map) : names_(std::move(names)), map_(map) {}

  std::optional<Value> find(std::string_view name, Budget& budget) const override {
    const YamlEntry* entry = map_.find(name);
    if (entry == nullptr) return std::nullopt;
    return names_.inside(&map_).value_of(entry->value, budget);
  }
  std::size_t size() const override { return map_.entries.size(); }

 private:
  Names names_;
  const YamlNode& map_;
};

/// `spec`: the sections of all files.
class SpecScope : public Scope {
 public:
  SpecScope(Names names, const NameSources& sources)
      : names_(std::move(names)), sources_(sources) {}

  std::optional<Value> find(std::string_view name, Budget& budget) const override {
    const auto it = sources_.spec.find(name);
    if (it == sources_.spec.end()) return std::nullopt;
    return names_.value_of(*it->second, budget);
  }
  std::size_t size() const override { return sources_.spec.size(); }

 private:
  Names names_;
  const NameSources& sources_;
};

/// Marks a tree as being computed, as long as it lives.
class Busy {
 public:
  Busy(std::set<const YamlNode*>& busy, const YamlNode* node) : busy_(busy), node_(node) {
    busy_.insert(node);
  }
  ~Busy() { busy_.erase(node_); }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  std::set<const YamlNode*>& busy_;
  const YamlNode* node_;
};

}  // namespace

Names Names::inside(const YamlNode* map) const {
  Names result = *this;
  constexpr std::size_t kMostMaps = 100;
  if (map != nullptr && map->is_map() && result.maps_.size() < kMostMaps) {
    result.maps_.insert(result.maps_.begin(), map);
  }
  return result;
}

std::optional<Value> Names::find(std::string_view name, Budget& budget) const {
  std::vector<const YamlNode*> maps = maps_;
  if (sources_->variables != nullptr) maps.push_back(sources_->variables);
  for (const YamlNode* map : maps) {
    const YamlEntry* entry = map->find(name);
    if (entry == nullptr || sources_->busy.contains(&entry->value)) continue;
    const Busy busy(sources_->busy, &entry->value);
    return value_of(entry->value, budget);
  }
  const auto node = sources_->nodes.find(name);
  if (node != sources_->nodes.end()) {
    return Value{std::shared_ptr<const Scope>(std::make_shared<TreeScope>(*this, *node->second))};
  }
  if (name == "spec") {
    return Value{std::shared_ptr<const Scope>(std::make_shared<SpecScope>(*this, *sources_))};
  }
  return std::nullopt;
}

Value Names::value_of(const YamlNode& node, Budget& budget, ExpressionFault* fault) const {
  switch (node.kind) {
    case YamlNode::Kind::kNull:
      return {};
    case YamlNode::Kind::kMap:
      return {std::shared_ptr<const Scope>(std::make_shared<TreeScope>(*this, node))};
    case YamlNode::Kind::kList: {
      auto list = std::make_shared<List>();
      for (const YamlNode& item : node.items) {
        if (!budget.spend()) break;
        list->push_back(value_of(item, budget));
      }
      return {std::shared_ptr<const List>(std::move(list))};
    }
    case YamlNode::Kind::kScalar:
      break;
  }
  if (node.quoted && !node.block) return {node.text};
  ExpressionFault why;
  if (auto value = evaluate_expression(node.text, *this, budget, why)) return *std::move(value);
  if (fault != nullptr) *fault = why;
  return {node.text};
}

std::optional<double> Names::number(const YamlNode& node, const std::string& where,
                                    Diagnostics& diagnostics) const {
  Budget budget;
  ExpressionFault fault;
  const Busy busy(sources_->busy, &node);
  const Value value = value_of(node, budget, &fault);
  if (const auto number = value.number()) return *number;
  // A number in quotes is still meant as one.
  if (node.is_scalar() && node.quoted) {
    ExpressionFault ignored;
    const auto quoted = evaluate_expression(node.text, *this, budget, ignored);
    if (quoted && quoted->number()) return *quoted->number();
  }
  const std::string found = node.is_scalar() ? in_backticks(node.text) : describe(node);
  Diagnostic& error =
      diagnostics.error("T0003", fmt::format("{} is {}, not a number", where, found));
  const bool known = node.is_scalar() && !fault.message.empty();
  error.labels.push_back(
      {known && !node.quoted ? span_within(node, fault.offset, 1) : node.span, fault.message});
  return std::nullopt;
}

std::optional<std::int64_t> Names::whole(const YamlNode& node, const std::string& where,
                                         std::int64_t least, Diagnostics& diagnostics) const {
  const auto value = number(node, where, diagnostics);
  if (!value) return std::nullopt;
  const auto result = Value{*value}.whole();
  if (result && *result >= least) return *result;
  diagnostics
      .error("T0003", fmt::format("{} is {}, not a whole number from {} up", where,
                                  to_text(Value{*value}), least))
      .labels.push_back({node.span, ""});
  return std::nullopt;
}

std::optional<bool> Names::flag(const YamlNode& node, const std::string& where,
                                Diagnostics& diagnostics) const {
  Budget budget;
  const Value value = value_of(node, budget);
  const std::string* text = value.text();
  if (text == nullptr || text->empty()) return value.truth();
  for (const char* yes : {"true", "True", "TRUE", "yes", "on"}) {
    if (*text == yes) return true;
  }
  for (const char* no : {"false", "False", "FALSE", "no", "off"}) {
    if (*text == no) return false;
  }
  diagnostics.error("T0003", fmt::format("{} is {}, not true or false", where, in_backticks(*text)))
      .labels.push_back({node.span, ""});
  return std::nullopt;
}

}  // namespace tilewright::timeloop
