// SPDX-License-Identifier: Apache-2.0
#include "tilewright/cli/session.h"

#include <fmt/format.h>

#include <algorithm>

#include "tilewright/base/text/nearest.h"
#include "tilewright/base/text/printable.h"
#include "tilewright/io/render.h"
#include "tilewright/io/whole_file.h"

namespace tilewright {
namespace {

// `fault`: empty if there is none.
void report_unwritten(const std::string& path, const std::string& fault, Diagnostics& diagnostics) {
  if (fault.empty()) return;
  diagnostics.error("C0010", fmt::format("cannot write `{}`: {}", path, fault));
}

}  // namespace

bool Session::use_color(bool terminal) const {
  if (color == "always") return true;
  if (color == "never") return false;
  return terminal && !console_.no_color;
}

TextOptions Session::text_options() {
  constexpr int kNarrowest = 80;
  constexpr int kWidest = 160;  // longer lines are hard to follow
  TextOptions options;
  options.width = wide ? kWidest : std::clamp(console_.columns, kNarrowest, kWidest);
  options.wide = wide;
  options.cut = &cut_;
  options.color = use_color(console_.out_terminal);
  // What goes to a file or a pipe is the same everywhere: UTF-8.
  options.ascii = console_.out_terminal && console_.ascii;
  return options;
}

bool Session::error_color() const { return use_color(console_.err_terminal); }

void Session::show(const Diagnostics& diagnostics) {
  if (diagnostics.all().empty()) return;
  if (error_format == "json") {
    console_.err << render_json(diagnostics);
  } else {
    console_.err << render_text(diagnostics, error_color());
  }
}

void Session::refuse_unknown(const std::string& what, const std::string& word,
                             std::span<const std::string> names) {
  Diagnostics diagnostics;
  Diagnostic& found = diagnostics.error("C0012", "there is no " + what + " " + in_backticks(word));
  if (const auto meant = nearest(word, names)) {
    found.helps.push_back("did you mean `" + *meant + "`?");
  }
  show(diagnostics);
  exit_code = kUsageError;
}

void Session::note(std::string_view text) {
  if (error_format == "text") console_.err << text << "\n";
}

bool Session::can_write(std::initializer_list<std::string> paths) {
  Diagnostics diagnostics;
  for (const std::string& path : paths) {
    if (path.empty() || path == "-") continue;
    report_unwritten(path, why_unwritable(path), diagnostics);
  }
  show(diagnostics);
  if (diagnostics.has_errors()) exit_code = kInputError;
  return !diagnostics.has_errors();
}

bool Session::write_file(const std::string& path, std::string_view text) {
  Diagnostics diagnostics;
  report_unwritten(path, write_whole_file(path, text), diagnostics);
  if (!diagnostics.has_errors()) return true;
  show(diagnostics);
  exit_code = kInputError;
  return false;
}

bool Session::save_file(const std::string& path, std::string_view text) {
  if (!write_file(path, text)) return false;
  note(fmt::format("wrote {}", printable(path)));
  return true;
}

}  // namespace tilewright
