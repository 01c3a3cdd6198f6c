// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "tilewright/format/number_text.h"
#include "tilewright/html/figures/figures.h"
#include "tilewright/html/figures/unit_array.h"
#include "tilewright/html/parts.h"

namespace tilewright {
namespace {

constexpr double kLeft = 26;
constexpr double kTop = 16;

// How the units share the picture's cells, and how large these are.
struct Grid {
  std::int64_t bin_x = 1;  // units a cell
  std::int64_t bin_y = 1;
  std::int64_t columns = 1;
  std::int64_t rows = 1;
  double width = 0;  // of a cell
  double height = 0;
  bool labels = false;  // there is room for what a unit computes
};

Grid make_grid(const UnitArray& units, Detail detail) {
  constexpr std::int64_t kUnbinned = 20;
  constexpr std::int64_t kBins = 16;
  const auto bin = [&](std::int64_t size) { return size <= kUnbinned ? 1 : ceil_div(size, kBins); };
  Grid grid;
  grid.bin_x = bin(units.across().size);
  grid.bin_y = bin(units.down().size);
  grid.columns = ceil_div(units.across().size, grid.bin_x);
  grid.rows = ceil_div(units.down().size, grid.bin_y);
  grid.labels = detail == Detail::kFull && grid.bin_x == 1 && grid.bin_y == 1;
  grid.width = grid.labels ? 44 : detail == Detail::kFull ? 20 : 12;
  const double lines = static_cast<double>(std::max<std::size_t>(1, units.dims().size()));
  grid.height = grid.labels ? std::max(24.0, 10 + 10 * lines) : grid.width;
  return grid;
}

bool alike(const UnitBlock& a, const UnitBlock& b) {
  return a.columns == b.columns && a.rows == b.rows && a.group == b.group;
}

std::string range_text(std::int64_t from, std::int64_t to) {
  return from == to ? count_text(from) : count_text(from) + "-" + count_text(to);
}

class ArrayPicture {
 public:
  ArrayPicture(Markup& out, const Evaluated& evaluated, const UnitArray& units, Detail detail)
      : out_(out),
        workload_(evaluated.problem.workload()),
        units_(units),
        detail_(detail),
        grid_(make_grid(units, detail)) {}

  void write(const Pass& pass, const std::string& name) {
    const double width = kLeft + grid_.width * static_cast<double>(grid_.columns) + 1;
    const double height = kTop + grid_.height * static_cast<double>(grid_.rows) + 1;
    const std::int64_t active = units_.count_active(pass);
    const auto block = out_.in("div", {{"class", "pass"}});
    out_.leaf("p", fmt::format("{}: {} of {} work", name, count_text(active),
                               plural_text(units_.size(), "unit")));
    const Wide frame(out_, name + " of " + workload_.name());
    const auto svg = out_.in(
        "svg",
        {{"class", "array"},
         {"role", "img"},
         {"width", number(width)},
         {"height", number(height)},
         {"viewBox", fmt::format("0 0 {} {}", number(width), number(height))},
         {"aria-label", fmt::format("{}: {} of {} compute units work, the others are hatched", name,
                                    active, units_.size())}});
    write_ticks();
    rect("idle", 0, 0, static_cast<double>(grid_.columns), static_cast<double>(grid_.rows), "");
    for (std::int64_t row = 0; row < grid_.rows; ++row) write_row(pass, row);
  }

 private:
  void rect(const std::string& style, double x, double y, double columns, double rows,
            const std::string& title) {
    const auto element = out_.in("rect", {{"class", style},
                                          {"x", number(kLeft + x * grid_.width)},
                                          {"y", number(kTop + y * grid_.height)},
                                          {"width", number(columns * grid_.width)},
                                          {"height", number(rows * grid_.height)}});
    if (!title.empty()) out_.leaf("title", title);
  }

  void write_ticks() {
    const bool sparse = !grid_.labels;
    const auto text = [&](double x, double y, const char* anchor, std::int64_t value) {
      out_.leaf("text",
                {{"class", "tick"}, {"x", number(x)}, {"y", number(y)}, {"text-anchor", anchor}},
                std::to_string(value));
    };
    for (std::int64_t c = 0; c < grid_.columns; c += sparse ? 4 : 1) {
      text(kLeft + (static_cast<double>(c) + 0.5) * grid_.width, kTop - 4, "middle",
           c * grid_.bin_x);
    }
    for (std::int64_t r = 0; r < grid_.rows; r += sparse ? 4 : 1) {
      text(kLeft - 4, kTop + (static_cast<double>(r) + 0.5) * grid_.height + 3, "end",
           r * grid_.bin_y);
    }
  }

