// SPDX-License-Identifier: Apache-2.0
// Sweeps as people and other programs read them.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "tilewright/format/layout.h"
#include "tilewright/store/store.h"
#include "tilewright/sweep/best/best.h"
#include "tilewright/sweep/plan/plan.h"
#include "tilewright/sweep/run/dispatcher.h"
#include "tilewright/sweep/table.h"

namespace tilewright {

/// `1.168 mm2`, `27.25 mJ` for an EDP in J*cycle.
std::string area_text(double area_um2, int digits);
std::string edp_text(double edp, int digits);

/// One line: how much is done, how fast, and how long the rest will take.
std::string progress_text(const SweepProgress& progress, double seconds);

/// What a finished or interrupted run did.
std::string summary_text(const SweepProgress& progress, double seconds);

/// `1,500 designs x 21 workloads x 2 requests = 63,000 problems`
std::string size_text(const SweepPlan& plan);

/// Designs with what they cost, and which of them no other one beats.
struct DesignTable {
  std::vector<Figure> figures;     ///< by which they are compared
  std::vector<DesignCost> costs;   ///< in the order of the plan
  std::vector<std::size_t> front;  ///< in `costs`, mapped ones only; each request for itself
  std::vector<bool> on_front;      ///< one for each of `costs`
};

DesignTable make_table(const SweepPlan& plan, const Store& store, std::vector<Figure> figures);

/// `most`: how many designs are shown, those on a front first; 0: all.
std::string table_text(const SweepPlan& plan, const DesignTable& table, std::size_t most,
                       const TextOptions& options);
/// One line for each design and request.
std::string table_csv(const SweepPlan& plan, const DesignTable& table);
std::string table_json(const SweepPlan& plan, const DesignTable& table);

/// One line: how many designs are solved and ruled out so far.
std::string best_progress_text(const BestProgress& progress);
/// The best designs under one request, and how many others were ruled out.
std::string best_text(const SweepPlan& plan, const BestDesigns& best, const TextOptions& options);
/// The same for all requests, with every design that was ruled out, its bounds, and by which
/// design.
std::string best_json(const SweepPlan& plan, std::span<const BestDesigns> requests);

/// One line for each problem that has an answer, handed to `write` piece by piece.
void write_problems_csv(const SweepPlan& plan, const Store& store,
                        const std::function<void(const std::string&)>& write);

}  // namespace tilewright
