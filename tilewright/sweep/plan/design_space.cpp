// SPDX-License-Identifier: Apache-2.0
#include "tilewright/sweep/plan/design_space.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tilewright {

DesignSpace::DesignSpace(std::vector<Parameter> parameters, std::vector<Setting> settings,
                         const std::vector<Condition>& conditions)
    : parameters_(std::move(parameters)), settings_(std::move(settings)) {
  for (const Parameter& parameter : parameters_) {
    grid_ *= parameter.values.size();
    if (grid_ > kMostPoints) {
      throw InputError(fmt::format("the parameters have more than {} combinations", kMostPoints));
    }
  }
  for (std::uint64_t point = 0; point < grid_; ++point) {
    const std::vector<Amount> values =
        conditions.empty() ? std::vector<Amount>{} : values_at(point);
    const bool fits = std::ranges::all_of(
        conditions, [&](const Condition& condition) { return condition.holds(values); });
    if (fits) points_.push_back(static_cast<std::uint32_t>(point));
  }
}

std::vector<Amount> DesignSpace::values_at(std::uint64_t point) const {
  std::vector<Amount> values(parameters_.size());
  for (std::size_t i = parameters_.size(); i-- > 0;) {
    const std::vector<Amount>& all = parameters_[i].values;
    values[i] = all[point % all.size()];
    point /= all.size();
  }
  return values;
}

std::vector<Amount> DesignSpace::values(std::uint64_t design) const {
  return values_at(points_.at(design));
}

std::vector<std::string> DesignSpace::figures(std::uint64_t design) const {
  const std::vector<Amount> now = values(design);
  std::vector<std::string> texts;
  texts.reserve(settings_.size());
  for (const Setting& setting : settings_) {
    texts.push_back(setting.path + "=" + tilewright::to_text(setting.value.value(now)));
  }
  return texts;
}

std::string DesignSpace::to_text(std::uint64_t design) const {
  const std::vector<Amount> now = values(design);
  std::string text;
  for (std::size_t i = 0; i < now.size(); ++i) {
    text += fmt::format("{}{}={}", i == 0 ? "" : ", ", parameters_[i].name,
                        tilewright::to_text(now[i]));
  }
  return text;
}

}  // namespace tilewright
