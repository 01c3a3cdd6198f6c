// SPDX-License-Identifier: Apache-2.0
// Every tag, attribute, macro and naming scheme that Timeloop's files use, in files of our own
// writing: each must be read as what it means.
//   timeloop.features
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/native_round_trip.h"
#include "tests/timeloop/feature.h"
#include "tilewright/io/render.h"
#include "tilewright/io/write.h"

namespace tilewright::test {
namespace {

bool holds(const Feature& feature) {
  std::vector<std::shared_ptr<const SourceFile>> files;
  for (const auto& [name, text] : feature.files) {
    files.push_back(std::make_shared<const SourceFile>(SourceFile{name, text}));
  }
  timeloop::Options options;
  options.ignore_unsupported = feature.ignore_unsupported;
  for (const auto& [name, value] : feature.definitions) options.definitions[name] = value;
  FeatureResult result;
  result.reading = timeloop::read_documents(files, result.diagnostics, {}, options);
  const bool reads = !result.diagnostics.has_errors();
  const std::string changed = reads ? native_difference(result.reading.documents) : "";
  if (!changed.empty()) {
    std::printf("%s: not the same as files of ours\n%s", feature.name.c_str(), changed.c_str());
    return false;
  }
  if (reads == feature.reads && feature.check(result)) return true;
  std::printf("%s: %s\n%s", feature.name.c_str(),
              reads == feature.reads ? "read as something else"
                                     : (reads ? "read without an error" : "not read"),
              render_text(result.diagnostics, false).c_str());
  if (reads && result.reading.documents.problem) {
    std::printf("  nest: %s\n  constraints: %s\n%s", result.nest().c_str(),
                result.constraints().c_str(), write_arch(result.arch()).c_str());
  }
  return false;
}

}  // namespace
}  // namespace tilewright::test

int main() {
  using namespace tilewright::test;
  int all = 0;
  int good = 0;
  for (const auto& features :
       {architecture_features(), document_features(), mapping_features(), constraint_features()}) {
    for (const Feature& feature : features) {
      ++all;
      good += holds(feature) ? 1 : 0;
    }
  }
  std::printf("timeloop-features: %d of %d features are read as what they mean\n", good, all);
  return good == all ? 0 : 1;
}
