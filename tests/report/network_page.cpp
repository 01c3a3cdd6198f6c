// SPDX-License-Identifier: Apache-2.0
// Writes the page of a network of 60 layers, all different, one of which does not fit: the largest
// page that the show measures.
//   report.network PAGE.html
#include <fmt/format.h>

#include <fstream>
#include <iostream>

#include "tilewright/files/files.h"
#include "tilewright/html/page.h"
#include "tilewright/io/read.h"
#include "tilewright/mapper/plan.h"

namespace tilewright {
namespace {

constexpr int kLayers = 60;
constexpr int kTooLarge = 41;

std::shared_ptr<const SourceFile> file(std::string text) {
  return std::make_shared<const SourceFile>(SourceFile{"case.yaml", std::move(text)});
}

// Eyeriss whose DRAM has an end and a bandwidth, so that bottlenecks differ.
Arch make_arch() {
  const Arch eyeriss = library_arch("eyeriss");
  std::vector<ArchNode> nodes(eyeriss.nodes().begin(), eyeriss.nodes().end());
  auto& dram = std::get<Memory>(nodes[0]);
  dram.capacity_bits = std::int64_t{8} * 16'000'000;
  dram.shared_bandwidth = make_rational(96, 1);
  return Arch("eyeriss-small-dram", eyeriss.note(), make_rational(200'000'000, 1), nodes,
              eyeriss.compute());
}

// Shapes of residual networks, no two alike.
Layer make_layer(int index) {
  const int stage = index / 15;
  const int step = index % 15;
  const bool too_large = index == kTooLarge;
  const int channels = too_large ? 4096 : (64 << stage) / (step % 3 == 2 ? 1 : 2);
  const int kernel = step % 3 == 1 ? 3 : 1;
  const std::string text = fmt::format(
      "workload: {{name: conv{0}_{1}, conv: {{m: {2}, c: {3}, p: {4}, q: {5}, r: {6}, s: {6}}}}}\n",
      stage + 2, step + 1, channels + step, channels, 56 >> stage, (56 >> stage) + step % 2,
      kernel);
  Diagnostics diagnostics;
  Layer layer;
  layer.workload = read_workload(file(text), diagnostics).value();
  layer.name = layer.workload->name();
  layer.op = "conv";
  layer.count = step == 7 ? 3 : 1;
  return layer;
}

Network make_network() {
  Network network;
  network.name = "sixty <layers> & more";  // must come out as text
  network.summary = "made up for the test of the page";
  network.edges = {{"x", 1'000'000, 16}};
  for (int i = 0; i < kLayers; ++i) network.layers.push_back(make_layer(i));
  Layer pool{.name = "pool", .op = "MaxPool", .kind = LayerKind::kTraffic};
  pool.reads = {{0, std::nullopt}};
  network.layers.push_back(pool);
  return network;
}

int write(const char* path) {
  PlanRequest request;
  request.mapper = Mapper::kLocal;
  const PlanResult result = plan(make_network(), make_arch(), request);
  std::ofstream stream(path, std::ios::binary);
  stream << plan_page({.result = result}, "0.0");
  std::cout << result.plan.layers.size() << " layers, " << result.plan.solved.size()
            << " different, " << result.plan.totals.unmapped << " not mapped\n";
  return stream.flush() && result.plan.totals.unmapped == 1 ? 0 : 1;
}

}  // namespace
}  // namespace tilewright

int main(int argc, char** argv) { return argc == 2 ? tilewright::write(argv[1]) : 2; }
