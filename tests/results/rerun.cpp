// SPDX-License-Identifier: Apache-2.0
// Results of every kind, made again from nothing but the result file, must have the same bytes; one
// whose input was changed must be refused, and one whose figures were changed must be found out.
// At the end two results of one layer are compared, with perfect factors and with remainders.
//   results.rerun [--quick]
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/support/run_cli.h"
#include "tilewright/cli/console.h"

namespace {

using namespace tilewright;
namespace fs = std::filesystem;
using testing::Result;
using testing::run_cli;

const fs::path kRoot = TILEWRIGHT_SOURCE_DIR;

std::string read(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

const char* const kArch =
    "arch:\n"
    "  name: tiny\n"
    "  clock: 100 MHz\n"
    "  nodes:\n"
    "    - {memory: DRAM, energy: {read: 100 pJ, write: 100 pJ}, bandwidth: 4 B/cycle}\n"
    "    - {memory: buf, capacity: 40 B, energy: {read: 2 pJ, write: 2 pJ}}\n"
    "    - {fanout: PE, axes: {X: 4}}\n"
    "    - {compute: mac, energy: 1 pJ}\n";
const char* const kWork = "workload: {name: small, gemm: {m: 7, n: 6, k: 4}, bits: 8}\n";
const char* const kLimits = "constraints:\n  - {at: buf, keep: [input], factors: [m <= 3]}\n";
const char* const kStrided =
    "workload: {conv: {m: 4, c: 2, p: 5, q: 3, r: 1, s: 1, stride: 3}, bits: 8}\n";
const char* const kNest = "DRAM: keep A B Z\n  for m 7, n 6\nPE: parfor k 4\nmac\n";
const char* const kMisfit = "DRAM: keep A B Z\nbuf: keep A B Z\n  for m 7, n 6, k 4\nmac\n";
const char* const kNetwork =
    "network: {name: mini, bits: 8, layers: [{name: one, gemm: {m: 2, n: 6, k: 4}}, {name: two, "
    "gemm: {m: 2, n: 5, k: 6}, from: [one], count: 4}]}\n";
// The 3 x 3 layers of ResNet-50's third stage.
const char* const kLayer =
    "workload: {name: conv3_x, conv: {m: 128, c: 128, p: 28, q: 28, r: 3, s: 3}}\n";

/// One command line that yields a result.
struct Case {
  std::vector<std::string> args;  // names of the files below, of the library, options
  std::string input = {};         // standard input
  bool slow = false;              // seconds
};

std::vector<Case> cases() {
  const auto map = [](std::vector<std::string> more) {
    more.insert(more.begin(), {"map", "arch.yaml", "work.yaml"});
    return Case{more};
  };
  return {
      {{"evaluate", "first"}},
      {{"evaluate", "eyeriss-v4", "eyeriss-conv"}},
      {{"evaluate", "eyeriss", "ragged-conv", "--objective", "ed2p"}},
      {{"evaluate", "arch.yaml", "work.yaml", "good.nest", "--drains-are-reads"}},
      {{"evaluate", "arch.yaml", "work.yaml", "large.nest", "--anyway"}},
      {{"evaluate", "work.yaml", "good.nest", "-"}, kArch},
      {{"evaluate", "found.json"}},  // a result of map
      map({"--space", "pfm"}),
      map({"--space", "ruby-s"}),
      map({"--space", "ruby-t"}),
      map({"--space", "ruby"}),
      map({"--space", "pad"}),
      map({"--threads", "1"}),
      map({"--threads", "2", "--objective", "energy^1*latency^2"}),
      map({"--mapper", "local", "--seed", "3"}),
      map({"--mapper", "local", "--threads", "2", "--space", "ruby"}),
      map({"--mapper", "random", "--seed", "18446744073709551615", "--patience", "200"}),
      map({"--mapper", "random", "--threads", "2", "--budget", "5000 mappings"}),
      map({"--mapper", "exhaustive", "--space", "pfm"}),
      map({"limits.yaml", "--why"}),
      map({"--cap", "latency <= 1 us", "--cap", "energy <= 90 nJ"}),
      map({"--budget", "300 nodes", "--threads", "2"}),
      map({"--gap", "5%", "--threads", "2"}),
      map({"--top", "5"}),
      map({"--front"}),
      map({"--within", "20%"}),
      {{"map", "arch.yaml", "strided.yaml", "--holes-are-data"}},
      {{"map", "work.yaml", "-"}, kArch},
      {{"map", "found.json", "--objective", "latency"}},
      {{"map", "eyeriss", "constrained-conv", "--mapper", "local"}},
      {{"net", "arch.yaml", "net.yaml", "--keep-on-chip"}},
      {{"net", "arch.yaml", "net.yaml", "--mapper", "local", "--seed", "2", "--threads", "2"}},
      {{"map", "eyeriss", "layer.yaml", "--space", "pfm", "--save", "pfm.json"}},
      {{"map", "eyeriss", "layer.yaml", "--space", "ruby-s", "--save", "ruby-s.json"}},
      {{"map", "eyeriss", "layer.yaml", "--space", "ruby-s", "--threads", "1"}, "", true},
      {{"map", "simba", "layer.yaml", "--mapper", "local"}, "", true},
      {{"map", "eyeriss", "constrained-conv"}, "", true},
  };
}

class Tester {
 public:
  explicit Tester(fs::path folder) : inputs_(folder / "inputs"), empty_(folder / "empty") {}

  void add(const Case& one) {
    ++all_;
    prepare();
    std::vector<std::string> args = one.args;
    args.emplace_back("--json");
    const Result first = run_cli(args, one.input);
    std::string name;
    for (const std::string& arg : one.args) name += arg + " ";
    if (first.code != kOk)
      return fail(name, "exit code " + std::to_string(first.code) + "\n" + first.err);
    keep("pfm.json");
    keep("ruby-s.json");
    // Only the result is left.
    fs::current_path(empty_);
    fs::remove_all(inputs_);
    write("r.json", first.out);
    const Result again = run_cli({"rerun", "r.json", "--save", "again.json"});
    if (again.code != kOk || read("again.json") != first.out)
      return fail(name, again.out + again.err);
    if (!tampering_is_found(first.out)) return fail(name, "a changed result was accepted");
    ++good_;
    std::printf("same  %6zu bytes  %s\n", first.out.size(), name.c_str());
  }

  // What diff says about the two results of the layer.
  bool compare() const {
    fs::current_path(empty_);
    const Result result = run_cli({"diff", "pfm.json", "ruby-s.json"});
    std::printf("\n%s%s\n", result.out.c_str(), result.err.c_str());
    const fs::path expected = kRoot / "tests/results/expected-diff.txt";
    if (std::getenv("UPDATE_GOLDEN") != nullptr) write(expected, result.out);
    if (result.code == kOk && result.out == read(expected)) return true;
    std::printf("this is not tests/results/expected-diff.txt\n");
    return false;
  }

  int all() const { return all_; }
  int good() const { return good_; }
  int tampered() const { return tampered_; }

 private:
  void prepare() {
    fs::create_directories(inputs_);
    fs::create_directories(empty_);
    fs::current_path(inputs_);
    const std::pair<const char*, const char*> files[] = {
        {"arch.yaml", kArch},   {"work.yaml", kWork},    {"limits.yaml", kLimits},
        {"good.nest", kNest},   {"large.nest", kMisfit}, {"strided.yaml", kStrided},
        {"layer.yaml", kLayer}, {"net.yaml", kNetwork}};
    for (const auto& [name, text] : files) write(name, text);
    for (const char* name : {"first", "eyeriss-conv", "ragged-conv", "constrained-conv"}) {
      fs::copy(kRoot / "examples" / name, name);
    }
    write("found.json", run_cli({"map", "arch.yaml", "work.yaml", "--json"}).out);
  }

  // For the comparison at the end.
  void keep(const char* name) const {
    if (fs::exists(name)) fs::copy_file(name, empty_ / name, fs::copy_options::overwrite_existing);
  }

  void fail(const std::string& name, const std::string& why) {
    std::printf("WRONG %s\n%s\n", name.c_str(), why.c_str());
  }

  // A letter of an input: refused. A digit of a figure: found.
  bool tampering_is_found(const std::string& text) {
    std::string input = text;
    const std::size_t line = input.find("name: ", input.find("\"inputs\""));
    input.replace(line, 5, "name :");
    write("t.json", input);
    const Result refused = run_cli({"rerun", "t.json"});
    std::string figure = text;
    figure.insert(figure.find("\"cycles\": ") + 10, "1");
    write("t.json", figure);
    const Result found = run_cli({"rerun", "t.json"});
    const bool both = refused.code == kInputError &&
                      refused.err.find("R0002") != std::string::npos &&
                      found.code == kDisagreement && found.out.find("cycles ") != std::string::npos;
    tampered_ += both ? 2 : 0;
    return both;
  }

  fs::path inputs_;
  fs::path empty_;
  int all_ = 0;
  int good_ = 0;
  int tampered_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const bool quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
  const fs::path folder =
      fs::temp_directory_path() / ("tilewright-rerun-" + std::to_string(getpid()));
  Tester tester(folder);
  for (const Case& one : cases()) {
    if (!quick || !one.slow) tester.add(one);
  }
  const bool explained = tester.compare();
  fs::current_path(kRoot);
  fs::remove_all(folder);
  std::printf("rerun: %d of %d results to the same bytes, %d changed ones found\n", tester.good(),
              tester.all(), tester.tampered());
  return explained && tester.good() == tester.all() ? 0 : 1;
}
