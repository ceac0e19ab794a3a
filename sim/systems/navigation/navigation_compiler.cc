// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles what a pack says of navigation.

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "reprise/v1/navigation.pb.h"
#include "reprise/v1/pack.pb.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/compiler/checking/pack_names.h"
#include "sim/compiler/checking/system_compiler.h"
#include "sim/geometry/matrix3.h"
#include "sim/physics/definition/physics_bounds.h"
#include "sim/physics/definition/physics_definition.h"
#include "sim/physics/shapes/body_bounds.h"
#include "sim/systems/characters/character_system.h"
#include "sim/systems/characters/character_use.h"
#include "sim/systems/navigation/goal_compiler.h"
#include "sim/systems/navigation/mesh_compiler.h"
#include "sim/systems/navigation/navigation_definition.h"
#include "sim/systems/navigation/navigation_rows.h"
#include "sim/systems/navigation/navigation_system.h"
#include "sim/systems/navigation/space_compiler.h"
#include "sim/world/components/component.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {
namespace {

constexpr double kArriveRadiusDefaultM = 0.1;
// Radii are rounded when they are doubled.
constexpr double kWidthTolerance = 1e-9;

SearchPolicy CompilePolicy(v1::Navigator::Policy policy) {
  switch (policy) {
    case v1::Navigator::POLICY_DIJKSTRA:
      return SearchPolicy::kDijkstra;
    case v1::Navigator::POLICY_GREEDY:
      return SearchPolicy::kGreedy;
    default:
      return SearchPolicy::kAStar;
  }
}

// nullopt: the closest one.
std::optional<Heuristic> CompileHeuristic(v1::Navigator::Heuristic heuristic) {
  switch (heuristic) {
    case v1::Navigator::HEURISTIC_MANHATTAN:
      return Heuristic::kManhattan;
    case v1::Navigator::HEURISTIC_OCTILE:
      return Heuristic::kOctile;
    case v1::Navigator::HEURISTIC_EUCLIDEAN:
      return Heuristic::kEuclidean;
    case v1::Navigator::HEURISTIC_HEXAGONAL:
      return Heuristic::kHexagonal;
    default:
      return std::nullopt;
  }
}

// The values that a type's objects begin with.
void UseComponent(double speed, double arrive_radius,
                  const WorldDefinition& world, TypeDefinition& type,
                  uint32_t component) {
  const ComponentDefinition& definition = world.components[component];
  auto found = std::ranges::lower_bound(type.components, component, {},
                                        &ComponentUse::component);
  if (found == type.components.end() || found->component != component) {
    found = type.components.insert(
        found, {.component = component, .row = DefaultRow(definition)});
  }
  WriteProperty(definition, *definition.Find("speed"),
                std::array{FieldValue::OfDouble(speed)}, found->row);
  WriteProperty(definition, *definition.Find("arrive_radius"),
                std::array{FieldValue::OfDouble(arrive_radius)}, found->row);
}

class NavigationCompiler final : public SystemCompiler {
 public:
  explicit NavigationCompiler(PackCompilation& compilation)
      : SystemCompiler(compilation),
        space_names_("grids, graphs or meshes", words()),
        field_names_("flow fields", words()),
        set_names_("sets of goals", words()) {
    if (!pack().has_navigation()) return;
    CompileSpaces();
    CompileFlowFields();
    CompileBudgets();
  }

  bool WantsComponents(const v1::Type& type) override {
    return type.has_navigator();
  }

  void CompileType(const v1::Type& message, const MessageChecker& checker,
                   TypeDefinition& type) override {
    if (message.has_navigator()) {
      CompileNavigator(message.navigator(),
                       checker.In(message.navigator(), "navigator"), type);
    }
    // One that is inherited may have another body here.
    if (type.parts.Find<NavigatorUse>() == nullptr) return;
    is_used_ = true;
    if (type.body_kind.has_value() &&
        world().physics.kinds[*type.body_kind].motion != Motion::kKinematic) {
      checker.Problem("navigator", "needs a kinematic body, or none");
    }
  }

  void CompilePack() override {
    // A constant that names no set would only fail in the game.
    events().SetNamed("navigate", "goals", "set of goals");
  }

