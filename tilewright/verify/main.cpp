// SPDX-License-Identifier: Apache-2.0
// tilewright-verify FILE...: checks proofs, one line each. Exits with 0 if all hold, with 1 if one
// is refused, with 2 if it was asked for nothing that can be read.
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

#include "tilewright/verify/verify.h"

namespace {

std::string with_commas(std::int64_t number) {
  const std::string digits = std::to_string(number);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

// One line; false if the proof is refused.
bool report(const std::string& path, const std::string& text) {
  const tilewright::verify::Verdict verdict = tilewright::verify::verify_proof(text);
  if (!verdict.ok) {
    std::printf("%s: refused: %s\n", path.c_str(), verdict.why.c_str());
    return false;
  }
  std::printf(
      "%s: ok: %s roots, %s opened, %s nodes, %s mappings evaluated; no mapping scores below %.6g "
      "(confirmed by the %s)\n",
      path.c_str(), with_commas(verdict.roots).c_str(), with_commas(verdict.opened).c_str(),
      with_commas(verdict.nodes).c_str(), with_commas(verdict.evaluated).c_str(), verdict.score,
      verdict.walked ? "walker" : "model");
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') {
    std::fprintf(stderr, "usage: tilewright-verify FILE...\n");
    return 2;
  }
  bool all = true;
  for (int i = 1; i < argc; ++i) {
    std::ifstream file(argv[i], std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file) {
      std::fprintf(stderr, "tilewright-verify: cannot read %s\n", argv[i]);
      return 2;
    }
    all = report(argv[i], text.str()) && all;
  }
  return all ? 0 : 1;
}
