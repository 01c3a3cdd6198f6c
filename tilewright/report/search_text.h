// SPDX-License-Identifier: Apache-2.0
// What a search went through, how it ended and whether its best is proved: the head of the report
// on the best mapping, and the same for programs. No times and no threads: equal bytes for equal
// searches.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tilewright/base/natural.h"
#include "tilewright/report/evaluated.h"
#include "tilewright/report/layout.h"
#include "tilewright/report/mapspace_text.h"
#include "tilewright/search/search.h"

namespace tilewright {

enum class Mapper { kRandom, kExhaustive };

/// "random", "exhaustive".
std::string mapper_name(Mapper mapper);

/// A search that has ended. Refers to values that outlive it.
struct Searched {
  const Problem& given;        ///< as the user has it; the best may belong to a padded one
  const SearchResult& result;  ///< all searches together where there were several
  std::string space;           ///< "ruby-s"
  Natural size;                ///< mappings in it
  std::int64_t sizes = 1;      ///< `pad`: choices of the dims' sizes
  bool counted = true;         ///< false: `size` is that of the given sizes alone
  Mapper mapper = Mapper::kRandom;
  std::uint64_t seed = 1;
  std::uint64_t patience = 0;
  std::string objective;          ///< "edp"
  std::vector<std::string> caps;  ///< as the user wrote them
  std::vector<ConstraintEffect> constraints;
};

/// True if nothing better exists (or nothing at all, if there is no best).
bool is_proved(const Searched& searched);

/// Space, search, ending, result: a few lines.
std::string search_text(const Searched& searched, const TextOptions& options);

/// What the padding costs; empty if no dim of `best` is larger than in `given`.
std::string padding_text(const Problem& given, const Problem& best, const TextOptions& options);

/// evaluation_json of the best, and the search under `search`.
std::string search_json(const Searched& searched, const Evaluated& best,
                        const std::string& version);

/// `12.3 s  1,234,567 seen  2.1 % fit  best edp 1.23e+09`: one line without an end, for a terminal.
std::string progress_text(const Progress& progress, const std::string& objective);

}  // namespace tilewright
