// SPDX-License-Identifier: Apache-2.0
// What we ship reads without a finding: the library's accelerators and the sets of examples/.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/io/diagnostic.h"
#include "tilewright/io/read.h"
#include "tilewright/io/write.h"
#include "tilewright/library/library.h"
#include "tilewright/mapping/violation.h"

namespace tilewright {
namespace {

using File = std::shared_ptr<const SourceFile>;

File make_file(std::string_view name, std::string_view text) {
  return std::make_shared<SourceFile>(SourceFile{std::string(name), std::string(text)});
}

std::string messages(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    const int line = diagnostic.labels.empty() ? 0 : diagnostic.labels.front().span.line;
    text += diagnostic.code + " line " + std::to_string(line) + ": " + diagnostic.message + "\n";
  }
  return text;
}

TEST(LibraryReads, WithoutErrorOrWarning) {
  for (const LibraryEntry& entry : library_archs()) {
    Diagnostics diagnostics;
    const std::optional<Arch> arch = read_arch(make_file(entry.name, entry.text), diagnostics);
    EXPECT_EQ(messages(diagnostics), "") << entry.name;
    ASSERT_TRUE(arch.has_value()) << entry.name;
    EXPECT_EQ(arch->name(), entry.name);
    EXPECT_FALSE(arch->note().empty()) << entry.name;
  }
}

TEST(LibraryReads, BackTheSameAfterWriting) {
  for (const LibraryEntry& entry : library_archs()) {
    Diagnostics diagnostics;
    const std::optional<Arch> arch = read_arch(make_file(entry.name, entry.text), diagnostics);
    ASSERT_TRUE(arch.has_value()) << entry.name;
    const std::string text = write_arch(*arch);
    const std::optional<Arch> again = read_arch(make_file("written", text), diagnostics);
    EXPECT_EQ(messages(diagnostics), "") << entry.name << "\n" << text;
    ASSERT_TRUE(again.has_value()) << entry.name << "\n" << text;
    EXPECT_TRUE(*again == *arch) << entry.name << "\n" << text;
  }
}

TEST(LibraryReads, EveryEnergyIsGivenAndSourced) {
  for (const LibraryEntry& entry : library_archs()) {
    Diagnostics diagnostics;
    const std::optional<Arch> arch = read_arch(make_file(entry.name, entry.text), diagnostics);
    ASSERT_TRUE(arch.has_value()) << entry.name;
    for (const NodeId id : arch->memories()) {
      const Memory& memory = arch->memory(id);
      EXPECT_TRUE(memory.energy.read_pj && memory.energy.fill_pj && memory.energy.update_pj)
          << entry.name << " " << memory.name;
      EXPECT_FALSE(memory.energy.source.empty()) << entry.name << " " << memory.name;
    }
    EXPECT_TRUE(arch->compute().energy_pj.has_value()) << entry.name;
    EXPECT_FALSE(arch->compute().source.empty()) << entry.name;
  }
}

struct Count {
  const char* name;
  std::size_t memories;
  std::int64_t compute_units;
};

// Depth and width as the papers and the authors' files have them.
TEST(LibraryReads, DepthAndComputeUnits) {
  const Count expected[] = {
      {"diannao", 4, 256},         {"eyeriss-chip", 6, 168},    {"tpu-v1-chip", 6, 65536},
      {"eyeriss", 5, 168},         {"eyeriss-v4", 5, 168},      {"factorflow-simba", 6, 256},
      {"gemmini", 4, 256},         {"goma-a100", 3, 65536},     {"goma-eyeriss", 3, 256},
      {"goma-gemmini", 3, 256},    {"goma-tpu", 3, 65536},      {"quickflow-eyeriss", 5, 168},
      {"quickflow-simba", 6, 256}, {"quickflow-tpu", 6, 65536}, {"simba", 6, 256},
      {"simba-ruby-15", 6, 240},   {"simba-ruby-9", 6, 81},     {"toy-grid-6", 2, 6},
      {"toy-linear-16", 2, 16},    {"tpu-v1", 6, 65536},
  };
  EXPECT_EQ(std::size(expected), library_archs().size());
  for (const Count& count : expected) {
    const LibraryEntry* entry = find_library_arch(count.name);
    ASSERT_NE(entry, nullptr) << count.name;
    Diagnostics diagnostics;
    const std::optional<Arch> arch = read_arch(make_file(entry->name, entry->text), diagnostics);
    ASSERT_TRUE(arch.has_value()) << count.name;
    EXPECT_EQ(arch->memories().size(), count.memories) << count.name;
    EXPECT_EQ(arch->compute_units(), count.compute_units) << count.name;
  }
}

// Accelerators as they were built say all that time depends on, and how wide their data are.
TEST(LibraryReads, ChipsHaveClockBandwidthsAndWidths) {
  for (const char* name : {"diannao", "eyeriss-chip", "tpu-v1-chip"}) {
    const LibraryEntry* entry = find_library_arch(name);
    ASSERT_NE(entry, nullptr) << name;
    Diagnostics diagnostics;
    const std::optional<Arch> arch = read_arch(make_file(name, entry->text), diagnostics);
    ASSERT_TRUE(arch.has_value()) << name;
    EXPECT_TRUE(arch->clock_hz().has_value()) << name;
    EXPECT_FALSE(arch->off_chip_memories().empty()) << name;
    for (const NodeId id : arch->memories()) {
      const Memory& memory = arch->memory(id);
      EXPECT_TRUE(memory.shared_bandwidth || (memory.read_bandwidth && memory.write_bandwidth))
          << name << " " << memory.name;
      EXPECT_FALSE(memory.bits.empty()) << name << " " << memory.name;
    }
  }
}

File example(const std::string& path) {
  std::ifstream in(std::filesystem::path(TILEWRIGHT_SOURCE_DIR) / "examples" / path,
                   std::ios::binary);
  EXPECT_TRUE(in.good()) << path;
  return make_file(path, std::string(std::istreambuf_iterator<char>(in), {}));
}

File library_file(std::string_view name) {
  const LibraryEntry* entry = find_library_arch(name);
  EXPECT_NE(entry, nullptr) << name;
  return make_file(name, entry == nullptr ? "" : entry->text);
}

void expect_legal(const std::vector<File>& files) {
  Diagnostics diagnostics;
  const Documents documents = read_documents(files, diagnostics);
  EXPECT_EQ(messages(diagnostics), "");
  ASSERT_TRUE(documents.problem.has_value());
  ASSERT_TRUE(documents.mapping.has_value());
  EXPECT_TRUE(documents.problem->unknown().empty());
  EXPECT_TRUE(find_violations(*documents.problem, *documents.mapping).empty());
}

TEST(ExamplesRead, First) {
  expect_legal(
      {example("first/arch.yaml"), example("first/workload.yaml"), example("first/mapping.nest")});
}

TEST(ExamplesRead, EyerissConv) {
  expect_legal({library_file("eyeriss-v4"), example("eyeriss-conv/workload.yaml"),
                example("eyeriss-conv/mapping.nest")});
}

TEST(ExamplesRead, RaggedConv) {
  expect_legal({library_file("eyeriss"), example("ragged-conv/workload.yaml"),
                example("ragged-conv/mapping.nest")});
}

TEST(ExamplesRead, ConstrainedConv) {
  std::vector<File> files = {library_file("eyeriss"), example("constrained-conv/workload.yaml"),
                             example("constrained-conv/constraints.yaml")};
  Diagnostics diagnostics;
  const Documents documents = read_documents(files, diagnostics);
  EXPECT_EQ(messages(diagnostics), "");
  ASSERT_TRUE(documents.problem.has_value());
  EXPECT_EQ(documents.constraints.size(), 17U);
  EXPECT_EQ(documents.constraint_source.size(), 17U);
  // The mapping of ragged-conv is one of those that are left, so the set contradicts nothing.
  files.push_back(example("ragged-conv/mapping.nest"));
  expect_legal(files);
}

}  // namespace
}  // namespace tilewright
