// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "tilewright/base/error.h"
#include "tilewright/base/text/nearest.h"
#include "tilewright/base/text/printable.h"
#include "tilewright/io/sections.h"
#include "tilewright/workload/footprint.h"

namespace tilewright {
namespace {

constexpr std::size_t kMaxLayers = 10'000;
constexpr std::size_t kMaxSuggestions = 20;  // each looks at every name
constexpr const char* kForms[] = {"einsum", "gemm", "bmm", "conv"};

/// An edge as a layer names it.
struct UseText {
  PlacedName edge;
  bool plain = true;                 // `x`, not `{edge: x}`
  std::optional<PlacedName> tensor;  // not if plain
};

/// A layer whose edges are still names.
struct LayerText {
  Layer layer;
  Span place;
  std::vector<UseText> from;
  std::optional<std::vector<UseText>> to;
  bool has_from = false;
  std::optional<PlacedName> elements;  // as text, for its place
  std::int64_t size = 0;               // the value of `elements`
  bool has_parameters = false;
  bool has_parameter_bits = false;
};

/// How many elements a tensor has; nothing if its subscripts would have to be gone through.
std::optional<std::int64_t> elements_of(const Workload& workload, TensorId tensor) {
  for (const Rank& rank : workload.tensor(tensor).ranks) {
    if (rank.terms.size() > 2) return std::nullopt;
  }
  std::vector<std::int64_t> extents;
  for (const Dim& dim : workload.dims()) extents.push_back(dim.size);
  return TileForm(workload, tensor, false).elements(extents);
}

/// Reads one layer, up to the names of its edges.
class LayerReader {
 public:
  LayerReader(const YamlNode& node, std::int64_t bits, std::string what, Diagnostics& diagnostics)
      : node_(node),
        bits_(bits),
        diagnostics_(diagnostics),
        reader_(node, ObjectId::kLayer, std::move(what), diagnostics) {}

  std::optional<LayerText> read() {
    if (!reader_.is_map()) return std::nullopt;
    const int before = diagnostics_.errors();
    text_.place = node_.span;
    Layer& layer = text_.layer;
    if (const YamlEntry* name = reader_.take("name")) {
      text_.place = name->value.span;
      layer.name = scalar_text(name->value, "`name`", "text", diagnostics_).value_or("");
      if (layer.name.empty() && name->value.is_scalar()) {
        diagnostics_.error("F0014", "a layer needs a name").labels.push_back({text_.place, ""});
      }
    }
    layer.domain = reader_.take_text("domain").value_or("");
    layer.count = reader_.take_count("count").value_or(1);
    text_.has_from = reader_.has("from");
    text_.from = take_uses("from").value_or(std::vector<UseText>{});
    text_.to = take_uses("to");
    if (const YamlEntry* elements = reader_.take("elements")) {
      text_.elements = PlacedName{elements->value.text, elements->key_span};
      text_.size =
          read_count(elements->value, reader_.where("elements"), 1, diagnostics_).value_or(1);
    }
    text_.has_parameters = reader_.has("parameters");
    layer.parameters = reader_.take_count("parameters", 0).value_or(0);
    layer.parameter_bits = bits_;
    if (const YamlEntry* bits = reader_.take("parameter_bits")) {
      text_.has_parameter_bits = true;
      layer.parameter_bits =
          read_element_width(bits->value, reader_.where("parameter_bits"), diagnostics_)
              .value_or(bits_);
    }
    read_work();
    if (diagnostics_.errors() > before) return std::nullopt;
    return std::move(text_);
  }

 private:
  // What the layer does; finishes the reader.
  void read_work() {
    Layer& layer = text_.layer;
    const std::optional<std::string> op = reader_.take_text("op");
    const YamlEntry* other = node_.find("traffic");
    if (other == nullptr) other = node_.find("nothing");
    if (other == nullptr) {
      for (const char* form : kForms) {
        if (node_.find(form) != nullptr) layer.op = form;
      }
      layer.workload = read_workload_keys(node_, reader_, layer.name, bits_, diagnostics_);
    } else {
      layer.kind = other->key == "traffic" ? LayerKind::kTraffic : LayerKind::kNothing;
      layer.op = reader_.take_text(other->key).value_or("");
      for (const char* key :
           {"einsum", "gemm", "bmm", "conv", "dims", "roles", "bits", "nothing", "op"}) {
        const YamlEntry* entry = node_.find(key);
        if (entry == nullptr || entry == other) continue;
        reader_.take(key);
        Diagnostic& error = diagnostics_.error(
            "F0015", fmt::format("`{}` and `{}` cannot be given together", other->key, key));
        error.labels.push_back({entry->key_span, "belongs to what is computed"});
        error.labels.push_back({other->key_span, "this is not"});
      }
      reader_.finish();
    }
    if (op) layer.op = *op;
  }

