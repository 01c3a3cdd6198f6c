// SPDX-License-Identifier: Apache-2.0
#include "tilewright/onnx/operators/product.h"

#include <algorithm>
#include <set>

#include "tilewright/base/checked.h"

namespace tilewright::onnx_import {
namespace {

// Which inputs of an operator are multiplied, and which is added.
struct Operands {
  std::size_t left = 0;
  std::size_t right = 1;
  std::size_t bias = kAbsent;
};

Operands operands_of(const std::string& op) {
  if (op == "QLinearMatMul") return {0, 3, kAbsent};
  if (op == "QGemm") return {0, 3, 6};
  if (op == "Gemm" || op == "FusedGemm") return {0, 1, 2};
  if (op == "MatMulNBits") return {0, 1, 5};
  if (op == "MatMulIntegerToFloat") return {0, 1, 6};
  return {0, 1, kAbsent};
}

const Shape* shape_of(const Graph& graph, std::size_t tensor) {
  if (tensor == kAbsent || !graph.tensors[tensor].shape) return nullptr;
  return &*graph.tensors[tensor].shape;
}

std::string misfit(const Shape& left, const Shape& right) {
  return "cannot multiply " + shape_text(left) + " by " + shape_text(right);
}

void swap_last_two(Shape& shape) {
  if (shape.size() >= 2) std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
}

// The rules of numpy.matmul; shapes are as multiplied.
bool multiply(Shape left, Shape right, Product& product, std::string& wrong) {
  if (left.empty() || right.empty()) {
    wrong = misfit(left, right);
    return false;
  }
  const bool left_vector = left.size() == 1;
  const bool right_vector = right.size() == 1;
  const std::string message = misfit(left, right);
  if (left_vector) left.insert(left.begin(), 1);
  if (right_vector) right.push_back(1);
  const Shape left_batch(left.begin(), left.end() - 2);
  const Shape right_batch(right.begin(), right.end() - 2);
  const auto batch = broadcast(left_batch, right_batch);
  if (!batch || left.back() != right[right.size() - 2]) {
    wrong = message;
    return false;
  }
  product.k = left.back();
  product.m = left[left.size() - 2];
  product.n = right.back();
  for (std::size_t i = 1; i <= batch->size(); ++i) {
    const std::int64_t size = (*batch)[batch->size() - i];
    const auto has = [&](const Shape& own) { return i <= own.size() && own[own.size() - i] != 1; };
    const bool in_left = has(left_batch);
    const bool in_right = has(right_batch);
    std::int64_t& part = in_left && in_right ? product.b : in_left ? product.m : product.n;
    if (in_left || in_right) part = checked_mul(part, size);
  }
  product.shape = *batch;
  if (!left_vector) product.shape.push_back(left[left.size() - 2]);
  if (!right_vector) product.shape.push_back(right.back());
  return true;
}

// Weights are packed, so that their shape does not tell.
std::optional<Product> find_packed(const Graph& graph, const GraphNode& node, Product product,
                                   std::string& wrong) {
  const Shape* left = shape_of(graph, product.left);
  if (left == nullptr) return std::nullopt;
  const std::int64_t n = node.integer("N", 0);
  const std::int64_t k = node.integer("K", 0);
  const std::int64_t bits = node.integer("bits", 4);
  if (n < 1 || k < 1 || bits < 1 || bits > 64) {
    wrong = "its attributes `N`, `K` and `bits` are not all positive";
    return std::nullopt;
  }
  product.right_bits = bits;
  if (!multiply(*left, {k, n}, product, wrong)) return std::nullopt;
  return product;
}

}  // namespace

std::optional<Product> find_product(const Graph& graph, const GraphNode& node, std::string& wrong) {
  const Operands operands = operands_of(node.op);
  Product product;
  product.left = node.input(operands.left);
  product.right = node.input(operands.right);
  product.bias = node.input(operands.bias);
  if (product.left == kAbsent || product.right == kAbsent) {
    wrong = "an operand is left out";
    return std::nullopt;
  }
  if (node.op == "MatMulNBits") return find_packed(graph, node, product, wrong);
  const Shape* left = shape_of(graph, product.left);
  const Shape* right = shape_of(graph, product.right);
  if (left == nullptr || right == nullptr) return std::nullopt;
  const bool flat = node.op == "Gemm" || node.op == "FusedGemm" || node.op == "QGemm";
  if (flat && (left->size() != 2 || right->size() != 2)) {
    wrong = misfit(*left, *right);
    return std::nullopt;
  }
  if (node.integer("transBatchA", 0) != 0 || node.integer("transBatchB", 0) != 0) {
    wrong = "`transBatchA` and `transBatchB` are not known here";
    return std::nullopt;
  }
  Shape a = *left;
  Shape b = *right;
  if (node.integer("transA", 0) != 0) swap_last_two(a);
  if (node.integer("transB", 0) != 0) swap_last_two(b);
  if (!multiply(std::move(a), std::move(b), product, wrong)) return std::nullopt;
  return product;
}

namespace {

// Splits at commas, blanks left out.
std::vector<std::u32string> split_terms(const std::string& text) {
  std::vector<std::u32string> terms(1);
  for (const char c : text) {
    if (c == ',') terms.emplace_back();
    if (c != ',' && c != ' ') terms.back() += static_cast<unsigned char>(c);
  }
  return terms;
}

// Letters for the dims that `...` stands for, the last one being kEllipsis; they follow all chars.
constexpr char32_t kEllipsis = 0x1000;

// Writes `...` out for `rank` dims; false if the term does not fit.
bool write_out(std::u32string& term, std::size_t rank) {
  const std::size_t dots = term.find(U"...");
  if (dots == std::u32string::npos) return term.size() == rank;
  const std::size_t letters = term.size() - 3;
  if (letters > rank) return false;
  std::u32string names;
  for (std::size_t i = rank - letters; i > 0; --i) {
    names += static_cast<char32_t>(kEllipsis - i + 1);
  }
  term = term.substr(0, dots) + names + term.substr(dots + 3);
  return true;
}

bool only_names(const std::u32string& term) {
  return std::ranges::all_of(term, [](char32_t c) {
    return (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z') || (c > 0x100 && c <= kEllipsis);
  });
}

// Names once each in the order of first use: those of `...` first, then those that occur once.
std::u32string implicit_output(const std::vector<std::u32string>& inputs) {
  std::map<char32_t, int> uses;
  for (const std::u32string& term : inputs) {
    for (const char32_t c : term) ++uses[c];
  }
  std::u32string result;
  for (const auto& [c, count] : uses) {
    if (c > 0x100) result += c;
  }
  for (const auto& [c, count] : uses) {
    if (c < 0x100 && count == 1) result += c;
  }
  return result;
}

}  // namespace

std::optional<std::vector<std::u32string>> parse_equation(const Graph& graph, const GraphNode& node,
                                                          std::map<char32_t, std::int64_t>& sizes,
                                                          std::string& wrong) {
  const std::string equation = node.text("equation");
  const std::size_t arrow = equation.find("->");
  std::vector<std::u32string> terms = split_terms(equation.substr(0, arrow));
  if (terms.size() != node.inputs.size()) {
    wrong = "its equation is for " + std::to_string(terms.size()) + " inputs, but it has " +
            std::to_string(node.inputs.size());
    return std::nullopt;
  }
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const Shape* shape = shape_of(graph, node.inputs[i]);
    if (shape == nullptr) return std::nullopt;
    if (!write_out(terms[i], shape->size()) || !only_names(terms[i])) {
      wrong = "its equation does not fit input " + std::to_string(i) + ", which is " +
              shape_text(*shape);
      return std::nullopt;
    }
    for (std::size_t d = 0; d < shape->size(); ++d) {
      std::int64_t& size = sizes.emplace(terms[i][d], 1).first->second;
      if (size != 1 && (*shape)[d] != 1 && size != (*shape)[d]) {
        wrong = "its equation gives one dim two sizes: " + std::to_string(size) + " and " +
                std::to_string((*shape)[d]);
        return std::nullopt;
      }
      size = size == 1 ? (*shape)[d] : size;
    }
  }
  if (arrow == std::string::npos) {
    terms.push_back(implicit_output(terms));
    return terms;
  }
  std::vector<std::u32string> output = split_terms(equation.substr(arrow + 2));
  const bool dots = output.front().find(U"...") != std::u32string::npos;
  std::size_t spread = 0;
  for (const auto& [c, size] : sizes) spread += c > 0x100 ? 1 : 0;
  const std::size_t rank = output.front().size() - (dots ? 3 : 0) + (dots ? spread : 0);
  const bool fine =
      output.size() == 1 && write_out(output.front(), rank) && only_names(output.front()) &&
      std::ranges::all_of(output.front(), [&](char32_t c) { return sizes.contains(c); });
  if (!fine) {
    wrong = "the output of its equation has a dim that no input has";
    return std::nullopt;
  }
  terms.push_back(output.front());
  return terms;
}

std::optional<Product> find_einsum_product(const Graph& graph, const GraphNode& node,
                                           std::string& wrong) {
  std::map<char32_t, std::int64_t> sizes;
  const auto terms = parse_equation(graph, node, sizes, wrong);
  if (!terms || terms->size() != 3) return std::nullopt;
  for (std::size_t i = 0; i < 2; ++i) {
    const Shape& shape = *shape_of(graph, node.inputs[i]);
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if (shape[d] != sizes[(*terms)[i][d]]) return std::nullopt;  // one that is broadcast
    }
  }
  const auto has = [&](std::size_t term, char32_t c) {
    return (*terms)[term].find(c) != std::u32string::npos;
  };
  const bool repeats = std::ranges::any_of(*terms, [](const std::u32string& term) {
    return std::set<char32_t>(term.begin(), term.end()).size() != term.size();
  });
  if (repeats) return std::nullopt;
  Product product{.left = node.inputs[0], .right = node.inputs[1]};
  bool sums = false;
  bool outer = false;
  for (const auto& [c, size] : sizes) {
    const bool left = has(0, c);
    const bool right = has(1, c);
    const bool out = has(2, c);
    if (!out && !(left && right)) return std::nullopt;  // summed before the product
    std::int64_t& part = !out            ? product.k
                         : left && right ? product.b
                         : left          ? product.m
                                         : product.n;
    part = checked_mul(part, size);
    sums = sums || !out;
    outer = outer || (out && !(left && right));
  }
  if (!sums && !outer) return std::nullopt;  // elementwise
  for (const char32_t c : terms->back()) product.shape.push_back(sizes.at(c));
  return product;
}

}  // namespace tilewright::onnx_import
