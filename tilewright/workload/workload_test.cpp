// SPDX-License-Identifier: Apache-2.0
#include "tilewright/workload/workload.h"

#include <gtest/gtest.h>

#include "tilewright/base/error.h"

namespace tilewright {
namespace {

Rank rank(std::vector<Term> terms) { return {std::move(terms)}; }

std::vector<Tensor> conv_tensors() {
  const DimId p(0), r(1), m(2);
  return {{"I", "input", 8, {rank({{p, 2}, {r, 1}})}},
          {"W", "weight", 8, {rank({{m}}), rank({{r}})}},
          {"O", "output", 24, {rank({{m}}), rank({{p}})}}};
}

TEST(Workload, KnowsWhatIsRelevantAndHowMuchThereIsToDo) {
  const Workload workload("c", {{"p", 5}, {"r", 3}, {"m", 4}}, conv_tensors());
  EXPECT_EQ(workload.computes(), 60);
  EXPECT_EQ(workload.output(), TensorId(2));
  EXPECT_TRUE(workload.relevant(TensorId(0), DimId(1)));
  EXPECT_FALSE(workload.relevant(TensorId(0), DimId(2)));
  EXPECT_EQ(workload.find_dim("r"), DimId(1));
  EXPECT_EQ(workload.find_tensor("weight"), std::nullopt);
  EXPECT_EQ(to_einsum(workload), "O[m,p] += I[2*p+r] * W[m,r]");
}

TEST(Workload, RefusesWhatItCannotCount) {
  const auto faults = [](std::vector<Dim> dims, std::vector<Tensor> tensors) {
    const auto list = find_workload_faults(dims, tensors);
    return list.empty() ? std::string() : list.front();
  };
  EXPECT_EQ(faults({{"p", 5}, {"r", 3}, {"m", 4}}, conv_tensors()), "");
  EXPECT_EQ(faults({{"p", 0}, {"r", 3}, {"m", 4}}, conv_tensors()),
            "dim `p` has size 0; sizes start at 1");
  EXPECT_EQ(faults({{"p", INT64_MAX / 2}, {"r", 3}, {"m", 4}}, conv_tensors()),
            "the product of the dims exceeds 2^62");
  EXPECT_EQ(faults({{"p", 5}, {"r", 3}, {"m", 4}, {"z", 2}}, conv_tensors()),
            "dim `z` occurs in no tensor");
  std::vector<Tensor> diagonal = conv_tensors();
  diagonal[1].ranks.push_back(rank({{DimId(2)}}));
  EXPECT_EQ(faults({{"p", 5}, {"r", 3}, {"m", 4}}, diagonal),
            "tensor `W` uses dim `m` in two subscripts, which is not supported");
  EXPECT_THROW(Workload("c", {{"p", 5}, {"r", 3}, {"m", 4}}, diagonal), InternalError);
}

}  // namespace
}  // namespace tilewright
