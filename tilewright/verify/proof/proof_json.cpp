// SPDX-License-Identifier: Apache-2.0
#include "tilewright/verify/proof/proof_json.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include "tilewright/base/text/printable.h"

namespace tilewright::verify {
namespace {

using nlohmann::json;

constexpr const char* kNoProof = "it is not the JSON of a proof";

[[noreturn]] void refuse_form() { throw Refusal(kNoProof); }

// What both passes refuse: a handler has a method for each event of the parser and returns true to
// go on.
class Events {
 public:
  bool null() { refuse_form(); }
  bool boolean(bool) { refuse_form(); }
  bool binary(json::binary_t&) { refuse_form(); }
  bool parse_error(std::size_t, const std::string&, const json::exception&) { refuse_form(); }
};

// ---- All but the roots ----

class HeaderEvents : public Events {
 public:
  ProofHeader take() {
    for (const std::string_view key : kTexts) {
      if (!header_.texts.contains(key)) throw Refusal(missing(key));
    }
    for (const char* key : {"conventions", "score", "roots"}) {
      if (!seen_.contains(key)) throw Refusal(missing(key));
    }
    return std::move(header_);
  }

  bool key(std::string& name) {
    if (depth_ > 1) return true;
    if (std::ranges::find(kTexts, name) == kTexts.end() && !is_list(name) && name != "score") {
      throw Refusal("the file has an unknown key " + in_backticks(name));
    }
    if (!seen_.insert(name).second) throw Refusal("the file has " + in_backticks(name) + " twice");
    key_ = name;
    return true;
  }

  bool string(std::string& text) {
    if (in_roots()) return true;
    if (depth_ == 2 && key_ == "conventions") {
      header_.conventions.push_back(text);
    } else if (depth_ == 2 && key_ == "uneven") {
      header_.uneven.push_back(text);
    } else if (depth_ == 1 && std::ranges::find(kTexts, key_) != kTexts.end()) {
      header_.texts[key_] = std::move(text);
    } else {
      refuse_form();
    }
    return true;
  }

  bool number_integer(std::int64_t value) { return number(static_cast<double>(value)); }
  bool number_unsigned(std::uint64_t value) { return number(static_cast<double>(value)); }
  bool number_float(double value, const std::string&) { return number(value); }

  bool start_object(std::size_t) {
    if (depth_ > 0 && !in_roots()) refuse_form();
    ++depth_;
    return true;
  }
  bool end_object() { return leave(); }
  bool start_array(std::size_t) {
    if (!(depth_ == 1 && is_list(key_)) && !in_roots()) refuse_form();
    ++depth_;
    return true;
  }
  bool end_array() { return leave(); }

 private:
  static constexpr std::array<std::string_view, 8> kTexts{
      "format", "workload", "arch", "constraints", "space", "objective", "mapping", "checksum"};

  static std::string missing(std::string_view key) {
    return "it has no `" + std::string(key) + "`";
  }
  static bool is_list(std::string_view key) {
    return key == "conventions" || key == "uneven" || key == "roots";
  }
  bool in_roots() const { return depth_ > 1 && key_ == "roots"; }
  bool leave() {
    --depth_;
    return true;
  }
  bool number(double value) {
    if (in_roots()) return true;
    if (depth_ != 1 || key_ != "score") refuse_form();
    header_.score = value;
    return true;
  }

  ProofHeader header_;
  std::set<std::string> seen_;
  std::string key_;  // of the top level
  std::size_t depth_ = 0;
};

// ---- The roots ----

// Follows the grammar of docs/optimal.md section 6; `state_` holds the lists and objects that are
// open, the innermost last.
class RootEvents : public Events {
 public:
  explicit RootEvents(const RootShape& shape) : shape_(shape) {}

  std::vector<ProofRoot> take() { return std::move(roots_); }

  bool key(std::string& name) {
    switch (state()) {
      case State::kTop:
        in_roots_ = name == "roots";
        break;
      case State::kRoot:
        set_key(name, kRootKeys, root_keys_, "a root");
        break;
      case State::kNode:
        set_key(name, kNodeKeys, node_keys_.back(), "a node");
        break;
      case State::kNumbers:
        dim_ = find_dim(name);
        if ((dims_ >> dim_ & 1U) != 0) throw Refusal(in_backticks(name) + " is there twice");
        dims_ |= DimSet{1} << dim_;
        break;
      default:
        break;
    }
    return true;
  }

  bool start_object(std::size_t) {
    if (state_.empty()) {
      state_.push_back(State::kTop);
    } else if (state() == State::kRoots) {
      roots_.emplace_back();
      root_keys_ = 0;
      state_.push_back(State::kRoot);
    } else if (state() == State::kOpen) {
      lists_.back()->push_back({0, std::vector<std::int64_t>(dims(), 1), {}});
      node_keys_.push_back(0);
      state_.push_back(State::kNode);
    } else if (state() == State::kSpatial) {
      std::vector<std::int64_t>& factors = roots_.back().factors;
      if (factors.size() == shape_.axes * dims()) refuse_entries();
      factors.resize(factors.size() + dims(), 1);
      open_numbers(factors.data() + factors.size() - dims());
    } else if (state() == State::kNode && key_ == "counts") {
      open_numbers(lists_.back()->back().counts.data());
    } else {
      refuse_form();
    }
    return true;
  }

  bool end_object() {
    if (state() == State::kRoot) {
      const ProofRoot& root = roots_.back();
      if ((root_keys_ & kWanted) != kWanted) refuse_form();
      const bool named = (root_keys_ & kMemories) != 0;
      const std::size_t entries = named ? root.memories.size() : shape_.memories;
      if (root.keeps.size() != entries || root.factors.size() != shape_.axes * dims()) {
        refuse_entries();
      }
    } else if (state() == State::kNode) {
      if ((node_keys_.back() & kLabelAndCounts) != kLabelAndCounts) refuse_form();
      node_keys_.pop_back();
    }
    state_.pop_back();
    return true;
  }

