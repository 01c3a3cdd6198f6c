// SPDX-License-Identifier: Apache-2.0
#include "tilewright/timeloop/document/template.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "tilewright/base/text/printable.h"
#include "tilewright/io/yaml/yaml_merge.h"
#include "tilewright/timeloop/document/deep_merge.h"
#include "tilewright/timeloop/document/line_map.h"

namespace tilewright::timeloop {
namespace {

constexpr int kMostIncludes = 256;
constexpr int kDeepestInclude = 8;
constexpr int kMostNodes = 2 * kMaxYamlNodes;
constexpr const char* kIncludedTag = "!tilewright.included";

}  // namespace

/// What the files of one run share.
struct LoaderState {
  LoaderState(Files& given, Diagnostics& found) : files(given), diagnostics(found) {}

  Files& files;
  Diagnostics& diagnostics;
  std::map<std::string, Value, std::less<>> variables;
  std::vector<std::string> folders;  // of add_to_path
  std::vector<YamlNode> trees;       // of include and include_all
  std::vector<std::shared_ptr<const SourceFile>> included;
  int includes = 0;
  int nodes = 0;
  int depth = 0;

  std::optional<YamlNode> load(const std::shared_ptr<const SourceFile>& file);
  bool put_trees(YamlNode& node, std::size_t depth_above);
  void remember(const std::shared_ptr<const SourceFile>& file) {
    if (std::ranges::find(included, file) == included.end()) included.push_back(file);
  }
};

namespace {

/// The names and functions of a template.
class TemplateScope : public Scope {
 public:
  TemplateScope(LoaderState& state, const SourceFile& file)
      : state_(state), folder_(folder_of(file.name)) {}

  std::optional<Value> find(std::string_view name, Budget&) const override {
    const auto it = state_.variables.find(name);
    if (it == state_.variables.end()) return std::nullopt;
    return it->second;
  }

  std::optional<Value> call(std::string_view name, std::span<const Value> arguments,
                            std::string& why) const override;

  /// An `include_text` that was met, to be put in place of its value.
  std::shared_ptr<const SourceFile> take_text() const { return std::exchange(text_, nullptr); }

 private:
  std::shared_ptr<const SourceFile> open(const std::string& path, std::string& why) const;
  std::optional<std::string> find_path(const std::string& path) const;
  std::optional<Value> include(std::span<const Value> arguments, bool all, std::string& why) const;