  std::optional<std::vector<UseText>> take_uses(const char* key) {
    const YamlEntry* entry = reader_.take(key);
    if (entry == nullptr) return std::nullopt;
    std::vector<UseText> uses;
    if (!entry->value.is_list()) {
      Diagnostic& error = diagnostics_.error(
          "F0012", fmt::format("{} is {}, not a list", reader_.where(key), describe(entry->value)));
      error.labels.push_back({entry->value.span, "expected a list of edges"});
      if (entry->value.is_scalar()) {
        error.helps.push_back(fmt::format("write `{}: [{}]`", key, printable(entry->value.text)));
      }
      return uses;
    }
    for (const YamlNode& item : entry->value.items) {
      UseText use;
      if (item.is_map()) {
        ObjectReader reader(item, ObjectId::kEdgeUse, reader_.where(key), diagnostics_);
        use.plain = false;
        use.edge = take_placed(reader, "edge").value_or(PlacedName{});
        use.tensor = take_placed(reader, "tensor");
        reader.finish();
      } else {
        use.edge = {scalar_text(item, reader_.where(key), "a name", diagnostics_).value_or(""),
                    item.span};
      }
      uses.push_back(std::move(use));
    }
    return uses;
  }

  std::optional<PlacedName> take_placed(ObjectReader& reader, const char* key) {
    const YamlEntry* entry = reader.take(key);
    if (entry == nullptr) return std::nullopt;
    const auto text = scalar_text(entry->value, reader.where(key), "a name", diagnostics_);
    if (!text) return std::nullopt;
    return PlacedName{*text, entry->value.span};
  }

  const YamlNode& node_;
  std::int64_t bits_;
  Diagnostics& diagnostics_;
  ObjectReader reader_;
  LayerText text_;
};

/// Makes the names of edges into edges.
class EdgeLinker {
 public:
  EdgeLinker(Network& network, std::vector<LayerText>& layers, std::vector<Span> places,
             std::int64_t bits, Diagnostics& diagnostics)
      : network_(network),
        layers_(layers),
        places_(std::move(places)),
        bits_(bits),
        diagnostics_(diagnostics) {}

  void link() {
    for (std::size_t e = 0; e < network_.edges.size(); ++e) add_name(e);
    declared_ = network_.edges.size();
    check_layer_names();
    for (const LayerText& text : layers_) {
      for (const UseText& use : text.from) read_.insert(use.edge.name);
    }
    for (std::size_t l = 0; l < layers_.size(); ++l) link_writes(l);
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      link_reads(l);
      size_writes(layers_[l]);
      set_parameters(layers_[l]);
    }
  }

 private:
  void add_name(std::size_t edge) {
    const std::string& name = network_.edges[edge].name;
    const auto [other, added] = edges_.emplace(name, edge);
    if (added) return;
    Diagnostic& error = diagnostics_.error("N0003", "two edges are named " + in_backticks(name));
    error.labels.push_back({places_[edge], "named again here"});
    error.labels.push_back({places_[other->second], "first named here"});
  }

  void check_layer_names() {
    std::map<std::string, const LayerText*> seen;
    for (const LayerText& text : layers_) {
      const auto [other, added] = seen.emplace(text.layer.name, &text);
      if (added) continue;
      Diagnostic& error =
          diagnostics_.error("N0003", "two layers are named " + in_backticks(text.layer.name));
      error.labels.push_back({text.place, "named again here"});
      error.labels.push_back({other->second->place, "first named here"});
    }
  }

