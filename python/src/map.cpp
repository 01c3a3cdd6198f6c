// SPDX-License-Identifier: Apache-2.0
// map: the best mapping of one workload.
#include "tilewright/mapper/map.h"

#include <fmt/format.h>
#include <nanobind/stl/tuple.h>

#include <new>
#include <sstream>
#include <tuple>
#include <utility>

#include "answers.h"
#include "module.h"
#include "pickling.h"
#include "tilewright/answers/map_answer.h"
#include "tilewright/files/files.h"
#include "tilewright/io/render.h"
#include "tilewright/mapper/print.h"
#include "tilewright/result/json/proof_json.h"
#include "tilewright/result/tile_table.h"
#include "tilewright/search/questions/status.h"
#include "watch.h"

namespace tilewright::python {
namespace {

struct NoMapping : std::runtime_error {
  using std::runtime_error::runtime_error;
};

const MapResult& found(const MapAnswer& answer) {
  if (answer.result.search.best) return answer.result;
  throw NoMapping(answer.why_not);
}

EvaluationAnswer evaluation_of(const MapAnswer& answer, const Problem& problem,
                               const Found& found) {
  return {std::make_shared<const Problem>(problem), found.mapping, found.evaluation,
          answer.options.objective, false};
}

EvaluationAnswer best_of(const MapAnswer& answer) {
  const MapResult& mapped = found(answer);
  return evaluation_of(answer, mapped.best_problem(), mapped.shown());
}

std::vector<EvaluationAnswer> alternatives_of(const MapAnswer& answer) {
  std::vector<EvaluationAnswer> all;
  for (const Alternative& other : answer.result.alternatives) {
    all.push_back(evaluation_of(answer, answer.result.problem_of(other), other.found));
  }
  return all;
}

std::optional<double> gap_of(const MapAnswer& answer) {
  const SearchResult& search = found(answer).search;
  if (!search.bound) return std::nullopt;
  return find_gap(search.best->score, *search.bound);
}

std::string text_of(const MapAnswer& answer, int width) {
  if (!answer.result.search.best) return answer.why_not;
  TextOptions options;
  options.width = width;
  return map_text(answer.result, options);
}

// A few lines, as C++ programs print a result.
std::string summary(const MapAnswer& answer) {
  if (!answer.result.search.best) return answer.why_not;
  std::ostringstream out;
  out << answer.result;
  return out.str();
}

using TracePointTuple = std::tuple<double, std::optional<double>, std::optional<double>>;

std::vector<TracePointTuple> trace_of(const MapAnswer& answer) {
  std::vector<TracePointTuple> points;
  for (const TracePoint& point : answer.result.trace.points) {
    points.emplace_back(point.seconds, point.best, point.bound);
  }
  return points;
}

std::optional<std::string> proof_of(const MapAnswer& answer) {
  const MapResult& mapped = answer.result;
  const bool proved = mapped.search.best && mapped.search.ending == Ending::kExhausted;
  if (!answer.options.proof || !proved) return std::nullopt;
  return proof_json(mapped);
}

// Why there is no mapping, as the command says it. Findings point at lines, so the inputs become
// files.
std::string why_not(const MapAnswer& answer) {
  const Problem& problem = answer.result.given();
  const RunInputs inputs =
      inputs_of(problem.arch(), &problem.workload(), nullptr, answer.constraints);
  Diagnostics diagnostics;
  const Documents documents = read_documents(inputs.files, diagnostics);
  Diagnostics why;
  report_no_mapping(answer.result, documents.arch_source, documents.constraint_source,
                    OptionStyle::kPython, why);
  return render_text(why, /*color=*/false);
}

MapAnswer map_answer(const Arch& arch, const Workload& workload, const MapOptions& options,
                     const std::string& constraints, const nb::object& progress) {
  const Problem problem(workload, arch, options.conventions);
  Diagnostics diagnostics;
  auto request = read_request(options, arch, OptionStyle::kPython, diagnostics);
  throw_errors(diagnostics);
  PlacedConstraints placed = read_placed(constraints, problem);
  request->constraints = std::move(placed.constraints);
  request->constraint_places = std::move(placed.places);
  Latest<MapProgress> latest;
  request->progress = [&latest](const MapProgress& now) { latest.set(now); };
  Watch watch(latest.ticker(progress));
  request->stop = watch.stop();
  MapAnswer answer{options, constraints, watch.run([&] { return map(problem, *request); }),
                   watch.interrupted(), ""};
  const bool nothing = !answer.result.search.best;
  if (nothing && answer.stopped) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw nb::python_error();
  }
  if (nothing) answer.why_not = why_not(answer);
  return answer;
}

void add_progress(nb::module_& m) {
  nb::class_<MapProgress>(m, "MapProgress", "How a search is getting on.")
      .def_prop_ro(
          "stage",
          [](const MapProgress& progress) {
            return progress.stage == MapProgress::Stage::kSearch    ? "search"
                   : progress.stage == MapProgress::Stage::kSimpler ? "simpler"
                                                                    : "why";
          },
          "`search`, or a further question: `simpler`, `why`.")
      .def_prop_ro("seconds", [](const MapProgress& progress) { return progress.search.seconds; })
      .def_prop_ro("nodes", [](const MapProgress& progress) { return progress.search.nodes; })
      .def_prop_ro("seen", [](const MapProgress& progress) { return progress.search.seen; })
      .def_prop_ro(
          "best", [](const MapProgress& progress) { return progress.search.best; },
          "The best score so far.")
      .def_prop_ro(
          "bound", [](const MapProgress& progress) { return progress.search.bound; },
          "No mapping scores less.")
      .def_prop_ro("gap", [](const MapProgress& progress) -> std::optional<double> {
        const Progress& search = progress.search;
        if (!search.best || !search.bound) return std::nullopt;
        return find_gap(*search.best, *search.bound);
      });
}

void add_figures(nb::class_<MapAnswer>& type) {
  type.def_prop_ro(
          "status", [](const MapAnswer& answer) { return status_name(answer.result.status); },
          "`proved`, `within-gap`, `not-proved`, `not-found`, `infeasible` or "
          "`contradictory`.")
      .def_prop_ro(
          "proved", [](const MapAnswer& answer) { return answer.result.status == Status::kProved; },
          "True if no mapping of the space is better.")
      .def("__bool__",
           [](const MapAnswer& answer) { return answer.result.search.best.has_value(); })
      .def_prop_ro(
          "why_not",
          [](const MapAnswer& answer) -> std::optional<std::string> {
            if (answer.why_not.empty()) return std::nullopt;
            return answer.why_not;
          },
          "Why there is no mapping; None if there is one.")
      .def_prop_ro(
          "interrupted", [](const MapAnswer& answer) { return answer.stopped; },
          "True if Ctrl-C ended the search.")
      .def_prop_ro("energy_pj",
                   [](const MapAnswer& answer) { return best_of(answer).evaluation.energy_pj; })
      .def_prop_ro("cycles",
                   [](const MapAnswer& answer) { return best_of(answer).evaluation.cycles; })
      .def_prop_ro(
          "edp",
          [](const MapAnswer& answer) {
            const Evaluation& evaluation = found(answer).shown().evaluation;
            return evaluation.energy_pj * static_cast<double>(evaluation.cycles);
          },
          "Energy x cycles, in pJ * cycles.")
      .def_prop_ro("utilization",
                   [](const MapAnswer& answer) {
                     const MapResult& mapped = found(answer);
                     return utilization(mapped.shown().evaluation,
                                        mapped.given().arch().compute_units())
                         .total;
                   })
      .def_prop_ro(
          "score", [](const MapAnswer& answer) { return found(answer).shown().score; },
          "The value of the objective.")
      .def_prop_ro(
          "bound", [](const MapAnswer& answer) { return answer.result.search.bound; },
          "No mapping scores less; None if no bound is known.")
      .def_prop_ro("gap", gap_of, "How much less than the best any mapping may score.")
      .def_prop_ro(
          "nodes", [](const MapAnswer& answer) { return answer.result.search.nodes; },
          "Partial mappings that the optimal search examined.")
      .def_prop_ro("seconds", [](const MapAnswer& answer) { return answer.result.seconds; })
      .def_prop_ro(
          "space_size",
          [](const MapAnswer& answer) {
            return answer.result.size ? to_int(*answer.result.size) : nb::none();
          },
          nb::sig("def space_size(self) -> int | None"),
          "How many mappings the space has, exactly.");
}

void add_parts(nb::class_<MapAnswer>& type) {
  type.def_prop_ro("mapping",
                   [](const MapAnswer& answer) {
                     const EvaluationAnswer best = best_of(answer);
                     return BoundMapping{best.problem, best.mapping};
                   })
      .def_prop_ro("evaluation", best_of)
      .def_prop_ro("alternatives", alternatives_of,
                   "With `top`: the best mappings; with `front`: the Pareto front.")
      .def_prop_ro("arch", [](const MapAnswer& answer) { return answer.result.given().arch(); })
      .def_prop_ro("workload",
                   [](const MapAnswer& answer) { return answer.result.given().workload(); })
      .def_prop_ro("proof", proof_of, "For tilewright.verify; None unless asked for and proved.")
      .def_prop_ro("trace", trace_of, "(seconds, best, bound), if asked for.");
}

void add_writers(nb::class_<MapAnswer>& type) {
  const auto json = [](const MapAnswer& answer) {
    found(answer);
    return to_json(answer);
  };
  type.def(
          "tiles",
          [](const MapAnswer& answer) {
            const MapResult& mapped = found(answer);
            return parse_json(tiles_text(mapped.best_problem(), mapped.shown().mapping));
          },
          nb::sig("def tiles(self) -> list[dict[str, str | int]]"),
          "The tile sizes by level and dim.")
      .def("to_json", json, "The same bytes as `tilewright map --json`.")
      .def(
          "to_dict", [json](const MapAnswer& answer) { return parse_json(json(answer)); },
          nb::sig("def to_dict(self) -> dict[str, typing.Any]"))
      .def(
          "to_csv",
          [](const MapAnswer& answer) {
            const MapResult& mapped = found(answer);
            return tiles_csv(mapped.best_problem(), mapped.shown().mapping);
          },
          "The tile sizes by level and dim, as `tilewright map --csv` writes them.")
      .def(
          "to_pandas",
          [](const MapAnswer& answer) { return nb::cast(best_of(answer)).attr("to_pandas")(); },
          nb::sig("def to_pandas(self) -> typing.Any"),
          "The counts by memory and tensor as a pandas.DataFrame; needs pandas.")
      .def(
          "to_polars",
          [](const MapAnswer& answer) { return nb::cast(best_of(answer)).attr("to_polars")(); },
          nb::sig("def to_polars(self) -> typing.Any"), "The same with polars.")
      .def(
          "save",
          [json](const MapAnswer& answer, const nb::object& path) {
            write_text(path, json(answer));
          },
          nb::arg("path"), nb::sig("def save(self, path: str | os.PathLike[str]) -> None"),
          "Writes the JSON, which `tilewright diff` and `rerun` read.")
      .def(
          "html", [](const MapAnswer& answer) { return map_page(found(answer)); },
          "A page to look at: one HTML file that needs nothing else.")
      .def("text", text_of, nb::arg("width") = 80, "The report that the command prints.")
      .def(
          "explain",
          [](const MapAnswer& answer, const std::string& path) {
            return nb::cast<std::string>(nb::cast(best_of(answer)).attr("explain")(path));
          },
          nb::arg("path"), "Where a figure of the best mapping comes from.")
      .def("__str__", summary)
      .def("_repr_html_",
           [](const MapAnswer& answer) {
             if (!answer.result.search.best) return as_preformatted(answer.why_not);
             return as_frame(map_page(answer.result));
           })
      .def("__repr__", [](const MapAnswer& answer) {
        const Problem& problem = answer.result.given();
        const std::string head =
            fmt::format("<MapResult {} on {}: {}", problem.workload().name(), problem.arch().name(),
                        status_name(answer.result.status));
        if (!answer.result.search.best) return head + ">";
        const Evaluation& evaluation = answer.result.shown().evaluation;
        return fmt::format("{}, {:.6g} pJ, {} cycles>", head, evaluation.energy_pj,
                           evaluation.cycles);
      });
}

std::string identity(const MapAnswer& answer) {
  return answer.result.search.best
             ? to_json(answer)
             : std::string(status_name(answer.result.status)) + answer.why_not;
}

// Equality is that of the JSON, which holds no times.
void add_value_methods(nb::class_<MapAnswer>& type) {
  type.def(
          "__eq__",
          [](const MapAnswer& a, const nb::object& other) {
            const MapAnswer* b = nullptr;
            return nb::try_cast(other, b) && b != nullptr && identity(a) == identity(*b);
          },
          nb::sig("def __eq__(self, arg: object, /) -> bool"))
      .def("__hash__", [](const MapAnswer& a) { return std::hash<std::string>()(identity(a)); })
      .def("__getstate__",
           [](const MapAnswer& a) {
             const std::string bytes = save(a);
             return nb::bytes(bytes.data(), bytes.size());
           })
      .def("__setstate__",
           [](MapAnswer& a, const nb::bytes& state) {
             new (&a) MapAnswer(load_map({state.c_str(), state.size()}));
           })
      .def("__copy__", [](const MapAnswer& a) { return a; })
      .def(
          "__deepcopy__", [](const MapAnswer& a, const nb::dict&) { return a; },
          nb::sig("def __deepcopy__(self, memo: dict[int, object], /) -> typing.Self"));
}

}  // namespace

