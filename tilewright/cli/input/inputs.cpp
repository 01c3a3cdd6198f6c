// SPDX-License-Identifier: Apache-2.0
#include "tilewright/cli/input/inputs.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <set>
#include <system_error>

#include "tilewright/base/text/nearest.h"
#include "tilewright/base/text/printable.h"
#include "tilewright/cli/input/networks.h"
#include "tilewright/format/number_text.h"
#include "tilewright/io/workload/operator_text.h"
#include "tilewright/library/library.h"

namespace tilewright {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestFile = std::size_t{4} << 20U;

void set_place(Diagnostic& diagnostic, const std::string& name) {
  auto file = std::make_shared<const SourceFile>(SourceFile{printable(name), ""});
  diagnostic.labels.push_back({{std::move(file), 0, 0, 1}, ""});
}

// At most one byte more than is allowed, so that endless streams end.
std::optional<std::string> read_stream(std::istream& stream, const std::string& name,
                                       Diagnostics& diagnostics) {
  std::string text(kLargestFile + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (stream.bad()) {
    set_place(diagnostics.error("C0001", fmt::format("cannot read `{}`", name)), name);
    return std::nullopt;
  }
  if (text.size() > kLargestFile) {
    Diagnostic& found = diagnostics.error(
        "C0002",
        fmt::format("`{}` is larger than 4 MiB, the most that an input file may have", name));
    set_place(found, name);
    return std::nullopt;
  }
  return text;
}

std::vector<std::string> folder_files(const fs::path& folder, Diagnostics& diagnostics) {
  std::vector<std::string> result;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    const std::string extension = it->path().extension().string();
    std::error_code ignored;
    const bool wanted = !name.starts_with('.') && (extension == ".yaml" || extension == ".nest") &&
                        !it->is_directory(ignored);
    if (wanted) result.push_back(it->path().string());
  }
  std::sort(result.begin(), result.end());
  if (error) {
    set_place(diagnostics.error("C0001", fmt::format("cannot read folder `{}`: {}", folder.string(),
                                                     error.message())),
              folder.string());
  } else if (result.empty()) {
    set_place(diagnostics.error(
                  "C0003", fmt::format("no .yaml or .nest file in folder `{}`", folder.string())),
              folder.string());
  }
  return result;
}

// What stands in the folder of `path`, in order, as `path` would name it.
std::vector<std::string> files_beside(const std::string& path) {
  std::vector<std::string> result;
  std::error_code error;
  const fs::path parent = fs::path(path).parent_path();
  fs::directory_iterator it(parent.empty() ? fs::path(".") : parent, error);
  for (; !error && it != fs::directory_iterator(); it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (!name.starts_with('.')) result.push_back((parent / name).string());
  }
  std::sort(result.begin(), result.end());
  return result;
}

void report_missing(const std::string& argument, Diagnostics& diagnostics) {
  Diagnostic& found = diagnostics.error(
      "C0001", fmt::format("`{}` is not a file, a folder or a name from the library", argument));
  set_place(found, argument);
  std::vector<std::string> candidates = files_beside(argument);
  for (const LibraryEntry& entry : library_archs()) candidates.emplace_back(entry.name);
  for (const LibraryEntry& entry : library_networks()) candidates.emplace_back(entry.name);
  // A layer, if the first part is no folder.
  const std::size_t slash = argument.find('/');
  std::error_code ignored;
  if (slash != std::string::npos && !fs::exists(argument.substr(0, slash + 1), ignored)) {
    for (const LibraryEntry& entry : library_networks()) {
      candidates.push_back(std::string(entry.name) + argument.substr(slash));
    }
  }
  if (const auto meant = nearest(argument, candidates)) {
    found.helps.push_back(fmt::format("did you mean `{}`?", *meant));
  } else {
    found.helps.emplace_back(
        "`tilewright arch list` and `tilewright workload list` list the library");
    found.helps.emplace_back("write an operator as one argument in quotes: 'gemm 512 768 3072'");
  }
}

class SourceReader {
 public:
  SourceReader(std::istream& in, Diagnostics& diagnostics) : in_(in), diagnostics_(diagnostics) {}

  void read(const std::string& argument) {
    std::error_code error;
    if (argument == "-") {
      if (!seen_.insert("-").second) return;
      if (auto text = read_stream(in_, "<stdin>", diagnostics_)) add("<stdin>", std::move(*text));
    } else if (fs::is_directory(argument, error)) {
      for (const std::string& file : folder_files(argument, diagnostics_)) read_file(file);
    } else if (fs::exists(argument, error)) {
      read_file(argument);
    } else if (const LibraryEntry* entry = find_library_arch(argument)) {
      add_entry(argument, entry->text);
    } else if (const LibraryEntry* network = find_library_network(argument)) {
      add_entry(argument, network->text);
    } else if (const auto name = parse_layer_name(argument)) {
      if (const auto text = layer_file(name->network, name->layer, diagnostics_)) {
        add_entry(argument, *text);
      }
    } else if (looks_like_operator(argument)) {
      add(std::string(kOperatorName), argument);
    } else {
      report_missing(argument, diagnostics_);
    }
  }

