// SPDX-License-Identifier: Apache-2.0
#include <exception>

#include "module.h"
#include "tilewright/base/error.h"
#include "tilewright/base/stop.h"
#include "tilewright/files/files.h"
#include "tilewright/html/markup.h"
#include "tilewright/io/render.h"
#include "tilewright/store/store.h"

namespace tilewright::python {
namespace {

nb::object errors_module() { return nb::module_::import_("tilewright._errors"); }

nb::object to_finding(const Diagnostic& found) {
  nb::list places;
  for (const Label& label : found.labels) {
    const Span& span = label.span;
    places.append(errors_module().attr("Place")(span.file ? span.file->name : std::string(),
                                                span.line, span.column, span.length, label.text));
  }
  const char* severity = found.severity == Severity::kError ? "error" : "warning";
  return errors_module().attr("Finding")(severity, found.code, found.message, nb::tuple(places),
                                         nb::tuple(nb::cast(found.notes)),
                                         nb::tuple(nb::cast(found.helps)));
}

// InputError with findings, which may be empty.
void set_input_error(const std::string& text, const std::vector<Diagnostic>& findings) {
  nb::list list;
  for (const Diagnostic& found : findings) list.append(to_finding(found));
  const nb::object type = errors_module().attr("InputError");
  const nb::object error = type(text, nb::tuple(list));
  PyErr_SetObject(type.ptr(), error.ptr());
}

// What C++ throws, as Python raises it; one that is none of ours goes on.
void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const FileError& error) {
    set_input_error(error.what(), error.findings());
  } catch (const InputError& error) {
    set_input_error(error.what(), {});
  } catch (const OverflowError& error) {
    set_input_error(std::string("too large to count exactly: ") + error.what(), {});
  } catch (const StoreError& error) {
    PyErr_SetString(errors_module().attr("StoreError").ptr(), error.what());
  } catch (const StoppedError&) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
  } catch (const InternalError& error) {
    PyErr_SetString(PyExc_RuntimeError,
                    (std::string("this is a bug in tilewright: ") + error.what()).c_str());
  }
}

}  // namespace

void add_errors(nb::module_&) { nb::register_exception_translator(translate); }

void throw_errors(const Diagnostics& diagnostics) {
  if (diagnostics.has_errors()) throw FileError(diagnostics);
}

std::string as_preformatted(const std::string& text) { return "<pre>" + escape(text) + "</pre>"; }

std::string as_frame(const std::string& page) {
  return "<iframe srcdoc=\"" + escape(page) +
         "\" style=\"width:100%;height:640px;border:0\" loading=\"lazy\"></iframe>";
}

nb::object to_int(const Natural& number) {
  return nb::steal(PyLong_FromString(number.to_string().c_str(), nullptr, 10));
}

nb::object parse_json(const std::string& text) {
  return nb::module_::import_("json").attr("loads")(text);
}

nb::object to_frame(const char* module, const nb::object& rows) {
  return nb::module_::import_(module).attr("DataFrame")(rows);
}

void write_text(const nb::object& path, const std::string& text) {
  const nb::object file = nb::module_::import_("pathlib").attr("Path")(path);
  file.attr("write_bytes")(nb::bytes(text.data(), text.size()));
}

}  // namespace tilewright::python
