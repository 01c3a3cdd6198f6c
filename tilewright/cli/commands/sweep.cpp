// SPDX-License-Identifier: Apache-2.0
// tilewright sweep: many designs, every layer of every network on each of them.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "tilewright/base/text/printable.h"
#include "tilewright/base/version.h"
#include "tilewright/cli/commands.h"
#include "tilewright/cli/input/inputs.h"
#include "tilewright/cli/input/validators.h"
#include "tilewright/cli/searching.h"
#include "tilewright/cli/storing.h"
#include "tilewright/format/number_text.h"
#include "tilewright/sweep/best/best.h"
#include "tilewright/sweep/picture/front_page.h"
#include "tilewright/sweep/picture/front_svg.h"
#include "tilewright/sweep/run/local_run.h"
#include "tilewright/sweep/run/shard.h"
#include "tilewright/sweep/texts.h"

namespace tilewright {
namespace {

using Clock = std::chrono::steady_clock;

struct RunOptions {
  std::string plan;
  std::string store;
  std::string shard;
  int jobs = 0;
  double most_memory_mb = 0;
  double most_seconds = 0;
};

struct BestCommand {
  std::string plan;
  std::string store;
  std::vector<std::string> figures = {"edp"};
  int jobs = 0;
  bool json = false;
};

struct TableOptions {
  std::string store;
  std::vector<std::string> figures = {"area", "edp"};
  bool all = false;
  bool csv = false;
  bool json = false;
  std::string svg;
  std::string html;
};

// The file and all that it names; nothing, with findings shown, if something is wrong.
std::optional<SweepPlan> load_plan(Session& session, const std::string& path) {
  Diagnostics diagnostics;
  std::optional<SweepPlan> plan;
  if (const auto text = read_text_file(path, diagnostics)) {
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    plan = read_plan({path, *text, {}, {}}, files_in(folder), diagnostics);
  }
  session.show(diagnostics);
  if (!plan) session.exit_code = kInputError;
  return plan;
}

void run_sweep(const RunOptions& options, Session& session) {
  const std::optional<SweepPlan> plan = load_plan(session, options.plan);
  if (!plan) return;
  LocalOptions local;
  if (!options.shard.empty()) {
    std::string why;
    const auto shard = parse_shard(
        options.shard, [](const char* name) { return std::getenv(name); }, why);
    if (!shard) {
      Diagnostics diagnostics;
      diagnostics.error("S0006", why)
          .helps.emplace_back("for example `--shard 0/8`; in a job array `--shard auto/8`");
      session.show(diagnostics);
      session.exit_code = kUsageError;
      return;
    }
    local.shard = *shard;
  }
  report_store_errors(session, [&] {
    Store store(options.store, Store::Mode::kWrite);
    session.note(fmt::format("{}: {}", plan->name(), size_text(*plan)));
    if (session.console().catch_interrupts != nullptr) session.console().catch_interrupts();
    local.jobs = options.jobs;
    local.most_memory = static_cast<std::uint64_t>(options.most_memory_mb * (1 << 20));
    local.most_seconds = options.most_seconds;
    local.stop = session.console().interrupted;
    const Clock::time_point begun = Clock::now();
    const auto seconds = [&] {
      return std::chrono::duration<double>(Clock::now() - begun).count();
    };
    SweepProgress progress;
    {
      LiveLine line(session);
      local.progress = [&](const SweepProgress& now) { line.show(progress_text(now, seconds())); };
      progress = run_local(*plan, store, local);
    }
    session.out() << summary_text(progress, seconds());
    if (progress.failed > 0) session.exit_code = kNotFound;
  });
}

// The plan that a store was last used for.
std::optional<SweepPlan> plan_of(Session& session, const Store& store) {
  const std::vector<std::string> plans = store.plans();
  if (!plans.empty()) return plan_from_json(plans.back());
  Diagnostics diagnostics;
  diagnostics.error("S0005", in_backticks(store.path()) + " has no plan of a sweep")
      .helps.emplace_back("`tilewright sweep run PLAN -o STORE` puts one there");
  session.show(diagnostics);
  session.exit_code = kInputError;
  return std::nullopt;
}

void run_status(const std::string& path, Session& session) {
  report_store_errors(session, [&] {
    const Store store(path, Store::Mode::kRead);
    const auto plan = plan_of(session, store);
    if (!plan) return;
    std::map<std::string, std::uint64_t> counts;
    for_each_problem(*plan, store, [&](const SweepProblem&, const Digest&, const Row* row) {
      ++counts[row == nullptr ? "left" : row->status];
    });
    session.out() << plan->name() << ": " << size_text(*plan) << "\n";
    for (const auto& [status, count] : counts) {
      session.out() << fmt::format("{:>12}  {}\n", count, status);
    }
  });
}

void run_best(const BestCommand& command, Session& session) {
  const std::optional<SweepPlan> plan = load_plan(session, command.plan);
  if (!plan) return;
  report_store_errors(session, [&] {
    Store store(command.store, Store::Mode::kWrite);
    session.note(fmt::format("{}: {}", plan->name(), size_text(*plan)));
    if (session.console().catch_interrupts != nullptr) session.console().catch_interrupts();
    std::vector<BestDesigns> all;
    for (std::size_t request = 0; request < plan->requests().size(); ++request) {
      BestOptions options;
      options.request = request;
      options.figures = figures_by_name(command.figures);
      options.threads = command.jobs;
      options.stop = session.console().interrupted;
      LiveLine line(session);
      options.progress = [&](const BestProgress& now) { line.show(best_progress_text(now)); };
      all.push_back(find_best(*plan, store, options));
      if (!all.back().complete) session.exit_code = kNotFound;
    }
    if (command.json) session.out() << best_json(*plan, all);
    for (const BestDesigns& best : all) {
      if (!command.json) session.out() << best_text(*plan, best, session.text_options());
    }
  });
}

void run_table(const TableOptions& options, Session& session) {
  const bool drawn = !options.svg.empty() || !options.html.empty();
  if (drawn && options.figures.size() != 2) {
    Diagnostics diagnostics;
    diagnostics
        .error("C0012", fmt::format("a picture has two axes, but `--front` has {}",
                                    plural_text(static_cast<std::int64_t>(options.figures.size()),
                                                "figure")))
        .helps.emplace_back("for example `--front area,edp`");
    session.show(diagnostics);
    session.exit_code = kUsageError;
    return;
  }
  report_store_errors(session, [&] {
    const Store store(options.store, Store::Mode::kRead);
    const auto plan = plan_of(session, store);
    if (!plan) return;
    const DesignTable table = make_table(*plan, store, figures_by_name(options.figures));
    if (!options.svg.empty() && !session.write_file(options.svg, front_svg(*plan, table))) return;
    if (!options.html.empty() &&
        !session.write_file(options.html, front_page(*plan, store, table, program_version()))) {
      return;
    }
    constexpr std::size_t kShown = 40;
    session.out() << (options.csv    ? table_csv(*plan, table)
                      : options.json ? table_json(*plan, table)
                                     : table_text(*plan, table, options.all ? 0 : kShown,
                                                  session.text_options()));
  });
}

void add_plan_and_store(CLI::App& command, std::string& plan, std::string& store) {
  command.add_option("PLAN", plan, "a file with `sweep:` (`tilewright doc sweep`)")
      ->required()
      ->option_text(" ");
  command.add_option("-o,--store", store, "the file that keeps the answers")
      ->required()
      ->option_text("STORE.db");
}

void add_run(CLI::App& command, Session& session) {
  CLI::App* run = command.add_subcommand(
      "run", "solve what is not in the store yet; may be ended at any time and goes on later");
  run->fallthrough();
  auto options = std::make_shared<RunOptions>();
  add_plan_and_store(*run, options->plan, options->store);
  run->add_option("--shard", options->shard,
                  "solve only one of N equal parts; `auto` takes its number from the job array "
                  "(Slurm, LSF, Kubernetes)")
      ->option_text("I/N");
  run->add_option("--jobs", options->jobs, "worker processes; by default one for each processor")
      ->option_text("N")
      ->check(CLI::Range(1, 4096));
  run->add_option("--memory", options->most_memory_mb,
                  "end a problem that takes more than so many MiB")
      ->option_text("MIB")
      ->check(CLI::Range(64.0, 1e7));
  run->add_option("--timeout", options->most_seconds,
                  "end a problem that takes longer, and store it as failed after three tries")
      ->option_text("SECONDS")
      ->check(CLI::Range(0.1, 1e7));
  run->callback([options, &session] { run_sweep(*options, session); });
}

void add_front(CLI::App& command, std::vector<std::string>& figures, const char* help) {
  command.add_option("--front", figures, help)
      ->delimiter(',')
      ->option_text(fmt::format("{},...", fmt::join(figure_names(), "|")))
      ->check(one_of(figure_names()));
}

void add_best(CLI::App& command, Session& session) {
  CLI::App* best = command.add_subcommand(
      "best", "the best design, or the Pareto front, without solving every design");
  best->fallthrough();
  auto options = std::make_shared<BestCommand>();
  add_plan_and_store(*best, options->plan, options->store);
  add_front(*best, options->figures,
            "figures in which no other design may be better; one: the best design");
  best->add_option("--jobs", options->jobs, "threads; by default one for each processor")
      ->option_text("N")
      ->check(CLI::Range(1, 4096));
  best->add_flag("--json", options->json, "as JSON, with the bounds that ruled designs out")
      ->option_text("");
  best->callback([options, &session] { run_best(*options, session); });
}

void add_table(CLI::App& command, Session& session) {
  CLI::App* table =
      command.add_subcommand("table", "what every design costs, and the Pareto front");
  table->fallthrough();
  auto options = std::make_shared<TableOptions>();
  table->add_option("STORE", options->store, "the file that keeps the answers")
      ->required()
      ->option_text(" ");
  add_front(*table, options->figures, "figures that designs on the front trade against each other");
  table->add_flag("--all", options->all, "show every design")->option_text("");
  auto* csv = table->add_flag("--csv", options->csv, "as CSV")->option_text("");
  table->add_flag("--json", options->json, "as JSON")->option_text("")->excludes(csv);
  table->add_option("--svg", options->svg, "also draw the front")->option_text("FILE");
  table
      ->add_option("--html", options->html,
                   "also write a page where the points of the front lead to their mappings")
      ->option_text("FILE");
  table->callback([options, &session] { run_table(*options, session); });
}

}  // namespace

void add_sweep(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("sweep", "solve many designs, and keep every answer in a file");
  command->require_subcommand(1);
  command->fallthrough();
  add_run(*command, session);
  CLI::App* status = command->add_subcommand("status", "how far a sweep has come");
  status->fallthrough();
  auto path = std::make_shared<std::string>();
  status->add_option("STORE", *path, "the file that keeps the answers")
      ->required()
      ->option_text(" ");
  status->callback([path, &session] { run_status(*path, session); });
  add_table(*command, session);
  add_best(*command, session);
}

}  // namespace tilewright
