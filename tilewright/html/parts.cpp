// SPDX-License-Identifier: Apache-2.0
#include "tilewright/html/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <span>
#include <sstream>
#include <utility>

#include "tilewright/format/layout.h"
#include "tilewright/library/embedded.h"

namespace tilewright {
namespace internal {
std::span<const EmbeddedFile> embedded_style();  // written by cmake/EmbedFiles.cmake
}

std::string tensor_class(TensorId tensor) { return "t" + std::to_string(tensor.value % 8); }

void bar(Markup& out, const std::vector<Piece>& pieces, const std::string& label, Track track) {
  const char* style = track == Track::kShown ? "bar" : "bar open";
  const auto svg = out.in("svg", {{"class", style}, {"role", "img"}, {"aria-label", label}});
  double x = 0;
  for (const Piece& piece : pieces) {
    if (piece.share <= 0) continue;
    const auto rect = out.in("rect", {{"class", piece.style},
                                      {"x", percent(x)},
                                      {"width", percent(piece.share)},
                                      {"height", "100%"}});
    if (!piece.title.empty()) out.leaf("title", piece.title);
    x += piece.share;
  }
}

double track_end(double most) {
  for (const double end : {0.01, 0.02, 0.03, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8}) {
    if (most <= end) return end;
  }
  return 1;
}

std::string track_text(double end) { return fmt::format("{:.0f} %", end * 100); }

void legend(Markup& out, const std::vector<LegendEntry>& entries) {
  const auto list = out.in("ul", {{"class", "legend"}});
  for (const LegendEntry& entry : entries) {
    const auto item = out.in("li");
    out.leaf("span", {{"class", "swatch " + entry.style}}, "");
    out.text(" " + entry.name);
  }
}

void tensor_legend(Markup& out, const Workload& workload) {
  std::vector<LegendEntry> entries;
  for (std::size_t t = 0; t < workload.tensors().size(); ++t) {
    entries.push_back({tensor_class(TensorId(t)), workload.tensors()[t].name});
  }
  legend(out, entries);
}

void facts(Markup& out, const std::vector<Fact>& all) {
  const auto list = out.in("dl", {{"class", "facts"}});
  for (const Fact& fact : all) {
    const auto group = out.in("div", {{"class", fact.style.empty() ? "fact" : fact.style}});
    out.leaf("dt", fact.name);
    out.leaf("dd", fact.value);
    if (!fact.note.empty()) out.leaf("dd", {{"class", "note"}}, fact.note);
  }
}

void head_row(Markup& out, const std::vector<Column>& columns) {
  const auto head = out.in("thead");
  const auto row = out.in("tr");
  for (const Column& column : columns) {
    if (column.title.empty()) {
      out.leaf("td", "");
    } else if (column.number) {
      out.leaf("th", {{"scope", "col"}, {"class", "number"}}, column.title);
    } else {
      out.leaf("th", {{"scope", "col"}}, column.title);
    }
  }
}

Wide::Wide(Markup& out, const std::string& label)
    : frame_(out.in(
          "div", {{"class", "wide"}, {"role", "group"}, {"tabindex", "0"}, {"aria-label", label}})),
      content_(out.in("div", {{"class", "content"}})) {
  // As wide as it needs if the content is wider than its frame, and else of no width: style.css.
  out.leaf("p", {{"class", "more"}, {"aria-hidden", "true"}}, "goes on: scroll sideways \u2192");
}

namespace {

// One word without a blank in it.
void breakable_word(Markup& out, std::string_view word) {
  constexpr std::size_t kShort = 13;  // letters, for which there is always room
  const auto is = [&](std::size_t i, int (*kind)(int)) {
    return kind(static_cast<unsigned char>(word[i])) != 0;
  };
  std::size_t done = 0;
  for (std::size_t i = 1; i < word.size() && word.size() > kShort; ++i) {
    const bool joint = std::string_view("._/-").find(word[i - 1]) != std::string_view::npos ||
                       (is(i - 1, std::islower) && is(i, std::isupper));
    if (!joint) continue;
    out.text(word.substr(done, i - done));
    out.raw("<wbr>");
    done = i;
  }
  out.text(word.substr(done));
}

}  // namespace

void breakable(Markup& out, std::string_view name) {
  for (std::size_t start = 0; start < name.size();) {
    const std::size_t end = std::min(name.find(' ', start), name.size());
    breakable_word(out, name.substr(start, end - start));
    if (end < name.size()) out.text(" ");
    start = end + 1;
  }
}

void headed_lines(Markup& out, const std::string& text) {
  std::vector<std::pair<std::string, std::string>> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    const std::size_t start = line.find_first_not_of(' ');
    if (start == std::string::npos) continue;
    if (start > 0 && !lines.empty()) {
      lines.back().second += " " + line.substr(start);
      continue;
    }
    const std::size_t end = line.find("  ");  // behind the word
    const std::size_t next = line.find_first_not_of(' ', end);
    if (end == std::string::npos || next == std::string::npos) {
      lines.emplace_back("", line);
    } else {
      lines.emplace_back(line.substr(0, end), line.substr(next));
    }
  }
  const auto list = out.in("dl", {{"class", "lines"}});
  for (const auto& [word, words] : lines) {
    out.leaf("dt", word);
    out.leaf("dd", words);
  }
}

void section(Markup& out, const std::string& id, const std::string& title,
             const std::function<void()>& content) {
  const auto part = out.in("section", {{"aria-labelledby", id}});
  out.leaf("h2", {{"id", id}}, title);
  content();
}

void caption(Markup& out, const std::string& text) { out.leaf("figcaption", text); }

std::string join_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    if (!text.empty()) text += "\n";
    text += line;
  }
  return text;
}

namespace {

// Patterns that all pictures share.
constexpr std::string_view kPatterns =
    "<svg class=\"patterns\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>"
    "<pattern id=\"idle\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
    "patternTransform=\"rotate(45)\"><rect class=\"idle-ground\" width=\"6\" height=\"6\"></rect>"
    "<rect class=\"idle-line\" width=\"2\" height=\"6\"></rect></pattern></defs></svg>\n";

}  // namespace

std::string html_page(const std::string& title, const std::string& version, const Markup& header,
                      const Markup& main) {
  Markup out;
  out.raw("<!DOCTYPE html>\n");
  {
    const auto html = out.in("html", {{"lang", "en"}});
    {
      const auto head = out.in("head");
      out.single("meta", {{"charset", "utf-8"}});
      out.single("meta",
                 {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}});
      out.single("meta", {{"name", "color-scheme"}, {"content", "light dark"}});
      out.single("meta", {{"name", "generator"}, {"content", "tilewright " + version}});
      constexpr int kLongest = 56;  // what a tab or a list of bookmarks shows
      out.leaf("title", clip(title, kLongest) + " - tilewright");
      const auto style = out.in("style");
      out.raw(internal::embedded_style().front().text);
    }
    const auto body = out.in("body");
    out.raw(kPatterns);
    {
      const auto top = out.in("header");
      out.raw(header.html());
    }
    {
      const auto middle = out.in("main");
      out.raw(main.html());
    }
    const auto foot = out.in("footer");
    out.leaf("p", "Made by tilewright " + version +
                      ". This page is a single file and loads nothing else.");
  }
  return out.html();
}

}  // namespace tilewright
