// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapper/plan.h"

#include <algorithm>
#include <string>
#include <utility>

#include "tilewright/mapper/space.h"
#include "tilewright/mapspace/arrangement.h"

namespace tilewright {
namespace {

PlanOptions options_of(const PlanRequest& request, const Arch& arch) {
  PlanOptions options;
  NamedPlacement placement = read_placement(request.placement, arch);
  if (!placement.faults.empty()) throw placement_error(std::move(placement.faults));
  options.placement = std::move(placement.memories);
  options.conventions = request.conventions;
  options.space = kind_of_space(request.space);
  options.mapper = request.mapper;
  options.keep_on_chip = request.keep_on_chip;
  options.seconds_per_layer = request.seconds_per_layer;
  options.constraints = request.constraints;
  options.progress = request.progress;
  options.search.objective = request.objective.objective;
  options.search.threads = request.threads;
  options.search.stop = request.stop;
  options.search.seed = request.seed;
  options.search.max_memory = request.max_memory;
  options.search.max_nodes = request.max_nodes;
  options.search.gap = request.gap.value_or(0);
  return options;
}

}  // namespace

std::vector<RequestFault> find_request_faults(const PlanRequest& request, std::string_view prefix) {
  MapRequest layer;
  layer.space = request.space;
  layer.mapper = request.mapper;
  layer.max_seconds = request.seconds_per_layer;
  layer.gap = request.gap;
  std::vector<RequestFault> faults = find_request_faults(layer, prefix);
  if (request.space == "pad") {
    faults.push_back({"`" + std::string(prefix) + "space pad` would change the layers",
                      "use another space, or pad the network itself"});
  }
  if (request.mapper == Mapper::kRandom || request.mapper == Mapper::kExhaustive) {
    faults.push_back(
        {"a network is not searched by the " + mapper_name(request.mapper) + " mapper",
         "use the optimal mapper, or the local one, which is quick and proves nothing"});
  }
  return faults;
}

bool leaves_out_uneven(const PlanResult& planned) {
  return std::ranges::any_of(planned.plan.solved, [](const Solved& solved) {
    return solved.problem &&
           most_uneven(*solved.problem, solved.asked.constraints) != solved.placement;
  });
}

PlanResult plan(const Network& network, const Arch& arch, const PlanRequest& request) {
  if (auto faults = find_request_faults(request); !faults.empty()) {
    throw RequestError(std::move(faults));
  }
  PlanResult result{request, network, arch, plan_network(network, arch, options_of(request, arch)),
                    Status::kProved};
  result.request.constraints = nullptr;
  result.request.progress = nullptr;
  for (const Solved& solved : result.plan.solved) {
    result.status = std::max(result.status, solved.status);
  }
  return result;
}

}  // namespace tilewright
