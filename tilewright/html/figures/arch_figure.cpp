// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tilewright/format/number_text.h"
#include "tilewright/html/figures/figures.h"
#include "tilewright/html/parts.h"

namespace tilewright {
namespace {

std::string multicast_text(Multicast multicast) {
  switch (multicast) {
    case Multicast::kNone:
      return "no multicast";
    case Multicast::kEqual:
      return "multicast of equal tiles";
    case Multicast::kOverlap:
      return "multicast, also of overlapping tiles";
  }
  return "";
}

std::string copies_text(const Fanout& fanout) {
  std::string axes;
  std::int64_t copies = 1;
  for (const Axis& axis : fanout.axes) {
    if (!axes.empty()) axes += " x ";
    axes += count_text(axis.size) + " (" + axis.name + ")";
    copies = checked_mul(copies, axis.size);
  }
  const std::string product = fanout.axes.size() > 1 ? " = " + count_text(copies) : "";
  return fmt::format("{}{} copies of what is inside; {}{}", axes, product,
                     multicast_text(fanout.multicast),
                     fanout.reduction ? ", reduction on the way out" : "");
}

std::string names_text(const Selection& selection) {
  if (selection.names.empty()) return "nothing";
  return fmt::format("{}", fmt::join(selection.names, ", "));
}

std::string pj_text(const std::optional<double>& pj) {
  return pj ? significant_text(*pj, 3) + " pJ" : "not given";
}

class ArchPicture {
 public:
  ArchPicture(Markup& out, const Arch& arch, const Evaluated* evaluated)
      : out_(out), arch_(arch), evaluated_(evaluated) {
    const auto consider = [&](const std::optional<double>& pj) {
      if (!pj || *pj <= 0) return;
      least_ = least_ > 0 ? std::min(least_, *pj) : *pj;
      most_ = std::max(most_, *pj);
    };
    for (const NodeId id : arch.memories()) consider(arch.memory(id).energy.read_pj);
    consider(arch.compute().energy_pj);
  }

  void write(std::size_t from) {
    const auto list = out_.in("ul", {{"class", "arch"}});
    std::size_t i = from;
    for (; i < arch_.nodes().size(); ++i) {
      if (!arch_.is_memory(NodeId(i))) break;
      write_memory(NodeId(i));
    }
    if (i == arch_.nodes().size()) {
      write_compute();
      return;
    }
    const Fanout& fanout = arch_.fanout(NodeId(i));
    const auto item = out_.in("li", {{"class", "fanout"}});
    {
      const auto line = out_.in("p");
      out_.leaf("b", fanout.name);
      out_.text(" " + copies_text(fanout));
    }
    write(i + 1);
  }

 private:
  // The least energy is still seen; each tenfold is as long as the next.
  double energy_share(double pj) const {
    if (pj <= 0 || most_ <= 0) return 0;
    if (most_ == least_) return 1;
    constexpr double kLeast = 0.06;
    return kLeast + (1 - kLeast) * std::log(pj / least_) / std::log(most_ / least_);
  }

  void write_bar(const char* name, double share, const char* style, const std::string& text,
                 Track track = Track::kShown) {
    const auto line = out_.in("p", {{"class", "gauge"}});
    out_.leaf("span", {{"class", "name"}}, name);
    bar(out_, {{share, style, text}}, fmt::format("{}: {}", name, text), track);
    out_.leaf("span", {{"class", "value"}}, text);
  }

  void write_memory(NodeId id) {
    const Memory& memory = arch_.memory(id);
    const auto item = out_.in("li", {{"class", "memory"}});
    {
      const auto line = out_.in("p");
      out_.leaf("b", memory.name);
      out_.text(memory.capacity_bits ? " " + bits_text(*memory.capacity_bits) : " unlimited");
      if (memory.buffering > 1) out_.text(fmt::format(" in {} buffers", memory.buffering));
      if (arch_.instances(id) > 1)
        out_.text(fmt::format(", {} of it", count_text(arch_.instances(id))));
      if (!memory.keep.all) out_.text(", keeps " + names_text(memory.keep));
    }
    const auto& energy = memory.energy;
    const std::string per = memory.width_bits
                                ? fmt::format(" per {}\u2011bit access", *memory.width_bits)
                                : std::string(" an element");
    write_bar(
        "energy", energy_share(energy.read_pj.value_or(0)), "unit",
        fmt::format("read {}, write {}{}", pj_text(energy.read_pj), pj_text(energy.update_pj), per),
        Track::kNone);
    write_bandwidth(id);
  }

  void write_bandwidth(NodeId id) {
    const Memory& memory = arch_.memory(id);
    if (evaluated_ != nullptr) {
      for (const MemoryEvaluation& counts : evaluated_->evaluation.memories) {
        if (counts.node != id || !keeps_anything(counts)) continue;
        const auto use = bandwidth_use(*evaluated_, counts);
        if (!use) continue;
        const bool hot = evaluated_->evaluation.bottleneck == id;
        write_bar("bandwidth", use->limit > 0 ? use->used / use->limit : 0, hot ? "hot" : "unit",
                  fmt::format("{} {} of {:.4g} {}s per cycle", use->what, fixed_text(use->used, 2),
                              use->limit, use->unit));
        return;
      }
    }
    std::vector<std::string> limits;
    const auto add = [&](const char* what, const std::optional<Rational>& rate) {
      if (rate) limits.push_back(fmt::format("{} {} bit per cycle", what, rational_text(*rate)));
    };
    add("read", memory.read_bandwidth);
    add("write", memory.write_bandwidth);
    add("read and write together", memory.shared_bandwidth);
    const auto line = out_.in("p", {{"class", "gauge"}});
    out_.leaf("span", {{"class", "name"}}, "bandwidth");
    out_.leaf("span", {{"class", "value"}},
              limits.empty() ? std::string("none given: unlimited")
                             : fmt::format("{}", fmt::join(limits, ", ")));
  }

  void write_compute() {
    const Compute& compute = arch_.compute();
    const auto item = out_.in("li", {{"class", "compute"}});
    {
      const auto line = out_.in("p");
      out_.leaf("b", compute.name);
      out_.text(fmt::format(" {} in total, each one multiply-accumulate per cycle",
                            plural_text(arch_.compute_units(), "unit")));
    }
    write_bar("energy", energy_share(compute.energy_pj.value_or(0)), "unit",
              pj_text(compute.energy_pj) + " a compute", Track::kNone);
    if (evaluated_ == nullptr) return;
    const Utilization used = utilization(evaluated_->evaluation, arch_.compute_units());
    write_bar("utilization", used.total, "unit", percent_text(used.total));
  }

  Markup& out_;
  const Arch& arch_;
  const Evaluated* evaluated_;
  double least_ = 0;
  double most_ = 0;
};

}  // namespace

void arch_figure(Markup& out, const Arch& arch, const Evaluated* evaluated) {
  const auto figure = out.in("figure");
  ArchPicture(out, arch, evaluated).write(0);
  caption(out, std::string("Outermost first; a dashed box is replicated. Energy bars are "
                           "logarithmic: each factor of ten has the same length.") +
                   (evaluated != nullptr ? " Bandwidth bars show how much of it this mapping uses."
                                         : ""));
}

}  // namespace tilewright
