// SPDX-License-Identifier: Apache-2.0
// The reader of ONNX files on spoilt models: an error or a network, never a crash or an exception;
// a network that is read is whole, can be written and reads back.
//   fuzz.onnx [--inputs N] [--seed S] [--first I] [--processes P]      a seeded loop
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <stdexcept>

#include "tests/support/onnx_models.h"
#include "tilewright/io/read.h"
#include "tilewright/io/render.h"
#include "tilewright/io/write.h"

namespace {

using namespace tilewright;
using namespace tilewright::testing;

struct Input {
  std::string bytes;
  OnnxOptions options;
};

// True if it became a network.
bool try_input(const Input& input) {
  Diagnostics diagnostics;
  const auto read = read_onnx(input.bytes, "fuzz.onnx", input.options, diagnostics);
  render_json(diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all()) render_text(diagnostic, false);
  if (read.has_value() == diagnostics.has_errors()) throw std::logic_error("errors and a network");
  if (!read) return false;
  const auto faults = find_network_faults(read->network);
  if (!faults.empty()) throw std::logic_error(faults.front());
  if (read->network.layers.empty()) return true;
  Diagnostics again;
  const SourceFile file{"back.yaml", write_network(read->network)};
  const auto back = read_network(std::make_shared<const SourceFile>(file), again);
  if (!back) throw std::logic_error("does not read back: " + render_text(again, false));
  if (!(*back == read->network)) throw std::logic_error("reads back as another network");
  return true;
}

std::vector<Input> read_corpus() {
  std::vector<Input> corpus;
  // Large ones take long, and small ones have all that they have.
  for (const OnnxModel& model : real_models()) {
    if (model.bytes.size() < 8000) corpus.push_back({model.bytes, model.options});
  }
  for (const BrokenModel& model : broken_models()) corpus.push_back({model.bytes, model.options});
  return corpus;
}

struct Range {
  std::uint64_t seed = 1;
  std::uint64_t first = 0;
  std::uint64_t last = 20'000;
};

// True if none goes wrong; the first three that do are printed.
bool run(const std::vector<Input>& corpus, const Range& range) {
  using Clock = std::chrono::steady_clock;
  std::uint64_t bad = 0;
  std::uint64_t networks = 0;
  for (std::uint64_t i = range.first; i < range.last; ++i) {
    Random random(range.seed * 0x9e3779b97f4a7c15ULL + i);
    Input input = corpus[static_cast<std::size_t>(
        random.between(0, static_cast<std::int64_t>(corpus.size()) - 1))];
    input.bytes = spoil(input.bytes, random);
    const Clock::time_point start = Clock::now();
    std::string wrong;
    try {
      networks += try_input(input) ? 1 : 0;
    } catch (const std::exception& error) {
      wrong = error.what();
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (seconds > 5) wrong += " took " + std::to_string(seconds) + " s";
    if (wrong.empty() || ++bad > 3) continue;
    std::printf("--seed %llu --first %llu --inputs 1: %s\n",
                static_cast<unsigned long long>(range.seed), static_cast<unsigned long long>(i),
                wrong.c_str());
  }
  // If hardly any model survives, the changes are too wild to get far.
  const bool enough = range.last - range.first < 1000 || networks * 50 > range.last - range.first;
  if (!enough) std::printf("only %llu were read\n", static_cast<unsigned long long>(networks));
  return bad == 0 && enough;
}

// Shards run in processes of their own: one that crashes is seen by its exit status.
bool run_in_shards(const std::vector<Input>& corpus, const Range& range, std::uint64_t processes) {
  constexpr std::uint64_t kShard = 5000;
  bool good = true;
  std::uint64_t running = 0;
  std::map<pid_t, std::uint64_t> shards;  // the first input of each
  const auto wait_for_one = [&] {
    int status = 0;
    const pid_t child = wait(&status);
    if (child < 0 || status != 0) {
      std::printf("the shard from %llu ended with status %d\n",
                  static_cast<unsigned long long>(shards[child]), status);
      good = false;
    }
    --running;
  };
  for (std::uint64_t first = range.first; first < range.last; first += kShard) {
    if (running == processes) wait_for_one();
    const Range shard{range.seed, first, std::min(range.last, first + kShard)};
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
      const bool fine = run(corpus, shard);
      std::exit(fine ? 0 : 1);
    }
    if (child < 0) return false;
    shards[child] = first;
    ++running;
  }
  while (running > 0) wait_for_one();
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  Range range;
  std::uint64_t inputs = 20'000;
  std::uint64_t processes = 1;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::uint64_t value = std::strtoull(argv[i + 1], nullptr, 10);
    if (std::strcmp(argv[i], "--inputs") == 0) inputs = value;
    if (std::strcmp(argv[i], "--seed") == 0) range.seed = value;
    if (std::strcmp(argv[i], "--first") == 0) range.first = value;
    if (std::strcmp(argv[i], "--processes") == 0) processes = std::max<std::uint64_t>(1, value);
  }
  range.last = range.first + inputs;
  const std::vector<Input> corpus = read_corpus();
  const bool good = run_in_shards(corpus, range, processes);
  std::printf("onnx: %zu real models, %zu broken ones; %llu spoilt: %s\n", real_models().size(),
              broken_models().size(), static_cast<unsigned long long>(inputs),
              good ? "none bad" : "SOME BAD");
  return good ? 0 : 1;
}
