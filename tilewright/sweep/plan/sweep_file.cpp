// SPDX-License-Identifier: Apache-2.0
#include "tilewright/sweep/plan/sweep_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "tilewright/base/text/printable.h"
#include "tilewright/io/yaml/fault.h"
#include "tilewright/io/yaml/object_reader.h"
#include "tilewright/io/yaml/yaml_tree.h"

namespace tilewright {
namespace {

class SweepReader {
 public:
  SweepReader(const YamlNode& node, Diagnostics& diagnostics)
      : diagnostics_(diagnostics), reader_(node, ObjectId::kSweep, "`sweep`", diagnostics) {
    file_.whole = node.span;
  }

  SweepFile read() {
    if (!reader_.is_map()) return file_;
    file_.name = reader_.take_text("name").value_or("sweep");
    if (const YamlEntry* arch = reader_.take("arch")) {
      if (auto text = scalar_text(arch->value, "`arch`", "a name or a file", diagnostics_)) {
        file_.arch = {std::move(*text), arch->value.span};
      }
    }
    read_parameters();
    read_settings();
    read_conditions();
    file_.networks = weighted("networks", "network", ObjectId::kSweepNetwork);
    file_.workloads = weighted("workloads", "workload", ObjectId::kSweepWorkload);
    file_.spaces = texts("spaces", "a space");
    read_placements();
    file_.objectives = texts("objectives", "an objective");
    file_.budget = reader_.take_text("budget").value_or("");
    file_.gap = reader_.take_text("gap").value_or("");
    reader_.finish();
    if (!reader_.has("networks") && !reader_.has("workloads")) {
      Diagnostic& error = diagnostics_.error("S0004", "`sweep` has nothing to run");
      error.labels.push_back({file_.whole, ""});
      error.helps.emplace_back("add `networks: [resnet50]` or `workloads: [gemm 512 768 3072]`");
    }
    return std::move(file_);
  }

 private:
  void read_parameters() {
    const YamlEntry* entry = reader_.take("parameters");
    if (entry == nullptr || !demand_map(*entry)) return;
    std::uint64_t combinations = 1;
    for (const YamlEntry& item : entry->value.entries) {
      if (!is_name(item.key) || item.key == "min" || item.key == "max" ||
          item.key.find_first_of("-.") != std::string::npos) {
        Diagnostic& error = diagnostics_.error(
            "S0002", in_backticks(item.key) + " cannot be the name of a parameter");
        error.labels.push_back({item.key_span, ""});
        error.helps.emplace_back("use letters, digits and `_`, and not `min` or `max`");
        if (item.key.find('.') != std::string::npos) {
          error.helps.emplace_back(
              "a parameter has a name of its own, e.g. `size`; what it sets is under "
              "`set`: `" +
              item.key + ": size`");
        }
        continue;
      }
      Parameter parameter{item.key, {}};
      given_.clear();
      if (item.value.is_list()) {
        for (const YamlNode& value : item.value.items) add_values(value, parameter);
      } else {
        add_values(item.value, parameter);
      }
      combinations *= std::max<std::uint64_t>(1, parameter.values.size());
      if (combinations > kMostPoints) {  // the next one need not even be read
        diagnostics_
            .error("S0003",
                   fmt::format("the parameters have more than {} combinations", kMostPoints))
            .labels.push_back({item.key_span, ""});
        return;
      }
      names_.push_back(item.key);
      places_.push_back(item.key_span);
      file_.parameters.push_back(std::move(parameter));
    }
  }

  void add_values(const YamlNode& node, Parameter& parameter) {
    const std::string where = in_backticks(parameter.name) + " of `parameters`";
    const auto text = scalar_text(node, where, "a number or a range", diagnostics_);
    if (!text) return;
    TextFault fault;
    auto values = parse_values(*text, fault);
    if (!values) {
      Diagnostic& error = report_fault(fault, node, where, diagnostics_);
      error.helps.emplace_back("write `64 KiB`, `2..16`, `2..16:+2` or `8 KiB..1024 KiB:*2`");
      return;
    }
    for (Amount& value : *values) {
      if (given_.emplace(value.unit, value.number.num, value.number.den).second) {
        parameter.values.push_back(std::move(value));
        continue;
      }
      diagnostics_.error("S0002", fmt::format("{} has the value {} twice", where, to_text(value)))
          .labels.push_back({node.span, ""});
    }
  }

  void read_settings() {
    const YamlEntry* entry = reader_.take("set");
    if (entry == nullptr || !demand_map(*entry)) return;
    for (const YamlEntry& item : entry->value.entries) {
      const std::string where = in_backticks(item.key) + " of `set`";
      const auto text = scalar_text(item.value, where, "an expression", diagnostics_);
      if (!text) continue;
      TextFault fault;
      if (auto value = Expression::parse(*text, names_, fault)) {
        file_.settings.push_back({item.key, std::move(*value)});
        file_.setting_places.push_back(item.key_span);
      } else {
        report_fault(fault, item.value, where, diagnostics_);
      }
    }
    if (diagnostics_.has_errors()) return;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const bool used = std::ranges::any_of(
          file_.settings, [&](const Setting& setting) { return setting.value.uses(i); });
      if (used) continue;
      Diagnostic& error = diagnostics_.error(
          "S0002", fmt::format("parameter {} changes nothing", in_backticks(names_[i])));
      error.labels.push_back({places_[i], "no entry of `set` uses it"});
      error.helps.push_back(
          fmt::format("add a figure to `set`, such as `GLB.capacity: {}`, or "
                      "remove the parameter",
                      names_[i]));
    }
  }

