// SPDX-License-Identifier: Apache-2.0
#include "tilewright/io/mapping/nest_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "tilewright/base/text/nearest.h"
#include "tilewright/base/text/printable.h"

namespace tilewright {
namespace {

constexpr std::array<std::string_view, 4> kKeywords = {"keep", "for", "parfor", "on"};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

bool is_ascii_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

bool ends_word(char c) {
  return is_blank(c) || c == ',' || c == ':' || c == '*' || c == '#' || c == '"';
}

struct Token {
  enum class Kind { kWord, kQuoted, kComma, kColon, kStar, kEnd };
  Kind kind = Kind::kEnd;
  std::string text;
  std::size_t offset = 0;
  std::size_t length = 1;

  bool is_name() const { return kind == Kind::kWord || kind == Kind::kQuoted; }
  bool is_keyword(std::string_view word) const { return kind == Kind::kWord && text == word; }
};

/// The byte that two hexadecimal digits at the start of `text` mean.
std::optional<char> hex_byte(std::string_view text) {
  unsigned value = 0;
  if (text.size() < 2) return std::nullopt;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + 2, value, 16);
  if (fault != std::errc() || end != text.data() + 2) return std::nullopt;
  return static_cast<char>(value);
}

/// Reads one quoted name that begins at `offset`; nothing if its end is missing.
std::optional<Token> quoted_token(std::string_view line, std::size_t offset) {
  Token token{Token::Kind::kQuoted, "", offset, 0};
  for (std::size_t i = offset + 1; i < line.size(); ++i) {
    if (line[i] == '"') {
      token.length = i + 1 - offset;
      return token;
    }
    if (line[i] == '\\' && i + 1 < line.size()) {
      ++i;
      const auto byte = line[i] == 'x' ? hex_byte(line.substr(i + 1)) : std::nullopt;
      token.text += byte.value_or(line[i]);
      if (byte) i += 2;
    } else {
      token.text += line[i];
    }
  }
  return std::nullopt;
}

/// One line as a stream of tokens that ends in kEnd.
class TokenStream {
 public:
  TokenStream(const PlacedText& line, NestBuilder& builder) : line_(line), builder_(builder) {
    split();
  }

  bool ok() const { return ok_; }
  const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  Token take() {
    Token token = peek();
    if (at_ + 1 < tokens_.size()) ++at_;
    return token;
  }
  Span span(const Token& token) const { return line_.part(token.offset, token.length); }
  /// From the start of `first` to the end of the last token taken.
  Span span_from(const Token& first) const {
    const Token& last = tokens_[at_ == 0 ? 0 : at_ - 1];
    const std::size_t end = std::max(first.offset + first.length, last.offset + last.length);
    return line_.part(first.offset, end - first.offset);
  }
  Word word(const Token& token) const { return Word{token.text, span(token)}; }
  Diagnostic& expected(const std::string& what) {
    const Token& token = peek();
    const std::string found =
        token.kind == Token::Kind::kEnd ? "the end of the line" : in_backticks(token.text);
    return builder_.error("M0001", "expected " + what + ", found " + found, span(token));
  }

 private:
  void split() {
    std::string_view text = line_.text;
    if (text.size() > kMaxNestLine) {
      ok_ = false;
      builder_.error("M0009", "the line is longer than 256 KiB", line_.part(0, 1));
      text = {};
    }
    std::size_t i = 0;
    while (i < text.size() && text[i] != '#') {
      if (is_blank(text[i])) {
        ++i;
        continue;
      }
      Token token = next(i);
      if (token.kind == Token::Kind::kEnd) {
        ok_ = false;
        builder_.error("M0001", "a quoted name has no closing `\"`",
                       line_.part(i, text.size() - i));
        break;
      }
      i += token.length;
      tokens_.push_back(std::move(token));
    }
    const std::size_t end = tokens_.empty() ? 0 : tokens_.back().offset + tokens_.back().length;
    tokens_.push_back(Token{Token::Kind::kEnd, "", end, 1});
  }

