// SPDX-License-Identifier: Apache-2.0
#include "tilewright/network/coverage.h"

#include <algorithm>
#include <tuple>

#include "tilewright/base/checked.h"

namespace tilewright {
namespace {

void add_figures(CoverageRow& sum, const CoverageRow& row) {
  sum.nodes = checked_add(sum.nodes, row.nodes);
  sum.operations = checked_add(sum.operations, row.operations);
  sum.bits = checked_add(sum.bits, row.bits);
}

}  // namespace

void Coverage::add(const CoverageRow& row) {
  const auto before = [](const CoverageRow& a, const CoverageRow& b) {
    return std::tie(a.treatment, a.op) < std::tie(b.treatment, b.op);
  };
  const auto at = std::lower_bound(rows.begin(), rows.end(), row, before);
  if (at == rows.end() || before(row, *at)) {
    rows.insert(at, row);
  } else {
    add_figures(*at, row);
  }
}

CoverageRow Coverage::total(Treatment treatment) const {
  CoverageRow sum{.treatment = treatment};
  for (const CoverageRow& row : rows) {
    if (row.treatment == treatment) add_figures(sum, row);
  }
  return sum;
}

CoverageRow Coverage::total() const {
  CoverageRow sum;
  for (const CoverageRow& row : rows) add_figures(sum, row);
  return sum;
}

const char* treatment_name(Treatment treatment) {
  switch (treatment) {
    case Treatment::kMapped:
      return "mapped";
    case Treatment::kFused:
      return "fused";
    case Treatment::kTraffic:
      return "traffic";
    case Treatment::kNothing:
      return "nothing";
    case Treatment::kIgnored:
      return "ignored";
  }
  return "";
}

const char* fused_name(FusedHow how) {
  switch (how) {
    case FusedHow::kFolded:
      return "weights";
    case FusedHow::kOut:
      return "output";
    case FusedHow::kIn:
      return "input";
  }
  return "";
}

}  // namespace tilewright
