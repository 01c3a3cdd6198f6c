// SPDX-License-Identifier: Apache-2.0
// tilewright-verify PROOF... [ARCH WORKLOAD [CONSTRAINTS]]: checks proofs, and that they are about
// the user's own files. Exits with 0 if all hold, with 1 if one is refused or the verdict cannot be
// written, with 2 if it was asked for nothing that can be read.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tilewright/base/text/printable.h"
#include "tilewright/io/render.h"
#include "tilewright/io/write.h"
#include "tilewright/library/library.h"
#include "tilewright/verify/proof/proof.h"
#include "tilewright/verify/verdict_text.h"
#include "tilewright/verify/verify.h"

namespace {

using tilewright::Diagnostics;
using tilewright::Documents;
using tilewright::SourceFile;

constexpr const char* kHelp =
    "usage: tilewright-verify PROOF... [ARCH WORKLOAD [CONSTRAINTS]]\n"
    "\n"
    "Checks proofs written by `tilewright map --proof FILE`, and says what they prove.\n"
    "ARCH, WORKLOAD and CONSTRAINTS are your own: files whose names end in .yaml, or\n"
    "names from the library (eyeriss, resnet50/conv1). A proof about anything else is\n"
    "rejected. A proof may have at most 64 MiB, any other file at most 4 MiB.\n"
    "Exit codes: 0 all proofs hold; 1 a proof is rejected, or the verdict cannot be\n"
    "written; 2 the command line or a file is wrong; 70 a bug in tilewright-verify.\n";

constexpr int kInternalError = 70;
constexpr std::size_t kLargestFile = std::size_t{4} << 20U;

// At most one byte more than is allowed, so that endless files end; nothing if it cannot be read.
std::optional<std::string> read_file(const std::string& path, std::size_t most) {
  constexpr std::size_t kPiece = std::size_t{1} << 20U;
  std::ifstream file(path, std::ios::binary);
  std::string text;
  while (file && text.size() <= most) {
    const std::size_t before = text.size();
    text.resize(before + std::min(kPiece, most + 1 - before));
    file.read(text.data() + before, static_cast<std::streamsize>(text.size() - before));
    text.resize(before + static_cast<std::size_t>(file.gcount()));
  }
  if (text.size() > most || (file.eof() && !file.bad())) return text;
  return std::nullopt;
}

// An architecture of the library, or a layer of one of its networks (`resnet50/conv1`) as a
// workload; nothing if there is no such thing.
std::optional<std::string> library_text(const std::string& name) {
  if (const auto* const arch = tilewright::find_library_arch(name)) return std::string(arch->text);
  const std::size_t slash = std::min(name.find('/'), name.size());
  const auto* const entry = tilewright::find_library_network(name.substr(0, slash));
  if (entry == nullptr || slash == name.size()) return std::nullopt;
  Diagnostics diagnostics;
  const auto network = tilewright::read_network(
      std::make_shared<const SourceFile>(SourceFile{name, std::string(entry->text)}), diagnostics);
  if (!network) return std::nullopt;
  const auto layer =
      std::ranges::find(network->layers, name.substr(slash + 1), &tilewright::Layer::name);
  if (layer == network->layers.end() || !layer->workload) return std::nullopt;
  return tilewright::write_workload(*layer->workload);
}

bool is_yaml(const std::string& argument) {
  return tilewright::ends_with_ignoring_case(argument, ".yaml");
}

bool is_own(const std::string& argument) {
  return is_yaml(argument) || (!std::ifstream(argument) && library_text(argument));
}

int complain(const std::string& what) {
  std::fprintf(stderr, "tilewright-verify: %s\n", what.c_str());
  return 2;
}

// The user's own files; nothing, with findings shown, if they cannot be read.
std::optional<Documents> read_own(const std::vector<std::string>& arguments) {
  Diagnostics diagnostics;
  std::vector<std::shared_ptr<const SourceFile>> files;
  for (const std::string& argument : arguments) {
    std::optional<std::string> text =
        is_yaml(argument) ? read_file(argument, kLargestFile) : library_text(argument);
    if (!text || text->size() > kLargestFile) {
      complain((text ? "larger than 4 MiB: " : "cannot read ") + tilewright::printable(argument));
      return std::nullopt;
    }
    files.push_back(std::make_shared<const SourceFile>(SourceFile{argument, std::move(*text)}));
  }
  Documents own = read_documents(files, diagnostics);
  std::fputs(render_text(diagnostics, false).c_str(), stderr);
  if (!diagnostics.has_errors()) return own;
  return std::nullopt;
}

int run(const std::vector<std::string>& arguments) {
  std::vector<std::string> proofs;
  std::vector<std::string> files;
  for (const std::string& argument : arguments) {
    if (argument.starts_with('-'))
      return complain("unknown option " + tilewright::printable(argument) + "\n" + kHelp);
    (is_own(argument) ? files : proofs).push_back(argument);
  }
  if (proofs.empty()) return complain(std::string("no proof is given\n") + kHelp);
  for (const std::string& path : proofs) {
    if (std::ifstream(path)) continue;
    return complain(tilewright::printable(path) + " is neither a file nor in the library");
  }
  const std::optional<Documents> own = read_own(files);
  if (!own) return 2;
  bool all = true;
  for (const std::string& path : proofs) {
    const std::optional<std::string> text = read_file(path, tilewright::verify::kLargestProof);
    if (!text) return complain("cannot read " + tilewright::printable(path));
    const tilewright::verify::Verdict verdict = tilewright::verify::verify_proof(*text, *own);
    std::fputs(verdict_text(path, verdict).c_str(), stdout);
    all = all && verdict.ok;
  }
  return all ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  int code = 0;
  if (arguments.size() == 1 && (arguments[0] == "--help" || arguments[0] == "-h")) {
    std::fputs(kHelp, stdout);
  } else {
    try {
      code = run(arguments);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "tilewright-verify: a bug, nothing is verified: %s\n", error.what());
      code = kInternalError;
    }
  }
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  std::fputs("tilewright-verify: cannot write the verdict\n", stderr);
  return code == 0 ? 1 : code;
}
