// SPDX-License-Identifier: Apache-2.0
// What the readers of all sections need: the text under a key, and an error at a place.
#pragma once

#include <string>

#include "tilewright/io/diagnostic.h"
#include "tilewright/io/yaml/yaml_tree.h"

namespace tilewright::timeloop {

/// The scalar under this key; empty if there is none.
std::string text_of(const YamlNode& node, const char* key);

/// An error that points at `place`; `label` is what stands there in the listing.
Diagnostic& error_at(Diagnostics& diagnostics, std::string code, std::string message,
                     const Span& place, std::string label = "");

}  // namespace tilewright::timeloop
