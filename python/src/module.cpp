// SPDX-License-Identifier: Apache-2.0
#include "module.h"

NB_MODULE(_core, m) {
  m.doc() = "The C++ side of the package; import tilewright instead.";
  using namespace tilewright::python;  // NOLINT(google-build-using-namespace): this is its door
  add_errors(m);
  add_values(m);
  add_evaluation(m);
  add_map(m);
  add_plan(m);
  add_others(m);
  add_sweep(m);
  add_flexibility(m);
}
