// SPDX-License-Identifier: Apache-2.0
#include "tilewright/io/result.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "tilewright/base/sha256.h"
#include "tilewright/base/text/printable.h"
#include "tilewright/io/yaml/object_reader.h"

namespace tilewright {
namespace {

using Kind = YamlNode::Kind;

std::string kind_name(Kind kind) {
  switch (kind) {
    case Kind::kMap:
      return "an object";
    case Kind::kList:
      return "a list";
    default:
      return "a text or number";
  }
}

template <class Number>
std::optional<Number> parse_number(const std::string& text) {
  Number value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

class ResultReader {
 public:
  ResultReader(const YamlNode& root, Diagnostics& diagnostics)
      : root_(root), diagnostics_(diagnostics), errors_before_(diagnostics.errors()) {}

  std::optional<ResultFile> read() {
    const YamlNode* writer = take(root_, "tilewright", Kind::kMap);
    if (writer == nullptr) return std::nullopt;
    result_.version = text_of(take(*writer, "version", Kind::kScalar));
    if (!accepts_schema(*writer)) return std::nullopt;
    read_mapping();
    read_dims();
    if (const YamlEntry* run = root_.find("run")) read_run(run->value);
    if (diagnostics_.errors() > errors_before_) return std::nullopt;
    return std::move(result_);
  }

 private:
  void damaged(const Span& place, const std::string& message) {
    Diagnostic& found = diagnostics_.error("R0001", message);
    found.labels.push_back({place, ""});
    found.helps.emplace_back(
        "do not edit results by hand; create the result again with `--save FILE`");
  }

  // The value of a key that a result always has.
  const YamlNode* take(const YamlNode& map, const char* key, Kind kind) {
    const YamlEntry* entry = map.is_map() ? map.find(key) : nullptr;
    if (entry == nullptr) {
      damaged(map.span, fmt::format("the result has no `{}` here", key));
      return nullptr;
    }
    if (entry->value.kind == kind) return &entry->value;
    damaged(entry->key_span, fmt::format("`{}` of a result is {}, not {}", key, kind_name(kind),
                                         describe(entry->value)));
    return nullptr;
  }

  static std::string text_of(const YamlNode* node) { return node == nullptr ? "" : node->text; }

  bool accepts_schema(const YamlNode& writer) {
    const YamlNode* node = take(writer, "schema", Kind::kScalar);
    if (node == nullptr) return false;
    const std::optional<int> schema = parse_number<int>(node->text);
    if (!schema || *schema < 1) {
      damaged(node->span,
              fmt::format("{} is not a schema version of results", in_backticks(node->text)));
      return false;
    }
    if (*schema <= kResultSchema) return true;
    Diagnostic& found =
        diagnostics_.error("R0003", fmt::format("this result is newer than the program: it has "
                                                "schema {}, and this version reads up to {}",
                                                *schema, kResultSchema));
    found.labels.push_back({node->span, "written by version " + printable(result_.version)});
    found.helps.emplace_back("read it with that version of tilewright, or a later one");
    return false;
  }

  void read_mapping() {
    if (root_.find("mapping") == nullptr) return;
    if (const YamlNode* mapping = take(root_, "mapping", Kind::kScalar)) {
      result_.mapping = std::make_shared<const SourceFile>(
          SourceFile{root_.span.file->name + "/mapping.nest", mapping->text});
    }
  }

  void read_dims() {
    if (root_.find("workload") == nullptr) return;
    const YamlNode* workload = take(root_, "workload", Kind::kMap);
    const YamlNode* dims = workload == nullptr ? nullptr : take(*workload, "dims", Kind::kMap);
    if (dims == nullptr) return;
    for (const YamlEntry& entry : dims->entries) {
      const std::string where = "dim " + in_backticks(entry.key);
      if (const auto size = read_count(entry.value, where, 1, diagnostics_)) {
        result_.dims.push_back({entry.key, *size});
      }
    }
  }

  void read_run(const YamlNode& run) {
    result_.run.command = text_of(take(run, "command", Kind::kScalar));
    if (const YamlNode* node = take(run, "repeatable", Kind::kScalar)) {
      result_.run.repeatable = node->text != "false";
    }
    if (const YamlNode* options = take(run, "options", Kind::kMap)) {
      for (const YamlEntry& entry : options->entries) read_option(entry);
    }
    if (const YamlNode* inputs = take(run, "inputs", Kind::kList)) {
      for (const YamlNode& input : inputs->items) read_input(input);
    }
  }

  void read_option(const YamlEntry& entry) {
    const YamlNode& node = entry.value;
    OptionValue& value = result_.run.options[entry.key];
    if (node.is_list()) {
      std::vector<std::string> texts;
      for (const YamlNode& item : node.items) texts.push_back(item.text);
      value = std::move(texts);
    } else if (node.is_scalar() && !node.quoted && parse_flag(node.text)) {
      value = *parse_flag(node.text);
    } else if (node.is_scalar() && node.quoted) {
      value = node.text;
    } else if (const auto number = parse_number<std::uint64_t>(node.text)) {
      value = *number;
    } else {
      damaged(entry.key_span, fmt::format("option {} of the run cannot be {}",
                                          in_backticks(entry.key), describe(node)));
    }
  }

  void read_input(const YamlNode& input) {
    const YamlNode* name = take(input, "name", Kind::kScalar);
    const YamlNode* digest = take(input, "sha256", Kind::kScalar);
    const YamlNode* lines = take(input, "text", Kind::kList);
    if (name == nullptr || digest == nullptr || lines == nullptr) return;
    std::string text;
    for (const YamlNode& line : lines->items) {
      if (&line != lines->items.data()) text += '\n';
      text += line.text;
    }
    const std::string actual = sha256(text);
    if (actual != digest->text) {
      Diagnostic& found = diagnostics_.error(
          "R0002",
          fmt::format("the text of input {} was changed after the run", in_backticks(name->text)));
      found.labels.push_back({name->span, "this text or its SHA-256 was changed"});
      found.notes.push_back(fmt::format("SHA-256 of the text: {}", actual));
      found.notes.push_back(fmt::format("recorded SHA-256:     {}", printable(digest->text)));
      found.helps.emplace_back(
          "to change an input, copy its text into a file of its own and run the command on that");
      return;
    }
    result_.run.inputs.push_back(
        std::make_shared<const SourceFile>(SourceFile{name->text, std::move(text)}));
  }

  const YamlNode& root_;
  Diagnostics& diagnostics_;
  int errors_before_;
  ResultFile result_;
};

}  // namespace

std::vector<std::string> to_arguments(const RunRecord& run) {
  std::vector<std::string> arguments;
  for (const auto& [name, value] : run.options) {
    const auto add = [&, &option = name](const std::string& text) {
      arguments.push_back(fmt::format("--{}={}", option, text));
    };
    if (const bool* flag = std::get_if<bool>(&value)) {
      if (*flag) arguments.push_back("--" + name);
    } else if (const auto* number = std::get_if<std::uint64_t>(&value)) {
      add(std::to_string(*number));
    } else if (const auto* text = std::get_if<std::string>(&value)) {
      add(*text);
    } else {
      for (const std::string& item : std::get<std::vector<std::string>>(value)) add(item);
    }
  }
  return arguments;
}

bool is_result(const YamlNode& root) { return root.is_map() && root.find("tilewright") != nullptr; }

std::optional<ResultFile> read_result_node(const YamlNode& root, Diagnostics& diagnostics) {
  return ResultReader(root, diagnostics).read();
}

std::optional<ResultFile> read_result(std::shared_ptr<const SourceFile> file,
                                      Diagnostics& diagnostics) {
  const std::optional<YamlNode> root = parse_yaml(file, diagnostics);
  if (!root) return std::nullopt;
  if (is_result(*root)) return read_result_node(*root, diagnostics);
  Diagnostic& found = diagnostics.error(
      "R0005", fmt::format("{} is not a result of tilewright", in_backticks(file->name)));
  found.labels.push_back({Span{std::move(file), 0, 0, 1}, ""});
  found.helps.emplace_back("`evaluate` and `map` write one with `--save FILE` or `--json`");
  return std::nullopt;
}

}  // namespace tilewright
