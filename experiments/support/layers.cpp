// SPDX-License-Identifier: Apache-2.0
#include "experiments/support/layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>
#include <utility>

namespace tilewright {
namespace {

constexpr std::string_view kColumns = "layer,n,m,c,p,q,r,s,stride,dilation,transposed,count";
constexpr std::size_t kNumbers = 11;

// Cuts `text` at the first `separator`; returns what stood before it.
std::string_view take(std::string_view& text, char separator) {
  const std::size_t end = text.find(separator);
  const std::string_view front = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  return front;
}

[[noreturn]] void fail(int line, std::string_view what) {
  throw std::runtime_error(fmt::format("line {}: {}", line, what));
}

Layer read_layer(std::string_view row, int line) {
  Layer layer;
  layer.name = std::string(take(row, ','));
  std::array<std::int64_t, kNumbers> numbers{};
  for (std::int64_t& number : numbers) {
    const std::string_view cell = take(row, ',');
    const char* end = cell.data() + cell.size();
    const auto [stop, error] = std::from_chars(cell.data(), end, number);
    if (cell.empty() || error != std::errc() || stop != end || number < 0) {
      fail(line, fmt::format("`{}` is not a number", cell));
    }
  }
  if (!row.empty()) fail(line, "too many columns");
  const auto& [n, m, c, p, q, r, s, stride, dilation, transposed, count] = numbers;
  layer = {layer.name, n, m, c, p, q, r, s, stride, dilation, transposed != 0, count};
  for (const std::int64_t size : {n, m, c, p, q, r, s, stride, dilation, count}) {
    if (size < 1) fail(line, "a size below 1");
  }
  return layer;
}

}  // namespace

std::vector<Layer> read_layers(std::string_view csv) {
  std::vector<Layer> layers;
  bool has_columns = false;
  for (int line = 1; !csv.empty(); ++line) {
    const std::string_view row = take(csv, '\n');
    if (row.empty() || row.front() == '#') continue;
    if (has_columns) {
      layers.push_back(read_layer(row, line));
    } else if (row != kColumns) {
      fail(line, fmt::format("the columns are {}", kColumns));
    }
    has_columns = true;
  }
  return layers;
}

Workload layer_workload(const Layer& layer) {
  enum { kN, kM, kC, kP, kQ, kR, kS };
  const auto plain = [](int dim) { return Rank{{{DimId(dim), 1}}}; };
  const auto window = [&](int at, int tap) {
    return Rank{{{DimId(at), layer.stride}, {DimId(tap), layer.dilation}}};
  };
  Tensor input{"I", "input", 16, {plain(kN), plain(kC), plain(kP), plain(kQ)}};
  Tensor weight{"W", "weight", 16, {plain(kM), plain(kC), plain(kR), plain(kS)}};
  Tensor output{"O", "output", 16, {plain(kN), plain(kM), plain(kP), plain(kQ)}};
  Tensor& sliding = layer.transposed ? output : input;
  sliding.ranks[2] = window(kP, kR);
  sliding.ranks[3] = window(kQ, kS);
  return Workload(layer.name,
                  {{"n", layer.n},
                   {"m", layer.m},
                   {"c", layer.c},
                   {"p", layer.p},
                   {"q", layer.q},
                   {"r", layer.r},
                   {"s", layer.s}},
                  {std::move(input), std::move(weight), std::move(output)});
}

}  // namespace tilewright
