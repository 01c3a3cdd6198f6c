// SPDX-License-Identifier: Apache-2.0
// Where a command reads and writes. main.cpp connects it to the process, tests to strings.
#pragma once

#include <atomic>
#include <istream>
#include <ostream>

namespace tilewright {

struct Console {
  std::istream& in;
  std::ostream& out;             ///< results
  std::ostream& err;             ///< everything else
  std::ostream* live = nullptr;  ///< as `err`, for a line that is written over; null: none is
  bool out_terminal = false;     ///< `out` is a terminal
  bool err_terminal = false;
  int columns = 80;       ///< of the terminal, or as the environment asks (COLUMNS)
  bool no_color = false;  ///< the environment asks for no colours (NO_COLOR)
  bool ascii = false;     ///< the terminal shows nothing beyond ASCII

  /// True once the user wants a search to end (Ctrl-C); may be null.
  const std::atomic<bool>* interrupted = nullptr;
  /// From this call on the first Ctrl-C sets `interrupted` instead of ending the program; may be
  /// null.
  void (*catch_interrupts)() = nullptr;

  /// The same with other streams to write to.
  Console with_streams(std::ostream& other_out, std::ostream& other_err) const {
    return {in,      other_out, other_err, live,        out_terminal,    err_terminal,
            columns, no_color,  ascii,     interrupted, catch_interrupts};
  }
};

/// What the program returns to the shell; `tilewright --help` lists them.
enum ExitCode : int {
  kOk = 0,
  kInputError = 1,      ///< a file or its contents
  kUsageError = 2,      ///< the command line
  kIllegal = 3,         ///< the mapping is illegal or does not fit; or none exists, proved
  kDisagreement = 4,    ///< --check, rerun or verify found a difference
  kContradiction = 5,   ///< the constraints contradict each other
  kNotFound = 6,        ///< a search ended without a mapping, though one may exist
  kInternalError = 70,  ///< a bug in tilewright
};

}  // namespace tilewright
