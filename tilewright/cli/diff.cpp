// SPDX-License-Identifier: Apache-2.0
// tilewright diff: in what two results differ, and why.
#include <fmt/format.h>

#include <cmath>

#include "tilewright/cli/commands.h"
#include "tilewright/cli/inputs.h"
#include "tilewright/cli/results.h"
#include "tilewright/cli/run.h"
#include "tilewright/io/constraint_text.h"
#include "tilewright/model/evaluate.h"
#include "tilewright/report/diff_text.h"

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
        conventions_(conventions_of(file_.result.run)),
        evaluation_(evaluate(*documents_.problem, *documents_.mapping, conventions_)) {
    std::string why;
    saved_ = read_saved_evaluation(file_.file->text, why);
    for (const Constraint& constraint : documents_.constraints) {
      constraints_.push_back(constraint_text(*documents_.problem, constraint));
    }
  }

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
  Conventions conventions_;
  Evaluation evaluation_;
  Evaluated evaluated_{*documents_.problem, *documents_.mapping, evaluation_, conventions_};
  std::optional<SavedEvaluation> saved_;
  std::vector<std::string> constraints_;
};

// Nothing, with findings shown and the exit code set, if `path` is no result that can be evaluated.
std::unique_ptr<const Opened> open(Session& session, const std::string& path) {
  std::optional<OpenedResult> file = open_result(session, path);
  if (!file) return nullptr;
  std::optional<Documents> documents = load(session, Sources{file->file}, Need::kMapping);
  if (!documents) return nullptr;
  const Conventions conventions = conventions_of(file->result.run);
  if (!accept_mapping(session, *documents, conventions, Misfit::kWarn)) return nullptr;
  auto opened = std::make_unique<const Opened>(std::move(*file), std::move(*documents));
  if (!opened->is_current()) {
    session.note(
        fmt::format("warning: {0} has other figures than this version gives its mapping: "
                    "`tilewright rerun {0}`",
                    path));
  }
  return opened;
}

void run_diff(const Options& options, Session& session) {
  const auto before = open(session, options.before);
  const auto after = open(session, options.after);
  if (!before || !after) return;
  session.out() << (options.json ? diff_json(before->side(), after->side(), program_version())
                                 : diff_text(before->side(), after->side(), options.counts,
                                             session.text_options()));
}

}  // namespace

void add_diff(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("diff", "in what two results differ, and why");
  auto options = std::make_shared<Options>();
  const char* const what = "a result file: of `--save` or `--json`";
  command->add_option("BEFORE", options->before, what)->required()->option_text(" ");
  command->add_option("AFTER", options->after, what)->required()->option_text(" ");
  command->add_flag("--counts", options->counts, "also all counts that differ")->option_text("");
  command->add_flag("--json", options->json, "the differences as JSON")->option_text("");
  command->callback([options, &session] { run_diff(*options, session); });
}

}  // namespace tilewright
