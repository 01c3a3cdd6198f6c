// SPDX-License-Identifier: Apache-2.0
// Proofs of random optima are all accepted, each in at most ten times what the search took or one
// second; forgeries of them are all refused: a worse mapping, another problem, price, objective,
// space, convention or fewer constraints, each also with score, roots and nodes repaired until
// nothing is asked for any more; numbers at the ends of their ranges; keys twice; true proofs of
// something else than the user's files. And with a score just above the optimum's the verifier
// finds a mapping that scores less, whatever it is shown: no bound of its own hides the optimum.
//   property.forgeries [--quick] [--proofs N] [--forgeries N] [--seed S]
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include "tests/property/forging.h"
#include "tests/support/proved_case.h"
#include "tilewright/base/random.h"
#include "tilewright/verify/proof/proof.h"
#include "tilewright/verify/tolerance.h"
#include "tilewright/verify/tree/checker.h"
#include "tilewright/verify/verify.h"

namespace tilewright {
namespace {

using testing::Forgery;
using testing::ProvedCase;
using verify::Verdict;

struct Asked {
  std::uint64_t proofs = 1000;
  std::uint64_t forgeries = 8000;
  std::uint64_t seed = 1;
};

class Trial {
 public:
  explicit Trial(const Asked& asked) : asked_(asked), random_(asked.seed) {}

  int run() {
    for (std::uint64_t index = 0; accepted_ < asked_.proofs && bad_ < 10; ++index) {
      const testing::Mix mix = index % 3 == 0 ? testing::Mix::kWiderSums : testing::Mix::kAny;
      const auto proved = index % 5 == 1 ? testing::make_uneven_proved_case(asked_.seed, index)
                                         : testing::make_proved_case(asked_.seed, index, mix);
      if (!proved) continue;
      name_ = "case " + std::to_string(index);
      accept(*proved);
      find_better(*proved);
      if (index % 4 != 0 && forged_ < asked_.forgeries) refuse(*proved);
    }
    for (const auto& [kind, count] : kinds_) {
      std::printf("  %6llu refused: %s\n", static_cast<unsigned long long>(count), kind.c_str());
    }
    std::printf(
        "verifier: %llu of %llu forgeries refused; %llu genuine proofs accepted, and %llu claims "
        "about other problems that are so; %llu claims of a little more than the optimum refused; "
        "slowest %.2f s (%.1f times its search)\n",
        count(forged_ - believed_), count(forged_), count(accepted_), count(also_so_),
        count(sharp_), slowest_, slowest_ / slowest_search_);
    return bad_ == 0 && accepted_ >= asked_.proofs && forged_ >= asked_.forgeries / 2 ? 0 : 1;
  }

 private:
  static unsigned long long count(std::uint64_t number) { return number; }

  void complain(const std::string& what) {
    std::printf("%s: %s\n", name_.c_str(), what.c_str());
    ++bad_;
  }

  void accept(const ProvedCase& proved) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    const Verdict verdict = verify::verify_proof(proved.text, testing::own_files(proved.made));
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (!verdict.ok) return complain("a genuine proof is refused: " + verdict.why);
    ++accepted_;
    if (seconds > 1 && seconds > 10 * proved.seconds) {
      complain("verified in " + std::to_string(seconds) + " s, found in " +
               std::to_string(proved.seconds) + " s");
    }
    if (seconds <= slowest_) return;
    slowest_ = seconds;
    slowest_search_ = proved.seconds;
  }

  void find_better(const ProvedCase& proved) {
    verify::Proof claim = verify::read_proof(proved.text);
    if (claim.score <= 0) return;
    claim.score *= 1 + 4 * verify::tolerance(claim.objective);
    ++sharp_;
    try {
      verify::find_needed(claim);
    } catch (const verify::Refusal&) {
      return;
    }
    complain("the verifier finds no mapping that scores as little as the optimum");
  }

  void refuse(const ProvedCase& proved) {
    for (const Forgery& forgery : testing::forge(proved, random_)) {
      const Verdict verdict = verify::verify_proof(forgery.text, forgery.own);
      if (!forgery.false_) {
        if (!verdict.ok) complain(forgery.kind + ", but so: refused: " + verdict.why);
        ++also_so_;
        continue;
      }
      ++forged_;
      if (!verdict.ok) {
        ++kinds_[forgery.kind];
        continue;
      }
      ++believed_;
      complain("accepted: " + forgery.kind);
      std::printf("%s\n", forgery.text.c_str());
    }
  }

  Asked asked_;
  Random random_;
  std::string name_;
  std::map<std::string, std::uint64_t> kinds_;
  std::uint64_t accepted_ = 0;
  std::uint64_t forged_ = 0;
  std::uint64_t believed_ = 0;
  std::uint64_t also_so_ = 0;
  std::uint64_t sharp_ = 0;
  std::uint64_t bad_ = 0;
  double slowest_ = 0;
  double slowest_search_ = 1;
};

}  // namespace
}  // namespace tilewright

int main(int argc, char** argv) {
  tilewright::Asked asked;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--quick") {
      asked.proofs = 60;
      asked.forgeries = 2000;
      continue;
    }
    if (i + 1 == argc) break;
    const std::uint64_t value = std::strtoull(argv[++i], nullptr, 10);
    if (option == "--proofs") asked.proofs = value;
    if (option == "--forgeries") asked.forgeries = value;
    if (option == "--seed") asked.seed = value;
  }
  return tilewright::Trial(asked).run();
}
