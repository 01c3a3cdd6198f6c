// SPDX-License-Identifier: Apache-2.0
// A small problem for the tests of the mapping's readers, writers and messages.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tilewright/io/diagnostic.h"
#include "tilewright/mapping/problem.h"

namespace tilewright {

/// Outputs[m,p,q] += Inputs[c,2p+r,2q+s] * Weights[m,c,r,s], sizes as in a first layer.
inline Workload strided_conv(std::int64_t bits = 8) {
  const DimId m(0), c(1), p(2), q(3), r(4), s(5);
  const auto plain = [](DimId dim) { return Rank{{Term{dim, 1}}}; };
  const Rank rows{{Term{p, 2}, Term{r, 1}}};
  const Rank columns{{Term{q, 2}, Term{s, 1}}};
  return Workload("conv", {{"m", 64}, {"c", 3}, {"p", 112}, {"q", 112}, {"r", 3}, {"s", 3}},
                  {Tensor{"Inputs", "input", bits, {plain(c), rows, columns}},
                   Tensor{"Weights", "weight", bits, {plain(m), plain(c), plain(r), plain(s)}},
                   Tensor{"Outputs", "output", bits, {plain(m), plain(p), plain(q)}}});
}

inline Memory memory_of(std::string name, std::optional<std::int64_t> capacity_bits = {}) {
  Memory memory;
  memory.name = std::move(name);
  memory.capacity_bits = capacity_bits;
  return memory;
}

inline Fanout fanout_of(std::string name, std::vector<Axis> axes) {
  Fanout fanout;
  fanout.name = std::move(name);
  fanout.axes = std::move(axes);
  return fanout;
}

/// DRAM, GLB of `glb_bits`, PE 14 x 12, COL 4, spad, mac.
inline Arch small_arch(std::optional<std::int64_t> glb_bits = {}) {
  return Arch(
      "small", "", std::nullopt,
      {memory_of("DRAM"), memory_of("GLB", glb_bits), fanout_of("PE", {{"X", 14}, {"Y", 12}}),
       fanout_of("COL", {{"Z", 4}}), memory_of("spad")},
      Compute{});
}

inline Problem small_problem(std::optional<std::int64_t> glb_bits = {}) {
  return Problem(strided_conv(), small_arch(glb_bits));
}

inline std::shared_ptr<const SourceFile> source_file(std::string name, std::string text) {
  return std::make_shared<const SourceFile>(SourceFile{std::move(name), std::move(text)});
}

/// `code line:column+length message` of every finding, one a line, with `  help: ...` lines.
inline std::string summary(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& finding : diagnostics.all()) {
    text += finding.code;
    for (const Label& label : finding.labels) {
      text += " " + std::to_string(label.span.line) + ":" + std::to_string(label.span.column) +
              "+" + std::to_string(label.span.length);
    }
    text += " " + finding.message + "\n";
    for (const std::string& help : finding.helps) text += "  help: " + help + "\n";
  }
  return text;
}

}  // namespace tilewright
