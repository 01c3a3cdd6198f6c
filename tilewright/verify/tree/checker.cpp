// SPDX-License-Identifier: Apache-2.0
#include "tilewright/verify/tree/checker.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <iterator>

#include "tilewright/verify/tolerance.h"
#include "tilewright/verify/tree/member.h"

namespace tilewright::verify {
namespace {

// Dims that leave the same tensors still, affine ones by themselves.
std::vector<DimSet> find_labels(const Frame& frame) {
  std::map<TensorSet, DimSet> same;
  std::vector<DimSet> labels;
  for (int d = 0; d < frame.dims(); ++d) {
    if (frame.sizes[pos(d)] == 1) continue;
    if (has(frame.affine, d)) {
      labels.push_back(DimSet{1} << d);
      continue;
    }
    TensorSet still = 0;
    for (std::size_t t = 0; t < frame.tensors.size(); ++t) {
      if (has(frame.tensors[t].irrelevant, d)) still |= TensorSet{1} << t;
    }
    same[still] |= DimSet{1} << d;
  }
  for (const auto& [still, dims] : same) labels.push_back(dims);
  return labels;
}

std::string number(double value) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.10g", value);
  return digits;
}

std::vector<Splits> find_splits(const Frame& frame) {
  std::vector<Splits> splits;
  for (int d = 0; d < frame.dims(); ++d) splits.emplace_back(frame, d);
  return splits;
}

std::vector<NodeId> memories_of(const Rules& rules) {
  std::vector<NodeId> memories;
  for (const KeepRule& rule : rules.keeps) memories.push_back(rule.memory);
  return memories;
}

// Whether these memories may keep this, one after the other.
bool is_of(const ProofRoot& root, const Rules& rules, const std::vector<NodeId>& memories) {
  if (!root.memories.empty() && root.memories != memories) return false;
  if (!obeys_keeps(rules, root.keeps)) return false;
  // A root that does not name its memories has each of them once.
  return !root.memories.empty() || std::ranges::adjacent_find(memories) == memories.end();
}

}  // namespace

void check_roots(const Proof& proof, Verdict& verdict) {
  for (const ProofRoot& root : proof.roots) {
    const auto has_it = [&](const Rules& rules) { return is_of(root, rules, memories_of(rules)); };
    if (std::ranges::none_of(proof.arrangements, has_it)) {
      throw Refusal("a root is not one of the space");
    }
  }
  for (const Rules& rules : proof.arrangements) Checker(proof, rules).check(verdict);
}

std::vector<ProofRoot> find_needed(const Proof& proof, Beaten beaten) {
  std::vector<ProofRoot> roots;
  for (const Rules& rules : proof.arrangements) {
    std::ranges::move(Checker(proof, rules).find_needed(beaten), std::back_inserter(roots));
  }
  return roots;
}

Checker::Checker(const Proof& proof, const Rules& rules)
    : proof_(proof),
      rules_(rules),
      frame_(proof.problem, rules, proof.objective),
      splits_(find_splits(frame_)),
      spreads_(frame_, splits_),
      leaves_(frame_, splits_),
      limit_(proof.score * (1 - tolerance(proof.objective))),
      keeps_(all_keeps(rules)),
      labels_(find_labels(frame_)) {}

void Checker::check(Verdict& verdict) {
  index_roots();
  check_all();
  verdict.roots += numbers_.roots;
  verdict.opened += numbers_.opened;
  verdict.nodes += numbers_.nodes;
  verdict.evaluated += leaves_.evaluated();
}

std::vector<ProofRoot> Checker::find_needed(Beaten beaten) {
  make_ = true;
  ignore_beaten_ = beaten == Beaten::kIgnore;
  made_.clear();
  check_all();
  return std::move(made_);
}

void Checker::index_roots() {
  const std::vector<NodeId> memories = memories_of(rules_);
  for (const ProofRoot& root : proof_.roots) {
    if (!is_of(root, rules_, memories)) continue;
    std::vector<std::int64_t> factors = spreads_.combine(root.factors);
    if (factors.empty() && !frame_.fanouts.empty()) {
      throw Refusal("a root is not one of the space");
    }
    file_[{root.keeps, std::move(factors)}].push_back(&root);
  }
}

// ---- Roots ----

