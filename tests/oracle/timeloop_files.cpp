// SPDX-License-Identifier: Apache-2.0
// Reads every case of ../shared/oracle/yaml_cases.tar.gz, as Timeloop's own files, and compares the
// values with those of the records beside it; written as files of ours they stay the same.
//   oracle.timeloop-files [--data FOLDER]
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/native_round_trip.h"
#include "tests/support/oracle_record.h"
#include "tilewright/io/render.h"
#include "tilewright/timeloop/timeloop.h"

namespace {

using namespace tilewright;
using nlohmann::json;

// The files of a gzipped tar archive by the last part of their names; empty if it cannot be read.
std::map<std::string, std::string> read_archive(const std::string& path) {
  std::map<std::string, std::string> files;
  gzFile archive = gzopen(path.c_str(), "rb");
  if (archive == nullptr) return files;
  constexpr unsigned kBlock = 512;
  std::array<char, kBlock> header{};
  while (gzread(archive, header.data(), kBlock) == static_cast<int>(kBlock) && header[0] != '\0') {
    const std::string name(header.data(), strnlen(header.data(), 100));
    const auto size = static_cast<std::size_t>(std::strtoull(&header[124], nullptr, 8));
    std::string text((size + kBlock - 1) / kBlock * kBlock, '\0');
    if (!text.empty()) gzread(archive, text.data(), static_cast<unsigned>(text.size()));
    text.resize(size);
    if (header[156] == '0') files[name.substr(name.rfind('/') + 1)] = std::move(text);
  }
  gzclose(archive);
  return files;
}

// What of a case is not as in its record; empty if all is.
std::string difference(const json& record, const Documents& read) {
  const Problem problem = test::oracle_problem(record);
  const Mapping mapping = test::oracle_mapping(record, problem);
  if (!read.problem || !read.mapping) return "not read";
  const Workload& workload = read.problem->workload();
  if (!std::ranges::equal(workload.dims(), problem.workload().dims())) return "dims";
  if (!std::ranges::equal(workload.tensors(), problem.workload().tensors())) return "tensors";
  const Arch& arch = read.problem->arch();
  if (!std::ranges::equal(arch.nodes(), problem.arch().nodes())) return "nodes";
  if (!(arch.compute() == problem.arch().compute())) return "compute unit";
  if (arch.clock_hz()) return "clock";
  if (!(read.problem->conventions() == test::kTimeloop)) return "conventions";
  if (!(*read.mapping == mapping)) return "mapping";
  if (const std::string changed = test::native_difference(read); !changed.empty()) {
    return "as files of ours: " + changed;
  }
  if (read.mapping_source.nodes.size() != mapping.nodes().size()) return "places of the mapping";
  return "";
}

}  // namespace

int main(int argc, char** argv) {
  std::filesystem::path folder = std::filesystem::path(TILEWRIGHT_SOURCE_DIR) / "../shared/oracle";
  if (argc == 3 && std::strcmp(argv[1], "--data") == 0) folder = argv[2];
  if (!std::filesystem::exists(folder / "yaml_cases.tar.gz")) {
    std::printf("timeloop-files: SKIPPED, the oracle is not beside this checkout\n");
    return 77;
  }
  const std::map<std::string, std::string> files =
      read_archive((folder / "yaml_cases.tar.gz").string());
  int records = 0;
  int equal = 0;
  for (const char* family : {"gemm-perfect", "conv-perfect", "gemm-imperfect", "conv-imperfect"}) {
    std::ifstream lines(folder / (std::string(family) + ".jsonl"));
    for (std::string line; std::getline(lines, line);) {
      const json record = json::parse(line);
      const std::string id = record.at("id");
      ++records;
      const auto text = files.find(id + ".yaml");
      if (text == files.end()) {
        std::printf("%s: not in the archive\n", id.c_str());
        continue;
      }
      Diagnostics diagnostics;
      const auto source = std::make_shared<const SourceFile>(SourceFile{text->first, text->second});
      const timeloop::Reading reading = timeloop::read_documents({source}, diagnostics);
      const std::string wrong = difference(record, reading.documents);
      if (wrong.empty() && diagnostics.all().empty()) {
        ++equal;
        continue;
      }
      std::printf("%s: %s\n%s", id.c_str(), wrong.c_str(), render_text(diagnostics, false).c_str());
    }
  }
  const bool holds = records > 0 && equal == records;
  std::printf("timeloop-files: %d of %d cases read as the values of their records%s\n", equal,
              records, holds ? "" : ": FAILED");
  return holds ? 0 : 1;
}
