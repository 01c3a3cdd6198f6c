// SPDX-License-Identifier: Apache-2.0
// What the two forms of a mapping share: names are looked up, factors read and nodes collected
// here, whichever way they were written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/io/diagnostic.h"
#include "tilewright/io/read.h"
#include "tilewright/mapping/mapping.h"
#include "tilewright/mapping/problem.h"

namespace tilewright {

/// A longer nest is refused rather than read slowly.
constexpr std::size_t kMaxNestNodes = 10'000;
/// After this many findings the rest of a nest is not read.
constexpr int kMaxNestErrors = 50;

/// Text and where it begins. If it does not stand in the file letter by letter (a quoted YAML
/// string with escapes), `exact` is false and every part of it is shown at `span`.
struct PlacedText {
  std::string_view text;
  Span span;
  bool exact = true;

  Span part(std::size_t offset, std::size_t length) const;
};

/// A name as the user wrote it.
struct Word {
  std::string text;
  Span span;
};

/// `p 8`, `p *` or `q 14 on X`.
struct LoopItem {
  Word dim;
  Word factor;
  std::optional<Word> axis;
  Span span;
};

/// Collects the nodes of one nest from the outermost inwards. Every finding goes to the
/// diagnostics; a node with a fault is left out.
class NestBuilder {
 public:
  NestBuilder(const Problem& problem, Diagnostics& diagnostics);

  void keep(const Word& memory, std::span<const Word> tensors, const Span& span);
  void temporal_loop(const LoopItem& item);
  /// All loops of one `parfor`; `items` may be empty.
  void spatial_loops(const Word& fanout, std::span<const LoopItem> items);
  void compute(const Word& name);

  /// A finding of the caller's own, at `span`.
  Diagnostic& error(std::string code, std::string message, const Span& span,
                    std::string label = {});

  /// True once reading on makes no sense: too many nodes or too many findings.
  bool full() const { return full_; }
  const Problem& problem() const { return problem_; }

  /// The mapping, with `*` worked out; nothing if there was any error since the builder was made.
  std::optional<Mapping> finish(const Span& whole, MappingSource* source);

 private:
  struct Entry {
    NestNode node;
    Span span;
    bool rest = false;  // the factor is `*`
  };

  void add(NestNode node, const Span& span, bool rest);
  void check_nothing_inside_compute(const Span& span);
  std::optional<NodeId> find_node(const Word& name, bool want_memory);
  std::optional<DimId> find_dim(const Word& name);
  std::optional<TensorId> find_tensor(const Word& name);
  std::optional<int> find_axis(NodeId fanout, const LoopItem& item);
  std::optional<std::int64_t> read_factor(const LoopItem& item);
  void resolve_rests();

  const Problem& problem_;
  Diagnostics& diagnostics_;
  std::vector<Entry> entries_;
  std::optional<Span> compute_;
  int errors_before_ = 0;
  bool full_ = false;
};

/// `p8` or `p=8` as `p 8`, if the word looks like that.
std::optional<std::string> split_loop(std::string_view word);

}  // namespace tilewright
