// SPDX-License-Identifier: Apache-2.0
#include "tilewright/io/workload/einsum.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <utility>

#include "tilewright/base/text/printable.h"

namespace tilewright {
namespace {

/// Ends the parse; the fault is filled in.
struct Stop {};

constexpr std::int64_t kLargestCoefficient = std::int64_t{1} << 40;

enum class TokenKind { kName, kNumber, kSymbol, kEnd };

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string_view text;
  std::size_t offset = 0;
};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class EinsumParser {
 public:
  EinsumParser(std::string_view text, TextFault& fault) : text_(text), fault_(fault) { advance(); }

  Einsum parse() {
    Tensor output = parse_tensor();
    if (!take("+=") && !take("=")) fail("expected `+=` after the output", token_);
    do {
      Tensor input = parse_tensor();
      result_.tensors.push_back(std::move(input));
    } while (take("*"));
    if (token_.kind != TokenKind::kEnd) {
      fail("expected `*` and another tensor, or the end", token_);
    }
    result_.tensors.push_back(std::move(output));
    if (result_.dims.empty()) fail("no dim occurs in it", {TokenKind::kEnd, text_, 0});
    return std::move(result_);
  }

 private:
  Tensor parse_tensor() {
    if (token_.kind != TokenKind::kName) fail("expected the name of a tensor", token_);
    if (std::ranges::find(names_, token_.text) != names_.end()) {
      fail("tensor " + in_backticks(token_.text) + " occurs twice", token_,
           "give each access a name of its own");
    }
    if (names_.size() == Workload::kMaxTensors) {
      fail("more than " + std::to_string(Workload::kMaxTensors) + " tensors", token_);
    }
    names_.push_back(token_.text);
    Tensor tensor;
    tensor.name = std::string(token_.text);
    const Token name = token_;
    advance();
    if (!take("[")) fail("expected `[` after " + in_backticks(name.text), token_);
    if (!take("]")) {
      do {
        tensor.ranks.push_back(parse_rank(tensor));
      } while (take(","));
      if (!take("]")) fail("expected `,` or `]`", token_);
    }
    return tensor;
  }

  Rank parse_rank(const Tensor& tensor) {
    Rank rank;
    bool first = true;
    do {
      bool negative = false;
      if (take("-")) {
        negative = true;
      } else if (!first || token_.text == "+") {
        if (!take("+")) fail("expected `+`, `-`, `,` or `]`", token_);
      }
      parse_term(rank, tensor, negative);
      first = false;
    } while (token_.text == "+" || token_.text == "-");
    std::erase_if(rank.terms, [](const Term& term) { return term.coefficient == 0; });
    return rank;
  }

  // number | dim | number dim | number * dim | dim * number, with any further `* number`
  void parse_term(Rank& rank, const Tensor& tensor, bool negative) {
    std::int64_t coefficient = negative ? -1 : 1;
    std::optional<Token> dim;
    const auto take_factor = [&] {
      if (token_.kind == TokenKind::kNumber) {
        coefficient = multiply(coefficient, token_);
      } else if (token_.kind == TokenKind::kName && !dim) {
        dim = token_;
      } else if (token_.kind == TokenKind::kName) {
        fail("a product of two dims is not affine", token_);
      } else {
        fail("expected a dim or a number", token_);
      }
      advance();
    };
    const bool number_first = token_.kind == TokenKind::kNumber;
    take_factor();
    if (number_first && token_.kind == TokenKind::kName) take_factor();
    while (take("*")) take_factor();
    if (dim) add_term(rank, tensor, *dim, coefficient);
  }

  std::int64_t multiply(std::int64_t coefficient, const Token& number) {
    std::int64_t value = 0;
    const char* const end = number.text.data() + number.text.size();
    const auto [stop, error] = std::from_chars(number.text.data(), end, value);
    const __int128 product = static_cast<__int128>(coefficient) * value;
    if (error != std::errc{} || product > kLargestCoefficient || product < -kLargestCoefficient) {
      fail("the coefficient is too large", number);
    }
    return static_cast<std::int64_t>(product);
  }

  void add_term(Rank& rank, const Tensor& tensor, const Token& dim, std::int64_t coefficient) {
    const DimId id = find_or_add(dim);
    for (const Rank& other : tensor.ranks) {
      for (const Term& term : other.terms) {
        if (term.dim != id) continue;
        fail("dim " + in_backticks(dim.text) + " is in two subscripts of " +
                 in_backticks(tensor.name) + ", which is not supported",
             dim);
      }
    }
    for (Term& term : rank.terms) {
      if (term.dim != id) continue;
      term.coefficient += coefficient;
      return;
    }
    rank.terms.push_back({id, coefficient});
  }

  DimId find_or_add(const Token& dim) {
    const auto it = std::ranges::find(result_.dims, dim.text);
    if (it != result_.dims.end()) {
      return DimId(static_cast<std::size_t>(it - result_.dims.begin()));
    }
    if (result_.dims.size() == Workload::kMaxDims) {
      fail("more than " + std::to_string(Workload::kMaxDims) + " dims", dim);
    }
    result_.dims.emplace_back(dim.text);
    return DimId(result_.dims.size() - 1);
  }

  bool take(std::string_view symbol) {
    if (token_.kind != TokenKind::kSymbol || token_.text != symbol) return false;
    advance();
    return true;
  }

  void advance() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) {
      ++at_;
    }
    const std::size_t begin = at_;
    TokenKind kind = TokenKind::kSymbol;
    if (at_ == text_.size()) {
      kind = TokenKind::kEnd;
    } else if (is_letter(text_[at_])) {
      kind = TokenKind::kName;
      while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    } else if (is_digit(text_[at_])) {
      kind = TokenKind::kNumber;
      while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    } else if (text_.substr(at_).starts_with("+=")) {
      at_ += 2;
    } else {
      at_ += decode_utf8(text_, at_).length;
    }
    token_ = {kind, text_.substr(begin, at_ - begin), begin};
  }

  [[noreturn]] void fail(std::string message, const Token& token, std::string help = {}) {
    fault_.code = "W0001";
    fault_.message = std::move(message);
    fault_.label =
        token.kind == TokenKind::kEnd && token.text.empty() ? "the text ends here" : "here";
    fault_.offset = token.offset;
    fault_.length = std::max<std::size_t>(1, token.text.size());
    if (!help.empty()) fault_.helps.push_back(std::move(help));
    throw Stop{};
  }

  std::string_view text_;
  TextFault& fault_;
  std::size_t at_ = 0;
  Token token_;
  std::vector<std::string_view> names_;
  Einsum result_;
};

}  // namespace

std::optional<Einsum> parse_einsum(std::string_view text, TextFault& fault) {
  try {
    return EinsumParser(text, fault).parse();
  } catch (const Stop&) {
    return std::nullopt;
  }
}

}  // namespace tilewright
