// SPDX-License-Identifier: Apache-2.0
#include "tilewright/sweep/plan/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "tilewright/answers/map_options.h"
#include "tilewright/base/text/printable.h"
#include "tilewright/base/version.h"
#include "tilewright/files/files.h"
#include "tilewright/io/constraints/layer_constraints.h"
#include "tilewright/io/read.h"
#include "tilewright/io/write.h"
#include "tilewright/sweep/plan/sweep_file.h"

namespace tilewright {
namespace {

// What costs depend on.
Arch without_labels(const Arch& arch) {
  std::vector<ArchNode> nodes(arch.nodes().begin(), arch.nodes().end());
  for (ArchNode& node : nodes) {
    if (auto* memory = std::get_if<Memory>(&node)) {
      memory->energy.source.clear();
      memory->area_um2 = 0;
    }
  }
  Compute compute = arch.compute();
  compute.source.clear();
  compute.area_um2 = 0;
  return {"", "", std::nullopt, std::move(nodes), std::move(compute)};
}

Digest digest_of(const Workload& workload) {
  const Workload nameless("", {workload.dims().begin(), workload.dims().end()},
                          {workload.tensors().begin(), workload.tensors().end()});
  return sha256_digest(write_workload(nameless));
}

// As read on an architecture of the same structure as all designs.
Digest digest_of(const Digest& workload, const Problem& problem,
                 const std::vector<Constraint>& constraints) {
  return sha256_digest(to_hex(workload) + "\n" + constraints_to_yaml(problem, constraints));
}

Digest digest_of(const MapRequest& request) {
  std::string text = fmt::format("space {}\nobjective {}\nnodes {}\nseconds {}\ngap {}\n",
                                 request.space, to_product(request.objective.objective),
                                 request.max_nodes, request.max_seconds, request.gap.value_or(0));
  // Keys of even placement are those of stores that know no other.
  if (request.placement != "even") text += fmt::format("placement {}\n", request.placement);
  return sha256_digest(text);
}

// Collects the workloads of targets, equal ones once.
class Targets {
 public:
  void add(std::string name, double weight, Network network) {
    SweepTarget target{std::move(name), weight, std::move(network), {}};
    for (const Layer& layer : target.network.layers) {
      target.workloads.push_back(layer.workload ? std::optional(index(target.name, layer))
                                                : std::nullopt);
    }
    targets.push_back(std::move(target));
  }

  std::vector<SweepTarget> targets;
  std::vector<SweepWorkload> workloads;

 private:
  std::size_t index(const std::string& target, const Layer& layer) {
    const Digest digest = digest_of(*layer.workload);
    const auto [found, added] = known_.emplace(digest, workloads.size());
    if (added) {
      workloads.push_back(
          {target == layer.name ? target : target + "/" + layer.name, *layer.workload, {}, digest});
    }
    return found->second;
  }

  std::map<Digest, std::size_t> known_;
};

class PlanMaker {
 public:
  PlanMaker(const SweepBundle& bundle, Diagnostics& diagnostics)
      : bundle_(bundle), diagnostics_(diagnostics) {}

  std::optional<SweepPlan> make() {
    auto file = read_sweep_file(source(bundle_.file, bundle_.text), diagnostics_);
    if (!file) return std::nullopt;
    const auto arch = bundle_.archs.find(file->arch.name);
    if (arch == bundle_.archs.end()) {
      missing(file->arch);
      return std::nullopt;
    }
    const auto base = ArchTemplate::read(source(file->arch.name, arch->second), diagnostics_);
    Targets targets = read_targets(*file);
    if (!base) return std::nullopt;
    const Arch bare = *base->with({}, diagnostics_);
    std::vector<SweepRequest> requests = read_requests(*file, bare);
    if (file->has_constraints) constrain(targets.workloads, bare);
    if (diagnostics_.has_errors()) return std::nullopt;
    try {
      SweepPlan plan(bundle_, file->name, *base,
                     DesignSpace(file->parameters, file->settings, file->conditions),
                     std::move(targets.targets), std::move(targets.workloads), std::move(requests));
      if (!accept(plan, *file)) return std::nullopt;
      return plan;
    } catch (const InputError& error) {
      report(error.what(), file->whole);
    } catch (const OverflowError& error) {
      report(error.what(), file->whole);
    }
    return std::nullopt;
  }

