// SPDX-License-Identifier: Apache-2.0
#include "tests/support/native_round_trip.h"

#include "tilewright/io/render.h"
#include "tilewright/timeloop/native.h"

namespace tilewright::test {

std::string native_difference(const Documents& documents) {
  const auto files = timeloop::write_native(documents);
  std::string wrong;
  Diagnostics diagnostics;
  const Documents back = read_documents(files, diagnostics);
  if (diagnostics.has_errors()) wrong = render_text(diagnostics, false);
  if (back.workload != documents.workload) wrong += "another workload\n";
  if (back.arch != documents.arch) wrong += "another architecture\n";
  if (back.constraints != documents.constraints) wrong += "other constraints\n";
  if (documents.mapping != back.mapping) wrong += "another mapping\n";
  if (wrong.empty()) return "";
  for (const auto& file : files) wrong += "---- " + file->name + "\n" + file->text;
  return wrong;
}

}  // namespace tilewright::test
