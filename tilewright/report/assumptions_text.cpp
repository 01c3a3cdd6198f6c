// SPDX-License-Identifier: Apache-2.0
#include "tilewright/report/assumptions_text.h"

#include "tilewright/base/text/printable.h"
#include "tilewright/result/assumptions.h"

namespace tilewright {

std::string assumptions_text(const Arch& arch, const TextOptions& options) {
  const std::string words = printable(assumptions_words(arch));
  if (words.empty()) return "";
  std::string text = wrap_words("", words, options.width);
  text.pop_back();
  return paint(text, Style::kWarning, options) + "\n";
}

}  // namespace tilewright
