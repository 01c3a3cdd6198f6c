// SPDX-License-Identifier: Apache-2.0
#include "tilewright/timeloop/expression/syntax.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "tilewright/base/text/printable.h"

namespace tilewright::timeloop {
namespace {

constexpr std::size_t kLongest = 4096;
constexpr int kDeepest = 64;

enum class TokenKind { kEnd, kNumber, kText, kName, kSign };

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::size_t offset = 0;
  std::string text;
  Value value;
};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Ends the parse; the fault is set.
struct Stop {};

class Lexer {
 public:
  Lexer(std::string_view text, ExpressionFault& fault) : text_(text), fault_(fault) {}

  Token next() {
    while (at_ < text_.size() &&
           std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
      ++at_;
    Token token;
    token.offset = at_;
    if (at_ == text_.size()) return token;
    const char c = text_[at_];
    if (is_letter(c)) return name(std::move(token));
    if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) {
      return number(std::move(token));
    }
    if (c == '"' || c == '\'') return quoted(std::move(token));
    return sign(std::move(token));
  }

 private:
  Token name(Token token) {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    token.kind = TokenKind::kName;
    token.text = text_.substr(begin, at_ - begin);
    return token;
  }

  Token number(Token token) {
    const std::size_t begin = at_;
    bool whole = true;
    const auto digits = [&] {
      while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    };
    digits();
    if (at_ < text_.size() && text_[at_] == '.') {
      whole = false;
      ++at_;
      digits();
    }
    if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
      std::size_t after = at_ + 1;
      if (after < text_.size() && (text_[after] == '+' || text_[after] == '-')) ++after;
      if (after < text_.size() && is_digit(text_[after])) {
        whole = false;
        at_ = after;
        digits();
      }
    }
    token.kind = TokenKind::kNumber;
    const std::string_view part = text_.substr(begin, at_ - begin);
    if (at_ < text_.size() && is_letter(text_[at_])) {
      fail("a letter right behind a number", at_);
    }
    const char* end = part.data() + part.size();
    std::int64_t integer = 0;
    if (whole) {
      if (std::from_chars(part.data(), end, integer).ec != std::errc()) {
        fail("the number is too large", begin);
      }
      token.value.of = integer;
      return token;
    }
    double real = 0;
    const auto [stop, error] = std::from_chars(part.data(), end, real);
    if (error != std::errc() || stop != end || !std::isfinite(real)) {
      fail("the number cannot be represented", begin);
    }
    token.value.of = real;
    return token;
  }

  Token quoted(Token token) {
    const char quote = text_[at_];
    const std::size_t begin = at_++;
    std::string value;
    while (at_ < text_.size() && text_[at_] != quote) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      value += text_[at_++];
    }
    if (at_ == text_.size()) fail("this quote is never closed", begin);
    ++at_;
    token.kind = TokenKind::kText;
    token.value.of = std::move(value);
    return token;
  }

  Token sign(Token token) {
    constexpr std::array<std::string_view, 6> kLong = {"**", "//", "==", "!=", "<=", ">="};
    token.kind = TokenKind::kSign;
    for (const std::string_view one : kLong) {
      if (text_.substr(at_).starts_with(one)) {
        token.text = one;
        at_ += one.size();
        return token;
      }
    }
    constexpr std::string_view kShort = "+-*/%()[],.<>|~=";
    if (kShort.find(text_[at_]) == std::string_view::npos) {
      fail("this character has no meaning here", at_);
    }
    token.text = text_[at_++];
    return token;
  }

  [[noreturn]] void fail(std::string message, std::size_t offset) {
    fault_ = {std::move(message), offset, ""};
    throw Stop{};
  }

  std::string_view text_;
  ExpressionFault& fault_;
  std::size_t at_ = 0;
};

class Parser {
 public:
  Parser(std::string_view text, Grammar grammar, ExpressionFault& fault)
      : lexer_(text, fault), grammar_(grammar), fault_(fault) {}

  ExpressionTree parse() {
    advance();
    tree_.root = choice();
    if (token_.kind != TokenKind::kEnd) fail("the expression should end here");
    return std::move(tree_);
  }

