// SPDX-License-Identifier: Apache-2.0
// Evaluation: what a mapping costs, and why.
#include <fmt/format.h>
#include <nanobind/stl/tuple.h>

#include <new>
#include <tuple>
#include <utility>

#include "answers.h"
#include "module.h"
#include "tilewright/advice/violation_text.h"
#include "tilewright/base/version.h"
#include "tilewright/files/files.h"
#include "tilewright/html/page.h"
#include "tilewright/io/write.h"
#include "tilewright/mapping/violation.h"
#include "tilewright/model/evaluate.h"
#include "tilewright/report/assumptions_text.h"
#include "tilewright/report/mapping/evaluation_text.h"
#include "tilewright/report/mapping/explain_text.h"
#include "tilewright/report/search/mapspace_text.h"
#include "tilewright/result/tile_table.h"

namespace tilewright::python {
namespace {

// The counts of one tensor at one memory, with their names.
struct TensorCost {
  std::string memory;
  std::string tensor;
  TensorCounts counts;
};

std::vector<TensorCost> costs_of(const EvaluationAnswer& answer) {
  std::vector<TensorCost> costs;
  const Problem& problem = *answer.problem;
  for (const MemoryEvaluation& memory : answer.evaluation.memories) {
    for (std::size_t t = 0; t < memory.tensors.size(); ++t) {
      if (!memory.tensors[t].kept) continue;
      costs.push_back({problem.arch().memory(memory.node).name,
                       problem.workload().tensor(TensorId(t)).name, memory.tensors[t]});
    }
  }
  return costs;
}

nb::list cost_rows(const EvaluationAnswer& answer) {
  nb::list rows;
  for (const TensorCost& cost : costs_of(answer)) {
    nb::dict row;
    row["memory"] = cost.memory;
    row["tensor"] = cost.tensor;
    row["tile"] = cost.counts.tile;
    row["reads"] = cost.counts.reads;
    row["fills"] = cost.counts.fills;
    row["updates"] = cost.counts.updates;
    row["energy_pj"] = cost.counts.energy_pj;
    rows.append(row);
  }
  return rows;
}

std::string text_of(const EvaluationAnswer& answer, int width) {
  TextOptions options;
  options.width = width;
  return assumptions_text(answer.problem->arch(), options) +
         evaluation_text(answer.view(), options);
}

std::string page_of(const EvaluationAnswer& answer) {
  return mapping_page(answer.view(), {program_version(), nullptr});
}

std::string explain(const EvaluationAnswer& answer, const std::string& path) {
  Diagnostics diagnostics;
  std::string text;
  for (const std::string& line : explain_lines(answer.view(), path, {}, diagnostics)) {
    text += line + "\n";
  }
  throw_errors(diagnostics);
  return text;
}

// A mapping that is wrong or does not fit is refused with the findings of the command.
void check_mapping(const Problem& problem, const Mapping& mapping, bool anyway) {
  const std::vector<Violation> violations = find_violations(problem, mapping);
  if (violations.empty() || (anyway && !is_structural(violations.front().kind))) return;
  // Findings point at lines, so the mapping becomes a file.
  MappingSource source;
  Diagnostics diagnostics;
  const auto file =
      std::make_shared<const SourceFile>(SourceFile{"mapping.nest", write_nest(problem, mapping)});
  read_mapping(file, problem, diagnostics, &source);
  report_violations(problem, mapping, source, violations, diagnostics);
  throw_errors(diagnostics);
}

// The mapping as one of this accelerator, workload and way of counting.
BoundMapping rebind(const BoundMapping& bound, const Arch& arch, const Workload& workload,
                    Conventions conventions) {
  const Problem& own = *bound.problem;
  if (own.arch() == arch && own.workload() == workload && own.conventions() == conventions) {
    return bound;
  }
  auto problem = std::make_shared<const Problem>(workload, arch, conventions);
  Mapping mapping = mapping_from_text(write_nest(own, bound.mapping), *problem);
  return {std::move(problem), std::move(mapping)};
}

EvaluationAnswer evaluate_answer(const BoundMapping& bound, const std::string& objective,
                                 bool anyway) {
  std::string why;
  if (!objective.empty() && !parse_objective(objective, why)) throw InputError(why);
  check_mapping(*bound.problem, bound.mapping, anyway);
  return {bound.problem, bound.mapping, evaluate(*bound.problem, bound.mapping), objective, anyway};
}

double edp(const EvaluationAnswer& answer) {
  return answer.evaluation.energy_pj * static_cast<double>(answer.evaluation.cycles);
}

void add_figures(nb::class_<EvaluationAnswer>& type) {
  type.def_prop_ro("energy_pj",
                   [](const EvaluationAnswer& answer) { return answer.evaluation.energy_pj; })
      .def_prop_ro("cycles",
                   [](const EvaluationAnswer& answer) { return answer.evaluation.cycles; })
      .def_prop_ro("edp", edp, "Energy x cycles, in pJ * cycles.")
      .def_prop_ro(
          "latency_s", [](const EvaluationAnswer& answer) { return seconds(answer.view()); },
          "Seconds; None if the accelerator has no clock.")
      .def_prop_ro(
          "utilization",
          [](const EvaluationAnswer& answer) {
            return utilization(answer.evaluation, answer.problem->arch().compute_units()).total;
          },
          "Multiply-accumulates / (cycles x compute units).")
      .def_prop_ro(
          "bottleneck",
          [](const EvaluationAnswer& answer) {
            return node_or_compute_name(answer.problem->arch(), answer.evaluation.bottleneck);
          },
          "The memory that sets the cycles, or the compute units.")
      .def_prop_ro("counts", costs_of, "By memory and tensor, outermost first.");
}

using EvaluationState = std::tuple<BoundMapping, std::string, bool>;

void add_value_methods(nb::class_<EvaluationAnswer>& type) {
  type.def(
          "__eq__",
          [](const EvaluationAnswer& a, const nb::object& other) {
            const EvaluationAnswer* b = nullptr;
            return nb::try_cast(other, b) && b != nullptr && to_json(a) == to_json(*b);
          },
          nb::sig("def __eq__(self, arg: object, /) -> bool"))
      .def("__hash__",
           [](const EvaluationAnswer& answer) { return std::hash<std::string>()(to_json(answer)); })
      .def("__getstate__",
           [](const EvaluationAnswer& answer) {
             return EvaluationState{
                 {answer.problem, answer.mapping}, answer.objective, answer.anyway};
           })
      .def("__setstate__",
           [](EvaluationAnswer& answer, const EvaluationState& state) {
             const auto& [bound, objective, anyway] = state;
             new (&answer) EvaluationAnswer(evaluate_answer(bound, objective, anyway));
           })
      .def("__copy__", [](const EvaluationAnswer& answer) { return answer; })
      .def(
          "__deepcopy__", [](const EvaluationAnswer& answer, const nb::dict&) { return answer; },
          nb::sig("def __deepcopy__(self, memo: dict[int, object], /) -> typing.Self"))
      .def("__repr__",
           [](const EvaluationAnswer& answer) {
             return fmt::format("<Evaluation of {} on {}: {:.6g} pJ, {} cycles>",
                                answer.problem->workload().name(), answer.problem->arch().name(),
                                answer.evaluation.energy_pj, answer.evaluation.cycles);
           })
      .def("__str__",
           [](const EvaluationAnswer& answer) { return verdict_text(answer.view(), {}); })
      .def("_repr_html_", [](const EvaluationAnswer& answer) { return as_frame(page_of(answer)); });
}

void add_writers(nb::class_<EvaluationAnswer>& type) {
  type.def(
          "to_json", [](const EvaluationAnswer& answer) { return to_json(answer); },
          "The same bytes as `tilewright evaluate --json`.")
      .def(
          "to_dict", [](const EvaluationAnswer& answer) { return parse_json(to_json(answer)); },
          nb::sig("def to_dict(self) -> dict[str, typing.Any]"))
      .def(
          "to_pandas",
          [](const EvaluationAnswer& answer) { return to_frame("pandas", cost_rows(answer)); },
          nb::sig("def to_pandas(self) -> typing.Any"),
          "The counts by memory and tensor as a pandas.DataFrame; needs pandas.")
      .def(
          "to_polars",
          [](const EvaluationAnswer& answer) { return to_frame("polars", cost_rows(answer)); },
          nb::sig("def to_polars(self) -> typing.Any"), "The same with polars.")
      .def(
          "to_csv",
          [](const EvaluationAnswer& answer) { return tiles_csv(*answer.problem, answer.mapping); },
          "The tile sizes by level and dim.")
      .def(
          "tiles",
          [](const EvaluationAnswer& answer) {
            return parse_json(tiles_text(*answer.problem, answer.mapping));
          },
          nb::sig("def tiles(self) -> list[dict[str, str | int]]"),
          "The tile sizes by level and dim.")
      .def(
          "save",
          [](const EvaluationAnswer& answer, const nb::object& path) {
            write_text(path, to_json(answer));
          },
          nb::arg("path"), nb::sig("def save(self, path: str | os.PathLike[str]) -> None"),
          "Writes the JSON, which `tilewright diff` and `rerun` read.")
      .def("html", page_of, "A page to look at: one HTML file that needs nothing else.")
      .def("text", text_of, nb::arg("width") = 80, "The report that the command prints.")
      .def("explain", explain, nb::arg("path"),
           "Where a figure comes from: `DRAM.Weights.reads`, `cycles`, `energy`, ...");
}

void add_counting(nb::module_& m) {
  nb::class_<SpaceSize>(m, "SpaceSize", "How many mappings a space has, exactly.")
      .def_ro("name", &SpaceSize::space)
      .def_ro("counted", &SpaceSize::counted, "False: too many sub-spaces to count them at once.")
      .def_prop_ro(
          "tilings", [](const SpaceSize& size) { return to_int(size.tilings); },
          nb::sig("def tilings(self) -> int"), "Ways to split the dims.")
      .def_prop_ro(
          "assignments", [](const SpaceSize& size) { return to_int(size.assignments); },
          nb::sig("def assignments(self) -> int"))
      .def_prop_ro(
          "keeps", [](const SpaceSize& size) { return to_int(size.keeps); },
          nb::sig("def keeps(self) -> int"), "Choices of what is kept where.")
      .def_prop_ro(
          "mappings", [](const SpaceSize& size) { return to_int(size.mappings); },
          nb::sig("def mappings(self) -> int"), "All of it.")
      .def("__repr__", [](const SpaceSize& size) {
        return fmt::format("<SpaceSize {}: {}>", size.space,
                           size.counted ? size.mappings.to_string() : "not counted");
      });
  struct Count {
    Problem problem;
    MapspaceSizes sizes;
  };
  nb::class_<Count>(m, "Count", "The sizes of mapspaces.")
      .def_prop_ro("spaces", [](const Count& count) { return count.sizes.spaces; })
      .def(
          "to_json",
          [](const Count& count) {
            return sizes_json(count.problem, count.sizes, program_version());
          },
          "The same bytes as `tilewright count --json`.")
      .def(
          "to_dict",
          [](const Count& count) {
            return parse_json(sizes_json(count.problem, count.sizes, program_version()));
          },
          nb::sig("def to_dict(self) -> dict[str, typing.Any]"))
      .def(
          "text",
          [](const Count& count, bool exact, int width) {
            TextOptions options;
            options.width = width;
            return sizes_text(count.problem, count.sizes, exact, options);
          },
          nb::arg("exact") = false, nb::arg("width") = 80)
      .def("__str__",
           [](const Count& count) { return sizes_text(count.problem, count.sizes, false, {}); })
      .def("_repr_html_",
           [](const Count& count) {
             return as_preformatted(sizes_text(count.problem, count.sizes, false, {}));
           })
      .def("__repr__", [](const Count& count) {
        return fmt::format("<Count of {} spaces>", count.sizes.spaces.size());
      });
  m.def(
      "count",
      [](const Arch& arch, const Workload& workload, const std::string& space,
         const std::string& constraints) {
        if (!space.empty() && !is_space(space)) {
          throw InputError("there is no space `" + space +
                           "`; tilewright.space_names() lists them");
        }
        const nb::gil_scoped_release release;
        Count count{Problem(workload, arch), {}};
        const PlacedConstraints placed = read_placed(constraints, count.problem);
        count.sizes = measure_spaces(count.problem, placed.constraints, placed.places, space);
        return count;
      },
      nb::arg("arch"), nb::arg("workload"), nb::arg("space"), nb::arg("constraints"));
}

}  // namespace

void add_evaluation(nb::module_& m) {
  nb::class_<TensorCost>(m, "TensorCost", "What one tensor costs at one memory, in elements.")
      .def_ro("memory", &TensorCost::memory)
      .def_ro("tensor", &TensorCost::tensor)
      .def_prop_ro("tile", [](const TensorCost& cost) { return cost.counts.tile; })
      .def_prop_ro("reads", [](const TensorCost& cost) { return cost.counts.reads; })
      .def_prop_ro("fills", [](const TensorCost& cost) { return cost.counts.fills; })
      .def_prop_ro("updates", [](const TensorCost& cost) { return cost.counts.updates; })
      .def_prop_ro("energy_pj", [](const TensorCost& cost) { return cost.counts.energy_pj; })
      .def("__repr__", [](const TensorCost& cost) {
        return fmt::format("<TensorCost {}.{}: {} reads, {} fills, {} updates>", cost.memory,
                           cost.tensor, cost.counts.reads, cost.counts.fills, cost.counts.updates);
      });
  nb::class_<EvaluationAnswer> type(m, "Evaluation", "What a mapping costs, exactly.");
  type.def_prop_ro("mapping",
                   [](const EvaluationAnswer& answer) {
                     return BoundMapping{answer.problem, answer.mapping};
                   })
      .def_prop_ro("arch", [](const EvaluationAnswer& answer) { return answer.problem->arch(); })
      .def_prop_ro("workload",
                   [](const EvaluationAnswer& answer) { return answer.problem->workload(); });
  add_figures(type);
  add_value_methods(type);
  add_writers(type);
  m.def(
      "evaluate",
      [](const Arch& arch, const Workload& workload, const BoundMapping& mapping,
         const std::string& objective, bool anyway, bool holes_are_data, bool drains_are_reads) {
        return evaluate_answer(rebind(mapping, arch, workload, {holes_are_data, drains_are_reads}),
                               objective, anyway);
      },
      nb::arg("arch"), nb::arg("workload"), nb::arg("mapping"), nb::arg("objective"),
      nb::arg("anyway"), nb::arg("holes_are_data"), nb::arg("drains_are_reads"));
  add_counting(m);
}

}  // namespace tilewright::python
