// SPDX-License-Identifier: Apache-2.0
// Goes through all roots of a space and, in those that were opened, through all nodes: each must
// have been opened or have a bound that is not below the score (docs/optimal.md section 6).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tilewright/verify/proof/proof.h"
#include "tilewright/verify/tree/frame.h"
#include "tilewright/verify/tree/leaf.h"
#include "tilewright/verify/tree/path.h"
#include "tilewright/verify/tree/roots.h"
#include "tilewright/verify/verify.h"

namespace tilewright::verify {

/// What to make of a mapping that scores less.
enum class Beaten { kRefuse, kIgnore };

/// Throws Refusal if the proof leaves a gap in one of its arrangements. Fills in the numbers of
/// `verdict`.
void check_roots(const Proof& proof, Verdict& verdict);

/// Checker::find_needed() of all arrangements.
std::vector<ProofRoot> find_needed(const Proof& proof, Beaten beaten = Beaten::kRefuse);

/// The roots of one arrangement.
class Checker {
 public:
  /// `rules` are those of one of the arrangements of `proof`. Both must outlive it.
  Checker(const Proof& proof, const Rules& rules);

  /// Throws Refusal if the proof leaves a gap. Adds to the numbers of `verdict`.
  void check(Verdict& verdict);

  /// The roots and nodes that a proof of the same claim needs; those in the file are not looked at.
  /// Throws Refusal if a mapping scores less, unless `beaten` ignores it: then the claim is wrong,
  /// but nothing is missing from its proof (for tests).
  std::vector<ProofRoot> find_needed(Beaten beaten);

 private:
  // Roots of the file by what they stand for.
  using Key = std::pair<Keeps, std::vector<std::int64_t>>;
  // A root with its tables, one for each metric.
  struct Opened {
    const Root& root;
    std::vector<Tables> tables;
    std::vector<std::vector<std::vector<double>>> least;  // by metric and level: of all pending
  };
  // A node of the search, while its children are gone through.
  struct Scan {
    const Opened& opened;
    Path& path;
    std::map<std::vector<int>, std::vector<const ProofNode*>> file;  // by counts
    std::vector<ProofNode>* made = nullptr;
    std::vector<double> passed;  // by metric
  };
  using Nodes = std::vector<const ProofNode*>;

  void index_roots();
  void check_all();
  double least_cost(Metric::Kind kind) const;
  void check_spread(const std::vector<std::int64_t>& factors);
  void check_root(const RootKey& key, const std::vector<std::vector<Stand>>& stands,
                  std::vector<double> values);
  void open_root(const RootKey& key, double least, Opened& opened);
  void scan_node(const Opened& opened, Path& path, const Nodes& nodes,
                 std::vector<ProofNode>* made);
  void scan_counts(Scan& scan, int dim);
  void check_counts(Scan& scan);
  void check_label(Scan& scan, DimSet label);
  void open_node(Scan& scan, const ProofNode* node, DimSet label);
  void check_leaf(const Opened& opened, const Path& path);
  std::optional<std::vector<int>> find_counts(const Opened& opened, const Path& path,
                                              const ProofNode& node) const;
  double score(const Root& root, const std::vector<double>& values) const;
  double bound(const Scan& scan, bool whole) const;
  std::string node_text(const Root& root, const Path& path, DimSet label) const;

  const Proof& proof_;
  const Rules& rules_;
  Frame frame_;
  std::vector<Splits> splits_;
  Spreads spreads_;
  Leaves leaves_;
  double limit_;
  std::vector<Keeps> keeps_;
  std::vector<DimSet> labels_;  // dims that do the same
  std::map<Key, std::vector<const ProofRoot*>> file_;
  Verdict numbers_;
  bool make_ = false;
  bool ignore_beaten_ = false;
  std::vector<ProofRoot> made_;
};

}  // namespace tilewright::verify
