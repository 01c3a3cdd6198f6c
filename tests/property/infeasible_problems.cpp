// SPDX-License-Identifier: Apache-2.0
#include "tests/property/infeasible_problems.h"

#include <utility>

namespace tilewright {
namespace {

using testing::SmallCase;
using Kind = Constraint::Kind;

constexpr std::int64_t kKiB = 8 * 1024;  // bits

Rank plain(int dim) { return {{{DimId(dim), 1}}}; }

Workload gemm(std::int64_t m, std::int64_t n, std::int64_t k) {
  return Workload("gemm", {{"m", m}, {"n", n}, {"k", k}},
                  {{.name = "A", .ranks = {plain(0), plain(2)}},
                   {.name = "B", .ranks = {plain(2), plain(1)}},
                   {.name = "Z", .ranks = {plain(0), plain(1)}}});
}

// O[m,p,q] += I[c,p+r,q+s] * W[m,c,r,s], the third layer of AlexNet.
Workload conv() {
  const Rank rows{{{DimId(2), 1}, {DimId(4), 1}}};
  const Rank columns{{{DimId(3), 1}, {DimId(5), 1}}};
  return Workload("conv3", {{"m", 384}, {"c", 256}, {"p", 13}, {"q", 13}, {"r", 3}, {"s", 3}},
                  {{.name = "I", .ranks = {plain(1), rows, columns}},
                   {.name = "W", .ranks = {plain(0), plain(1), plain(4), plain(5)}},
                   {.name = "O", .ranks = {plain(0), plain(2), plain(3)}}});
}

Arch arch(std::string name, std::vector<ArchNode> nodes) {
  return Arch(std::move(name), "", std::nullopt, std::move(nodes), Compute{});
}

// A buffer and registers.
Arch small(std::int64_t glb_bits, std::int64_t reg_bits) {
  return arch("small", {Memory{.name = "DRAM"}, Memory{.name = "GLB", .capacity_bits = glb_bits},
                        Memory{.name = "reg", .capacity_bits = reg_bits}});
}

// Eyeriss: 108 KiB that weights bypass, 14 x 12 PEs, a scratchpad in three parts.
Arch eyeriss(std::int64_t glb_bits = 108 * kKiB) {
  return arch(
      "eyeriss",
      {Memory{.name = "DRAM"},
       Memory{.name = "GLB", .capacity_bits = glb_bits, .keep = {false, {"I", "O"}}},
       Fanout{.name = "PE", .axes = {{"X", 14}, {"Y", 12}}},
       Memory{.name = "spad", .partitions = {{"I", 12 * 16}, {"W", 224 * 16}, {"O", 24 * 16}}}});
}

// Weights stand still in 128 x 128 units; sums are collected in a memory of their own.
Arch systolic(std::int64_t sums_bits) {
  return arch(
      "systolic",
      {Memory{.name = "DRAM"},
       Memory{
           .name = "UB", .capacity_bits = 24 * 1024 * kKiB, .buffering = 2, .keep = {false, {"A"}}},
       Memory{.name = "sums", .capacity_bits = sums_bits, .keep = {false, {"Z"}}},
       Fanout{.name = "MXU", .axes = {{"X", 128}, {"Y", 128}}},
       Memory{.name = "reg", .capacity_bits = 16, .keep = {false, {"B"}}}});
}

// Writes constraints by the names of the problem.
class Builder {
 public:
  Builder(Workload workload, Arch arch, SpaceKind kind = SpaceKind::kRuby)
      : given_{Problem(std::move(workload), std::move(arch)), kind, {}} {}

  Builder& factor(Kind kind, std::string_view node, std::string_view dim, std::int64_t value) {
    Constraint& made = add(kind, node);
    made.dim = *given_.problem.workload().find_dim(dim);
    made.value = value;
    return *this;
  }
  Builder& equal(std::string_view node, std::string_view dim, std::int64_t value) {
    return factor(Kind::kEqual, node, dim, value);
  }
  Builder& least(std::string_view node, std::string_view dim, std::int64_t value) {
    return factor(Kind::kAtLeast, node, dim, value);
  }
  Builder& most(std::string_view node, std::string_view dim, std::int64_t value) {
    return factor(Kind::kAtMost, node, dim, value);
  }
  Builder& keep(std::string_view node, const std::vector<std::string>& tensors) {
    add(Kind::kKeep, node).tensors = set(tensors);
    return *this;
  }
  Builder& bypass(std::string_view node, const std::vector<std::string>& tensors) {
    add(Kind::kBypass, node).tensors = set(tensors);
    return *this;
  }
  Builder& perfect(std::string_view node) {
    add(Kind::kPerfect, node);
    return *this;
  }
  Builder& dims(std::string_view axis, const std::vector<std::string>& names) {
    Constraint& made = add(Kind::kAxisDims, axis);
    for (const std::string& name : names) {
      made.dims.push_back(*given_.problem.workload().find_dim(name));
    }
    return *this;
  }
  Builder& busy(std::string_view fanout, std::int64_t percent) {
    add(Kind::kUtilization, fanout).share = make_rational(percent, 100);
    return *this;
  }
  SmallCase done() const { return given_; }

