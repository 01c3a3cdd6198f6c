// SPDX-License-Identifier: Apache-2.0
#include "tilewright/workload/einsum.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "tilewright/base/text/printable.h"

namespace tilewright {
namespace {

/// Ends the parse; the fault is filled in.
struct Stop {};

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
  EinsumParser(std::string_view text, EinsumFault& fault) : text_(text), fault_(fault) {
    advance();
  }

  Einsum parse() {
    parse_tensor();
    if (!take("+=") && !take("=")) fail({"expected `+=` after the output"}, token_);
    do {
      parse_tensor();
    } while (take("*"));
    if (token_.kind != TokenKind::kEnd) {
      fail({"expected `*` and another tensor, or the end"}, token_);
    }
    Einsum result;
    check(builder_.finish(result), {TokenKind::kEnd, text_, 0});
    return result;
  }

 private:
  void parse_tensor() {
    if (token_.kind != TokenKind::kName) fail({"expected the name of a tensor"}, token_);
    check(builder_.add_tensor(token_.text), token_);
    const Token name = token_;
    advance();
    if (!take("[")) fail({"expected `[` after " + in_backticks(name.text)}, token_);
    if (!take("]")) {
      do {
        parse_rank();
      } while (take(","));
      if (!take("]")) fail({"expected `,` or `]`"}, token_);
    }
  }

  void parse_rank() {
    builder_.add_rank();
    bool first = true;
    do {
      bool negative = false;
      if (take("-")) {
        negative = true;
      } else if (!first || token_.text == "+") {
        if (!take("+")) fail({"expected `+`, `-`, `,` or `]`"}, token_);
      }
      parse_term(negative);
      first = false;
    } while (token_.text == "+" || token_.text == "-");
  }

  // number | dim | number dim | number * dim | dim * number, with any further `* number`
  void parse_term(bool negative) {
    std::int64_t coefficient = negative ? -1 : 1;
    std::optional<Token> dim;
    const auto take_factor = [&] {
      if (token_.kind == TokenKind::kNumber) {
        coefficient = multiply(coefficient, token_);
      } else if (token_.kind == TokenKind::kName && !dim) {
        dim = token_;
      } else if (token_.kind == TokenKind::kName) {
        fail({"a product of two dims is not affine"}, token_);
      } else {
        fail({"expected a dim or a number"}, token_);
      }
      advance();
    };
    const bool number_first = token_.kind == TokenKind::kNumber;
    take_factor();
    if (number_first && token_.kind == TokenKind::kName) take_factor();
    while (take("*")) take_factor();
    if (dim) check(builder_.add_term(dim->text, coefficient), *dim);
  }

  std::int64_t multiply(std::int64_t coefficient, const Token& number) {
    std::int64_t value = 0;
    const char* const end = number.text.data() + number.text.size();
    const auto [stop, error] = std::from_chars(number.text.data(), end, value);
    const __int128 product = static_cast<__int128>(coefficient) * value;
    if (error != std::errc{} || product > kLargestCoefficient || product < -kLargestCoefficient) {
      fail({kCoefficientTooLarge}, number);
    }
    return static_cast<std::int64_t>(product);
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

  void check(std::optional<EinsumFault> fault, const Token& token) {
    if (fault) fail(std::move(*fault), token);
  }

  [[noreturn]] void fail(EinsumFault fault, const Token& token) {
    fault_ = std::move(fault);
    fault_.offset = token.offset;
    fault_.length = std::max<std::size_t>(1, token.text.size());
    throw Stop{};
  }

  std::string_view text_;
  EinsumFault& fault_;
  std::size_t at_ = 0;
  Token token_;
  EinsumBuilder builder_;
};

}  // namespace

std::optional<Einsum> parse_einsum(std::string_view text, EinsumFault& fault) {
  try {
    return EinsumParser(text, fault).parse();
  } catch (const Stop&) {
    return std::nullopt;
  }
}

bool coefficients_fit(const Einsum& einsum) {
  const auto fits = [](const Term& term) {
    return term.coefficient >= -kLargestCoefficient && term.coefficient <= kLargestCoefficient;
  };
  return std::ranges::all_of(einsum.tensors, [&](const Tensor& tensor) {
    return std::ranges::all_of(
        tensor.ranks, [&](const Rank& rank) { return std::ranges::all_of(rank.terms, fits); });
  });
}

std::optional<EinsumFault> EinsumBuilder::add_tensor(std::string_view name) {
  if (std::ranges::find(einsum_.tensors, name, &Tensor::name) != einsum_.tensors.end()) {
    return EinsumFault{"tensor " + in_backticks(name) + " occurs twice",
                       "give each access a name of its own"};
  }
  if (einsum_.tensors.size() == Workload::kMaxTensors) {
    return EinsumFault{"more than " + std::to_string(Workload::kMaxTensors) + " tensors"};
  }
  einsum_.tensors.push_back({.name = std::string(name), .role = "input", .ranks = {}});
  return std::nullopt;
}

void EinsumBuilder::add_rank() { einsum_.tensors.back().ranks.emplace_back(); }

std::optional<EinsumFault> EinsumBuilder::add_term(std::string_view dim, std::int64_t coefficient,
                                                   std::int64_t size) {
  DimId id;
  if (auto fault = find_or_add(dim, size, id)) return fault;
  Tensor& tensor = einsum_.tensors.back();
  std::vector<Term>& terms = tensor.ranks.back().terms;
  for (std::size_t r = 0; r + 1 < tensor.ranks.size(); ++r) {
    const bool uses_it = std::ranges::any_of(tensor.ranks[r].terms, [&](const Term& term) {
      return term.dim == id && term.coefficient != 0;
    });
    if (!uses_it) continue;
    return EinsumFault{"dim " + in_backticks(dim) + " is in two subscripts of " +
                       in_backticks(tensor.name) + ", which is not supported"};
  }
  const auto known = std::ranges::find(terms, id, &Term::dim);
  if (known == terms.end()) {
    terms.push_back({id, coefficient});
  } else {
    known->coefficient += coefficient;
  }
  return std::nullopt;
}

std::optional<EinsumFault> EinsumBuilder::find_or_add(std::string_view dim, std::int64_t size,
                                                      DimId& id) {
  const auto known = std::ranges::find(einsum_.dims, dim, &Dim::name);
  id = DimId(static_cast<std::size_t>(known - einsum_.dims.begin()));
  if (known != einsum_.dims.end()) return std::nullopt;
  if (einsum_.dims.size() == Workload::kMaxDims) {
    return EinsumFault{"more than " + std::to_string(Workload::kMaxDims) + " dims"};
  }
  einsum_.dims.push_back({std::string(dim), size});
  return std::nullopt;
}

std::optional<EinsumFault> EinsumBuilder::finish(Einsum& result) {
  if (einsum_.dims.empty()) return EinsumFault{"no dim occurs in it"};
  std::vector<Tensor>& tensors = einsum_.tensors;
  for (Tensor& tensor : tensors) {
    for (Rank& rank : tensor.ranks) {
      std::erase_if(rank.terms, [](const Term& term) { return term.coefficient == 0; });
    }
  }
  std::ranges::rotate(tensors, tensors.begin() + 1);
  tensors.back().role = "output";
  if (tensors.size() > 2) tensors[tensors.size() - 2].role = "weight";
  result = std::move(einsum_);
  return std::nullopt;
}

}  // namespace tilewright