// The least score with so much of each metric.
double Checker::score(const Root& root, const std::vector<double>& values) const {
  double energy = frame_.constant;
  double cycles = root.steps();
  double traffic = 0;
  for (std::size_t k = 0; k < frame_.metrics.size(); ++k) {
    const Metric& metric = frame_.metrics[k];
    if (values[k] == INFINITY) return INFINITY;  // nothing fits
    if (metric.kind == Metric::Kind::kEnergy) energy += values[k];
    if (metric.kind == Metric::Kind::kTraffic) traffic += values[k];
    if (metric.kind == Metric::Kind::kTime) {
      // Cycles are whole; what is rounding must not make one more.
      const double least = values[k] / root.instances(metric.memory);
      cycles = std::max(cycles, std::ceil(least * (1 - kWholeRounding)));
    }
  }
  return frame_.score(energy, cycles, traffic);
}

void Checker::check_all() {
  const double energy = frame_.constant + least_cost(Metric::Kind::kEnergy);
  const double traffic = least_cost(Metric::Kind::kTraffic);
  spreads_.for_each([&](const std::vector<std::int64_t>& factors) { check_spread(factors); },
                    [&](double steps) { return frame_.score(energy, steps, traffic) >= limit_; });
}

// What a metric comes to in any root: every element leaves the home of its tensor once.
double Checker::least_cost(Metric::Kind kind) const {
  double sum = 0;
  for (const Metric& metric : frame_.metrics) {
    if (metric.kind != kind) continue;
    for (std::size_t t = 0; t < frame_.tensors.size(); ++t) {
      int home = 0;
      while (!has(rules_.keeps[pos(home)].required, static_cast<int>(t))) ++home;
      const Price& price = frame_.price(metric, home, static_cast<int>(t));
      const TensorView& tensor = frame_.tensors[t];
      sum += tensor.elements * (tensor.output ? price.update : price.read);
    }
  }
  return sum;
}

// All choices of what is kept with these factors on axes. With every tile moved once, a tensor's
// cost depends only on which memories keep that tensor.
void Checker::check_spread(const std::vector<std::int64_t>& factors) {
  numbers_.roots += static_cast<std::int64_t>(keeps_.size());
  const std::size_t tensors = frame_.tensors.size();
  RootKey key{Keeps(frame_.memories.size(), 0), factors};
  std::vector<const Chain*> chains;
  for (int d = 0; d < frame_.dims(); ++d) {
    std::vector<std::int64_t> by_fanout;
    for (std::size_t f = 0; f < frame_.fanouts.size(); ++f) {
      by_fanout.push_back(factors[f * pos(frame_.dims()) + pos(d)]);
    }
    chains.push_back(&splits_[pos(d)].chain(by_fanout, ~0U));
  }
  const Root root(frame_, key, std::move(chains));
  std::vector<std::map<std::uint32_t, std::vector<double>>> once(tensors);  // by memories
  std::vector<std::vector<Stand>> stands;
  for (const Keeps& keeps : keeps_) {
    std::vector<double> values(frame_.metrics.size(), 0);
    for (std::size_t t = 0; t < tensors; ++t) {
      std::uint32_t memories = 0;
      for (std::size_t m = 0; m < keeps.size(); ++m) {
        memories |= (keeps[m] >> t & 1U) << m;
      }
      std::vector<double>& costs = once[t][memories];
      if (costs.empty()) {
        for (std::size_t m = 0; m < keeps.size(); ++m) key.keeps[m] = keeps[m] & 1U << t;
        for (const Metric& metric : frame_.metrics) {
          costs.push_back(root.cost_once(metric, static_cast<int>(t)));
        }
      }
      for (std::size_t k = 0; k < values.size(); ++k) values[k] += costs[k];
    }
    if (score(root, values) >= limit_) continue;
    if (stands.empty()) stands = spreads_.stands(factors);
    check_root({keeps, factors}, stands, std::move(values));
  }
}

void Checker::check_root(const RootKey& key, const std::vector<std::vector<Stand>>& stands,
                         std::vector<double> values) {
  std::vector<const Chain*> chains;
  for (int d = 0; d < frame_.dims(); ++d) {
    std::vector<std::int64_t> by_fanout;
    for (std::size_t f = 0; f < frame_.fanouts.size(); ++f) {
      by_fanout.push_back(key.factors[f * pos(frame_.dims()) + pos(d)]);
    }
    chains.push_back(&splits_[pos(d)].chain(by_fanout, open_blocks(key.keeps), stands[pos(d)]));
    if (!chains.back()->possible) return;
  }
  const Root root(frame_, key, std::move(chains));
  Opened opened{root, {}, {}};
  for (std::size_t k = 0; k < frame_.metrics.size(); ++k) {
    opened.tables.emplace_back(root, frame_.metrics[k]);
    values[k] = std::max(values[k], opened.tables.back().bound());
    if (score(root, values) >= limit_) return;
  }
  if (score(root, values) < limit_) open_root(key, score(root, values), opened);
}