  // The edges that a layer writes come to be, without their size.
  void link_writes(std::size_t number) {
    LayerText& text = layers_[number];
    if (!text.to) {
      const std::string& name = text.layer.name;
      const bool known = read_.contains(name) || edges_.contains(name);
      text.to.emplace();
      if (text.has_from || text.elements || known)
        text.to->push_back({{name, text.place}, true, {}});
    }
    for (const UseText& use : *text.to) {
      const auto [edge, added] = edges_.emplace(use.edge.name, network_.edges.size());
      if (added) {
        network_.edges.push_back({use.edge.name, 1, bits_});
        places_.push_back(use.edge.span);
      }
      const auto [writer, first] = writers_.emplace(edge->second, number);
      // Two layers of one name are a finding of their own.
      if (!first && layers_[writer->second].layer.name != text.layer.name) {
        Diagnostic& error =
            diagnostics_.error("N0004", "two layers write the edge " + in_backticks(use.edge.name));
        error.labels.push_back({use.edge.span, "written again here"});
        error.labels.push_back({layers_[writer->second].place, "first written here"});
      }
      text.layer.writes.push_back({edge->second, find_tensor(text, use, false)});
    }
  }

  void link_reads(std::size_t number) {
    LayerText& text = layers_[number];
    for (const UseText& use : text.from) {
      const auto edge = edges_.find(use.edge.name);
      if (edge == edges_.end()) {
        report_unknown(use);
        continue;
      }
      const auto writer = writers_.find(edge->second);
      if (writer != writers_.end() && writer->second >= number) {
        Diagnostic& error = diagnostics_.error(
            "N0002", fmt::format("layer {} reads {} before it is written",
                                 in_backticks(text.layer.name), in_backticks(use.edge.name)));
        error.labels.push_back({use.edge.span, "read here"});
        error.labels.push_back({layers_[writer->second].place, "written here"});
        error.helps.emplace_back("layers are listed in the order in which they run");
        continue;
      }
      text.layer.reads.push_back({edge->second, find_tensor(text, use, true)});
    }
  }

  void report_unknown(const UseText& use) {
    Diagnostic& error = diagnostics_.error(
        "N0001", "there is no layer or edge " + in_backticks(use.edge.name) + " to read");
    error.labels.push_back({use.edge.span, "unknown"});
    if (++suggestions_ > kMaxSuggestions) return;
    std::vector<std::string> names;
    for (const Edge& edge : network_.edges) names.push_back(edge.name);
    for (const LayerText& text : layers_) names.push_back(text.layer.name);
    if (const auto meant = nearest(use.edge.name, names)) {
      error.helps.push_back("did you mean " + in_backticks(*meant) + "?");
    } else {
      error.helps.emplace_back(
          "data from outside is an edge: `edges: [{name: image, elements: 150528}]`");
    }
  }

  std::optional<TensorId> find_tensor(const LayerText& text, const UseText& use, bool read) {
    const std::optional<Workload>& workload = text.layer.workload;
    if (use.plain) {
      if (!workload) return std::nullopt;
      return read ? first_of_role(*workload, "input").value_or(TensorId(0)) : workload->output();
    }
    if (!use.tensor) return std::nullopt;
    const PlacedName& tensor = *use.tensor;
    if (workload) {
      if (const auto found = workload->find_tensor(tensor.name)) return found;
      if (const auto found = first_of_role(*workload, tensor.name)) return found;
    }
    Diagnostic& error = diagnostics_.error(
        "W0006", fmt::format("layer {} has no tensor or role {}", in_backticks(text.layer.name),
                             in_backticks(tensor.name)));
    error.labels.push_back({tensor.span, workload ? "unknown" : "only an einsum has tensors"});
    if (!workload) return std::nullopt;
    std::vector<std::string> names;
    for (const Tensor& known : workload->tensors()) names.push_back(known.name);
    for (const Tensor& known : workload->tensors()) {
      if (std::ranges::find(names, known.role) == names.end()) names.push_back(known.role);
    }
    const auto meant = tensor.name.size() > 1 ? nearest(tensor.name, names) : std::nullopt;
    if (meant) error.helps.push_back("did you mean " + in_backticks(*meant) + "?");
    if (!meant) error.notes.push_back("known: " + join_names(names, "and"));
    return std::nullopt;
  }

  static std::optional<TensorId> first_of_role(const Workload& workload, std::string_view role) {
    const auto it = std::ranges::find(workload.tensors(), role, &Tensor::role);
    if (it == workload.tensors().end()) return std::nullopt;
    return TensorId(static_cast<std::size_t>(it - workload.tensors().begin()));
  }

