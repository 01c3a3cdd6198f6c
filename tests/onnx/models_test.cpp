// SPDX-License-Identifier: Apache-2.0
// Whole ONNX models: real ones have the layers that they should have, broken ones are refused.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "tests/support/onnx_models.h"
#include "tilewright/io/read.h"
#include "tilewright/io/render.h"
#include "tilewright/io/write.h"
#include "tilewright/onnx/onnx.h"

namespace tilewright::testing {
namespace {

std::string findings(const Diagnostics& diagnostics) { return render_text(diagnostics, false); }

std::optional<Network> parse_network(const std::string& text) {
  Diagnostics diagnostics;
  auto network = read_network(std::make_shared<const SourceFile>(SourceFile{"expected.yaml", text}),
                              diagnostics);
  EXPECT_TRUE(network) << findings(diagnostics);
  return network;
}

std::string library_text(const std::string& name) {
  const std::filesystem::path folder =
      std::filesystem::path(TILEWRIGHT_SOURCE_DIR) / "tilewright/library/networks";
  std::filesystem::path path = folder / (name + ".yaml");
  if (!std::filesystem::exists(path)) path = folder / "language" / (name + ".yaml");
  std::ifstream stream(path, std::ios::binary);
  EXPECT_TRUE(stream) << path;
  return {std::istreambuf_iterator<char>(stream), {}};
}

// A workload by all that it is but names.
std::string nameless(const Workload& workload) {
  std::string text;
  for (const Dim& dim : workload.dims()) text += std::to_string(dim.size) + " ";
  for (const Tensor& tensor : workload.tensors()) {
    text += "| " + tensor.role + " " + std::to_string(tensor.bits);
    if (tensor.partial_bits) text += " sums " + std::to_string(*tensor.partial_bits);
    for (const Rank& rank : tensor.ranks) {
      text += " [";
      for (const Term& term : rank.terms) {
        text += " " + std::to_string(term.coefficient) + "*" + std::to_string(term.dim.value);
      }
      text += "]";
    }
  }
  return text;
}

// One product of a batch of them.
Workload one_of(const Workload& batch) {
  std::vector<Dim> dims(batch.dims().begin() + 1, batch.dims().end());
  std::vector<Tensor> tensors(batch.tensors().begin(), batch.tensors().end());
  for (Tensor& tensor : tensors) {
    tensor.ranks.erase(tensor.ranks.begin());
    for (Rank& rank : tensor.ranks) {
      for (Term& term : rank.terms) term.dim = DimId(term.dim.value - 1);
    }
  }
  return Workload(batch.name(), std::move(dims), std::move(tensors));
}

// How often each workload runs. A batch of products is as many runs of one: the library writes
// attention either way.
std::map<std::string, std::int64_t> runs_of(const Network& network) {
  std::map<std::string, std::int64_t> runs;
  for (const Layer& layer : network.layers) {
    if (!layer.workload) continue;
    if (to_einsum(*layer.workload) == "Z[b,m,n] += A[b,m,k] * B[b,k,n]") {
      runs[nameless(one_of(*layer.workload))] += layer.count * layer.workload->dims()[0].size;
    } else {
      runs[nameless(*layer.workload)] += layer.count;
    }
  }
  return runs;
}

class RealModel : public ::testing::TestWithParam<OnnxModel> {};

TEST_P(RealModel, HasTheLayersOfTheLibrary) {
  const OnnxModel& model = GetParam();
  Diagnostics diagnostics;
  OnnxOptions options = model.options;
  options.strict = true;
  const auto read = read_onnx(model.bytes, model.name + ".onnx", options, diagnostics);
  ASSERT_TRUE(read) << findings(diagnostics);
  EXPECT_TRUE(diagnostics.all().empty()) << findings(diagnostics);
  const auto expected = parse_network(model.zoo.empty() ? "network:\n  layers:" + model.layers
                                                        : library_text(model.zoo));
  ASSERT_TRUE(expected);
  EXPECT_EQ(runs_of(read->network), runs_of(*expected));
  EXPECT_EQ(network_totals(read->network).computes, network_totals(*expected).computes);
  EXPECT_EQ(read->coverage.total(Treatment::kMapped).operations,
            network_totals(*expected).computes);
  EXPECT_EQ(read->coverage.total(Treatment::kIgnored).nodes, 0);
}

TEST_P(RealModel, IsANetworkThatReadsBack) {
  const OnnxModel& model = GetParam();
  Diagnostics diagnostics;
  const auto read = read_onnx(model.bytes, model.name + ".onnx", model.options, diagnostics);
  ASSERT_TRUE(read) << findings(diagnostics);
  EXPECT_EQ(find_network_faults(read->network), std::vector<std::string>{});
  const auto back = parse_network(write_network(read->network));
  ASSERT_TRUE(back);
  EXPECT_EQ(*back, read->network);
}

INSTANTIATE_TEST_SUITE_P(Onnx, RealModel, ::testing::ValuesIn(real_models()), [](const auto& each) {
  std::string name = each.param.name;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
});

class WrongModel : public ::testing::TestWithParam<BrokenModel> {};

TEST_P(WrongModel, IsRefusedWithItsReason) {
  const BrokenModel& model = GetParam();
  Diagnostics diagnostics;
  EXPECT_FALSE(read_onnx(model.bytes, "broken.onnx", model.options, diagnostics));
  bool found = false;
  for (const Diagnostic& each : diagnostics.all()) {
    found = found || (each.code == model.code && each.severity == Severity::kError &&
                      each.message.find(model.part) != std::string::npos);
  }
  EXPECT_TRUE(found) << model.code << " " << model.part << "\n" << findings(diagnostics);
}

INSTANTIATE_TEST_SUITE_P(Onnx, WrongModel, ::testing::ValuesIn(broken_models()),
                         [](const auto& each) {
                           std::string name = each.param.name;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

}  // namespace
}  // namespace tilewright::testing
