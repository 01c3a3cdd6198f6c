// SPDX-License-Identifier: Apache-2.0
#include "tilewright/base/sha256.h"

#include <gtest/gtest.h>

#include <set>

namespace tilewright {
namespace {

// The examples of FIPS 180-4 and of NIST's test vectors.
TEST(Sha256, GivesTheStandardsDigests) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, TellsTextsOfEveryLengthAroundABlockApart) {
  std::set<std::string> digests;
  for (std::size_t length = 0; length < 130; ++length) {
    digests.insert(sha256(std::string(length, 'x')));
  }
  EXPECT_EQ(digests.size(), 130U);
}

}  // namespace
}  // namespace tilewright
