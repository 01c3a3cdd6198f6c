// SPDX-License-Identifier: Apache-2.0
// What the values of keys look like, in words.
#pragma once

#include <string>

#include "tilewright/io/yaml/fields.h"

namespace tilewright {

/// "a size in `bit`, `B`, ..."
std::string describe_kind(FieldKind kind);

}  // namespace tilewright
