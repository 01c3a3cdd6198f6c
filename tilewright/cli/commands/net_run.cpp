// SPDX-License-Identifier: Apache-2.0
#include "tilewright/cli/commands/net_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <numeric>

#include "tilewright/base/text/printable.h"
#include "tilewright/base/version.h"
#include "tilewright/cli/input/inputs.h"
#include "tilewright/cli/input/results.h"
#include "tilewright/cli/searching.h"
#include "tilewright/format/number_text.h"
#include "tilewright/html/page.h"
#include "tilewright/io/write.h"
#include "tilewright/report/network/plan_text.h"
#include "tilewright/result/json/plan_json.h"
#include "tilewright/result/planned.h"

namespace tilewright {
namespace {

namespace fs = std::filesystem;

void require(bool there, const char* section, const char* help, Diagnostics& diagnostics) {
  if (there) return;
  diagnostics.error("C0004", fmt::format("no `{}` in the files given", section))
      .helps.emplace_back(help);
}

// `03-conv2_1`: unique by its number, and a name that every file system takes.
std::string file_stem(std::size_t number, const std::string& name) {
  std::string stem = fmt::format("{:02}-", number + 1);
  for (const char c : name.substr(0, 60)) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_';
    stem += plain ? c : '-';
  }
  return stem;
}

// One architecture and one network, from a file or a model.
void require_all(const Documents& documents, const std::vector<std::string>& models,
                 Diagnostics& diagnostics) {
  require(documents.arch.has_value(), "arch",
          "give a file with `arch:`, or a name from the library (`tilewright arch list`)",
          diagnostics);
  require(documents.network || !models.empty(), "network",
          documents.workload ? "`tilewright map` is for one workload; a network has layers"
                             : "give a file with `network:`, an ONNX model (`.onnx`), or a name "
                               "from the library (`tilewright workload list`)",
          diagnostics);
  if (models.size() + (documents.network ? 1 : 0) < 2) return;
  diagnostics.error("F0013", "several networks are given: which one is meant?")
      .helps.emplace_back("give only one `.onnx` file or one `network:`");
}

}  // namespace

std::optional<NetInput> load_net(Session& session, const NetCommand& command) {
  std::vector<std::string> texts = command.files;
  std::vector<std::string> models;
  std::erase_if(texts, [&](const std::string& name) {
    const bool onnx = ends_with_ignoring_case(name, ".onnx");
    if (onnx) models.push_back(name);
    return onnx;
  });
  Diagnostics diagnostics;
  session.inputs = session.given() != nullptr
                       ? *session.given()
                       : read_sources(texts, session.console().in, diagnostics);
  const Sources& files = session.inputs;
  Documents documents;
  if (!diagnostics.has_errors()) {
    documents = read_documents(files, diagnostics, make_overrides(session.with, "--with"));
  }
  if (!diagnostics.has_errors()) require_all(documents, models, diagnostics);
  session.show(diagnostics);
  if (!models.empty()) {
    if (auto model = load_onnx(session, models.front(), command.model)) {
      documents.network = std::move(model->network);
      // A result file holds texts: the network as it was read.
      session.inputs.push_back(std::make_shared<SourceFile>(
          SourceFile{models.front() + ".yaml", write_network(*documents.network)}));
    }
  }
  if (diagnostics.has_errors() || !documents.network) {
    session.exit_code = kInputError;
    return std::nullopt;
  }
  if (documents.has_mapping_section) {
    session.note(
        "note: the mapping in the files is not used; `net` searches for one for each layer");
  }
  return NetInput{std::move(*documents.network), std::move(*documents.arch),
                  std::move(documents.arch_source), documents.constraints_file,
                  documents.flexibility_files};
}

void NetRun::run() {
  if (!read_request() || !read_constraints()) return;
  if (!session_.can_write({command_.csv, command_.html, command_.result})) return;
  if (session_.console().catch_interrupts != nullptr) session_.console().catch_interrupts();
  const PlanResult planned = search();
  note_effort(planned.plan);
  show(planned);
}

PlanResult NetRun::search() {
  ProgressLine line(session_, request_.mapper, request_.objective.name);
  if (line.visible()) {
    request_.progress = [&](const PlanProgress& progress) {
      line.set_start(fmt::format("{}/{} {}: ", progress.done, progress.all, progress.layer));
      line.show(progress.progress);
    };
  }
  return plan(input_.network, input_.arch, request_);
}

