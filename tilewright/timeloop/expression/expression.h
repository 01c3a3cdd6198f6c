// SPDX-License-Identifier: Apache-2.0
// Arithmetic as people write it in Timeloop files: `max(1, ceil(log2(depth))) if depth > 1 else 1`.
// A small part of Python's expressions on numbers, texts and lists. Nothing is ever run: there are
// no statements, no user's functions, and limits on length, depth, steps and the size of values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tilewright::timeloop {

class Scope;
struct Value;

using List = std::vector<Value>;

/// What an expression yields. A null value is std::monostate; a scope is something with members.
struct Value {
  std::variant<std::monostate, bool, std::int64_t, double, std::string, std::shared_ptr<const List>,
               std::shared_ptr<const Scope>>
      of;

  /// The number as a double; nothing if it is none. True counts 1.
  std::optional<double> number() const;
  /// A whole number, also if it was computed as a double without a fraction.
  std::optional<std::int64_t> whole() const;
  const std::string* text() const { return std::get_if<std::string>(&of); }
  const List* list() const;
  /// Python's truth: not empty, not zero.
  bool truth() const;
};

/// `a number`, `a text`, ...: for messages.
std::string_view kind_of(const Value& value);
/// The value as text: `8`, `0.5`, `abc`, `True`.
std::string to_text(const Value& value);

/// What is wrong with an expression, and where in its text.
struct ExpressionFault {
  std::string message;
  std::size_t offset = 0;
  std::string unknown;  ///< a name that does not exist, if that is the fault
};

/// What one evaluation may cost, those of the names that it uses included.
class Budget {
 public:
  /// False once it is used up.
  bool spend() { return ++used_ <= kMost; }
  /// One level deeper into an expression, or into that of a name; false once it is too deep.
  bool enter() { return ++depth_ <= kDeepest; }
  void leave() { --depth_; }

 private:
  static constexpr int kMost = 20'000;
  static constexpr int kDeepest = 800;
  int used_ = 0;
  int depth_ = 0;
};

/// Where names come from.
class Scope {
 public:
  virtual ~Scope() = default;
  /// A name, or a member of this object; nothing if there is none.
  virtual std::optional<Value> find(std::string_view name, Budget& budget) const = 0;
  /// How many members it has, for `len`.
  virtual std::size_t size() const { return 0; }
  /// A function beyond the usual ones. Nothing, with `why` empty, if there is none of that name;
  /// with a reason if it fails.
  virtual std::optional<Value> call(std::string_view name, std::span<const Value> arguments,
                                    std::string& why) const;
};

/// Two languages that differ little.
enum class Grammar {
  kPython,
  kJinja,  ///< also `x ~ y` (texts joined) and `x|default(y)`
};

/// The value of `text`; nothing, and `fault`, if it cannot be computed.
std::optional<Value> evaluate_expression(std::string_view text, const Scope& scope, Budget& budget,
                                         ExpressionFault& fault,
                                         Grammar grammar = Grammar::kPython);

}  // namespace tilewright::timeloop
