// SPDX-License-Identifier: Apache-2.0
#include "tilewright/html/parts.h"

#include <span>

#include "tilewright/library/embedded.h"
#include "tilewright/report/layout.h"

namespace tilewright {
namespace internal {
std::span<const EmbeddedFile> embedded_style();  // written by cmake/EmbedFiles.cmake
}

std::string tensor_class(TensorId tensor) { return "t" + std::to_string(tensor.value % 8); }

void bar(Markup& out, const std::vector<Piece>& pieces, const std::string& label) {
  const auto svg = out.in("svg", {{"class", "bar"}, {"role", "img"}, {"aria-label", label}});
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

Markup::Scope wide(Markup& out, const std::string& label) {
  return out.in("div",
                {{"class", "wide"}, {"role", "group"}, {"tabindex", "0"}, {"aria-label", label}});
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
    out.leaf("p", "Made by tilewright " + version + ". This page is one file; it loads nothing.");
  }
  return out.html();
}

}  // namespace tilewright