// False, with findings shown, if an option cannot be read or met.
bool NetRun::read_request() {
  Diagnostics diagnostics;
  auto request = tilewright::read_request(command_.options, OptionStyle::kCommand, diagnostics);
  session_.show(diagnostics);
  if (!request) {
    session_.exit_code = kUsageError;
    return false;
  }
  request_ = *std::move(request);
  request_.stop = session_.console().interrupted;
  if (command_.options.seed && request_.mapper == Mapper::kOptimal) {
    session_.note("note: `--seed` has no effect with the optimal mapper");
  }
  return true;
}

bool NetRun::read_constraints() {
  if (!input_.constraints) return true;
  Diagnostics diagnostics;
  auto read = read_layer_constraints(input_.constraints, input_.network, input_.arch,
                                     command_.model.strict, diagnostics);
  session_.show(diagnostics);
  if (!read) {
    session_.exit_code = kInputError;
    return false;
  }
  constraints_ = std::move(*read);
  request_.constraints = constraints_of_layers(constraints_);
  return true;
}

// Not part of the result, because it differs from run to run.
void NetRun::note_effort(const Plan& plan) {
  const double cpu = std::accumulate(plan.solved.begin(), plan.solved.end(), 0.0,
                                     [](double sum, const Solved& s) { return sum + s.seconds; });
  session_.note(fmt::format(
      "{} search: {}, {:.2f} s ({:.2f} s of CPU time)", command_.options.mapper,
      plural_text(static_cast<std::int64_t>(plan.solved.size()), "problem"), plan.seconds, cpu));
}

void NetRun::show(const PlanResult& result) {
  const Planned planned{.result = result,
                        .constraints = input_.constraints ? input_.constraints->name : "",
                        .arch_source = input_.arch_source,
                        .sources = constraints_};
  std::string json;
  if (command_.json || !command_.result.empty()) {
    const bool stopped = request_.stop != nullptr && request_.stop->load();
    json = plan_json(planned, program_version(),
                     make_record(recorded_options(), inputs_of(session_), result, stopped));
  }
  session_.out() << (command_.json ? json : plan_text(planned, session_.text_options()));
  Diagnostics conflicts;
  report_conflicts(planned, conflicts);
  session_.show(conflicts);
  if (result.plan.totals.unmapped > 0) {
    session_.exit_code = result.status == Status::kNotFound ? kNotFound : kIllegal;
  }
  save_result(session_, command_.result, json);
  if (!command_.csv.empty()) session_.save_file(command_.csv, plan_csv(planned));
  if (!command_.html.empty()) {
    session_.save_file(command_.html, plan_page(planned, program_version()));
  }
  if (!command_.output.empty()) save_folder(result.plan);
}

// With what was said about reading the network: the one in the record is fused already.
NetOptions NetRun::recorded_options() const {
  NetOptions options = command_.options;
  options.strict = command_.model.strict;
  const bool imported = std::ranges::any_of(command_.files, [](const std::string& name) {
    return ends_with_ignoring_case(name, ".onnx");
  });
  if (imported || !command_.model.fuse.empty()) options.fuse = command_.model.fuse_or_default();
  return options;
}

// The accelerator once and each problem with its mapping, so that `evaluate` can read them.
void NetRun::save_folder(const Plan& plan) {
  const fs::path folder(command_.output);
  std::error_code ignored;  // writing says so
  fs::create_directories(folder, ignored);
  const auto save = [&](const std::string& name, const std::string& text) {
    return session_.write_file((folder / name).string(), text);
  };
  if (!save("arch.yaml", write_arch(input_.arch))) return;
  for (std::size_t i = 0; i < plan.solved.size(); ++i) {
    const Solved& solved = plan.solved[i];
    const Problem& problem = *solved.problem;
    const std::string stem = file_stem(i, problem.workload().name());
    if (!save(stem + ".yaml", write_workload(problem.workload()))) return;
    if (solved.best && !save(stem + ".nest", write_nest(problem, solved.best->mapping))) return;
    // With edges on chip a layer sees less of the accelerator.
    if (problem.arch() == input_.arch) continue;
    if (!save(stem + ".arch.yaml", write_arch(problem.arch()))) return;
  }
  session_.note(
      fmt::format("wrote {}: {} with mappings; `tilewright evaluate` reads them", command_.output,
                  plural_text(static_cast<std::int64_t>(plan.solved.size()), "workload")));
}

}  // namespace tilewright