  void Finish() override {
    for (const PendingGraph& pending : graphs_) {
      CompiledGraph graph = pending.graph;
      AddWaysBySight(*pending.message, world(), graph);
      definition_->spaces[pending.space].graph.emplace(std::move(graph.points),
                                                       graph.edges);
    }
    for (int i = 0; i < message().meshes_size(); ++i) {
      const v1::NavigationMesh& mesh = message().meshes(i);
      LoadMesh(mesh, place().In(mesh, "meshes", i), compilation().archive,
               world().physics,
               *definition_->spaces[FindSpace(mesh.name()).value()].mesh);
    }
    CompileGoalSets();
    WarnOfTheWide();
  }

  std::shared_ptr<const SystemDefinition> definition() const override {
    const bool is_used = is_used_ || !definition_->spaces.empty();
    return is_used ? definition_ : nullptr;
  }

 private:
  // A graph whose ways by sight are looked for once all objects are there.
  struct PendingGraph {
    const v1::WaypointGraph* message;
    CompiledGraph graph;
    uint32_t space;
  };

  const v1::Navigation& message() const { return pack().navigation(); }
  MessageChecker place() const { return checker().In(message(), "navigation"); }

  // A character that is wider than what its paths keep free sticks in doors.
  void WarnOfTheWide() const {
    for (int i = 0; i < pack().types_size(); ++i) {
      const std::optional<uint32_t> index =
          world().FindType(IdOf(pack().types(i).name()));
      if (!index.has_value()) continue;
      const TypeDefinition& type = world().types[*index];
      const auto* const use = type.parts.Find<NavigatorUse>();
      if (use == nullptr || type.parts.Find<CharacterUse>() == nullptr ||
          !type.body_kind.has_value()) {
        continue;
      }
      const SpaceDefinition& space = definition_->spaces[use->space];
      const PhysicsDefinition& physics = world().physics;
      const auto box = BoundsOf(
          physics.shapes[physics.kinds[*type.body_kind].shape], {}, Matrix3());
      const double width_m =
          std::max(box.high.x - box.low.x, box.high.z - box.low.z);
      const double free_m = space.mesh.has_value()
                                ? 2.0 * space.mesh->settings.agent_radius_m
                            : space.grid.has_value() ? space.layout.cell_size_m
                                                     : width_m;
      if (width_m <= free_m * (1.0 + kWidthTolerance)) continue;
      const MessageChecker at = checker().In(pack().types(i), "types", i);
      at.Warning(
          "navigator",
          fmt::format("its body is {:g} m wide, and its paths lead where "
                      "{:g} m are free: it sticks in doors",
                      width_m, free_m));
    }
  }

  void CompileSpaces() {
    if (static_cast<size_t>(message().grids_size() + message().graphs_size() +
                            message().meshes_size()) > kSpacesMax) {
      place().Problem(
          "grids",
          fmt::format("more than {} grids, graphs and meshes", kSpacesMax));
      return;
    }
    SpaceBudget budget;
    for (int i = 0; i < message().grids_size(); ++i) {
      const v1::NavigationGrid& grid = message().grids(i);
      const MessageChecker at = place().In(grid, "grids", i);
      SpaceDefinition compiled = CompileGrid(grid, at, budget);
      compiled.name = space_names_.Declare("name", grid.name(), at);
      definition_->spaces.push_back(std::move(compiled));
    }
    for (int i = 0; i < message().graphs_size(); ++i) {
      const v1::WaypointGraph& graph = message().graphs(i);
      const MessageChecker at = place().In(graph, "graphs", i);
      SpaceDefinition compiled;
      compiled.name = space_names_.Declare("name", graph.name(), at);
      graphs_.push_back({&graph, CompileGraph(graph, at, budget), 0});
      definition_->spaces.push_back(std::move(compiled));
    }
    std::set<std::string> files;
    for (int i = 0; i < message().meshes_size(); ++i) {
      const v1::NavigationMesh& mesh = message().meshes(i);
      const MessageChecker at = place().In(mesh, "meshes", i);
      SpaceDefinition compiled;
      compiled.name = space_names_.Declare("name", mesh.name(), at);
      compiled.mesh = CompileMesh(mesh, at, words());
      if (!files.insert(mesh.file()).second) {
        at.Problem("file",
                   fmt::format("another mesh has '{}', too", mesh.file()));
      }
      definition_->spaces.push_back(std::move(compiled));
    }
    // A total order: names are unique in a pack that is accepted.
    std::ranges::stable_sort(definition_->spaces, {}, &SpaceDefinition::name);
    for (PendingGraph& graph : graphs_) {
      graph.space = FindSpace(graph.message->name()).value();
    }
  }

