// SPDX-License-Identifier: Apache-2.0
// tilewright onnx: what of an ONNX model is counted, and its layers.
#include <fmt/format.h>

#include "tilewright/base/version.h"
#include "tilewright/cli/commands.h"
#include "tilewright/cli/input/models.h"
#include "tilewright/io/write.h"
#include "tilewright/report/network/coverage_text.h"

namespace tilewright {
namespace {

struct Options {
  std::string file;
  ModelOptions model;
  std::string output;
  bool json = false;
};

void run_onnx(const Options& options, Session& session) {
  const auto model = load_onnx(session, options.file, options.model);
  if (!model) return;
  if (!options.output.empty() &&
      !session.write_file(options.output, write_network(model->network))) {
    return;
  }
  session.out() << (options.json
                        ? coverage_json(model->network, model->coverage, program_version())
                        : coverage_text(model->network, model->coverage, session.text_options()));
}

}  // namespace

void add_onnx(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand(
      "onnx", "list the layers of an ONNX model and how much of it is counted (docs/onnx.md)");
  auto options = std::make_shared<Options>();
  command->add_option("FILE", options->file, "an ONNX model; external weight files are not needed")
      ->required()
      ->option_text(" ");
  add_model_options(*command, options->model);
  command->add_option("-o,--output", options->output, "write the layers as a `network:` file")
      ->option_text("FILE");
  command->add_flag("--json", options->json, "print the same as JSON")->option_text("");
  command->callback([options, &session] { run_onnx(*options, session); });
}

}  // namespace tilewright