 private:
  static std::shared_ptr<const SourceFile> source(const std::string& name,
                                                  const std::string& text) {
    return std::make_shared<const SourceFile>(SourceFile{name, text});
  }

  void report(const std::string& message, const Span& place) {
    diagnostics_.error("S0003", message).labels.push_back({place, ""});
  }

  void missing(const PlacedName& name) {
    report(in_backticks(name.name) + " is not part of the plan", name.span);
  }

  Targets read_targets(const SweepFile& file) {
    Targets targets;
    for (const Weighted& one : file.networks) {
      const auto text = bundle_.networks.find(one.what.name);
      if (text == bundle_.networks.end()) {
        missing(one.what);
        continue;
      }
      const auto network = read_network(source(one.what.name, text->second), diagnostics_);
      if (network) targets.add(one.what.name, one.weight, *network);
    }
    for (const Weighted& one : file.workloads) {
      try {
        Layer layer{.name = one.what.name, .workload = workload_from_words(one.what.name)};
        targets.add(one.what.name, one.weight, Network{.name = one.what.name, .layers = {layer}});
      } catch (const FileError& error) {
        for (const Diagnostic& found : error.findings()) {
          Diagnostic& copy = diagnostics_.error(found.code, found.message);
          copy.helps = found.helps;
          copy.labels.push_back({one.what.span, ""});
        }
      }
    }
    if (targets.workloads.empty() && !diagnostics_.has_errors()) {
      diagnostics_.error("S0004", "no layer of the networks has anything to map")
          .labels.push_back({file.whole, ""});
    }
    return targets;
  }

  std::vector<SweepRequest> read_requests(const SweepFile& file, const Arch& arch) {
    const auto texts = [](const std::vector<PlacedName>& given, const char* otherwise) {
      std::vector<std::string> result;
      for (const PlacedName& one : given) result.push_back(one.name);
      if (result.empty()) result.emplace_back(otherwise);
      return result;
    };
    std::vector<MapOptions> wanted;
    for (const std::string& space : texts(file.spaces, "ruby-s")) {
      for (const std::string& placement : texts(file.placements, "even")) {
        for (const std::string& objective : texts(file.objectives, "edp")) {
          wanted.push_back({.space = space,
                            .placement = placement,
                            .objective = objective,
                            .budget = file.budget,
                            .gap = file.gap,
                            .threads = 1});
        }
      }
    }
    std::vector<SweepRequest> requests;
    for (const MapOptions& options : wanted) {
      const int before = diagnostics_.errors();
      const auto request = read_request(options, arch, OptionStyle::kPython, diagnostics_);
      // A fault of the budget is one fault, however many requests share it.
      if (!request || diagnostics_.errors() > before) return requests;
      if (options.space == "pad") {
        report("`pad` changes the workloads, so that designs could not be compared", file.whole);
        return requests;
      }
      requests.push_back({*request, digest_of(*request)});
    }
    return requests;
  }

  // Designs differ in figures only, so what is read for one of them holds for all.
  void constrain(std::vector<SweepWorkload>& workloads, const Arch& arch) {
    Network all;
    for (const SweepWorkload& one : workloads) {
      all.layers.push_back({.name = one.name, .workload = one.workload});
    }
    const auto read = read_layer_constraints(source(bundle_.file, bundle_.text), all, arch,
                                             /*strict=*/false, diagnostics_);
    if (!read) return;
    const auto constraints = constraints_of_layers(*read);
    for (SweepWorkload& one : workloads) {
      const Problem problem(one.workload, arch);
      one.asked = constraints(problem);
      one.digest = digest_of(one.digest, problem, one.asked.constraints);
    }
  }

  bool accept(const SweepPlan& plan, const SweepFile& file) {
    if (plan.designs().size() == 0) {
      Diagnostic& error = diagnostics_.error("S0003", "no design meets all conditions of `where`");
      error.labels.push_back({file.whole, ""});
      error.notes.push_back(fmt::format("none of {} combinations", plan.designs().grid()));
      return false;
    }
    const std::uint64_t last = plan.designs().size() - 1;
    return try_design(plan, 0, file) && (last == 0 || try_design(plan, last, file));
  }

