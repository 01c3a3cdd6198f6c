// SPDX-License-Identifier: Apache-2.0
#include "tilewright/io/yaml/yaml_tree.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "tilewright/base/text/printable.h"
#include "tilewright/io/yaml/yaml_merge.h"

namespace tilewright {
namespace {

/// Ends the parse after a finding was reported.
struct Stop {};

/// Where the lines of a text begin, for finding them again quickly.
class LineTable {
 public:
  explicit LineTable(std::string_view text) : text_(text) {
    starts_.push_back(0);
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') starts_.push_back(i + 1);
    }
  }

  int count() const { return static_cast<int>(starts_.size()); }

  /// Where column `column`, from 0, of line `number`, from 1, stands in the text.
  std::size_t offset(int number, std::size_t column) const {
    if (number < 1 || number > count()) return text_.size();
    return std::min(text_.size(), starts_[static_cast<std::size_t>(number - 1)] + column);
  }

  /// Line `number`, from 1, without its end.
  std::string_view line(int number) const {
    if (number < 1 || number > count()) return {};
    const std::size_t begin = starts_[static_cast<std::size_t>(number - 1)];
    std::size_t end =
        number == count() ? text_.size() : starts_[static_cast<std::size_t>(number)] - 1;
    if (end > begin && text_[end - 1] == '\r') --end;
    return text_.substr(begin, end - begin);
  }

