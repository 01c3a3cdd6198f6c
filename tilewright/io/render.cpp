// SPDX-License-Identifier: Apache-2.0
#include "tilewright/io/render.h"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "tilewright/base/text/printable.h"
#include "tilewright/format/json_text.h"

namespace tilewright {
namespace {

constexpr std::size_t kShownCells = 100;
constexpr std::size_t kShownFindings = 100;  // more are not read

enum class Style { kError, kWarning, kGutter, kHelp, kBold };

/// Puts escape codes around text, or not.
class Painter {
 public:
  explicit Painter(bool color) : color_(color) {}

  std::string operator()(Style style, const std::string& text) const {
    if (!color_ || text.empty()) return text;
    return std::string(code(style)) + text + "\x1b[0m";
  }

 private:
  static std::string_view code(Style style) {
    switch (style) {
      case Style::kError:
        return "\x1b[1;31m";
      case Style::kWarning:
        return "\x1b[1;33m";
      case Style::kGutter:
        return "\x1b[1;34m";
      case Style::kHelp:
        return "\x1b[1;36m";
      case Style::kBold:
        break;
    }
    return "\x1b[1m";
  }

  bool color_;
};

/// A source line as terminal cells, and the stretch of it that is shown.
struct ShownLine {
  std::string text;
  std::size_t caret = 0;   // cells before the caret
  std::size_t length = 1;  // cells to underline
};

std::size_t cell_of_byte(const std::vector<std::size_t>& starts, std::size_t byte) {
  const auto after = std::upper_bound(starts.begin(), starts.end(), byte);
  return static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, after - starts.begin() - 1));
}

ShownLine show_line(const std::string& line, const Span& span) {
  std::vector<std::size_t> starts;  // of every character, then the end
  for (std::size_t i = 0; i < line.size(); i += decode_utf8(line, i).length) starts.push_back(i);
  starts.push_back(line.size());
  const std::size_t cells = starts.size() - 1;
  const std::size_t from_byte = static_cast<std::size_t>(std::max(0, span.column - 1));
  const std::size_t to_byte = from_byte + static_cast<std::size_t>(std::max(1, span.length));
  const std::size_t caret = cell_of_byte(starts, from_byte);
  const std::size_t caret_end = std::max(caret + 1, cell_of_byte(starts, to_byte));

  std::size_t first = 0;
  std::size_t last = cells;
  if (cells > kShownCells) {
    const std::size_t lead = kShownCells / 3;
    first = caret > lead ? std::min(caret - lead, cells - kShownCells) : 0;
    last = first + kShownCells;
  }
  ShownLine shown;
  const std::string head = first > 0 ? "..." : "";
  shown.text = head + printable(line.substr(starts[first], starts[last] - starts[first])) +
               (last < cells ? "..." : "");
  shown.caret = head.size() + caret - first;
  shown.length = std::max<std::size_t>(1, std::min(caret_end, std::max(last, caret + 1)) - caret);
  return shown;
}