  // Reports what is wrong with the figures of one design, each at the entry of `set` that it is
  // about.
  bool try_design(const SweepPlan& plan, std::uint64_t number, const SweepFile& file) {
    const std::vector<std::string> figures = plan.designs().figures(number);
    Diagnostics diagnostics;
    if (plan.arch().with(make_overrides(figures, "set"), diagnostics)) return true;
    for (const Diagnostic& found : diagnostics.all()) {
      Diagnostic& copy = diagnostics_.error(found.code, found.message);
      copy.helps = found.helps;
      copy.notes = found.notes;
      copy.notes.push_back(
          fmt::format("in design {} ({})", number, plan.designs().to_text(number)));
      copy.labels.push_back({place_of(found, figures, file), ""});
    }
    return false;
  }

  static Span place_of(const Diagnostic& found, const std::vector<std::string>& figures,
                       const SweepFile& file) {
    if (found.labels.empty() || !found.labels.front().span.file) return file.whole;
    const auto figure = std::ranges::find(figures, found.labels.front().span.file->text);
    if (figure == figures.end()) return file.whole;
    return file.setting_places[static_cast<std::size_t>(figure - figures.begin())];
  }

  const SweepBundle& bundle_;
  Diagnostics& diagnostics_;
};

}  // namespace

std::string space_text(const MapRequest& request) {
  return request.placement == "even" ? request.space : request.space + " " + request.placement;
}

Digest digest_of(const Arch& arch) { return sha256_digest(write_arch(without_labels(arch))); }

SweepPlan::SweepPlan(SweepBundle bundle, std::string name, ArchTemplate arch, DesignSpace designs,
                     std::vector<SweepTarget> targets, std::vector<SweepWorkload> workloads,
                     std::vector<SweepRequest> requests)
    : bundle_(std::move(bundle)),
      name_(std::move(name)),
      arch_(std::move(arch)),
      designs_(std::move(designs)),
      targets_(std::move(targets)),
      workloads_(std::move(workloads)),
      requests_(std::move(requests)) {}

SweepProblem SweepPlan::problem(std::uint64_t number) const {
  const std::uint64_t each = problems_per_design();
  const std::uint64_t within = number % each;
  return {number, number / each, within / requests_.size(), within % requests_.size()};
}

Design SweepPlan::design(std::uint64_t number) const {
  Diagnostics diagnostics;
  auto arch = arch_.with(make_overrides(designs_.figures(number), "set"), diagnostics);
  if (arch) {
    const Digest digest = digest_of(*arch);
    return {number, std::move(*arch), digest};
  }
  std::string text;
  for (const Diagnostic& found : diagnostics.all()) text += "; " + found.message;
  throw InputError(
      fmt::format("design {} ({}) cannot be built{}", number, designs_.to_text(number), text));
}

Digest SweepPlan::key(const Design& design, std::size_t workload, std::size_t request) const {
  std::string text = fmt::format("tilewright {}\n", kModelVersion);
  for (const Digest* part :
       {&design.digest, &workloads_[workload].digest, &requests_[request].digest}) {
    text.append(reinterpret_cast<const char*>(part->data()), part->size());
  }
  return sha256_digest(text);
}

const Design& DesignCursor::at(const SweepProblem& problem) {
  if (!design_ || design_->number != problem.design) design_ = plan_.design(problem.design);
  return *design_;
}

std::optional<SweepPlan> make_plan(const SweepBundle& bundle, Diagnostics& diagnostics) {
  return PlanMaker(bundle, diagnostics).make();
}

std::optional<SweepPlan> read_plan(SweepBundle bundle, const ReadFile& read,
                                   Diagnostics& diagnostics) {
  if (!complete_bundle(bundle, read, diagnostics)) return std::nullopt;
  return make_plan(bundle, diagnostics);
}

SweepPlan plan_from_json(std::string_view bundle) {
  Diagnostics diagnostics;
  auto plan = make_plan(bundle_from_json(bundle), diagnostics);
  if (!plan) throw FileError(diagnostics);
  return std::move(*plan);
}

}  // namespace tilewright
