// SPDX-License-Identifier: Apache-2.0
#include "tilewright/store/compress.h"

#include <zlib.h>

#include <cstdint>
#include <cstring>

#include "tilewright/base/error.h"
#include "tilewright/base/input_error.h"

namespace tilewright {
namespace {

// Nothing that is kept in a store is longer.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;

}  // namespace

std::string compress(std::string_view text) {
  TW_CHECK(text.size() <= kMostBytes, "text fits in a store");
  const std::uint64_t length = text.size();
  uLongf size = compressBound(static_cast<uLong>(length));
  std::string bytes(sizeof length + size, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  const int code = compress2(reinterpret_cast<Bytef*>(bytes.data() + sizeof length), &size,
                             reinterpret_cast<const Bytef*>(text.data()),
                             static_cast<uLong>(length), Z_DEFAULT_COMPRESSION);
  TW_CHECK(code == Z_OK, "zlib compresses");
  bytes.resize(sizeof length + size);
  return bytes;
}

std::string decompress(std::string_view bytes) {
  std::uint64_t length = 0;
  if (bytes.size() < sizeof length) throw InputError("a compressed text ends early");
  std::memcpy(&length, bytes.data(), sizeof length);
  bytes.remove_prefix(sizeof length);
  if (length > kMostBytes) throw InputError("a compressed text claims to be too long");
  std::string text(length, '\0');
  uLongf size = static_cast<uLongf>(length);
  const int code =
      uncompress(reinterpret_cast<Bytef*>(text.data()), &size,
                 reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uLong>(bytes.size()));
  if (code != Z_OK || size != length) throw InputError("a compressed text is damaged");
  return text;
}

}  // namespace tilewright
