// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tilewright {

/// The text's length and its zlib stream.
std::string compress(std::string_view text);

/// Throws InputError if the bytes do not come from `compress`.
std::string decompress(std::string_view bytes);

}  // namespace tilewright
