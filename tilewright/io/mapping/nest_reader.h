// SPDX-License-Identifier: Apache-2.0
// The text form of a mapping (docs/formats.md), line by line:
//   DRAM: keep Inputs Weights Outputs
//     for p 8, q 2
//   PE: parfor q 14 on X
//   mac
// A name that is not one plain word stands in double quotes, with `\"`, `\\` and `\xNN` inside.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/io/diagnostic.h"
#include "tilewright/io/mapping/nest_builder.h"

namespace tilewright {

/// A longer text or line is refused rather than read slowly.
constexpr std::size_t kMaxNestBytes = std::size_t{4} << 20;
constexpr std::size_t kMaxNestLine = std::size_t{256} << 10;

/// Reads `p 8, q 14 on X` into items; false (and a finding) if it does not follow the grammar. What
/// was read before the fault is in `items`.
bool read_loop_items(const PlacedText& text, NestBuilder& builder, std::vector<LoopItem>& items);

/// Reads all lines of `file` into the builder.
void read_nest_lines(const std::shared_ptr<const SourceFile>& file, NestBuilder& builder);

/// `name` as the text form writes it: in double quotes if it would not be read back as one name.
std::string nest_name(std::string_view name);

}  // namespace tilewright
