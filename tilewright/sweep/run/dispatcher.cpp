// SPDX-License-Identifier: Apache-2.0
#include "tilewright/sweep/run/dispatcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "tilewright/base/error.h"
#include "tilewright/search/questions/status.h"
#include "tilewright/sweep/run/solve.h"

namespace tilewright {
namespace {

// Two chunks of numbers fit into a pipe, so that whoever hands them out never waits.
constexpr std::size_t kMostInChunk = 2'000;

// Where a key falls among equal parts.
std::uint64_t part_of(const Digest& key, std::uint64_t count) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < 8; ++i) number = number << 8U | key[i];
  return number % count;
}

// The same of a status by its name.
bool is_settled(std::string_view name) {
  for (int i = 0; i <= static_cast<int>(Status::kContradictory); ++i) {
    const auto status = static_cast<Status>(i);
    if (status_name(status) == name) return tilewright::is_settled(status);
  }
  return false;
}

}  // namespace

Dispatcher::Dispatcher(const SweepPlan& plan, Store& store, const DispatchOptions& options)
    : plan_(plan), store_(store), options_(options), known_(store.keys()), designs_(plan) {
  store_.add_plan(bundle_to_json(plan.bundle()));
  progress_.planned = plan.problems();
  costs_.resize(plan.problems_per_design());
}

std::optional<std::uint64_t> Dispatcher::advance() {
  while (progress_.looked < progress_.planned) {
    const SweepProblem problem = plan_.problem(progress_.looked);
    const Digest key = designs_.key(problem);
    ++progress_.looked;
    if (part_of(key, options_.shard.count) != options_.shard.index) {
      ++progress_.elsewhere;
    } else if (!known_.add(key)) {
      ++progress_.known;
    } else {
      keys_.emplace(problem.number, key);
      return problem.number;
    }
  }
  return std::nullopt;
}

double Dispatcher::expected_seconds(std::uint64_t number) const {
  const Cost& own = costs_[number % costs_.size()];
  if (own.count > 0) return own.seconds / own.count;
  // Nothing is known yet: one problem makes a chunk.
  if (all_costs_.count == 0) return options_.chunk_seconds;
  return all_costs_.seconds / all_costs_.count;
}

std::vector<std::uint64_t> Dispatcher::next() {
  if (!suspects_.empty()) {
    if (out_ > 0) return {};
    std::vector<std::uint64_t> chunk = std::move(suspects_.front());
    suspects_.pop_front();
    return hand_out(std::move(chunk));
  }
  if (!again_.empty()) {
    std::vector<std::uint64_t> chunk = std::move(again_.front());
    again_.pop_front();
    return hand_out(std::move(chunk));
  }
  // Towards the end chunks get smaller, so that all workers end at about the same time.
  const auto left = static_cast<double>(progress_.planned - progress_.looked);
  const double each = all_costs_.count > 0 ? all_costs_.seconds / all_costs_.count : 0;
  const double share =
      left * each / (2.0 * static_cast<double>(options_.workers * options_.shard.count));
  const double target = std::min(options_.chunk_seconds, share);
  std::vector<std::uint64_t> chunk;
  double expected = 0;
  while (chunk.size() < kMostInChunk && (chunk.empty() || expected < target)) {
    const std::optional<std::uint64_t> number = advance();
    if (!number) break;
    expected += expected_seconds(*number);
    chunk.push_back(*number);
  }
  return hand_out(std::move(chunk));
}

std::vector<std::uint64_t> Dispatcher::hand_out(std::vector<std::uint64_t> numbers) {
  out_ += numbers.size();
  return numbers;
}

bool Dispatcher::finished() const {
  return out_ == 0 && again_.empty() && suspects_.empty() && progress_.looked == progress_.planned;
}

Digest Dispatcher::take_key(std::uint64_t number) {
  const auto found = keys_.find(number);
  TW_CHECK(found != keys_.end() && out_ > 0, "an answer belongs to a problem that was handed out");
  const Digest key = found->second;
  keys_.erase(found);
  tries_.erase(number);
  --out_;
  return key;
}

void Dispatcher::answer(std::uint64_t number, Row row) {
  const Digest key = take_key(number);
  TW_CHECK(row.key == key, "a row has the key of its problem");
  Cost& cost = costs_[number % costs_.size()];
  for (Cost* kept : {&cost, &all_costs_}) {
    kept->seconds += row.seconds;
    kept->count += 1;
  }
  progress_.busy_seconds += row.seconds;
  ++progress_.solved;
  if (is_settled(row.status)) ++progress_.settled;
  if (row.status == kFailedStatus) ++progress_.failed;
  answers_.push_back(std::move(row));
}

void Dispatcher::flush() {
  if (answers_.empty()) return;
  store_.add(answers_);
  answers_.clear();
}

void Dispatcher::crashed(std::uint64_t number, const std::string& reason) {
  if (++tries_[number] >= kMostTries) {
    const Digest key = keys_.at(number);
    answer(number, failed_row(key, fmt::format("{} tries: {}", kMostTries, reason)));
    return;
  }
  give_back({number});
}

void Dispatcher::give_back(std::vector<std::uint64_t> numbers) {
  if (numbers.empty()) return;
  TW_CHECK(numbers.size() <= out_, "what is given back was handed out");
  out_ -= numbers.size();
  again_.push_back(std::move(numbers));
}

void Dispatcher::lost(std::vector<std::vector<std::uint64_t>> chunks, const std::string& reason) {
  std::size_t size = 0;
  for (const auto& chunk : chunks) size += chunk.size();
  TW_CHECK(size <= out_, "what is lost was handed out");
  const bool alone = chunks.size() == 1 && size == out_;
  for (std::vector<std::uint64_t>& chunk : chunks) {
    if (alone && chunk.size() == 1) {
      crashed(chunk.front(), reason);
      // Not beside others, which it may take with it.
      if (!again_.empty() && again_.back() == chunk) {
        again_.pop_back();
        suspects_.push_back(std::move(chunk));
      }
      continue;
    }
    out_ -= chunk.size();
    if (!alone) {
      suspects_.push_back(std::move(chunk));
      continue;
    }
    const auto middle = chunk.begin() + static_cast<std::ptrdiff_t>(chunk.size() / 2);
    suspects_.emplace_back(chunk.begin(), middle);
    suspects_.emplace_back(middle, chunk.end());
  }
}

}  // namespace tilewright
