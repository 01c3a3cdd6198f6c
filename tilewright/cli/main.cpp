// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "tilewright/cli/process.h"

int main(int argc, char** argv) {
  return tilewright::run_process(std::vector<std::string>(argv + 1, argv + argc));
}
