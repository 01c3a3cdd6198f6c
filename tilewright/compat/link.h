// SPDX-License-Identifier: Apache-2.0
// Internal to compat: what moves between a memory and the next one inside it that is counted, for
// one tensor, by going through the loops outside the child.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tilewright/compat/nest.h"
#include "tilewright/compat/rules.h"
#include "tilewright/compat/tile.h"

namespace tilewright::compat {

/// How an access serves children: `multicast` of them at once, and `scatter` such groups at the
/// same step.
struct Fanning {
  std::int64_t multicast = 1;
  std::int64_t scatter = 1;
  auto operator<=>(const Fanning&) const = default;
};

/// Sums over all parents and children that are counted.
struct LinkCounts {
  std::map<Fanning, double> accesses;  ///< of the parents
  double link_transfers = 0;           ///< between children
  double received = 0;                 ///< by the children
  double first_accesses = 0;           ///< of the first parent alone
  double first_received = 0;           ///< by the first child alone
  std::int64_t parents = 0;
  std::int64_t children = 0;
  std::int64_t tile = 0;        ///< the largest tile of a child ...
  std::int64_t tile_sum = 0;    ///< ... and the largest ones of all children, added up
  std::int64_t around_sum = 0;  ///< the same of what all children of a parent cover together

  double total() const;      ///< accesses
  double delivered() const;  ///< accesses times multicast
};

/// Which link: levels of the nest. A child after the last level is the compute units.
struct LinkEnds {
  TensorId tensor;
  std::size_t parent = 0;
  std::size_t child = 0;
};

/// Counts one link.
class LinkCounter {
 public:
  LinkCounter(const Workload& workload, const LevelNest& nest, const LinkEnds& ends,
              const TimeloopRules& rules);

  LinkCounts count();

 private:
  // What an instance of the child holds, and how it came about.
  struct Child {
    std::optional<Tile> tile;
    std::optional<PerRank> step;         // of the tile, when it last moved
    std::vector<std::int64_t> counters;  // of the loops that decide, when it last received
    std::int64_t largest = 0;
  };
  struct Parent {
    std::int64_t around = 0;
    std::map<std::int64_t, std::vector<std::int64_t>> before;  // what each child lacked, by number
  };
  // A child by its indices in the fan-out.
  struct Place {
    PerDim offset{};
    PerRank moved{};                    // how far its tile lies from that of the first child
    std::vector<std::int64_t> indices;  // by loop of fan_
  };
  // A child in use that lacks something.
  struct Served {
    std::int64_t number = 0;
    Missing missing;
    std::vector<std::int64_t> identity;  // of what is missing
  };
  // Groups of children by their number: how many such groups there are.
  using Sharing = std::map<std::int64_t, std::int64_t>;
  // An iteration that runs: it stands for `weight` of them, and what a child directly inside it
  // lacks is charged `charged` times.
  struct Iteration {
    std::int64_t index = 0;
    std::int64_t weight = 1;
    std::int64_t charged = 1;
  };

  void split_loops();
  void make_places();
  void find_deciding_loops();
  bool sweeps(std::size_t k) const;

  std::int64_t passes(const CountedLoop& loop) const;
  std::vector<Iteration> iterations(const CountedLoop& loop) const;
  void descend(std::size_t k, std::int64_t weight);
  void descend_in_time(std::size_t k, std::int64_t weight);
  void descend_in_space(std::size_t k, std::int64_t weight);

  void serve(std::int64_t weight);
  std::int64_t parent_number() const;
  std::int64_t place_number(const Place& place, const std::vector<std::int64_t>& used) const;
  std::vector<std::int64_t> used_of_fan() const;
  bool in_use(const Place& place) const;
  Tile child_tile(const Place& place) const;
  Missing receive(Child& child, const Tile& tile) const;
  std::optional<Tile> held_by_steps(Child& child, const Tile& tile) const;
  bool advanced_by_sweep(const Child& child) const;
  bool is_due(const Child& child) const;

  std::vector<std::int64_t> coordinates(const Place& place) const;
  bool stands_still(const Child& child, const Place& place) const;
  const Sharing& sharing();
  void serve_copies(double times);
  void note_children();
  std::vector<Served> all_served();
  std::vector<Served> copies_served();
  void charge(const std::map<Fanning, double>& accesses, double times);
  std::map<Fanning, double> group(const std::vector<const Served*>& all) const;
  std::int64_t lacked_by_any(const std::vector<const Served*>& group) const;
  std::vector<const Served*> without_links(const std::vector<Served>& all, Parent& parent,
                                           double& linked) const;

  const Workload& workload_;
  const LevelNest& nest_;
  LinkEnds ends_;
  TimeloopRules rules_;
  TileMaker maker_;
  std::uint32_t relevant_;  // dims of the tensor
  bool to_compute_;
  bool by_counters_;               // loop counters decide when a child receives
  std::vector<CountedLoop> path_;  // outside the child, fan_ excepted, outermost first
  std::vector<CountedLoop> fan_;   // between the two, spatial, outermost first
  std::vector<Place> places_;
  std::int64_t fan_children_ = 1;
  std::int64_t grid_x_ = 1;
  std::int64_t grid_y_ = 1;
  PerDim inside_{};           // steady extent of the child
  PerDim around_{};           // ... and of all children of a parent
  PerDim reach_{};            // from the first child to one beyond the last
  std::size_t deciding_ = 0;  // temporal loops of path_, from the outside, that make it receive
  std::vector<bool> slides_;  // by deciding loop
  // As the loops stand:
  PerDim start_{};
  std::vector<std::int64_t> time_;      // indices of the temporal loops of path_
  std::vector<std::int64_t> instance_;  // number within its fan-out, by level outside the parent
  std::int64_t parent_ = 0;             // the number that these make
  std::map<std::vector<std::int64_t>, Sharing> sharings_;  // by what is left of the dims of fan_
  std::set<std::pair<std::int64_t, std::vector<std::int64_t>>> noted_;  // parents and used_of_fan
  std::unordered_map<std::int64_t, Parent> parents_;
  std::unordered_map<std::int64_t, Child> children_;
  LinkCounts counts_;
};

}  // namespace tilewright::compat
