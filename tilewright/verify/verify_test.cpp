// SPDX-License-Identifier: Apache-2.0
#include "tilewright/verify/verify.h"

#include <gtest/gtest.h>

TEST(Verify, RefusesWhatIsNoProof) {
  EXPECT_FALSE(tilewright::verify::verify_proof("").ok);
}
