// SPDX-License-Identifier: Apache-2.0
// Timeloop's own merge key `<<<`: maps are merged key by key, also those inside them, and lists are
// put together. A value with the tag `!nomerge` stays as it is.
#pragma once

#include "tilewright/io/diagnostic.h"
#include "tilewright/io/yaml/yaml_tree.h"

namespace tilewright::timeloop {

/// Works out every `<<<` in the tree.
void deep_merge(YamlNode& node, Diagnostics& diagnostics);

}  // namespace tilewright::timeloop
