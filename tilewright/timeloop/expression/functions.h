// SPDX-License-Identifier: Apache-2.0
// Operators and the functions that every expression knows: Python's arithmetic with limits.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tilewright/timeloop/expression/expression.h"

namespace tilewright::timeloop {

/// `+ - * / // % ** ~` on two values; nothing, and why not.
std::optional<Value> apply_operator(std::string_view sign, const Value& left, const Value& right,
                                    std::string& why);

/// `== != < <= > >=`.
std::optional<bool> compare_values(std::string_view sign, const Value& left, const Value& right,
                                   std::string& why);

/// True if `name` is a function that call_function knows.
bool is_function(std::string_view name);

/// A function by its name; nothing, and why not.
std::optional<Value> call_function(std::string_view name, std::span<const Value> arguments,
                                   std::string& why);

}  // namespace tilewright::timeloop
