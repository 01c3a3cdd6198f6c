// SPDX-License-Identifier: Apache-2.0
// The pictures of a page, one function and one source file each. docs/report.md says what they
// mean.
#pragma once

#include "tilewright/arch/arch.h"
#include "tilewright/html/markup.h"
#include "tilewright/html/plan_view.h"
#include "tilewright/mapper/search_trace.h"
#include "tilewright/network/network.h"
#include "tilewright/report/search/search_text.h"
#include "tilewright/result/evaluated.h"
#include "tilewright/result/planned.h"

namespace tilewright {

/// How much a picture tells.
enum class Detail {
  kFull,   ///< hovering gives derivations
  kBrief,  ///< one of many on a page
};

/// The nodes of `arch`, one inside the other, with their energies and bandwidths; how much of them
/// is used if there is an `evaluated` on it.
void arch_figure(Markup& out, const Arch& arch, const Evaluated* evaluated);

/// The nest as a table with a column per tensor: what is kept, and which loops reuse it.
void nest_figure(Markup& out, const Evaluated& evaluated, Detail detail);

/// The compute units: who computes what in the first pass, and in the last one if it is ragged.
void array_figure(Markup& out, const Evaluated& evaluated, Detail detail);

/// Energy by node and tensor.
void energy_figure(Markup& out, const Evaluated& evaluated);

/// Cycles that every node needs, and utilization as a product.
void cycles_figure(Markup& out, const Evaluated& evaluated);

/// Computes a cycle against computes a byte, for every memory with a bandwidth.
void roofline_figure(Markup& out, const Evaluated& evaluated);

/// Best and bound over time; at least one point.
void trace_figure(Markup& out, const SearchTrace& trace);

/// Limits that bind, and what more of each would be worth; MapResult::why must be set.
void why_figure(Markup& out, const MapResult& mapped);

/// The best mappings, or the front of energy and cycles; there must be some.
void alternatives_figure(Markup& out, const MapResult& mapped);

/// Counts by memory and tensor, and how each comes about.
void counts_table(Markup& out, const Evaluated& evaluated);

/// Layers side by side: width is time, height is utilization, colour is the bottleneck.
void timeline_figure(Markup& out, const Network& network, const std::vector<LayerView>& views);

/// The same with energy as the width, cut by level.
void energy_strip_figure(Markup& out, const Planned& planned, const std::vector<LayerView>& views);

/// The time of all layers by what sets it.
void limits_figure(Markup& out, const std::vector<LayerView>& views);

/// The energy of all layers by level.
void levels_figure(Markup& out, const Arch& arch, const std::vector<LayerView>& views);

/// Blocks and their layers, equal ones together, and the totals.
void layers_table(Markup& out, const Planned& planned, const std::vector<LayerView>& views);

}  // namespace tilewright
