// SPDX-License-Identifier: Apache-2.0
// A whole network on an accelerator of the library: where its energy goes, layer by layer.
#include <tilewright/files.h>

#include <iostream>

int main() try {
  using namespace tilewright;
  PlanRequest request;
  request.objective = {"energy", *objective_by_name("energy")};
  const PlanResult planned = plan(library_network("alexnet"), library_arch("eyeriss"), request);
  const PlanTotals& totals = planned.plan.totals;
  for (std::size_t i = 0; i < planned.network.layers.size(); ++i) {
    const Layer& layer = planned.network.layers[i];
    const double energy_pj = static_cast<double>(layer.count) * planned.plan.layers[i].energy_pj;
    std::cout << layer.name << ": " << 100 * energy_pj / totals.energy_pj << " % of the energy\n";
  }
  std::cout << planned;
} catch (const tilewright::InputError& error) {
  std::cerr << error.what();
  return 1;
}
