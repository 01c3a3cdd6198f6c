// SPDX-License-Identifier: Apache-2.0
#include "tilewright/cli/process.h"

#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <atomic>
#include <charconv>
#include <cstdlib>
#include <iostream>
#include <string>

#include "tilewright/cli/run.h"

namespace tilewright {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// By the usual order: the first of the three that is set decides. If none is, we trust UTF-8.
bool shows_only_ascii() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string value = environment(name);
    if (value.empty()) continue;
    return value == "C" || value == "POSIX";
  }
  return false;
}

// The columns of a line: as COLUMNS says, else as wide as the terminal is.
int find_columns(bool terminal) {
  const std::string asked = environment("COLUMNS");
  int columns = 0;
  const auto [end, error] = std::from_chars(asked.data(), asked.data() + asked.size(), columns);
  if (!asked.empty() && error == std::errc{} && end == asked.data() + asked.size()) return columns;
  winsize size{};
  if (terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    return size.ws_col;
  }
  return 80;
}

// Only a variable that lives as long as the process can be reached from a signal handler.
std::atomic<bool>& interrupted() {
  static std::atomic<bool> flag = false;
  return flag;
}
static_assert(std::atomic<bool>::is_always_lock_free);

// The first Ctrl-C asks for the end; the next one finds the system's own handler again. Whoever
// started us may have chosen that Ctrl-C means nothing to us (nohup, `&` in a script).
void catch_interrupts() {
  struct sigaction now {};
  if (sigaction(SIGINT, nullptr, &now) == 0 && now.sa_handler == SIG_IGN) return;
  struct sigaction action {};
  action.sa_handler = [](int) { interrupted().store(true, std::memory_order_relaxed); };
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, nullptr);
}

}  // namespace

int run_process(const std::vector<std::string>& args) {
  std::ios::sync_with_stdio(false);
  Console console{std::cin, std::cout, std::cerr};
  console.live = &std::cerr;
  console.out_terminal = isatty(STDOUT_FILENO) == 1;
  console.err_terminal = isatty(STDERR_FILENO) == 1;
  console.no_color = !environment("NO_COLOR").empty() || environment("TERM") == "dumb";
  console.ascii = shows_only_ascii();
  console.columns = find_columns(console.out_terminal);
  console.interrupted = &interrupted();
  console.catch_interrupts = &catch_interrupts;
  const int code = run(args, console);
  if (!std::cout.flush()) {
    std::cerr << "error: cannot write the output\n";
    return code == kOk ? int{kInputError} : code;
  }
  return code;
}

}  // namespace tilewright
