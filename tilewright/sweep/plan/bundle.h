// SPDX-License-Identifier: Apache-2.0
// A sweep with all that it names.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "tilewright/io/diagnostic.h"

namespace tilewright {

/// Texts that say all about a sweep, so that it can be sent to other machines and be kept.
struct SweepBundle {
  std::string file;                             ///< the name of the sweep's file, for findings
  std::string text;                             ///< that file
  std::map<std::string, std::string> archs;     ///< `arch:` as YAML, by the name in the sweep
  std::map<std::string, std::string> networks;  ///< `network:` as YAML, by the name in the sweep

  bool operator==(const SweepBundle&) const = default;
};

/// JSON, and back. Throws InputError if the text is no bundle.
std::string bundle_to_json(const SweepBundle& bundle);
SweepBundle bundle_from_json(std::string_view text);

/// The bytes of a file beside the sweep; nothing if there is none.
using ReadFile = std::function<std::optional<std::string>(const std::string& path)>;

/// Reads files whose paths start from `folder`.
ReadFile files_in(std::string folder);

/// Adds what the sweep names to `bundle`, from the library or from files (YAML, ONNX), unless it is
/// there. False, with findings, if something is missing or wrong.
bool complete_bundle(SweepBundle& bundle, const ReadFile& read, Diagnostics& diagnostics);

}  // namespace tilewright