 private:
  std::string_view text_;
  std::vector<std::size_t> starts_;
};

// Position after the closing quote of the quoted text at `begin`; npos if there is none.
std::size_t quote_end(std::string_view text, std::size_t begin) {
  const char quote = text[begin];
  for (std::size_t i = begin + 1; i < text.size(); ++i) {
    if (text[i] == '\\' && quote == '"') {
      ++i;
    } else if (text[i] == quote) {
      if (quote == '"' || i + 1 == text.size() || text[i + 1] != quote) return i + 1;
      ++i;  // a doubled quote stands for itself
    }
  }
  return std::string_view::npos;
}

// Bytes of the plain or block scalar that begins `line`, as far as they are on that line.
std::size_t plain_length(std::string_view line, std::string_view value) {
  if (!value.empty() && line.starts_with(value)) return value.size();
  const std::size_t last = line.find_last_not_of(" \t");
  return last == std::string_view::npos ? 1 : last + 1;
}

/// Turns events into a tree and refuses what we do not take.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(std::shared_ptr<const SourceFile> file, const LineTable& lines,
              Diagnostics& diagnostics, YamlFeatures features)
      : file_(std::move(file)), lines_(lines), diagnostics_(diagnostics), features_(features) {
    if (file_->text.starts_with("\xEF\xBB\xBF")) byte_order_mark_ = 3;
  }

  YamlNode take() { return std::move(root_); }
  int documents() const { return documents_; }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ < 2) return;
    Diagnostic& error = diagnostics_.error("F0007", "the file holds more than one YAML document");
    error.labels.push_back({at(mark, 3), "a second document begins here"});
    error.helps.push_back("put each document in a file of its own, and give all of these files");
    throw Stop{};
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    refuse_anchor(mark, anchor);
    YamlNode node;
    node.span = at(mark, 1);
    remember(anchor, node);
    add(std::move(node));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (features_ == YamlFeatures::kPlain) refuse(mark, "aliases (`*name`)");
    const auto anchored = anchors_.find(anchor);
    if (anchored == anchors_.end()) refuse(mark, "aliases of what they are part of");
    const TreeSize size = measure_tree(anchored->second);
    check_depth(mark, frames_.size() + size.depth);
    nodes_ += size.nodes - 1;  // the last one is counted as it is added
    add(anchored->second);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_anchor(mark, anchor);
    YamlNode node;
    node.kind = YamlNode::Kind::kScalar;
    node.tag = take_tag(mark, tag);
    if (!node.tag.empty() && value.empty()) node.kind = YamlNode::Kind::kNull;
    node.text = value;
    node.quoted = tag == "!";
    node.span = at(mark, 1);
    measure(node);
    remember(anchor, node);
    add(std::move(node));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(YamlNode::Kind::kList, mark, tag, anchor);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(YamlNode::Kind::kMap, mark, tag, anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Frame {
    YamlNode node;
    std::optional<YamlEntry> pending;  // a key whose value is to come
    std::set<std::string, std::less<>> keys;
    YAML::anchor_t anchor = 0;
  };

  Span at(const YAML::Mark& mark, int length) const {
    const int shift = mark.line == 0 ? byte_order_mark_ : 0;
    return {file_, mark.line + 1, mark.column + shift + 1, length};
  }

  // Sets the length of a scalar and whether it is a block. yaml-cpp takes an open quote for text up
  // to the end of the file; that is an error here.
  void measure(YamlNode& node) {
    const std::string_view text = file_->text;
    const std::string_view line = lines_.line(node.span.line);
    const auto column = static_cast<std::size_t>(node.span.column - 1);
    if (column >= line.size()) return;
    const char first = line[column];
    if (!node.quoted || first == '|' || first == '>') {
      node.block = node.quoted;
      node.span.length = static_cast<int>(plain_length(line.substr(column), node.text));
      return;
    }
    if (first != '"' && first != '\'') return;
    const std::size_t begin = lines_.offset(node.span.line, column);
    const std::size_t end = quote_end(text, begin);
    if (end == std::string_view::npos) {
      Diagnostic& error = diagnostics_.error("F0002", "this is not YAML");
      error.labels.push_back({node.span, "this quote is never closed"});
      throw Stop{};
    }
    node.span.length = static_cast<int>(std::min(end - begin, line.size() - column));
  }

  [[noreturn]] void refuse(const YAML::Mark& mark, const std::string& what) {
    Diagnostic& error = diagnostics_.error("F0006", what + " are not supported");
    error.labels.push_back({at(mark, 1), ""});
    error.helps.push_back("write the value out where it is used");
    throw Stop{};
  }

  void refuse_anchor(const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (anchor != 0 && features_ == YamlFeatures::kPlain) refuse(mark, "anchors (`&name`)");
  }

  // The tag as written; empty if there is none.
  std::string take_tag(const YAML::Mark& mark, const std::string& tag) {
    if (tag == "?" || tag == "!" || tag.empty()) return {};
    if (features_ == YamlFeatures::kPlain) refuse(mark, "tags (`!name`)");
    return tag;
  }

  void remember(YAML::anchor_t anchor, const YamlNode& node) {
    if (anchor != 0) anchors_[anchor] = node;
  }

  void check_depth(const YAML::Mark& mark, std::size_t depth) {
    if (depth <= kMaxYamlDepth) return;
    Diagnostic& error = diagnostics_.error("F0004", "lists and maps are nested deeper than " +
                                                        std::to_string(kMaxYamlDepth) + " levels");
    error.labels.push_back({at(mark, 1), ""});
    throw Stop{};
  }

  void open(YamlNode::Kind kind, const YAML::Mark& mark, const std::string& tag,
            YAML::anchor_t anchor) {
    refuse_anchor(mark, anchor);
    const std::string kept_tag = take_tag(mark, tag);
    if (expects_key()) refuse_key(at(mark, 1));
    check_depth(mark, frames_.size() + 1);
    Frame frame;
    frame.anchor = anchor;
    frame.node.tag = kept_tag;
    frame.node.kind = kind;
    frame.node.span = at(mark, 1);
    frames_.push_back(std::move(frame));
  }

  void close() {
    YamlNode node = std::move(frames_.back().node);
    const YAML::anchor_t anchor = frames_.back().anchor;
    frames_.pop_back();
    if (features_ == YamlFeatures::kAll) merge_keys(node, diagnostics_);
    remember(anchor, node);
    add(std::move(node));
  }

  bool expects_key() const {
    return !frames_.empty() && frames_.back().node.is_map() && !frames_.back().pending;
  }

  [[noreturn]] void refuse_key(const Span& span) {
    Diagnostic& error = diagnostics_.error("F0008", "a key must be a word");
    error.labels.push_back({span, "not a word"});
    throw Stop{};
  }

  void add(YamlNode node) {
    if (++nodes_ > kMaxYamlNodes) {
      Diagnostic& error = diagnostics_.error(
          "F0005", "the file has more than " + std::to_string(kMaxYamlNodes) + " keys and values");
      error.labels.push_back({node.span, ""});
      throw Stop{};
    }
    if (frames_.empty()) {
      root_ = std::move(node);
    } else if (frames_.back().node.is_list()) {
      frames_.back().node.items.push_back(std::move(node));
    } else if (frames_.back().pending) {
      add_value(std::move(node));
    } else {
      add_key(node);
    }
  }

  // A missing key (`: 1`) is the empty word, so that readers can say which one is missing.
  void add_key(YamlNode& node) {
    if (!node.is_scalar() && !node.is_null()) refuse_key(node.span);
    if (node.is_null()) node.text = null_word(node.span);
    frames_.back().pending = YamlEntry{std::move(node.text), node.span, {}};
  }

  // How `null` is spelled at a place; empty where nothing is written. As a key it is a word.
  std::string null_word(const Span& span) const {
    const std::string_view line = lines_.line(span.line);
    const auto column = static_cast<std::size_t>(span.column - 1);
    for (const std::string_view word : {"null", "Null", "NULL", "~"}) {
      if (column < line.size() && line.substr(column).starts_with(word)) return std::string(word);
    }
    return {};
  }

  void add_value(YamlNode node) {
    Frame& frame = frames_.back();
    YamlEntry entry = std::move(*frame.pending);
    frame.pending.reset();
    if (!frame.keys.insert(entry.key).second) {
      report_duplicate(frame.node, entry);
      return;  // the first one counts, so that reading can go on
    }
    entry.value = std::move(node);
    // The place of a value that is not there would be that of whatever comes next.
    if (entry.value.is_null() && null_word(entry.value.span).empty()) {
      entry.value.span = entry.key_span;
    }
    frame.node.entries.push_back(std::move(entry));
  }

  void report_duplicate(const YamlNode& map, const YamlEntry& entry) {
    constexpr int kMostReported = 100;
    if (++duplicates_ > kMostReported) return;
    Diagnostic& error =
        diagnostics_.error("F0009", "key " + in_backticks(entry.key) + " is given twice");
    error.labels.push_back({entry.key_span, "given again here"});
    if (const YamlEntry* first = map.find(entry.key)) {
      error.labels.push_back({first->key_span, "first given here"});
    }
  }

  std::shared_ptr<const SourceFile> file_;
  const LineTable& lines_;
  Diagnostics& diagnostics_;
  YamlFeatures features_;
  std::vector<Frame> frames_;
  std::map<YAML::anchor_t, YamlNode> anchors_;
  YamlNode root_;
  int byte_order_mark_ = 0;  // bytes before column 0 of the first line
  int nodes_ = 0;
  int documents_ = 0;
  int duplicates_ = 0;
};

