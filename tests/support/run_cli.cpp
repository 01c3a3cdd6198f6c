// SPDX-License-Identifier: Apache-2.0
#include "tests/support/run_cli.h"

#include <sstream>

#include "tilewright/cli/run.h"

namespace tilewright::testing {

Result run_cli(const std::vector<std::string>& args, const std::string& input) {
  std::istringstream in(input);
  std::ostringstream out;
  std::ostringstream err;
  Console console{in, out, err};
  const int code = run(args, console);
  return {code, out.str(), err.str()};
}

}  // namespace tilewright::testing
