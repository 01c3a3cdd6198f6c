// SPDX-License-Identifier: Apache-2.0
// The parts of the extension module; each adds its names.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "tilewright/base/natural.h"
#include "tilewright/io/diagnostic.h"

namespace tilewright::python {

namespace nb = nanobind;

void add_errors(nb::module_& m);
void add_values(nb::module_& m);
void add_evaluation(nb::module_& m);
void add_map(nb::module_& m);
void add_plan(nb::module_& m);
void add_others(nb::module_& m);
void add_sweep(nb::module_& m);
void add_flexibility(nb::module_& m);

/// Raises tilewright.InputError if there are errors in `diagnostics`.
void throw_errors(const Diagnostics& diagnostics);

/// A text in a fixed-width font.
std::string as_preformatted(const std::string& text);

/// A whole page inside a notebook's cell.
std::string as_frame(const std::string& page);

/// The exact number as a Python int.
nb::object to_int(const Natural& number);

/// json.loads(text).
nb::object parse_json(const std::string& text);

/// pandas.DataFrame(rows) or polars.DataFrame(rows).
nb::object to_frame(const char* module, const nb::object& rows);

/// Writes a text file; raises OSError.
void write_text(const nb::object& path, const std::string& text);

}  // namespace tilewright::python
