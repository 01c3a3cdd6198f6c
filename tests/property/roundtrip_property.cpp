// SPDX-License-Identifier: Apache-2.0
// read(write(x)) = x: every shipped file, and random mappings, constraints, workloads,
// architectures and networks, in YAML and in the text form.
//   property.roundtrip [--cases N] [--seed S]
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/options.h"
#include "tests/support/random_case.h"
#include "tilewright/io/read.h"
#include "tilewright/io/render.h"
#include "tilewright/io/write.h"

namespace {

using namespace tilewright;

std::shared_ptr<const SourceFile> file(std::string name, std::string text) {
  return std::make_shared<const SourceFile>(SourceFile{std::move(name), std::move(text)});
}

// Empty if everything that the files hold comes back.
std::string check(const Workload* workload, const Arch* arch, const Problem* problem,
                  const Mapping* mapping, const std::vector<Constraint>& constraints) {
  Diagnostics found;
  const auto complain = [&](const std::string& what, const std::string& text) {
    std::string all = what + " does not come back:\n" + text;
    for (const Diagnostic& diagnostic : found.all()) all += render_text(diagnostic, false);
    return all;
  };
  if (workload != nullptr) {
    const std::string text = write_workload(*workload);
    const auto back = read_workload(file("w.yaml", text), found);
    if (!back || !(*back == *workload)) return complain("workload", text);
  }
  if (arch != nullptr) {
    const std::string text = write_arch(*arch);
    const auto back = read_arch(file("a.yaml", text), found);
    if (!back || !(*back == *arch)) return complain("arch", text);
  }
  if (mapping != nullptr) {
    for (const bool nest : {false, true}) {
      const std::string text =
          nest ? write_nest(*problem, *mapping) : write_mapping(*problem, *mapping);
      const auto back = read_mapping(file(nest ? "m.nest" : "m.yaml", text), *problem, found);
      if (!back || !(*back == *mapping)) return complain("mapping", text);
    }
  }
  if (problem != nullptr) {
    const std::string text = constraints_to_yaml(*problem, constraints);
    const auto back = read_constraints(file("c.yaml", text), *problem, found);
    if (!back || !(*back == constraints)) return complain("constraints", text);
  }
  return "";
}

std::string check_network(const Network& network) {
  const std::string text = write_network(network);
  Diagnostics found;
  const auto back = read_network(file("n.yaml", text), found);
  if (back && *back == network) return "";
  std::string all = "network does not come back:\n" + text;
  for (const Diagnostic& diagnostic : found.all()) all += render_text(diagnostic, false);
  return all;
}

// A few layers that hand edges on, with odd names.
Network make_network(const Workload& workload, std::uint64_t seed) {
  Random random(seed);
  Network network{.name = "n", .summary = random.one_in(2) ? "" : "of: \"this\", # and 'that'"};
  network.other_parameters = random.between(0, 3);
  const auto add_edge = [&] {
    const std::size_t edge = network.edges.size();
    network.edges.push_back(
        {"/e:" + std::to_string(edge), random.between(1, 99), random.between(1, 32)});
    return edge;
  };
  const auto any_tensor = [&](const Layer& layer) -> std::optional<TensorId> {
    if (!layer.workload || random.one_in(3)) return std::nullopt;
    const auto last = static_cast<std::int64_t>(layer.workload->tensors().size()) - 1;
    return TensorId(static_cast<std::size_t>(random.between(0, last)));
  };
  for (std::int64_t left = random.between(1, 6); left > 0; --left) {
    Layer layer{.name = "layer " + std::to_string(left), .op = random.one_in(2) ? "" : "Op[1]"};
    layer.kind = static_cast<LayerKind>(random.between(0, 2));
    if (layer.kind == LayerKind::kMapped) {
      layer.workload.emplace(
          layer.name, std::vector<Dim>(workload.dims().begin(), workload.dims().end()),
          std::vector<Tensor>(workload.tensors().begin(), workload.tensors().end()));
    }
    layer.count = random.between(1, 3);
    layer.parameters = random.between(0, 5);
    layer.parameter_bits = random.between(1, 64);
    if (random.one_in(2)) layer.domain = "a domain";
    for (std::size_t e = 0; e < network.edges.size(); ++e) {
      if (random.one_in(3)) layer.reads.push_back({e, any_tensor(layer)});
    }
    if (random.one_in(2)) layer.reads.push_back({add_edge(), any_tensor(layer)});
    if (random.one_in(2)) layer.writes.push_back({add_edge(), any_tensor(layer)});
    network.layers.push_back(std::move(layer));
  }
  return network;
}

// Any of them, sensible or not: whether they can hold together is not the reader's question.
class ConstraintMaker {
 public:
  ConstraintMaker(const Problem& problem, std::uint64_t seed) : problem_(problem), random_(seed) {}

  std::vector<Constraint> make() {
    std::vector<Constraint> list;
    std::set<NodeId> ordered;
    for (std::int64_t left = random_.between(0, 12); left > 0; --left) {
      const Constraint constraint = make_one();
      const bool order = constraint.kind == Constraint::Kind::kOrder;
      if (!order || ordered.insert(constraint.node).second) list.push_back(constraint);
    }
    return list;
  }

 private:
  using Kind = Constraint::Kind;

  std::size_t pick(std::size_t n) {
    return static_cast<std::size_t>(random_.between(0, static_cast<std::int64_t>(n) - 1));
  }

