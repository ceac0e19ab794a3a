// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How navigators go: by paths that they ask for, or by flow fields.

#include <algorithm>

#include "sim/navigation/steering.h"
#include "sim/systems/navigation/navigation_events.h"
#include "sim/systems/navigation/navigation_system.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/components/sorted_rows.h"
#include "sim/world/objects/objects.h"
#include "sim/world/objects/world_parts.h"
#include "sim/world/updates/request_queue.h"

namespace reprise::sim {
namespace {

// A character that comes less far in this time than such a share of what its
// speed says is blocked.
constexpr double kBlockedS = 1.0;
constexpr double kBlockedShare = 0.1;

}  // namespace

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
  if (walkers_[parts().objects.TypeOf(row)] != nullptr) {
    NoteProgress(row, navigator);
  }
  WriteRow(
      state().mutable_table(parts().tables.objects.components[*component_]),
      parts().objects.ComponentRow(row, *component_), navigator);
}

// One that is wider than the way, or whom others hold up, comes nowhere.
void Navigators::NoteProgress(uint32_t row, NavigatorRow& navigator) {
  if (navigator.status != kNavigatorGoing) {
    navigator.checked_on = 0;
    navigator.checked_next = 0;
    navigator.checked_at = {};
    return;
  }
  const double tick_s = parts().definition.physics.tick_s;
  const Vector3 place = sim::PlaceOf(parts(), state(), row).position;
  const Tick now = parts().game_tick + 1;
  const double looked_s =
      navigator.checked_on < now
          ? static_cast<double>(now - navigator.checked_on) * tick_s
          : 0.0;
  // One that slept meanwhile hasn't tried to come anywhere.
  const bool is_same = navigator.checked_on != 0 &&
                       navigator.checked_next == navigator.next &&
                       looked_s <= 2.0 * kBlockedS;
  if (is_same) {
    if (looked_s < kBlockedS) return;
    Vector3 way = place - navigator.checked_at;
    way.y = 0.0;
    const double least_m = kBlockedShare * navigator.speed * looked_s;
    if (Length(way) < least_m) {
      TellObject(parts(), kPathBlocked, navigator.object,
                 {{kXWord, FieldValue::OfDouble(place.x)},
                  {kZWord, FieldValue::OfDouble(place.z)}});
    }
  }
  navigator.checked_on = now;
  navigator.checked_next = navigator.next;
  navigator.checked_at = place;
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
  uint64_t goal_node = spaces_.GoalAt(use, goal);
  if (IsNearest(navigator.goal_node)) {
    if (StaysNearest(use, goal_node, navigator)) {
      goal_node = navigator.goal_node;
    } else {
      ForgetNearest(navigator);
    }
  }
  const bool is_current =
      goal_node == navigator.goal_node ||
      spaces_.AreSame(use.space, navigator.goal_node, goal_node);
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
  const uint32_t cell = spaces_.CellAt(use.space, place);
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
  const Vector3 point = spaces_.CentreOf(use.space, next, place.y);
  const double radius_m = is_at_goal ? navigator.arrive_radius : 0.0;
  const Going going = WalkTo(row, point, radius_m, navigator);
  if (is_at_goal && going == Going::kArrived) Arrive(navigator);
}

void Navigators::Ask(uint32_t row, uint64_t goal_node,
                     NavigatorRow& navigator) {
  const RequestRow request = {.due = parts().game_tick + 1,
                              .kind = kPathRequest,
                              .object = ObjectAt(row).handle,
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

bool Navigators::StaysNearest(const NavigatorUse& use, uint64_t goal,
                              const NavigatorRow& navigator) const {
  if (!navigator.target.is_null()) return false;
  if (navigator.path == 0) {
    return spaces_.FindGoal(navigator.goal_node, goal) != nullptr;
  }
  const uint64_t last = FirstPoint(navigator.path) + navigator.points - 1;
  return spaces_.AreSame(use.space, NodeOfPoint(use.space, last), goal);
}

void Navigators::ForgetNearest(NavigatorRow& navigator) {
  if (!IsNearest(navigator.goal_node)) return;
  DropPath(navigator);
  navigator.search = 0;
  navigator.goal_node = kNowhere;
}

Vector3 Navigators::PlaceOfGoal(const NavigatorUse& use,
                                const GoalSetDefinition::Goal& goal) const {
  if (!spaces_.is_mesh(use.space)) return goal.place;
  return spaces_.PlaceOf(use, goal.node, goal.place.y);
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

void Navigators::Jump(const NavigatorRow& navigator) {
  if (characters_ == nullptr) return;
  CharacterRow* const character = characters_->FindMutable(navigator.object);
  if (character != nullptr) character->wants_jump = 1;
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
    return spaces_.PlaceOf(use, NodeOfPoint(use.space, first + index), y);
  };
  const uint64_t next = navigator.next;
  const bool is_walker = walkers_[parts().objects.TypeOf(row)] != nullptr;
  navigator.next = spaces_.is_mesh(use.space) && !is_walker
                       ? MoveOnMesh(use, row, navigator)
                       : Move(row, count, point_at, static_cast<uint32_t>(next),
                              navigator.arrive_radius, navigator);
  if (navigator.next != next && navigator.next < navigator.points &&
      spaces_.IsJump(use.space,
                     NodeOfPoint(use.space, first + navigator.next - 1),
                     NodeOfPoint(use.space, first + navigator.next))) {
    Jump(navigator);
  }
  return navigator.next == navigator.points ? Going::kArrived : Going::kOn;
}

Navigators::Going Navigators::WalkTo(uint32_t row, Vector3 goal,
                                     double radius_m, NavigatorRow& navigator) {
  const uint32_t next = Move(
      row, 1, [&](uint32_t) { return goal; }, 0, radius_m, navigator);
  return next == 1 ? Going::kArrived : Going::kOn;
}

uint32_t Navigators::MoveOnMesh(const NavigatorUse& use, uint32_t row,
                                const NavigatorRow& navigator) {
  const Transform place = sim::PlaceOf(parts(), state(), row);
  const uint32_t first = FirstPoint(navigator.path);
  const auto node_at = [&](uint32_t index) {
    return NodeOfPoint(use.space, first + index);
  };
  const PathStep step = FollowGround(
      place.position, static_cast<uint32_t>(navigator.points),
      [&](uint32_t index) {
        return spaces_.PlaceOf(use, node_at(index), place.position.y);
      },
      [&](uint32_t index) {
        return index > 0 &&
               spaces_.IsLink(use.space, node_at(index - 1), node_at(index));
      },
      [&](Vector3 at) { return spaces_.StandAt(use, at); },
      static_cast<uint32_t>(navigator.next),
      navigator.speed * parts().definition.physics.tick_s,
      navigator.arrive_radius);
  if (step.place != place.position) {
    sim::SetPlace(parts(), row,
                  {.position = step.place, .rotation = place.rotation});
  }
  return step.next;
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

uint64_t Navigators::NodeOfPoint(uint32_t space, uint64_t row) const {
  return spaces_.NodeOf(
      space, table(kPathPoints).Get<PathPointRow>(static_cast<uint32_t>(row)));
}

}  // namespace reprise::sim
