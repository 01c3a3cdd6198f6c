// SPDX-License-Identifier: Apache-2.0
#include "tilewright/result/tile_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tilewright/base/checked.h"
#include "tilewright/format/csv_text.h"

namespace tilewright {

std::vector<TileRow> tile_rows(const Problem& problem, const Mapping& mapping) {
  const std::span<const Dim> dims = problem.workload().dims();
  const std::span<const NestNode> nodes = mapping.nodes();
  std::vector<TileRow> rows;
  // From the inside: what the loops so far cover, and what those since the last keep node do.
  std::vector<std::int64_t> inside(dims.size(), 1);
  std::vector<TileRow> level(dims.size());
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    if (node->is_loop()) {
      TileRow& row = level[node->dim.pos()];
      std::int64_t& product = node->kind == NestNode::Kind::kTemporal ? row.factor : row.spatial;
      product = checked_mul(product, node->factor);
      std::int64_t& extent = inside[node->dim.pos()];
      extent = std::min(dims[node->dim.pos()].size, checked_mul(extent, node->factor));
      continue;
    }
    for (std::size_t d = dims.size(); d-- > 0;) {
      rows.push_back({node->node, DimId(d), inside[d], level[d].factor, level[d].spatial});
    }
    level.assign(dims.size(), {});
  }
  std::ranges::reverse(rows);
  return rows;
}

std::string tiles_csv(const Problem& problem, const Mapping& mapping) {
  std::string text = "level,dim,tile,factor,spatial\n";
  for (const TileRow& row : tile_rows(problem, mapping)) {
    text += csv_line({csv_cell(problem.arch().memory(row.memory).name),
                      csv_cell(problem.workload().dim(row.dim).name), fmt::format("{}", row.tile),
                      fmt::format("{}", row.factor), fmt::format("{}", row.spatial)});
  }
  return text;
}

nlohmann::ordered_json tiles_json(const Problem& problem, const Mapping& mapping) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const TileRow& row : tile_rows(problem, mapping)) {
    list.push_back({{"level", problem.arch().memory(row.memory).name},
                    {"dim", problem.workload().dim(row.dim).name},
                    {"tile", row.tile},
                    {"factor", row.factor},
                    {"spatial", row.spatial}});
  }
  return list;
}

}  // namespace tilewright
