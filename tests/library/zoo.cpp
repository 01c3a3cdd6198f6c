// SPDX-License-Identifier: Apache-2.0
// The networks of the library: each reads without a finding and comes back after writing; totals
// are the published ones; layers are those of the table that they were taken from, where it is.
//   library.zoo [--data workloads.json]
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tilewright/format/number_text.h"
#include "tilewright/io/read.h"
#include "tilewright/io/render.h"
#include "tilewright/io/write.h"
#include "tilewright/library/library.h"

namespace {

using namespace tilewright;
using Json = nlohmann::json;

std::shared_ptr<const SourceFile> file(std::string name, std::string text) {
  return std::make_shared<const SourceFile>(SourceFile{std::move(name), std::move(text)});
}

/// A total as it is published: `digits` in units of `unit`.
struct Published {
  const char* network;
  std::int64_t NetworkTotals::*total;
  const char* what;
  std::int64_t digits;
  std::int64_t unit;
};

constexpr auto kMacs = &NetworkTotals::computes;
constexpr auto kParameters = &NetworkTotals::parameters;
constexpr auto kRuns = &NetworkTotals::runs;
constexpr std::int64_t kTenthOfMillion = 100'000;

// Papers and model cards; language models and BERT to the element, as their checkpoints have it.
const Published kPublished[] = {
    {"resnet50", kMacs, "MACs", 40'892, kTenthOfMillion},
    {"resnet50", kParameters, "weights", 255, kTenthOfMillion},
    {"resnet50-v1", kMacs, "MACs", 38'580, kTenthOfMillion},
    {"resnet18", kMacs, "MACs", 18'141, kTenthOfMillion},
    {"alexnet", kMacs, "MACs", 7'244, kTenthOfMillion},
    {"alexnet-torchvision", kMacs, "MACs", 7'142, kTenthOfMillion},
    {"vgg16", kMacs, "MACs", 154'703, kTenthOfMillion},
    {"vgg16", kParameters, "weights", 1'383, kTenthOfMillion},
    {"mobilenetv2", kMacs, "MACs", 3'008, kTenthOfMillion},
    {"mnasnet-a1", kMacs, "MACs", 3'116, kTenthOfMillion},
    {"mnasnet-b1", kMacs, "MACs", 3'144, kTenthOfMillion},
    {"bert-base-128", kParameters, "parameters", 109'482'240, 1},
    {"bert-large-512", kParameters, "parameters", 335'141'888, 1},
    {"qwen3-0.6b-prefill-1k", kParameters, "parameters", 596'049'920, 1},
    {"qwen3-0.6b-decode-8k", kParameters, "parameters", 596'049'920, 1},
    {"llama-3.2-1b-prefill-1k", kParameters, "parameters", 1'235'814'400, 1},
    {"llama-3.2-1b-decode-8k", kParameters, "parameters", 1'235'814'400, 1},
    {"qwen3-32b-prefill-2k", kParameters, "parameters", 32'762'123'264, 1},
    {"qwen3-32b-decode-32k", kParameters, "parameters", 32'762'123'264, 1},
    {"llama-3.3-70b-prefill-2k", kParameters, "parameters", 70'553'706'496, 1},
    {"llama-3.3-70b-decode-32k", kParameters, "parameters", 70'553'706'496, 1},
    {"deepbench-conv", kRuns, "entries", 218, 1},
    {"deepbench-gemm", kRuns, "entries", 248, 1},
    {"quickflow", kRuns, "entries", 20, 1},
};

/// Models of the table and the networks that have their layers. The other models of the table
/// (FactorFlow's and MAESTRO's products) are not in the library.
const std::pair<const char*, std::vector<const char*>> kModels[] = {
    {"ResNet-50 (v1.5)", {"resnet50"}},
    {"ResNet-50 (v1)", {"resnet50-v1"}},
    {"ResNet-18", {"resnet18"}},
    {"AlexNet (2012, grouped)", {"alexnet"}},
    {"AlexNet (torchvision, one tower)", {"alexnet-torchvision"}},
    {"VGG-16", {"vgg16"}},
    {"MobileNetV2", {"mobilenetv2"}},
    {"MnasNet-A1", {"mnasnet-a1"}},
    {"MnasNet-B1", {"mnasnet-b1"}},
    {"BERT-base (seq 128)", {"bert-base-128"}},
    {"BERT-base (seq 384)", {"bert-base-384"}},
    {"BERT-base (seq 512)", {"bert-base-512"}},
    {"BERT-large (seq 512)", {"bert-large-512"}},
    {"DLRM (MLPerf, Criteo-TB; batch 1)", {"dlrm-1"}},
    {"DLRM (MLPerf, Criteo-TB; batch 256)", {"dlrm-256"}},
    {"DLRM (MLPerf, Criteo-TB; batch 2048)", {"dlrm-2048"}},
    {"DLRM (CoSA/DOSA table; batch 1)", {"dlrm-cosa"}},
    {"DLRM-RMC1 (GAMMA table; batch 1)", {"dlrm-rmc1"}},
    {"NCF (NeuMF, MLPerf ML-20M; batch 1)", {"ncf-1"}},
    {"NCF (NeuMF, MLPerf ML-20M; batch 2048)", {"ncf-2048"}},
    {"NCF (MAESTRO 12-GEMM training list, batch 2048)", {"ncf-training-2048"}},
    {"Qwen3-0.6B prefill (seq 1k)", {"qwen3-0.6b-prefill-1k"}},
    {"Qwen3-0.6B prefill (seq 8k)", {"qwen3-0.6b-prefill-8k"}},
    {"Qwen3-0.6B prefill (seq 32k)", {"qwen3-0.6b-prefill-32k"}},
    {"LLaMA-3.2-1B prefill (seq 1k)", {"llama-3.2-1b-prefill-1k"}},
    {"LLaMA-3.2-1B prefill (seq 8k)", {"llama-3.2-1b-prefill-8k"}},
    {"LLaMA-3.2-1B prefill (seq 32k)", {"llama-3.2-1b-prefill-32k"}},
    {"Qwen3-32B prefill (seq 2k)", {"qwen3-32b-prefill-2k"}},
    {"Qwen3-32B prefill (seq 32k)", {"qwen3-32b-prefill-32k"}},
    {"Qwen3-32B prefill (seq 128k)", {"qwen3-32b-prefill-128k"}},
    {"LLaMA-3.3-70B prefill (seq 2k)", {"llama-3.3-70b-prefill-2k"}},
    {"LLaMA-3.3-70B prefill (seq 32k)", {"llama-3.3-70b-prefill-32k"}},
    {"LLaMA-3.3-70B prefill (seq 128k)", {"llama-3.3-70b-prefill-128k"}},
    {"QuickFlow kernels", {"quickflow"}},
    {"DeepBench", {"deepbench-conv", "deepbench-gemm"}},
};

using Shapes = std::map<std::string, std::int64_t>;  // shape to runs

std::int64_t size_of(const Workload& workload, const char* dim) {
  const auto id = workload.find_dim(dim);
  return id ? workload.dim(*id).size : 1;
}

// The coefficient of a dim in a tensor, 0 if it is not there.
std::int64_t coefficient(const Workload& workload, TensorId tensor, const char* dim) {
  for (const Rank& rank : workload.tensor(tensor).ranks) {
    for (const Term& term : rank.terms) {
      if (workload.dim(term.dim).name == dim) return term.coefficient;
    }
  }
  return 0;
}

std::string numbers(std::initializer_list<std::int64_t> values) {
  std::string text;
  for (const std::int64_t value : values) text += " " + std::to_string(value);
  return text;
}

// What the table says about a layer, in one line; from our layer and from the table's.
std::string shape_of(const Layer& layer) {
  const Workload& w = *layer.workload;
  const auto size = [&](const char* dim) { return size_of(w, dim); };
  if (!w.find_dim("p")) {
    const std::string weight = layer.parameters == 0                    ? "none"
                               : w.tensor(TensorId(0)).role == "weight" ? "A"
                                                                        : "B";
    return "gemm" + numbers({size("b"), size("m"), size("n"), size("k")}) + " " + weight +
           layer.domain;
  }
  const bool transposed = coefficient(w, w.output(), "r") != 0;
  const TensorId large = transposed ? w.output() : TensorId(0);
  const bool depthwise = !w.find_dim("m");
  const std::int64_t groups = depthwise ? size("c") : size("g");
  const std::int64_t m = depthwise ? size("c") : size("m") * size("g");
  return "conv" +
         numbers({size("n"), m, depthwise ? 1 : size("c"), size("p"), size("q"), size("r"),
                  size("s"), groups, coefficient(w, large, "p"), coefficient(w, large, "q"),
                  coefficient(w, large, "r"), coefficient(w, large, "s"), transposed ? 1 : 0}) +
         layer.domain;
}

std::string shape_of(const Json& entry) {
  const Json& dims = entry.at("dims");
  const auto size = [&](const char* dim) { return dims.at(dim).get<std::int64_t>(); };
  const std::string domain = entry.value("domain", "");
  if (entry.at("op") == "gemm") {
    const Json& weight = entry.at("weight_operand");
    return "gemm" + numbers({size("batch"), size("M"), size("N"), size("K")}) + " " +
           (weight.is_null() ? "none" : weight.get<std::string>()) + domain;
  }
  const auto pair = [&](const char* key, std::size_t at) {
    const Json& value = entry.at(key);
    return value.is_array() ? value.at(at).get<std::int64_t>() : value.get<std::int64_t>();
  };
  return "conv" +
         numbers({size("N"), size("M"), size("C"), size("P"), size("Q"), size("R"), size("S"),
                  entry.at("groups").get<std::int64_t>(), pair("stride", 0), pair("stride", 1),
                  pair("dilation", 0), pair("dilation", 1),
                  entry.value("transposed", false) ? 1 : 0}) +
         domain;
}

class Zoo {
 public:
  void read_all() {
    std::printf("%-27s %6s %7s %22s %15s\n", "network", "layers", "runs", "MACs", "parameters");
    for (const LibraryEntry& entry : library_networks()) read(entry);
  }

  void compare_published() {
    for (const Published& published : kPublished) {
      const auto network = networks_.find(published.network);
      if (network == networks_.end()) {
        complain(published.network, "is not in the library");
        continue;
      }
      const std::int64_t total = network_totals(network->second).*published.total;
      const std::int64_t digits = (total + published.unit / 2) / published.unit;
      if (digits == published.digits) {
        ++equal_;
      } else {
        complain(published.network, std::string(published.what) + ": " + std::to_string(total) +
                                        ", published " + std::to_string(published.digits) + " x " +
                                        std::to_string(published.unit));
      }
    }
  }

  void compare_table(const std::filesystem::path& path) {
    std::ifstream stream(path);
    if (!stream) return;
    std::map<std::string, Shapes> expected;
    for (const Json& entry : Json::parse(stream)) {
      expected[entry.at("model")][shape_of(entry)] += entry.at("count").get<std::int64_t>();
    }
    for (const auto& [model, names] : kModels) {
      Shapes shapes;
      for (const char* name : names) {
        for (const Layer& layer : networks_[name].layers) {
          if (layer.workload) shapes[shape_of(layer)] += layer.count;
        }
      }
      for (const auto& [shape, count] : expected[model]) {
        if (shapes[shape] != count) {
          complain(model, shape + " runs " + std::to_string(shapes[shape]) + " times, not " +
                              std::to_string(count));
        }
        shapes.erase(shape);
        compared_ += static_cast<int>(count);
      }
      for (const auto& [shape, count] : shapes) complain(model, shape + " is not in the table");
    }
  }

  int report() const {
    std::printf("%s\n",
                compared_ > 0
                    ? ("runs compared with ../shared/data: " + std::to_string(compared_)).c_str()
                    : "SKIPPED: the table of layers is not beside this checkout");
    std::printf("zoo: %zu networks, %s layers, %d of %zu published totals equal, %d bad\n",
                networks_.size(), count_text(layers_).c_str(), equal_, std::size(kPublished), bad_);
    return bad_ == 0 ? 0 : 1;
  }

 private:
  void read(const LibraryEntry& entry) {
    const std::string name(entry.name);
    Diagnostics found;
    const auto network = read_network(file(name, std::string(entry.text)), found);
    for (const Diagnostic& finding : found.all()) complain(name, render_text(finding, false));
    if (!network) return;
    if (network->name != name) complain(name, "has another name inside");
    const std::string text = write_network(*network);
    const auto back = read_network(file("written", text), found);
    if (!back || !(*back == *network)) complain(name, "does not come back:\n" + text);
    const NetworkTotals totals = network_totals(*network);
    const auto layers = static_cast<std::int64_t>(network->layers.size());
    std::printf("%-27s %6s %7s %22s %15s\n", name.c_str(), count_text(layers).c_str(),
                count_text(totals.runs).c_str(), count_text(totals.computes).c_str(),
                count_text(totals.parameters).c_str());
    layers_ += layers;
    networks_[name] = *network;
  }

  void complain(const std::string& network, const std::string& what) {
    std::printf("%s: %s\n", network.c_str(), what.c_str());
    ++bad_;
  }

  std::map<std::string, Network> networks_;
  std::int64_t layers_ = 0;
  int equal_ = 0;
  int compared_ = 0;
  int bad_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  std::filesystem::path data =
      std::filesystem::path(TILEWRIGHT_SOURCE_DIR) / "../shared/data/workloads.json";
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::strcmp(argv[i], "--data") == 0) data = argv[i + 1];
  }
  Zoo zoo;
  zoo.read_all();
  zoo.compare_published();
  zoo.compare_table(data);
  return zoo.report();
}
