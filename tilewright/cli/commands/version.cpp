// SPDX-License-Identifier: Apache-2.0
// tilewright version.
#include "tilewright/cli/commands.h"
#include "tilewright/cli/run.h"

namespace tilewright {

std::string program_version() { return TILEWRIGHT_VERSION; }

void add_version(CLI::App& app, Session& session) {
  app.add_subcommand("version", "print the version")->callback([&session] {
    session.out() << "tilewright " << program_version() << "\n";
  });
}

}  // namespace tilewright
