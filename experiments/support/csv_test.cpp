// SPDX-License-Identifier: Apache-2.0
#include "experiments/support/csv.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <stdexcept>
#include <string>

#include "experiments/support/program.h"

namespace tilewright {
namespace {

TEST(Csv, ReadsCells) {
  const auto rows = read_csv("# note\na,b\nx,7\n\ny,2.5\n", "a,b");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].text(0), "x");
  EXPECT_EQ(rows[0].whole(1), 7);
  EXPECT_EQ(rows[1].real(1), 2.5);
}

TEST(Csv, SaysWhichLineIsWrong) {
  const auto message = [](const std::string& text) -> std::string {
    try {
      read_csv(text, "a,b").at(0).whole(1);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message("a,c\nx,1\n"), "line 1: the columns are a,b");
  EXPECT_EQ(message("a,b\nx\n"), "line 2: not 2 columns");
  EXPECT_EQ(message("# c\na,b\nx,1.5\n"), "line 3: `1.5` is not a number");
  EXPECT_EQ(message("a,b\nx,-1\n"), "line 2: `-1` is not a number");
  EXPECT_EQ(message("a,b\nx,1\n"), "");
}

TEST(Csv, SplitsAtEverySeparator) {
  EXPECT_EQ(split_text("a||b", '|'), (std::vector<std::string>{"a", "", "b"}));
  EXPECT_EQ(split_text("", '|'), (std::vector<std::string>{""}));
}

// Twelve workloads of eight kinds of product; the weights of all layers are the models' known
// sizes, without the input embedding.
TEST(Csv, GomaHasTheModelsWeights) {
  std::map<std::string, std::int64_t> weights;
  std::set<std::string> workloads;
  for (const CsvRow& row : read_csv(read_repository_file("experiments/data/goma.csv"),
                                    "class,model,tokens,gemm,m,n,k,count")) {
    workloads.insert(row.text(1) + " " + row.text(2));
    const bool is_attention = row.text(3) == "attn_score" || row.text(3) == "attn_context";
    if (!is_attention) weights[row.text(1)] += row.whole(5) * row.whole(6) * row.whole(7) / 3;
    EXPECT_EQ(row.text(0),
              row.text(1).ends_with("0.6B") || row.text(1).ends_with("-1B") ? "edge" : "center");
  }
  EXPECT_EQ(workloads.size(), 12U);
  EXPECT_NEAR(static_cast<double>(weights["Qwen3-0.6B"]), 0.596e9, 0.003e9);
  EXPECT_NEAR(static_cast<double>(weights["LLaMA-3.2-1B"]), 1.236e9, 0.003e9);
  EXPECT_NEAR(static_cast<double>(weights["Qwen3-32B"]), 32.76e9 - 151936.0 * 5120, 0.03e9);
  EXPECT_NEAR(static_cast<double>(weights["LLaMA-3.3-70B"]), 70.55e9 - 128256.0 * 8192, 0.03e9);
}

}  // namespace
}  // namespace tilewright
