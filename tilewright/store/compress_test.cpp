// SPDX-License-Identifier: Apache-2.0
#include "tilewright/store/compress.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <string>
#include <vector>

#include "tilewright/base/input_error.h"

namespace tilewright {
namespace {

std::vector<std::string> texts() {
  std::string numbers;
  for (int i = 0; i < 20'000; ++i) numbers += std::to_string(i * i);
  return {"", "for m 3\nmac\n", numbers, std::string(1'000, 'x'), "for m 3\nmac\n"};
}

TEST(Compress, TextsComeBack) {
  Compressor compressor;
  for (const std::string& text : texts()) EXPECT_EQ(decompress(compressor.compress(text)), text);
}

TEST(Compress, BytesDoNotDependOnWhatCameBefore) {
  Compressor compressor;
  for (const std::string& text : texts()) {
    EXPECT_EQ(compressor.compress(text), Compressor().compress(text));
  }
}

// So that stores of all versions hold the same bytes for the same body.
TEST(Compress, BytesAreThoseOfZlibAtItsDefaultLevel) {
  Compressor compressor;
  for (const std::string& text : texts()) {
    std::string expected(compressBound(text.size()), '\0');
    uLongf size = expected.size();
    ASSERT_EQ(
        compress2(reinterpret_cast<Bytef*>(expected.data()), &size,
                  reinterpret_cast<const Bytef*>(text.data()), text.size(), Z_DEFAULT_COMPRESSION),
        Z_OK);
    expected.resize(size);
    EXPECT_EQ(compressor.compress(text).substr(8), expected);
  }
}

TEST(Compress, DamagedBytesAreRefused) {
  const std::string bytes = Compressor().compress("for m 3\nfor k 5\nmac\n");
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(decompress(bytes.substr(0, size)), InputError) << size;
  }
  std::string longer = bytes;
  longer[0] = static_cast<char>(longer[0] + 1);
  EXPECT_THROW(decompress(longer), InputError);
}

}  // namespace
}  // namespace tilewright