  std::optional<uint32_t> FindSpace(const std::string& name) const {
    const auto found = std::ranges::find(definition_->spaces, IdOf(name),
                                         &SpaceDefinition::name);
    if (found == definition_->spaces.end()) return std::nullopt;
    return static_cast<uint32_t>(found - definition_->spaces.begin());
  }

  std::vector<std::string> GridNames() const {
    std::vector<std::string> names;
    for (const v1::NavigationGrid& grid : message().grids()) {
      names.push_back(grid.name());
    }
    return names;
  }

  std::vector<std::string> SpaceNames() const {
    std::vector<std::string> names = GridNames();
    for (const v1::WaypointGraph& graph : message().graphs()) {
      names.push_back(graph.name());
    }
    for (const v1::NavigationMesh& mesh : message().meshes()) {
      names.push_back(mesh.name());
    }
    return names;
  }

  void CompileFlowFields() {
    if (static_cast<size_t>(message().flow_fields_size()) > kFlowFieldsMax) {
      place().Problem("flow_fields",
                      fmt::format("more than {} of them", kFlowFieldsMax));
      return;
    }
    for (int i = 0; i < message().flow_fields_size(); ++i) {
      const v1::FlowField& field = message().flow_fields(i);
      CompileFlowField(field, place().In(field, "flow_fields", i));
    }
    // A total order: names are unique in a pack that is accepted.
    std::ranges::stable_sort(definition_->flow_fields, {},
                             &FlowFieldDefinition::name);
  }

  void CompileFlowField(const v1::FlowField& field, const MessageChecker& at) {
    FlowFieldDefinition compiled = {
        .name = field_names_.Declare("name", field.name(), at)};
    const Vector3 goal =
        at.Vector("goal", field.goal(), kNavigationCoordinateMaxM);
    const std::optional<uint32_t> space = FindSpace(field.grid());
    if (!space.has_value() || !definition_->spaces[*space].grid.has_value()) {
      at.NoSuch("grid", "grid", field.grid(), GridNames());
      return;
    }
    compiled.space = *space;
    const SpaceDefinition& grid = definition_->spaces[*space];
    if (grid.grid->node_count() > kFlowFieldCellsMax) {
      at.Problem("grid",
                 fmt::format("has {} cells, more than {}",
                             grid.grid->node_count(), kFlowFieldCellsMax));
    }
    flow_cells_ += grid.grid->node_count();
    if (flow_cells_ > kFlowFieldCellsInAllMax) {
      at.Problem("grid", fmt::format("with it there are more than {} cells in "
                                     "all flow fields",
                                     kFlowFieldCellsInAllMax));
      return;
    }
    const uint32_t cell = grid.layout.CellAt(grid.grid->shape(), goal);
    if (cell == kNoNode || !grid.grid->is_open(cell)) {
      at.Problem("goal",
                 cell == kNoNode ? "is outside of the grid" : "is in a wall");
      return;
    }
    compiled.goal_cell = cell;
    definition_->flow_fields.push_back(compiled);
  }

  // Once spaces are whole. A name that isn't there is reported, one of a mesh
  // that has none of its polygons has been.
  void CompileGoalSets() {
    if (static_cast<size_t>(message().goal_sets_size()) > kGoalSetsMax) {
      place().Problem("goal_sets",
                      fmt::format("more than {} of them", kGoalSetsMax));
      return;
    }
    for (int i = 0; i < message().goal_sets_size(); ++i) {
      const v1::GoalSet& goals = message().goal_sets(i);
      const MessageChecker at = place().In(goals, "goal_sets", i);
      const Id name = set_names_.Declare("name", goals.name(), at);
      const std::optional<uint32_t> space = FindSpace(goals.space());
      if (!space.has_value()) {
        at.NoSuch("space", "grid, graph or mesh", goals.space(), SpaceNames());
        continue;
      }
      const SpaceDefinition& definition = definition_->spaces[*space];
      if (definition.mesh.has_value() &&
          definition.mesh->mesh.polygon_count() == 0) {
        continue;
      }
      std::optional<GoalSetDefinition> set =
          CompileGoals(goals, at, definition, *space);
      if (!set.has_value()) continue;
      set->name = name;
      set->text = goals.name();
      definition_->goal_sets.push_back(*std::move(set));
    }
    // A total order: names are unique in a pack that is accepted.
    std::ranges::stable_sort(definition_->goal_sets, {},
                             &GoalSetDefinition::name);
  }

