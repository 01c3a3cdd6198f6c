// SPDX-License-Identifier: Apache-2.0
// Workload, Arch, Network and Mapping, and the library that comes with the program.
#include <fmt/format.h>
#include <nanobind/operators.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/tuple.h>

#include <new>
#include <tuple>
#include <utility>

#include "answers.h"
#include "module.h"
#include "tilewright/files/files.h"
#include "tilewright/io/write.h"
#include "tilewright/library/library.h"
#include "tilewright/report/mapping/nest_text.h"
#include "tilewright/report/mapping/problem_text.h"
#include "tilewright/report/network/network_text.h"
#include "tilewright/result/tile_table.h"
#include "tilewright/search/strategy.h"
#include "tilewright/workload/operators.h"

namespace tilewright::python {
namespace {

std::size_t hash_text(const std::string& text) { return std::hash<std::string>()(text); }

// How a value that YAML holds is written, shown, compared and pickled.
template <typename Value>
void add_text_value(nb::class_<Value>& type, std::string (*write)(const Value&),
                    Value (*read)(std::string, std::string),
                    std::string (*show)(const Value&, const TextOptions&), const char* file) {
  type.def_static("from_yaml", read, nb::arg("text"), nb::arg("name") = file,
                  "The value in a YAML text; `name` stands for the file in findings.\n\n"
                  "Raises InputError with every finding.");
  type.def("to_yaml", write, "The value as a YAML text that `from_yaml` reads back.");
  type.def(nb::self == nb::self, nb::sig("def __eq__(self, arg: object, /) -> bool"));
  type.def("__hash__", [write](const Value& value) { return hash_text(write(value)); });
  type.def("__getstate__", [write](const Value& value) { return std::make_tuple(write(value)); });
  type.def("__setstate__", [read, file](Value& value, const std::tuple<std::string>& state) {
    new (&value) Value(read(std::get<0>(state), file));
  });
  type.def("__copy__", [](const Value& value) { return value; });
  type.def(
      "__deepcopy__", [](const Value& value, const nb::dict&) { return value; },
      nb::sig("def __deepcopy__(self, memo: dict[int, object], /) -> typing.Self"));
  type.def("__str__", [show](const Value& value) { return show(value, {}); });
  type.def("_repr_html_", [show](const Value& value) { return as_preformatted(show(value, {})); });
}

std::string repr(const Workload& workload) {
  std::string sizes;
  for (const Dim& dim : workload.dims()) sizes += fmt::format(" {}={}", dim.name, dim.size);
  return fmt::format("<Workload {}: {};{}>", workload.name(), to_einsum(workload), sizes);
}

std::string repr(const Arch& arch) {
  std::string nodes;
  for (const ArchNode& node : arch.nodes()) nodes += node_name(node) + " > ";
  return fmt::format("<Arch {}: {}{}>", arch.name(), nodes, arch.compute().name);
}

std::string repr(const Network& network) {
  return fmt::format("<Network {}: {} layers>", network.name, network.layers.size());
}

std::optional<double> to_number(const std::optional<Rational>& value) {
  if (!value) return std::nullopt;
  return to_double(*value);
}

// str(value) in UTF-8; raises what Python raises where there is none.
std::string as_text(nb::handle value) {
  const nb::str text(value);
  Py_ssize_t size = 0;
  const char* const bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (bytes == nullptr) throw nb::python_error();
  return {bytes, static_cast<std::size_t>(size)};
}

void add_workload(nb::module_& m) {
  nb::class_<Tensor>(m, "Tensor", "One operand of a workload.")
      .def_ro("name", &Tensor::name)
      .def_ro("role", &Tensor::role, "`input`, `weight` or `output`.")
      .def_ro("bits", &Tensor::bits, "The width of an element.")
      .def_ro("partial_bits", &Tensor::partial_bits, "The width of a partial sum, if it differs.")
      .def("__repr__", [](const Tensor& tensor) {
        return fmt::format("<Tensor {}: {}, {} bits>", tensor.name, tensor.role, tensor.bits);
      });
  nb::class_<Workload> type(m, "Workload", "An einsum with sizes: what is computed.");
  add_text_value<Workload>(type, write_workload, workload_from_yaml, workload_text,
                           "workload.yaml");
  type.def_prop_ro("name", &Workload::name)
      .def_prop_ro("einsum", to_einsum)
      .def_prop_ro(
          "dims",
          [](const Workload& workload) {
            nb::dict dims;
            for (const Dim& dim : workload.dims()) dims[nb::cast(dim.name)] = dim.size;
            return dims;
          },
          nb::sig("def dims(self) -> dict[str, int]"), "The size of every dim.")
      .def_prop_ro("tensors",
                   [](const Workload& workload) {
                     const auto tensors = workload.tensors();
                     return std::vector<Tensor>(tensors.begin(), tensors.end());
                   })
      .def_prop_ro("macs", &Workload::computes, "Multiply-accumulates: the product of all dims.")
      .def(
          "with_bits",
          [](Workload workload, const nb::kwargs& widths) {
            for (const auto& [tensor, width] : widths) {
              std::int64_t bits = 0;
              std::tuple<std::int64_t, std::int64_t> pair;
              if (nb::try_cast(width, bits)) {
                workload = with_bits(workload, as_text(tensor), bits);
              } else if (nb::try_cast(width, pair)) {
                workload =
                    with_bits(workload, as_text(tensor), std::get<0>(pair), std::get<1>(pair));
              } else {
                throw nb::type_error(
                    "a width is a whole number, or a pair: of results, and of partial sums");
              }
            }
            return workload;
          },
          nb::sig("def with_bits(self, **widths: int | tuple[int, int]) -> Workload"),
          "The same workload with elements of other widths, by tensor or role:\n"
          "`gemm.with_bits(input=8, weight=8, output=(8, 32))`; the second number of a pair is "
          "the width of partial sums.\n\nRaises InputError.")
      .def("__repr__", [](const Workload& workload) { return repr(workload); });
}

std::string multicast_name(Multicast multicast) {
  return multicast == Multicast::kNone    ? "none"
         : multicast == Multicast::kEqual ? "equal"
                                          : "overlap";
}

// `{"capacity": "64 KiB"}` of GLB as `GLB.capacity=64 KiB`; nested keys become paths.
void add_figures(const std::string& path, nb::handle value, std::vector<std::string>& figures) {
  if (!nb::isinstance<nb::dict>(value)) {
    figures.push_back(path + "=" + as_text(value));
    return;
  }
  for (const auto& [key, inner] : nb::borrow<nb::dict>(value)) {
    add_figures(path + "." + as_text(key), inner, figures);
  }
}

void add_arch(nb::module_& m) {
  nb::class_<Memory>(m, "Memory", "A storage level; figures are per instance.")
      .def_ro("name", &Memory::name)
      .def_ro("capacity_bits", &Memory::capacity_bits, "None: unlimited.")
      .def_ro("buffering", &Memory::buffering, "2: double buffering.")
      .def_ro("width_bits", &Memory::width_bits, "What one access moves; None: one element.")
      .def_prop_ro(
          "read_bandwidth", [](const Memory& memory) { return to_number(memory.read_bandwidth); },
          "Bits per cycle; None: unlimited.")
      .def_prop_ro("write_bandwidth",
                   [](const Memory& memory) { return to_number(memory.write_bandwidth); })
      .def_prop_ro("shared_bandwidth",
                   [](const Memory& memory) { return to_number(memory.shared_bandwidth); })
      .def_prop_ro("read_pj", [](const Memory& memory) { return memory.energy.read_pj; })
      .def_prop_ro("fill_pj", [](const Memory& memory) { return memory.energy.fill_pj; })
      .def_prop_ro("update_pj", [](const Memory& memory) { return memory.energy.update_pj; })
      .def("__repr__",
           [](const Memory& memory) { return fmt::format("<Memory {}>", memory.name); });
  nb::class_<Fanout>(m, "Fanout", "Replicates everything inside it.")
      .def_ro("name", &Fanout::name)
      .def_prop_ro(
          "axes",
          [](const Fanout& fanout) {
            nb::dict axes;
            for (const Axis& axis : fanout.axes) axes[nb::cast(axis.name)] = axis.size;
            return axes;
          },
          nb::sig("def axes(self) -> dict[str, int]"), "The size of every axis.")
      .def_prop_ro("multicast",
                   [](const Fanout& fanout) { return multicast_name(fanout.multicast); })
      .def_ro("reduction", &Fanout::reduction)
      .def("__repr__",
           [](const Fanout& fanout) { return fmt::format("<Fanout {}>", fanout.name); });
  nb::class_<Arch> type(m, "Arch", "An accelerator: memories, fan-outs and compute units.");
  add_text_value<Arch>(type, write_arch, arch_from_yaml, arch_text, "arch.yaml");
  type.def_prop_ro("name", &Arch::name)
      .def_prop_ro("note", &Arch::note, "What it models, and its source.")
      .def_prop_ro("clock_hz", [](const Arch& arch) { return to_number(arch.clock_hz()); })
      .def_prop_ro(
          "memories",
          [](const Arch& arch) {
            std::vector<Memory> memories;
            for (const NodeId id : arch.memories()) memories.push_back(arch.memory(id));
            return memories;
          },
          "Outermost first.")
      .def_prop_ro(
          "fanouts",
          [](const Arch& arch) {
            std::vector<Fanout> fanouts;
            for (const NodeId id : arch.fanouts()) fanouts.push_back(arch.fanout(id));
            return fanouts;
          },
          "Outermost first.")
      .def_prop_ro("compute_units", &Arch::compute_units)
      .def(
          "instances",
          [](const Arch& arch, const std::string& node) {
            const auto id = arch.find(node);
            if (!id) throw nb::key_error(node.c_str());
            return arch.instances(*id);
          },
          nb::arg("node"), "Copies of a memory or a fan-out.")
      .def(
          "with_",
          [](const Arch& arch, const nb::kwargs& changes) {
            std::vector<std::string> figures;
            for (const auto& [node, value] : changes) add_figures(as_text(node), value, figures);
            return with_figures(arch, figures);
          },
          nb::sig("def with_(self, **changes: object) -> Arch"),
          "The same accelerator with other figures, written as in its file:\n"
          "`arch.with_(GLB={\"capacity\": \"64 KiB\"}, clock=\"200 MHz\")`.\n\n"
          "Raises InputError with every finding.")
      .def("__repr__", [](const Arch& arch) { return repr(arch); });
}

std::string kind_name(LayerKind kind) {
  return kind == LayerKind::kMapped    ? "mapped"
         : kind == LayerKind::kTraffic ? "traffic"
                                       : "nothing";
}

void add_network(nb::module_& m) {
  nb::class_<Layer>(m, "Layer", "One operator of a network.")
      .def_ro("name", &Layer::name)
      .def_ro("op", &Layer::op, "As its source calls it.")
      .def_prop_ro(
          "kind", [](const Layer& layer) { return kind_name(layer.kind); },
          "`mapped`: an einsum; `traffic`: only moves data; `nothing`: costs nothing.")
      .def_ro("count", &Layer::count, "How often it runs.")
      .def_ro("parameters", &Layer::parameters, "Learned elements in one run.")
      .def_ro("workload", &Layer::workload)
      .def_prop_ro(
          "macs",
          [](const Layer& layer) {
            return layer.workload ? layer.workload->computes() : std::int64_t{0};
          },
          "Multiply-accumulates of one run.")
      .def(nb::self == nb::self, nb::sig("def __eq__(self, arg: object, /) -> bool"))
      .def("__repr__",
           [](const Layer& layer) { return fmt::format("<Layer {}: {}>", layer.name, layer.op); });
  nb::class_<Network> type(m, "Network", "Layers in the order in which they run, and their edges.");
  add_text_value<Network>(type, write_network, network_from_yaml, network_text, "network.yaml");
  type.def_ro("name", &Network::name)
      .def_ro("summary", &Network::summary)
      .def_ro("layers", &Network::layers)
      .def_prop_ro(
          "macs", [](const Network& network) { return network_totals(network).computes; },
          "Multiply-accumulates of all runs of all layers.")
      .def_prop_ro("parameters",
                   [](const Network& network) { return network_totals(network).parameters; })
      .def("__repr__", [](const Network& network) { return repr(network); });
}

using MappingState = std::tuple<std::string, std::string, bool, bool, std::string>;

void add_mapping(nb::module_& m) {
  nb::class_<BoundMapping>(m, "Mapping", "How a workload runs on an accelerator: a nest.")
      .def_static(
          "from_text",
          [](const Arch& arch, const Workload& workload, std::string text, std::string name,
             bool holes, bool drains) {
            auto problem =
                std::make_shared<const Problem>(workload, arch, Conventions{holes, drains});
            Mapping mapping = mapping_from_text(std::move(text), *problem, std::move(name));
            return BoundMapping{std::move(problem), std::move(mapping)};
          },
          nb::arg("arch"), nb::arg("workload"), nb::arg("text"), nb::arg("name") = "mapping.nest",
          nb::kw_only(), nb::arg("holes_are_data") = false, nb::arg("drains_are_reads") = false,
          "The mapping in a text in the form of `.nest` files, or in YAML if `name` ends in "
          "`.yaml`.\n\nRaises InputError with every finding.")
      .def_prop_ro("arch", [](const BoundMapping& bound) { return bound.problem->arch(); })
      .def_prop_ro("workload", [](const BoundMapping& bound) { return bound.problem->workload(); })
      .def(
          "to_nest",
          [](const BoundMapping& bound) { return write_nest(*bound.problem, bound.mapping); },
          "The text form, as in `.nest` files.")
      .def("to_yaml",
           [](const BoundMapping& bound) { return write_mapping(*bound.problem, bound.mapping); })
      .def(
          "tiles",
          [](const BoundMapping& bound) {
            return parse_json(tiles_text(*bound.problem, bound.mapping));
          },
          nb::sig("def tiles(self) -> list[dict[str, str | int]]"),
          "The tile sizes by level and dim: what to write into a schedule.")
      .def(
          "__eq__",
          [](const BoundMapping& a, const nb::object& other) {
            const BoundMapping* b = nullptr;
            if (!nb::try_cast(other, b) || b == nullptr) return false;
            return a.mapping == b->mapping && a.problem->workload() == b->problem->workload() &&
                   a.problem->arch() == b->problem->arch();
          },
          nb::sig("def __eq__(self, arg: object, /) -> bool"))
      .def("__hash__",
           [](const BoundMapping& bound) {
             return hash_text(write_nest(*bound.problem, bound.mapping));
           })
      .def("__getstate__",
           [](const BoundMapping& bound) {
             const Problem& problem = *bound.problem;
             const Conventions& how = problem.conventions();
             return MappingState{write_arch(problem.arch()), write_workload(problem.workload()),
                                 how.holes_are_data, how.drains_are_reads,
                                 write_nest(problem, bound.mapping)};
           })
      .def("__setstate__",
           [](BoundMapping& bound, const MappingState& state) {
             const auto& [arch, workload, holes, drains, nest] = state;
             auto problem = std::make_shared<const Problem>(
                 workload_from_yaml(workload), arch_from_yaml(arch), Conventions{holes, drains});
             Mapping mapping = mapping_from_text(nest, *problem);
             new (&bound) BoundMapping{std::move(problem), std::move(mapping)};
           })
      .def("__copy__", [](const BoundMapping& bound) { return bound; })
      .def(
          "__deepcopy__", [](const BoundMapping& bound, const nb::dict&) { return bound; },
          nb::sig("def __deepcopy__(self, memo: dict[int, object], /) -> typing.Self"))
      .def("__str__",
           [](const BoundMapping& bound) { return nest_text(*bound.problem, bound.mapping, {}); })
      .def("_repr_html_",
           [](const BoundMapping& bound) {
             return as_preformatted(nest_text(*bound.problem, bound.mapping, {}));
           })
      .def("__repr__", [](const BoundMapping& bound) {
        return fmt::format("<Mapping of {} on {}: {} nodes>", bound.problem->workload().name(),
                           bound.problem->arch().name(), bound.mapping.nodes().size());
      });
}

std::vector<std::string> names_of(std::span<const LibraryEntry> entries) {
  std::vector<std::string> names;
  for (const LibraryEntry& entry : entries) names.emplace_back(entry.name);
  return names;
}

// `1`, or one number for each axis.
Steps to_steps(const std::vector<std::int64_t>& steps) {
  if (steps.size() == 1) return {steps[0]};
  if (steps.size() == 2) return {steps[0], steps[1]};
  if (steps.size() == 3) return {steps[0], steps[1], steps[2]};
  throw InputError("a stride or dilation is one number, or one for each axis (p, q, o)");
}

void add_operators(nb::module_& m) {
  m.def("gemm", gemm, nb::arg("m"), nb::arg("n"), nb::arg("k"), "Z[m,n] += A[m,k] * B[k,n].");
  m.def("bmm", bmm, nb::arg("b"), nb::arg("m"), nb::arg("n"), nb::arg("k"),
        "Z[b,m,n] += A[b,m,k] * B[b,k,n].");
  m.def(
      "conv",
      [](std::int64_t count, std::int64_t filters, std::int64_t channels, std::int64_t p,
         std::int64_t q, std::int64_t r, std::int64_t s, std::optional<std::int64_t> o,
         std::int64_t t, const std::vector<std::int64_t>& stride,
         const std::vector<std::int64_t>& dilation, std::int64_t groups, bool depthwise,
         bool transposed) {
        return conv({.n = count,
                     .m = filters,
                     .c = channels,
                     .p = p,
                     .q = q,
                     .r = r,
                     .s = s,
                     .o = o,
                     .t = t,
                     .stride = to_steps(stride),
                     .dilation = to_steps(dilation),
                     .groups = groups,
                     .depthwise = depthwise,
                     .transposed = transposed});
      },
      nb::kw_only(), nb::arg("n"), nb::arg("m"), nb::arg("c"), nb::arg("p"), nb::arg("q"),
      nb::arg("r"), nb::arg("s"), nb::arg("o").none(), nb::arg("t"), nb::arg("stride"),
      nb::arg("dilation"), nb::arg("groups"), nb::arg("depthwise"), nb::arg("transposed"));
  m.def(
      "einsum",
      [](const std::string& text, const std::map<std::string, std::int64_t>& sizes) {
        const std::vector<std::pair<std::string_view, std::int64_t>> list(sizes.begin(),
                                                                          sizes.end());
        return einsum(text, list);
      },
      nb::arg("text"), nb::arg("sizes"));
  m.def("workload_from_words", workload_from_words, nb::arg("words"));
  m.def(
      "library_arch", [](const std::string& name) { return library_arch(name); }, nb::arg("name"));
  m.def(
      "library_network", [](const std::string& name) { return library_network(name); },
      nb::arg("name"));
  m.def(
      "arch_names", [] { return names_of(library_archs()); }, "The accelerators of the library.");
  m.def(
      "network_names", [] { return names_of(library_networks()); }, "The networks of the library.");
  m.def("space_names", space_names, "The mapspaces that `map` can search.");
  m.def("mapper_names", mapper_names, "The ways in which `map` can search.");
  m.def(
      "objective_names",
      [] {
        std::vector<std::string> names;
        for (const NamedObjective& named : named_objectives()) names.push_back(named.name);
        return names;
      },
      "Objectives that have a name; products such as `energy^1*latency^2` work, too.");
}

}  // namespace

void add_values(nb::module_& m) {
  add_workload(m);
  add_arch(m);
  add_network(m);
  add_mapping(m);
  add_operators(m);
}

}  // namespace tilewright::python
