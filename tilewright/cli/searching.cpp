// SPDX-License-Identifier: Apache-2.0
#include "tilewright/cli/searching.h"

#include <algorithm>
#include <utility>

#include "tilewright/answers/map_options.h"
#include "tilewright/base/error.h"
#include "tilewright/base/text/printable.h"
#include "tilewright/report/search/search_text.h"

namespace tilewright {

LiveLine::LiveLine(Session& session)
    : session_(session),
      visible_(session.console().live != nullptr && session.console().err_terminal &&
               session.error_format == "text") {}

LiveLine::~LiveLine() {
  if (dirty_) *session_.console().live << "\r\x1b[K" << std::flush;
}

int LiveLine::columns() const { return std::max(40, session_.console().columns) - 1; }

void LiveLine::show(const std::string& text) {
  if (!visible_) return;
  *session_.console().live << "\r" << clip(text, columns()) << "\x1b[K" << std::flush;
  dirty_ = true;
}

ProgressLine::ProgressLine(Session& session, Mapper mapper, std::string objective)
    : line_(session), mapper_(mapper), objective_(std::move(objective)) {}

void ProgressLine::show(const Progress& progress) {
  // A long name gives way: the figures, with the gap at the end, stay.
  const std::string figures = printable(progress_text(progress, mapper_, objective_));
  constexpr int kLeastName = 4;
  const int room = line_.columns() - display_width(figures);
  const std::string start = room < kLeastName ? "" : clip(printable(start_), room);
  line_.show(start + figures);
}

void refuse_hopeless(Session& session, const std::function<void()>& work) {
  Diagnostics diagnostics;
  try {
    work();
    return;
  } catch (const RequestError& error) {
    report_faults(error.faults(), diagnostics);
    session.exit_code = kUsageError;
  } catch (const OverflowError& error) {
    Diagnostic& found =
        diagnostics.error("C0013", std::string("too large to search or count: ") + error.what());
    found.helps.emplace_back(
        "`--space pfm` splits larger dims than the others; or fix factors by constraints");
    session.exit_code = kInputError;
  }
  session.show(diagnostics);
}

}  // namespace tilewright
