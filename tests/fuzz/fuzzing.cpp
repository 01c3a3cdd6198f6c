// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/fuzzing.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <fstream>
#include <iterator>

namespace tilewright::testing {
namespace {

// Inputs `first` to before `last`; prints the first three that go wrong. True if none does.
bool run_shard(const Fuzzed& asked, const FuzzTarget& target, std::uint64_t first,
               std::uint64_t last) {
  std::uint64_t bad = 0;
  for (std::uint64_t i = first; i < last; ++i) {
    Random random(asked.seed * 0x9e3779b97f4a7c15ULL + i);
    const std::string text = target.make(random);
    const std::clock_t start = std::clock();  // of this process: others may keep the machine busy
    std::string wrong;
    try {
      target.attempt(text);
    } catch (const std::exception& error) {
      wrong = error.what();
    }
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    if (seconds > 5) wrong += " took " + std::to_string(seconds) + " s";
    if (wrong.empty() || ++bad > 3) continue;
    std::printf("input %llu of seed %llu: %s\n----\n%s\n----\n", static_cast<unsigned long long>(i),
                static_cast<unsigned long long>(asked.seed), wrong.c_str(), text.c_str());
  }
  return bad == 0;
}

void limit_memory(std::uint64_t bytes) {
  if (bytes == 0) return;
  const rlimit limit{bytes, bytes};
  setrlimit(RLIMIT_AS, &limit);
}

}  // namespace

std::vector<std::filesystem::path> files_below(const std::string& folder,
                                               std::initializer_list<const char*> extensions) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string extension = entry.path().extension().string();
    if (std::ranges::find(extensions, extension) != extensions.end()) {
      paths.push_back(entry.path());
    }
  }
  std::ranges::sort(paths);
  return paths;
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::size_t pick(std::size_t n, Random& random) {
  return static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(n) - 1));
}

void edit(std::string& text, std::span<const char* const> words,
          const std::vector<std::string>& others, std::int64_t most, Random& random) {
  for (std::int64_t edits = random.between(1, most); edits > 0; --edits) {
    const std::size_t at = text.empty() ? 0 : pick(text.size(), random);
    switch (random.between(0, 5)) {
      case 0:
        if (!text.empty()) text[at] = static_cast<char>(random.between(0, 255));
        break;
      case 1:
        text.erase(at, 1 + pick(8, random));
        break;
      case 2:
        text.insert(at, words[pick(words.size(), random)]);
        break;
      case 3: {
        const std::string& other = others[pick(others.size(), random)];
        text.insert(at, other.substr(pick(other.size(), random), 1 + pick(60, random)));
        break;
      }
      case 4:
        text.insert(at, text.substr(at, 1 + pick(40, random)));
        break;
      default:
        if (!text.empty()) text[at] = static_cast<char>(text[at] ^ (1 << random.between(0, 7)));
    }
  }
}

Fuzzed read_fuzz_options(int argc, char** argv, Fuzzed usual) {
  for (int i = 1; i + 1 < argc; ++i) {
    const std::uint64_t value = std::strtoull(argv[i + 1], nullptr, 10);
    if (std::strcmp(argv[i], "--inputs") == 0) usual.inputs = value;
    if (std::strcmp(argv[i], "--seed") == 0) usual.seed = value;
    if (std::strcmp(argv[i], "--processes") == 0)
      usual.processes = std::max<std::uint64_t>(1, value);
  }
  return usual;
}

bool run_in_shards(const Fuzzed& asked, const FuzzTarget& target) {
  constexpr std::uint64_t kShard = 50'000;
  constexpr std::uint64_t kShardsBetweenReports = 20;
  bool good = true;
  std::uint64_t running = 0;
  std::uint64_t ended = 0;
  const auto wait_for_one = [&] {
    int status = 0;
    good = wait(&status) > 0 && status == 0 && good;
    --running;
    if (++ended % kShardsBetweenReports != 0) return;
    std::printf("%llu inputs ...\n", static_cast<unsigned long long>(ended * kShard));
    std::fflush(stdout);
  };
  for (std::uint64_t first = 0; first < asked.inputs; first += kShard) {
    if (running == asked.processes) wait_for_one();
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
      limit_memory(asked.most_bytes);
      const bool fine = run_shard(asked, target, first, std::min(asked.inputs, first + kShard));
      std::exit(fine ? 0 : 1);
    }
    if (child < 0) return false;
    ++running;
  }
  while (running > 0) wait_for_one();
  return good;
}

}  // namespace tilewright::testing