  Constraint make_one() {
    const Arch& arch = problem_.arch();
    Constraint result;
    result.node = NodeId(pick(arch.nodes().size()));
    const bool memory = arch.is_memory(result.node);
    const std::size_t axes = memory ? 0 : arch.fanout(result.node).axes.size();
    static constexpr Kind kMemory[] = {Kind::kKeep,    Kind::kBypass,  Kind::kEqual, Kind::kAtMost,
                                       Kind::kAtLeast, Kind::kPerfect, Kind::kOrder};
    static constexpr Kind kFanout[] = {Kind::kPerfect, Kind::kUtilization, Kind::kEqual,
                                       Kind::kAtMost,  Kind::kAtLeast,     Kind::kAxisDims};
    // Without axes there is nothing to say about them.
    const std::size_t fanout_kinds = axes == 0 ? 2 : std::size(kFanout);
    result.kind = memory ? kMemory[pick(std::size(kMemory))] : kFanout[pick(fanout_kinds)];
    switch (result.kind) {
      case Kind::kKeep:
      case Kind::kBypass: {
        const auto all = (std::int64_t{1} << problem_.workload().tensors().size()) - 1;
        result.tensors = static_cast<TensorSet>(random_.between(1, all));
        break;
      }
      case Kind::kEqual:
      case Kind::kAtMost:
      case Kind::kAtLeast:
        result.dim = DimId(pick(problem_.workload().dims().size()));
        result.value = random_.between(1, problem_.workload().dim(result.dim).size);
        if (!memory) result.axis = static_cast<int>(pick(axes));
        break;
      case Kind::kPerfect:
        break;
      case Kind::kOrder:
        for (const DimId dim : some_dims(1)) {
          (random_.one_in(2) ? result.outermost : result.innermost).push_back(dim);
        }
        break;
      case Kind::kAxisDims:
        result.axis = static_cast<int>(pick(axes));
        result.dims = some_dims(0);
        break;
      case Kind::kUtilization: {
        const std::int64_t den = random_.between(1, 1000);
        result.share = make_rational(random_.between(0, den), den);
      }
    }
    return result;
  }

  std::vector<DimId> some_dims(std::size_t least) {
    std::vector<DimId> dims;
    for (std::size_t d = 0; d < problem_.workload().dims().size(); ++d) dims.emplace_back(d);
    for (std::size_t i = dims.size(); i > 1; --i) std::swap(dims[i - 1], dims[pick(i)]);
    dims.resize(least + pick(dims.size() + 1 - least));
    return dims;
  }

  const Problem& problem_;
  Random random_;
};

// Every folder of examples as one set of files, and every file of the library.
std::string check_shipped(int& files) {
  const std::filesystem::path root = TILEWRIGHT_SOURCE_DIR;
  const auto load = [](const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return file(path.filename().string(), std::string(std::istreambuf_iterator<char>(stream), {}));
  };
  std::vector<std::vector<std::shared_ptr<const SourceFile>>> sets;
  for (const char* folder : {"tilewright/library/archs", "tilewright/library/networks"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      if (entry.path().extension() != ".yaml") continue;
      sets.push_back({load(entry.path())});
    }
  }
  const std::pair<const char*, const char*> borrowed[] = {
      {"eyeriss-conv", "eyeriss-v4"}, {"ragged-conv", "eyeriss"}, {"constrained-conv", "eyeriss"}};
  for (const auto& entry : std::filesystem::directory_iterator(root / "examples")) {
    if (!entry.is_directory()) continue;
    std::vector<std::shared_ptr<const SourceFile>> set;
    for (const auto& part : std::filesystem::directory_iterator(entry.path())) {
      const auto extension = part.path().extension();
      if (extension == ".yaml" || extension == ".nest") set.push_back(load(part.path()));
    }
    if (set.empty()) continue;  // programs
    for (const auto& [folder, arch] : borrowed) {
      if (entry.path().filename() == folder) {
        set.push_back(load(root / "tilewright/library/archs" / (std::string(arch) + ".yaml")));
      }
    }
    sets.push_back(std::move(set));
  }
  for (const auto& set : sets) {
    Diagnostics found;
    const Documents documents = read_documents(set, found);
    if (found.has_errors())
      return set.front()->name + ": " + render_text(found.all().front(), false);
    files += static_cast<int>(set.size());
    const auto* problem = documents.problem ? &*documents.problem : nullptr;
    std::string wrong =
        check(documents.workload ? &*documents.workload : nullptr,
              documents.arch ? &*documents.arch : nullptr, problem,
              documents.mapping ? &*documents.mapping : nullptr, documents.constraints);
    if (documents.network) wrong += check_network(*documents.network);
    if (!wrong.empty()) return set.front()->name + ": " + wrong;
  }
  return "";
}

}  // namespace

int main(int argc, char** argv) {
  const testing::Options options =
      testing::read_options(argc, argv, {{"--cases", 10'000}, {"--seed", 1}});
  const std::uint64_t cases = options.at("--cases");
  const std::uint64_t seed = options.at("--seed");
  int files = 0;
  int bad = 0;
  const std::string shipped = check_shipped(files);
  if (!shipped.empty()) {
    ++bad;
    std::printf("%s\n", shipped.c_str());
  }
  for (std::uint64_t i = 0; i < cases; ++i) {
    const testing::RandomCase c = testing::make_case(seed, i);
    std::string wrong = check(&c.problem.workload(), &c.problem.arch(), &c.problem, &c.mapping,
                              ConstraintMaker(c.problem, seed + i).make());
    wrong += check_network(make_network(c.problem.workload(), seed + i));
    if (wrong.empty()) continue;
    if (++bad <= 3)
      std::printf("case %llu: %s\n", static_cast<unsigned long long>(i), wrong.c_str());
  }
  std::printf("roundtrip: %d shipped files and %llu random cases in YAML and text, %d bad\n", files,
              static_cast<unsigned long long>(cases), bad);
  return bad == 0 ? 0 : 1;
}