  LoaderState& state_;
  std::string folder_;
  mutable std::shared_ptr<const SourceFile> text_;
};

std::optional<std::string> TemplateScope::find_path(const std::string& path) const {
  std::vector<std::string> folders = state_.folders;
  folders.insert(folders.begin(), folder_);
  for (const std::string& folder : folders) {
    std::string candidate = join_path(folder, path);
    if (state_.files.open(candidate)) return candidate;
  }
  return std::nullopt;
}

std::shared_ptr<const SourceFile> TemplateScope::open(const std::string& path,
                                                      std::string& why) const {
  const auto found = find_path(path);
  if (!found) {
    why = "there is no file " + in_backticks(path) + " to include";
    return nullptr;
  }
  if (++state_.includes > kMostIncludes || state_.depth >= kDeepestInclude) {
    why = "too many files include each other";
    return nullptr;
  }
  auto file = state_.files.open(*found);
  state_.remember(file);
  return file;
}

// The value at `a.b.c` in a tree; null if there is none.
const YamlNode* at_keys(const YamlNode& tree, const std::string& keys) {
  const YamlNode* node = &tree;
  std::size_t begin = 0;
  while (begin < keys.size()) {
    const std::size_t end = std::min(keys.find('.', begin), keys.size());
    const YamlEntry* entry = node->find(keys.substr(begin, end - begin));
    if (entry == nullptr) return nullptr;
    node = &entry->value;
    begin = end + 1;
  }
  return node;
}

std::optional<Value> TemplateScope::include(std::span<const Value> arguments, bool all,
                                            std::string& why) const {
  const std::string keys =
      arguments.size() > 1 && arguments[1].text() != nullptr ? *arguments[1].text() : "";
  std::vector<std::string> paths{*arguments[0].text()};
  if (all) {
    paths = state_.files.match(join_path(folder_, paths.front()));
    for (const std::string& folder : state_.folders) {
      if (paths.empty()) paths = state_.files.match(join_path(folder, *arguments[0].text()));
    }
    if (paths.empty()) {
      why = "no file fits " + in_backticks(*arguments[0].text());
      return std::nullopt;
    }
  }
  YamlNode result;
  for (const std::string& path : paths) {
    const auto file = all ? state_.files.open(path) : open(path, why);
    if (!file) return std::nullopt;
    if (all && ++state_.includes > kMostIncludes) {
      why = "too many files include each other";
      return std::nullopt;
    }
    if (all) state_.remember(file);
    std::optional<YamlNode> tree = state_.load(file);
    const YamlNode* part = tree ? at_keys(*tree, keys) : nullptr;
    if (part == nullptr) {
      why = tree ? in_backticks(file->name) + " has no " + in_backticks(keys)
                 : in_backticks(file->name) + " cannot be read";
      return std::nullopt;
    }
    if (!all) {
      result = *part;
    } else {
      if (!result.is_list()) result.span = part->span;
      result.kind = YamlNode::Kind::kList;
      const std::vector<YamlNode> items =
          part->is_list() ? part->items : std::vector<YamlNode>{*part};
      result.items.insert(result.items.end(), items.begin(), items.end());
    }
  }
  state_.trees.push_back(std::move(result));
  return Value{fmt::format("{} \"{}\"", kIncludedTag, state_.trees.size() - 1)};
}

std::optional<Value> TemplateScope::call(std::string_view name, std::span<const Value> arguments,
                                         std::string& why) const {
  if (name == "cwd") return Value{folder_};
  const bool known = name == "include" || name == "include_all" || name == "include_text" ||
                     name == "add_to_path" || name == "find_path" || name == "path_exists";
  if (!known) return std::nullopt;
  if (arguments.empty() || arguments[0].text() == nullptr) {
    why = fmt::format("`{}` takes a path", name);
    return std::nullopt;
  }
  const std::string& path = *arguments[0].text();
  if (name == "add_to_path") {
    constexpr std::size_t kMostFolders = 64;
    if (state_.folders.size() < kMostFolders) state_.folders.push_back(join_path(folder_, path));
    return Value{std::string()};
  }
  if (name == "path_exists") return Value{find_path(path).has_value()};
  if (name == "find_path") {
    if (auto found = find_path(path)) return Value{*std::move(found)};
    why = "there is no file " + in_backticks(path);
    return std::nullopt;
  }
  if (name != "include_text") return include(arguments, name == "include_all", why);
  text_ = open(path, why);
  if (!text_) return std::nullopt;
  return Value{std::string()};
}

/// Expands one file into lines.
class Expander {
 public:
  Expander(LoaderState& state, std::shared_ptr<const SourceFile> file, LineMap& output)
      : state_(state), file_(std::move(file)), output_(output), scope_(state, *file_) {}

  /// False, with findings, on error.
  bool expand() {
    const std::string& text = file_->text;
    while (at_ < text.size()) {
      const std::size_t begin = find_opening(at_);
      copy(at_, begin);
      if (output_.size() > kMaxYamlBytes) return fail(begin, "the text becomes larger than 4 MiB");
      if (begin == text.size()) break;
      const std::string_view close = text[begin + 1] == '{'   ? "}}"
                                     : text[begin + 1] == '%' ? "%}"
                                                              : "#}";
      const std::size_t end = find_closing(begin + 2, close);
      if (end == std::string::npos) {
        return fail(begin, fmt::format("expected `{}` after this", close));
      }
      // In a YAML comment nothing needs to make sense, but what is set or included there holds.
      const bool commented = in_comment(begin);
      inner_ = begin + 2;
      std::string_view inner = std::string_view(text).substr(begin + 2, end - begin - 2);
      if (inner.starts_with('-')) {
        inner.remove_prefix(1);
        ++inner_;
      }
      if (inner.ends_with('-')) inner.remove_suffix(1);
      at_ = end + 2;
      const bool good = close == "}}"   ? print(inner, begin, commented)
                        : close == "%}" ? statement(inner, begin)
                                        : true;
      if (!good) return false;
      count_lines(begin, at_);
    }
    if (!blocks_.empty()) return fail(blocks_.back().begin, "this `if` has no `endif`");
    return true;
  }

 private:
  struct Block {
    std::size_t begin = 0;
    bool outer = true;   // whether the block as a whole counts
    bool active = true;  // whether this part of it does
    bool taken = false;  // whether some part did
  };

  bool active() const { return blocks_.empty() || blocks_.back().active; }