 private:
  /// One level deeper, as long as it lives.
  class Deeper {
   public:
    explicit Deeper(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > kDeepest) parser_.fail("the expression is nested too deeply");
    }
    ~Deeper() { --parser_.depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;

   private:
    Parser& parser_;
  };

  void advance() { token_ = lexer_.next(); }
  bool is_sign(std::string_view text) const {
    return token_.kind == TokenKind::kSign && token_.text == text;
  }
  bool is_word(std::string_view text) const {
    return token_.kind == TokenKind::kName && token_.text == text;
  }
  bool take_sign(std::string_view text) {
    if (!is_sign(text)) return false;
    advance();
    return true;
  }
  void demand(std::string_view text) {
    if (!take_sign(text)) fail("expected `" + std::string(text) + "` here");
  }

  [[noreturn]] void fail(std::string message) {
    fault_ = {std::move(message), token_.offset, ""};
    throw Stop{};
  }

  std::size_t add(Operation operation, std::size_t offset, std::string text,
                  std::vector<std::size_t> children, Value value = {}) {
    tree_.nodes.push_back(
        {operation, offset, std::move(text), std::move(value), std::move(children)});
    return tree_.nodes.size() - 1;
  }

  std::size_t choice() {
    const Deeper deeper(*this);
    const std::size_t then = disjunction();
    if (!is_word("if")) return then;
    const std::size_t offset = token_.offset;
    advance();
    const std::size_t condition = disjunction();
    if (!is_word("else")) fail("expected `else` here");
    advance();
    const std::size_t otherwise = choice();
    return add(Operation::kChoice, offset, "", {then, condition, otherwise});
  }

  std::size_t disjunction() {
    std::size_t left = conjunction();
    while (is_word("or")) {
      const std::size_t offset = token_.offset;
      advance();
      const std::size_t right = conjunction();
      left = add(Operation::kOr, offset, "", {left, right});
    }
    return left;
  }

  std::size_t conjunction() {
    std::size_t left = negation();
    while (is_word("and")) {
      const std::size_t offset = token_.offset;
      advance();
      const std::size_t right = negation();
      left = add(Operation::kAnd, offset, "", {left, right});
    }
    return left;
  }

  std::size_t negation() {
    if (!is_word("not")) return comparison();
    const Deeper deeper(*this);
    const std::size_t offset = token_.offset;
    advance();
    const std::size_t inner = negation();
    return add(Operation::kUnary, offset, "not", {inner});
  }

  std::size_t comparison() {
    const std::size_t left = joined();
    for (const std::string_view one : {"==", "!=", "<=", ">=", "<", ">"}) {
      if (!is_sign(one)) continue;
      const std::size_t offset = token_.offset;
      advance();
      const std::size_t right = joined();
      return add(Operation::kCompare, offset, std::string(one), {left, right});
    }
    return left;
  }

  std::size_t joined() {
    std::size_t left = sum();
    while (grammar_ == Grammar::kJinja && is_sign("~")) {
      const std::size_t offset = token_.offset;
      advance();
      const std::size_t right = sum();
      left = add(Operation::kBinary, offset, "~", {left, right});
    }
    return left;
  }

  std::size_t sum() {
    std::size_t left = product();
    while (is_sign("+") || is_sign("-")) left = binary(left, &Parser::product);
    return left;
  }

  std::size_t product() {
    std::size_t left = signed_term();
    while (is_sign("*") || is_sign("/") || is_sign("//") || is_sign("%")) {
      left = binary(left, &Parser::signed_term);
    }
    return left;
  }

  std::size_t binary(std::size_t left, std::size_t (Parser::*right_side)()) {
    const Token sign = token_;
    advance();
    const std::size_t right = (this->*right_side)();
    return add(Operation::kBinary, sign.offset, sign.text, {left, right});
  }

  std::size_t signed_term() {
    if (!is_sign("-") && !is_sign("+")) return power();
    const Deeper deeper(*this);
    const Token sign = token_;
    advance();
    const std::size_t inner = signed_term();
    return add(Operation::kUnary, sign.offset, sign.text, {inner});
  }

