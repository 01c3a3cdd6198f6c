// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapper/request.h"

#include <cmath>
#include <utility>

namespace tilewright {
namespace {

class FaultFinder {
 public:
  FaultFinder(const MapRequest& request, std::string_view prefix)
      : request_(request), prefix_(prefix) {}

  std::vector<RequestFault> find() && {
    find_bad_values();
    find_misfits();
    find_unprovable();
    return std::move(faults_);
  }

 private:
  std::string option(std::string_view name) const {
    return "`" + std::string(prefix_) + std::string(name) + "`";
  }

  void add(std::string text, std::string help) {
    faults_.push_back({std::move(text), std::move(help)});
  }

  // What the command line cannot even say.
  void find_bad_values() {
    if (!is_space(request_.space)) {
      std::string names;
      for (const std::string& name : space_names()) names += (names.empty() ? "" : ", ") + name;
      add(option("space") + " is unknown: `" + request_.space + "`", "choose one of " + names);
    }
    if (request_.top < 1) add(option("top") + " is less than 1", "1 is the best mapping alone");
    const std::pair<const char*, double> figures[] = {{"budget", request_.max_seconds},
                                                      {"gap", request_.gap.value_or(0)},
                                                      {"within", request_.within.value_or(0)}};
    for (const auto& [name, value] : figures) {
      if (std::isfinite(value) && value >= 0) continue;
      add(option(name) + " is not a number from 0 up", "0 is no limit");
    }
    const std::size_t places = request_.constraint_places.size();
    if (places != 0 && places != request_.constraints.size()) {
      add(option("constraint_places") + " is not as long as the list of constraints",
          "leave it empty, or name the place of each");
    }
  }

  // Options that only an optimal search can follow.
  void find_misfits() {
    if (request_.mapper == Mapper::kOptimal) return;
    const std::pair<const char*, bool> wishes[] = {{"gap", request_.gap.has_value()},
                                                   {"top", request_.top > 1},
                                                   {"front", request_.front},
                                                   {"within", request_.within.has_value()},
                                                   {"why", request_.why},
                                                   {"proof", request_.proof}};
    for (const auto& [name, wished] : wishes) {
      if (!wished) continue;
      add(option(name) + " needs a proof, which the " + mapper_name(request_.mapper) +
              " mapper does not give",
          "use `" + std::string(prefix_) + "mapper optimal`, the default");
    }
  }

  // A proof is that of one best mapping of one space.
  void find_unprovable() {
    if (!request_.proof) return;
    const std::pair<const char*, bool> others[] = {{"space pad", request_.space == "pad"},
                                                   {"cap", !request_.caps.empty()},
                                                   {"gap", request_.gap.has_value()},
                                                   {"top", request_.top > 1},
                                                   {"front", request_.front}};
    for (const auto& [name, wished] : others) {
      if (!wished) continue;
      add(option("proof") + " is about one best mapping of one space and cannot be used with " +
              option(name),
          "leave out " + option(name));
    }
  }

  const MapRequest& request_;
  std::string_view prefix_;
  std::vector<RequestFault> faults_;
};

std::string lines_of(const std::vector<RequestFault>& faults) {
  std::string text;
  for (const RequestFault& fault : faults) {
    text += (text.empty() ? "" : "\n") + fault.text + "; " + fault.help;
  }
  return text;
}

}  // namespace

RequestError::RequestError(std::vector<RequestFault> faults)
    : InputError(lines_of(faults)), faults_(std::move(faults)) {}

RequestError placement_error(std::vector<std::string> faults) {
  std::vector<RequestFault> all;
  for (std::string& fault : faults) {
    all.push_back(
        {"`placement`: " + std::move(fault), "`uneven` takes all memories that can be uneven"});
  }
  return RequestError(std::move(all));
}

std::vector<RequestFault> find_request_faults(const MapRequest& request, std::string_view prefix) {
  return FaultFinder(request, prefix).find();
}

}  // namespace tilewright
