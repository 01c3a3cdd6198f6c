// SPDX-License-Identifier: Apache-2.0
#include "tilewright/diff/nest_diff.h"

#include <algorithm>
#include <map>

#include "tilewright/report/mapping/nest_text.h"

namespace tilewright {
namespace {

using Kind = NestNode::Kind;

struct Segment {
  std::string node;
  std::string kind;
  std::vector<std::string> items;

  bool operator==(const Segment&) const = default;
  bool same_place(const Segment& other) const { return node == other.node && kind == other.kind; }
};

// Neighbouring loops of one kind, or one keep node.
std::vector<Segment> segments(const Problem& problem, const Mapping& mapping) {
  std::map<int, std::int64_t> last;
  for (const RaggedLoop& loop : find_ragged_loops(problem.workload(), mapping)) {
    last[loop.position] = loop.last;
  }
  std::vector<Segment> result;
  std::string memory;
  int position = 0;
  for (const NestNode& node : mapping.nodes()) {
    Segment next{memory, "for", {}};
    if (node.kind == Kind::kKeep) {
      memory = problem.arch().memory(node.node).name;
      next = {memory, "keep", {}};
      for (std::size_t t = 0; t < problem.workload().tensors().size(); ++t) {
        const bool kept = (node.tensors & only(TensorId(t))) != 0;
        if (kept) next.items.push_back(problem.workload().tensor(TensorId(t)).name);
      }
    } else {
      if (node.kind == Kind::kSpatial) {
        next = {problem.arch().fanout(node.node).name, "parfor", {}};
      }
      std::string text = loop_text(problem, node);
      if (last.contains(position)) text += " (last " + std::to_string(last[position]) + ")";
      next.items.push_back(std::move(text));
    }
    const bool goes_on = node.is_loop() && !result.empty() && result.back().same_place(next);
    if (goes_on) {
      result.back().items.push_back(next.items.front());
    } else {
      result.push_back(std::move(next));
    }
    ++position;
  }
  return result;
}

// Positions of a longest common subsequence, as pairs.
template <class Item, class Same>
std::vector<std::pair<std::size_t, std::size_t>> common(const std::vector<Item>& a,
                                                        const std::vector<Item>& b,
                                                        const Same& same) {
  std::vector<std::vector<int>> best(a.size() + 1, std::vector<int>(b.size() + 1, 0));
  for (std::size_t i = a.size(); i-- > 0;) {
    for (std::size_t j = b.size(); j-- > 0;) {
      best[i][j] =
          same(a[i], b[j]) ? best[i + 1][j + 1] + 1 : std::max(best[i + 1][j], best[i][j + 1]);
    }
  }
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (same(a[i], b[j])) {
      pairs.emplace_back(i++, j++);
    } else if (best[i + 1][j] >= best[i][j + 1]) {
      ++i;
    } else {
      ++j;
    }
  }
  return pairs;
}

std::vector<NestItem> all_changed(const std::vector<std::string>& items) {
  std::vector<NestItem> result;
  for (const std::string& item : items) result.push_back({item, false});
  return result;
}

NestRow merge(const Segment& before, const Segment& after) {
  NestRow row{before.node, before.kind, all_changed(before.items), all_changed(after.items)};
  for (const auto& [i, j] : common(before.items, after.items, std::equal_to<>{})) {
    row.before[i].same = true;
    row.after[j].same = true;
  }
  return row;
}

// The items of one side in lines of at most `width` columns.
std::vector<std::string> cell_lines(const std::vector<NestItem>& items, bool keep, int width,
                                    const TextOptions& options) {
  std::vector<std::string> texts;
  for (const NestItem& item : items) {
    const std::string text = clip(item.text, width - 3, options);
    texts.push_back(item.same ? text : paint("[" + text + "]", Style::kWarning, options));
  }
  return texts.empty() ? std::vector<std::string>{paint("-", Style::kDim, options)}
                       : wrap_items(texts, keep ? " " : ", ", width);
}

}  // namespace

std::vector<NestRow> diff_nests(const Problem& before_problem, const Mapping& before,
                                const Problem& after_problem, const Mapping& after) {
  const std::vector<Segment> left = segments(before_problem, before);
  const std::vector<Segment> right = segments(after_problem, after);
  auto pairs =
      common(left, right, [](const Segment& a, const Segment& b) { return a.same_place(b); });
  pairs.emplace_back(left.size(), right.size());
  std::vector<NestRow> rows;
  std::size_t i = 0;
  std::size_t j = 0;
  for (const auto& [a, b] : pairs) {
    for (; i < a; ++i) {
      rows.push_back({left[i].node, left[i].kind, all_changed(left[i].items), {}});
    }
    for (; j < b; ++j) {
      rows.push_back({right[j].node, right[j].kind, {}, all_changed(right[j].items)});
    }
    if (a < left.size() && b < right.size()) rows.push_back(merge(left[i++], right[j++]));
  }
  return rows;
}

std::string nest_diff_text(const std::vector<NestRow>& rows, const SideNames& names,
                           const TextOptions& options) {
  int head = 0;
  for (const NestRow& row : rows) head = std::max(head, display_width(row.node));
  head = std::min(head, 18);
  constexpr int kGaps = 8;
  constexpr int kKind = 6;  // parfor
  const int width = (options.width - kGaps - head - kKind) / 2;
  Table table({{"", Table::Align::kLeft, 2},
               {"", Table::Align::kLeft, 2},
               {clip(names.before, width, options), Table::Align::kLeft, 2},
               {clip(names.after, width, options), Table::Align::kLeft, 2}});
  for (const NestRow& row : rows) {
    const bool keep = row.kind == "keep";
    const auto left = cell_lines(row.before, keep, width, options);
    const auto right = cell_lines(row.after, keep, width, options);
    for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
      const bool named = i == 0 && row.kind != "for";
      table.add_row({named ? paint(clip(row.node, head, options), Style::kMemory, options) : "",
                     i == 0 ? row.kind : "", i < left.size() ? left[i] : "",
                     i < right.size() ? right[i] : ""});
    }
  }
  return paint("mapping", Style::kHeading, options) +
         paint(" (in brackets: what the other one does not have there)", Style::kDim, options) +
         "\n" + table.text(options);
}

}  // namespace tilewright