/// What can be said about the text before yaml-cpp sees it: it takes bytes that are no text for
/// UTF-16, and it keeps what follows a `[` on a line in memory until the line ends.
class TextCheck {
 public:
  TextCheck(std::shared_ptr<const SourceFile> file, Diagnostics& diagnostics)
      : file_(std::move(file)), text_(file_->text), diagnostics_(diagnostics) {}

  bool passes() {
    if (text_.size() > kMaxYamlBytes) {
      line_ = 0;
      return fail("F0005", "the file is larger than 4 MiB", "");
    }
    int marks = 0;
    bool indenting = true;
    for (std::size_t i = 0; i < text_.size();) {
      const CodePoint point = decode_utf8(text_, i);
      const char c = text_[i];
      if (!is_text(point, i)) return fail("F0001", "the file is not plain text", describe_byte(c));
      if (c == '\t' && indenting && !rest_is_blank(i)) {
        return fail("F0003", "this line is indented with a tab", "YAML is indented with spaces");
      }
      if ((c == '[' || c == '{' || c == ',') && ++marks > kMaxYamlNodes) {
        return fail("F0005", "the file has too many brackets and commas", "");
      }
      indenting = c == '\n' || (indenting && (c == ' ' || c == '\t'));
      i += point.length;
      advance(c, point.length);
    }
    return true;
  }

 private:
  bool is_text(const CodePoint& point, std::size_t i) const {
    const char c = text_[i];
    if (c == '\n' || c == '\t') return true;
    if (c == '\r') return i + 1 < text_.size() && text_[i + 1] == '\n';
    return point.valid && point.value >= 0x20 && point.value != 0x7F;
  }

  static std::string describe_byte(char c) {
    constexpr char kDigits[] = "0123456789abcdef";
    const unsigned byte = static_cast<unsigned char>(c);
    return std::string("byte 0x") + kDigits[byte >> 4U] + kDigits[byte & 15U] +
           " is not UTF-8 text";
  }

  // True if the line has nothing but blanks, or a comment, from `i` on.
  bool rest_is_blank(std::size_t i) const {
    i = std::min(text_.find_first_not_of(" \t\r", i), text_.size());
    return i == text_.size() || text_[i] == '\n' || text_[i] == '#';
  }

  void advance(char c, std::size_t length) {
    column_ += static_cast<int>(length);
    if (c != '\n') return;
    ++line_;
    column_ = 1;
  }