std::string trim_end(std::string text) {
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

std::string place_of(const Span& span) {
  std::string place = span.file ? printable(span.file->name) : "input";
  if (span.line > 0) {
    place += ':' + std::to_string(span.line) + ':' + std::to_string(std::max(1, span.column));
  }
  return place;
}

bool same_line(const Span& a, const Span& b) { return a.file == b.file && a.line == b.line; }

/// Writes one finding; keeps the gutter's width.
class TextRenderer {
 public:
  TextRenderer(const Diagnostic& diagnostic, bool color) : diagnostic_(diagnostic), paint_(color) {
    for (const Label& label : diagnostic.labels) {
      width_ = std::max(width_, std::to_string(label.span.line).size());
    }
  }

  std::string run() {
    write_head();
    for (std::size_t i = 0; i < diagnostic_.labels.size(); ++i) write_label(i);
    for (const std::string& note : diagnostic_.notes) {
      out_ += std::string(width_ + 1, ' ') + paint_(Style::kGutter, "=") + " note: ";
      write_lines(note, width_ + 9);
    }
    for (const std::string& help : diagnostic_.helps) {
      out_ += paint_(Style::kHelp, "help") + ": ";
      write_lines(help, 6);
    }
    return std::move(out_);
  }

 private:
  void write_head() {
    const bool error = diagnostic_.severity == Severity::kError;
    const std::string code = diagnostic_.code.empty() ? "" : '[' + diagnostic_.code + ']';
    out_ += paint_(error ? Style::kError : Style::kWarning, (error ? "error" : "warning") + code);
    out_ += paint_(Style::kBold, ": " + printable(diagnostic_.message)) + '\n';
  }

  void write_label(std::size_t position) {
    const Label& label = diagnostic_.labels[position];
    const Span& span = label.span;
    const std::string text = printable(label.text);
    const bool first = position == 0;
    if (first || !same_line(diagnostic_.labels[position - 1].span, span)) {
      out_ += std::string(width_, ' ') + paint_(Style::kGutter, first ? "-->" : ":::") + ' ' +
              place_of(span) + '\n';
      if (span.line < 1 || !span.file) {
        if (!text.empty()) out_ += gutter("") + ' ' + text + '\n';
        return;
      }
      if (first) out_ += gutter("") + '\n';
      out_ += trim_end(gutter(std::to_string(span.line)) + ' ' +
                       show_line(span.file->line(span.line), span).text) +
              '\n';
    }
    if (span.line < 1 || !span.file) return;
    const ShownLine shown = show_line(span.file->line(span.line), span);
    const Style style = diagnostic_.severity == Severity::kError ? Style::kError : Style::kWarning;
    std::string mark(shown.length, '^');
    if (!text.empty()) mark += ' ' + text;
    out_ += gutter("") + ' ' + std::string(shown.caret, ' ') +
            paint_(first ? style : Style::kGutter, mark) + '\n';
  }

  std::string gutter(const std::string& number) const {
    const std::string cell = std::string(width_ - std::min(width_, number.size()), ' ') + number;
    return paint_(Style::kGutter, cell + " |");
  }

  // A note or help may have several lines; the later ones are indented.
  void write_lines(const std::string& text, std::size_t indent) {
    std::size_t begin = 0;
    while (true) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      if (begin > 0) out_ += std::string(indent, ' ');
      out_ += printable(std::string_view(text).substr(begin, end - begin)) + '\n';
      if (end >= text.size()) return;
      begin = end + 1;
    }
  }

  const Diagnostic& diagnostic_;
  Painter paint_;
  std::size_t width_ = 2;
  std::string out_;
};

nlohmann::ordered_json label_json(const Label& label) {
  const bool whole_file = label.span.line < 1;
  nlohmann::ordered_json json;
  json["file"] = label.span.file ? label.span.file->name : "";
  json["line"] = label.span.line;
  json["column"] = whole_file ? 0 : label.span.column;
  json["length"] = whole_file ? 0 : label.span.length;
  json["text"] = label.text;
  return json;
}

}  // namespace

std::string render_text(const Diagnostic& diagnostic, bool color) {
  return TextRenderer(diagnostic, color).run();
}

std::string render_text(const Diagnostics& diagnostics, bool color) {
  std::string result;
  const std::size_t count = diagnostics.all().size();
  const std::size_t shown = std::min(count, kShownFindings);
  for (std::size_t i = 0; i < shown; ++i) {
    if (!result.empty()) result += '\n';
    result += render_text(diagnostics.all()[i], color);
  }
  if (shown < count) {
    result += "\nnote: " + std::to_string(count - shown) +
              " more findings are not shown; --error-format json has all of them\n";
  }
  return result;
}

std::string render_json(const Diagnostics& diagnostics) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    nlohmann::ordered_json labels = nlohmann::ordered_json::array();
    for (const Label& label : diagnostic.labels) labels.push_back(label_json(label));
    nlohmann::ordered_json json;
    json["severity"] = diagnostic.severity == Severity::kError ? "error" : "warning";
    json["code"] = diagnostic.code;
    json["message"] = diagnostic.message;
    json["labels"] = std::move(labels);
    json["notes"] = diagnostic.notes;
    json["helps"] = diagnostic.helps;
    list.push_back(std::move(json));
  }
  nlohmann::ordered_json document;
  document["version"] = 1;
  document["diagnostics"] = std::move(list);
  return json_text(document, -1);
}

}  // namespace tilewright
