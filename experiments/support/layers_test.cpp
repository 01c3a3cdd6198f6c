// SPDX-License-Identifier: Apache-2.0
#include "experiments/support/layers.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "experiments/support/program.h"

namespace tilewright {
namespace {

const std::string kHead = "# note\nlayer,n,m,c,p,q,r,s,stride,dilation,transposed,count\n";

TEST(Layers, ReadsWhatIsThere) {
  const std::vector<ConvLayer> layers = read_layers(kHead + "a,1,2,3,4,5,6,7,8,9,1,10\n");
  ASSERT_EQ(layers.size(), 1U);
  EXPECT_EQ(layers[0], (ConvLayer{"a", 1, 2, 3, 4, 5, 6, 7, 8, 9, true, 10}));
}

TEST(Layers, SaysWhichLineIsWrong) {
  for (const char* row : {"a,1,2,3,4,5,6,7,8,9,0", "a,1,x,3,4,5,6,7,8,9,0,1",
                          "a,1,2,3,4,5,6,7,8,9,0,1,1", "a,0,2,3,4,5,6,7,8,9,0,1"}) {
    try {
      read_layers(kHead + row + "\n");
      ADD_FAILURE() << row;
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(std::string(error.what()).find("line 3: "), 0U) << error.what();
    }
  }
  EXPECT_THROW(read_layers("layer,n\n"), std::runtime_error);
}

TEST(Layers, ResNet50HasItsKnownSize) {
  const auto layers = read_layers(read_repository_file("experiments/data/resnet50.csv"));
  std::int64_t macs = 0;
  std::int64_t weights = 0;
  std::int64_t count = 0;
  for (const ConvLayer& layer : layers) {
    const Workload workload = layer_workload(layer);
    macs += layer.count * workload.computes();
    weights += layer.count * layer.m * layer.c * layer.r * layer.s;
    count += layer.count;
  }
  EXPECT_EQ(layers.size(), 24U);
  EXPECT_EQ(count, 54);
  EXPECT_EQ(macs, 4'089'184'256);
  EXPECT_EQ(weights, 25'502'912);
}

TEST(Layers, WindowsMoveByStrideAndDilation) {
  const auto layers = read_layers(read_repository_file("experiments/data/quickflow.csv"));
  ASSERT_EQ(layers.size(), 20U);
  EXPECT_EQ(to_einsum(layer_workload(layers[14])),  // XV
            "O[n,m,p,q] += I[n,c,2*p+3*r,2*q+3*s] * W[m,c,r,s]");
  EXPECT_EQ(to_einsum(layer_workload(layers[15])),  // XVI, transposed
            "O[n,m,p+r,q+s] += I[n,c,p,q] * W[m,c,r,s]");
}

}  // namespace
}  // namespace tilewright
