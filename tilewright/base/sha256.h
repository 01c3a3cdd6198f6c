// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4): tells whether two texts are the same without having both.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace tilewright {

using Digest = std::array<std::uint8_t, 32>;

Digest sha256_digest(std::string_view bytes);

/// Two hexadecimal digits in lower case for each byte.
std::string to_hex(const Digest& digest);

/// The digest as text.
std::string sha256(std::string_view bytes);

}  // namespace tilewright