  bool fail(const char* code, const char* message, std::string label) {
    diagnostics_.error(code, message)
        .labels.push_back({Span{file_, line_, column_, 1}, std::move(label)});
    return false;
  }

  std::shared_ptr<const SourceFile> file_;
  std::string_view text_;
  Diagnostics& diagnostics_;
  int line_ = 1;
  int column_ = 1;
};

void report_syntax(const YAML::Exception& exception, const std::shared_ptr<const SourceFile>& file,
                   Diagnostics& diagnostics) {
  Span span{file, 0, 0, 1};
  if (!exception.mark.is_null() && exception.mark.line >= 0) {
    span.line = exception.mark.line + 1;
    span.column = exception.mark.column + 1;
  }
  Diagnostic& error = diagnostics.error("F0002", "this is not YAML");
  error.labels.push_back({std::move(span), exception.msg});
  if (exception.msg == "illegal map value") {
    error.helps.push_back(
        "keys of one map begin in the same column; text that holds `: ` needs quotes around it");
  } else if (exception.msg.find("end of") != std::string::npos) {
    error.helps.push_back(
        "keys of one map begin in the same column; every `{`, `[` and quote must be closed");
  }
}

// One past the last byte of `node` on that line; 0 if it begins on another. A list or map that
// begins on the line of its key has a closing bracket, nearly always right behind what it holds.
int end_on_line(const YamlNode& node, int line) {
  if (node.span.line != line) return 0;
  int end = node.span.column + node.span.length;
  for (const YamlNode& item : node.items) end = std::max(end, end_on_line(item, line));
  for (const YamlEntry& entry : node.entries) end = std::max(end, end_on_line(entry.value, line));
  return end + (node.is_list() || node.is_map() ? 1 : 0);
}

}  // namespace

const YamlEntry* YamlNode::find(std::string_view key) const {
  for (const YamlEntry& entry : entries) {
    if (entry.key == key) return &entry;
  }
  return nullptr;
}

std::optional<YamlNode> parse_yaml(std::shared_ptr<const SourceFile> file, Diagnostics& diagnostics,
                                   YamlFeatures features) {
  if (!TextCheck(file, diagnostics).passes()) return std::nullopt;
  const LineTable lines(file->text);
  TreeBuilder builder(file, lines, diagnostics, features);
  try {
    std::istringstream stream(file->text);
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const Stop&) {
    return std::nullopt;
  } catch (const YAML::Exception& exception) {
    report_syntax(exception, file, diagnostics);
    return std::nullopt;
  }
  YamlNode root = builder.take();
  if (builder.documents() == 0) root.span = Span{std::move(file), 0, 0, 1};
  return root;
}

std::string describe(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::kNull:
      return "nothing";
    case YamlNode::Kind::kMap:
      return "a map";
    case YamlNode::Kind::kList:
      return "a list";
    case YamlNode::Kind::kScalar:
      break;
  }
  return in_backticks(node.text);
}

Span entry_span(const YamlEntry& entry) {
  Span span = entry.key_span;
  span.length = std::max(span.length, end_on_line(entry.value, span.line) - span.column);
  return span;
}

std::shared_ptr<const SourceFile> scalar_source(const YamlNode& node) {
  auto result = std::make_shared<SourceFile>();
  if (!node.span.file) {
    result->text = node.text;
    return result;
  }
  result->name = node.span.file->name;
  result->text = std::string(static_cast<std::size_t>(std::max(0, node.span.line - 1)), '\n');
  const std::string& text = node.span.file->text;
  std::size_t begin = 0;
  for (int i = 1; i < node.span.line; ++i) begin = text.find('\n', begin) + 1;
  if (!node.block) {
    const std::size_t quote = node.quoted ? 1 : 0;
    result->text += std::string(static_cast<std::size_t>(node.span.column - 1) + quote, ' ');
    result->text += node.text;
    return result;
  }
  // A block's lines are those below it that are blank or indented more than the line it begins in.
  const auto indent_of = [&](std::size_t at) { return text.find_first_not_of(' ', at) - at; };
  const std::size_t outer = indent_of(begin);
  begin = std::min(text.find('\n', begin), text.size() - 1) + 1;
  result->text += '\n';
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const bool blank = text.find_first_not_of(" \r", begin) >= end;
    if (!blank && indent_of(begin) <= outer) break;
    std::string line = text.substr(begin, end - begin);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    result->text += line + '\n';
    begin = end + 1;
  }
  return result;
}

}  // namespace tilewright
