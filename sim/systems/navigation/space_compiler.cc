// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/navigation/space_compiler.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "fmt/format.h"
#include "sim/base/object_id.h"
#include "sim/navigation/grid_clusters.h"
#include "sim/physics/definition/physics_definition.h"
#include "sim/physics/physics_world.h"
#include "sim/physics/queries/physics_queries.h"
#include "sim/state/state.h"
#include "sim/systems/navigation/navigation_definition.h"

namespace reprise::sim {
namespace {

constexpr double kSightRadiusMaxM = 100.0;

// What each character weighs; -1: it means nothing.
using Symbols = std::array<int32_t, 256>;

Symbols CompileSymbols(const v1::NavigationGrid& message,
                       const MessageChecker& checker) {
  Symbols symbols;
  symbols.fill(-1);
  symbols['.'] = 1;
  symbols['#'] = kWallWeight;
  std::set<char> seen;
  for (int i = 0; i < message.symbols_size(); ++i) {
    const v1::CellSymbol& symbol = message.symbols(i);
    const MessageChecker place = checker.In(symbol, "symbols", i);
    const std::string& text = symbol.symbol();
    if (text.size() != 1 || text[0] < ' ' || text[0] > '~') {
      place.Problem("symbol", "has to be one character of ASCII");
      continue;
    }
    if (!seen.insert(text[0]).second) {
      place.Problem("symbol", fmt::format("there are two '{}'", text));
    }
    symbols[static_cast<uint8_t>(text[0])] = static_cast<int32_t>(
        place.Count("weight", symbol.weight(), 0, kCellWeightMax));
  }
  return symbols;
}

std::optional<uint16_t> WeightOf(const Symbols& symbols, char symbol) {
  const int32_t weight = symbols[static_cast<uint8_t>(symbol)];
  if (weight < 0) return std::nullopt;
  return static_cast<uint16_t>(weight);
}

GridNeighbours CompileNeighbours(v1::NavigationGrid::Neighbours neighbours) {
  switch (neighbours) {
    case v1::NavigationGrid::NEIGHBOURS_EIGHT:
      return GridNeighbours::kEightBothOpen;
    case v1::NavigationGrid::NEIGHBOURS_EIGHT_ONE_OPEN:
      return GridNeighbours::kEightOneOpen;
    case v1::NavigationGrid::NEIGHBOURS_EIGHT_FREE:
      return GridNeighbours::kEightFree;
    case v1::NavigationGrid::NEIGHBOURS_HEXAGONAL:
      return GridNeighbours::kHexagonal;
    default:
      return GridNeighbours::kFour;
  }
}

// The size of the grid; nullopt after reporting that it has none.
std::optional<GridShape> CompileShape(const v1::NavigationGrid& message,
                                      const MessageChecker& checker) {
  GridShape shape = {.neighbours = CompileNeighbours(message.neighbours())};
  const bool has_extent = message.columns() != 0 || message.row_count() != 0;
  if (has_extent == (message.rows_size() > 0)) {
    checker.Problem("rows", "needs either rows, or columns and row_count");
    return std::nullopt;
  }
  if (has_extent) {
    shape.columns = message.columns();
    shape.rows = message.row_count();
    checker.Count("columns", shape.columns, 1, kGridSideMax);
    checker.Count("row_count", shape.rows, 1, kGridSideMax);
  } else {
    shape.columns = static_cast<uint32_t>(message.rows(0).size());
    shape.rows = static_cast<uint32_t>(message.rows_size());
    if (shape.columns < 1 || shape.columns > kGridSideMax ||
        shape.rows > kGridSideMax) {
      checker.Problem(
          "rows", fmt::format("{} of {} cells: both can be 1 to {}", shape.rows,
                              shape.columns, kGridSideMax));
      return std::nullopt;
    }
    for (int row = 0; row < message.rows_size(); ++row) {
      if (message.rows(row).size() == shape.columns) continue;
      checker.Problem(
          "rows", fmt::format("row {} has {} cells, and the first has {}", row,
                              message.rows(row).size(), shape.columns));
      return std::nullopt;
    }
  }
  const bool is_in_range = shape.columns >= 1 &&
                           shape.columns <= kGridSideMax && shape.rows >= 1 &&
                           shape.rows <= kGridSideMax;
  return is_in_range ? std::optional(shape) : std::nullopt;
}

std::vector<uint16_t> CompileRows(const v1::NavigationGrid& message,
                                  const MessageChecker& checker,
                                  const Symbols& symbols,
                                  const GridShape& shape) {
  std::vector<uint16_t> weights(
      shape.cell_count(), static_cast<uint16_t>(std::max(symbols['.'], 0)));
  for (int row = 0; row < message.rows_size(); ++row) {
    for (uint32_t column = 0; column < shape.columns; ++column) {
      const char symbol = message.rows(row)[column];
      const std::optional<uint16_t> weight = WeightOf(symbols, symbol);
      if (!weight.has_value()) {
        checker.Problem("rows", fmt::format("'{}' in row {}, column {} is no "
                                            "symbol of the grid",
                                            symbol, row, column));
        return weights;
      }
      weights[static_cast<uint32_t>(row) * shape.columns + column] = *weight;
    }
  }
  return weights;
}

void CompileAreas(const v1::NavigationGrid& message,
                  const MessageChecker& checker, const Symbols& symbols,
                  const GridShape& shape, SpaceBudget& budget,
                  std::vector<uint16_t>& weights) {
  for (int i = 0; i < message.areas_size(); ++i) {
    const v1::CellArea& area = message.areas(i);
    const MessageChecker place = checker.In(area, "areas", i);
    place.Count("column", area.column(), 0, shape.columns - 1);
    place.Count("row", area.row(), 0, shape.rows - 1);
    if (area.column() >= shape.columns || area.row() >= shape.rows) continue;
    place.Count("columns", area.columns(), 1, shape.columns - area.column());
    place.Count("rows", area.rows(), 1, shape.rows - area.row());
    const std::optional<uint16_t> weight =
        area.symbol().size() == 1 ? WeightOf(symbols, area.symbol()[0])
                                  : std::nullopt;
    if (!weight.has_value()) {
      place.Problem("symbol", fmt::format("'{}' is no symbol of the grid",
                                          area.symbol()));
      continue;
    }
    if (area.columns() > shape.columns - area.column() ||
        area.rows() > shape.rows - area.row()) {
      continue;
    }
    const uint64_t area_cells = uint64_t{area.columns()} * area.rows();
    if (area_cells > budget.area_cells) {
      place.Problem("rows", fmt::format("more than {} cells in all areas",
                                        kAreaCellsInAllMax));
      return;
    }
    budget.area_cells -= area_cells;
    for (uint32_t row = area.row(); row < area.row() + area.rows(); ++row) {
      std::fill_n(weights.begin() + row * shape.columns + area.column(),
                  area.columns(), *weight);
    }
  }
}

// The least that a cell of the grid ever weighs.
uint16_t LeastWeight(const v1::NavigationGrid& message,
                     const MessageChecker& checker, const Symbols& symbols) {
  uint16_t lightest = kCellWeightMax;
  for (const int32_t weight : symbols) {
    if (weight > 0 && weight <= kCellWeightMax)
      lightest = std::min(lightest, static_cast<uint16_t>(weight));
  }
  if (message.least_weight() == 0) return lightest;
  return static_cast<uint16_t>(std::clamp(
      checker.Count("least_weight", message.least_weight(), 1, lightest), 1u,
      uint32_t{lightest}));
}

Vector3 PlaceWithin(std::string_view field, const v1::Vector3& value,
                    const MessageChecker& checker) {
  return checker.Vector(field, value, kNavigationCoordinateMaxM);
}

void CompileWays(const v1::WaypointGraph& message,
                 const MessageChecker& checker,
                 const std::map<std::string, uint32_t>& indexes,
                 CompiledGraph& compiled) {
  std::vector<std::string> names;
  for (const auto& [name, index] : indexes) names.push_back(name);
  for (int i = 0; i < message.ways_size(); ++i) {
    const v1::WaypointWay& way = message.ways(i);
    const MessageChecker place = checker.In(way, "ways", i);
    const auto from = indexes.find(way.from());
    const auto to = indexes.find(way.to());
    if (from == indexes.end()) {
      place.NoSuch("from", "point", way.from(), names);
    }
    if (to == indexes.end()) place.NoSuch("to", "point", way.to(), names);
    double weight = 1.0;
    if (way.weight() != 0.0) {
      weight = place.Number("weight", way.weight(), 1.0, kWaypointWeightMax);
    }
    if (from == indexes.end() || to == indexes.end()) continue;
    if (from == to) place.Problem("to", "is the point that it comes from");
    if (!(weight >= 1.0 && weight <= kWaypointWeightMax)) continue;
    compiled.edges.push_back({from->second, to->second, weight});
    if (!way.one_way()) {
      compiled.edges.push_back({to->second, from->second, weight});
    }
  }
}

// The fixed bodies of a world at tick 0, to look between.
class FixedBodies {
 public:
  explicit FixedBodies(const WorldDefinition& world)
      : physics_(std::make_shared<const PhysicsDefinition>(world.physics)),
        tables_(PhysicsWorld::AddTables(state_)),
        queries_(physics_, tables_) {
    PhysicsWorld(physics_, tables_).InitializeState(state_);
    queries_.Look(state_);
    for (const BodyPlacement& body : physics_->bodies) {
      if (physics_->kinds[body.kind].motion == Motion::kFixed) {
        fixed_.insert(body.object);
      }
    }
  }

