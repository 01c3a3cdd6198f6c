// SPDX-License-Identifier: Apache-2.0
// Which part of a sweep a job solves.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "tilewright/sweep/run/dispatcher.h"

namespace tilewright {

/// A variable of the environment; null if it is not set.
using Environment = std::function<const char*(const char* name)>;

/// `3/8`: the fourth of eight parts. `auto/8`: the part whose number the job array gives (Slurm,
/// LSF, whose arrays count from 1, Kubernetes). Nothing, and why, if it is neither.
std::optional<Shard> parse_shard(const std::string& text, const Environment& environment,
                                 std::string& why);

}  // namespace tilewright
