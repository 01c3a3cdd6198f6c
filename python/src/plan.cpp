// SPDX-License-Identifier: Apache-2.0
// plan: the best mapping of every layer of a network.
#include "tilewright/mapper/plan.h"

#include <fmt/format.h>

#include <new>
#include <sstream>
#include <utility>

#include "answers.h"
#include "module.h"
#include "pickling.h"
#include "tilewright/base/version.h"
#include "tilewright/files/files.h"
#include "tilewright/html/page.h"
#include "tilewright/mapper/print.h"
#include "tilewright/report/network/plan_text.h"
#include "tilewright/result/json/plan_json.h"
#include "tilewright/search/questions/status.h"
#include "watch.h"

namespace tilewright::python {
namespace {

// A layer with its share of the plan; one run.
struct LayerAnswer {
  std::shared_ptr<const PlanAnswer> answer;
  std::size_t number = 0;

  const Layer& layer() const { return answer->result.network.layers[number]; }
  const PlannedLayer& planned() const { return answer->result.plan.layers[number]; }
  const Solved* solved() const { return find_solved(answer->view(), planned()); }
};

using PlanPtr = std::shared_ptr<const PlanAnswer>;

/// What Python holds: layers keep the plan alive.
struct PlanHandle {
  PlanPtr answer;
};

std::string text_of(const PlanHandle& handle, int width) {
  TextOptions options;
  options.width = width;
  return plan_text(handle.answer->view(), options);
}

// A few lines, as C++ programs print a result.
std::string summary(const PlanHandle& handle) {
  std::ostringstream out;
  out << handle.answer->result;
  return out.str();
}

std::string page_of(const PlanHandle& handle) {
  return plan_page(handle.answer->view(), program_version());
}

nb::list rows_of(const PlanHandle& handle) {
  nb::list rows;
  const PlanAnswer& answer = *handle.answer;
  for (std::size_t i = 0; i < answer.result.plan.layers.size(); ++i) {
    const LayerAnswer layer{handle.answer, i};
    nb::dict row;
    row["layer"] = layer.layer().name;
    row["op"] = layer.layer().op;
    row["count"] = layer.layer().count;
    row["macs"] = layer.layer().workload ? layer.layer().workload->computes() : 0;
    row["energy_pj"] = layer.planned().energy_pj;
    row["cycles"] = layer.planned().cycles;
    row["utilization"] = layer_utilization(answer.view(), layer.planned());
    row["status"] = layer.solved() == nullptr ? nb::object(nb::none())
                                              : nb::cast(status_name(layer.solved()->status));
    rows.append(row);
  }
  return rows;
}

PlanHandle plan_answer(const Arch& arch, const Network& network, const NetOptions& options,
                       const std::string& constraints, const nb::object& progress) {
  Diagnostics diagnostics;
  auto request = read_request(options, OptionStyle::kPython, diagnostics);
  throw_errors(diagnostics);
  std::vector<LayerConstraints> read = read_placed(constraints, network, arch, options.strict);
  if (!constraints.empty()) request->constraints = constraints_of_layers(read);
  Latest<PlanProgress> latest;
  request->progress = [&latest](const PlanProgress& now) { latest.set(now); };
  Watch watch(latest.ticker(progress));
  request->stop = watch.stop();
  PlanResult result = watch.run([&] { return plan(network, arch, *request); });
  return {std::make_shared<const PlanAnswer>(
      PlanAnswer{options, constraints, std::move(result), std::move(read), watch.interrupted()})};
}

void add_layer(nb::module_& m) {
  nb::class_<LayerAnswer>(m, "PlannedLayer", "A layer and its best mapping; figures of one run.")
      .def_prop_ro("name", [](const LayerAnswer& layer) { return layer.layer().name; })
      .def_prop_ro("layer", [](const LayerAnswer& layer) { return layer.layer(); })
      .def_prop_ro(
          "count", [](const LayerAnswer& layer) { return layer.layer().count; },
          "How often it runs.")
      .def_prop_ro("energy_pj", [](const LayerAnswer& layer) { return layer.planned().energy_pj; })
      .def_prop_ro("cycles", [](const LayerAnswer& layer) { return layer.planned().cycles; })
      .def_prop_ro("utilization",
                   [](const LayerAnswer& layer) {
                     return layer_utilization(layer.answer->view(), layer.planned());
                   })
      .def_prop_ro("bottleneck",
                   [](const LayerAnswer& layer) {
                     return layer_bottleneck(layer.answer->view(), layer.planned());
                   })
      .def_prop_ro(
          "status",
          [](const LayerAnswer& layer) -> std::optional<std::string> {
            if (layer.solved() == nullptr) return std::nullopt;
            return std::string(status_name(layer.solved()->status));
          },
          "As MapResult.status; None for a layer that only moves data.")
      .def_prop_ro("mapping",
                   [](const LayerAnswer& layer) -> std::optional<BoundMapping> {
                     const Solved* solved = layer.solved();
                     if (solved == nullptr || !solved->best) return std::nullopt;
                     return BoundMapping{solved->problem, solved->best->mapping};
                   })
      .def("__repr__", [](const LayerAnswer& layer) {
        return fmt::format("<PlannedLayer {}: {:.6g} pJ, {:.6g} cycles>", layer.layer().name,
                           layer.planned().energy_pj, layer.planned().cycles);
      });
  nb::class_<PlanProgress>(m, "PlanProgress", "How a plan is getting on.")
      .def_ro("done", &PlanProgress::done, "Problems solved.")
      .def_ro("all", &PlanProgress::all)
      .def_ro("layer", &PlanProgress::layer)
      .def_prop_ro("seconds",
                   [](const PlanProgress& progress) { return progress.progress.seconds; })
      .def_prop_ro("best", [](const PlanProgress& progress) { return progress.progress.best; })
      .def_prop_ro("bound", [](const PlanProgress& progress) { return progress.progress.bound; });
}

void add_figures(nb::class_<PlanHandle>& type) {
  const auto totals = [](const PlanHandle& handle) -> const PlanTotals& {
    return handle.answer->result.plan.totals;
  };
  type.def_prop_ro(
          "status",
          [](const PlanHandle& handle) { return status_name(handle.answer->result.status); },
          "What holds for every layer, as MapResult.status.")
      .def_prop_ro(
          "proved",
          [](const PlanHandle& handle) { return handle.answer->result.status == Status::kProved; })
      .def_prop_ro("interrupted", [](const PlanHandle& handle) { return handle.answer->stopped; })
      .def_prop_ro("energy_pj", [=](const PlanHandle& handle) { return totals(handle).energy_pj; })
      .def_prop_ro("cycles", [=](const PlanHandle& handle) { return totals(handle).cycles; })
      .def_prop_ro(
          "edp",
          [=](const PlanHandle& handle) {
            return totals(handle).energy_pj * totals(handle).cycles;
          },
          "Energy x cycles, in pJ * cycles.")
      .def_prop_ro("utilization",
                   [=](const PlanHandle& handle) { return totals(handle).utilization; })
      .def_prop_ro("seconds",
                   [](const PlanHandle& handle) { return handle.answer->result.plan.seconds; })
      .def_prop_ro("arch", [](const PlanHandle& handle) { return handle.answer->result.arch; })
      .def_prop_ro("network",
                   [](const PlanHandle& handle) { return handle.answer->result.network; })
      .def_prop_ro("layers", [](const PlanHandle& handle) {
        std::vector<LayerAnswer> layers;
        for (std::size_t i = 0; i < handle.answer->result.plan.layers.size(); ++i) {
          layers.push_back({handle.answer, i});
        }
        return layers;
      });
}

void add_writers(nb::class_<PlanHandle>& type) {
  const auto json = [](const PlanHandle& handle) { return to_json(*handle.answer); };
  type.def("to_json", json, "The same bytes as `tilewright net --json`.")
      .def(
          "to_dict", [json](const PlanHandle& handle) { return parse_json(json(handle)); },
          nb::sig("def to_dict(self) -> dict[str, typing.Any]"))
      .def(
          "to_csv", [](const PlanHandle& handle) { return plan_csv(handle.answer->view()); },
          "A line for each layer, as `tilewright net --csv` writes them.")
      .def(
          "to_pandas", [](const PlanHandle& handle) { return to_frame("pandas", rows_of(handle)); },
          nb::sig("def to_pandas(self) -> typing.Any"),
          "A row for each layer as a pandas.DataFrame; needs pandas.")
      .def(
          "to_polars", [](const PlanHandle& handle) { return to_frame("polars", rows_of(handle)); },
          nb::sig("def to_polars(self) -> typing.Any"), "The same with polars.")
      .def(
          "save",
          [json](const PlanHandle& handle, const nb::object& path) {
            write_text(path, json(handle));
          },
          nb::arg("path"), nb::sig("def save(self, path: str | os.PathLike[str]) -> None"),
          "Writes the JSON, which `tilewright diff` and `rerun` read.")
      .def("html", page_of, "A page to look at: one HTML file that needs nothing else.")
      .def("text", text_of, nb::arg("width") = 80, "The report that the command prints.")
      .def("__str__", summary)
      .def("_repr_html_", [](const PlanHandle& handle) { return as_frame(page_of(handle)); })
      .def("__repr__", [](const PlanHandle& handle) {
        const PlanResult& result = handle.answer->result;
        return fmt::format("<PlanResult {} on {}: {}, {:.6g} pJ, {:.6g} cycles>",
                           result.network.name, result.arch.name(), status_name(result.status),
                           result.plan.totals.energy_pj, result.plan.totals.cycles);
      });
}

std::string identity(const PlanHandle& handle) { return to_json(*handle.answer); }

// Equality is that of the JSON, which holds no times.
void add_value_methods(nb::class_<PlanHandle>& type) {
  type.def(
          "__eq__",
          [](const PlanHandle& a, const nb::object& other) {
            const PlanHandle* b = nullptr;
            return nb::try_cast(other, b) && b != nullptr && identity(a) == identity(*b);
          },
          nb::sig("def __eq__(self, arg: object, /) -> bool"))
      .def("__hash__", [](const PlanHandle& a) { return std::hash<std::string>()(identity(a)); })
      .def("__getstate__",
           [](const PlanHandle& a) {
             const std::string bytes = save(*a.answer);
             return nb::bytes(bytes.data(), bytes.size());
           })
      .def("__setstate__",
           [](PlanHandle& a, const nb::bytes& state) {
             new (&a) PlanHandle{
                 std::make_shared<const PlanAnswer>(load_plan({state.c_str(), state.size()}))};
           })
      .def("__copy__", [](const PlanHandle& a) { return a; })
      .def(
          "__deepcopy__", [](const PlanHandle& a, const nb::dict&) { return a; },
          nb::sig("def __deepcopy__(self, memo: dict[int, object], /) -> typing.Self"));
}

}  // namespace

void add_plan(nb::module_& m) {
  add_layer(m);
  nb::class_<PlanHandle> type(m, "PlanResult", "The best mapping of every layer, and the totals.");
  add_figures(type);
  add_writers(type);
  add_value_methods(type);
  m.def(
      "plan",
      [](const Arch& arch, const Network& network, const std::string& space,
         const std::string& placement, const std::string& mapper, const std::string& objective,
         const std::string& budget, const std::string& memory, const std::string& gap,
         std::optional<std::uint64_t> seed, int threads, bool keep_on_chip, bool strict,
         const std::string& constraints, bool holes_are_data, bool drains_are_reads,
         const nb::object& progress) {
        return plan_answer(arch, network,
                           {.space = space,
                            .placement = placement,
                            .mapper = mapper,
                            .objective = objective,
                            .budget = budget,
                            .memory = memory,
                            .gap = gap,
                            .seed = seed,
                            .threads = threads,
                            .keep_on_chip = keep_on_chip,
                            .strict = strict,
                            .conventions = {holes_are_data, drains_are_reads}},
                           constraints, progress);
      },
      nb::arg("arch"), nb::arg("network"), nb::kw_only(), nb::arg("space"), nb::arg("placement"),
      nb::arg("mapper"), nb::arg("objective"), nb::arg("budget"), nb::arg("memory"), nb::arg("gap"),
      nb::arg("seed").none(), nb::arg("threads"), nb::arg("keep_on_chip"), nb::arg("strict"),
      nb::arg("constraints"), nb::arg("holes_are_data"), nb::arg("drains_are_reads"),
      nb::arg("progress").none());
}

}  // namespace tilewright::python
