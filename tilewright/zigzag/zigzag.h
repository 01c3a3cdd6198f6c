// SPDX-License-Identifier: Apache-2.0
// ZigZag's files in, our values out.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tilewright/io/read.h"

namespace tilewright::zigzag {

/// True for an accelerator or a list of layers in ZigZag's language, by its keys.
bool is_zigzag(const SourceFile& file);

struct Reading {
  Documents documents;                ///< an architecture; a workload, or a network of several
  std::vector<std::string> left_out;  ///< what is not modelled and was left out
};

/// Reads files of ZigZag's together: at most one accelerator and one list of layers.
Reading read_documents(const std::vector<std::shared_ptr<const SourceFile>>& files,
                       Diagnostics& diagnostics);

}  // namespace tilewright::zigzag
