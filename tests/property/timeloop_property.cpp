// SPDX-License-Identifier: Apache-2.0
// On random problems and nests, with every convention of Timeloop switched off the counter of
// tilewright/compat gives what our model gives: nothing of the difference is left unexplained.
//   property.timeloop [--cases N] [--seed S]
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>

#include "tests/support/options.h"
#include "tests/support/random_case.h"
#include "tilewright/compat/compare.h"

namespace {

using namespace tilewright;
using compat::ComparedFigure;
using compat::Contribution;
using compat::TimeloopComparison;

struct Mix {
  std::uint64_t compared = 0, unsayable = 0, unseparated = 0, unexplained = 0;
  std::map<std::string, std::uint64_t> touched;  // cases by convention
};

void check(std::uint64_t seed, std::uint64_t index, Mix& mix) {
  const testing::RandomCase c = testing::make_case(seed, index);
  const TimeloopComparison comparison = compat::compare_with_timeloop(c.problem, c.mapping);
  if (!comparison.obstacles.empty()) {
    ++mix.unsayable;
    return;
  }
  ++mix.compared;
  if (!comparison.separated) ++mix.unseparated;
  std::map<std::string, bool> touched;
  bool explained = true;
  for (const ComparedFigure& figure : comparison.figures) {
    for (const Contribution& part : figure.contributions) {
      touched[std::string(comparison.conventions[part.convention].name)] = true;
    }
    if (figure.unexplained == 0) continue;
    explained = false;
    std::printf("  case %llu, %s: ours %.10g, left over %.10g\n",
                static_cast<unsigned long long>(index), to_text(c.problem, figure.name).c_str(),
                figure.ours, figure.unexplained);
  }
  if (!explained) ++mix.unexplained;
  for (const auto& [name, yes] : touched) ++mix.touched[name];
}

}  // namespace

int main(int argc, char** argv) {
  testing::Options options = testing::read_options(argc, argv, {{"--cases", 500}, {"--seed", 1}});
  Mix mix;
  for (std::uint64_t i = 0; i < options["--cases"]; ++i) check(options["--seed"], i, mix);
  for (const auto& [name, cases] : mix.touched) {
    std::printf("  %-24s %6llu\n", name.c_str(), static_cast<unsigned long long>(cases));
  }
  const bool holds = mix.unexplained == 0 && mix.compared > 0;
  std::printf(
      "timeloop: %llu cases compared, %llu unexplained, %llu not separated; %llu that "
      "Timeloop cannot map\n",
      static_cast<unsigned long long>(mix.compared),
      static_cast<unsigned long long>(mix.unexplained),
      static_cast<unsigned long long>(mix.unseparated),
      static_cast<unsigned long long>(mix.unsayable));
  return holds ? 0 : 1;
}
