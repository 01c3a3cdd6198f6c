// SPDX-License-Identifier: Apache-2.0
#include "tilewright/cli/input/timeloop_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "tilewright/base/text/printable.h"
#include "tilewright/cli/input/inputs.h"
#include "tilewright/timeloop/native.h"
#include "tilewright/timeloop/timeloop.h"

namespace tilewright {
namespace {

namespace fs = std::filesystem;

/// The files that were given, and those on the disk.
class DiskFiles : public timeloop::Files {
 public:
  explicit DiskFiles(Sources given) : files_(std::move(given)) {}

  std::shared_ptr<const SourceFile> open(const std::string& path) override {
    std::error_code error;
    if (!fs::is_regular_file(path, error)) return nullptr;
    for (const auto& file : files_) {
      if (fs::equivalent(file->name, path, error)) return file;
    }
    Diagnostics ignored;
    const auto text = read_text_file(path, ignored);
    if (!text) return nullptr;
    files_.push_back(std::make_shared<const SourceFile>(SourceFile{printable(path), *text}));
    return files_.back();
  }

  std::vector<std::string> match(const std::string& pattern) override {
    std::vector<std::string> names;
    std::error_code error;
    const fs::path folder = timeloop::folder_of(pattern);
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
      const std::string name = it->path().filename().string();
      if (!name.starts_with('.') && timeloop::fits_pattern(name, timeloop::last_part(pattern))) {
        names.push_back(it->path().string());
      }
    }
    std::ranges::sort(names);
    return names;
  }

 private:
  Sources files_;
};

std::map<std::string, std::string> parse_defines(const std::vector<std::string>& defines,
                                                 Diagnostics& diagnostics) {
  std::map<std::string, std::string> result;
  for (const std::string& text : defines) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      diagnostics.error("C0016", fmt::format("--define {} has no value", in_backticks(text)))
          .helps.emplace_back("write --define NAME=VALUE");
      continue;
    }
    result[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return result;
}

}  // namespace

void add_timeloop(CLI::App& command, Session& session) {
  command.add_flag("--ignore-unsupported", session.ignore_unsupported,
                   "go on without what files of Timeloop ask for and the model does not have");
  command
      .add_option("--define", session.defines,
                  "the value of a name in a template among Timeloop's files; may be repeated")
      ->option_text("NAME=VALUE")
      ->allow_extra_args(false);
}

Documents read_inputs(Session& session, const Sources& sources, Diagnostics& diagnostics,
                      std::string* objective) {
  const Overrides overrides = make_overrides(session.with, "--with");
  session.inputs = sources;
  const auto theirs = [](const auto& file) { return timeloop::is_timeloop(*file); };
  if (std::ranges::none_of(sources, theirs)) {
    return read_documents(sources, diagnostics, overrides);
  }
  DiskFiles files(sources);
  timeloop::Options options;
  options.ignore_unsupported = session.ignore_unsupported;
  options.definitions = parse_defines(session.defines, diagnostics);
  options.files = &files;
  timeloop::Reading reading = timeloop::read_documents(sources, diagnostics, overrides, options);
  if (diagnostics.has_errors()) return std::move(reading.documents);
  for (const std::string& note : reading.notes) session.note("note: " + note);
  session.left_out = reading.ignored;
  session.inputs = timeloop::write_native(reading.documents);
  if (objective != nullptr && reading.objective) *objective = *reading.objective;
  return std::move(reading.documents);
}

std::string left_out_text(const Session& session) {
  if (session.left_out.empty()) return "";
  std::string text = "\nleft out, because the model does not have it:\n";
  for (const std::string& what : session.left_out) text += "  " + printable(what) + "\n";
  return text;
}

}  // namespace tilewright