  // Cells that look alike are one where nothing is said about each.
  void write_row(const Pass& pass, std::int64_t row) {
    const bool merge = detail_ == Detail::kBrief;
    std::int64_t start = 0;
    UnitBlock first;
    for (std::int64_t c = 0; c < grid_.columns; ++c) {
      const UnitBlock block =
          units_.look(pass, c * grid_.bin_x, row * grid_.bin_y, grid_.bin_x, grid_.bin_y);
      if (!merge) {
        write_cell(block, c, row, 1);
        continue;
      }
      if (c > start && (!alike(block, first))) {
        write_cell(first, start, row, c - start);
        start = c;
      }
      if (c == start) first = block;
    }
    if (merge) write_cell(first, start, row, grid_.columns - start);
  }

  void write_cell(const UnitBlock& block, std::int64_t column, std::int64_t row,
                  std::int64_t columns) {
    if (block.active == 0) return;
    const double x = static_cast<double>(column);
    const double y = static_cast<double>(row);
    const bool full = detail_ == Detail::kFull;
    const double last = static_cast<double>(block.columns) / static_cast<double>(grid_.bin_x);
    rect(block.group % 2 == 0 ? "unit cell" : "unit2 cell", x, y,
         static_cast<double>(columns - 1) + last,
         static_cast<double>(block.rows) / static_cast<double>(grid_.bin_y),
         full ? title(block, column, row) : "");
    if (!grid_.labels) return;
    double line = kTop + static_cast<double>(row) * grid_.height + 14;
    for (std::size_t i = 0; i < units_.dims().size(); ++i) {
      out_.leaf("text",
                {{"class", "cell-text"},
                 {"x", number(kLeft + (x + 0.5) * grid_.width)},
                 {"y", number(line)},
                 {"text-anchor", "middle"}},
                workload_.dim(units_.dims()[i]).name + std::to_string(block.from[i]));
      line += 10;
    }
  }

  std::string title(const UnitBlock& block, std::int64_t column, std::int64_t row) const {
    std::string text = fmt::format(
        "across {}, down {}: ",
        range_text(column * grid_.bin_x,
                   std::min(units_.across().size, (column + 1) * grid_.bin_x) - 1),
        range_text(row * grid_.bin_y, std::min(units_.down().size, (row + 1) * grid_.bin_y) - 1));
    if (block.all > 1) {
      text += fmt::format("{} of {} work; ", count_text(block.active), count_text(block.all));
    }
    for (std::size_t i = 0; i < units_.dims().size(); ++i) {
      if (i > 0) text += ", ";
      text += workload_.dim(units_.dims()[i]).name + " " + range_text(block.from[i], block.to[i]);
    }
    return text;
  }

  Markup& out_;
  const Workload& workload_;
  const UnitArray& units_;
  Detail detail_;
  Grid grid_;
};

std::string side_text(const UnitSide& side) {
  if (side.axes.empty()) return "nothing";
  std::vector<std::string> words;
  for (const UnitAxis& axis : side.axes) {
    words.push_back(fmt::format("{} {} of {}{}", axis.name, count_text(axis.used),
                                count_text(axis.size),
                                axis.loops.empty() ? "" : " (" + axis.loops + ")"));
  }
  return fmt::format("{}", fmt::join(words, ", then "));
}

}  // namespace

void array_figure(Markup& out, const Evaluated& evaluated, Detail detail) {
  const UnitArray units(evaluated.problem, evaluated.mapping);
  const auto figure = out.in("figure");
  if (!units.drawable()) {
    caption(out, fmt::format("{} are too many to draw.", plural_text(units.size(), "unit")));
    return;
  }
  {
    const auto pair = out.in("div", {{"class", "passes"}});
    ArrayPicture picture(out, evaluated, units, detail);
    const Pass first = units.first_pass();
    const Pass last = units.last_pass();
    const bool ragged = units.count_active(first) != units.count_active(last);
    picture.write(first, ragged ? "Full pass" : "Every pass");
    if (ragged) picture.write(last, "Last, ragged pass");
  }
  std::string text = fmt::format("Across: {}. Down: {}. Hatched units are idle.",
                                 side_text(units.across()), side_text(units.down()));
  if (detail == Detail::kFull) {
    text +=
        " Each unit shows the first index of every dim that it computes in this pass; hover for "
        "the whole ranges. A pass is one step of every temporal loop outside the units.";
  }
  caption(out, text);
}

}  // namespace tilewright
