// SPDX-License-Identifier: Apache-2.0
// read(write(x)) = x: every shipped file, and random mappings, workloads and architectures, in YAML
// and in the text form.
//   property.roundtrip [--cases N] [--seed S]
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

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
                  const Mapping* mapping) {
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
  return "";
}

// Every folder of examples as one set of files, and every architecture of the library.
std::string check_shipped(int& files) {
  const std::filesystem::path root = TILEWRIGHT_SOURCE_DIR;
  const auto load = [](const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return file(path.filename().string(), std::string(std::istreambuf_iterator<char>(stream), {}));
  };
  std::vector<std::vector<std::shared_ptr<const SourceFile>>> sets;
  for (const auto& entry : std::filesystem::directory_iterator(root / "tilewright/library/archs")) {
    sets.push_back({load(entry.path())});
  }
  const std::pair<const char*, const char*> borrowed[] = {{"eyeriss-conv", "eyeriss-v4"},
                                                          {"ragged-conv", "eyeriss"}};
  for (const auto& entry : std::filesystem::directory_iterator(root / "examples")) {
    if (!entry.is_directory()) continue;
    std::vector<std::shared_ptr<const SourceFile>> set;
    for (const auto& part : std::filesystem::directory_iterator(entry.path()))
      set.push_back(load(part.path()));
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
    const std::string wrong = check(documents.workload ? &*documents.workload : nullptr,
                                    documents.arch ? &*documents.arch : nullptr, problem,
                                    documents.mapping ? &*documents.mapping : nullptr);
    if (!wrong.empty()) return set.front()->name + ": " + wrong;
  }
  return "";
}

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t cases = 10'000;
  std::uint64_t seed = 1;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--cases") == 0) cases = std::strtoull(argv[i + 1], nullptr, 10);
    if (std::strcmp(argv[i], "--seed") == 0) seed = std::strtoull(argv[i + 1], nullptr, 10);
  }
  int files = 0;
  int bad = 0;
  const std::string shipped = check_shipped(files);
  if (!shipped.empty()) {
    ++bad;
    std::printf("%s\n", shipped.c_str());
  }
  for (std::uint64_t i = 0; i < cases; ++i) {
    const testing::RandomCase c = testing::make_case(seed, i);
    const std::string wrong =
        check(&c.problem.workload(), &c.problem.arch(), &c.problem, &c.mapping);
    if (wrong.empty()) continue;
    if (++bad <= 3)
      std::printf("case %llu: %s\n", static_cast<unsigned long long>(i), wrong.c_str());
  }
  std::printf("roundtrip: %d shipped files and %llu random cases in YAML and text, %d bad\n", files,
              static_cast<unsigned long long>(cases), bad);
  return bad == 0 ? 0 : 1;
}