  // After the sizes of what it reads.
  void size_writes(const LayerText& text) {
    bool used = !text.elements;
    for (const EdgeUse& use : text.layer.writes) {
      if (use.edge < declared_) continue;
      Edge& edge = network_.edges[use.edge];
      used = true;
      std::optional<std::int64_t> elements;
      if (use.tensor) {
        elements = elements_of(*text.layer.workload, *use.tensor);
        edge.bits = text.layer.workload->tensor(*use.tensor).bits;
      } else if (!text.layer.reads.empty()) {
        const Edge& first = network_.edges[text.layer.reads.front().edge];
        elements = first.elements;
        edge.bits = first.bits;
      }
      if (text.elements) elements = text.size;
      if (elements) edge.elements = *elements;
      if (elements || text.from.size() > text.layer.reads.size()) continue;  // said before
      Diagnostic& error = diagnostics_.error(
          "N0005",
          fmt::format("the size of what layer {} writes is not known", in_backticks(edge.name)));
      error.labels.push_back({text.place, ""});
      error.helps.emplace_back("give it: `elements: 1000`");
    }
    if (used) return;
    Diagnostic& error = diagnostics_.error(
        "F0015",
        fmt::format("`elements` of layer {} has no effect", in_backticks(text.layer.name)));
    error.labels.push_back({text.elements->span, "this has no effect"});
    error.helps.emplace_back("leave `elements` out: the size of the edge is given in `edges`");
  }

  // After its reads: a weight that an edge feeds is not learned.
  void set_parameters(LayerText& text) {
    if (!text.layer.workload) return;
    const Workload& workload = *text.layer.workload;
    std::int64_t parameters = 0;
    bool first = true;
    for (std::size_t t = 0; t + 1 < workload.tensors().size(); ++t) {
      const TensorId id(t);
      const Tensor& tensor = workload.tensor(id);
      const auto feeds = [&](const EdgeUse& use) { return use.tensor == id; };
      if (tensor.role != "weight" || std::ranges::any_of(text.layer.reads, feeds)) continue;
      if (std::exchange(first, false) && !text.has_parameter_bits) {
        text.layer.parameter_bits = tensor.bits;
      }
      if (text.has_parameters) continue;
      const auto elements = elements_of(workload, id);
      if (elements) {
        parameters = checked_add(parameters, *elements);
        continue;
      }
      Diagnostic& error = diagnostics_.error(
          "N0005", fmt::format("the number of parameters of layer {} is not known",
                               in_backticks(text.layer.name)));
      error.labels.push_back({text.place, ""});
      error.helps.emplace_back("give it: `parameters: 1000`");
    }
    if (!text.has_parameters) text.layer.parameters = parameters;
  }

  Network& network_;
  std::vector<LayerText>& layers_;
  std::vector<Span> places_;  // of edges
  std::int64_t bits_;
  Diagnostics& diagnostics_;
  std::map<std::string, std::size_t> edges_;
  std::size_t declared_ = 0;  // edges before this have their size
  std::set<std::string> read_;
  std::map<std::size_t, std::size_t> writers_;  // edge to layer
  std::size_t suggestions_ = 0;
};

class NetworkReader {
 public:
  NetworkReader(const YamlNode& node, Diagnostics& diagnostics)
      : node_(node),
        diagnostics_(diagnostics),
        reader_(node, ObjectId::kNetwork, "the network", diagnostics) {}

  std::optional<Network> read() {
    if (!reader_.is_map()) return std::nullopt;
    const int before = diagnostics_.errors();
    network_.name = reader_.take_text("name").value_or("");
    network_.summary = reader_.take_text("summary").value_or("");
    if (const YamlEntry* bits = reader_.take("bits")) {
      bits_ = read_element_width(bits->value, reader_.where("bits"), diagnostics_).value_or(bits_);
    }
    network_.other_parameters = reader_.take_count("other_parameters", 0).value_or(0);
    if (const YamlEntry* edges = reader_.take("edges")) read_edges(edges->value);
    if (const YamlEntry* layers = reader_.take("layers")) read_layers(layers->value);
    const std::optional<LlmConfig> llm = read_llm();
    reader_.finish();
    check_source();
    // A layer that was not read would seem to be missing.
    if (diagnostics_.errors() > before) return std::nullopt;
    try {
      if (llm) {
        expand(*llm);
      } else {
        EdgeLinker(network_, layers_, edge_places_, bits_, diagnostics_).link();
        for (LayerText& text : layers_) network_.layers.push_back(std::move(text.layer));
      }
      if (diagnostics_.errors() > before) return std::nullopt;
      network_totals(network_);
    } catch (const OverflowError&) {
      diagnostics_.error("N0006", "the sums over all layers do not fit in 64 bits")
          .labels.push_back({node_.span, ""});
      return std::nullopt;
    }
    return std::move(network_);
  }

