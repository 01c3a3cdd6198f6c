// SPDX-License-Identifier: Apache-2.0
// tilewright store: the files that keep the answers of sweeps.
#include "tilewright/store/store.h"

#include <fmt/format.h>

#include "tilewright/base/text/printable.h"
#include "tilewright/cli/commands.h"
#include "tilewright/cli/storing.h"
#include "tilewright/format/number_text.h"
#include "tilewright/io/whole_file.h"
#include "tilewright/sweep/texts.h"

namespace tilewright {
namespace {

std::string count(std::size_t number) { return count_text(static_cast<std::int64_t>(number)); }

void run_info(const std::string& path, Session& session) {
  const Store store(path, Store::Mode::kRead);
  session.out() << fmt::format("{}: {} answers, {} plans, tables of version {}\n", path,
                               count(store.size()), store.plans().size(), kStoreVersion);
  for (const auto& [status, number] : store.statuses()) {
    session.out() << fmt::format("{:>12}  {}\n", count(number), status);
  }
}

void run_check(const std::string& path, Session& session) {
  const Store store(path, Store::Mode::kRead);
  const std::vector<std::string> faults = store.find_faults();
  for (const std::string& fault : faults) session.out() << printable(fault) << "\n";
  session.out() << fmt::format(
      "{}: {} answers, {}\n", path, count(store.size()),
      faults.empty() ? "nothing is wrong"
                     : plural_text(static_cast<std::int64_t>(faults.size()), "fault"));
  if (!faults.empty()) session.exit_code = kDisagreement;
}

void run_merge(const std::string& into, const std::vector<std::string>& from, Session& session) {
  Store store(into, Store::Mode::kWrite);
  for (const std::string& path : from) {
    const Store part(path, Store::Mode::kRead);
    const Merged merged = merge(store, part);
    session.out() << fmt::format("{}: {} added, {} known\n", path, count(merged.added),
                                 count(merged.known));
    if (merged.differ.empty()) continue;
    session.out() << fmt::format("{}: {} keys have another answer in {}, which is kept:\n", path,
                                 count(merged.differ.size()), into);
    for (const std::string& key : merged.differ) session.out() << "  " << key << "\n";
    session.exit_code = kDisagreement;
  }
}

void run_export(const std::string& path, const std::string& to, Session& session) {
  const Store store(path, Store::Mode::kRead);
  const std::vector<std::string> plans = store.plans();
  if (plans.empty()) throw StoreError(path + ": it has no plan, so its answers have no names");
  const SweepPlan plan = plan_from_json(plans.back());
  if (to.empty()) {
    write_problems_csv(plan, store, [&](const std::string& text) { session.out() << text; });
    return;
  }
  WholeFile file(to);
  write_problems_csv(plan, store, [&](const std::string& text) { file.add(text); });
  const std::string fault = file.finish();
  if (!fault.empty()) throw StoreError(to + ": cannot be written: " + fault);
}

CLI::App* add_one(CLI::App& command, const char* name, const char* about, std::string& path) {
  CLI::App* one = command.add_subcommand(name, about);
  one->fallthrough();
  one->add_option("STORE", path, "the file that keeps the answers")->required()->option_text(" ");
  return one;
}

}  // namespace

void add_store(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("store", "look at and join the files of sweeps");
  command->require_subcommand(1);
  command->fallthrough();
  auto path = std::make_shared<std::string>();
  auto others = std::make_shared<std::vector<std::string>>();
  add_one(*command, "info", "how many answers of which kind", *path)->callback([path, &session] {
    report_store_errors(session, [&] { run_info(*path, session); });
  });
  add_one(*command, "check", "whether the file and every row in it are sound", *path)
      ->callback(
          [path, &session] { report_store_errors(session, [&] { run_check(*path, session); }); });
  CLI::App* merge = add_one(*command, "merge", "add the answers of other stores", *path);
  merge->add_option("OTHERS", *others, "stores, of shards for example")
      ->required()
      ->option_text(" ");
  merge->callback([path, others, &session] {
    report_store_errors(session, [&] { run_merge(*path, *others, session); });
  });
  auto to = std::make_shared<std::string>();
  CLI::App* csv = add_one(*command, "export", "every answer as a line of CSV", *path);
  csv->add_option("-o,--output", *to, "write to a file instead of standard output")
      ->option_text("FILE.csv");
  csv->callback([path, to, &session] {
    report_store_errors(session, [&] { run_export(*path, *to, session); });
  });
}

}  // namespace tilewright
