// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tilewright/advice/violation_text.h"
#include "tilewright/cli/input/inputs.h"
#include "tilewright/cli/input/timeloop_input.h"
#include "tilewright/mapping/violation.h"

namespace tilewright {
namespace {

void require(bool there, const char* section, const char* help, Diagnostics& diagnostics) {
  if (there) return;
  diagnostics.error("C0004", fmt::format("no `{}` in the files given", section))
      .helps.emplace_back(help);
}

// The same findings, as warnings.
Diagnostics softened(const Diagnostics& diagnostics) {
  Diagnostics result;
  for (const Diagnostic& found : diagnostics.all()) {
    Diagnostic& copy = result.warning(found.code, found.message);
    copy.labels = found.labels;
    copy.notes = found.notes;
  }
  return result;
}

}  // namespace

std::optional<Documents> load(Session& session, const std::vector<std::string>& arguments,
                              Need need, Conventions conventions, std::string* objective) {
  if (session.given() != nullptr) {
    return load(session, *session.given(), need, conventions, objective);
  }
  Diagnostics diagnostics;
  const Sources sources = read_sources(arguments, session.console().in, diagnostics);
  if (!diagnostics.has_errors()) return load(session, sources, need, conventions, objective);
  session.show(diagnostics);
  session.exit_code = kInputError;
  return std::nullopt;
}

std::optional<Documents> load(Session& session, const Sources& sources, Need need,
                              Conventions conventions, std::string* objective) {
  Diagnostics diagnostics;
  Documents documents = read_inputs(session, sources, diagnostics, objective);
  if (!diagnostics.has_errors() && need != Need::kAnything) {
    require(documents.workload.has_value(), "workload",
            documents.network
                ? "`tilewright net` maps all layers of a network; for one of them give "
                  "`NAME/LAYER`, or the file that "
                  "`tilewright workload show NAME --layer LAYER` prints"
                : "give an operator in quotes, such as 'gemm 64 64 64'; a file with "
                  "`workload:`; or a layer of a library network (`resnet50/conv1`)",
            diagnostics);
    require(documents.arch.has_value(), "arch",
            "give a file with `arch:`, or a name from the library (`tilewright arch list`)",
            diagnostics);
    if (need == Need::kMapping) {
      require(
          documents.has_mapping_section, "mapping",
          "give a file with `mapping:`, or a `.nest` file; `tilewright doc mapping` describes both",
          diagnostics);
    }
  }
  if (documents.problem) {
    conventions.holes_are_data |= documents.problem->conventions().holes_are_data;
    documents.problem = documents.problem->with(conventions);
  }
  session.show(diagnostics);
  if (!diagnostics.has_errors()) return documents;
  session.exit_code = kInputError;
  return std::nullopt;
}

bool accept_mapping(Session& session, const Documents& documents, Misfit misfit) {
  const std::vector<Violation> violations = find_violations(*documents.problem, *documents.mapping);
  if (violations.empty()) return true;
  Diagnostics diagnostics;
  report_violations(*documents.problem, *documents.mapping, documents.mapping_source, violations,
                    diagnostics);
  // Structural faults come first.
  const bool makes_sense = !is_structural(violations.front().kind);
  if (makes_sense && misfit == Misfit::kWarn) {
    session.show(softened(diagnostics));
    return true;
  }
  session.show(diagnostics);
  if (makes_sense && misfit == Misfit::kOffer) {
    session.note("help: --anyway evaluates it as if it fit");
  }
  session.exit_code = kIllegal;
  return false;
}

}  // namespace tilewright
