// SPDX-License-Identifier: Apache-2.0
// The readers of studies on broken input: files of sweeps, the plans of stores, files of
// flexibility, results that `diff` compares. No crash, hang, leak or sanitizer report; what is read
// can be written and read again.
//   fuzz.studies [--inputs N] [--seed S] [--processes P]
#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/fuzz/fuzzing.h"
#include "tilewright/base/input_error.h"
#include "tilewright/diff/compare_text.h"
#include "tilewright/diff/plan_diff.h"
#include "tilewright/flexibility/flexibility_file.h"
#include "tilewright/io/read.h"
#include "tilewright/io/render.h"
#include "tilewright/sweep/plan/plan.h"

namespace {

using namespace tilewright;
using testing::edit;
using testing::Fuzzed;
using testing::pick;
using testing::text_of;

const std::string kRoot = TILEWRIGHT_SOURCE_DIR;
// Of a plan so many designs are made.
constexpr std::uint64_t kFewDesigns = 4;

std::shared_ptr<const SourceFile> file(std::string text) {
  return std::make_shared<const SourceFile>(SourceFile{"s.yaml", std::move(text)});
}

void try_plan(const SweepPlan& plan) {
  const SweepPlan again = plan_from_json(bundle_to_json(plan.bundle()));
  if (again.problems() != plan.problems()) throw std::logic_error("a plan does not read back");
  for (std::uint64_t i = 0; i < std::min(kFewDesigns, plan.designs().size()); ++i) {
    try {
      plan.design(i);
    } catch (const InputError&) {  // said so: that is an answer
    }
  }
}

// Of a sweep without files beside it.
std::optional<SweepPlan> plan_of(const std::string& text, Diagnostics& diagnostics) {
  const ReadFile nothing = [](const std::string&) { return std::nullopt; };
  return read_plan({"s.yaml", text, {}, {}}, nothing, diagnostics);
}

void try_sweep(const std::string& text) {
  Diagnostics diagnostics;
  const auto plan = plan_of(text, diagnostics);
  render_text(diagnostics, /*color=*/false);
  if (plan) try_plan(*plan);
}

void try_bundle(const std::string& text) {
  try {
    try_plan(plan_from_json(text));
  } catch (const InputError&) {
  }
}

void try_flexibility(const std::string& text, const Arch& arch) {
  Diagnostics diagnostics;
  const auto read = read_flexibility_file(file(text), arch, diagnostics);
  render_text(diagnostics, /*color=*/false);
  if (!read) return;
  Diagnostics again;
  const auto back = read_flexibility_file(file(write_flexibility(*read)), arch, again);
  if (!back || write_flexibility(*back) != write_flexibility(*read)) {
    throw std::logic_error("a flexibility does not read back");
  }
}

void try_saved(const std::string& text) {
  std::string why;
  read_saved_evaluation(text, why);
  read_saved_plan(text);
}

// The first byte says how the rest is read.
enum class Kind : char { kSweep, kBundle, kFlexibility, kSaved };

class Studies {
 public:
  Studies() {
    for (const char* path : {"/experiments/regret/quick.yaml", "/examples/sweep/arrays.yaml"}) {
      const std::string text = text_of(kRoot + path);
      for (const std::string& sweep :
           {text, text + "  networks: [{network: alexnet, weight: 2}]\n"}) {
        add(Kind::kSweep, sweep);
        add_bundle(sweep);
      }
    }
    const std::string paper = text_of(kRoot + "/experiments/flexibility/accelerator.yaml");
    Diagnostics diagnostics;
    arch_ = read_documents({file(paper)}, diagnostics).arch;
    if (!arch_) throw std::runtime_error("there is no accelerator to be flexible");
    add(Kind::kFlexibility, paper);
    add(Kind::kFlexibility, paper.substr(paper.find("\nflexibility:") + 1));
    for (const char* folder : {"/tests/golden", "/tests/error"}) {
      for (const auto& path : testing::files_below(kRoot + folder, {".json"})) {
        add(Kind::kSaved, text_of(path));
      }
    }
  }

  std::string make(Random& random) const {
    std::string text = corpus_[pick(corpus_.size(), random)];
    edit(text, kWords, corpus_, 6, random);
    return text;
  }

  void attempt(const std::string& text) const {
    const std::string body = text.empty() ? text : text.substr(1);
    switch (static_cast<Kind>(text.empty() ? 0 : text.front() & 3)) {
      case Kind::kSweep:
        return try_sweep(body);
      case Kind::kBundle:
        return try_bundle(body);
      case Kind::kFlexibility:
        return try_flexibility(body, *arch_);
      case Kind::kSaved:
        return try_saved(body);
    }
  }

  std::size_t size() const { return corpus_.size(); }

 private:
  static constexpr const char* kWords[] = {"- ",
                                           ": ",
                                           "[",
                                           "]",
                                           "{",
                                           "}",
                                           "*",
                                           "&a ",
                                           "\n",
                                           "9999999999",
                                           "-1",
                                           "0",
                                           "1e999",
                                           "KiB",
                                           "1..3",
                                           "2..16:*2",
                                           "x",
                                           "glb",
                                           "x * ",
                                           "min(",
                                           ")",
                                           "<= ",
                                           "/ 0",
                                           "\"",
                                           "'",
                                           "#",
                                           "\t",
                                           "\xff",
                                           "sweep: ",
                                           "set: ",
                                           "where: ",
                                           "spaces: [pfm]",
                                           "placements: [uneven]",
                                           "budget: 1s",
                                           "workloads: [gemm 4 4 4]",
                                           "orders: ",
                                           "partial: ",
                                           "\"text\": ",
                                           "null",
                                           "\\u0000"};

  void add(Kind kind, const std::string& text) {
    corpus_.push_back(static_cast<char>(kind) + text);
  }

  void add_bundle(const std::string& sweep) {
    Diagnostics diagnostics;
    if (const auto plan = plan_of(sweep, diagnostics)) {
      add(Kind::kBundle, bundle_to_json(plan->bundle()));
    }
  }

  std::optional<Arch> arch_;
  std::vector<std::string> corpus_;
};

}  // namespace

int main(int argc, char** argv) {
  const Fuzzed asked = testing::read_fuzz_options(argc, argv);
  const Studies studies;
  const bool good =
      testing::run_in_shards(asked, {[&](Random& random) { return studies.make(random); },
                                     [&](const std::string& text) { studies.attempt(text); }});
  std::printf("fuzz: %llu inputs from %zu studies in %llu processes, %s\n",
              static_cast<unsigned long long>(asked.inputs), studies.size(),
              static_cast<unsigned long long>(asked.processes), good ? "none bad" : "SOME BAD");
  return good ? 0 : 1;
}
