// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/navigation/navigation_system.h"

#include <algorithm>
#include <array>
#include <utility>

#include "absl/status/statusor.h"
#include "sim/base/check.h"
#include "sim/base/math.h"
#include "sim/base/row_schema.h"
#include "sim/game_description.h"
#include "sim/navigation/steering.h"
#include "sim/physics/definition/physics_bounds.h"
#include "sim/systems/navigation/navigation_events.h"
#include "sim/world/components/component.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/components/sorted_rows.h"
#include "sim/world/events/event_router.h"
#include "sim/world/objects/objects.h"
#include "sim/world/objects/world_parts.h"
#include "sim/world/updates/request_queue.h"

namespace reprise::sim {
namespace {

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

const ObjectRow& ObjectAt(const WorldParts& parts, uint32_t row) {
  return parts.state.table(parts.tables.objects.objects).Get<ObjectRow>(row);
}

constexpr FieldValue kFalse = {.type = ScalarType::kBool, .bits = 0};
constexpr FieldValue kTrue = {.type = ScalarType::kBool, .bits = 1};

RequestRow RequestOf(const PathSearchRow& search) {
  return {.due = search.due,
          .request = search.request,
          .kind = kPathRequest,
          .object = search.object,
          .event = search.event};
}

// An argument that is a number; a command of a player says it in whole ones.
std::optional<double> NumberOf(const WorldEvent& event, Id name) {
  const EventArgument* const argument = event.arguments.Find(name);
  if (argument == nullptr) return std::nullopt;
  if (argument->value.type == ScalarType::kDouble) {
    return argument->value.AsDouble();
  }
  if (argument->value.type == ScalarType::kInt64) {
    return static_cast<double>(static_cast<int64_t>(argument->value.bits));
  }
  return std::nullopt;
}

}  // namespace

const SystemDeclaration& NavigationDefinition::Declaration() {
  static const SystemDeclaration declaration = {
      .name = kSystem,
      .help = "objects that find their way on grids and graphs",
      .tables = {RowSchema::Of<PathSearchRow>(),
                 RowSchema::Of<ReachedNodeRow>(), RowSchema::Of<PathPointRow>(),
                 RowSchema::Of<ChangedCellRow>(), RowSchema::Of<FlowGoalRow>(),
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
      .handles = {kChangeCell, kMoveFlowGoal, kNavigate, kNavigateStop},
      .components = {NativeComponent<NavigatorRow>("finds its way", kNotes)},
      .legends = {MakeLegend("components", NavigatorRow::kTable, "status",
                             kNavigatorStatusNames)},
      .requests = {{.name = kPathRequestName,
                    .per_tick_max = kTurnsPerTickMax}},
      .words = {kFoundName, kGoalBlocked, kGoalOutside, kNoSuchCell,
                kNoSuchWeight, kStartOutside, kSuperseded, kTargetGone, kTooFar,
                kTooMany, kUnreachable}};
  return declaration;
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
      spaces_(definition.spaces),
      searches_(place.parts,
                {.searches = place.tables[kSearches],
                 .reached = place.tables[kReached],
                 .counters = place.tables[kCounters]},
                spaces_, definition.expansions_per_search),
      fields_(definition.flow_fields.size()),
      fields_are_current_(definition.flow_fields.size()) {}

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
  fields_are_current_.assign(fields_.size(), false);
  has_dropped_paths_ = false;
}

void Navigators::Run(uint32_t step) {
  if (step == kSearch) {
    RunSearches();
  } else if (step == kGo) {
    for (uint32_t type = 0; type < uses_.size(); ++type) {
      if (uses_[type] == nullptr) continue;
      for (const uint32_t row : parts().objects.RowsOfType(type)) {
        if (ObjectAt(parts(), row).status != ObjectStatus::kActive) continue;
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

void Navigators::Keep(uint32_t row, const RequestRow& request, Vector3 goal) {
  NavigatorRow& navigator = MutableRowAt(row);
  navigator.goal_node = spaces_.NodeAt(UseOf(row)->space, goal);
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
    points.push_back(
        spaces_.PlaceOf(UseOf(row)->space, NodeOfPoint(first + i), y));
  }
  return points;
}

bool Navigators::IsSeekerUse(const NavigatorUse* use) {
  return use != nullptr && !use->flow_field.has_value();
}

const NavigatorUse* Navigators::UseOf(uint32_t row) const {
  return uses_[parts().objects.TypeOf(row)];
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
    points.Mutable<PathPointRow>(first + i) = {
        .path = path, .index = i, .node = ended.path[i]};
  }
  NavigatorRow& navigator = MutableRowAt(row);
  DropPath(navigator);
  navigator.path = path;
  navigator.points = count;
  // It may have gone on while it waited; where it is isn't gone to again.
  const uint32_t here =
      spaces_.NodeAt(use.space, sim::PlaceOf(parts(), state(), row).position);
  const auto found = std::ranges::find(ended.path, here);
  if (spaces_.is_grid(use.space) && found != ended.path.end()) {
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
  TellObject(parts(), kPathFound, ObjectAt(parts(), row).object,
             {{kCostWord, cost}, {kPointsWord, points}});
}

void Navigators::AnswerFailed(const EndedSearch& ended) {
  AnswerRequest(
      parts(), RequestOf(ended.search),
      {{kFoundWord, kFalse}, {kReasonWord, FieldValue::OfId(ended.reason)}});
}

void Navigators::Update(const NavigatorUse& use, uint32_t row) {
  const NavigatorRow before = RowAt(row);
  NavigatorRow navigator = before;
  if (navigator.is_active != 1) {
    if (navigator.status == kNavigatorWaiting ||
        navigator.status == kNavigatorGoing) {
      Stop(navigator, kNavigatorIdle);
    }
  } else if (use.flow_field.has_value()) {
    GoByField(use, row, navigator);
  } else {
    GoByPath(use, row, navigator);
  }
  WriteRow(
      state().mutable_table(parts().tables.objects.components[*component_]),
      parts().objects.ComponentRow(row, *component_), navigator);
}

void Navigators::GoByPath(const NavigatorUse& use, uint32_t row,
                          NavigatorRow& navigator) {
  Vector3 goal = navigator.goal;
  if (!navigator.target.is_null()) {
    const uint32_t target = parts().objects.RowOf(state(), navigator.target);
    if (target == kNoRow) {
      Fail(kTargetGone, navigator);
      return;
    }
    goal = sim::PlaceOf(parts(), state(), target).position;
  }
  const uint64_t goal_node = spaces_.NodeAt(use.space, goal);
  const bool is_current = navigator.goal_node == goal_node;
  // One that waits goes on waiting, so that whom it follows can't keep it from
  // ever getting a path.
  if (navigator.search == 0 && (navigator.path == 0 || !is_current)) {
    Ask(row, goal_node, navigator);
    if (navigator.is_active == 0) return;
  }
  if (navigator.path == 0) {
    navigator.status = kNavigatorWaiting;
    Halt(navigator);
    return;
  }
  navigator.status = kNavigatorGoing;
  const bool is_whole = is_current && spaces_.is_grid(use.space);
  const Going going =
      Walk(use, row, is_whole ? std::optional(goal) : std::nullopt, navigator);
  if (going == Going::kOn) return;
  DropPath(navigator);
  if (is_current) Arrive(navigator);
}

void Navigators::GoByField(const NavigatorUse& use, uint32_t row,
                           NavigatorRow& navigator) {
  const FlowField& field = CurrentField(*use.flow_field);
  const Vector3 place = sim::PlaceOf(parts(), state(), row).position;
  const uint32_t cell = spaces_.NodeAt(use.space, place);
  if (cell == kNoNode) {
    Fail(kStartOutside, navigator);
    return;
  }
  const bool is_at_goal = cell == field.goal();
  const uint32_t next = is_at_goal ? cell : field.Next(cell);
  if (next == kNoNode) {
    Fail(kUnreachable, navigator);
    return;
  }
  navigator.status = kNavigatorGoing;
  const Vector3 point = spaces_.PlaceOf(use.space, next, place.y);
  const double radius_m = is_at_goal ? navigator.arrive_radius : 0.0;
  const Going going = WalkTo(row, point, radius_m, navigator);
  if (is_at_goal && going == Going::kArrived) Arrive(navigator);
}

void Navigators::Ask(uint32_t row, uint64_t goal_node,
                     NavigatorRow& navigator) {
  const RequestRow request = {.due = parts().game_tick + 1,
                              .kind = kPathRequest,
                              .object = ObjectAt(parts(), row).handle,
                              .event = kPathFound};
  const std::optional<uint64_t> number =
      PutRequest(state().mutable_table(*parts().tables.requests), request);
  if (!number.has_value()) {
    Fail(kTooMany, navigator);
    return;
  }
  navigator.goal_node = goal_node;
  navigator.search = searches_.Put({.due = request.due,
                                    .request = *number,
                                    .object = request.object,
                                    .event = request.event,
                                    .goal_node = goal_node});
}

void Navigators::Stop(NavigatorRow& navigator, NavigatorStatus status) {
  navigator.is_active = 0;
  navigator.status = status;
  Halt(navigator);
}

void Navigators::Halt(const NavigatorRow& navigator) {
  if (characters_ == nullptr) return;
  CharacterRow* const character = characters_->FindMutable(navigator.object);
  if (character != nullptr) character->wanted_velocity = {};
}

void Navigators::Arrive(NavigatorRow& navigator) {
  Stop(navigator, kNavigatorArrived);
  TellObject(parts(), kPathArrived, navigator.object, {});
}

void Navigators::Fail(std::string_view reason, NavigatorRow& navigator) {
  Stop(navigator, kNavigatorFailed);
  DropPath(navigator);
  TellObject(parts(), kPathFailed, navigator.object,
             {{kReasonWord, FieldValue::OfId(IdOf(reason))}});
}

void Navigators::DropPath(NavigatorRow& navigator) {
  has_dropped_paths_ |= navigator.path != 0;
  navigator.path = 0;
  navigator.next = 0;
  navigator.points = 0;
}

Navigators::Going Navigators::Walk(const NavigatorUse& use, uint32_t row,
                                   std::optional<Vector3> goal,
                                   NavigatorRow& navigator) {
  const double y = sim::PlaceOf(parts(), state(), row).position.y;
  const auto count = static_cast<uint32_t>(navigator.points);
  const uint32_t first = FirstPoint(navigator.path);
  const auto point_at = [&](uint32_t index) -> Vector3 {
    if (goal.has_value() && index + 1 == count) return {goal->x, y, goal->z};
    return spaces_.PlaceOf(use.space, NodeOfPoint(first + index), y);
  };
  navigator.next =
      Move(row, count, point_at, static_cast<uint32_t>(navigator.next),
           navigator.arrive_radius, navigator);
  return navigator.next == navigator.points ? Going::kArrived : Going::kOn;
}

Navigators::Going Navigators::WalkTo(uint32_t row, Vector3 goal,
                                     double radius_m, NavigatorRow& navigator) {
  const uint32_t next = Move(
      row, 1, [&](uint32_t) { return goal; }, 0, radius_m, navigator);
  return next == 1 ? Going::kArrived : Going::kOn;
}

template <typename PointAt>
uint32_t Navigators::Move(uint32_t row, uint32_t count, const PointAt& point_at,
                          uint32_t next, double radius_m,
                          const NavigatorRow& navigator) {
  const Transform place = sim::PlaceOf(parts(), state(), row);
  if (walkers_[parts().objects.TypeOf(row)] != nullptr) {
    CharacterRow* const character = characters_->FindMutable(navigator.object);
    if (character == nullptr) return next;  // it has only just come
    return MoveCharacter(*character, place.position, count, point_at, next,
                         radius_m, navigator);
  }
  const double step_m = navigator.speed * parts().definition.physics.tick_s;
  const PathStep step =
      FollowPoints(place.position, count, point_at, next, step_m, radius_m);
  if (step.place != place.position) {
    sim::SetPlace(parts(), row,
                  {.position = step.place, .rotation = place.rotation});
  }
  return step.next;
}

template <typename PointAt>
uint32_t Navigators::MoveCharacter(CharacterRow& character, Vector3 place,
                                   uint32_t count, const PointAt& point_at,
                                   uint32_t next, double radius_m,
                                   const NavigatorRow& navigator) {
  for (; next < count; ++next) {
    Vector3 point = point_at(next);
    point.y = place.y;
    const double near_m = std::max(radius_m, navigator.arrive_radius);
    if (Length(point - place) > near_m) {
      character.wanted_velocity = Seek(place, point, navigator.speed);
      return next;
    }
  }
  return next;
}

uint32_t Navigators::FirstPoint(uint64_t path) const {
  return table(kPathPoints).LowerBound(std::array{path, uint64_t{0}});
}

uint32_t Navigators::NodeOfPoint(uint64_t row) const {
  return static_cast<uint32_t>(
      table(kPathPoints).Get<PathPointRow>(static_cast<uint32_t>(row)).node);
}

bool Navigators::OnEvent(uint32_t row, const WorldEvent& event) {
  if (event.type == kChangeCell) {
    ChangeCell(row, event);
  } else if (event.type == kMoveFlowGoal) {
    MoveFlowGoal(row, event);
  } else if (UseOf(row) == nullptr) {
    return false;
  } else if (event.type == kNavigate) {
    Navigate(row, event);
  } else {
    MutableRowAt(row).is_active = 0;
  }
  return true;
}

void Navigators::Navigate(uint32_t row, const WorldEvent& event) {
  NavigatorRow& navigator = MutableRowAt(row);
  const std::array<std::pair<Id, double*>, 3> coordinates = {
      {{kXWord, &navigator.goal.x},
       {kYWord, &navigator.goal.y},
       {kZWord, &navigator.goal.z}}};
  for (const auto& [name, coordinate] : coordinates) {
    const std::optional<double> value = NumberOf(event, name);
    if (!value.has_value()) continue;
    *coordinate = std::clamp(*value, -kNavigationCoordinateMaxM,
                             kNavigationCoordinateMaxM);
    navigator.target = kNullHandle;
  }
  if (const auto target = event.arguments.GetObject(kObjectWord); target.ok()) {
    const uint32_t target_row = parts().objects.RowOf(state(), *target);
    if (target_row != kNoRow) {
      navigator.target = ObjectAt(parts(), target_row).handle;
    }
  }
  navigator.is_active = 1;
}

void Navigators::ChangeCell(uint32_t row, const WorldEvent& event) {
  const absl::StatusOr<Id> name = event.arguments.GetId(kGridWord);
  const auto found =
      std::ranges::lower_bound(definition_.spaces, name.ok() ? *name : kNoId,
                               {}, &SpaceDefinition::name);
  if (!name.ok() || found == definition_.spaces.end() || found->name != *name ||
      !found->grid.has_value()) {
    RefuseCell(row, kNoSuchCell);
    return;
  }
  const auto space = static_cast<uint32_t>(found - definition_.spaces.begin());
  Vector3 place = sim::PlaceOf(parts(), state(), row).position;
  place.x = NumberOf(event, kXWord).value_or(place.x);
  place.z = NumberOf(event, kZWord).value_or(place.z);
  const uint32_t cell = spaces_.NodeAt(space, place);
  if (cell == kNoNode) {
    RefuseCell(row, kNoSuchCell);
    return;
  }
  const double weight = NumberOf(event, kWeightWord).value_or(-1.0);
  const Grid& grid = spaces_.grid(space);
  if (!(weight >= 0.0 && weight <= kCellWeightMax) || weight != Floor(weight) ||
      !grid.CanBe(static_cast<uint64_t>(weight))) {
    RefuseCell(row, kNoSuchWeight);
    return;
  }
  const uint16_t before = grid.weight(cell);
  const auto after = static_cast<uint16_t>(weight);
  if (before == after) return;
  const uint32_t columns = grid.shape().columns;
  if (!spaces_.ChangeCell(space, cell, after, mutable_table(kCells))) {
    RefuseCell(row, kTooMany);
    return;
  }
  parts().router->Post(
      {.type = kCellChanged,
       .arguments = {{kGridWord, FieldValue::OfId(*name)},
                     {kColumnWord, FieldValue::OfInt64(cell % columns)},
                     {kRowWord, FieldValue::OfInt64(cell / columns)},
                     {kWeightWord, FieldValue::OfInt64(after)}}});
  NoteChange(space, cell,
             before != kWallWeight && (after == kWallWeight || after > before));
}

void Navigators::MoveFlowGoal(uint32_t row, const WorldEvent& event) {
  const absl::StatusOr<Id> name = event.arguments.GetId(kFieldWord);
  const std::optional<uint32_t> field =
      name.ok() ? FindRow(table(kFlowGoals), std::array{name->value})
                : std::nullopt;
  if (!field.has_value()) {
    RefuseCell(row, kNoSuchCell);
    return;
  }
  Vector3 place = sim::PlaceOf(parts(), state(), row).position;
  place.x = NumberOf(event, kXWord).value_or(place.x);
  place.z = NumberOf(event, kZWord).value_or(place.z);
  const uint32_t cell =
      spaces_.NodeAt(definition_.flow_fields[*field].space, place);
  if (cell == kNoNode) {
    RefuseCell(row, kNoSuchCell);
    return;
  }
  mutable_table(kFlowGoals).Mutable<FlowGoalRow>(*field).cell = cell;
  fields_are_current_[*field] = false;
}

void Navigators::RefuseCell(uint32_t row, std::string_view reason) {
  TellObject(parts(), kCellRefused, ObjectAt(parts(), row).object,
             {{kReasonWord, FieldValue::OfId(IdOf(reason))}});
}

bool Navigators::IsStale(const NavigatorRow& navigator, uint32_t space,
                         uint32_t cell, bool is_dearer) const {
  uint32_t from = kNoNode;
  const uint32_t start = FirstPoint(navigator.path);
  const uint64_t first = navigator.next == 0 ? 0 : navigator.next - 1;
  for (uint64_t i = first; i < navigator.points; ++i) {
    const uint32_t node = NodeOfPoint(start + i);
    if (i >= navigator.next && node == cell && is_dearer) return true;
    if (from != kNoNode && !spaces_.StepCost(space, from, node).has_value()) {
      return true;
    }
    from = node;
  }
  return false;
}

void Navigators::NoteChange(uint32_t space, uint32_t cell, bool is_dearer) {
  for (uint32_t field = 0; field < fields_.size(); ++field) {
    if (definition_.flow_fields[field].space == space) {
      fields_are_current_[field] = false;
    }
  }
  if (const auto under_way = searches_.UnderWay(); under_way.has_value()) {
    const uint32_t row = parts().objects.RowOf(state(), under_way->object);
    if (row != kNoRow && IsSeeker(row) && UseOf(row)->space == space) {
      searches_.Restart();
    }
  }
  if (!component_.has_value()) return;
  for (uint32_t type = 0; type < uses_.size(); ++type) {
    if (uses_[type] == nullptr || uses_[type]->space != space) continue;
    for (const uint32_t row : parts().objects.RowsOfType(type)) {
      const NavigatorRow& known = RowAt(row);
      if (known.path == 0 || !IsStale(known, space, cell, is_dearer)) continue;
      NavigatorRow& navigator = MutableRowAt(row);
      DropPath(navigator);
      TellObject(parts(), kPathStale, navigator.object, {});
    }
  }
  if (has_dropped_paths_) SweepPaths();
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

uint32_t Navigators::FlowGoalOf(uint32_t field) const {
  return static_cast<uint32_t>(table(kFlowGoals).Get<FlowGoalRow>(field).cell);
}

const FlowField& Navigators::CurrentField(uint32_t field) {
  if (!fields_are_current_[field]) {
    fields_[field].Compute(spaces_.grid(definition_.flow_fields[field].space),
                           FlowGoalOf(field));
    fields_are_current_[field] = true;
  }
  return fields_[field];
}

}  // namespace reprise::sim
