// SPDX-License-Identifier: Apache-2.0
// What it runs on: memories and fan-outs from the outermost inwards, and the compute units.
// Tensors are named by text (a name or a role); mapping/problem.h resolves them for a workload.
// See docs/glossary.md ("memory", "fan-out", "axis", "instance").
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tilewright/base/checked.h"
#include "tilewright/base/index.h"

namespace tilewright {

/// A number for one tensor, named by tensor name or role.
struct PerTensor {
  std::string tensor;
  std::int64_t value = 0;
  bool operator==(const PerTensor&) const = default;
};

/// The width of the elements of one tensor (named by tensor name or role) in a memory. Partial sums
/// may be wider than finished elements; if `partial_bits` is absent, they are equally wide.
struct ElementWidth {
  std::string tensor;
  std::int64_t bits = 0;
  std::optional<std::int64_t> partial_bits = std::nullopt;
  bool operator==(const ElementWidth&) const = default;
};

/// Which tensors: all of them, or just those named (by tensor name or role).
struct Selection {
  bool all = true;
  std::vector<std::string> names;  ///< meaningful only if !all; may be empty: none
  bool operator==(const Selection&) const = default;
};

/// Energy of one action in pJ: of an access (Memory::width_bits), or of each bit that it moves.
/// Absent means "not given", which reports show; it counts as 0.
struct ActionEnergy {
  std::optional<double> read_pj;
  std::optional<double> fill_pj;    ///< a word arriving from the memory outside
  std::optional<double> update_pj;  ///< a result arriving from inside
  std::string source;               ///< where the figures come from; empty if not given
  bool per_bit = false;             ///< all three
  bool operator==(const ActionEnergy&) const = default;
};

/// A storage level. All figures are per instance.
struct Memory {
  std::string name;
  std::optional<std::int64_t> capacity_bits;  ///< shared by what it keeps; absent: unlimited
  std::vector<PerTensor>
      partitions;  ///< bits reserved for one tensor each; that tensor uses no shared capacity
  std::int64_t buffering =
      1;  ///< 2 for double buffering: a tile may use 1/buffering of the capacity
  std::optional<std::int64_t> width_bits;  ///< what one access moves; absent: one element
  std::vector<ElementWidth> bits;  ///< element widths here, where they differ from the workload's
  std::optional<Rational> read_bandwidth;    ///< bits per cycle; absent: unlimited
  std::optional<Rational> write_bandwidth;   ///< bits per cycle for fills and updates together
  std::optional<Rational> shared_bandwidth;  ///< bits per cycle for all three
  ActionEnergy energy;
  double leakage_pj_per_cycle = 0;
  double area_um2 = 0;
  Selection keep;                ///< tensors that it may keep
  Selection sliding;             ///< tensors whose overlap of consecutive tiles it retains
  std::optional<bool> off_chip;  ///< absent: Arch::is_off_chip decides
  bool operator==(const Memory&) const = default;
};

/// How the energies of a memory are charged for elements of one width: an access, at the energy
/// given times `factor`, moves `block` of them (docs/model.md (17)).
struct Charge {
  std::int64_t block = 1;
  double factor = 1;
};

Charge charge_of(const Memory& memory, std::int64_t bits);

/// How one read serves several children of a fan-out (docs/model.md section 4).
enum class Multicast {
  kNone,     ///< every child is served by a read of its own
  kEqual,    ///< children that receive the same tile are served by one read
  kOverlap,  ///< every element is read once, even where tiles overlap only in part
};

struct Axis {
  std::string name;
  std::int64_t size = 1;
  bool operator==(const Axis&) const = default;
};

/// Replicates everything inside it; the number of copies is the product of its axes' sizes.
struct Fanout {
  std::string name;
  std::vector<Axis> axes;
  Multicast multicast = Multicast::kEqual;
  bool reduction = true;  ///< results for the same tile are summed as they leave the fan-out
  bool operator==(const Fanout&) const = default;
};

/// The innermost node: one multiply-accumulate per cycle and unit.
struct Compute {
  std::string name = "mac";
  std::optional<double> energy_pj;
  std::string source;
  double leakage_pj_per_cycle = 0;
  double area_um2 = 0;
  bool operator==(const Compute&) const = default;
};

using ArchNode = std::variant<Memory, Fanout>;

/// An accelerator: a plain value.
///
/// Invariant (checked by the constructor, InternalError): at least one memory, the outermost node
/// is a memory, at most kMaxNodes nodes, names unique and not empty, sizes >= 1, at most kMaxAxes
/// axes per fan-out with unique names, the number of compute units fits in 31 bits.
class Arch {
 public:
  static constexpr int kMaxNodes = 32;
  static constexpr int kMaxAxes = 4;

  Arch(std::string name, std::string note, std::optional<Rational> clock_hz,
       std::vector<ArchNode> outermost_first, Compute compute);

  const std::string& name() const { return name_; }
  const std::string& note() const { return note_; }  ///< free text: what it models, and its source
  const std::optional<Rational>& clock_hz() const { return clock_hz_; }
  std::span<const ArchNode> nodes() const { return nodes_; }
  const Compute& compute() const { return compute_; }

  bool is_memory(NodeId id) const { return std::holds_alternative<Memory>(nodes_[id.pos()]); }
  const Memory& memory(NodeId id) const { return std::get<Memory>(nodes_[id.pos()]); }
  const Fanout& fanout(NodeId id) const { return std::get<Fanout>(nodes_[id.pos()]); }
  /// Memories only, outermost first.
  std::span<const NodeId> memories() const { return memories_; }
  /// Fan-outs only, outermost first.
  std::span<const NodeId> fanouts() const { return fanouts_; }
  /// Copies of the node: the product of the fan-outs outside it.
  std::int64_t instances(NodeId id) const { return instances_[id.pos()]; }
  std::int64_t compute_units() const { return instances_.back(); }

  /// Whether traffic of this memory leaves the chip: as Memory::off_chip says. If that is absent:
  /// the outermost memory, and one without a capacity that may keep only what none outside it may.
  bool is_off_chip(NodeId memory) const;
  /// Those of memories() whose traffic leaves the chip.
  std::vector<NodeId> off_chip_memories() const;

  std::optional<NodeId> find(std::string_view name) const;

  bool operator==(const Arch&) const = default;

 private:
  std::string name_;
  std::string note_;
  std::optional<Rational> clock_hz_;
  std::vector<ArchNode> nodes_;
  Compute compute_;
  std::vector<NodeId> memories_;
  std::vector<NodeId> fanouts_;
  std::vector<std::int64_t> instances_;  // one per node, then the compute units
};

/// The name of a node of either kind.
const std::string& node_name(const ArchNode& node);

/// Why these parts do not form an Arch, one sentence each; empty if they do.
std::vector<std::string> find_arch_faults(std::span<const ArchNode> nodes, const Compute& compute);

}  // namespace tilewright
