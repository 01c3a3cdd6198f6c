// SPDX-License-Identifier: Apache-2.0
#include "tilewright/timeloop/timeloop.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tilewright/io/write.h"
#include "tilewright/timeloop/architecture/build.h"
#include "tilewright/timeloop/architecture/energy.h"
#include "tilewright/timeloop/architecture/levels.h"
#include "tilewright/timeloop/constraints/constraints.h"
#include "tilewright/timeloop/constraints/demands.h"
#include "tilewright/timeloop/document/document.h"
#include "tilewright/timeloop/document/template.h"
#include "tilewright/timeloop/mapper/mapper.h"
#include "tilewright/timeloop/mapping/directives.h"
#include "tilewright/timeloop/problem/problem.h"

namespace tilewright::timeloop {
namespace {

using FileList = std::vector<std::shared_ptr<const SourceFile>>;

constexpr std::int64_t kDefaultBits = 16;

/// Reads Timeloop's files, after our own have been read.
class Reader {
 public:
  Reader(FileList files, FileList ours, Reading& reading, Diagnostics& diagnostics,
         const Overrides& overrides, const Options& options)
      : files_(std::move(files)),
        ours_(std::move(ours)),
        reading_(reading),
        documents_(reading.documents),
        findings_{diagnostics, {}, {}},
        diagnostics_(diagnostics),
        overrides_(overrides),
        options_(options) {}

  void read() {
    FileList all = files_;
    all.insert(all.end(), ours_.begin(), ours_.end());
    GivenFiles given(all);
    TreeLoader loader(options_.files == nullptr ? given : *options_.files, options_.definitions,
                      diagnostics_);
    document_ = read_sections(files_, loader, findings_);
    reading_.included = loader.included();
    // A file of which it cannot be told whose it is may have been included.
    std::erase_if(ours_, [&](const auto& file) {
      return std::ranges::find(reading_.included, file) != reading_.included.end();
    });
    if (!ours_.empty()) documents_ = tilewright::read_documents(ours_, diagnostics_);
    sources_ = document_.names();
    const bool ours = documents_.has_mapping_section;
    if (document_.mapping && ours) report_twice(*document_.mapping, "mapping");
    documents_.has_mapping_section = ours || document_.mapping.has_value();
    read_workload();
    read_arch();
    if (document_.mapper) reading_.objective = read_mapper(*document_.mapper, findings_);
    if (documents_.workload && documents_.arch) read_rest();
    report_unsupported(findings_, options_.ignore_unsupported);
    for (const Unsupported& one : findings_.unsupported) reading_.ignored.push_back(one.what);
    reading_.notes = findings_.notes;
  }

 private:
  void report_twice(const Section& section, const char* ours) {
    Diagnostic& error = diagnostics_.error(
        "F0013", fmt::format("`{}` stands in a file of Timeloop's, and `{}` in one of ours",
                             section.name, ours));
    error.labels.push_back({section.place, ""});
    error.helps.emplace_back("give only one of the two files");
  }

  void read_workload() {
    if (!document_.problem) return;
    if (documents_.workload) return report_twice(*document_.problem, "workload");
    documents_.workload =
        read_problem(*document_.problem, Names(sources_), kDefaultBits, findings_);
  }

  // Without a problem these are the names that most files have.
  std::vector<std::string> tensor_names() const {
    if (!documents_.workload) return {"Inputs", "Weights", "Outputs"};
    std::vector<std::string> names;
    for (const Tensor& tensor : documents_.workload->tensors()) names.push_back(tensor.name);
    return names;
  }

  void read_arch() {
    if (!document_.architecture) return;
    if (documents_.arch) return report_twice(*document_.architecture, "arch");
    hardware_ = read_architecture(*document_.architecture, sources_, tensor_names(), findings_);
    if (!hardware_) return;
    add_energies(document_.ert ? &*document_.ert : nullptr, *hardware_, findings_);
    if (document_.art) add_areas(*document_.art, *hardware_, findings_);
    documents_.arch = build_arch(*hardware_, tensor_names(), documents_.arch_source, findings_);
    if (documents_.arch && !overrides_.empty()) override_arch();
    // A problem has no widths: those of the outermost memory are the best guess.
    if (documents_.arch && documents_.workload && document_.problem) {
      const NodeId outermost = documents_.arch->memories().front();
      documents_.workload =
          with_bits(*documents_.workload, documents_.arch->memory(outermost).bits.front().bits);
    }
  }

