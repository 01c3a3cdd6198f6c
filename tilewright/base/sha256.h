// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4): tells whether two texts are the same without having both.
#pragma once

#include <string>
#include <string_view>

namespace tilewright {

/// 64 hexadecimal digits in lower case.
std::string sha256(std::string_view bytes);

}  // namespace tilewright
