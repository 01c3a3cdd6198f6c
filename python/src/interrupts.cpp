// SPDX-License-Identifier: Apache-2.0
#include "interrupts.h"

#include <nanobind/nanobind.h>
#include <unistd.h>

namespace tilewright::python {
namespace {

namespace nb = nanobind;
using Handler = void (*)(int);

// A signal handler has nothing but globals to go by.
std::atomic<std::atomic<bool>*> raised = nullptr;
std::atomic<Handler> handler_of_python = nullptr;
std::atomic<int> times_pressed = 0;
static_assert(std::atomic<std::atomic<bool>*>::is_always_lock_free &&
              std::atomic<Handler>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

void on_interrupt(int signal) {
  if (std::atomic<bool>* flag = raised) flag->store(true);
  ++times_pressed;
  if (const Handler python = handler_of_python) python(signal);
}

bool on_main_thread() { return gettid() == getpid(); }

bool is_function(Handler handler) { return handler != SIG_DFL && handler != SIG_IGN; }

// The one function that Python gives the kernel for every signal that has a handler in Python.
std::optional<struct sigaction> action_of(int signal) {
  struct sigaction action {};
  if (sigaction(signal, nullptr, &action) != 0) return std::nullopt;
  if ((action.sa_flags & SA_SIGINFO) != 0 || !is_function(action.sa_handler)) return std::nullopt;
  return action;
}

}  // namespace

bool only_interrupts_are_handled() {
  if (!on_main_thread()) return true;
  const nb::module_ signals = nb::module_::import_("signal");
  if (!signals.attr("getsignal")(SIGINT).is(signals.attr("default_int_handler"))) return false;
  const auto of_interrupt = action_of(SIGINT);
  if (!of_interrupt) return false;
  for (int signal = 1; signal < NSIG; ++signal) {
    if (signal == SIGINT) continue;
    const auto action = action_of(signal);
    if (action && action->sa_handler == of_interrupt->sa_handler) return false;
  }
  return true;
}

InterruptFlag::InterruptFlag(std::atomic<bool>& flag) {
  if (!on_main_thread()) return;
  before_ = action_of(SIGINT);
  if (!before_) return;
  raised = &flag;
  handler_of_python = before_->sa_handler;
  times_pressed = 0;
  struct sigaction action = *before_;
  action.sa_handler = on_interrupt;
  sigaction(SIGINT, &action, nullptr);
}

InterruptFlag::~InterruptFlag() {
  if (!before_) return;
  sigaction(SIGINT, &*before_, nullptr);
  raised = nullptr;
}

int InterruptFlag::presses() const { return before_ ? times_pressed.load() : 0; }

}  // namespace tilewright::python
