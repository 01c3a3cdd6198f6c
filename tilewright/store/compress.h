// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

struct z_stream_s;

namespace tilewright {

/// Compresses texts one after the other. For a short text, setting up zlib takes ten times as long
/// as compressing, so that is done once.
class Compressor {
 public:
  Compressor();

  /// The text's length and its zlib stream; both depend on the text alone.
  std::string compress(std::string_view text);

 private:
  struct End {
    void operator()(z_stream_s* stream) const;
  };
  std::unique_ptr<z_stream_s, End> stream_;
};

/// Throws InputError if the bytes do not come from a Compressor.
std::string decompress(std::string_view bytes);

}  // namespace tilewright