  bool start_array(std::size_t) {
    const State in = state_.empty() ? State::kOther : state();
    State next = State::kOther;
    if (in == State::kTop) {
      next = in_roots_ ? State::kRoots : State::kOther;
    } else if (in == State::kRoot && key_ == "keeps") {
      next = State::kKeeps;
    } else if (in == State::kRoot && key_ == "spatial") {
      next = State::kSpatial;
    } else if (in == State::kRoot && key_ == "memories") {
      next = State::kMemories;
    } else if (in == State::kRoot) {
      next = State::kOpen;
      lists_.push_back(&roots_.back().open);
    } else if (in == State::kKeeps) {
      if (roots_.back().keeps.size() == shape_.points) refuse_entries();
      roots_.back().keeps.push_back(0);
      next = State::kKept;
    } else if (in == State::kNode && key_ == "label") {
      next = State::kLabel;
    } else if (in == State::kNode && key_ == "open") {
      if (lists_.size() == shape_.points) throw Refusal("its nodes nest deeper than the memories");
      next = State::kOpen;
      lists_.push_back(&lists_.back()->back().open);
    } else {
      refuse_form();
    }
    state_.push_back(next);
    return true;
  }

  bool end_array() {
    if (state() == State::kOpen) lists_.pop_back();
    state_.pop_back();
    return true;
  }

  bool string(std::string& name) {
    if (state() == State::kKept) {
      const auto found = workload().find_tensor(name);
      if (!found) throw Refusal("there is no tensor " + in_backticks(name));
      roots_.back().keeps.back() |= TensorSet{1} << found->value;
    } else if (state() == State::kMemories) {
      const auto found = shape_.problem.arch().find(name);
      if (!found || !shape_.problem.arch().is_memory(*found)) {
        throw Refusal("there is no memory " + in_backticks(name));
      }
      if (roots_.back().memories.size() == shape_.points) refuse_entries();
      roots_.back().memories.push_back(*found);
    } else if (state() == State::kLabel) {
      lists_.back()->back().label |= DimSet{1} << find_dim(name);
    } else if (state() != State::kTop && state() != State::kOther) {
      refuse_form();
    }
    return true;
  }

  bool number_integer(std::int64_t value) { return number(value); }
  bool number_unsigned(std::uint64_t value) {
    return number(value > INT64_MAX ? 0 : static_cast<std::int64_t>(value));
  }
  bool number_float(double, const std::string&) { return number(0); }

 private:
  enum class State {
    kTop,
    kOther,  // a list of the top level that is not of the roots
    kRoots,
    kRoot,
    kKeeps,
    kKept,
    kMemories,
    kSpatial,
    kNumbers,  // by dim
    kOpen,
    kNode,
    kLabel,
  };
  // The bit of a key is that of its position.
  static constexpr std::array<std::string_view, 4> kRootKeys{"keeps", "spatial", "open",
                                                             "memories"};
  static constexpr std::array<std::string_view, 3> kNodeKeys{"label", "counts", "open"};
  static constexpr unsigned kWanted = 7;
  static constexpr unsigned kMemories = 8;
  static constexpr unsigned kLabelAndCounts = 3;

  State state() const { return state_.back(); }
  const Workload& workload() const { return shape_.problem.workload(); }
  std::size_t dims() const { return workload().dims().size(); }

  [[noreturn]] static void refuse_entries() {
    throw Refusal("a root has not one entry for each memory and each axis");
  }

  void set_key(const std::string& name, std::span<const std::string_view> keys, unsigned& seen,
               const char* what) {
    const auto found = std::ranges::find(keys, name);
    if (found == keys.end()) {
      throw Refusal(std::string(what) + " has an unknown key " + in_backticks(name));
    }
    const unsigned bit = 1U << (found - keys.begin());
    if ((seen & bit) != 0) throw Refusal(std::string(what) + " has `" + name + "` twice");
    seen |= bit;
    key_ = *found;
  }

  int find_dim(const std::string& name) const {
    const std::optional<DimId> found = workload().find_dim(name);
    if (!found) throw Refusal("there is no dim " + in_backticks(name));
    return found->value;
  }

  void open_numbers(std::int64_t* numbers) {
    numbers_ = numbers;
    dims_ = 0;
    state_.push_back(State::kNumbers);
  }

  bool number(std::int64_t value) {
    if (state() == State::kTop) return true;
    if (state() != State::kNumbers) refuse_form();
    if (value < 1) {
      throw Refusal("a count or factor of `" + workload().dim(DimId(dim_)).name +
                    "` is not a whole number");
    }
    numbers_[dim_] = value;
    return true;
  }

  const RootShape& shape_;
  std::vector<ProofRoot> roots_;
  std::vector<State> state_;
  std::vector<std::vector<ProofNode>*> lists_;  // those that are open, the innermost last
  std::vector<unsigned> node_keys_;             // of each node that is open
  unsigned root_keys_ = 0;
  std::string_view key_;  // the last one of a root or node
  bool in_roots_ = false;
  std::int64_t* numbers_ = nullptr;
  DimSet dims_ = 0;  // that have a number already
  int dim_ = 0;
};

}  // namespace

ProofHeader read_header(std::string_view text) {
  HeaderEvents events;
  json::sax_parse(text, &events);
  return events.take();
}

std::vector<ProofRoot> read_roots(std::string_view text, const RootShape& shape) {
  RootEvents events(shape);
  json::sax_parse(text, &events);
  return events.take();
}

}  // namespace tilewright::verify
