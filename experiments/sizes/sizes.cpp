// SPDX-License-Identifier: Apache-2.0
// How large mapspaces are: the layers of ResNet-50 on Eyeriss in the Ruby paper's four spaces,
// counted exactly, and QuickFlow's formula for its twenty kernels on its three accelerators,
// checked against our own count.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <string>
#include <vector>

#include "bench/support/arguments.h"
#include "experiments/support/layers.h"
#include "experiments/support/program.h"
#include "tilewright/base/natural.h"
#include "tilewright/files/files.h"
#include "tilewright/format/layout.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/mapspace/counting/tilings.h"
#include "tilewright/mapspace/mapspace.h"
#include "tilewright/mapspace/rules.h"

namespace tilewright {
namespace {

constexpr double kSecondsAllowed = 1;
constexpr std::array<SpaceKind, 4> kKinds = {SpaceKind::kPfm, SpaceKind::kRubyS, SpaceKind::kRubyT,
                                             SpaceKind::kRuby};

std::string power_text(const Natural& value) {
  return value.is_zero() ? "0" : fmt::format("10^{:.1f}", std::log10(value.to_double()));
}

// ---- ResNet-50 on Eyeriss ----

struct Counted {
  std::string text;
  std::string csv;
  double seconds = 0;  // of the processor, for counting alone
  std::size_t layers = 0;
};

Counted count_resnet50() {
  Counted counted;
  counted.csv = "layer,space,size\n";
  const Arch arch = library_arch("eyeriss");
  const auto layers = read_layers(read_repository_file("experiments/data/resnet50.csv"));
  counted.layers = layers.size();
  Table table({{"layer", Table::Align::kLeft, 0}, {"PFM"}, {"Ruby-S"}, {"Ruby-T"}, {"Ruby"}});
  for (const ConvLayer& layer : layers) {
    const Problem problem(layer_workload(layer), arch);
    std::vector<std::string> cells = {layer.name};
    for (const SpaceKind kind : kKinds) {
      const std::clock_t start = std::clock();
      const Natural size = Mapspace(problem, make_rules(problem, kind, {})).size();
      counted.seconds += static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
      cells.push_back(power_text(size));
      counted.csv += fmt::format("{},{},{}\n", layer.name, space_name(kind), size.to_string());
    }
    table.add_row(std::move(cells));
  }
  counted.text = table.text({});
  return counted;
}

// ---- QuickFlow's formula ----

// Its levels: memories, and one per axis of a fan-out.
struct Levels {
  int all = 0;
  int memories = 0;
};

Levels levels_of(const Arch& arch) {
  Levels levels{static_cast<int>(arch.memories().size()), static_cast<int>(arch.memories().size())};
  for (const NodeId id : arch.fanouts())
    levels.all += static_cast<int>(arch.fanout(id).axes.size());
  return levels;
}

// Ways to hand out the prime factors of all sizes over `levels` levels.
Natural count_allocations(const std::vector<std::int64_t>& sizes, int levels) {
  Natural result(1);
  for (std::int64_t size : sizes) {
    for (std::int64_t prime = 2; size > 1; ++prime) {
      int power = 0;
      for (; size % prime == 0; size /= prime) ++power;
      if (power > 0) result *= binomial(power + levels - 1, levels - 1);
    }
  }
  return result;
}

Natural count_formula(const std::vector<std::int64_t>& sizes, Levels levels) {
  Natural result = count_allocations(sizes, levels.all);
  for (int i = 0; i < levels.memories; ++i) {
    result *= factorial(static_cast<int>(sizes.size()));
  }
  return result;
}

// The same allocations by our own counting: PFM on as many memories as there are levels. An array
// would not do: its size limits what may be spread.
Natural count_tilings(const std::vector<std::int64_t>& sizes, int levels) {
  std::vector<Dim> dims;
  Rank all;
  Tensor input{"A", "input", 16, {}};
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    dims.push_back({fmt::format("d{}", d), sizes[d]});
    input.ranks.push_back(Rank{{{DimId(d), 1}}});
  }
  Tensor output = input;
  output.name = "Z";
  output.role = "output";
  std::vector<ArchNode> nodes;
  for (int i = 0; i < levels; ++i) nodes.emplace_back(Memory{.name = fmt::format("L{}", i)});
  const Problem problem(Workload("sizes", std::move(dims), {input, output}),
                        Arch("levels", "", std::nullopt, std::move(nodes), Compute{}));
  return Tilings(problem.workload(), make_rules(problem, SpaceKind::kPfm, {})).size();
}

// QuickFlow's dims: the batch counts only if there is one.
std::vector<std::int64_t> sizes_of(const ConvLayer& layer) {
  std::vector<std::int64_t> sizes = {layer.m, layer.c, layer.p, layer.q, layer.r, layer.s};
  if (layer.n > 1) sizes.push_back(layer.n);
  return sizes;
}

struct Compared {
  std::string text;
  std::string csv;
  int cross_checks = 0;
};

Compared compare_quickflow(Checks& checks) {
  Compared compared;
  compared.csv = "kernel,arch,formula,tilings,tilings_within_array\n";
  const std::array<std::string, 3> names = {"quickflow-eyeriss", "quickflow-simba",
                                            "quickflow-tpu"};
  Table table({{"kernel", Table::Align::kLeft, 0},
               {"Eyeriss", Table::Align::kRight, 4},
               {"tilings"},
               {"fit"},
               {"Simba", Table::Align::kRight, 4},
               {"tilings"},
               {"fit"},
               {"TPU", Table::Align::kRight, 4},
               {"tilings"},
               {"fit"}});
  for (const ConvLayer& layer :
       read_layers(read_repository_file("experiments/data/quickflow.csv"))) {
    std::vector<std::string> cells = {layer.name};
    const std::vector<std::int64_t> sizes = sizes_of(layer);
    for (const std::string& name : names) {
      const Problem problem(layer_workload(layer), library_arch(name));
      const Levels levels = levels_of(problem.arch());
      const Natural allocations = count_allocations(sizes, levels.all);
      const Natural formula = count_formula(sizes, levels);
      const Natural fit =
          Tilings(problem.workload(), make_rules(problem, SpaceKind::kPfm, {})).size();
      compared.cross_checks += checks.expect(
          allocations == count_tilings(sizes, levels.all),
          fmt::format("{} on {}: the tilings are as many as the formula says", layer.name, name));
      checks.expect(fit < allocations,
                    fmt::format("{} on {}: arrays limit what is spread", layer.name, name));
      cells.push_back(power_text(formula));
      cells.push_back(power_text(allocations));
      cells.push_back(power_text(fit));
      compared.csv += fmt::format("{},{},{},{},{}\n", layer.name, name, formula.to_string(),
                                  allocations.to_string(), fit.to_string());
    }
    table.add_row(std::move(cells));
  }
  compared.text = table.text({});
  return compared;
}

int run(const std::string& out, bool timed) {
  Checks checks;
  const Counted counted = count_resnet50();
  fmt::print("ResNet-50 on eyeriss: mappings of each layer, every one once\n\n{}\n", counted.text);
  checks.expect(
      !timed || counted.seconds < kSecondsAllowed,
      fmt::format("counted in {:.2f} s, less than {} s", counted.seconds, kSecondsAllowed));

  const Compared compared = compare_quickflow(checks);
  fmt::print(
      "QuickFlow's kernels: its formula, the tilings in it, and those within the arrays\n\n{}\n",
      compared.text);

  // "six dimensions with five factors each", at least: five times the same prime.
  const std::vector<std::int64_t> six(6, 32);
  const Natural example = count_formula(six, {5, 4});
  Natural bound(1);
  for (int i = 0; i < 21; ++i) bound *= Natural(10);
  checks.expect(example > bound, "six dims with five factors each exceed 10^21");
  checks.expect(count_allocations(six, 5) == count_tilings(six, 5), "... and are counted right");

  const OutputFolder folder(out);
  folder.write("resnet50-eyeriss.csv", counted.csv);
  folder.write("quickflow.csv", compared.csv);
  fmt::print(
      "sizes: {} layers x 4 spaces counted in {:.2f} s; formula and count agree for {} of 60 "
      "kernels on arrays; six dims of five factors, L = 5, Lm = 4: {} ({})\n",
      counted.layers, counted.seconds, compared.cross_checks, power_text(example),
      example.to_string());
  return checks.exit_code();
}

}  // namespace
}  // namespace tilewright

int main(int argc, char** argv) {
  tilewright::Arguments arguments("Sizes of mapspaces");
  std::string out;
  arguments.option("--out", out, "folder for resnet50-eyeriss.csv and quickflow.csv");
  bool quick = false;
  arguments.flag("--quick", quick, "the same, but it may take any time");
  if (const std::optional<int> code = arguments.read(argc, argv)) return *code;
  return tilewright::run(out, !quick);
}