 private:
  // `node` is the name of a node, or `fanout.axis`.
  Constraint& add(Kind kind, std::string_view node) {
    Constraint& made = given_.constraints.emplace_back();
    made.kind = kind;
    const std::size_t dot = node.find('.');
    made.node = *given_.problem.arch().find(node.substr(0, dot));
    if (dot == std::string_view::npos) return made;
    const std::vector<Axis>& axes = given_.problem.arch().fanout(made.node).axes;
    made.axis = 0;
    while (axes[static_cast<std::size_t>(made.axis)].name != node.substr(dot + 1)) ++made.axis;
    return made;
  }
  TensorSet set(const std::vector<std::string>& names) const {
    TensorSet result = 0;
    for (const std::string& name : names) {
      result |= only(*given_.problem.workload().find_tensor(name));
    }
    return result;
  }

  SmallCase given_;
};

std::string node_text(const Arch& arch, NodeId node, int axis) {
  const std::string& name = node_name(arch.nodes()[node.pos()]);
  if (axis < 0) return name;
  return name + "." + arch.fanout(node).axes[static_cast<std::size_t>(axis)].name;
}

std::string constraint_text(const SmallCase& given, const Constraint& constraint) {
  const Workload& workload = given.problem.workload();
  const std::string node = node_text(given.problem.arch(), constraint.node, constraint.axis);
  const auto factor = [&](const char* relation) {
    return node + ": " + workload.dim(constraint.dim).name + relation +
           std::to_string(constraint.value);
  };
  std::string tensors;
  for (std::size_t t = 0; t < workload.tensors().size(); ++t) {
    if ((constraint.tensors & only(TensorId(t))) != 0) tensors += " " + workload.tensors()[t].name;
  }
  std::string dims;
  for (const DimId dim : constraint.dims) dims += " " + workload.dim(dim).name;
  const Rational& share = constraint.share;
  switch (constraint.kind) {
    case Kind::kKeep:
      return node + " keeps" + tensors;
    case Kind::kBypass:
      return node + " bypasses" + tensors;
    case Kind::kEqual:
      return factor(" = ");
    case Kind::kAtMost:
      return factor(" <= ");
    case Kind::kAtLeast:
      return factor(" >= ");
    case Kind::kPerfect:
      return node + ": no remainders";
    case Kind::kOrder:
      return node + ": order";
    case Kind::kAxisDims:
      return node + ": only" + dims;
    case Kind::kUtilization:
      return node + " >= " + std::to_string(share.num) + "/" + std::to_string(share.den) + " busy";
  }
  return "";
}

void add(std::vector<BuiltProblem>& all, const char* name, const Builder& builder,
         const char* expected) {
  all.push_back({name, builder.done(), expected});
}

// Factors, keeps and capacities.
void add_tiles(std::vector<BuiltProblem>& all) {
  add(all, "one factor twice",
      Builder(gemm(64, 64, 8), small(64 * kKiB, 4096)).equal("GLB", "k", 8).equal("reg", "k", 8),
      "GLB: k = 8 -> 1; reg: k = 8 -> 1");
  add(all, "a tile too large",
      Builder(gemm(512, 512, 512), small(64 * kKiB, 512))
          .keep("GLB", {"A", "B", "Z"})
          .least("GLB", "m", 256)
          .least("GLB", "k", 256),
      "GLB keeps A B Z; GLB: m >= 256 -> 126; GLB: k >= 256 -> 126; "
      "GLB has 524288 bits -> 1056768");
  add(all, "not a divisor",
      Builder(gemm(100, 64, 64), small(64 * kKiB, 4096), SpaceKind::kPfm).equal("GLB", "m", 48),
      "GLB: m = 48 -> 50; pfm");
  add(all, "keep and bypass",
      Builder(gemm(64, 64, 64), small(64 * kKiB, 4096))
          .keep("GLB", {"A"})
          .bypass("GLB", {"A", "B"}),
      "GLB keeps A; GLB bypasses A B");
  add(all, "bypass of the home",
      Builder(gemm(64, 64, 64), small(64 * kKiB, 4096)).bypass("DRAM", {"B"}), "DRAM bypasses B");
  add(all, "whole tensors on the chip",
      Builder(gemm(512, 512, 512),
              arch("chip", {Memory{.name = "SRAM", .capacity_bits = 1024 * kKiB},
                            Memory{.name = "reg", .capacity_bits = 48}})),
      "SRAM has 8388608 bits -> 12582912");
  add(all, "outputs that stay",
      Builder(gemm(256, 256, 64),
              arch("stay",
                   {Memory{.name = "DRAM", .keep = {false, {"A", "B"}}},
                    Memory{.name = "sums", .capacity_bits = 64 * kKiB, .keep = {false, {"Z"}}}})),
      "what DRAM may keep; sums has 524288 bits -> 1048576");
  add(all, "remainders at one memory",
      Builder(gemm(97, 64, 64), small(64 * kKiB, 4096))
          .perfect("GLB")
          .least("GLB", "m", 2)
          .most("GLB", "m", 32)
          .equal("reg", "m", 1),
      "GLB: no remainders; GLB: m >= 2 -> 1; GLB: m <= 32 -> 97; reg: m = 1 -> 2");
  add(all, "two at once, the smaller",
      Builder(gemm(64, 64, 8), small(64 * kKiB, 512))
          .keep("reg", {"A", "B", "Z"})
          .least("reg", "m", 8)
          .least("reg", "n", 8)
          .equal("GLB", "k", 8)
          .equal("reg", "k", 2),
      "GLB: k = 8 -> 4; reg: k = 2 -> 1 (not the only conflict)");
}

// Fan-outs, as they are built.
void add_arrays(std::vector<BuiltProblem>& all) {
  add(all, "row stationary, too deep",
      Builder(conv(), eyeriss())
          .keep("spad", {"I", "W", "O"})
          .equal("spad", "s", 3)
          .least("spad", "c", 8)
          .dims("PE.X", {"q", "m"})
          .dims("PE.Y", {"r", "c", "m"}),
      "spad keeps I W O; spad: s = 3 -> 1; spad: c >= 8 -> 4; "
      "spad has 192 bits for I -> 384");
  add(all, "too few rows to fill",
      Builder(conv(), eyeriss()).dims("PE.X", {"q"}).dims("PE.Y", {"r"}).busy("PE", 50),
      "PE.X: only q; PE.Y: only r; PE >= 1/2 busy -> 39 (not the only conflict)");
  add(all, "primes on an array",
      Builder(gemm(127, 131, 137),
              arch("array",
                   {Memory{.name = "DRAM"}, Fanout{.name = "PE", .axes = {{"X", 16}, {"Y", 16}}},
                    Memory{.name = "reg", .capacity_bits = 48}}),
              SpaceKind::kPfm)
          .busy("PE", 50),
      "PE >= 1/2 busy -> 1; PE.X has 16; PE.Y has 16; pfm");
  add(all, "a busy array, a small buffer",
      Builder(conv(), eyeriss(640)).keep("GLB", {"I", "O"}).busy("PE", 90).dims("PE.X", {"p", "q"}),
      "GLB keeps I O; PE >= 9/10 busy -> 108; PE.X: only p q; GLB has 640 bits -> 880; "
      "PE.Y has 12 -> 4");
  add(all, "weights too narrow",
      Builder(gemm(4096, 1024, 100), systolic(4096 * kKiB))
          .dims("MXU.X", {"n"})
          .dims("MXU.Y", {"k"})
          .busy("MXU", 90),
      "MXU.Y: only k; MXU >= 9/10 busy -> 12800; MXU.X has 128");
  add(all, "double buffering",
      Builder(gemm(8192, 1024, 1024), systolic(4096 * kKiB))
          .equal("DRAM", "m", 1)
          .keep("UB", {"A"})
          .most("DRAM", "k", 1),
      "DRAM: m = 1 -> 2; UB keeps A; DRAM: k <= 1 -> 2; "
      "UB has 201326592 bits -> 268435456");
  add(all, "an axis too short",
      Builder(gemm(4096, 1024, 1024), systolic(4096 * kKiB))
          .least("MXU.X", "n", 64)
          .least("MXU.X", "k", 4),
      "MXU.X: n >= 64 -> 32; MXU.X: k >= 4 -> 2; MXU.X has 128 -> 256");
}

}  // namespace

std::string demand_text(const SmallCase& given, const Demand& demand) {
  const Arch& arch = given.problem.arch();
  switch (demand.kind) {
    case Demand::Kind::kConstraint:
      return constraint_text(given, given.constraints[static_cast<std::size_t>(demand.constraint)]);
    case Demand::Kind::kCapacity:
      return node_text(arch, demand.node, -1) + " has " +
             std::to_string(*arch.memory(demand.node).capacity_bits) + " bits";
    case Demand::Kind::kPartition: {
      const auto& part = given.problem.memory(demand.node).partition_bits[demand.tensor.pos()];
      return node_text(arch, demand.node, -1) + " has " + std::to_string(*part) + " bits for " +
             given.problem.workload().tensor(demand.tensor).name;
    }
    case Demand::Kind::kAxis: {
      const Axis& axis = arch.fanout(demand.node).axes[static_cast<std::size_t>(demand.axis)];
      return node_text(arch, demand.node, demand.axis) + " has " + std::to_string(axis.size);
    }
    case Demand::Kind::kMayKeep:
      return "what " + node_text(arch, demand.node, -1) + " may keep";
    case Demand::Kind::kSpace:
      return std::string(space_name(given.kind));
  }
  return "";
}

std::vector<BuiltProblem> infeasible_problems() {
  std::vector<BuiltProblem> all;
  add_tiles(all);
  add_arrays(all);
  return all;
}

}  // namespace tilewright