  // `--with` changes keys of our own language, so the architecture is written in it first.
  void override_arch() {
    const auto text = std::make_shared<const SourceFile>(
        SourceFile{document_.architecture->place.file->name, write_arch(*documents_.arch)});
    documents_.arch = tilewright::read_arch(text, diagnostics_, overrides_);
  }

  void read_rest() {
    documents_.problem.emplace(*documents_.workload, *documents_.arch,
                               Conventions{.holes_are_data = true});
    const Names names(sources_);
    if (document_.mapping && hardware_) {
      const Section none;
      std::vector<DimId> dims =
          shape_order(document_.problem ? *document_.problem : none, *documents_.workload);
      documents_.mapping =
          timeloop::read_mapping(*document_.mapping, *hardware_, *documents_.problem,
                                 std::move(dims), names, findings_, documents_.mapping_source);
    } else if (document_.mapping) {
      diagnostics_.error("T0010", "a mapping of Timeloop's needs an architecture of Timeloop's")
          .labels.push_back({document_.mapping->place, ""});
    } else if (documents_.has_mapping_section) {
      read_our_mapping();
    }
    read_all_constraints(names);
  }

  // Ours need the problem, which they did not have when the other sections were read.
  void read_our_mapping() {
    if (documents_.mapping) return;
    for (const auto& file : ours_) {
      Diagnostics ignored;
      if (!tilewright::read_documents({file}, ignored).has_mapping_section) continue;
      documents_.mapping = tilewright::read_mapping(file, *documents_.problem, diagnostics_,
                                                    &documents_.mapping_source);
    }
  }

  void read_all_constraints(const Names& names) {
    const int before = diagnostics_.errors();
    if (documents_.has_constraints_section && documents_.constraints.empty()) {
      documents_.constraints = read_constraints(documents_.constraints_file, *documents_.problem,
                                                diagnostics_, &documents_.constraint_source)
                                   .value_or(std::vector<Constraint>{});
    }
    if (!hardware_) return;
    const std::vector<LevelDemands> demands =
        read_demands(document_, *hardware_, *documents_.problem, names, findings_);
    if (diagnostics_.errors() > before) return;
    PlacedConstraints found = to_constraints(demands, *hardware_, *documents_.problem, findings_);
    if (found.constraints.empty()) return;
    documents_.has_constraints_section = true;
    if (!documents_.constraints_file) documents_.constraints_file = hardware_->place.file;
    documents_.constraints.insert(documents_.constraints.end(), found.constraints.begin(),
                                  found.constraints.end());
    documents_.constraint_source.insert(documents_.constraint_source.end(), found.places.begin(),
                                        found.places.end());
  }

  FileList files_;
  FileList ours_;
  Reading& reading_;
  Documents& documents_;
  Findings findings_;
  Diagnostics& diagnostics_;
  const Overrides& overrides_;
  const Options& options_;
  Document document_;
  std::shared_ptr<NameSources> sources_;
  std::optional<Hardware> hardware_;
};

}  // namespace

Reading read_documents(const std::vector<std::shared_ptr<const SourceFile>>& files,
                       Diagnostics& diagnostics, const Overrides& overrides,
                       const Options& options) {
  FileList theirs;
  FileList ours;
  for (const auto& file : files) (is_timeloop(*file) ? theirs : ours).push_back(file);
  Reading reading;
  if (theirs.empty()) {
    reading.documents = tilewright::read_documents(ours, diagnostics, overrides);
    return reading;
  }
  Reader(std::move(theirs), std::move(ours), reading, diagnostics, overrides, options).read();
  return reading;
}

}  // namespace tilewright::timeloop
