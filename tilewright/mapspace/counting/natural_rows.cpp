// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapspace/counting/natural_rows.h"

#include <algorithm>
#include <utility>

#include "tilewright/base/error.h"

namespace tilewright {

void NaturalRows::add(std::span<const Natural> numbers) {
  TW_CHECK(numbers.size() == width_, "a row has the width of its table");
  Row row;
  for (const Natural& number : numbers) {
    row.limbs_each = std::max(row.limbs_each, number.limbs().size());
  }
  row.limbs.reserve(width_ * row.limbs_each);
  for (const Natural& number : numbers) {
    row.limbs.insert(row.limbs.end(), number.limbs().begin(), number.limbs().end());
    row.limbs.resize(row.limbs.size() + row.limbs_each - number.limbs().size());
  }
  rows_.push_back(std::move(row));
}

}  // namespace tilewright
