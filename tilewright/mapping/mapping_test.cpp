// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapping/mapping.h"

#include <gtest/gtest.h>

#include "tilewright/base/error.h"

namespace tilewright {
namespace {

TEST(Mapping, IsCanonical) {
  const NodeId outer(0), inner(1), fanout(2);
  const Mapping a({keep(inner, 2), keep(outer, 1), keep(outer, 2), temporal(DimId(0), 1),
                   spatial(fanout, 1, DimId(0), 2), spatial(fanout, 0, DimId(1), 3)});
  const Mapping b({keep(outer, 3), keep(inner, 2), keep(inner, 0), spatial(fanout, 0, DimId(1), 3),
                   spatial(fanout, 1, DimId(0), 2)});
  EXPECT_EQ(a, b);
  EXPECT_EQ(a.nodes().size(), 4U);
  const Mapping c({temporal(DimId(0), 2), temporal(DimId(1), 3)});
  const Mapping d({temporal(DimId(1), 3), temporal(DimId(0), 2)});
  EXPECT_FALSE(c == d);  // the order of temporal loops carries meaning
  EXPECT_THROW(Mapping({temporal(DimId(0), 0)}), InternalError);
}

TEST(Mapping, KeepsTheOrderOfSpatialLoopsOverOneDim) {
  const NodeId fanout(2);
  const DimId c(0), m(1);
  const Mapping a({spatial(fanout, 1, m, 2), spatial(fanout, 0, m, 3), spatial(fanout, 0, c, 4)});
  const Mapping b({spatial(fanout, 0, c, 4), spatial(fanout, 1, m, 2), spatial(fanout, 0, m, 3)});
  const Mapping other(
      {spatial(fanout, 0, m, 3), spatial(fanout, 1, m, 2), spatial(fanout, 0, c, 4)});
  EXPECT_EQ(a, b);
  EXPECT_FALSE(a == other);
  ASSERT_EQ(a.nodes().size(), 3U);
  EXPECT_EQ(a.nodes()[1], spatial(fanout, 1, m, 2));
  EXPECT_EQ(other.nodes()[0], spatial(fanout, 0, c, 4));
  EXPECT_EQ(other.nodes()[1], spatial(fanout, 0, m, 3));
}

TEST(Mapping, KeepsATensorNamedTwiceVisible) {
  const Mapping twice({keep(NodeId(0), 1), keep(NodeId(0), 1)});
  EXPECT_EQ(twice.nodes().size(), 2U);
}

}  // namespace
}  // namespace tilewright