  std::size_t find_opening(std::size_t from) const {
    const std::string& text = file_->text;
    for (std::size_t i = text.find('{', from); i < text.size(); i = text.find('{', i + 1)) {
      if (i + 1 < text.size() && (text[i + 1] == '{' || text[i + 1] == '%' || text[i + 1] == '#')) {
        return i;
      }
    }
    return text.size();
  }

  std::size_t find_closing(std::size_t from, std::string_view close) const {
    const std::string& text = file_->text;
    char quote = 0;
    for (std::size_t i = from; i + 1 < text.size(); ++i) {
      if (close != "#}" && quote == 0 && (text[i] == '"' || text[i] == '\'')) {
        quote = text[i];
      } else if (quote != 0) {
        if (text[i] == quote || text[i] == '\n') quote = 0;
      } else if (text.compare(i, 2, close) == 0) {
        return i;
      }
    }
    return std::string::npos;
  }

  bool in_comment(std::size_t at) const {
    const std::string& text = file_->text;
    const std::size_t line = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
    for (std::size_t i = line; i < at; ++i) {
      if (text[i] == '#' && (i == line || text[i - 1] == ' ' || text[i - 1] == '\t')) return true;
    }
    return false;
  }

  void copy(std::size_t begin, std::size_t end) {
    if (active())
      output_.add(std::string_view(file_->text).substr(begin, end - begin), file_, line_);
    count_lines(begin, end);
  }

