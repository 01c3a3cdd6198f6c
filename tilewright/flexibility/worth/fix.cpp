// SPDX-License-Identifier: Apache-2.0
#include "tilewright/flexibility/worth/fix.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tilewright/base/checked.h"
#include "tilewright/base/error.h"
#include "tilewright/flexibility/worth/choices.h"

namespace tilewright {
namespace {

using Names = std::vector<std::string>;

/// Dims on the axes of the array, and its shape.
struct ArrayChoice {
  Names dims;
  std::vector<std::int64_t> shape;
  double bound = 0;  ///< of the runtime of the network
};

class Fixer {
 public:
  Fixer(const Flexibility& flexibility, const Arch& arch, const Network& network,
        const FixOptions& options)
      : given_(flexibility), arch_(arch), network_(network), options_(options) {
    for (FlexNetworkLayer& layer : view_network(flexibility, network)) {
      layers_.push_back({std::move(layer), 0, {}});
    }
  }

  FixedAccelerator run() {
    find_least();
    const std::vector<ArrayChoice> arrays = find_arrays();
    FixedAccelerator best{given_, arch_, {}, 0, 0};
    best.row.score = std::numeric_limits<double>::infinity();
    double bound = std::numeric_limits<double>::infinity();  // of all that may be better
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      if (arrays[i].bound >= best.row.score) break;
      if (i >= options_.most_arrays || is_stopped()) {
        bound = std::min(bound, arrays[i].bound);
        break;
      }
      FixedAccelerator found = start(arrays[i]);
      // With this array no tiles and no order are better; those that are found may be worse.
      std::vector<double> least;
      const double least_of_all = find_bound(found, least);
      if (least_of_all >= best.row.score) continue;
      bound = std::min(bound, least_of_all);
      constexpr double kAny = std::numeric_limits<double>::infinity();
      if (!evaluate(found, least, kAny)) {
        found.row.status = Status::kNotFound;
        found.row.score = kAny;
      }
      found = improve(std::move(found), least, least_of_all);
      found.tried = best.tried + found.tried;
      if (found.row.status <= Status::kNotProved && found.row.score < best.row.score) {
        best = std::move(found);
      } else {
        best.tried = found.tried;
      }
    }
    best.bound = std::min(bound, best.row.score);
    if (best.row.score > best.bound && best.row.status == Status::kProved) {
      best.row.status = Status::kNotProved;
    }
    return best;
  }

 private:
  struct FixLayer {
    FlexNetworkLayer view;
    double least = 0;                            // cycles on any array, at least
    std::map<std::string, LayerOptimum> optima;  // by what of an accelerator matters to it
  };

  bool is_stopped() const { return options_.worth.stop != nullptr && options_.worth.stop->load(); }

  // What every accelerator of this size needs for each layer.
  void find_least() {
    const std::vector<Degrees> rows = {all_degrees(Degree::kFull)};
    const FlexWorth worth = find_worth(given_, arch_, network_, rows, options_.worth);
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      layers_[l].least = worth.rows.front().layers[l].bound.value_or(0);
    }
  }

  // Passes over the array: a dim that is spread takes fewer of them, the others all their steps.
  double bound_of(const ArrayChoice& choice) const {
    double sum = 0;
    for (const FixLayer& layer : layers_) {
      double passes = 1;
      for (const Dim& dim : layer.view.workload.dims()) {
        const auto axis = std::ranges::find(choice.dims, dim.name);
        const std::int64_t units =
            axis == choice.dims.end()
                ? 1
                : choice.shape[static_cast<std::size_t>(axis - choice.dims.begin())];
        passes *= static_cast<double>(ceil_div(dim.size, units));
      }
      sum += layer.view.runs * std::max(passes, layer.least);
    }
    return sum;
  }

  // All of them, the best bound first. Of two with mirrored axes one is enough.
  std::vector<ArrayChoice> find_arrays() const {
    std::vector<ArrayChoice> result;
    const auto shapes = shapes_of(given_, arch_, Degree::kFull);
    const auto add = [&](const Names& dims) {
      for (const std::vector<std::int64_t>& shape : shapes) {
        ArrayChoice choice{dims, shape, 0};
        choice.bound = bound_of(choice);
        result.push_back(std::move(choice));
      }
    };
    for (std::size_t a = 0; a < given_.dims.size(); ++a) {
      for (std::size_t b = a + 1; b < given_.dims.size(); ++b) {
        add({given_.dims[a], given_.dims[b]});
      }
    }
    std::ranges::stable_sort(result, {}, &ArrayChoice::bound);
    return result;
  }

  FixedAccelerator start(const ArrayChoice& choice) const {
    FixedAccelerator result{given_, arch_, {}, 0, 0};
    result.flexibility.supports = all_degrees(Degree::kFixed);
    result.flexibility.loops.clear();
    result.flexibility.parallelisms.insert(result.flexibility.parallelisms.begin(), choice.dims);
    result.arch = with_shape(given_, arch_, choice.shape);
    return result;
  }