  void CompileBudgets() {
    if (message().expansions_per_tick() != 0) {
      definition_->expansions_per_tick =
          place().Count("expansions_per_tick", message().expansions_per_tick(),
                        1, kExpansionsPerTickMax);
    }
    if (message().expansions_per_search() != 0) {
      definition_->expansions_per_search = place().Count(
          "expansions_per_search", message().expansions_per_search(), 1,
          kExpansionsPerSearchMax);
    }
  }

  void CompileNavigator(const v1::Navigator& navigator,
                        const MessageChecker& at, TypeDefinition& type) {
    const std::optional<uint32_t> component =
        world().FindComponent(IdOf(NavigatorRow::kTable));
    // A component of the pack's with this name is reported.
    if (!component.has_value()) return;
    NavigatorUse use = {
        .component = *component,
        .policy = CompilePolicy(navigator.policy()),
        .above_ground_m = at.Number("above_ground", navigator.above_ground(),
                                    0.0, kAboveGroundMaxM)};
    double arrive_radius = kArriveRadiusDefaultM;
    if (navigator.arrive_radius() != 0.0) {
      arrive_radius = at.Positive("arrive_radius", navigator.arrive_radius(),
                                  kNavigationCoordinateMaxM);
    }
    UseComponent(at.Positive("speed", navigator.speed(), kSpeedMax),
                 arrive_radius, world(), type, *component);
    if (navigator.space().empty() == navigator.flow_field().empty()) {
      at.Problem("space", "needs either a space or a flow_field");
    } else if (navigator.space().empty()) {
      CompileFollower(navigator, at, use);
    } else {
      CompileSeeker(navigator, at, use);
    }
    type.parts.Set(use);
  }

  void CompileFollower(const v1::Navigator& navigator, const MessageChecker& at,
                       NavigatorUse& use) const {
    const auto found = std::ranges::find(definition_->flow_fields,
                                         IdOf(navigator.flow_field()),
                                         &FlowFieldDefinition::name);
    if (found == definition_->flow_fields.end()) {
      std::vector<std::string> names;
      for (const v1::FlowField& field : message().flow_fields()) {
        names.push_back(field.name());
      }
      at.NoSuch("flow_field", "flow field", navigator.flow_field(), names);
      return;
    }
    use.space = found->space;
    use.flow_field =
        static_cast<uint32_t>(found - definition_->flow_fields.begin());
  }

  void CompileSeeker(const v1::Navigator& navigator, const MessageChecker& at,
                     NavigatorUse& use) const {
    const std::optional<uint32_t> space = FindSpace(navigator.space());
    if (!space.has_value()) {
      at.NoSuch("space", "grid, graph or mesh", navigator.space(),
                SpaceNames());
      return;
    }
    use.space = *space;
    const std::optional<Heuristic> wanted =
        CompileHeuristic(navigator.heuristic());
    const SpaceDefinition& definition = definition_->spaces[*space];
    if (!definition.grid.has_value()) {
      if (wanted.value_or(Heuristic::kEuclidean) != Heuristic::kEuclidean) {
        at.Problem("heuristic",
                   definition.mesh.has_value()
                       ? "on a mesh there is the straight line only"
                       : "on a graph there is the straight line "
                         "only");
      }
      return;
    }
    const GridNeighbours neighbours = definition.grid->shape().neighbours;
    use.heuristic = wanted.value_or(BestHeuristic(neighbours));
    if (!CanGuess(use.heuristic, neighbours)) {
      at.Problem("heuristic",
                 "guesses too much on this grid, so that paths wouldn't be the "
                 "cheapest ones");
    }
  }

  std::shared_ptr<NavigationDefinition> definition_ =
      std::make_shared<NavigationDefinition>();
  DeclaredNames space_names_;
  DeclaredNames field_names_;
  DeclaredNames set_names_;
  std::vector<PendingGraph> graphs_;
  uint64_t flow_cells_ = 0;  // of all flow fields so far
  bool is_used_ = false;
};

REPRISE_REGISTER_SYSTEM(navigation,
                        MakeSystemModule<NavigationCompiler>(
                            NavigationDefinition::Declaration(),
                            {"Pack.navigation", "Type.navigator"},
                            /*reads=*/{CharactersDefinition::kSystem}));

}  // namespace
}  // namespace reprise::sim
