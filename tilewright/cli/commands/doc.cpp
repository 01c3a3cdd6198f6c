// SPDX-License-Identifier: Apache-2.0
// tilewright doc, tilewright schema: the input language, from the field lists that the readers use.
#include <fmt/format.h>

#include "tilewright/base/text/nearest.h"
#include "tilewright/cli/commands.h"
#include "tilewright/io/yaml/fields.h"

namespace tilewright {
namespace {

std::string entry_text(const DocEntry& entry, const TextOptions& options) {
  std::string result = paint(entry.object + "." + entry.key, Style::kMemory, options) + "\n" +
                       wrap_words("  ", entry.meaning, options.width) +
                       wrap_words("  value:   ", entry.kind, options.width);
  result += entry.required ? "  required\n"
                           : wrap_words("  default: ", entry.default_text, options.width);
  if (!entry.example.empty()) result += "  example: " + entry.example + "\n";
  return result;
}

// One line a key.
std::string index_text(const TextOptions& options) {
  std::string result = "Keys of input files; `tilewright doc KEY` says more about each.\n";
  std::string object;
  for (const DocEntry& entry : doc_entries()) {
    if (entry.object != object) {
      object = entry.object;
      result += "\n" + paint(object, Style::kMemory, options) + "\n";
    }
    result += wrap_words(fmt::format("  {:<18}", entry.key), entry.meaning, options.width);
  }
  return result;
}

void report_unknown(const std::string& key, Session& session) {
  std::vector<std::string> known;
  for (const DocEntry& entry : doc_entries()) {
    known.push_back(entry.key);
    known.push_back(entry.object + "." + entry.key);
  }
  Diagnostics diagnostics;
  Diagnostic& found = diagnostics.error("C0009", fmt::format("there is no key `{}`", key));
  if (const auto meant = nearest(key, known)) {
    found.helps.push_back(fmt::format("did you mean `{}`?", *meant));
  } else {
    found.helps.emplace_back("`tilewright doc` lists all keys");
  }
  session.show(diagnostics);
  session.exit_code = kInputError;
}

void run_doc(const std::string& key, Session& session) {
  const TextOptions options = session.text_options();
  if (key.empty()) {
    session.out() << index_text(options);
    return;
  }
  const std::vector<DocEntry> entries = find_doc(key);
  if (entries.empty()) report_unknown(key, session);
  for (const DocEntry& entry : entries) {
    session.out() << (&entry == &entries.front() ? "" : "\n") << entry_text(entry, options);
  }
}

}  // namespace

void add_doc(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("doc", "explain the keys of input files");
  auto key = std::make_shared<std::string>();
  command->add_option("KEY", *key, "a key, e.g. capacity or memory.capacity; by default all keys")
      ->option_text(" ");
  command->callback([key, &session] { run_doc(*key, session); });
}

void add_schema(CLI::App& app, Session& session) {
  app.add_subcommand("schema", "print a JSON Schema of input files, for editors")
      ->callback([&session] { session.out() << json_schema(); });
}

}  // namespace tilewright
