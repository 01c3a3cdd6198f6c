// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tilewright/evaluation/widths.h"
#include "tilewright/format/number_text.h"
#include "tilewright/html/figures/figures.h"
#include "tilewright/html/parts.h"
#include "tilewright/model/derive.h"
#include "tilewright/report/mapping/derivation_text.h"

namespace tilewright {
namespace {

class CountsTable {
 public:
  CountsTable(Markup& out, const Evaluated& evaluated)
      : out_(out), evaluated_(evaluated), problem_(evaluated.problem) {}

  void write() {
    {
      const Wide frame(out_, "counts by memory and tensor");
      const auto table = out_.in("table", {{"class", "counts"}});
      std::vector<Column> columns = {{"memory"}, {"tensor"}};
      for (const char* title :
           {"tile", "full", "reads", "fills", "updates", "re-fetch", "energy"}) {
        columns.push_back({title, true});
      }
      head_row(out_, columns);
      for (const MemoryEvaluation& memory : evaluated_.evaluation.memories) write_memory(memory);
    }
    const auto details = out_.in("details");
    out_.leaf("summary", "How each count is derived");
    out_.leaf("pre", join_lines(derivations_));
  }

 private:
  void write_memory(const MemoryEvaluation& memory) {
    std::size_t kept = 0;
    for (const TensorCounts& counts : memory.tensors) kept += counts.kept ? 1 : 0;
    if (kept == 0) return;
    const auto body = out_.in("tbody");
    bool first = true;
    for (std::size_t t = 0; t < memory.tensors.size(); ++t) {
      if (!memory.tensors[t].kept) continue;
      const auto row = out_.in("tr");
      if (first) {
        write_name(memory, kept);
      }
      first = false;
      write_tensor(memory, TensorId(t));
    }
  }

  // With how full it is: in all, and each part where there are several.
  void write_name(const MemoryEvaluation& memory, std::size_t rows) {
    const auto head = out_.in("th", {{"scope", "rowgroup"}, {"rowspan", std::to_string(rows)}});
    out_.text(problem_.arch().memory(memory.node).name);
    const auto whole = whole_room(evaluated_, memory);
    if (whole) out_.leaf("div", {{"class", "sub"}}, room_text(*whole));
    const std::vector<Room> rooms = find_rooms(evaluated_, memory);
    for (const Room& room : rooms) {
      if (rooms.size() == 1 && !room.tensor.valid()) continue;
      out_.leaf("div", {{"class", "sub"}}, room_name(evaluated_, room) + ": " + room_text(room));
    }
  }

  void write_tensor(const MemoryEvaluation& memory, TensorId tensor) {
    const TensorCounts& counts = memory.tensors[tensor.pos()];
    {
      const auto head = out_.in("th", {{"scope", "row"}});
      out_.leaf("span", {{"class", "swatch " + tensor_class(tensor)}}, "");
      out_.text(" " + problem_.workload().tensor(tensor).name);
    }
    count(counts.tile, tile_lines(problem_, evaluated_.mapping, memory.node, tensor, counts.tile));
    const auto room = room_bits(problem_, memory.node, tensor);
    const double bits = static_cast<double>(
        checked_mul(counts.tile, element_bits(problem_.memory(memory.node), tensor, counts)));
    out_.leaf("td", {{"class", "number"}},
              room && *room > 0 ? percent_text(bits / static_cast<double>(*room)) : "-");
    for (const auto& [action, value] : {std::pair{Action::kReads, counts.reads},
                                        {Action::kFills, counts.fills},
                                        {Action::kUpdates, counts.updates}}) {
      count(value, derivation(memory.node, tensor, action));
    }
    out_.leaf("td", {{"class", "number"}}, ratio_text(refetch(evaluated_, memory, tensor)));
    out_.leaf("td", {{"class", "number"}}, energy_text(counts.energy_pj));
  }

  std::vector<std::string> derivation(NodeId memory, TensorId tensor, Action action) const {
    TextOptions options;
    options.width = 120;
    return derivation_lines(problem_, evaluated_.mapping, memory, tensor,
                            derive(problem_, evaluated_.mapping, memory, tensor, action), options);
  }

  void count(std::int64_t value, const std::vector<std::string>& why) {
    out_.leaf("td", {{"class", "number"}, {"title", join_lines(why)}},
              value == 0 ? "-" : count_text(value));
    if (value == 0) return;
    derivations_.insert(derivations_.end(), why.begin(), why.end());
    derivations_.emplace_back();
  }

  Markup& out_;
  const Evaluated& evaluated_;
  const Problem& problem_;
  std::vector<std::string> derivations_;
};

}  // namespace

void counts_table(Markup& out, const Evaluated& evaluated) {
  const auto figure = out.in("figure");
  CountsTable(out, evaluated).write();
  caption(out,
          "In elements, over all instances; tile and how full the memory is, for one instance. "
          "Re-fetch: how often the whole tensor is moved. Hover over a count for its derivation.");
}

}  // namespace tilewright
