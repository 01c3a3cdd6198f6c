// SPDX-License-Identifier: Apache-2.0
#include "tilewright/cli/storing.h"

#include <string>
#include <system_error>

#include "tilewright/base/input_error.h"
#include "tilewright/base/text/printable.h"
#include "tilewright/store/store.h"

namespace tilewright {

void report_store_errors(Session& session, const std::function<void()>& work) {
  std::string what;
  try {
    work();
    return;
  } catch (const StoreError& error) {
    what = error.what();
  } catch (const InputError& error) {
    what = error.what();
  } catch (const std::system_error& error) {
    what = error.what();
  }
  Diagnostics diagnostics;
  diagnostics.error("S0005", printable(what));
  session.show(diagnostics);
  session.exit_code = kInputError;
}

}  // namespace tilewright