 private:
  std::optional<LlmConfig> read_llm() {
    const YamlEntry* llm = reader_.take("llm");
    if (llm == nullptr) return std::nullopt;
    for (const char* key : {"layers", "edges", "other_parameters"}) {
      const YamlEntry* other = node_.find(key);
      if (other == nullptr) continue;
      Diagnostic& error =
          diagnostics_.error("F0015", fmt::format("`{}` and `llm` cannot be given together", key));
      error.labels.push_back({other->key_span, "follows from `llm`"});
      error.labels.push_back({llm->key_span, ""});
    }
    return read_llm_node(llm->value, bits_, diagnostics_);
  }

  void check_source() {
    for (const char* key : {"layers", "llm"}) {
      if (reader_.has(key) || reader_.suggested(key)) return;
    }
    Diagnostic& error = diagnostics_.error("F0011", "the network has no `layers`");
    error.labels.push_back({node_.span, "neither `layers` nor `llm`"});
    error.helps.emplace_back("for example `layers: [{name: a, gemm: {m: 512, n: 768, k: 3072}}]`");
  }

  void expand(const LlmConfig& config) {
    Network made = llm_network(config);
    made.name = std::move(network_.name);
    made.summary = std::move(network_.summary);
    network_ = std::move(made);
  }

  bool expect_list(const YamlNode& node, const char* key) {
    if (node.is_list() && !node.items.empty() && node.items.size() <= kMaxLayers) return true;
    if (node.is_list() && !node.items.empty()) {
      diagnostics_.error("N0006", fmt::format("`{}` has more than {} entries", key, kMaxLayers))
          .labels.push_back({node.span, ""});
      return false;
    }
    const std::string is = node.is_list() ? "is empty" : "is " + describe(node) + ", not a list";
    diagnostics_.error("F0012", fmt::format("`{}` of the network {}", key, is))
        .labels.push_back({node.span, fmt::format("expected a list of {}", key)});
    return false;
  }

  void read_edges(const YamlNode& node) {
    if (!expect_list(node, "edges")) return;
    for (const YamlNode& item : node.items) {
      ObjectReader reader(item, ObjectId::kEdge, "an edge", diagnostics_);
      if (!reader.is_map()) continue;
      const YamlEntry* name = item.find("name");
      Edge edge{.name = reader.take_text("name").value_or(""), .elements = 1, .bits = bits_};
      edge.elements = reader.take_count("elements").value_or(1);
      if (const YamlEntry* bits = reader.take("bits")) {
        edge.bits = read_element_width(bits->value, "`bits`", diagnostics_).value_or(bits_);
      }
      reader.finish();
      edge_places_.push_back(name != nullptr ? name->value.span : item.span);
      network_.edges.push_back(std::move(edge));
    }
  }

  void read_layers(const YamlNode& node) {
    if (!expect_list(node, "layers")) return;
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      const YamlNode& item = node.items[i];
      const YamlEntry* name = item.is_map() ? item.find("name") : nullptr;
      const std::string what = name != nullptr && name->value.is_scalar()
                                   ? "layer " + in_backticks(name->value.text)
                                   : fmt::format("layer {}", i + 1);
      auto text = LayerReader(item, bits_, what, diagnostics_).read();
      if (text) layers_.push_back(std::move(*text));
    }
  }

  const YamlNode& node_;
  Diagnostics& diagnostics_;
  ObjectReader reader_;
  std::int64_t bits_ = 16;
  Network network_;
  std::vector<Span> edge_places_;
  std::vector<LayerText> layers_;
};

}  // namespace

std::optional<Network> read_network_node(const YamlNode& node, Diagnostics& diagnostics) {
  return NetworkReader(node, diagnostics).read();
}

}  // namespace tilewright
