// SPDX-License-Identifier: Apache-2.0
#include "tilewright/store/compress.h"

#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <new>

#include "tilewright/base/error.h"
#include "tilewright/base/input_error.h"

namespace tilewright {
namespace {

// Nothing that is kept in a store is longer.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;

}  // namespace

void Compressor::End::operator()(z_stream_s* stream) const {
  deflateEnd(stream);
  delete stream;
}

Compressor::Compressor() {
  auto stream = std::make_unique<z_stream>();
  const int code = deflateInit(stream.get(), Z_DEFAULT_COMPRESSION);
  if (code == Z_MEM_ERROR) throw std::bad_alloc();
  TW_CHECK(code == Z_OK, "zlib can be set up");
  stream_.reset(stream.release());
}

std::string Compressor::compress(std::string_view text) {
  TW_CHECK(text.size() <= kMostBytes, "text fits in a store");
  const std::uint64_t length = text.size();
  const uLong most = deflateBound(stream_.get(), static_cast<uLong>(length));
  std::string bytes(sizeof length + most, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  TW_CHECK(deflateReset(stream_.get()) == Z_OK, "a stream can begin again");
  // zlib does not write to its input, although its interface does not say so.
  stream_->next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream_->avail_in = static_cast<uInt>(length);
  stream_->next_out = reinterpret_cast<Bytef*>(bytes.data() + sizeof length);
  stream_->avail_out = static_cast<uInt>(most);
  TW_CHECK(deflate(stream_.get(), Z_FINISH) == Z_STREAM_END, "zlib compresses");
  bytes.resize(sizeof length + stream_->total_out);
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
