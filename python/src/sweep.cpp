// SPDX-License-Identifier: Apache-2.0
// Sweeps: plans, stores, and what is solved next. The loop around them is _sweep.py.
#include <fmt/format.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <memory>
#include <new>
#include <utility>

#include "module.h"
#include "tilewright/files/files.h"
#include "tilewright/store/store.h"
#include "tilewright/sweep/best/best.h"
#include "tilewright/sweep/plan/plan.h"
#include "tilewright/sweep/run/dispatcher.h"
#include "tilewright/sweep/run/shard.h"
#include "tilewright/sweep/run/solve.h"
#include "tilewright/sweep/texts.h"
#include "watch.h"

namespace tilewright::python {
namespace {

using Texts = std::map<std::string, std::string>;

nb::bytes to_bytes(const std::string& text) { return nb::bytes(text.data(), text.size()); }

std::string_view view(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

SweepPlan make_sweep_plan(std::string text, std::string name, const std::string& folder,
                          Texts archs, Texts networks) {
  SweepBundle bundle{std::move(name), std::move(text), std::move(archs), std::move(networks)};
  Diagnostics diagnostics;
  std::optional<SweepPlan> plan = read_plan(std::move(bundle), files_in(folder), diagnostics);
  if (!plan) throw FileError(diagnostics);
  return std::move(*plan);
}

void check_design(const SweepPlan& plan, std::uint64_t number) {
  if (number >= plan.designs().size()) {
    throw nb::index_error(
        fmt::format("there are {} designs, numbered from 0", plan.designs().size()).c_str());
  }
}

void add_plan_type(nb::module_& m) {
  nb::class_<SweepPlan>(m, "SweepPlan", "Every design of a sweep with every workload and request.")
      .def_prop_ro("name", &SweepPlan::name)
      .def_prop_ro(
          "designs", [](const SweepPlan& plan) { return plan.designs().size(); },
          "How many designs there are.")
      .def_prop_ro("problems", &SweepPlan::problems, "How many problems there are.")
      .def_prop_ro(
          "parameters",
          [](const SweepPlan& plan) {
            nb::dict result;
            for (const Parameter& parameter : plan.designs().parameters()) {
              nb::list values;
              for (const Amount& value : parameter.values) values.append(to_text(value));
              result[parameter.name.c_str()] = values;
            }
            return result;
          },
          nb::sig("def parameters(self) -> dict[str, list[str]]"), "Their values, as texts.")
      .def_prop_ro(
          "workloads",
          [](const SweepPlan& plan) {
            std::vector<std::string> names;
            for (const SweepWorkload& one : plan.workloads()) names.push_back(one.name);
            return names;
          },
          "Names of the different workloads.")
      .def(
          "design",
          [](const SweepPlan& plan, std::uint64_t number) {
            check_design(plan, number);
            return plan.design(number).arch;
          },
          nb::arg("number"), "The accelerator of that number, from 0.")
      .def(
          "values",
          [](const SweepPlan& plan, std::uint64_t number) {
            check_design(plan, number);
            const std::vector<Amount> values = plan.designs().values(number);
            nb::dict result;
            for (std::size_t i = 0; i < values.size(); ++i) {
              result[plan.designs().parameters()[i].name.c_str()] = to_text(values[i]);
            }
            return result;
          },
          nb::arg("number"), nb::sig("def values(self, number: int) -> dict[str, str]"),
          "The parameters of a design, as texts.")
      .def(
          "keys",
          [](const SweepPlan& plan, std::uint64_t first, std::uint64_t count) {
            std::string keys;
            DesignCursor designs(plan);
            const std::uint64_t end = std::min(plan.problems(), first + count);
            for (std::uint64_t number = first; number < end; ++number) {
              const Digest key = designs.key(plan.problem(number));
              keys.append(reinterpret_cast<const char*>(key.data()), key.size());
            }
            return to_bytes(keys);
          },
          nb::arg("first"), nb::arg("count"),
          "The keys of some problems in a store, 32 bytes each.")
      .def(
          "to_json", [](const SweepPlan& plan) { return bundle_to_json(plan.bundle()); },
          "The plan with all that it names, as a text that `from_json` reads back.")
      .def_static(
          "from_json", [](const std::string& text) { return plan_from_json(text); },
          nb::arg("text"))
      .def("__getstate__",
           [](const SweepPlan& plan) { return std::make_tuple(bundle_to_json(plan.bundle())); })
      .def("__setstate__",
           [](SweepPlan& plan, const std::tuple<std::string>& state) {
             new (&plan) SweepPlan(plan_from_json(std::get<0>(state)));
           })
      .def("__repr__", [](const SweepPlan& plan) {
        return fmt::format("<SweepPlan {}: {}>", plan.name(), size_text(plan));
      });
  m.def("make_sweep_plan", &make_sweep_plan, nb::arg("text"), nb::arg("name"), nb::arg("folder"),
        nb::arg("archs"), nb::arg("networks"));
  m.def(
      "solve_chunk",
      [](const SweepPlan& plan, const std::vector<std::uint64_t>& numbers) {
        std::vector<Row> rows;
        {
          const nb::gil_scoped_release release;
          SweepSolver solver(plan);
          for (const std::uint64_t number : numbers) rows.push_back(solver.solve(number));
        }
        return to_bytes(rows_to_bytes(rows));
      },
      nb::arg("plan"), nb::arg("numbers"));
}

nb::dict to_dict(const Row& row) {
  nb::dict result;
  result["key"] = to_hex(row.key);
  result["status"] = row.status;
  result["score"] = row.score;
  result["energy_pj"] = row.energy_pj;
  result["cycles"] = row.cycles;
  result["bound"] = row.bound;
  result["nodes"] = row.nodes;
  result["seconds"] = row.seconds;
  result["body"] = row.body;
  return result;
}

/// A store that can be closed.
class StoreHandle {
 public:
  StoreHandle(const std::string& path, bool write)
      : store_(std::make_unique<Store>(path, write ? Store::Mode::kWrite : Store::Mode::kRead)) {}

  Store& get() const {
    if (!store_) throw StoreError("this store is closed");
    return *store_;
  }
  void close() { store_.reset(); }

 private:
  std::unique_ptr<Store> store_;
};

// The JSON of all requests, and whether Ctrl-C ended the last of them early.
std::tuple<std::string, bool> best_designs(const SweepPlan& plan, const StoreHandle& store,
                                           const std::vector<std::string>& front, int threads) {
  std::vector<BestDesigns> all;
  Watch watch{nb::none()};
  BestOptions options{.figures = figures_by_name(front), .threads = threads, .stop = watch.stop()};
  for (std::size_t request = 0; request < plan.requests().size(); ++request) {
    options.request = request;
    all.push_back(watch.run([&] { return find_best(plan, store.get(), options); }));
    if (watch.interrupted()) break;
  }
  return {best_json(plan, all), watch.interrupted()};
}

void add_store_type(nb::module_& m) {
  nb::class_<StoreHandle>(m, "StoreHandle")
      .def(nb::init<const std::string&, bool>(), nb::arg("path"), nb::arg("write"))
      .def("close", &StoreHandle::close)
      .def_prop_ro("path", [](const StoreHandle& handle) { return handle.get().path(); })
      .def("__len__", [](const StoreHandle& handle) { return handle.get().size(); })
      .def("statuses", [](const StoreHandle& handle) { return handle.get().statuses(); })
      .def("plans", [](const StoreHandle& handle) { return handle.get().plans(); })
      .def("find_faults", [](const StoreHandle& handle) { return handle.get().find_faults(); })
      .def(
          "rows",
          [](const StoreHandle& handle) {
            nb::list rows;
            handle.get().for_each([&](const Row& row) { rows.append(to_dict(row)); });
            return rows;
          },
          nb::sig("def rows(self) -> list[dict[str, typing.Any]]"))
      .def(
          "merge",
          [](const StoreHandle& into, const StoreHandle& from) {
            const Merged merged = merge(into.get(), from.get());
            return std::make_tuple(merged.added, merged.known, merged.differ);
          },
          nb::arg("other"))
      .def(
          "table_json",
          [](const StoreHandle& handle, const SweepPlan& plan,
             const std::vector<std::string>& front) {
            return table_json(plan, make_table(plan, handle.get(), figures_by_name(front)));
          },
          nb::arg("plan"), nb::arg("front"))
      .def(
          "design_json",
          [](const StoreHandle& handle, const SweepPlan& plan, std::uint64_t number) {
            check_design(plan, number);
            std::vector<DesignCost> costs = cost_design(plan, handle.get(), number);
            std::vector<bool> on_front(costs.size(), false);
            return table_json(plan, {{}, std::move(costs), {}, std::move(on_front)});
          },
          nb::arg("plan"), nb::arg("design"))
      .def(
          "missing",
          [](const StoreHandle& handle, const SweepPlan& plan, std::uint64_t number) {
            check_design(plan, number);
            return missing_problems(plan, handle.get(), number);
          },
          nb::arg("plan"), nb::arg("design"))
      .def(
          "add",
          [](const StoreHandle& handle, const nb::bytes& rows) {
            return handle.get().add(rows_from_bytes(view(rows)));
          },
          nb::arg("rows"))
      .def(
          "add_plan",
          [](const StoreHandle& handle, const SweepPlan& plan) {
            handle.get().add_plan(bundle_to_json(plan.bundle()));
          },
          nb::arg("plan"))
      .def(
          "problems_csv",
          [](const StoreHandle& handle, const SweepPlan& plan) {
            std::string text;
            write_problems_csv(plan, handle.get(), [&](const std::string& line) { text += line; });
            return text;
          },
          nb::arg("plan"));
}

Shard shard_of(const std::string& text) {
  if (text.empty()) return {};
  const nb::object environment = nb::module_::import_("os").attr("environ");
  std::string kept;
  std::string why;
  const auto shard = parse_shard(
      text,
      [&](const char* name) -> const char* {
        const nb::object value = environment.attr("get")(name);
        if (value.is_none()) return nullptr;
        kept = nb::cast<std::string>(value);
        return kept.c_str();
      },
      why);
  if (!shard) throw InputError(why);
  return *shard;
}

void make_dispatcher(Dispatcher* place, const SweepPlan& plan, StoreHandle& store,
                     const std::string& shard, std::size_t workers, double chunk_seconds) {
  new (place)
      Dispatcher(plan, store.get(), DispatchOptions{shard_of(shard), workers, chunk_seconds});
}

void answer(Dispatcher& dispatcher, const std::vector<std::uint64_t>& numbers,
            const nb::bytes& bytes) {
  std::vector<Row> rows = rows_from_bytes(view(bytes));
  if (rows.size() != numbers.size()) throw InputError("a chunk has another number of answers");
  for (std::size_t i = 0; i < rows.size(); ++i) dispatcher.answer(numbers[i], std::move(rows[i]));
}

void add_best(nb::module_& m) {
  m.def("best_designs", &best_designs, nb::arg("plan"), nb::arg("store"), nb::arg("front"),
        nb::arg("threads"));
}

void add_dispatcher(nb::module_& m) {
  nb::class_<SweepProgress>(m, "SweepProgress", "How far a sweep has come.")
      .def_ro("planned", &SweepProgress::planned, "Problems of the plan, in all shards.")
      .def_ro("elsewhere", &SweepProgress::elsewhere, "Problems of other shards.")
      .def_ro("known", &SweepProgress::known, "Stored before, or equal to an earlier one.")
      .def_ro("solved", &SweepProgress::solved, "In this run, failed ones included.")
      .def_ro("settled", &SweepProgress::settled, "Of these: proved, or proved to have no mapping.")
      .def_ro("failed", &SweepProgress::failed, "Of these.")
      .def_ro("busy_seconds", &SweepProgress::busy_seconds, "CPU time of the searches.")
      .def("to_text", &progress_text, nb::arg("seconds"))
      .def("__repr__", [](const SweepProgress& progress) {
        return fmt::format("<SweepProgress: {} planned, {} known, {} solved, {} failed>",
                           progress.planned, progress.known, progress.solved, progress.failed);
      });
  nb::class_<Dispatcher>(m, "Dispatcher")
      .def("__init__", &make_dispatcher, nb::arg("plan"), nb::arg("store"), nb::arg("shard"),
           nb::arg("workers"), nb::arg("chunk_seconds"), nb::keep_alive<1, 2>(),
           nb::keep_alive<1, 3>())
      .def("next", &Dispatcher::next)
      .def_prop_ro("finished", &Dispatcher::finished)
      .def("answer", &answer, nb::arg("numbers"), nb::arg("rows"))
      .def("flush", &Dispatcher::flush)
      .def("lost", &Dispatcher::lost, nb::arg("chunks"), nb::arg("reason"))
      .def("progress", [](const Dispatcher& dispatcher) { return dispatcher.progress(); });
}

}  // namespace

void add_sweep(nb::module_& m) {
  add_plan_type(m);
  add_store_type(m);
  add_best(m);
  add_dispatcher(m);
}

}  // namespace tilewright::python
