// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tilewright/base/text/nearest.h"
#include "tilewright/base/text/printable.h"
#include "tilewright/io/sections.h"

namespace tilewright {
namespace {

// True for decode; prefill if there is something else to complain about.
bool take_phase(ObjectReader& reader, Diagnostics& diagnostics) {
  const YamlEntry* entry = reader.take("phase");
  if (entry == nullptr) return false;
  const auto text = scalar_text(entry->value, "`phase`", "`prefill` or `decode`", diagnostics);
  if (!text || *text == "prefill" || *text == "decode") return text == "decode";
  Diagnostic& error = diagnostics.error("F0012", in_backticks(*text) + " is not a phase");
  error.labels.push_back({entry->value.span, "expected `prefill` or `decode`"});
  const std::string phases[] = {"prefill", "decode"};
  if (const auto meant = nearest(*text, phases)) {
    error.helps.push_back("did you mean `" + *meant + "`?");
  }
  return false;
}

void take_model(ObjectReader& reader, LlmConfig& config) {
  config.hidden = reader.take_count("hidden").value_or(1);
  config.layers = reader.take_count("layers").value_or(1);
  config.heads = reader.take_count("heads").value_or(1);
  config.kv_heads = reader.take_count("kv_heads").value_or(config.heads);
  config.ffn = reader.take_count("ffn").value_or(1);
  config.vocab = reader.take_count("vocab").value_or(1);
  config.tied = reader.take_flag("tied").value_or(config.tied);
  config.gated = reader.take_flag("gated").value_or(config.gated);
  config.qk_norm = reader.take_flag("qk_norm").value_or(config.qk_norm);
}

}  // namespace

std::optional<LlmConfig> read_llm_node(const YamlNode& node, std::int64_t bits,
                                       Diagnostics& diagnostics) {
  const int before = diagnostics.errors();
  ObjectReader reader(node, ObjectId::kLlm, "`llm`", diagnostics);
  if (!reader.is_map()) return std::nullopt;
  LlmConfig config{.bits = bits};
  take_model(reader, config);
  const std::optional<std::int64_t> head_size = reader.take_count("head_size");
  const bool decode = take_phase(reader, diagnostics);
  config.batch = reader.take_count("batch").value_or(1);
  const std::optional<std::int64_t> seq = reader.take_count("seq");
  const std::optional<std::int64_t> context = reader.take_count("context");
  config.grouped = reader.take_flag("grouped").value_or(config.grouped);
  config.last_only = reader.take_flag("last_only").value_or(config.last_only);
  reader.finish();
  const char* const length = decode ? "context" : "seq";
  const YamlEntry* phase = node.find("phase");
  const bool known = phase != nullptr && (decode || phase->value.text == "prefill");
  if (known && !reader.has(length) && !reader.suggested(length)) {
    Diagnostic& error = diagnostics.error("F0011", fmt::format("`llm` has no `{}`", length));
    error.labels.push_back({phase->value.span, "needs it"});
    error.helps.push_back(fmt::format("for example `{}: 1024`", length));
  }
  if (diagnostics.errors() > before) return std::nullopt;
  config.seq = seq.value_or(1);
  config.context = context.value_or(config.seq);
  config.head_size = head_size.value_or(config.hidden / config.heads);
  std::vector<std::string> faults = find_llm_faults(config);
  if (!head_size && config.hidden % config.heads != 0) {
    faults = {
        fmt::format("`heads` is {}, which does not divide `hidden`, which is {}: give `head_size`",
                    config.heads, config.hidden)};
  }
  for (const std::string& fault : faults) {
    diagnostics.error("N0007", fault).labels.push_back({node.span, ""});
  }
  if (!faults.empty()) return std::nullopt;
  return config;
}

}  // namespace tilewright