  std::vector<std::shared_ptr<const SourceFile>> take() { return std::move(files_); }

 private:
  void add_entry(const std::string& argument, std::string_view text) {
    if (seen_.insert("library:" + argument).second) add("library:" + argument, std::string(text));
  }

  void add(const std::string& name, std::string text) {
    files_.push_back(
        std::make_shared<const SourceFile>(SourceFile{printable(name), std::move(text)}));
  }

  // A file that two arguments name is read once.
  void read_file(const std::string& path) {
    std::error_code error;
    const fs::path real = fs::weakly_canonical(path, error);
    if (!seen_.insert(error ? path : real.string()).second) return;
    if (auto text = read_text_file(path, diagnostics_)) add(path, std::move(*text));
  }

  std::istream& in_;
  Diagnostics& diagnostics_;
  std::set<std::string> seen_;
  std::vector<std::shared_ptr<const SourceFile>> files_;
};

// `reason`: the error number of the system.
void report_unopened(const std::string& path, int reason, Diagnostics& diagnostics) {
  Diagnostic& found = diagnostics.error(
      "C0001", fmt::format("cannot open `{}`: {}", path, std::generic_category().message(reason)));
  set_place(found, path);
  if (reason != ENOENT) return;
  if (const auto meant = nearest(path, files_beside(path))) {
    found.helps.push_back(fmt::format("did you mean `{}`?", *meant));
  }
}

// A pipe that this program writes to: reading from it would wait for ever.
bool is_own_output(const std::string& path) {
  struct stat input {};
  struct stat output {};
  return ::stat(path.c_str(), &input) == 0 && ::fstat(STDOUT_FILENO, &output) == 0 &&
         S_ISFIFO(input.st_mode) && input.st_dev == output.st_dev && input.st_ino == output.st_ino;
}

// Nothing, with a finding, if there is no such file or it may not be read.
std::optional<std::ifstream> open_file(const std::string& path, Diagnostics& diagnostics) {
  std::error_code error;
  if (is_own_output(path)) {
    Diagnostic& found = diagnostics.error(
        "C0001", fmt::format("`{}` is where the output goes, so it cannot be an input", path));
    set_place(found, path);
    found.helps.emplace_back("`--json` takes no file: it writes to standard output");
    return std::nullopt;
  }
  if (fs::is_directory(path, error)) {
    report_unopened(path, EISDIR, diagnostics);
    return std::nullopt;
  }
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (stream) return stream;
  report_unopened(path, errno, diagnostics);
  return std::nullopt;
}

void report_large(const std::string& path, const std::string& size, std::size_t largest,
                  Diagnostics& diagnostics) {
  Diagnostic& found = diagnostics.error(
      "C0002", fmt::format("`{}` has {} bytes; at most {} can be read", path, size, largest));
  set_place(found, path);
  found.helps.emplace_back(
      "store the weights as external data: the files that hold them are not needed");
}

// False, with a finding, for what is too large to be read or has no end.
bool check_binary_file(const std::string& path, std::size_t largest, Diagnostics& diagnostics) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_character_file(status) || fs::is_block_file(status)) {
    set_place(diagnostics.error("C0001", fmt::format("`{}` is a device, not a file", path)), path);
    return false;
  }
  if (!fs::is_regular_file(status)) return true;  // a pipe, or an error that opening will tell
  const std::uintmax_t size = fs::file_size(path, error);
  if (error || size <= largest) return true;
  report_large(path, std::to_string(size), largest, diagnostics);
  return false;
}

}  // namespace

std::optional<std::string> read_text_file(const std::string& path, Diagnostics& diagnostics) {
  auto stream = open_file(path, diagnostics);
  if (!stream) return std::nullopt;
  return read_stream(*stream, path, diagnostics);
}

std::optional<std::string> read_binary_file(const std::string& path, Diagnostics& diagnostics) {
  constexpr std::size_t kLargest = (std::size_t{1} << 31U) - 1;
  constexpr std::size_t kPiece = std::size_t{1} << 20U;
  if (!check_binary_file(path, kLargest, diagnostics)) return std::nullopt;
  auto stream = open_file(path, diagnostics);
  if (!stream) return std::nullopt;
  std::string bytes;
  while (*stream && bytes.size() <= kLargest) {
    const std::size_t before = bytes.size();
    bytes.resize(before + kPiece);
    stream->read(bytes.data() + before, static_cast<std::streamsize>(kPiece));
    bytes.resize(before + static_cast<std::size_t>(stream->gcount()));
  }
  if (stream->eof() && !stream->bad()) return bytes;
  if (bytes.size() > kLargest) {
    report_large(path, fmt::format("more than {}", kLargest), kLargest, diagnostics);
  } else {
    set_place(diagnostics.error("C0001", fmt::format("cannot read `{}`", path)), path);
  }
  return std::nullopt;
}

Sources read_sources(const std::vector<std::string>& arguments, std::istream& in,
                     Diagnostics& diagnostics) {
  SourceReader reader(in, diagnostics);
  for (const std::string& argument : arguments) reader.read(argument);
  return reader.take();
}

}  // namespace tilewright