  void count_lines(std::size_t begin, std::size_t end) {
    line_ +=
        static_cast<int>(std::count(file_->text.begin() + static_cast<std::ptrdiff_t>(begin),
                                    file_->text.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
  }

  bool print(std::string_view inner, std::size_t begin, bool commented) {
    if (!active()) return true;
    ExpressionFault fault;
    Budget budget;
    const auto value = evaluate_expression(inner, scope_, budget, fault, Grammar::kJinja);
    if (!value) {
      if (commented) return true;
      return fail(inner_ + fault.offset, fault.message,
                  fault.unknown.empty()
                      ? ""
                      : fmt::format("give it a value: --define {}=VALUE", fault.unknown));
    }
    if (const auto text = scope_.take_text()) {
      ++state_.depth;
      const bool good = Expander(state_, text, output_).expand();
      --state_.depth;
      return good || fail(begin, "included here");
    }
    std::string text = value->of.index() == 0 ? "" : to_text(*value);
    if (text.find('\n') != std::string::npos) return fail(begin, "this has more than one line");
    if (commented && text.starts_with(kIncludedTag)) text.clear();
    output_.add(text, file_, line_);
    return true;
  }

  std::optional<Value> evaluate(std::string_view text, std::size_t begin) {
    ExpressionFault fault;
    Budget budget;
    auto value = evaluate_expression(text, scope_, budget, fault, Grammar::kJinja);
    if (!value) fail(begin, fault.message);
    return value;
  }

  static std::string_view trim(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
  }

  bool statement(std::string_view inner, std::size_t begin) {
    inner = trim(inner);
    const std::string_view word = inner.substr(0, inner.find_first_of(" \t\r\n"));
    const std::string_view rest = trim(inner.substr(word.size()));
    if (word == "if") return open_if(rest, begin);
    if (word == "elif" || word == "else") return next_part(word, rest, begin);
    if (word == "endif") {
      if (blocks_.empty()) return fail(begin, "there is no `if` before this");
      blocks_.pop_back();
      return true;
    }
    if (word == "set") return set(rest, begin);
    return fail(begin, in_backticks(word) + " is not a statement that is known here",
                "known are `if`, `elif`, `else`, `endif` and `set`");
  }

  bool open_if(std::string_view condition, std::size_t begin) {
    constexpr std::size_t kMostBlocks = 64;
    if (blocks_.size() >= kMostBlocks) return fail(begin, "blocks are nested too deeply");
    Block block{begin, active(), false, false};
    if (block.outer) {
      const auto value = evaluate(condition, begin);
      if (!value) return false;
      block.active = block.taken = value->truth();
    }
    blocks_.push_back(block);
    return true;
  }

  bool next_part(std::string_view word, std::string_view condition, std::size_t begin) {
    if (blocks_.empty()) return fail(begin, "there is no `if` before this");
    Block& block = blocks_.back();
    bool wanted = block.outer && !block.taken;
    if (wanted && word == "elif") {
      const auto value = evaluate(condition, begin);
      if (!value) return false;
      wanted = value->truth();
    }
    block.active = wanted;
    block.taken = block.taken || wanted;
    return true;
  }

  bool set(std::string_view rest, std::size_t begin) {
    if (!active()) return true;
    const std::size_t equals = rest.find('=');
    const std::string_view name = trim(rest.substr(0, equals));
    if (equals == std::string_view::npos || name.empty()) {
      return fail(begin, "expected `set name = value`");
    }
    const auto value = evaluate(rest.substr(equals + 1), begin);
    if (!value) return false;
    constexpr std::size_t kMostVariables = 1000;
    if (state_.variables.size() > kMostVariables) return fail(begin, "too many variables");
    state_.variables[std::string(name)] = *value;
    return true;
  }

  // Always false.
  bool fail(std::size_t offset, const std::string& message, const std::string& help = "") {
    const std::string& text = file_->text;
    offset = std::min(offset, text.size());
    const auto before = text.begin() + static_cast<std::ptrdiff_t>(offset);
    const int line = 1 + static_cast<int>(std::count(text.begin(), before, '\n'));
    const std::size_t start = offset == 0 ? 0 : text.rfind('\n', offset - 1) + 1;
    Diagnostic& error = state_.diagnostics.error("T0002", message);
    error.labels.push_back({Span{file_, line, static_cast<int>(offset - start) + 1, 1}, ""});
    if (!help.empty()) error.helps.push_back(help);
    return false;
  }

  LoaderState& state_;
  std::shared_ptr<const SourceFile> file_;
  LineMap& output_;
  TemplateScope scope_;
  std::size_t at_ = 0;
  std::size_t inner_ = 0;
  int line_ = 1;
  std::vector<Block> blocks_;
};

}  // namespace

// Puts the included trees in place of their stand-ins. False, with a finding, if all together
// become too large.
bool LoaderState::put_trees(YamlNode& node, std::size_t depth_above) {
  if (node.tag == kIncludedTag) {
    std::size_t position = 0;
    const char* end = node.text.data() + node.text.size();
    std::from_chars(node.text.data(), end, position);
    const Span place = node.span;
    if (position >= trees.size()) return true;
    const TreeSize size = measure_tree(trees[position]);
    nodes += size.nodes;
    if (nodes > kMostNodes || depth_above + size.depth > kMaxYamlDepth) {
      diagnostics.error("F0005", "the files that are included become too large")
          .labels.push_back({place, "included here"});
      return false;
    }
    node = trees[position];
    return true;
  }
  for (YamlNode& item : node.items) {
    if (!put_trees(item, depth_above + 1)) return false;
  }
  for (YamlEntry& entry : node.entries) {
    if (!put_trees(entry.value, depth_above + 1)) return false;
  }
  return true;
}

std::optional<YamlNode> LoaderState::load(const std::shared_ptr<const SourceFile>& file) {
  if (depth >= kDeepestInclude) {
    diagnostics.error("T0002", "files include each other too deeply")
        .labels.push_back({Span{file, 0, 0, 1}, ""});
    return std::nullopt;
  }
  ++depth;
  std::optional<YamlNode> tree;
  if (!is_template(*file)) {
    tree = parse_yaml(file, diagnostics, YamlFeatures::kAll);
  } else {
    LineMap lines;
    if (Expander(*this, file, lines).expand()) tree = lines.parse(file->name, diagnostics);
  }
  --depth;
  if (!tree || !put_trees(*tree, 0)) return std::nullopt;
  deep_merge(*tree, diagnostics);
  return tree;
}

bool is_template(const SourceFile& file) {
  for (const char* mark : {"{{", "{%", "{#"}) {
    if (file.text.find(mark) != std::string::npos) return true;
  }
  return false;
}

TreeLoader::TreeLoader(Files& files, std::map<std::string, std::string> definitions,
                       Diagnostics& diagnostics)
    : state_(std::make_unique<LoaderState>(files, diagnostics)) {
  for (auto& [name, text] : definitions) {
    // A number is a number; everything else is text.
    ExpressionFault fault;
    Budget budget;
    const SourceFile nowhere;
    const TemplateScope scope(*state_, nowhere);
    const auto value = evaluate_expression(text, scope, budget, fault);
    state_->variables[name] = value ? *value : Value{std::move(text)};
  }
}

TreeLoader::~TreeLoader() = default;

std::optional<YamlNode> TreeLoader::load(const std::shared_ptr<const SourceFile>& file) {
  return state_->load(file);
}

const std::vector<std::shared_ptr<const SourceFile>>& TreeLoader::included() const {
  return state_->included;
}

}  // namespace tilewright::timeloop
