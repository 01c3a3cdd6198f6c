// SPDX-License-Identifier: Apache-2.0
#include "tilewright/compat/rules.h"

#include <algorithm>
#include <array>

namespace tilewright::compat {
namespace {

using R = TimeloopRules;

constexpr std::array kConventions = {
    Convention{&R::bounding_boxes, "bounding_boxes", "2", "the holes of a stride count as data"},
    Convention{&R::skips_equal_tiles, "skips_equal_tiles", "3",
               "a tile that is already there is not sent"},
    Convention{&R::slides_by_step, "slides_by_step", "3",
               "a slide is recognized by equal steps of the tile's centre"},
    Convention{&R::groups_by_missing, "groups_by_missing", "4",
               "children share an access only if they lack the same elements"},
    Convention{&R::scaled_bypass, "scaled_bypass", "5",
               "traffic past a bypassed memory is scaled, not counted"},
    Convention{&R::integer_shares, "integer_shares", "6",
               "an instance's share of the output is cut to an integer"},
    Convention{&R::renumbered_instances, "renumbered_instances", "7",
               "in a pass with fewer instances they are numbered anew"},
    Convention{&R::averaged_instances, "averaged_instances", "7",
               "figures are rounded averages per instance"},
    Convention{&R::time_extrapolation, "time_extrapolation", "8",
               "the second iteration of a loop stands for all others"},
    Convention{&R::space_extrapolation, "space_extrapolation", "9",
               "the first instance stands for all others"},
    Convention{&R::time_averaged_instances, "time_averaged_instances", "9",
               "the instances in use are an average over time, cut to an integer"},
    Convention{&R::steps_by_factors, "steps_by_factors", "10",
               "steps are the product of the factors, whatever the remainders"},
    Convention{&R::average_demand, "average_demand", "11",
               "a memory's cycles follow from its average demand, in floating point"},
    Convention{&R::leakage_in_use, "leakage_in_use", "12", "only memory instances in use leak"},
    Convention{&R::link_transfers, "link_transfers", "13",
               "neighbours pass on what they received at the step before"},
};

constexpr std::array kCommonGround = {
    Convention{&R::slides_after_rest, "slides_after_rest", "3",
               "a tile that stood still for a while goes on sliding"},
    Convention{&R::shares_by_content, "shares_by_content", "4",
               "children with equal tiles share an access, whichever dims they differ in"},
    Convention{&R::first_read_elision, "first_read_elision", "6",
               "the first partial sum of an element is written without a read"},
};

}  // namespace

std::span<const Convention> conventions() { return kConventions; }

std::span<const Convention> common_ground() { return kCommonGround; }

const Convention* find_convention(std::string_view name) {
  for (const auto& some : {conventions(), common_ground()}) {
    const auto found = std::ranges::find(some, name, &Convention::name);
    if (found != some.end()) return &*found;
  }
  return nullptr;
}

TimeloopRules our_rules() {
  TimeloopRules rules;
  for (const Convention& convention : kConventions) rules.*convention.rule = false;
  return rules;
}

TimeloopRules iterating_rules() {
  TimeloopRules rules;
  rules.time_extrapolation = false;
  rules.space_extrapolation = false;
  rules.time_averaged_instances = false;
  return rules;
}

}  // namespace tilewright::compat
