// SPDX-License-Identifier: Apache-2.0
#include "tilewright/cli/input/models.h"

#include <fmt/format.h>

#include <charconv>

#include "tilewright/base/text/printable.h"
#include "tilewright/cli/input/inputs.h"
#include "tilewright/cli/input/validators.h"

namespace tilewright {
namespace {

// `batch=1` into `sizes`; names may hold a `=`.
void add_size(const std::string& text, OnnxOptions& options, Diagnostics& diagnostics) {
  const std::size_t equals = text.find_last_of('=');
  std::int64_t size = 0;
  if (equals != std::string::npos && equals > 0) {
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + equals + 1, end, size);
    if (error == std::errc{} && stop == end && size >= 1 && size <= std::int64_t{1} << 31) {
      options.sizes[text.substr(0, equals)] = size;
      return;
    }
  }
  diagnostics.error("C0014", fmt::format("cannot read the size {}", in_backticks(text)))
      .helps.emplace_back("give a name and a whole number from 1 up, e.g. `--set batch=1`");
}

OnnxOptions onnx_options(const ModelOptions& options, Diagnostics& diagnostics) {
  OnnxOptions result;
  for (const std::string& size : options.sizes) add_size(size, result, diagnostics);
  if (options.bits > 0) result.bits = options.bits;
  result.strict = options.strict;
  result.fuse = options.fuse_or_default() == "epilogue";
  return result;
}

}  // namespace

void add_model_options(CLI::App& command, ModelOptions& options) {
  command
      .add_option("--set", options.sizes,
                  "the size of a dim that the ONNX model leaves open, by name (batch=1) or by "
                  "position (input.0=1); may be repeated")
      ->option_text("NAME=SIZE")
      ->allow_extra_args(false);
  command
      .add_option("--bits", options.bits,
                  "ONNX: the width of every element; by default as in the model")
      ->option_text("N")
      ->check(CLI::Range(1, 1024));
  command
      .add_option(
          "--fuse", options.fuse,
          "ONNX: epilogue (the default) runs activations, batch norms, residual additions and "
          "conversions as part of the operator before them; none keeps every operator separate")
      ->option_text("none|epilogue")
      ->check(one_of({"none", "epilogue"}));
  command
      .add_flag("--strict", options.strict, "ONNX: treat operators that would be ignored as errors")
      ->option_text("");
}

std::optional<OnnxNetwork> load_onnx(Session& session, const std::string& path,
                                     const ModelOptions& options) {
  Diagnostics diagnostics;
  const OnnxOptions wanted = onnx_options(options, diagnostics);
  std::optional<OnnxNetwork> result;
  if (const auto bytes = read_binary_file(path, diagnostics); bytes && !diagnostics.has_errors()) {
    result = read_onnx(*bytes, path, wanted, diagnostics);
  }
  session.show(diagnostics);
  if (!result) session.exit_code = kInputError;
  return result;
}

}  // namespace tilewright
