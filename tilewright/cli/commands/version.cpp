// SPDX-License-Identifier: Apache-2.0
// tilewright version.
#include "tilewright/base/version.h"

#include "tilewright/cli/commands.h"

namespace tilewright {

void add_version(CLI::App& app, Session& session) {
  app.add_subcommand("version", "print the version")->callback([&session] {
    session.out() << "tilewright " << program_version() << "\n";
  });
}

}  // namespace tilewright
