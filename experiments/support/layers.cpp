// SPDX-License-Identifier: Apache-2.0
#include "experiments/support/layers.h"

#include <utility>

#include "experiments/support/csv.h"

namespace tilewright {
namespace {

constexpr std::string_view kColumns = "layer,n,m,c,p,q,r,s,stride,dilation,transposed,count";

}  // namespace

std::vector<ConvLayer> read_layers(std::string_view csv) {
  std::vector<ConvLayer> layers;
  for (const CsvRow& row : read_csv(csv, kColumns)) {
    layers.push_back({row.text(0), row.whole(1), row.whole(2), row.whole(3), row.whole(4),
                      row.whole(5), row.whole(6), row.whole(7), row.whole(8), row.whole(9),
                      row.whole(10) != 0, row.whole(11)});
    for (const std::size_t column : {1, 2, 3, 4, 5, 6, 7, 8, 9, 11}) {
      if (row.whole(column) < 1) row.fail("a size below 1");
    }
  }
  return layers;
}

Workload layer_workload(const ConvLayer& layer) {
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