  Token next(std::size_t offset) const {
    const std::string_view text = line_.text;
    switch (text[offset]) {
      case ',':
        return Token{Token::Kind::kComma, ",", offset, 1};
      case ':':
        return Token{Token::Kind::kColon, ":", offset, 1};
      case '*':
        return Token{Token::Kind::kStar, "*", offset, 1};
      case '"':
        return quoted_token(text, offset).value_or(Token{});
      default:
        break;
    }
    std::size_t end = offset;
    while (end < text.size() && !ends_word(text[end])) ++end;
    return Token{Token::Kind::kWord, std::string(text.substr(offset, end - offset)), offset,
                 end - offset};
  }

  const PlacedText& line_;
  NestBuilder& builder_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

bool read_loop_item(TokenStream& tokens, LoopItem& item) {
  if (!tokens.peek().is_name()) {
    tokens.expected("a loop such as `p 8`");
    return false;
  }
  const Token first = tokens.take();
  item.dim = tokens.word(first);
  const Token& factor = tokens.peek();
  if (!factor.is_name() && factor.kind != Token::Kind::kStar) {
    Diagnostic& finding = tokens.expected("the factor of " + in_backticks(first.text));
    if (const auto meant = split_loop(first.text)) {
      finding.helps.push_back("write " + in_backticks(*meant));
    }
    return false;
  }
  item.factor = tokens.word(tokens.take());
  if (tokens.peek().is_keyword("on")) {
    tokens.take();
    if (!tokens.peek().is_name()) {
      tokens.expected("the name of an axis after `on`");
      return false;
    }
    item.axis = tokens.word(tokens.take());
  }
  item.span = tokens.span_from(first);
  return true;
}

/// Items up to the end of the line or the word `for`.
bool read_loop_items(TokenStream& tokens, std::vector<LoopItem>& items) {
  while (true) {
    LoopItem item;
    if (!read_loop_item(tokens, item)) return false;
    items.push_back(std::move(item));
    if (tokens.peek().kind == Token::Kind::kEnd || tokens.peek().is_keyword("for")) return true;
    if (tokens.peek().kind != Token::Kind::kComma) {
      tokens.expected("`,` or the end of the line");
      return false;
    }
    tokens.take();
  }
}

/// Reads lines and hands what they say to the builder.
class LineReader {
 public:
  LineReader(const PlacedText& line, NestBuilder& builder)
      : tokens_(line, builder), builder_(builder) {}

  void read() {
    if (!tokens_.ok() || tokens_.peek().kind == Token::Kind::kEnd) return;
    if (tokens_.peek().is_name() && tokens_.peek(1).kind == Token::Kind::kColon) {
      const Token name = tokens_.take();
      tokens_.take();
      read_node(name);
    } else if (tokens_.peek().is_keyword("for")) {
      read_for();
    } else if (tokens_.peek().is_name() && tokens_.peek(1).kind == Token::Kind::kEnd &&
               !is_node(tokens_.peek().text)) {
      builder_.compute(tokens_.word(tokens_.peek()));
    } else {
      report_start();
    }
  }

 private:
  bool is_node(const std::string& name) const {
    return builder_.problem().arch().find(name).has_value();
  }

  void read_node(const Token& name) {
    const Token verb = tokens_.peek();
    if (verb.is_keyword("keep")) {
      tokens_.take();
      read_keep(name);
    } else if (verb.is_keyword("parfor")) {
      tokens_.take();
      std::vector<LoopItem> items;
      const bool whole = read_loop_items(tokens_, items);
      builder_.spatial_loops(tokens_.word(name), items);
      if (!whole) return;
    } else {
      Diagnostic& finding =
          tokens_.expected("`keep` or `parfor` after " + in_backticks(name.text + ":"));
      if (verb.is_keyword("for")) {
        finding.helps.push_back(
            "temporal loops do not belong to a node: write them on a line of their own");
      }
      return;
    }
    if (tokens_.peek().is_keyword("for")) read_for();
  }

