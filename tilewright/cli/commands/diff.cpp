// SPDX-License-Identifier: Apache-2.0
// tilewright diff: in what two results differ, and why.
#include <fmt/format.h>

#include <cmath>

#include "tilewright/base/version.h"
#include "tilewright/cli/commands.h"
#include "tilewright/cli/input/inputs.h"
#include "tilewright/cli/input/results.h"
#include "tilewright/diff/compare_text.h"
#include "tilewright/diff/diff_text.h"
#include "tilewright/diff/plan_diff.h"
#include "tilewright/io/constraints/constraint_text.h"
#include "tilewright/model/evaluate.h"

namespace tilewright {
namespace {

struct Options {
  std::string before;
  std::string after;
  bool counts = false;
  bool json = false;
};

/// A result, read and evaluated again.
class Opened {
 public:
  Opened(OpenedResult file, Documents documents)
      : file_(std::move(file)),
        documents_(std::move(documents)),
        evaluation_(evaluate(*documents_.problem, *documents_.mapping)) {
    std::string why;
    saved_ = read_saved_evaluation(file_.file->text, why);
    for (const Constraint& constraint : documents_.constraints) {
      constraints_.push_back(constraint_text(*documents_.problem, constraint));
    }
  }

  // The evaluation refers to members.
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;

  DiffSide side() const {
    return {file_.file->name,
            file_.result.version,
            file_.result.run,
            evaluated_,
            saved_ ? saved_->proved : std::nullopt,
            constraints_};
  }

  /// False if the file has other figures than this program gives its mapping.
  bool is_current() const {
    return saved_ && saved_->cycles == evaluation_.cycles &&
           std::abs(saved_->energy_pj - evaluation_.energy_pj) <= 1e-9 * evaluation_.energy_pj;
  }

 private:
  OpenedResult file_;
  Documents documents_;
  Evaluation evaluation_;
  Evaluated evaluated_{*documents_.problem, *documents_.mapping, evaluation_};
  std::optional<SavedEvaluation> saved_;
  std::vector<std::string> constraints_;
};

// Nothing, with findings shown and the exit code set, if it cannot be evaluated.
std::unique_ptr<const Opened> evaluate_again(Session& session, const OpenedResult& file) {
  std::optional<Documents> documents =
      load(session, Sources{file.file}, Need::kMapping, conventions_of(file.result.run));
  if (!documents || !accept_mapping(session, *documents, Misfit::kWarn)) return nullptr;
  auto opened = std::make_unique<const Opened>(file, std::move(*documents));
  if (!opened->is_current()) {
    session.note(
        fmt::format("warning: the figures in {0} differ from those that this version computes for "
                    "its mapping: see `tilewright rerun {0}`",
                    file.file->name));
  }
  return opened;
}

void diff_mappings(const Options& options, Session& session, const OpenedResult& left,
                   const OpenedResult& right) {
  const auto before = evaluate_again(session, left);
  const auto after = evaluate_again(session, right);
  if (!before || !after) return;
  session.out() << (options.json ? diff_json(before->side(), after->side(), program_version())
                                 : diff_text(before->side(), after->side(), options.counts,
                                             session.text_options()));
}

void diff_plans(const Options& options, Session& session, const OpenedResult& left,
                const OpenedResult& right) {
  const auto before = read_saved_plan(left.file->text);
  const auto after = read_saved_plan(right.file->text);
  if (before && after) {
    const PlanSide sides[] = {{left.file->name, left.result, *before},
                              {right.file->name, right.result, *after}};
    session.out() << (options.json ? plan_diff_json(sides[0], sides[1], program_version())
                                   : plan_diff_text(sides[0], sides[1], session.text_options()));
    return;
  }
  const OpenedResult& wrong = before ? right : left;
  Diagnostics diagnostics;
  diagnostics
      .error("R0001", wrong.result.run.command == "net"
                          ? "a result of `net` is damaged: its figures are missing"
                          : "a network can only be compared with a network")
      .labels.push_back({Span{wrong.file, 0, 0, 1}, ""});
  session.show(diagnostics);
  session.exit_code = kInputError;
}

void run_diff(const Options& options, Session& session) {
  const std::optional<OpenedResult> before = open_result(session, options.before);
  const std::optional<OpenedResult> after = open_result(session, options.after);
  if (!before || !after) return;
  const auto is_plan = [](const OpenedResult& file) { return file.result.run.command == "net"; };
  if (is_plan(*before) || is_plan(*after)) {
    diff_plans(options, session, *before, *after);
  } else {
    diff_mappings(options, session, *before, *after);
  }
}

}  // namespace

void add_diff(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("diff", "show how two results differ, and why");
  auto options = std::make_shared<Options>();
  const char* const what = "a result file written by `--save` or `--json`";
  command->add_option("BEFORE", options->before, what)->required()->option_text(" ");
  command->add_option("AFTER", options->after, what)->required()->option_text(" ");
  command->add_flag("--counts", options->counts, "also list all counts that differ")
      ->option_text("");
  command->add_flag("--json", options->json, "print the differences as JSON")->option_text("");
  command->callback([options, &session] { run_diff(*options, session); });
}

}  // namespace tilewright
