// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/navigation/navigation_system.h"

#include <algorithm>
#include <array>

#include "sim/base/check.h"
#include "sim/game_description.h"
#include "sim/physics/definition/physics_bounds.h"
#include "sim/state/row_schema.h"
#include "sim/systems/navigation/navigation_events.h"
#include "sim/world/components/component.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/components/sorted_rows.h"
#include "sim/world/events/event_router.h"
#include "sim/world/objects/objects.h"
#include "sim/world/objects/world_parts.h"

namespace reprise::sim {
namespace {

// How a place on a mesh is packed (PackMeshPlace).
std::vector<Legend::Part> MeshPlaceParts() {
  constexpr double kVoxel = 1.0 / kStepsPerVoxel;
  return {{"polygon", 48, 16, 1.0, 0.0, ""},
          {"x", 24, 24, kVoxel, 0.0, ""},
          {"z", 0, 24, kVoxel, 0.0, ""}};
}

enum StepNumber : uint32_t { kSearch, kGo, kSweep };

// Requests whose turn comes in a tick; what they cost is expansions.
constexpr uint32_t kTurnsPerTickMax = 1u << 16;

constexpr auto kNotes = std::to_array<PropertyNote>({
    {"goal", "where it wants to be; not on a flow field",
     -kNavigationCoordinateMaxM, kNavigationCoordinateMaxM},
    {"target", "whom it follows instead, if anybody"},
    {"speed", "how fast it goes", 0.0, kSpeedMax},
    {"arrive_radius", "so close to its goal it has arrived", 0.0,
     kNavigationCoordinateMaxM},
    {"is_active", "1: it goes; 0: it stays", 0.0, 1.0},
    {"status", "what it does", 0.0, 4.0, kNavigatorStatusNames},
});

constexpr FieldValue kFalse = {.type = ScalarType::kBool, .bits = 0};
constexpr FieldValue kTrue = {.type = ScalarType::kBool, .bits = 1};

RequestRow RequestOf(const PathSearchRow& search) {
  return {.due = search.due,
          .request = search.request,
          .kind = kPathRequest,
          .object = search.object,
          .event = search.event};
}

}  // namespace

const SystemDeclaration& NavigationDefinition::Declaration() {
  static const SystemDeclaration declaration = {
      .name = kSystem,
      .help = "objects that find their way on grids, graphs and meshes",
      .tables = {RowSchema::Of<PathSearchRow>(),
                 RowSchema::Of<ReachedNodeRow>(), RowSchema::Of<CorridorRow>(),
                 RowSchema::Of<PathPointRow>(), RowSchema::Of<ChangedCellRow>(),
                 RowSchema::Of<FlowGoalRow>(),
                 RowSchema::Of<NavigationCounterRow>()},
      .steps = {{.name = "path searches",
                 .point = StepPoint::kEvents,
                 .after = {kAnswersStep.name, "controls"},
                 .before = {kEventsStep.name},
                 .writes = {"components.navigator", "events"},
                 .asks = {"characters"}},
                {.name = "navigators",
                 .point = StepPoint::kPrePhysics,
                 .after = {kDecideStep.name},
                 .before = {"vehicles look", "characters", "vehicles"},
                 .writes = {"components.navigator", "events", "physics.bodies",
                            "world.places", "world.requests"},
                 .asks = {"characters"}},
                {.name = "paths of nobody", .point = StepPoint::kAfterObjects}},
      .events = kNavigationEvents,
      .handles = {kChangeArea, kChangeCell, kChangeLink, kMoveFlowGoal,
                  kNavigate, kNavigateStop},
      .components = {NativeComponent<NavigatorRow>("finds its way", kNotes)},
      .requests = {{.name = kPathRequestName,
                    .per_tick_max = kTurnsPerTickMax}},
      .words = {kFoundName, kGoalBlocked, kGoalOutside, kNoSuchArea,
                kNoSuchCell, kNoSuchGoals, kNoSuchLink, kNoSuchWeight,
                kStartOutside, kSuperseded, kTargetGone, kTooFar, kTooMany,
                kUnreachable}};
  return declaration;
}

void NavigationDefinition::Describe(
    [[maybe_unused]] const WorldDefinition& world,
    GameDescription& description) const {
  // Metres, where all places are of one mesh; otherwise voxels of theirs.
  const MeshDefinition* mesh = nullptr;
  size_t count = 0;
  for (const SpaceDefinition& space : spaces) {
    if (!space.mesh.has_value()) continue;
    mesh = &*space.mesh;
    ++count;
  }
  if (mesh == nullptr && goal_sets.empty()) return;
  Legend legend = {.entries = {{static_cast<int64_t>(kNowhere), "nowhere"}}};
  for (uint32_t set = 0; set < goal_sets.size(); ++set) {
    legend.entries.push_back({static_cast<int64_t>(NearestOf(set)),
                              "nearest of " + goal_sets[set].text});
  }
  if (mesh != nullptr) legend.parts = MeshPlaceParts();
  if (count == 1 && mesh->mesh.polygon_count() > 0) {
    const Vector3 origin = mesh->mesh.PositionOf({});
    const double step_m = mesh->mesh.scale().cell_size_m / kStepsPerVoxel;
    legend.parts[1] = {"x", 24, 24, step_m, origin.x, "m"};
    legend.parts[2] = {"z", 0, 24, step_m, origin.z, "m"};
  }
  // Cells and points of graphs are lower numbers.
  if (mesh != nullptr && count < spaces.size())
    legend.least = uint64_t{kNowhere} + 1;
  const auto add = [&](std::string_view room, std::string_view table,
                       std::string_view field) {
    legend.room = room;
    legend.table = table;
    legend.field = field;
    description.legends.push_back(legend);
  };
  add("components", NavigatorRow::kTable, "goal_node");
  add("navigation", PathSearchRow::kTable, "goal_node");
  add("navigation", PathSearchRow::kTable, "start_node");
}

std::unique_ptr<System> NavigationDefinition::Create(
    const SystemPlace& place) const {
  return std::make_unique<Navigators>(*this, place);
}

Navigators::Navigators(const NavigationDefinition& definition,
                       const SystemPlace& place)
    : System(place),
      definition_(definition),
      uses_(PartsOfTypes<NavigatorUse>(place.parts.definition)),
      walkers_(PartsOfTypes<CharacterUse>(place.parts.definition)),
      component_(
          place.parts.definition.FindComponent(IdOf(NavigatorRow::kTable))),
      spaces_(definition.spaces, definition.goal_sets),
      searches_(place.parts,
                {.searches = place.tables[kSearches],
                 .reached = place.tables[kReached],
                 .corridor = place.tables[kCorridor],
                 .counters = place.tables[kCounters]},
                spaces_, definition.expansions_per_search),
      fields_(definition.flow_fields.size()) {
  uint64_t cells = 1;
  for (const FlowFieldDefinition& field : definition.flow_fields) {
    cells += definition.spaces[field.space].grid->node_count();
  }
  flow_changes_per_step_ = std::clamp<uint64_t>(kFlowCellsPerStepMax / cells, 1,
                                                kFlowChangesPerStepMax);
}

void Navigators::Connect(const Systems& systems) {
  characters_ = systems.Find<Characters>();
}

void Navigators::Initialize() {
  mutable_table(kCounters).Resize(1);
  Table& goals = mutable_table(kFlowGoals);
  goals.Resize(static_cast<uint32_t>(definition_.flow_fields.size()));
  for (uint32_t field = 0; field < definition_.flow_fields.size(); ++field) {
    goals.Mutable<FlowGoalRow>(field) = {
        .field = definition_.flow_fields[field].name,
        .cell = definition_.flow_fields[field].goal_cell};
  }
}

void Navigators::Load() {
  spaces_.Load(table(kCells));
  searches_.Load();
  for (KnownField& known : fields_) known.is_current = false;
  ForgetFieldChanges();
  has_dropped_paths_ = false;
}

void Navigators::Run(uint32_t step) {
  if (step == kSearch) {
    ForgetFieldChanges();
    RunSearches();
  } else if (step == kGo) {
    for (uint32_t type = 0; type < uses_.size(); ++type) {
      if (uses_[type] == nullptr) continue;
      for (const uint32_t row : parts().objects.RowsOfType(type)) {
        if (ObjectAt(row).status != ObjectStatus::kActive) continue;
        Update(*uses_[type], row);
      }
    }
  }
  if (step == kSweep || has_dropped_paths_) SweepPaths();
}

void Navigators::Answer([[maybe_unused]] uint32_t kind,
                        const RequestRow& request) {
  searches_.TakeDue(request);
}

bool Navigators::IsSeeker(uint32_t row) const {
  return IsSeekerUse(UseOf(row));
}

std::optional<uint64_t> Navigators::FindNearest(uint32_t row, Id goals) const {
  const auto& sets = definition_.goal_sets;
  const auto found =
      std::ranges::lower_bound(sets, goals, {}, &GoalSetDefinition::name);
  if (found == sets.end() || found->name != goals ||
      found->space != UseOf(row)->space) {
    return std::nullopt;
  }
  return NearestOf(static_cast<uint32_t>(found - sets.begin()));
}

void Navigators::Keep(uint32_t row, const RequestRow& request, Vector3 goal) {
  KeepFor(row, request, spaces_.GoalAt(*UseOf(row), goal));
}

void Navigators::KeepFor(uint32_t row, const RequestRow& request,
                         uint64_t goal_node) {
  NavigatorRow& navigator = MutableRowAt(row);
  navigator.goal_node = goal_node;
  navigator.search = searches_.Put({.due = request.due,
                                    .request = request.request,
                                    .object = request.object,
                                    .event = request.event,
                                    .goal_node = navigator.goal_node});
}

std::vector<Vector3> Navigators::PathOf(uint32_t row) const {
  const NavigatorRow& navigator = RowAt(row);
  const double y = sim::PlaceOf(parts(), state(), row).position.y;
  std::vector<Vector3> points;
  const uint32_t first = FirstPoint(navigator.path);
  for (uint64_t i = navigator.next; i < navigator.points; ++i) {
    const uint64_t node = NodeOfPoint(UseOf(row)->space, first + i);
    points.push_back(spaces_.PlaceOf(*UseOf(row), node, y));
  }
  return points;
}

bool Navigators::IsSeekerUse(const NavigatorUse* use) {
  return use != nullptr && !use->flow_field.has_value();
}

const NavigatorUse* Navigators::UseOf(uint32_t row) const {
  return uses_[parts().objects.TypeOf(row)];
}

const ObjectRow& Navigators::ObjectAt(uint32_t row) const {
  return state().table(parts().tables.objects.objects).Get<ObjectRow>(row);
}

const Table& Navigators::components() const {
  return state().table(parts().tables.objects.components[*component_]);
}

const NavigatorRow& Navigators::RowAt(uint32_t row) const {
  return components().Get<NavigatorRow>(
      parts().objects.ComponentRow(row, *component_));
}

NavigatorRow& Navigators::MutableRowAt(uint32_t row) const {
  return state()
      .mutable_table(parts().tables.objects.components[*component_])
      .Mutable<NavigatorRow>(parts().objects.ComponentRow(row, *component_));
}

void Navigators::RunSearches() {
  if (table(kSearches).row_count() == 0) return;
  const auto seeker_of = [this](const PathSearchRow& search) -> PathSeeker {
    const uint32_t row = parts().objects.RowOf(state(), search.object);
    if (row == kNoRow || !IsSeeker(row)) return {};
    return {.use = UseOf(row), .row = row, .search = RowAt(row).search};
  };
  const uint32_t left =
      searches_.Run(definition_.expansions_per_tick, seeker_of,
                    [this](const EndedSearch& ended) { Settle(ended); });
  if (left == 0) return;
  parts().router->Post(
      {.type = kPathBudgetPassed,
       .arguments = {{kCountWord, FieldValue::OfInt64(left)}}});
}

void Navigators::Settle(const EndedSearch& ended) {
  if (ended.reason == kSearchSuperseded) {
    if (ended.search.event != kPathFound) AnswerFailed(ended);
    return;
  }
  const uint32_t row = parts().objects.RowOf(state(), ended.search.object);
  MutableRowAt(row).search = 0;
  if (ended.reason == kNoId && TakePath(*UseOf(row), row, ended)) {
    AnswerFound(ended);
    return;
  }
  EndedSearch failed = ended;
  if (failed.reason == kNoId) failed.reason = IdOf(kTooMany);
  NavigatorRow& navigator = MutableRowAt(row);
  DropPath(navigator);
  if (ended.search.event != kPathFound) {
    AnswerFailed(failed);
    return;
  }
  Stop(navigator, kNavigatorFailed);
  TellObject(parts(), kPathFailed, navigator.object,
             {{kReasonWord, FieldValue::OfId(failed.reason)}});
}

bool Navigators::TakePath(const NavigatorUse& use, uint32_t row,
                          const EndedSearch& ended) {
  Table& points = mutable_table(kPathPoints);
  const auto count = static_cast<uint32_t>(ended.path.size());
  const uint32_t first = points.row_count();
  if (count > kPathPointsInAllMax - first) return false;
  const uint64_t path =
      ++mutable_table(kCounters).Mutable<NavigationCounterRow>(0).paths;
  points.Resize(first + count);
  for (uint32_t i = 0; i < count; ++i) {
    PathPointRow point = spaces_.PointOf(use.space, ended.path[i]);
    point.path = path;
    point.index = i;
    points.Mutable<PathPointRow>(first + i) = point;
  }
  NavigatorRow& navigator = MutableRowAt(row);
  DropPath(navigator);
  navigator.path = path;
  navigator.points = count;
  if (IsNearest(navigator.goal_node) && ended.search.event == kPathFound) {
    const GoalSetDefinition::Goal* const goal =
        spaces_.FindGoal(navigator.goal_node, ended.path.back());
    CHECK(goal != nullptr, "a path to none of its goals");
    navigator.goal = PlaceOfGoal(use, *goal);
  }
  // It may have gone on while it waited; where it is isn't gone to again.
  const uint64_t here =
      spaces_.NodeAt(use, sim::PlaceOf(parts(), state(), row).position);
  auto found = ended.path.end();
  if (spaces_.is_grid(use.space)) {
    found = std::ranges::find(ended.path, here);
  } else if (spaces_.is_mesh(use.space) &&
             spaces_.AreSame(use.space, ended.path.front(), here)) {
    found = ended.path.begin();
  }
  if (found != ended.path.end()) {
    navigator.next = static_cast<uint64_t>(found - ended.path.begin()) + 1;
    // In the cell of its goal there is the place itself left to go to.
    navigator.next = std::min<uint64_t>(navigator.next, count - 1);
  }
  return true;
}

void Navigators::AnswerFound(const EndedSearch& ended) {
  const FieldValue cost = FieldValue::OfInt64(static_cast<int64_t>(ended.cost));
  const FieldValue points =
      FieldValue::OfInt64(static_cast<int64_t>(ended.path.size()));
  if (ended.search.event != kPathFound) {
    AnswerRequest(
        parts(), RequestOf(ended.search),
        {{kFoundWord, kTrue}, {kCostWord, cost}, {kPointsWord, points}});
    return;
  }
  const uint32_t row = parts().objects.RowOf(state(), ended.search.object);
  TellObject(parts(), kPathFound, ObjectAt(row).object,
             {{kCostWord, cost}, {kPointsWord, points}});
}

void Navigators::AnswerFailed(const EndedSearch& ended) {
  AnswerRequest(
      parts(), RequestOf(ended.search),
      {{kFoundWord, kFalse}, {kReasonWord, FieldValue::OfId(ended.reason)}});
}

void Navigators::SweepPaths() {
  has_dropped_paths_ = false;
  if (table(kPathPoints).row_count() == 0) return;
  live_paths_.clear();
  if (component_.has_value()) {
    for (uint32_t row = 0; row < components().row_count(); ++row) {
      const uint64_t path = components().Get<NavigatorRow>(row).path;
      if (path != 0) live_paths_.push_back(path);
    }
  }
  // A total order: each path is one navigator's.
  std::ranges::sort(live_paths_);
  // The table is written only from the first path on that nobody has.
  const Table& points = table(kPathPoints);
  const auto is_dead = [this](const PathPointRow& point) {
    return !std::ranges::binary_search(live_paths_, point.path);
  };
  for (uint32_t row = 0; row < points.row_count(); ++row) {
    if (!is_dead(points.Get<PathPointRow>(row))) continue;
    EraseRowsIf<PathPointRow>(mutable_table(kPathPoints), is_dead);
    return;
  }
}

}  // namespace reprise::sim
