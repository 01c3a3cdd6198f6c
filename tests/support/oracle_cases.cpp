// SPDX-License-Identifier: Apache-2.0
#include "tests/support/oracle_cases.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <utility>

namespace tilewright::oracle_case {
namespace {

using nlohmann::json;

Workload read_workload(const json& record) {
  std::vector<Dim> dims;
  std::map<std::string, int> ids;
  for (const std::string name : record.at("dim_order")) {
    ids[name] = static_cast<int>(dims.size());
    dims.push_back({name, record.at("dims").at(name)});
  }
  std::vector<Tensor> tensors;
  for (const json& tensor : record.at("tensors")) {
    Tensor one{tensor.at("name"), tensor.at("read_write") ? "output" : "input", 8, {}};
    for (const json& rank : tensor.at("projection")) {
      Rank terms;
      for (const json& term : rank) {
        const std::int64_t c =
            term.size() > 1 ? record.at("coefficients").at(std::string(term[1])).get<std::int64_t>()
                            : 1;
        terms.terms.push_back({DimId(ids.at(term[0])), c});
      }
      one.ranks.push_back(terms);
    }
    tensors.push_back(one);
  }
  return Workload(record.at("type"), std::move(dims), std::move(tensors));
}

std::optional<Rational> read_rate(const json& words, std::int64_t bits) {
  if (words.is_null()) return std::nullopt;
  return make_rational(std::llround(words.get<double>() * 1e6) * bits, 1'000'000);
}

Arch read_arch(const json& record, const Workload& workload) {
  std::vector<ArchNode> nodes;
  for (const json& level : record.at("storage_levels")) {
    Memory memory;
    memory.name = level.at("name");
    const std::int64_t bits = level.at("word_bits");
    for (const Tensor& tensor : workload.tensors()) memory.bits.push_back({tensor.name, bits});
    if (!level.at("capacity_words").is_null())
      memory.capacity_bits = level.at("capacity_words").get<std::int64_t>() * bits;
    memory.buffering = level.at("multiple_buffering");
    // Timeloop divides words, not bits: make the division come out in whole words.
    if (memory.capacity_bits) {
      memory.capacity_bits =
          *memory.capacity_bits / bits / memory.buffering * bits * memory.buffering;
    }
    memory.width_bits = level.at("block_size").get<std::int64_t>() * bits;
    memory.read_bandwidth = read_rate(level.at("read_bandwidth"), bits);
    memory.write_bandwidth = read_rate(level.at("write_bandwidth"), bits);
    const json& energy = level.at("energy_pJ");
    memory.energy = {energy.at("read").get<double>(), energy.at("fill").get<double>(),
                     energy.at("update").get<double>(), "oracle"};
    const std::string name = memory.name;
    nodes.emplace_back(std::move(memory));
    nodes.emplace_back(
        Fanout{name + "_children", {{"X", level.at("fanout_x")}, {"Y", level.at("fanout_y")}}});
  }
  Compute compute;
  compute.energy_pj = record.at("mac").at("energy_pJ").get<double>();
  return Arch("oracle", "", std::nullopt, std::move(nodes), compute);
}

Mapping read_mapping(const json& record, const Problem& problem) {
  const Workload& workload = problem.workload();
  std::vector<NestNode> nodes;
  int node = 0;
  for (const json& level : record) {
    TensorSet kept = 0;
    for (const auto& [name, keeps] : level.at("keep").items()) {
      if (keeps) kept |= only(*workload.find_tensor(name));
    }
    nodes.push_back(keep(NodeId(node), kept));
    const json& order = level.at("temporal").at("order_inner_to_outer");
    for (std::size_t i = order.size(); i-- > 0;) {
      const std::string dim = order[i];
      nodes.push_back(
          temporal(*workload.find_dim(dim), level.at("temporal").at("factors").at(dim)));
    }
    if (level.contains("spatial")) {
      const json& spread = level.at("spatial");
      for (const auto& [key, axis] : {std::pair{"x_dims", 0}, {"y_dims", 1}}) {
        for (const std::string dim : spread.at(key)) {
          nodes.push_back(spatial(NodeId(node + 1), axis, *workload.find_dim(dim),
                                  spread.at("factors").at(dim)));
        }
      }
    }
    node += 2;
  }
  return Mapping(std::move(nodes));
}

}  // namespace

OracleCase read_case(const std::string& line, Conventions conventions) {
  json record = json::parse(line);
  Workload workload = read_workload(record.at("workload"));
  Arch arch = read_arch(record.at("architecture"), workload);
  Problem problem(std::move(workload), std::move(arch), conventions);
  Mapping mapping = read_mapping(record.at("mapping"), problem);
  std::string id = record.at("id");
  return {.id = std::move(id),
          .problem = std::move(problem),
          .mapping = std::move(mapping),
          .record = std::move(record)};
}

std::optional<std::filesystem::path> find_records(int argc, char** argv, int* every) {
  std::filesystem::path folder = std::filesystem::path(TILEWRIGHT_SOURCE_DIR) / "../shared/oracle";
  for (int i = 1; i < argc; i += 2) {
    const bool has_value = i + 1 < argc;
    if (has_value && std::strcmp(argv[i], "--data") == 0) {
      folder = argv[i + 1];
    } else if (has_value && every != nullptr && std::strcmp(argv[i], "--every") == 0) {
      *every = std::max(1, std::atoi(argv[i + 1]));
    } else {
      std::fprintf(stderr, "%s: %s is no option, or has no value\n", argv[0], argv[i]);
      std::exit(2);
    }
  }
  if (std::filesystem::exists(folder / "gemm-perfect.jsonl")) return folder;
  std::printf("oracle: SKIPPED, its data is not beside this checkout\n");
  return std::nullopt;
}

const std::vector<RecordFile>& record_files() {
  static const std::vector<RecordFile> files = {{"gemm-perfect", true},
                                                {"conv-perfect", true},
                                                {"gemm-imperfect", false},
                                                {"conv-imperfect", false}};
  return files;
}

void for_each_case(const std::filesystem::path& folder, const RecordFile& file,
                   Conventions conventions, const std::function<void(const OracleCase&)>& visit) {
  std::ifstream lines(folder / (file.name + ".jsonl"));
  for (std::string line; std::getline(lines, line);) visit(read_case(line, conventions));
}

}  // namespace tilewright::oracle_case