void Checker::open_root(const RootKey& key, double least, Opened& opened) {
  for (const Tables& tables : opened.tables) {
    auto& levels = opened.least.emplace_back();
    for (int level = 0; level <= frame_.memory_count(); ++level) {
      auto& lowest = levels.emplace_back(tables.grid(level).tuples(), INFINITY);
      for (const auto& [pending, values] : tables.level(level)) {
        for (std::size_t i = 0; i < lowest.size(); ++i) lowest[i] = std::min(lowest[i], values[i]);
      }
    }
  }
  ++numbers_.opened;
  Path path{{std::vector<int>(pos(frame_.dims()), 0)}, {}};
  if (make_) {
    std::vector<ProofNode> nodes;
    scan_node(opened, path, {}, &nodes);
    made_.push_back(
        {key.keeps, spreads_.place(key.factors), std::move(nodes), memories_of(rules_)});
    return;
  }
  const auto found = file_.find({key.keeps, key.factors});
  if (found == file_.end()) {
    throw Refusal("a root is not opened, and its bound of " + number(least) +
                  " is below the score" + node_text(opened.root, path, 0));
  }
  Nodes nodes;
  for (const ProofRoot* root : found->second) {
    for (const ProofNode& node : root->open) nodes.push_back(&node);
  }
  scan_node(opened, path, nodes, nullptr);
}

// ---- Nodes ----

void Checker::scan_node(const Opened& opened, Path& path, const Nodes& nodes,
                        std::vector<ProofNode>* made) {
  if (path.level() == frame_.memory_count()) {
    check_leaf(opened, path);
    return;
  }
  Scan scan{opened, path, {}, made, {}};
  for (const ProofNode* node : nodes) {
    if (const auto at = find_counts(opened, path, *node)) scan.file[*at].push_back(node);
  }
  for (const Metric& metric : frame_.metrics) {
    scan.passed.push_back(passed_cost(opened.root, metric, path));
  }
  path.at.emplace_back(pos(frame_.dims()), 0);
  path.labels.push_back(0);
  scan_counts(scan, 0);
  path.at.pop_back();
  path.labels.pop_back();
}

// The node's counts as positions; nothing if they lead nowhere: then the node proves nothing.
std::optional<std::vector<int>> Checker::find_counts(const Opened& opened, const Path& path,
                                                     const ProofNode& node) const {
  std::vector<int> at;
  for (int d = 0; d < frame_.dims(); ++d) {
    const auto& counts = opened.root.chain(d).counts[pos(path.level()) + 1];
    const auto found = std::ranges::lower_bound(counts, node.counts[pos(d)]);
    if (found == counts.end() || *found != node.counts[pos(d)]) return std::nullopt;
    at.push_back(static_cast<int>(found - counts.begin()));
  }
  return at;
}

// All counts at the next level, one dim after the other.
void Checker::scan_counts(Scan& scan, int dim) {
  if (dim == frame_.dims()) {
    check_counts(scan);
    return;
  }
  const int memory = scan.path.level() - 1;
  const auto& steps = scan.opened.root.chain(dim).steps[pos(memory)];
  const int here = scan.path.at[pos(memory)][pos(dim)];
  for (std::size_t in = 0; in < steps.size(); ++in) {
    const bool leads =
        std::ranges::any_of(steps[in], [&](const Chain::Step& step) { return step.to == here; });
    if (!leads) continue;
    scan.path.at.back()[pos(dim)] = static_cast<int>(in);
    scan_counts(scan, dim + 1);
  }
}

// The least score of the child at the end of the path; without `whole`, by the tables and the links
// passed alone.
double Checker::bound(const Scan& scan, bool whole) const {
  const Path& path = scan.path;
  std::vector<double> values;
  for (std::size_t k = 0; k < frame_.metrics.size(); ++k) {
    const Tables& tables = scan.opened.tables[k];
    if (whole) {
      values.push_back(
          path_cost(scan.opened.root, frame_.metrics[k], path, scan.passed[k], tables));
      continue;
    }
    const Grid& grid = tables.grid(path.level());
    std::size_t index = 0;
    for (std::size_t d = 0; d < grid.sizes.size(); ++d) {
      index = index * pos(grid.sizes[d]) + pos(path.at.back()[d]);
    }
    values.push_back(scan.passed[k] + scan.opened.least[k][pos(path.level())][index]);
  }
  return score(scan.opened.root, values);
}

