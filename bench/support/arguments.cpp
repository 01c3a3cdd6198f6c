// SPDX-License-Identifier: Apache-2.0
#include "bench/support/arguments.h"

#include <CLI/CLI.hpp>
#include <limits>
#include <utility>

namespace tilewright {

struct Arguments::Parser {
  explicit Parser(std::string purpose) : app(std::move(purpose)) {}

  template <typename Number>
  void number(const std::string& name, Number& value, const std::string& help, Number least,
              Number most = std::numeric_limits<Number>::max()) {
    app.add_option(name, value, help)->check(CLI::Range(least, most))->capture_default_str();
  }

  CLI::App app;
};

Arguments::Arguments(std::string purpose) : parser_(std::make_unique<Parser>(std::move(purpose))) {}

Arguments::~Arguments() = default;

void Arguments::flag(const std::string& name, bool& value, const std::string& help) {
  parser_->app.add_flag(name, value, help);
}

void Arguments::option(const std::string& name, std::string& value, const std::string& help) {
  parser_->app.add_option(name, value, help);
}

void Arguments::option(const std::string& name, int& value, const std::string& help, int least) {
  parser_->number(name, value, help, least);
}

void Arguments::option(const std::string& name, std::int64_t& value, const std::string& help,
                       std::int64_t least, std::int64_t most) {
  parser_->number(name, value, help, least, most);
}

void Arguments::option(const std::string& name, std::uint64_t& value, const std::string& help) {
  parser_->number<std::uint64_t>(name, value, help, 0);
}

void Arguments::option(const std::string& name, double& value, const std::string& help,
                       double least) {
  parser_->number(name, value, help, least);
}

std::optional<int> Arguments::read(int argc, char** argv) {
  try {
    parser_->app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return parser_->app.exit(error);
  }
  return std::nullopt;
}

}  // namespace tilewright