  bool StandBetween(Vector3 from, Vector3 to, double radius_m) const {
    std::vector<QueryHit> hits;
    if (radius_m > 0.0) {
      hits = queries_.CastSolidThrough(
          {.solid = SpherePrimitive{.radius_m = radius_m},
           .way = {.from = from, .to = to},
           .rotation = {}});
    } else {
      hits = queries_.CastRayThrough({.from = from, .to = to});
    }
    return std::ranges::any_of(hits, [this](const QueryHit& hit) {
      return fixed_.contains(hit.what.object);
    });
  }

 private:
  std::shared_ptr<const PhysicsDefinition> physics_;
  State state_;
  PhysicsTables tables_;
  PhysicsQueries queries_;
  std::set<ObjectId> fixed_;
};

}  // namespace

SpaceDefinition CompileGrid(const v1::NavigationGrid& message,
                            const MessageChecker& checker,
                            SpaceBudget& budget) {
  SpaceDefinition compiled;
  compiled.grid.emplace(GridShape{}, std::vector<uint16_t>{kWallWeight},
                        uint16_t{1});
  compiled.layout.origin = PlaceWithin("origin", message.origin(), checker);
  if (message.cell_size() != 0.0) {
    compiled.layout.cell_size_m = checker.Number(
        "cell_size", message.cell_size(), kCellSizeMinM, kCellSizeMaxM);
  }
  const Symbols symbols = CompileSymbols(message, checker);
  if (message.cluster_size() != 0) {
    compiled.cluster_side =
        std::clamp(checker.Count("cluster_size", message.cluster_size(),
                                 kClusterSideMin, kClusterSideMax),
                   kClusterSideMin, kClusterSideMax);
  }
  const uint16_t least_weight = LeastWeight(message, checker, symbols);
  const std::optional<GridShape> shape = CompileShape(message, checker);
  if (!shape.has_value()) return compiled;
  if (shape->cell_count() > budget.cells) {
    checker.Problem("rows", fmt::format("more than {} cells in all grids",
                                        kGridCellsInAllMax));
    return compiled;
  }
  budget.cells -= shape->cell_count();
  std::vector<uint16_t> weights =
      CompileRows(message, checker, symbols, *shape);
  CompileAreas(message, checker, symbols, *shape, budget, weights);
  const bool is_in_range = std::ranges::all_of(weights, [&](uint16_t weight) {
    return weight == kWallWeight ||
           (weight >= least_weight && weight <= kCellWeightMax);
  });
  if (!is_in_range) return compiled;  // reported: a symbol is too heavy
  compiled.grid.emplace(*shape, std::move(weights), least_weight);
  return compiled;
}

CompiledGraph CompileGraph(const v1::WaypointGraph& message,
                           const MessageChecker& checker, SpaceBudget& budget) {
  CompiledGraph compiled;
  const auto count = static_cast<uint32_t>(message.points_size());
  checker.Count("points", count, 1, kWaypointsMax);
  checker.Number("sight_range", message.sight_range(), 0.0,
                 kNavigationCoordinateMaxM);
  checker.Number("sight_radius", message.sight_radius(), 0.0, kSightRadiusMaxM);
  if (message.sight_range() > 0.0) {
    if (count > budget.sight_points) {
      checker.Problem("sight_range",
                      fmt::format("more than {} points of all graphs look for "
                                  "each other",
                                  kSightPointsInAllMax));
    } else {
      budget.sight_points -= count;
    }
  }
  checker.Count("ways", static_cast<uint32_t>(message.ways_size()), 0,
                kWaypointEdgesMax / 2);
  std::map<std::string, uint32_t> indexes;
  for (uint32_t i = 0; i < std::min(count, kWaypointsMax); ++i) {
    const v1::Waypoint& point = message.points(static_cast<int>(i));
    const MessageChecker place =
        checker.In(point, "points", static_cast<int>(i));
    if (!indexes.emplace(place.Name("name", point.name()), i).second) {
      place.Problem("name",
                    fmt::format("there are two points '{}'", point.name()));
    }
    compiled.points.push_back(PlaceWithin("position", point.position(), place));
  }
  if (message.ways_size() <= static_cast<int>(kWaypointEdgesMax / 2)) {
    CompileWays(message, checker, indexes, compiled);
  }
  return compiled;
}

void AddWaysBySight(const v1::WaypointGraph& message,
                    const WorldDefinition& world, CompiledGraph& graph) {
  if (message.sight_range() == 0.0) return;
  const FixedBodies bodies(world);
  for (uint32_t a = 0; a < graph.points.size(); ++a) {
    for (uint32_t b = a + 1; b < graph.points.size(); ++b) {
      const Vector3 from = graph.points[a];
      const Vector3 to = graph.points[b];
      const double distance = Length(to - from);
      if (distance > message.sight_range() ||
          (distance > 0.0 &&
           bodies.StandBetween(from, to, message.sight_radius()))) {
        continue;
      }
      graph.edges.push_back({a, b, 1.0});
      graph.edges.push_back({b, a, 1.0});
    }
  }
}

}  // namespace reprise::sim
