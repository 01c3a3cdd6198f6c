// SPDX-License-Identifier: Apache-2.0
// Every key of every shipped YAML file, with one letter left out and with two neighbours swapped:
// each must be found, with its place, and nearly always with the right key as the suggestion.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tilewright/io/read.h"
#include "tilewright/io/render.h"
#include "tilewright/io/yaml/yaml_tree.h"
#include "tilewright/sweep/plan/plan.h"

namespace tilewright {
namespace {

namespace fs = std::filesystem;

std::string slurp(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<fs::path> shipped_files() {
  std::vector<fs::path> paths;
  const fs::path root = TILEWRIGHT_SOURCE_DIR;
  const fs::path library = root / "tilewright" / "library";
  for (const fs::path& folder : {root / "examples", library / "archs", library / "networks"}) {
    if (!fs::exists(folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.path().extension() == ".yaml") paths.push_back(entry.path());
    }
  }
  std::ranges::sort(paths);
  return paths;
}

struct Key {
  std::string text;
  Span span;
};

// All keys but those that users choose freely: the names of axes and of parameters. The layers of
// networks have the same keys over and over: of these each is taken once, with what it is in;
// `seen` remembers.
void collect_keys(const YamlNode& node, const std::string& inside, std::set<std::string>& seen,
                  std::vector<Key>& keys) {
  for (const YamlEntry& entry : node.entries) {
    const std::string path = inside + "." + entry.key;
    if (!path.starts_with(".network") || seen.insert(path).second) {
      keys.push_back({entry.key, entry.key_span});
    }
    if (entry.key != "axes" && entry.key != "parameters")
      collect_keys(entry.value, path, seen, keys);
  }
  for (const YamlNode& item : node.items) collect_keys(item, inside, seen, keys);
}

std::vector<std::string> typos_of(const std::string& key) {
  std::vector<std::string> typos;
  for (std::size_t i = 0; i < key.size(); ++i) {
    typos.push_back(key.substr(0, i) + key.substr(i + 1));
    std::string swapped = key;
    if (i + 1 < key.size()) std::swap(swapped[i], swapped[i + 1]);
    if (swapped != key) typos.push_back(swapped);
  }
  return typos;
}

std::string with_typo(const std::string& text, const Key& key, const std::string& typo) {
  std::size_t begin = 0;
  for (int line = 1; line < key.span.line; ++line) begin = text.find('\n', begin) + 1;
  begin += static_cast<std::size_t>(key.span.column - 1);
  std::string result = text;
  return result.replace(begin, key.text.size(), typo);
}

class TypoTest : public testing::Test {
 protected:
  // Reads the text with what it needs to be judged: names of tensors need a workload, constraints
  // need an architecture too.
  static Diagnostics read(const std::string& name, const std::string& text) {
    const auto lacks = [&](const std::string& section) {
      return text.find("\n" + section) == std::string::npos && !text.starts_with(section);
    };
    std::vector<std::shared_ptr<const SourceFile>> files{
        std::make_shared<SourceFile>(SourceFile{name, text})};
    if (name == "constraints.yaml") {
      const fs::path root = TILEWRIGHT_SOURCE_DIR;
      for (const char* path :
           {"examples/constrained-conv/workload.yaml", "tilewright/library/archs/eyeriss.yaml"}) {
        files.push_back(std::make_shared<SourceFile>(SourceFile{path, slurp(root / path)}));
      }
    } else if (lacks("workload:")) {
      files.push_back(std::make_shared<SourceFile>(
          SourceFile{"other.yaml", "workload: {gemm: {m: 1, n: 1, k: 1}}\n"}));
    }
    Diagnostics diagnostics;
    read_documents(files, diagnostics);
    if (text.find("\nsweep:") != std::string::npos && !diagnostics.has_errors()) {
      const ReadFile nothing = [](const std::string&) { return std::nullopt; };
      read_plan({name, text, {}, {}}, nothing, diagnostics);
    }
    return diagnostics;
  }

  void try_typo(const std::string& name, const std::string& text, const Key& key,
                const std::string& typo) {
    const Diagnostics diagnostics = read(name, with_typo(text, key, typo));
    ++tried_;
    bool found = false;
    bool suggested = false;
    for (const Diagnostic& finding : diagnostics.all()) {
      const bool here = !finding.labels.empty() && finding.labels[0].span.file->name == name &&
                        finding.labels[0].span.line == key.span.line &&
                        finding.labels[0].span.column == key.span.column;
      if (!here) continue;
      found = true;
      for (const std::string& help : finding.helps) {
        suggested = suggested || help == "did you mean `" + key.text + "`?";
      }
    }
    EXPECT_TRUE(found) << name << ':' << key.span.line << ": `" << key.text << "` as `" << typo
                       << "`\n"
                       << render_text(diagnostics, false);
    suggested_ += suggested ? 1 : 0;
    if (!suggested) missed_ += " " + key.text + "->" + typo;
  }

  int tried_ = 0;
  int suggested_ = 0;
  std::string missed_;
};

TEST_F(TypoTest, EveryTypoInAKeyIsFoundAndMostAreCorrected) {
  std::set<std::string> seen;
  for (const fs::path& path : shipped_files()) {
    const std::string name = path.filename().string();
    const std::string text = slurp(path);
    Diagnostics diagnostics;
    const auto file = std::make_shared<SourceFile>(SourceFile{name, text});
    const std::optional<YamlNode> root = parse_yaml(file, diagnostics);
    ASSERT_TRUE(root) << render_text(diagnostics, false);
    std::vector<Key> keys;
    collect_keys(*root, "", seen, keys);
    for (const Key& key : keys) {
      for (const std::string& typo : typos_of(key.text)) try_typo(name, text, key, typo);
    }
  }
  ASSERT_GT(tried_, 0) << "no shipped YAML file was found";
  const double percent = 100.0 * suggested_ / tried_;
  std::printf("%d typos, %.2f %% corrected; not:%s\n", tried_, percent, missed_.c_str());
  EXPECT_GE(percent, 95.0);
}

}  // namespace
}  // namespace tilewright
