// SPDX-License-Identifier: Apache-2.0
// How flexible an accelerator is, what that is worth, and which flexibility to buy.
#include <fmt/format.h>

#include <cstddef>
#include <memory>
#include <utility>

#include "module.h"
#include "tilewright/base/input_error.h"
#include "tilewright/base/version.h"
#include "tilewright/flexibility/answer/answer.h"
#include "tilewright/flexibility/answer/flex_page.h"
#include "tilewright/flexibility/answer/market_answer.h"
#include "tilewright/flexibility/flexibility_file.h"
#include "watch.h"

namespace tilewright::python {
namespace {

/// How it was asked, for all questions alike.
struct FlexQuestion {
  std::string objective;
  std::string space;
  int threads = 0;
};

Flexibility read_flexibility(const std::string& text, const Arch& arch) {
  Diagnostics diagnostics;
  const auto file = std::make_shared<const SourceFile>(SourceFile{"flexibility.yaml", text});
  auto flexibility = read_flexibility_file(file, arch, diagnostics);
  throw_errors(diagnostics);
  return std::move(*flexibility);
}

WorthOptions options_of(const FlexQuestion& question) {
  WorthOptions options;
  std::string why;
  const auto objective = parse_objective(question.objective, why);
  if (!objective) throw InputError(why);
  options.objective = {question.objective, *objective};
  const auto space = space_by_name(question.space);
  if (!space) throw InputError(fmt::format("`{}` is not a space", question.space));
  options.space = *space;
  options.threads = question.threads;
  return options;
}

// After Ctrl-C there is no answer worth having.
void raise_if_interrupted(const Watch& watch) {
  if (!watch.interrupted()) return;
  PyErr_SetNone(PyExc_KeyboardInterrupt);
  throw nb::python_error();
}

FlexAnswer flex(const Arch& arch, const Network& network, const std::string& flexibility,
                const std::string& objective, const std::string& space, bool classes, int threads) {
  const Flexibility read = read_flexibility(flexibility, arch);
  WorthOptions options = options_of({objective, space, threads});
  Watch watch{nb::none()};
  options.stop = watch.stop();
  FlexAnswer answer =
      watch.run([&] { return find_flex_answer(read, arch, network, classes, options); });
  raise_if_interrupted(watch);
  return answer;
}

MarketAnswer buy(const Arch& arch, const std::vector<Network>& networks,
                 const std::string& flexibility, const std::string& area,
                 const std::string& objective, const std::string& space, int threads) {
  if (networks.empty()) throw InputError("there is no network to buy for");
  const Flexibility read = read_flexibility(flexibility, arch);
  MarketOptions options;
  options.worth = options_of({objective, space, threads});
  Diagnostics diagnostics;
  const auto budget = parse_area_budget("area=" + area, costs_of(read, arch), diagnostics);
  throw_errors(diagnostics);
  options.most_added_um2 = *budget;
  Watch watch{nb::none()};
  options.worth.stop = watch.stop();
  FlexMarket market = watch.run([&] { return find_flex_market(read, arch, networks, options); });
  raise_if_interrupted(watch);
  return {read,
          arch,
          networks,
          options.worth.objective,
          options.worth.space,
          "area=" + area,
          std::move(market)};
}

std::string page_of(const FlexAnswer& answer) { return flex_page(answer, program_version()); }
std::string page_of_market(const MarketAnswer& answer) {
  return market_page(answer, program_version());
}

TextOptions text_options(int width) { return {.width = width}; }

void add_answer(nb::module_& m) {
  nb::class_<FlexAnswer>(m, "FlexResult",
                         "How flexible an accelerator is on a network, and what that is worth.")
      .def_prop_ro(
          "flex_class",
          [](const FlexAnswer& answer) {
            return flex_class(answer.flexibility, answer.flexibility.supports);
          },
          "A digit for each of tile, order, parallelism and shape: 1 if it is flexible.")
      .def_prop_ro("verdict", &flex_verdict, "What freeing each axis is worth, in a sentence.")
      .def("to_json", &flex_json, "The same bytes as `tilewright flex --json`.")
      .def(
          "to_dict", [](const FlexAnswer& answer) { return parse_json(flex_json(answer)); },
          nb::sig("def to_dict(self) -> dict[str, typing.Any]"), "The JSON as Python values.")
      .def(
          "text",
          [](const FlexAnswer& answer, bool layers, int width) {
            return flex_text(answer, layers, text_options(width));
          },
          nb::arg("layers") = false, nb::arg("width") = 80, "The report that the command prints.")
      .def("html", &page_of, "A page to look at: one HTML file that needs nothing else.")
      .def("__str__", [](const FlexAnswer& answer) { return flex_verdict(answer); })
      .def("_repr_html_", [](const FlexAnswer& answer) { return as_frame(page_of(answer)); })
      .def("__repr__", [](const FlexAnswer& answer) {
        return fmt::format(
            "<FlexResult {} on {}: class {}, {} rows>", answer.network.name, answer.arch.name(),
            flex_class(answer.flexibility, answer.flexibility.supports), answer.worth.rows.size());
      });
}

void add_market(nb::module_& m) {
  nb::class_<MarketAnswer>(m, "FlexMarket", "Which flexibility to buy within an area budget.")
      .def_prop_ro(
          "proved", [](const MarketAnswer& answer) { return answer.market.is_proved; },
          "Whether the front is proved.")
      .def_prop_ro("verdict", &market_verdict, "What to buy, in a sentence.")
      .def("to_json", &market_json, "The same bytes as `tilewright flex --buy --json`.")
      .def(
          "to_dict", [](const MarketAnswer& answer) { return parse_json(market_json(answer)); },
          nb::sig("def to_dict(self) -> dict[str, typing.Any]"), "The JSON as Python values.")
      .def(
          "text",
          [](const MarketAnswer& answer, int width) {
            return market_text(answer, text_options(width));
          },
          nb::arg("width") = 80, "The report that the command prints.")
      .def("html", &page_of_market, "A page to look at: one HTML file that needs nothing else.")
      .def("__str__", [](const MarketAnswer& answer) { return market_verdict(answer); })
      .def("_repr_html_",
           [](const MarketAnswer& answer) { return as_frame(page_of_market(answer)); })
      .def("__repr__", [](const MarketAnswer& answer) {
        return fmt::format("<FlexMarket {}: {} offers, {} on the front>", answer.arch.name(),
                           answer.market.offers.size(), answer.market.front.size());
      });
}

}  // namespace

void add_flexibility(nb::module_& m) {
  add_answer(m);
  add_market(m);
  m.def("flex", &flex, nb::arg("arch"), nb::arg("network"), nb::arg("flexibility"),
        nb::arg("objective"), nb::arg("space"), nb::arg("classes"), nb::arg("threads"));
  m.def("buy_flexibility", &buy, nb::arg("arch"), nb::arg("networks"), nb::arg("flexibility"),
        nb::arg("area"), nb::arg("objective"), nb::arg("space"), nb::arg("threads"));
}

}  // namespace tilewright::python
