// SPDX-License-Identifier: Apache-2.0
#include "tilewright/network/llm.h"

#include <utility>

#include "tilewright/base/checked.h"
#include "tilewright/base/error.h"

namespace tilewright {
namespace {

/// Rows, columns and what is summed over.
struct Shape {
  std::int64_t m = 1;
  std::int64_t n = 1;
  std::int64_t k = 1;
};

class Builder {
 public:
  explicit Builder(const LlmConfig& config) : config_(config) {
    tokens_ = checked_mul(config.batch, config.seq);
    stream_ = checked_mul(tokens_, config.hidden);
  }

  Network build() {
    // What enters the first block; later ones read what the block before them wrote.
    const std::size_t embedding = edge("embedding", stream_);
    const std::size_t attended = add_attention(embedding);
    const std::size_t out = add_feed_forward(attended);
    const std::size_t last = traffic("final_norm", "rmsnorm", 1, {out}, stream_, config_.hidden);
    const std::int64_t rows = config_.last_only ? config_.batch : tokens_;
    product("lm_head", {rows, config_.vocab, config_.hidden}, 1, last);
    if (!config_.tied) {
      network_.other_parameters = checked_mul(config_.vocab, config_.hidden);
    }
    return std::move(network_);
  }

 private:
  std::size_t edge(const std::string& name, std::int64_t elements) {
    network_.edges.push_back({name, elements, config_.bits});
    return network_.edges.size() - 1;
  }

  std::size_t traffic(const std::string& name, const std::string& op, std::int64_t count,
                      const std::vector<std::size_t>& reads, std::int64_t elements,
                      std::int64_t parameters = 0) {
    Layer layer{.name = name, .op = op, .kind = LayerKind::kTraffic};
    layer.count = count;
    layer.parameters = parameters;
    layer.parameter_bits = config_.bits;
    for (const std::size_t read : reads) layer.reads.push_back({read, std::nullopt});
    const std::size_t out = edge(name, elements);
    layer.writes = {{out, std::nullopt}};
    network_.layers.push_back(std::move(layer));
    return out;
  }

  // Z[m,n] += A[m,k] * B[k,n], not yet with its edges.
  Layer& add_product(const std::string& name, const Shape& shape, std::int64_t count) {
    const auto plain = [](int dim) { return Rank{{Term{DimId(dim)}}}; };
    const std::int64_t bits = config_.bits;
    std::vector<Dim> dims{{"m", shape.m}, {"n", shape.n}, {"k", shape.k}};
    std::vector<Tensor> tensors{{"A", "input", bits, {plain(0), plain(2)}},
                                {"B", "weight", bits, {plain(2), plain(1)}},
                                {"Z", "output", bits, {plain(0), plain(1)}}};
    if (!find_workload_faults(dims, tensors).empty()) internal::fail_overflow();
    Layer layer{.name = name, .op = "gemm"};
    layer.workload.emplace(name, std::move(dims), std::move(tensors));
    layer.count = count;
    layer.parameter_bits = bits;
    network_.layers.push_back(std::move(layer));
    return network_.layers.back();
  }

  std::size_t product(const std::string& name, const Shape& shape, std::int64_t count,
                      std::optional<std::size_t> read) {
    Layer& layer = add_product(name, shape, count);
    layer.parameters = checked_mul(shape.n, shape.k);
    if (read) layer.reads = {{*read, TensorId(0)}};
    const std::size_t out = edge(name, checked_mul(shape.m, shape.n));
    layer.writes = {{out, TensorId(2)}};
    return out;
  }

  // Of queries with keys, or of weights with values: nothing is learned.
  Layer& attend(const std::string& name, const Shape& shape, std::int64_t count,
                const std::string& cache) {
    Layer& layer = add_product(name, shape, count);
    layer.reads = {{edge(cache, checked_mul(shape.n, shape.k)), TensorId(1)}};
    layer.writes = {{edge(name, checked_mul(shape.m, shape.n)), TensorId(2)}};
    return layer;
  }