void Checker::check_counts(Scan& scan) {
  const int memory = scan.path.level() - 1;
  if (bound(scan, false) >= limit_ || !fits_together(scan.opened.root, scan.path)) return;
  const DimSet loops = loops_of(scan.opened.root, scan.path, memory);
  if (loops == 0) {
    check_label(scan, 0);
    return;
  }
  const DimSet last =
      innermost_dims(frame_.rules.places[pos(frame_.memories[pos(memory)].place)], loops);
  for (const DimSet label : labels_) {
    if ((label & last) != 0) check_label(scan, label & last);
  }
}

// The child with these counts and its innermost loop over a dim of `label`.
void Checker::check_label(Scan& scan, DimSet label) {
  scan.path.labels.back() = label;
  const double least = bound(scan, true);
  if (least >= limit_) return;
  if (scan.made != nullptr) {
    open_node(scan, nullptr, label);
    return;
  }
  DimSet missing = label;
  const auto found = scan.file.find(scan.path.at.back());
  bool any = false;
  if (found != scan.file.end()) {
    for (const ProofNode* node : found->second) {
      if (label == 0 ? node->label != 0 : (node->label & label) == 0) continue;
      any = true;
      missing &= ~node->label;
      open_node(scan, node, label & node->label);
    }
  }
  if (!any || missing != 0) {
    throw Refusal("a node is not opened, and its bound of " + number(least) +
                  " is below the score" + node_text(scan.opened.root, scan.path, label));
  }
}

void Checker::open_node(Scan& scan, const ProofNode* node, DimSet label) {
  ++numbers_.nodes;
  scan.path.labels.back() = label;
  Nodes nodes;
  if (node != nullptr) {
    for (const ProofNode& child : node->open) nodes.push_back(&child);
    scan_node(scan.opened, scan.path, nodes, nullptr);
    return;
  }
  ProofNode made{label, {}, {}};
  for (int d = 0; d < frame_.dims(); ++d) {
    made.counts.push_back(
        scan.opened.root.chain(d).counts[pos(scan.path.level())][pos(scan.path.at.back()[pos(d)])]);
  }
  scan_node(scan.opened, scan.path, {}, &made.open);
  scan.made->push_back(std::move(made));
}

void Checker::check_leaf(const Opened& opened, const Path& path) {
  if (ignore_beaten_) return;
  const double best = leaves_.best(opened.root, path);
  if (best < limit_) {
    throw Refusal("a mapping scores less, " + number(best) +
                  node_text(opened.root, path, path.labels.back()));
  }
}

// Where it is, for messages.
std::string Checker::node_text(const Root& root, const Path& path, DimSet label) const {
  const Workload& workload = proof_.problem.workload();
  std::string text = "; kept";
  for (const TensorSet kept : root.keeps()) {
    text += ' ';
    for (std::size_t t = 0; t < frame_.tensors.size(); ++t) {
      if (has(kept, static_cast<int>(t))) text += workload.tensor(TensorId(t)).name + ",";
    }
    text.back() = kept == 0 ? '-' : ' ';
  }
  text += "; on axes";
  for (int d = 0; d < frame_.dims(); ++d) {
    for (std::size_t f = 0; f < frame_.fanouts.size(); ++f) {
      const std::int64_t factor = root.factor(static_cast<int>(f), d);
      if (factor > 1) text += " " + workload.dim(DimId(d)).name + "=" + std::to_string(factor);
    }
  }
  for (int level = 1; level <= path.level(); ++level) {
    text += "; at level " + std::to_string(level);
    for (int d = 0; d < frame_.dims(); ++d) {
      const std::int64_t count = root.chain(d).counts[pos(level)][pos(path.at[pos(level)][pos(d)])];
      if (count > 1) text += " " + workload.dim(DimId(d)).name + "=" + std::to_string(count);
    }
  }
  if (label != 0) text += "; label";
  for (int d = 0; d < frame_.dims(); ++d) {
    if (has(label, d)) text += " " + workload.dim(DimId(d)).name;
  }
  return text;
}

}  // namespace tilewright::verify