  void read_conditions() {
    const YamlEntry* entry = reader_.take("where");
    if (entry == nullptr || !demand_list(*entry)) return;
    for (const YamlNode& item : entry->value.items) {
      const auto text = scalar_text(item, "an entry of `where`", "a condition", diagnostics_);
      if (!text) continue;
      TextFault fault;
      if (auto condition = Condition::parse(*text, names_, fault)) {
        file_.conditions.push_back(std::move(*condition));
      } else {
        report_fault(fault, item, "`where`", diagnostics_);
      }
    }
  }

  std::vector<Weighted> weighted(const char* key, const char* kind, ObjectId object) {
    std::vector<Weighted> result;
    const YamlEntry* entry = reader_.take(key);
    if (entry == nullptr || !demand_list(*entry)) return result;
    for (const YamlNode& item : entry->value.items) {
      if (!item.is_map()) {
        if (auto text =
                scalar_text(item, fmt::format("an entry of `{}`", key), kind, diagnostics_)) {
          result.push_back({{std::move(*text), item.span}, 1});
        }
        continue;
      }
      ObjectReader reader(item, object, fmt::format("an entry of `{}`", key), diagnostics_);
      Weighted one;
      if (const YamlEntry* name = reader.take(kind)) {
        if (auto text = scalar_text(name->value, reader.where(kind), kind, diagnostics_)) {
          one.what = {std::move(*text), name->value.span};
        }
      }
      one.weight = static_cast<double>(reader.take_count("weight").value_or(1));
      reader.finish();
      result.push_back(std::move(one));
    }
    return result;
  }

  std::vector<PlacedName> texts(const char* key, const char* wanted) {
    std::vector<PlacedName> result;
    const YamlEntry* entry = reader_.take(key);
    if (entry == nullptr || !demand_list(*entry)) return result;
    for (const YamlNode& item : entry->value.items) {
      if (auto text =
              scalar_text(item, fmt::format("an entry of `{}`", key), wanted, diagnostics_)) {
        result.push_back({std::move(*text), item.span});
      }
    }
    return result;
  }

  // Which memories can be uneven depends on the workload: they are not named one by one.
  void read_placements() {
    for (PlacedName& placement : texts("placements", "`even` or `uneven`")) {
      if (placement.name == "even" || placement.name == "uneven") {
        file_.placements.push_back(std::move(placement));
        continue;
      }
      diagnostics_
          .error("S0002", fmt::format("an entry of `placements` is {}, not `even` or `uneven`",
                                      in_backticks(placement.name)))
          .labels.push_back({placement.span, ""});
    }
  }

  bool demand_map(const YamlEntry& entry) { return demand(entry, entry.value.is_map(), "a map"); }
  bool demand_list(const YamlEntry& entry) {
    return demand(entry, entry.value.is_list() && !entry.value.items.empty(),
                  "a list that is not empty");
  }

  bool demand(const YamlEntry& entry, bool right, const char* wanted) {
    return demand_form(entry.value, right, reader_.where(entry.key), wanted, diagnostics_);
  }

  Diagnostics& diagnostics_;
  ObjectReader reader_;
  SweepFile file_;
  // Values of the parameter that is read: unit, numerator, denominator.
  std::set<std::tuple<std::string, std::int64_t, std::int64_t>> given_;
  std::vector<std::string> names_;
  std::vector<Span> places_;
};

}  // namespace

std::optional<SweepFile> read_sweep_file(const std::shared_ptr<const SourceFile>& file,
                                         Diagnostics& diagnostics) {
  const int before = diagnostics.errors();
  const std::optional<YamlNode> root = parse_yaml(file, diagnostics);
  if (!root) return std::nullopt;
  const YamlEntry* sweep = root->is_map() ? root->find("sweep") : nullptr;
  if (sweep != nullptr) {
    ObjectReader sections(*root, ObjectId::kDocument, in_backticks(file->name), diagnostics);
    for (const char* section : {"sweep", "constraints"}) sections.take(section);
    sections.finish();
  } else {
    Diagnostic& error =
        diagnostics.error("S0004", in_backticks(file->name) + " has no section `sweep`");
    error.labels.push_back({Span{file, 0, 0, 1}, ""});
    error.helps.emplace_back("`tilewright doc sweep` lists what belongs in it");
    return std::nullopt;
  }
  SweepFile result = SweepReader(sweep->value, diagnostics).read();
  result.has_constraints = root->find("constraints") != nullptr;
  if (diagnostics.errors() > before) return std::nullopt;
  return result;
}

}  // namespace tilewright
