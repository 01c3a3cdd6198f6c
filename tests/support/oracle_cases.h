// SPDX-License-Identifier: Apache-2.0
// What Timeloop answered for given mappings (../shared/oracle), as our values.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tilewright/mapping/mapping.h"
#include "tilewright/mapping/problem.h"

namespace tilewright::oracle_case {

/// One record of a file.
struct OracleCase {
  std::string id;
  Problem problem;
  Mapping mapping;
  nlohmann::json record;  ///< all of it
};

/// `conventions` are those of the problem.
OracleCase read_case(const std::string& line, Conventions conventions);

/// The folder with the records: `--data FOLDER`, else where it lies beside this checkout; nothing,
/// with a line that says so, if it is not there. `--every N` is put into `every`, if that is given.
/// Ends the program with code 2 at any other option.
std::optional<std::filesystem::path> find_records(int argc, char** argv, int* every = nullptr);

/// The families of records: each has its file.
struct RecordFile {
  std::string name;
  bool perfect = true;  ///< no loop has a remainder
};
const std::vector<RecordFile>& record_files();

/// Calls `visit` for every record of a file, in order.
void for_each_case(const std::filesystem::path& folder, const RecordFile& file,
                   Conventions conventions, const std::function<void(const OracleCase&)>& visit);

}  // namespace tilewright::oracle_case
