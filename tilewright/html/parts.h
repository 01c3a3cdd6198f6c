// SPDX-License-Identifier: Apache-2.0
// What several pictures are made of: bars, facts, legends, tables that may be wider than a phone,
// and the page round them all. Colours are classes of style.css: `t0` to `t7` for tensors.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/base/index.h"
#include "tilewright/html/markup.h"
#include "tilewright/workload/workload.h"

namespace tilewright {

/// The class of the colour in which a tensor appears everywhere on a page.
std::string tensor_class(TensorId tensor);

/// One piece of a bar.
struct Piece {
  double share = 0;   ///< of the whole width
  std::string style;  ///< a class
  std::string title;  ///< what hovering says
};

/// What the end of a bar's place means.
enum class Track {
  kShown,  ///< the whole, or what the column's title says: the place is tinted
  kNone,   ///< nothing: only lengths of bars compare
};

/// A bar as wide as the place it stands in. `label` says the same in words.
void bar(Markup& out, const std::vector<Piece>& pieces, const std::string& label,
         Track track = Track::kShown);

/// A round share for the end of a track on which bars of at most `most` are seen well.
double track_end(double most);
/// `20 %`, `100 %`.
std::string track_text(double end);

struct LegendEntry {
  std::string style;
  std::string name;
};
void legend(Markup& out, const std::vector<LegendEntry>& entries);
void tensor_legend(Markup& out, const Workload& workload);

/// A figure of the result, large, with a remark below it.
struct Fact {
  std::string name;
  std::string value;
  std::string note;   ///< may be empty
  std::string style;  ///< a class; may be empty
};
void facts(Markup& out, const std::vector<Fact>& all);

/// A column of a table.
struct Column {
  std::string title;
  bool number = false;  ///< stands to the right
};
/// `<thead>` with one row of titles.
void head_row(Markup& out, const std::vector<Column>& columns);

/// Holds what may be wider than the screen, and says so if it is; `label` names it for those who
/// do not see it. Closes at its end.
class [[nodiscard]] Wide {
 public:
  Wide(Markup& out, const std::string& label);

 private:
  Markup::Scope frame_;
  Markup::Scope content_;
};

/// Names that break only where their parts join, if they are long: `PEWeightBuffer`, `main_memory`.
void breakable(Markup& out, std::string_view name);

/// A section of a report, each line of which begins with a word: `space   ruby-s: ...`. Lines that
/// begin with blanks go on with the one before.
void headed_lines(Markup& out, const std::string& text);

/// A part of the page under a heading of the second order.
void section(Markup& out, const std::string& id, const std::string& title,
             const std::function<void()>& content);

/// What the page says of a picture, in small print.
void caption(Markup& out, const std::string& text);

/// Lines joined by line ends.
std::string join_lines(const std::vector<std::string>& lines);

/// The whole file: one piece, nothing outside it is needed.
std::string html_page(const std::string& title, const std::string& version, const Markup& header,
                      const Markup& main);

}  // namespace tilewright
