// SPDX-License-Identifier: Apache-2.0
#include "tilewright/timeloop/architecture/attributes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "tilewright/base/text/nearest.h"
#include "tilewright/base/text/printable.h"

namespace tilewright::timeloop {
namespace {

constexpr std::array<std::string_view, 12> kUsed = {
    "datawidth",       "word_bits",        "width",
    "depth",           "block_size",       "entries",
    "sizeKB",          "cluster_size",     "read_bandwidth",
    "write_bandwidth", "shared_bandwidth", "multiple_buffering"};

// Attributes that change Timeloop's figures and not ours, unless they have no effect.
constexpr std::array<std::string_view, 13> kNotModelled = {
    "network_fill_latency",
    "network_drain_latency",
    "per_dataspace_bandwidth_consumption_scale",
    "allow_overbooking",
    "min_utilization",
    "has_power_gating",
    "metadata_block_size",
    "metadata_datawidth",
    "metadata_storage_width",
    "metadata_storage_depth",
    "concordant_compressed_tile_traversal",
    "decompression_supported",
    "compression_supported"};

constexpr std::int64_t kDefaultBits = 16;
constexpr std::int64_t kWidestElement = 4096;

Diagnostic& report(const Attributes& attributes, const Span& place, const std::string& message) {
  Diagnostic& error = attributes.diagnostics().error("T0008", message);
  error.labels.push_back({place, ""});
  return error;
}

// Words per cycle as exact bits per cycle. Files give few decimals: millionths are enough.
std::optional<Rational> bandwidth_of(const Attributes& attributes, const YamlEntry& entry,
                                     double words, std::int64_t bits) {
  constexpr double kMost = 1e9;
  constexpr std::int64_t kParts = 1'000'000;
  if (words > 0 && words <= kMost) {
    const std::int64_t parts = std::llround(words * kParts);
    if (parts > 0) return make_rational(parts * bits, kParts);
  }
  report(attributes, entry.value.span,
         fmt::format("`{}` of `{}` is {:g} words per cycle, not a number above 0 and up to 10^9",
                     entry.key, attributes.component(), words));
  return std::nullopt;
}

std::optional<Rational> read_bandwidth(const Attributes& attributes, const char* key,
                                       std::int64_t bits) {
  const YamlEntry* entry = attributes.find({key});
  if (entry == nullptr) return std::nullopt;
  const auto words = attributes.number({key});
  if (!words) return std::nullopt;
  return bandwidth_of(attributes, *entry, *words, bits);
}

/// How wide an access is.
struct Widths {
  std::int64_t word_bits = kDefaultBits;
  std::int64_t block = 1;
};

// `width` is what a row of the memory has; `cluster_size` instances share a row.
std::optional<Widths> read_widths(const Attributes& attributes) {
  Widths widths;
  const auto word = attributes.whole({"word_bits", "word_width", "datawidth"}, 1);
  widths.word_bits = word.value_or(kDefaultBits);
  if (widths.word_bits > kWidestElement) {
    const YamlEntry* entry = attributes.find({"word_bits", "word_width", "datawidth"});
    report(attributes, entry->value.span,
           fmt::format("`{}` of `{}` is more than {} bits", entry->key, attributes.component(),
                       kWidestElement));
    return std::nullopt;
  }
  const auto block = attributes.whole({"block_size", "n_words"}, 1);
  const auto cluster = attributes.whole({"cluster_size"}, 1);
  const auto width = attributes.whole({"width", "memory_width", "data_storage_width"}, 1);
  constexpr std::int64_t kWidest = std::int64_t{1} << 30U;
  widths.block = std::min(block.value_or(1), kWidest);
  if (!width) return widths;
  const YamlEntry* entry = attributes.find({"width", "memory_width", "data_storage_width"});
  const std::int64_t shared = std::min(cluster.value_or(1), kWidest);
  if (!block) {
    widths.block = *width / shared / widths.word_bits;
  }
  const std::int64_t row = widths.block * widths.word_bits;
  if (widths.block < 1 || *width % row != 0 || (block && cluster && *width / row != shared)) {
    report(attributes, entry->value.span,
           fmt::format("`width` of `{}` is {} bits, which is not a whole number of blocks",
                       attributes.component(), *width))
        .notes.push_back(fmt::format("datawidth {}, block_size {}, cluster_size {}",
                                     widths.word_bits, widths.block, shared));
    return std::nullopt;
  }
  return widths;
}

// In words; nothing if it is unlimited.
std::optional<std::int64_t> read_words(const Attributes& attributes, const Widths& widths,
                                       Level& level) {
  std::int64_t words = 0;
  bool fits = true;
  if (const YamlEntry* entries = attributes.find({"entries"})) {
    words = attributes.whole({"entries"}, 0).value_or(0);
    level.capacity_place = entry_span(*entries);
  } else if (const YamlEntry* depth =
                 attributes.find({"depth", "memory_depth", "data_storage_depth"})) {
    const auto rows = attributes.whole({"depth", "memory_depth", "data_storage_depth"}, 0);
    fits = !__builtin_mul_overflow(rows.value_or(0), widths.block, &words);
    level.capacity_place = entry_span(*depth);
  } else if (const YamlEntry* size = attributes.find({"sizeKB"})) {
    constexpr std::int64_t kBits = 8192;
    const auto kilobytes = attributes.whole({"sizeKB"}, 0);
    fits = !__builtin_mul_overflow(kilobytes.value_or(0), kBits, &words);
    words /= widths.word_bits;
    level.capacity_place = entry_span(*size);
  } else {
    return std::nullopt;
  }
  constexpr std::int64_t kMost = std::int64_t{1} << 48U;
  if (fits && words <= kMost) return words;
  report(attributes, level.capacity_place,
         fmt::format("`{}` has more than 2^48 words", attributes.component()));
  return std::nullopt;
}

// Timeloop divides words by the number of buffers and drops the rest.
void set_capacity(const Attributes& attributes, const Widths& widths, Level& level,
                  Memory& memory) {
  const auto words = read_words(attributes, widths, level);
  const auto buffers = attributes.number({"multiple_buffering"}).value_or(1);
  constexpr double kMost = 1e6;
  if (!(buffers >= 1 && buffers <= kMost)) {
    report(attributes, attributes.find({"multiple_buffering"})->value.span,
           fmt::format("`multiple_buffering` of `{}` is {:g}, not a number from 1 up",
                       attributes.component(), buffers));
    return;
  }
  const auto whole = Value{buffers}.whole();
  if (whole) memory.buffering = *whole;
  if (!words) return;
  const auto usable = static_cast<std::int64_t>(std::floor(static_cast<double>(*words) / buffers));
  memory.capacity_bits = usable * memory.buffering * widths.word_bits;
}

}  // namespace

Attributes::Attributes(std::string component, const YamlNode* own,
                       std::vector<const YamlNode*> outer, Names names, Findings& findings)
    : component_(std::move(component)),
      maps_(std::move(outer)),
      own_(own),
      names_(names.inside(own)),
      findings_(findings) {
  maps_.insert(maps_.begin(), own);
  std::erase_if(maps_, [](const YamlNode* map) { return map == nullptr || !map->is_map(); });
}

const YamlEntry* Attributes::find(std::initializer_list<const char*> keys) const {
  for (const YamlNode* map : maps_) {
    for (const char* key : keys) {
      const YamlEntry* entry = map->find(key);
      if (entry != nullptr && !entry->value.is_null()) return entry;
    }
  }
  return nullptr;
}

const YamlEntry* Attributes::find_own(const char* key) const {
  return own_ == nullptr ? nullptr : own_->find(key);
}

std::string Attributes::where(const std::string& key) const {
  return fmt::format("`{}` of {}", key, in_backticks(component_));
}

std::optional<std::int64_t> Attributes::whole(std::initializer_list<const char*> keys,
                                              std::int64_t least) const {
  const YamlEntry* entry = find(keys);
  if (entry == nullptr) return std::nullopt;
  return names_.whole(entry->value, where(entry->key), least, diagnostics());
}

std::optional<double> Attributes::number(std::initializer_list<const char*> keys) const {
  const YamlEntry* entry = find(keys);
  if (entry == nullptr) return std::nullopt;
  return names_.number(entry->value, where(entry->key), diagnostics());
}

std::optional<std::int64_t> Attributes::mesh(const char* key) const {
  const YamlEntry* entry = find_own(key);
  if (entry == nullptr || entry->value.is_null()) return std::nullopt;
  return names_.whole(entry->value, where(key), 1, diagnostics());
}

void Attributes::check_memory() const {
  if (own_ == nullptr || !own_->is_map()) return;
  std::vector<std::string> absent;
  for (const std::string_view key : kUsed) {
    if (own_->find(key) == nullptr) absent.emplace_back(key);
  }
  for (const YamlEntry& entry : own_->entries) {
    if (std::ranges::find(kUsed, entry.key) != kUsed.end()) continue;
    const bool listed = std::ranges::find(kNotModelled, entry.key) != kNotModelled.end();
    if (listed) {
      Budget budget;
      const Value value = names_.value_of(entry.value, budget);
      const auto* map = std::get_if<std::shared_ptr<const Scope>>(&value.of);
      const std::string* text = value.text();
      const bool off = text != nullptr && (*text == "false" || *text == "no");
      if (value.truth() && !off && (map == nullptr || (*map)->size() > 0)) {
        findings_.not_modelled(where(entry.key), entry.key_span);
      }
      continue;
    }
    if (entry.key == "reduction_supported") {
      if (!names_.flag(entry.value, where(entry.key), diagnostics()).value_or(true)) {
        findings_.not_modelled(where(entry.key) + " is off", entry.key_span);
      }
      continue;
    }
    // Other attributes are for estimators of energy, and free; but a slip is likely one.
    const auto near = nearest(entry.key, absent);
    if (!near || entry.key.find(*near) != std::string::npos) continue;
    if (edit_distance(entry.key, *near) > 4) continue;
    Diagnostic& found = diagnostics().warning(
        "T0007", fmt::format("attribute {} of {} has no effect", in_backticks(entry.key),
                             in_backticks(component_)));
    found.labels.push_back({entry.key_span, "not an attribute that is used here"});
    found.helps.push_back("did you mean `" + *near + "`?");
  }
}

std::optional<Memory> read_memory(const Attributes& attributes, Level& level) {
  const int before = attributes.diagnostics().errors();
  attributes.check_memory();
  Memory memory;
  memory.name = level.name;
  const auto widths = read_widths(attributes);
  if (!widths) return std::nullopt;
  for (const char* role : {"input", "output", "weight"}) {
    memory.bits.push_back({role, widths->word_bits});
  }
  memory.width_bits = widths->block * widths->word_bits;
  set_capacity(attributes, *widths, level, memory);
  // The old `bandwidth` is half for reads and half for writes.
  if (const auto both = read_bandwidth(attributes, "bandwidth", widths->word_bits)) {
    memory.read_bandwidth = memory.write_bandwidth = make_rational(1, 2) * *both;
  }
  const auto take = [&](const char* key, std::optional<Rational>& place) {
    if (const auto rate = read_bandwidth(attributes, key, widths->word_bits)) place = rate;
  };
  take("read_bandwidth", memory.read_bandwidth);
  take("write_bandwidth", memory.write_bandwidth);
  take("shared_bandwidth", memory.shared_bandwidth);
  if (attributes.diagnostics().errors() > before) return std::nullopt;
  return memory;
}

std::optional<Rational> read_clock(const Attributes& attributes) {
  const YamlEntry* entry = attributes.find({"global_cycle_seconds", "cycle_seconds"});
  if (entry == nullptr) return std::nullopt;
  Budget budget;
  const auto seconds = attributes.names().value_of(entry->value, budget).number();
  constexpr double kShortest = 1e-12;
  if (!seconds || !(*seconds >= kShortest && *seconds <= 1)) return std::nullopt;
  const auto hertz = std::llround(1 / *seconds);
  return make_rational(hertz, 1);
}

}  // namespace tilewright::timeloop