  std::size_t power() {
    const std::size_t base = filtered();
    if (!is_sign("**")) return base;
    const Deeper deeper(*this);
    const std::size_t offset = token_.offset;
    advance();
    const std::size_t exponent = signed_term();
    return add(Operation::kBinary, offset, "**", {base, exponent});
  }

  std::size_t filtered() {
    std::size_t value = postfix();
    while (grammar_ == Grammar::kJinja && is_sign("|")) {
      advance();
      const std::size_t offset = token_.offset;
      if (!is_word("default") && !is_word("d")) {
        fail("the only filter that is known is `default`");
      }
      advance();
      demand("(");
      const std::vector<std::size_t> arguments = list_up_to(")");
      if (arguments.size() != 1) fail("`default` takes one value");
      value = add(Operation::kDefault, offset, "", {value, arguments.front()});
    }
    return value;
  }

  std::size_t postfix() {
    std::size_t value = atom();
    for (;;) {
      const std::size_t offset = token_.offset;
      if (take_sign(".")) {
        if (token_.kind != TokenKind::kName) fail("expected a name here");
        std::string member = token_.text;
        advance();
        value = add(Operation::kMember, offset, std::move(member), {value});
      } else if (take_sign("[")) {
        const std::size_t index = choice();
        demand("]");
        value = add(Operation::kIndex, offset, "", {value, index});
      } else if (is_sign("(")) {
        if (tree_.nodes[value].operation != Operation::kName) fail("this cannot be called");
        advance();
        std::vector<std::size_t> arguments = list_up_to(")");
        value = add(Operation::kCall, tree_.nodes[value].offset, tree_.nodes[value].text,
                    std::move(arguments));
      } else {
        return value;
      }
    }
  }

  // Up to and with `end`; a comma may stand before it.
  std::vector<std::size_t> list_up_to(std::string_view end) {
    const Deeper deeper(*this);
    std::vector<std::size_t> items;
    while (!take_sign(end)) {
      items.push_back(choice());
      if (take_sign(end)) break;
      demand(",");
    }
    return items;
  }

  std::size_t atom() {
    const Token token = token_;
    switch (token.kind) {
      case TokenKind::kNumber:
      case TokenKind::kText:
        advance();
        return add(Operation::kLiteral, token.offset, "", {}, token.value);
      case TokenKind::kName:
        advance();
        return named(token);
      case TokenKind::kSign:
        break;
      case TokenKind::kEnd:
        fail("the expression ends too early");
    }
    if (take_sign("[")) return add(Operation::kList, token.offset, "", list_up_to("]"));
    if (!take_sign("(")) fail("expected a number or a name here");
    const Deeper deeper(*this);
    const std::size_t first = choice();
    if (!is_sign(",")) {
      demand(")");
      return first;
    }
    advance();
    std::vector<std::size_t> items = list_up_to(")");
    items.insert(items.begin(), first);
    return add(Operation::kList, token.offset, "", std::move(items));
  }

  std::size_t named(const Token& token) {
    Value value;
    if (token.text == "True" || token.text == "true") {
      value.of = true;
    } else if (token.text == "False" || token.text == "false") {
      value.of = false;
    } else if (token.text != "None" && token.text != "none") {
      return add(Operation::kName, token.offset, token.text, {});
    }
    return add(Operation::kLiteral, token.offset, "", {}, std::move(value));
  }

  Lexer lexer_;
  Grammar grammar_;
  ExpressionFault& fault_;
  Token token_;
  ExpressionTree tree_;
  int depth_ = 0;
};

}  // namespace

std::optional<ExpressionTree> parse_expression(std::string_view text, Grammar grammar,
                                               ExpressionFault& fault) {
  if (text.size() > kLongest) {
    fault = {"the expression is longer than 4096 characters", 0, ""};
    return std::nullopt;
  }
  try {
    return Parser(text, grammar, fault).parse();
  } catch (const Stop&) {
    return std::nullopt;
  }
}

}  // namespace tilewright::timeloop