void add_map(nb::module_& m) {
  nb::exception<NoMapping>(m, "NoMappingError", PyExc_LookupError);
  add_progress(m);
  nb::class_<MapAnswer> type(m, "MapResult", "The best mapping, and what is known about it.");
  add_figures(type);
  add_parts(type);
  add_writers(type);
  add_value_methods(type);
  m.def(
      "map",
      [](const Arch& arch, const Workload& workload, const std::string& space,
         const std::string& placement, const std::string& mapper, const std::string& objective,
         const std::vector<std::string>& cap, const std::string& budget, const std::string& memory,
         const std::string& gap, int top, bool front, const std::string& within, bool why,
         bool proof, bool trace, std::optional<std::uint64_t> seed,
         std::optional<std::uint64_t> patience, int threads, const std::string& constraints,
         bool holes_are_data, bool drains_are_reads, const nb::object& progress) {
        return map_answer(arch, workload,
                          {.space = space,
                           .placement = placement,
                           .mapper = mapper,
                           .objective = objective,
                           .caps = cap,
                           .budget = budget,
                           .memory = memory,
                           .gap = gap,
                           .top = top,
                           .front = front,
                           .within = within,
                           .why = why,
                           .proof = proof,
                           .trace = trace,
                           .seed = seed,
                           .patience = patience,
                           .threads = threads,
                           .conventions = {holes_are_data, drains_are_reads}},
                          constraints, progress);
      },
      nb::arg("arch"), nb::arg("workload"), nb::kw_only(), nb::arg("space"), nb::arg("placement"),
      nb::arg("mapper"), nb::arg("objective"), nb::arg("cap"), nb::arg("budget"), nb::arg("memory"),
      nb::arg("gap"), nb::arg("top"), nb::arg("front"), nb::arg("within"), nb::arg("why"),
      nb::arg("proof"), nb::arg("trace"), nb::arg("seed").none(), nb::arg("patience").none(),
      nb::arg("threads"), nb::arg("constraints"), nb::arg("holes_are_data"),
      nb::arg("drains_are_reads"), nb::arg("progress").none());
}

}  // namespace tilewright::python