  std::size_t add_attention(std::size_t in) {
    const LlmConfig& c = config_;
    const std::int64_t queries = checked_mul(c.heads, c.head_size);
    const std::int64_t keys = checked_mul(c.kv_heads, c.head_size);
    const std::size_t norm = traffic("attn_norm", "rmsnorm", c.layers, {in}, stream_, c.hidden);
    std::size_t q = product("q_proj", {tokens_, queries, c.hidden}, c.layers, norm);
    std::size_t k = product("k_proj", {tokens_, keys, c.hidden}, c.layers, norm);
    product("v_proj", {tokens_, keys, c.hidden}, c.layers, norm);
    const std::int64_t all_queries = checked_mul(tokens_, queries);
    const std::int64_t all_keys = checked_mul(tokens_, keys);
    if (c.qk_norm) {
      q = traffic("q_norm", "rmsnorm", c.layers, {q}, all_queries, c.head_size);
      k = traffic("k_norm", "rmsnorm", c.layers, {k}, all_keys, c.head_size);
    }
    traffic("q_rotate", "rotate", c.layers, {q}, all_queries);
    traffic("k_rotate", "rotate", c.layers, {k}, all_keys);

    const std::int64_t rows = c.grouped ? checked_mul(c.seq, c.heads / c.kv_heads) : c.seq;
    const std::int64_t products = c.grouped ? c.kv_heads : c.heads;
    const std::int64_t count = checked_mul(checked_mul(c.layers, c.batch), products);
    const std::size_t scores =
        attend("scores", {rows, c.context, c.head_size}, count, "keys").writes.front().edge;
    const std::size_t weights =
        traffic("softmax", "softmax", count, {scores}, checked_mul(rows, c.context));
    Layer& context = attend("context", {rows, c.head_size, c.context}, count, "values");
    context.reads.insert(context.reads.begin(), {weights, TensorId(0)});

    const std::size_t out =
        product("out_proj", {tokens_, c.hidden, queries}, c.layers, std::nullopt);
    return traffic("attn_add", "add", c.layers, {out, in}, stream_);
  }

  std::size_t add_feed_forward(std::size_t in) {
    const LlmConfig& c = config_;
    const std::size_t norm = traffic("ffn_norm", "rmsnorm", c.layers, {in}, stream_, c.hidden);
    const Shape up{tokens_, c.ffn, c.hidden};
    std::vector<std::size_t> inner;
    if (c.gated) inner.push_back(product("gate_proj", up, c.layers, norm));
    inner.push_back(product("up_proj", up, c.layers, norm));
    const std::size_t active =
        traffic("activation", "act", c.layers, inner, checked_mul(tokens_, c.ffn));
    const std::size_t down = product("down_proj", {tokens_, c.hidden, c.ffn}, c.layers, active);
    return traffic("ffn_add", "add", c.layers, {down, in}, stream_);
  }

  const LlmConfig& config_;
  std::int64_t tokens_ = 0;
  std::int64_t stream_ = 0;  // elements between blocks
  Network network_;
};

}  // namespace

std::vector<std::string> find_llm_faults(const LlmConfig& config) {
  std::vector<std::string> faults;
  const std::int64_t sizes[] = {config.hidden,  config.layers,    config.heads, config.kv_heads,
                                config.context, config.head_size, config.ffn,   config.vocab,
                                config.batch,   config.seq,       config.bits};
  for (const std::int64_t size : sizes) {
    if (size >= 1) continue;
    faults.emplace_back("a size is less than 1");
    return faults;
  }
  if (config.heads % config.kv_heads != 0) {
    faults.push_back("kv_heads is " + std::to_string(config.kv_heads) +
                     ", which does not divide heads, which is " + std::to_string(config.heads));
  }
  if (config.context < config.seq) {
    faults.push_back("context is " + std::to_string(config.context) +
                     ", less than the new tokens themselves, " + std::to_string(config.seq));
  }
  return faults;
}

Network llm_network(const LlmConfig& config) {
  TW_CHECK(find_llm_faults(config).empty(), "the config makes a model");
  return Builder(config).build();
}

}  // namespace tilewright