  void read_keep(const Token& memory) {
    std::vector<Word> tensors;
    while (tokens_.peek().is_name() && !tokens_.peek().is_keyword("for")) {
      tensors.push_back(tokens_.word(tokens_.take()));
      const Token& after = tokens_.peek(1);
      const bool more = after.is_name() && !after.is_keyword("for");
      if (tokens_.peek().kind == Token::Kind::kComma && more) tokens_.take();
    }
    const Token& next = tokens_.peek();
    if (tensors.empty() || (next.kind != Token::Kind::kEnd && !next.is_keyword("for"))) {
      tokens_.expected("the name of a tensor");
      return;
    }
    builder_.keep(tokens_.word(memory), tensors, tokens_.span_from(memory));
  }

  void read_for() {
    tokens_.take();
    std::vector<LoopItem> items;
    const bool whole = read_loop_items(tokens_, items);
    for (const LoopItem& item : items) builder_.temporal_loop(item);
    if (whole && tokens_.peek().kind != Token::Kind::kEnd) tokens_.expected("`,`");
  }

  void report_start() {
    const Token first = tokens_.peek();
    const Arch& arch = builder_.problem().arch();
    if (first.is_name() && is_node(first.text)) {
      tokens_.take();
      const bool memory = arch.is_memory(*arch.find(first.text));
      tokens_.expected("`: " + std::string(memory ? "keep" : "parfor") + "` after " +
                       in_backticks(first.text));
      return;
    }
    if (first.is_keyword("keep") || first.is_keyword("parfor")) {
      const bool keep = first.text == "keep";
      builder_.error("M0001",
                     "`" + first.text + "` needs the name of a " + (keep ? "memory" : "fan-out") +
                         " before it, as in `NAME: " + first.text + "`",
                     tokens_.span(first));
      return;
    }
    Diagnostic& finding = tokens_.expected("`NAME: keep ...`, `NAME: parfor ...`, `for ...` or " +
                                           in_backticks(arch.compute().name));
    std::vector<std::string> words = {"for", arch.compute().name};
    for (const ArchNode& node : arch.nodes()) words.push_back(node_name(node));
    if (const auto meant = nearest(first.text, words)) {
      finding.helps.push_back("did you mean " + in_backticks(*meant) + "?");
    }
  }

  TokenStream tokens_;
  NestBuilder& builder_;
};

}  // namespace

std::string nest_name(std::string_view name) {
  const bool keyword = std::find(kKeywords.begin(), kKeywords.end(), name) != kKeywords.end();
  const bool plain = !name.empty() && !keyword &&
                     std::none_of(name.begin(), name.end(),
                                  [](char c) { return ends_word(c) || is_ascii_control(c); });
  if (plain) return std::string(name);
  std::string result = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') result += '\\';
    if (is_ascii_control(c)) {
      constexpr std::string_view kHex = "0123456789abcdef";
      const auto byte = static_cast<unsigned char>(c);
      result += {'\\', 'x', kHex[byte >> 4U], kHex[byte & 15U]};
    } else {
      result += c;
    }
  }
  return result + '"';
}

bool read_loop_items(const PlacedText& text, NestBuilder& builder, std::vector<LoopItem>& items) {
  TokenStream tokens(text, builder);
  if (!tokens.ok() || !read_loop_items(tokens, items)) return false;
  if (tokens.peek().kind == Token::Kind::kEnd) return true;
  tokens.expected("`,`");
  return false;
}

void read_nest_lines(const std::shared_ptr<const SourceFile>& file, NestBuilder& builder) {
  const std::string_view text = file->text;
  if (text.size() > kMaxNestBytes) {
    builder.error("M0009", "the mapping is longer than 4 MiB", Span{file, 0, 0, 1});
    return;
  }
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  std::size_t begin = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  int column = static_cast<int>(begin) + 1;
  for (int number = 1; begin < text.size() && !builder.full(); ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const PlacedText line{text.substr(begin, end - begin), Span{file, number, column, 1}};
    LineReader(line, builder).read();
    begin = end + 1;
    column = 1;
  }
}

}  // namespace tilewright
