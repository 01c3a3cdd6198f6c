// SPDX-License-Identifier: Apache-2.0
#include "tilewright/timeloop/native.h"

#include <utility>

#include "tilewright/io/write.h"

namespace tilewright::timeloop {

std::vector<std::shared_ptr<const SourceFile>> write_native(const Documents& documents) {
  std::vector<std::shared_ptr<const SourceFile>> files;
  const auto add = [&](std::string name, std::string text) {
    files.push_back(
        std::make_shared<const SourceFile>(SourceFile{std::move(name), std::move(text)}));
  };
  if (documents.arch) add("arch.yaml", write_arch(*documents.arch));
  if (documents.workload) add("workload.yaml", write_workload(*documents.workload));
  if (documents.network) add("network.yaml", write_network(*documents.network));
  if (!documents.problem) return files;
  if (!documents.constraints.empty()) {
    add("constraints.yaml", constraints_to_yaml(*documents.problem, documents.constraints));
  }
  if (documents.mapping) add("mapping.nest", write_nest(*documents.problem, *documents.mapping));
  return files;
}

}  // namespace tilewright::timeloop
