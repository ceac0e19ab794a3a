// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Functions of scripts about where to go: `flow` and `grid` ask navigation,
// `steering` says what velocity to want (sim/navigation/steering.h).

#include <optional>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "sim/base/math.h"
#include "sim/navigation/steering.h"
#include "sim/systems/navigation/flow_questions.h"
#include "sim/systems/scripts/script_functions.h"

namespace reprise::sim {
namespace {

// As fast and as far as scripts can ask for.
constexpr double kSteeringSpeedMax = 1e6;
constexpr double kSteeringReachMax = 1e9;
constexpr double kSteeringReachMin = 1e-3;
constexpr double kSteeringHorizonMaxS = 86'400.0;
constexpr double kWanderAngleMax = 1e6;

Vector3 OwnPosition(ScriptCall& call) {
  const ScriptPlace& place = PlaceOf(call);
  return place.context.Place(place.object).position;
}

// Gives back a velocity; what isn't finite, of places that far apart, is none.
void ReturnVelocity(ScriptCall& call, Vector3 velocity) {
  const bool is_finite =
      IsFinite(velocity.x) && IsFinite(velocity.y) && IsFinite(velocity.z);
  call.Return(is_finite ? velocity : Vector3{});
}

// Returns what is there; nil where nothing is.
template <typename Value, typename Make>
absl::Status ReturnFound(ScriptCall& call,
                         const absl::StatusOr<std::optional<Value>>& found,
                         const Make& make) {
  if (!found.ok()) return found.status();
  if (found->has_value()) call.Return(make(**found));
  return absl::OkStatus();
}

Vector3 PlaceAt(ScriptCall& call, size_t index) {
  return call.has(index) ? call.vector(index) : OwnPosition(call);
}

void AddFlows(ScriptFunctions& functions) {
  const ScriptParameter field = TextParameter("field", "a flow field");
  const ScriptParameter place =
      Optional(VectorParameter("place", "nil: the object's", "m"));
  const std::string fails = "the pack has no such flow field";
  functions.Add(
      "flow.next", "Tells where one goes next on a flow field.", {field, place},
      MayGive(ScriptType::kVector,
              "the middle of the next cell, at the goal of its cell, as high "
              "as the place; nil where no way leads",
              "m"),
      [](ScriptCall& call) {
        return ReturnFound(call,
                           FlowNext(PlaceOf(call).context, IdOf(call.string(0)),
                                    PlaceAt(call, 1)),
                           [](Vector3 next) { return next; });
      },
      fails);
  functions.Add(
      "flow.cost", "Tells what the way to a flow field's goal costs.",
      {field, place},
      MayGive(ScriptType::kInteger,
              "in thousandths of cells; nil where no way leads"),
      [](ScriptCall& call) {
        return ReturnFound(
            call,
            FlowCost(PlaceOf(call).context, IdOf(call.string(0)),
                     PlaceAt(call, 1)),
            [](uint64_t cost) { return static_cast<int64_t>(cost); });
      },
      fails);
  functions.Add(
      "flow.goal", "Tells where a flow field leads.", {field},
      Gives(ScriptType::kVector, "the middle of the cell", "m"),
      [](ScriptCall& call) -> absl::Status {
        const absl::StatusOr<Vector3> goal =
            FlowGoal(PlaceOf(call).context, IdOf(call.string(0)));
        if (!goal.ok()) return goal.status();
        call.Return(*goal);
        return absl::OkStatus();
      },
      fails);
  functions.Add(
      "grid.weight", "Tells what a cell of a grid weighs now.",
      {TextParameter("grid", "a grid of the pack"), place},
      MayGive(ScriptType::kInteger, "0: it is a wall; nil outside"),
      [](ScriptCall& call) {
        return ReturnFound(call,
                           CellWeight(PlaceOf(call).context,
                                      IdOf(call.string(0)), PlaceAt(call, 1)),
                           [](uint16_t weight) { return int64_t{weight}; });
      },
      "the pack has no such grid");
}

// The places of what the last query found, as they were when the update of all
// began.
absl::StatusOr<std::vector<Vector3>> FoundPlaces(ScriptCall& call) {
  ScriptPlace& place = PlaceOf(call);
  if (!place.use.reads_others) {
    return absl::InvalidArgumentError(
        fmt::format("{} doesn't say `reads_others = true`", place.use.file));
  }
  call.Charge(static_cast<int64_t>(place.found.size()));
  std::vector<Vector3> places;
  for (const FoundObject& found : place.found) {
    const std::optional<Transform> other = place.context.ReadPlace(
        place.object, found.handle, ReadTime::kLastTick);
    if (other.has_value()) places.push_back(other->position);
  }
  return places;
}

absl::Status SeparateFromFound(ScriptCall& call) {
  const absl::StatusOr<std::vector<Vector3>> others = FoundPlaces(call);
  if (!others.ok()) return others.status();
  ReturnVelocity(call, Separate(OwnPosition(call), *others, call.number(0),
                                call.number(1)));
  return absl::OkStatus();
}

absl::Status AvoidFound(ScriptCall& call) {
  const absl::StatusOr<std::vector<Vector3>> others = FoundPlaces(call);
  if (!others.ok()) return others.status();
  std::vector<RoundObstacle> obstacles;
  for (const Vector3& other : *others) {
    obstacles.push_back({.centre = other, .radius_m = call.number(2)});
  }
  ReturnVelocity(
      call, AvoidObstacles(OwnPosition(call), call.vector(0), call.number(1),
                           obstacles, call.number(3), call.number(4)));
  return absl::OkStatus();
}

absl::Status WanderAt(ScriptCall& call) {
  Vector3 heading = call.vector(0);
  heading.y = 0.0;
  const double length = Length(heading);
  // Who goes nowhere begins somewhere.
  heading = length > 0.0 && IsFinite(length) ? Normalized(heading)
                                             : Vector3{1.0, 0.0, 0.0};
  const Wandering wandering = {.distance_m = call.number(2),
                               .radius_m = call.number(3),
                               .stray_rad = 0.0};
  ReturnVelocity(call, Wander(heading, call.number(1), /*chance=*/0.5,
                              call.number(4), wandering)
                           .velocity_m_s);
  return absl::OkStatus();
}

ScriptParameter Speed() {
  return NumberParameter("speed", "how fast", "m/s", 0, kSteeringSpeedMax);
}

ScriptParameter Horizon() {
  return NumberParameter("horizon", "so far ahead it looks", "s", 0,
                         kSteeringHorizonMaxS);
}

ScriptResult Velocity() {
  return Gives(ScriptType::kVector, "the velocity to want", "m/s");
}

void AddGoals(ScriptFunctions& functions) {
  const ScriptParameter goal = VectorParameter("goal", "where to", "m");
  functions.Add("steering.seek", "Leads the object straight to a place.",
                {goal, Speed()}, Velocity(), [](ScriptCall& call) {
                  ReturnVelocity(call, Seek(OwnPosition(call), call.vector(0),
                                            call.number(1)));
                  return absl::OkStatus();
                });
  functions.Add("steering.flee", "Leads the object straight away from a place.",
                {VectorParameter("danger", "from where", "m"), Speed()},
                Velocity(), [](ScriptCall& call) {
                  ReturnVelocity(call, Flee(OwnPosition(call), call.vector(0),
                                            call.number(1)));
                  return absl::OkStatus();
                });
  functions.Add(
      "steering.arrive",
      "As steering.seek, and slower in proportion close to the place.",
      {goal, Speed(),
       NumberParameter("slow_radius", "within which it is slower", "m",
                       kSteeringReachMin, kSteeringReachMax)},
      Velocity(), [](ScriptCall& call) {
        ReturnVelocity(call, Arrive(OwnPosition(call), call.vector(0),
                                    call.number(1), call.number(2)));
        return absl::OkStatus();
      });
  functions.Add(
      "steering.wander",
      "Leads the object to where a goal has strayed to on a circle ahead. The "
      "angle is the script's: it keeps it in a property, and adds a little to "
      "it at each step, as (2 * world.random() - 1) / 2.",
      {VectorParameter("heading", "which way it goes; its height doesn't count",
                       ""),
       NumberParameter("angle",
                       "of the goal on the circle, from straight ahead", "rad",
                       -kWanderAngleMax, kWanderAngleMax),
       NumberParameter("distance", "of the circle's middle", "m",
                       kSteeringReachMin, kSteeringReachMax),
       NumberParameter("radius", "of the circle", "m", 0, kSteeringReachMax),
       Speed()},
      Velocity(), &WanderAt);
  const std::vector<ScriptParameter> quarry = {
      VectorParameter("place", "where the other one is", "m"),
      VectorParameter("velocity", "how the other one moves", "m/s"), Speed(),
      Horizon()};
  functions.Add("steering.pursue",
                "Leads the object to where it meets another soonest.", quarry,
                Velocity(), [](ScriptCall& call) {
                  ReturnVelocity(call, Pursue(OwnPosition(call),
                                              {.place = call.vector(0),
                                               .velocity_m_s = call.vector(1)},
                                              call.number(2), call.number(3)));
                  return absl::OkStatus();
                });
  functions.Add("steering.evade",
                "Leads the object away from where another would meet it.",
                quarry, Velocity(), [](ScriptCall& call) {
                  ReturnVelocity(call, Evade(OwnPosition(call),
                                             {.place = call.vector(0),
                                              .velocity_m_s = call.vector(1)},
                                             call.number(2), call.number(3)));
                  return absl::OkStatus();
                });
}

}  // namespace

void AddSteeringFunctions(ScriptFunctions& functions) {
  AddFlows(functions);
  AddGoals(functions);
  const std::string fails = "the script doesn't say `reads_others = true`";
  functions.Add("steering.separate",
                "Leads the object away from each of those whom the call's last "
                "query found, the closer the more.",
                {NumberParameter("radius", "within which they count", "m",
                                 kSteeringReachMin, kSteeringReachMax),
                 Speed()},
                Velocity(), &SeparateFromFound, fails);
  functions.Add(
      "steering.avoid",
      "Leads the object past the first of those whom the call's last query "
      "found, if it goes on as it does.",
      {VectorParameter("velocity", "how it goes", "m/s"),
       NumberParameter("radius", "its own", "m", 0, kSteeringReachMax),
       NumberParameter("others_radius", "theirs", "m", 0, kSteeringReachMax),
       NumberParameter("horizon", "so far ahead it looks", "s",
                       kSteeringReachMin, kSteeringHorizonMaxS),
       Speed()},
      Velocity(), &AvoidFound, fails);
  functions.Add(
      "steering.limit", "Brings a velocity towards another, by so much.",
      {VectorParameter("velocity", "how it goes", "m/s"),
       VectorParameter("wanted", "how it wants to go", "m/s"),
       NumberParameter("change", "the most", "m/s", 0, kSteeringSpeedMax)},
      Gives(ScriptType::kVector, "how it goes now", "m/s"),
      [](ScriptCall& call) {
        ReturnVelocity(call, LimitedChange(call.vector(0), call.vector(1),
                                           call.number(2)));
        return absl::OkStatus();
      });
}

}  // namespace reprise::sim
