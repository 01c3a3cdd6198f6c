// SPDX-License-Identifier: Apache-2.0
#include "tilewright/io/write.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "tilewright/base/random.h"
#include "tilewright/io/read_test_support.h"

namespace tilewright {
namespace {

void expect_round_trip(const Workload& workload) {
  const std::string text = write_workload(workload);
  Diagnostics diagnostics;
  const auto again = read_workload(source_text("w.yaml", text), diagnostics);
  ASSERT_TRUE(again) << text << render_text(diagnostics, false);
  EXPECT_EQ(*again, workload) << text;
}

void expect_round_trip(const Arch& arch) {
  const std::string text = write_arch(arch);
  Diagnostics diagnostics;
  const auto again = read_arch(source_text("a.yaml", text), diagnostics);
  ASSERT_TRUE(again) << text << render_text(diagnostics, false);
  EXPECT_EQ(*again, arch) << text;
}

TEST(WriteWorkload, ReadsWell) {
  const auto w = workload_of("workload: {gemm: {m: 2, n: 3, k: 4}, bits: {A: 8}}");
  EXPECT_EQ(write_workload(*w),
            "workload:\n"
            "  name: gemm\n"
            "  einsum: Z[m,n] += A[m,k] * B[k,n]\n"
            "  dims: {m: 2, n: 3, k: 4}\n"
            "  bits: {A: 8, B: 16, Z: 16}\n"
            "  roles: {A: input, B: weight, Z: output}\n");
}

TEST(WriteArch, ReadsWell) {
  const char* const text =
      "arch:\n"
      "  name: small\n"
      "  note: \"as in: the paper\"\n"
      "  clock: 200 MHz\n"
      "  nodes:\n"
      "    - memory: GLB\n"
      "      capacity: 128 KiB\n"
      "      bandwidth: 64 bit/cycle\n"
      "      energy: {read: 2.5 pJ, write: 3 pJ}\n"
      "      keep: [input, output]\n"
      "      sliding: false\n"
      "    - fanout: PE\n"
      "      axes: {X: 14, Y: 12}\n"
      "      multicast: none\n"
      "    - compute: mac\n"
      "      energy: 2.2 pJ\n";
  EXPECT_EQ(write_arch(*arch_of(text)), text);
}

TEST(WriteWorkload, ReadsBackWhateverTheNames) {
  for (const char* name : {"", "null", "true", "8", "a: b", "it's \"so\"", "a\nb\tc", "- x",
                           "\xC2\xB5", "#", "back\\slash", " lead", "~"}) {
    const auto w = workload_of("workload: {einsum: 'n[y] += no[y,null]', dims: {y: 2, null: 3}}");
    ASSERT_TRUE(w);
    const Workload named(name, {w->dims().begin(), w->dims().end()},
                         {w->tensors().begin(), w->tensors().end()});
    expect_round_trip(named);
  }
}

TEST(WriteWorkload, ReadsBackToTheSame) {
  for (const char* text :
       {"{gemm: {m: 2, n: 3, k: 4}}",
        "{conv: {m: 4, c: 2, groups: 2, stride: [2, 3], dilation: 2}}",
        "{einsum: 'O[] += A[-p-2*q,0]', dims: {p: 3, q: 9}}",
        "{einsum: 'O[m] += A[m] * B[m] * C[m]', dims: {m: 1}, roles: {A: output, B: weight}}",
        "{einsum: 'O[m] += A[m]', dims: {m: 4611686018427387904}, bits: 4096}"}) {
    expect_round_trip(*workload_of(std::string("workload: ") + text));
  }
}

class RandomArch {
 public:
  explicit RandomArch(std::uint64_t seed) : random_(seed) {}

  Arch make() {
    std::vector<ArchNode> nodes;
    const std::int64_t count = random_.between(1, 6);
    for (std::int64_t i = 0; i < count; ++i) {
      if (i > 0 && random_.one_in(3)) {
        nodes.emplace_back(fanout(i));
      } else {
        nodes.emplace_back(memory(i));
      }
    }
    Compute compute;
    compute.energy_pj = maybe_figure();
    if (random_.one_in(2)) compute.source = "by \"hand\": 1";
    compute.leakage_pj_per_cycle = figure();
    compute.area_um2 = figure();
    std::optional<Rational> clock;
    if (random_.one_in(2)) clock = rate(true);
    return {random_.one_in(2) ? "x" : "", random_.one_in(2) ? "a note\nof two lines" : "", clock,
            std::move(nodes), std::move(compute)};
  }

 private:
  double figure() {
    const double value = std::ldexp(static_cast<double>(random_.next() >> 11U),
                                    -static_cast<int>(random_.between(14, 70)));
    return value >= 1e-6 && !random_.one_in(4) ? value : 0.0;
  }
  std::optional<double> maybe_figure() {
    if (random_.one_in(3)) return std::nullopt;
    return figure();
  }
  std::int64_t number() {
    return 1 + (random_.between(0, INT64_MAX - 1) >> random_.between(14, 62));
  }
  Rational rate(bool above_one = false) {
    const std::int64_t den = 1 + (random_.between(0, INT64_MAX - 1) >> random_.between(34, 62));
    return make_rational(above_one ? number() + den : number(), den);
  }
  std::optional<Rational> maybe_rate() {
    if (random_.one_in(2)) return std::nullopt;
    return rate();
  }
  Selection selection() {
    if (random_.one_in(2)) return {};
    return random_.one_in(2) ? Selection{false, {}} : Selection{false, {"output", "A", "null"}};
  }

  Memory memory(std::int64_t i) {
    Memory m;
    m.name = "m" + std::to_string(i);
    if (random_.one_in(2)) m.capacity_bits = number() - 1;
    if (random_.one_in(2)) m.partitions = {{"input", number()}, {"weight", number() - 1}};
    if (random_.one_in(2)) m.bits = {{"W", random_.between(1, 4096)}};
    m.buffering = random_.one_in(2) ? 1 : number();
    if (random_.one_in(2)) m.width_bits = number();
    m.read_bandwidth = maybe_rate();
    m.write_bandwidth = maybe_rate();
    m.shared_bandwidth = maybe_rate();
    m.energy = {maybe_figure(), maybe_figure(), maybe_figure(), random_.one_in(2) ? "s, t" : ""};
    if (random_.one_in(2)) m.energy.update_pj = m.energy.fill_pj;
    m.leakage_pj_per_cycle = figure();
    m.area_um2 = figure();
    m.keep = selection();
    m.sliding = selection();
    if (random_.one_in(3)) m.off_chip = random_.one_in(2);
    return m;
  }

  Fanout fanout(std::int64_t i) {
    Fanout f;
    f.name = "f-" + std::to_string(i);
    const char* const names[] = {"X", "Y", "n", "z.1"};
    for (std::int64_t a = 0; a < random_.between(0, 4); ++a) {
      f.axes.push_back({names[a], random_.between(1, 3)});
    }
    f.multicast = static_cast<Multicast>(random_.between(0, 2));
    f.reduction = random_.one_in(2);
    return f;
  }

  Random random_;
};

TEST(WriteArch, ReadsBackToTheSame) {
  for (std::uint64_t seed = 0; seed < 2'000; ++seed) {
    SCOPED_TRACE(seed);
    expect_round_trip(RandomArch(seed).make());
  }
}

}  // namespace
}  // namespace tilewright
