// SPDX-License-Identifier: Apache-2.0
#include "tilewright/flexibility/worth/market.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tilewright/base/error.h"

namespace tilewright {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Scores that differ by less are equal: sums of the same energies may round differently.
constexpr double kRounding = 1e-9;

// True if `more` may do all that `less` may.
bool includes(const Degrees& more, const Degrees& less) {
  return std::ranges::equal(more.of, less.of, std::ranges::greater_equal{});
}

class MarketSearch {
 public:
  MarketSearch(const Flexibility& flexibility, const Arch& arch,
               const std::vector<Network>& networks, const MarketOptions& options)
      : flexibility_(flexibility), arch_(arch), networks_(networks), options_(options) {}

  FlexMarket run() {
    list_offers();
    tell();
    // The most flexible ones bound all others; those that lack one axis bound all without it.
    for (FlexOffer& offer : market_.offers) {
      if (options_.prune && (is_widest(offer) || lacks_one_axis(offer))) solve(offer);
    }
    for (FlexOffer& offer : market_.offers) {
      if (is_stopped()) break;
      if (!options_.prune || !is_beaten(offer)) solve(offer);
    }
    find_front();
    return std::move(market_);
  }

 private:
  void list_offers() {
    market_.costs = costs_of(flexibility_, arch_);
    for (const Degrees& degrees : every_degrees(flexibility_)) {
      const double area = added_area_um2(market_.costs, degrees);
      if (area <= options_.most_added_um2) {
        market_.offers.push_back({.degrees = degrees, .added_um2 = area});
      }
    }
    std::ranges::stable_sort(market_.offers, {}, &FlexOffer::added_um2);
  }

  bool is_widest(const FlexOffer& offer) const {
    return std::ranges::none_of(market_.offers, [&](const FlexOffer& other) {
      return other.degrees != offer.degrees && includes(other.degrees, offer.degrees);
    });
  }

  static bool lacks_one_axis(const FlexOffer& offer) {
    return std::ranges::count(offer.degrees.of, Degree::kFull) == kFlexAxes - 1 &&
           std::ranges::count(offer.degrees.of, Degree::kFixed) == 1;
  }

  bool is_stopped() const { return options_.worth.stop != nullptr && options_.worth.stop->load(); }

  // True if an offer that costs no more is surely as good.
  bool is_beaten(const FlexOffer& offer) const {
    return std::ranges::any_of(market_.offers, [&](const FlexOffer& other) {
      return &other != &offer && other.is_solved && other.status == Status::kProved &&
             other.added_um2 <= offer.added_um2 && other.score <= offer.bound * (1 + kRounding);
    });
  }

  void solve(FlexOffer& offer) {
    if (offer.is_solved) return;
    offer.is_solved = true;
    offer.status = Status::kProved;
    const std::vector<Degrees> rows = {offer.degrees};
    double score = 0;
    double bound = 0;
    for (const Network& network : networks_) {
      const FlexWorth worth = find_worth(flexibility_, arch_, network, rows, options_.worth);
      const WorthRow& row = worth.rows.front();
      const bool is_mapped = row.status <= Status::kNotProved;
      offer.status = std::max(offer.status, row.status);
      offer.scores.push_back(is_mapped ? row.score : kInfinity);
      score += std::log(offer.scores.back());
      bound += std::log(is_mapped ? row.bound : kInfinity);
    }
    const auto count = static_cast<double>(networks_.size());
    offer.score = std::exp(score / count);
    // What is infeasible is proved to be so; what was not found may exist.
    if (offer.status == Status::kInfeasible) offer.status = Status::kProved;
    offer.bound = offer.status == Status::kProved     ? offer.score
                  : offer.status == Status::kNotFound ? 0
                                                      : std::exp(bound / count);
    for (FlexOffer& other : market_.offers) {
      if (!other.is_solved && includes(offer.degrees, other.degrees)) {
        other.bound = std::max(other.bound, offer.bound);
      }
    }
    ++solved_;
    tell();
  }

  void tell() const {
    if (options_.progress) options_.progress(solved_, market_.offers.size());
  }

  void find_front() {
    double best = kInfinity;
    market_.is_proved = true;
    for (std::size_t i = 0; i < market_.offers.size(); ++i) {
      const FlexOffer& offer = market_.offers[i];
      if (offer.is_solved ? offer.status != Status::kProved : !is_beaten(offer)) {
        market_.is_proved = false;
      }
      if (!offer.is_solved || std::isinf(offer.score)) continue;
      if (offer.score >= best * (1 - kRounding)) continue;
      best = offer.score;
      // Of offers with the same area only the best one counts.
      if (!market_.front.empty() &&
          market_.offers[market_.front.back()].added_um2 == offer.added_um2) {
        market_.front.pop_back();
      }
      market_.front.push_back(i);
    }
  }

  const Flexibility& flexibility_;
  const Arch& arch_;
  const std::vector<Network>& networks_;
  const MarketOptions& options_;
  FlexMarket market_;
  std::size_t solved_ = 0;
};

}  // namespace

FlexMarket find_flex_market(const Flexibility& flexibility, const Arch& arch,
                            const std::vector<Network>& networks, const MarketOptions& options) {
  TW_CHECK(!networks.empty(), "there is a network");
  return MarketSearch(flexibility, arch, networks, options).run();
}

const FlexOffer* best_offer(const FlexMarket& market) {
  return market.front.empty() ? nullptr : &market.offers[market.front.back()];
}

}  // namespace tilewright
