// SPDX-License-Identifier: Apache-2.0
// The `flexibility` section of a YAML file.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "tilewright/flexibility/flexibility.h"
#include "tilewright/io/diagnostic.h"

namespace tilewright {

/// Nothing, with findings, if the file has no such section or it does not describe `arch`.
std::optional<Flexibility> read_flexibility_file(const std::shared_ptr<const SourceFile>& file,
                                                 const Arch& arch, Diagnostics& diagnostics);

/// The section as text that reads back.
std::string write_flexibility(const Flexibility& flexibility);

}  // namespace tilewright
