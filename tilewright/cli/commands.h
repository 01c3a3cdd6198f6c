// SPDX-License-Identifier: Apache-2.0
// One function per subcommand: adds it to the command line. Running it sets Session::exit_code.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "tilewright/cli/session.h"

namespace tilewright {

void add_arch(CLI::App& app, Session& session);
void add_check(CLI::App& app, Session& session);
void add_completion(CLI::App& app, Session& session);
void add_count(CLI::App& app, Session& session);
void add_demo(CLI::App& app, Session& session);
void add_diff(CLI::App& app, Session& session);
void add_doc(CLI::App& app, Session& session);
void add_evaluate(CLI::App& app, Session& session);
void add_explain(CLI::App& app, Session& session);
void add_flex(CLI::App& app, Session& session);
void add_import(CLI::App& app, Session& session);
void add_manual(CLI::App& app, Session& session);
void add_map(CLI::App& app, Session& session);
void add_net(CLI::App& app, Session& session);
void add_onnx(CLI::App& app, Session& session);
void add_rerun(CLI::App& app, Session& session);
void add_schema(CLI::App& app, Session& session);
void add_show(CLI::App& app, Session& session);
void add_store(CLI::App& app, Session& session);
void add_sweep(CLI::App& app, Session& session);
void add_verify(CLI::App& app, Session& session);
void add_version(CLI::App& app, Session& session);
void add_workload(CLI::App& app, Session& session);

/// The positional `FILES...` that most commands take.
CLI::Option* add_files(CLI::App& command, std::vector<std::string>& files);

/// `--with NODE.key=value` of a command that takes an architecture.
void add_with(CLI::App& command, Session& session);

}  // namespace tilewright
