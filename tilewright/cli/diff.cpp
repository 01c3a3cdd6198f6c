// SPDX-License-Identifier: Apache-2.0
// tilewright diff: in what two results differ, and why.
#include <fmt/format.h>

#include <cmath>

#include "tilewright/cli/commands.h"
#include "tilewright/cli/inputs.h"
#include "tilewright/cli/results.h"
#include "tilewright/cli/run.h"
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
  Opened(std::string name, OpenedResult file, Documents documents)
      : name_(std::move(name)),
        file_(std::move(file)),
        documents_(std::move(documents)),
        conventions_(conventions_of(file_.result.run)),
        evaluation_(evaluate(*documents_.problem, *documents_.mapping, conventions_)) {}

  Evaluated evaluated() const {
    return {*documents_.problem, *documents_.mapping, evaluation_, conventions_};
  }
  DiffSide side(const Evaluated& evaluated) const {
    return {name_, file_.result.version, file_.result.run, evaluated};
  }
  const std::string& text() const { return file_.file->text; }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  OpenedResult file_;
  Documents documents_;
  Conventions conventions_;
  Evaluation evaluation_;
};

// Nothing, with findings shown and the exit code set, if `path` is no result that can be evaluated.
std::unique_ptr<const Opened> open(Session& session, const std::string& path) {
  std::optional<OpenedResult> file = open_result(session, path);
  if (!file) return nullptr;
  std::optional<Documents> documents = load(session, {file->file}, Need::kMapping);
  if (!documents) return nullptr;
  const Conventions conventions = conventions_of(file->result.run);
  if (!accept_mapping(session, *documents, conventions, Misfit::kWarn)) return nullptr;
  return std::make_unique<const Opened>(path, std::move(*file), std::move(*documents));
}

// Both are compared by this program's figures, whatever the files say.
void note_other_figures(Session& session, const Opened& opened, const Evaluated& evaluated) {
  std::string why;
  const auto saved = read_saved_evaluation(opened.text(), why);
  const Evaluation& now = evaluated.evaluation;
  const bool same = saved && saved->cycles == now.cycles &&
                    std::abs(saved->energy_pj - now.energy_pj) <= 1e-9 * now.energy_pj;
  if (same) return;
  session.note(fmt::format(
      "warning: {0} has other figures than its mapping now; `tilewright rerun {0}` shows which",
      opened.name()));
}

void run_diff(const Options& options, Session& session) {
  const auto before = open(session, options.before);
  const auto after = open(session, options.after);
  if (!before || !after) return;
  const Evaluated left = before->evaluated();
  const Evaluated right = after->evaluated();
  note_other_figures(session, *before, left);
  note_other_figures(session, *after, right);
  session.out() << (options.json
                        ? diff_json(before->side(left), after->side(right), program_version())
                        : diff_text(before->side(left), after->side(right), options.counts,
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
