// SPDX-License-Identifier: Apache-2.0
// What the command line accepts as the values of its options.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "tilewright/mapping/conventions.h"

namespace tilewright {

/// Accepts one of `names` only; what is said about another word names the nearest.
CLI::Validator one_of(std::vector<std::string> names);

/// Accepts what parse_objective reads.
CLI::Validator an_objective();

/// `edp|energy|...`, for help texts.
std::string objective_names();

/// Accepts whole numbers from 0 up that fit in 64 bits.
CLI::Validator a_count();

/// Accepts paths that end in `.nest` or `.yaml`.
CLI::Validator a_mapping_file();

/// The flags that say how costs are counted.
void add_conventions(CLI::App& command, Conventions& conventions);

/// The option --placement.
void add_placement(CLI::App& command, std::string& placement);

/// The option --memory.
void add_memory(CLI::App& command, std::string& memory);

}  // namespace tilewright