  // Any tiles in any order, one for each layer. Sets what layers take at least on this array.
  double find_bound(const FixedAccelerator& made, std::vector<double>& least) const {
    const std::vector<Degrees> rows = {
        {{Degree::kFull, Degree::kFull, Degree::kFixed, Degree::kFixed}}};
    const FlexWorth worth = find_worth(made.flexibility, made.arch, network_, rows, options_.worth);
    least.clear();
    for (const LayerOptimum& optimum : worth.rows.front().layers) {
      least.push_back(optimum.bound.value_or(0));
    }
    return worth.rows.front().bound;
  }

  // What of an accelerator matters to a layer: its array, and the loops over dims of more than one
  // step, in their order.
  static std::string view_of(const FixedAccelerator& made, const Workload& workload) {
    std::string key = fmt::format("{} {}:", fmt::join(made.flexibility.parallelisms.front(), " "),
                                  fmt::join(fixed_shape(made.flexibility, made.arch), " "));
    for (const std::string& dim : made.flexibility.orders.front()) {
      const std::int64_t size = size_of(workload, dim);
      if (size == 1) continue;
      key += " " + dim;
      for (const FixedLoop& loop : made.flexibility.loops) {
        if (loop.dim != dim) continue;
        key += fmt::format(" {} {}", loop.memory, std::min(loop.factor, size));
      }
    }
    return key;
  }

  // Solves layers that do not look as they did before. False, and nothing is solved, if the network
  // cannot take less than `most` even then: layers take `least` or more.
  bool evaluate(FixedAccelerator& made, const std::vector<double>& least, double most) {
    std::vector<std::string> keys;
    std::vector<std::size_t> open;
    Network others;
    double bound = 0;
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      const FixLayer& layer = layers_[l];
      keys.push_back(view_of(made, layer.view.workload));
      const auto known = layer.optima.find(keys.back());
      if (known == layer.optima.end()) {
        open.push_back(l);
        others.layers.push_back(network_.layers[layer.view.layer]);
        bound += layer.view.runs * least[l];
      } else if (!known->second.best) {
        return false;
      } else {
        bound += layer.view.runs * known->second.bound.value_or(0);
      }
    }
    if (bound >= most) return false;
    if (!open.empty()) {
      const std::vector<Degrees> rows = {all_degrees(Degree::kFixed)};
      FlexWorth worth = find_worth(made.flexibility, made.arch, others, rows, options_.worth);
      TW_CHECK(worth.layers.size() == open.size(), "all of them differ");
      for (std::size_t i = 0; i < open.size(); ++i) {
        layers_[open[i]].optima[keys[open[i]]] = std::move(worth.rows.front().layers[i]);
      }
      ++made.tried;
    }
    made.row = {.degrees = all_degrees(Degree::kFixed)};
    std::vector<FlexNetworkLayer> views;
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      views.push_back(layers_[l].view);
      made.row.layers.push_back(layers_[l].optima.at(keys[l]));
    }
    add_up(views, made.row);
    return made.row.status <= Status::kNotProved;
  }

  // One change after the other, as long as one helps: the factor of a loop, or another order.
  FixedAccelerator improve(FixedAccelerator made, const std::vector<double>& least,
                           double least_of_all) {
    bool helps = true;
    while (helps && made.row.score > least_of_all && !is_stopped()) {
      helps = false;
      for (const std::string& dim : given_.dims) {
        for (const std::int64_t factor : {1, 2, 4, 8, 16}) {
          FixedAccelerator other = made;
          set_loop(other.flexibility, dim, factor);
          helps = take_if_better(std::move(other), least, made) || helps;
        }
      }
      for (std::size_t i = 0; i + 1 < given_.dims.size(); ++i) {
        FixedAccelerator other = made;
        Names& order = other.flexibility.orders.front();
        std::swap(order[i], order[i + 1]);
        helps = take_if_better(std::move(other), least, made) || helps;
      }
    }
    return made;
  }

  static void set_loop(Flexibility& flexibility, const std::string& dim, std::int64_t factor) {
    std::erase_if(flexibility.loops, [&](const FixedLoop& loop) {
      return loop.memory == flexibility.buffer && loop.dim == dim;
    });
    if (factor > 1) flexibility.loops.push_back({flexibility.buffer, dim, factor});
  }

  bool take_if_better(FixedAccelerator other, const std::vector<double>& least,
                      FixedAccelerator& made) {
    if (other.flexibility == made.flexibility) return false;
    if (evaluate(other, least, made.row.score) && other.row.score < made.row.score) {
      made = std::move(other);
      return true;
    }
    made.tried = other.tried;
    return false;
  }

  const Flexibility& given_;
  const Arch& arch_;
  const Network& network_;
  const FixOptions& options_;
  std::vector<FixLayer> layers_;
};

}  // namespace

FixedAccelerator find_fixed_accelerator(const Flexibility& flexibility, const Arch& arch,
                                        const Network& network, const FixOptions& options) {
  TW_CHECK(options.worth.objective.objective == (Objective{0, 1, 0}), "runtimes only");
  return Fixer(flexibility, arch, network, options).run();
}

}  // namespace tilewright
