// SPDX-License-Identifier: Apache-2.0
// One operator in one line, as the command line takes it in place of a workload file:
//   conv m=64 c=64 p=56 q=56 r=3 s=3 stride=2
//   gemm 512 768 3072
//   Z[m,n] += A[m,k] * B[k,n]; m=512 n=768 k=3072
// It becomes the tree that a `workload:` file would be, with places in that line, so that the same
// reader checks it and says what is wrong.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "tilewright/io/yaml/yaml_tree.h"

namespace tilewright {

/// What a text that holds an operator is called, as a file: `<operator>`, also inside a result.
inline constexpr std::string_view kOperatorName = "<operator>";
bool is_operator(const SourceFile& file);

/// True if `text`, which names no file, is meant to be an operator: it has subscripts or sizes, or
/// begins with a word that is, or nearly is, a form.
bool looks_like_operator(std::string_view text);

/// A map with the key `workload`; nothing, and findings, if the text is no operator.
std::optional<YamlNode> parse_operator(std::shared_ptr<const SourceFile> file,
                                       Diagnostics& diagnostics);

}  // namespace tilewright
