// SPDX-License-Identifier: Apache-2.0
// ONNX models, proofs, and the command itself.
#include <fmt/format.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/tuple.h>

#include <sstream>
#include <utility>

#include "module.h"
#include "tilewright/base/version.h"
#include "tilewright/cli/process.h"
#include "tilewright/cli/run.h"
#include "tilewright/files/files.h"
#include "tilewright/io/write.h"
#include "tilewright/onnx/onnx.h"
#include "tilewright/report/network/coverage_text.h"
#include "tilewright/verify/verdict_text.h"
#include "tilewright/verify/verify.h"
#include "watch.h"

namespace tilewright::python {
namespace {

void add_onnx(nb::module_& m) {
  nb::class_<OnnxNetwork>(m, "Model", "An ONNX model as a network, and what became of it.")
      .def_ro("network", &OnnxNetwork::network)
      .def(
          "to_json",
          [](const OnnxNetwork& model) {
            return coverage_json(model.network, model.coverage, program_version());
          },
          "The same bytes as `tilewright onnx --json`.")
      .def(
          "to_dict",
          [](const OnnxNetwork& model) {
            return parse_json(coverage_json(model.network, model.coverage, program_version()));
          },
          nb::sig("def to_dict(self) -> dict[str, typing.Any]"))
      .def(
          "text",
          [](const OnnxNetwork& model, int width) {
            TextOptions options;
            options.width = width;
            return coverage_text(model.network, model.coverage, options);
          },
          nb::arg("width") = 80, "How much of the model is counted, and its layers.")
      .def(
          "__str__",
          [](const OnnxNetwork& model) { return coverage_text(model.network, model.coverage, {}); })
      .def("_repr_html_",
           [](const OnnxNetwork& model) {
             return as_preformatted(coverage_text(model.network, model.coverage, {}));
           })
      .def("__repr__", [](const OnnxNetwork& model) {
        return fmt::format("<Model {}: {} layers>", model.network.name,
                           model.network.layers.size());
      });
  m.def(
      "read_onnx",
      [](const nb::bytes& bytes, const std::string& name,
         const std::map<std::string, std::int64_t>& sizes, std::optional<std::int64_t> bits,
         bool strict, bool fuse) {
        Diagnostics diagnostics;
        std::optional<OnnxNetwork> model;
        {
          const nb::gil_scoped_release release;
          model = tilewright::read_onnx(
              {bytes.c_str(), bytes.size()}, name,
              {.sizes = sizes, .bits = bits, .strict = strict, .fuse = fuse}, diagnostics);
        }
        if (!model) throw FileError(diagnostics);
        return *std::move(model);
      },
      nb::arg("bytes"), nb::arg("name"), nb::arg("sizes"), nb::arg("bits").none(),
      nb::arg("strict"), nb::arg("fuse"));
}

void add_verify(nb::module_& m) {
  using verify::Verdict;
  nb::class_<Verdict>(m, "Verdict", "Whether a proof holds.")
      .def_ro("ok", &Verdict::ok)
      .def_ro("why", &Verdict::why, "If it does not: one sentence.")
      .def_ro("score", &Verdict::score, "Of the mapping.")
      .def("__bool__", [](const Verdict& verdict) { return verdict.ok; })
      .def("__str__", [](const Verdict& verdict) { return verify::verdict_text("proof", verdict); })
      .def("__repr__", [](const Verdict& verdict) {
        return verdict.ok ? fmt::format("<Verdict: proved, score {:.17g}>", verdict.score)
                          : fmt::format("<Verdict: refused: {}>", verdict.why);
      });
  m.def(
      "verify",
      [](const std::string& proof, const Arch* arch, const Workload* workload,
         const std::string& constraints) {
        std::vector<std::shared_ptr<const SourceFile>> files;
        const auto add = [&](const char* name, std::string text) {
          files.push_back(std::make_shared<const SourceFile>(SourceFile{name, std::move(text)}));
        };
        if (arch != nullptr) add("arch.yaml", write_arch(*arch));
        if (workload != nullptr) add("workload.yaml", write_workload(*workload));
        if (!constraints.empty()) add("constraints.yaml", constraints);
        Diagnostics diagnostics;
        const Documents own = read_documents(files, diagnostics);
        throw_errors(diagnostics);
        const nb::gil_scoped_release release;
        return verify::verify_proof(proof, own);
      },
      nb::arg("proof"), nb::arg("arch").none(), nb::arg("workload").none(), nb::arg("constraints"));
}

// The command with its output as texts; Ctrl-C ends a search.
nb::tuple run_command(const std::vector<std::string>& args, const std::string& input) {
  std::istringstream in(input);
  std::ostringstream out;
  std::ostringstream err;
  Console console{in, out, err};
  Watch watch{nb::none()};
  console.interrupted = watch.stop();
  const int code = watch.run([&] { return run(args, console); });
  return nb::make_tuple(code, out.str(), err.str());
}

// The command of this process, with its streams and signals: the GIL is of no use to it.
int run_process(const std::vector<std::string>& args) {
  const nb::gil_scoped_release release;
  return tilewright::run_process(args);
}

}  // namespace

void add_others(nb::module_& m) {
  add_onnx(m);
  add_verify(m);
  m.def("run_command", run_command, nb::arg("args"), nb::arg("input"),
        nb::sig("def run_command(args: collections.abc.Sequence[str], input: str) -> "
                "tuple[int, str, str]"));
  m.def("main", run_process, nb::arg("args"));
  m.def("version", program_version);
}

}  // namespace tilewright::python
