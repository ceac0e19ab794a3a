// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Functions of scripts that ask what bodies are hit, by their exact shapes: the
// part of `query` that is about shapes, points and surfaces.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "sim/base/object_id.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/definition/physics_bounds.h"
#include "sim/physics/definition/shape_definition.h"
#include "sim/physics/queries/physics_queries.h"
#include "sim/systems/scripts/script_functions.h"
#include "sim/systems/scripts/script_properties.h"
#include "sim/world/updates/world_queries.h"

namespace reprise::sim {
namespace {

// What a question takes, by the time of an instruction; an answer takes one
// more.
constexpr int64_t kQuestionInstructions = 50;

// As far as shapes are asked for: nothing is beyond kPositionMaxM.
bool IsInReach(Vector3 point) { return Length(point) <= 2.0 * kPositionMaxM; }

absl::Status TooFar() {
  return absl::InvalidArgumentError("it is more than 2e6 m away");
}

// Which bodies argument `triggers` of the call asks for: never the object's
// own.
QueryFilter FilterOf(const ScriptCall& call, size_t triggers) {
  const ScriptPlace& place = PlaceOf(call);
  return {.includes_triggers = call.has(triggers) && call.boolean(triggers),
          .ignored = place.context.object(place.object)};
}

// The turn that argument `index` of the call says; none where it is left out.
absl::StatusOr<Quaternion> TurnOf(const ScriptCall& call, size_t index) {
  return RotationOf(call.has(index) ? call.vector(index) : Vector3{});
}

absl::StatusOr<Solid> BoxOf(Vector3 half_extents) {
  for (const double half : {half_extents.x, half_extents.y, half_extents.z}) {
    if (half < kSizeMinM || half > kSizeMaxM) {
      return absl::InvalidArgumentError(
          "'half_extents' are from 0.001 to 10000 m");
    }
  }
  return BoxPrimitive{.half_extents_m = half_extents};
}

// Keeps an answer, behind those that the question has.
void Keep(ScriptPlace& place, ObjectId object, double distance, Vector3 point,
          Vector3 normal) {
  place.found.push_back({.object = object,
                         .handle = place.context.HandleOf(object),
                         .distance = distance});
  place.surfaces.push_back({.point = point, .normal = normal});
}

// Asks the bodies, and says how many answers there are.
template <typename Ask>
absl::Status Answer(ScriptCall& call, const Ask& ask) {
  ScriptPlace& place = PlaceOf(call);
  absl::Status allowed = CheckQueries(place);
  if (!allowed.ok()) return allowed;
  call.Charge(kQuestionInstructions);
  place.found.clear();
  place.surfaces.clear();
  ask(place.context.queries().bodies(), place);
  call.Charge(static_cast<int64_t>(place.found.size()));
  call.Return(static_cast<int64_t>(place.found.size()));
  return absl::OkStatus();
}

void KeepHit(ScriptPlace& place, const QueryHit& hit) {
  Keep(place, hit.what.object, hit.fraction, hit.point, hit.normal);
}

absl::Status CastRay(ScriptCall& call) {
  const RayQuery ray = {.from = call.vector(0), .to = call.vector(1)};
  if (!IsInReach(ray.from) || !IsInReach(ray.to)) return TooFar();
  const bool wants_all = call.has(2) && call.boolean(2);
  const QueryFilter filter = FilterOf(call, 3);
  return Answer(call, [&](const PhysicsQueries& bodies, ScriptPlace& place) {
    if (wants_all) {
      for (const QueryHit& hit : bodies.CastRayThrough(ray, filter)) {
        KeepHit(place, hit);
      }
    } else if (const auto hit = bodies.CastRay(ray, filter)) {
      KeepHit(place, *hit);
    }
  });
}

// The rest of a sweep; `all` is the argument that says whether all are meant,
// `all` + 1 whether triggers are.
absl::Status Sweep(ScriptCall& call, const SolidSweep& sweep, size_t all) {
  if (!IsInReach(sweep.way.from) || !IsInReach(sweep.way.to)) return TooFar();
  const bool wants_all = call.has(all) && call.boolean(all);
  const QueryFilter filter = FilterOf(call, all + 1);
  return Answer(call, [&](const PhysicsQueries& bodies, ScriptPlace& place) {
    if (wants_all) {
      for (const QueryHit& hit : bodies.CastSolidThrough(sweep, filter)) {
        KeepHit(place, hit);
      }
    } else if (const auto hit = bodies.CastSolid(sweep, filter)) {
      KeepHit(place, *hit);
    }
  });
}

absl::Status SweepBall(ScriptCall& call) {
  return Sweep(call,
               {.solid = SpherePrimitive{.radius_m = call.number(2)},
                .way = {.from = call.vector(0), .to = call.vector(1)},
                .rotation = {}},
               /*all=*/3);
}

absl::Status SweepBox(ScriptCall& call) {
  absl::StatusOr<Solid> box = BoxOf(call.vector(2));
  if (!box.ok()) return box.status();
  const absl::StatusOr<Quaternion> rotation = TurnOf(call, 3);
  if (!rotation.ok()) return rotation.status();
  return Sweep(call,
               {.solid = *std::move(box),
                .way = {.from = call.vector(0), .to = call.vector(1)},
                .rotation = *rotation},
               /*all=*/4);
}

// The rest of a question for what is near a solid; `distance` is the argument
// that says how near, `distance` + 1 whether triggers are meant.
absl::Status Near(ScriptCall& call, const PlacedSolid& solid, size_t distance) {
  if (!IsInReach(solid.position)) return TooFar();
  const double reach_m = call.has(distance) ? call.number(distance) : 0.0;
  const QueryFilter filter = FilterOf(call, distance + 1);
  return Answer(call, [&](const PhysicsQueries& bodies, ScriptPlace& place) {
    for (const NearPrimitive& near : bodies.FindNear(solid, reach_m, filter)) {
      Keep(place, near.what.object, near.distance_m, near.point, near.normal);
    }
  });
}

absl::Status NearBall(ScriptCall& call) {
  return Near(call,
              {.solid = SpherePrimitive{.radius_m = call.number(1)},
               .position = call.vector(0),
               .rotation = {}},
              /*distance=*/2);
}

absl::Status NearBox(ScriptCall& call) {
  absl::StatusOr<Solid> box = BoxOf(call.vector(1));
  if (!box.ok()) return box.status();
  const absl::StatusOr<Quaternion> rotation = TurnOf(call, 2);
  if (!rotation.ok()) return rotation.status();
  return Near(call,
              {.solid = *std::move(box),
               .position = call.vector(0),
               .rotation = *rotation},
              /*distance=*/3);
}

absl::Status Closest(ScriptCall& call) {
  const Vector3 point = call.vector(0);
  if (!IsInReach(point)) return TooFar();
  const double reach_m = call.number(1);
  const QueryFilter filter = FilterOf(call, 2);
  return Answer(call, [&](const PhysicsQueries& bodies, ScriptPlace& place) {
    const auto closest = bodies.FindClosestPoint(point, reach_m, filter);
    if (!closest.has_value()) return;
    // Where the point is inside there is no way out to tell.
    Keep(place, closest->what.object, closest->distance_m, closest->point,
         Normalized(point - closest->point));
  });
}

// What the call's last question about bodies found, at argument 0.
const ScriptPlace::Surface* SurfaceAt(const ScriptCall& call) {
  const std::vector<ScriptPlace::Surface>& surfaces = PlaceOf(call).surfaces;
  const auto index = static_cast<size_t>(call.integer(0) - 1);
  return index < surfaces.size() ? &surfaces[index] : nullptr;
}

void AddAnswers(ScriptFunctions& functions) {
  const ScriptParameter index = IntegerParameter("index", "from 1", "", 1, 1e9);
  const std::string nothing = "nil behind the last, and where none was asked";
  functions.Add("query.point",
                "Tells where on a body the call's last question hit it.",
                {index}, MayGive(ScriptType::kVector, nothing, "m"),
                [](ScriptCall& call) {
                  const ScriptPlace::Surface* const surface = SurfaceAt(call);
                  if (surface != nullptr) call.Return(surface->point);
                  return absl::OkStatus();
                });
  functions.Add("query.normal", "Tells how the body's surface lies there.",
                {index},
                MayGive(ScriptType::kVector,
                        "out of the body, of length 1; of query.closest to "
                        "the point, 0 inside; " +
                            nothing),
                [](ScriptCall& call) {
                  const ScriptPlace::Surface* const surface = SurfaceAt(call);
                  if (surface != nullptr) call.Return(surface->normal);
                  return absl::OkStatus();
                });
}

}  // namespace

void AddBodyFunctions(ScriptFunctions& functions) {
  const ScriptParameter from = VectorParameter("from", "its start", "m");
  const ScriptParameter to = VectorParameter("to", "its end", "m");
  const ScriptParameter radius =
      NumberParameter("radius", "its radius", "m", kSizeMinM, kSizeMaxM);
  const ScriptParameter half =
      VectorParameter("half_extents", "half its sides", "m");
  const ScriptParameter rotation = Optional(VectorParameter(
      "rotation", "along the axis, as long as the angle", "rad"));
  const ScriptParameter all =
      Optional({.name = "all",
                .type = ScriptType::kBoolean,
                .help = "whether it goes on behind the first"});
  const ScriptParameter triggers =
      Optional({.name = "triggers",
                .type = ScriptType::kBoolean,
                .help = "whether triggers count, too"});
  const ScriptParameter distance = Optional(NumberParameter(
      "distance", "how near; left out: what touches it", "m", 0, kSizeMaxM));
  const ScriptResult count = Gives(
      ScriptType::kInteger,
      "how many parts of bodies, without the object's own; query.distance is "
      "the fraction of the way");
  const ScriptResult near_count = Gives(
      ScriptType::kInteger,
      "how many parts of bodies, without the object's own; query.distance is "
      "below 0 where they reach into each other");
  const std::string fails =
      "the script doesn't say `queries = true`; it is more than 2e6 m away";
  const std::string box_fails =
      fails + "; a side is out of range; it turns by more than 1e9 rad";
  functions.Add("query.ray",
                "Finds what a ray enters, by its exact shape, near to far.",
                {from, to, all, triggers}, count, &CastRay, fails);
  functions.Add("query.sweep",
                "Finds what a ball touches on its way, near to far.",
                {from, to, radius, all, triggers}, count, &SweepBall, fails);
  functions.Add(
      "query.sweep_box", "Finds what a box touches on its way, near to far.",
      {from, to, half, rotation, all, triggers}, count, &SweepBox, box_fails);
  functions.Add("query.near",
                "Finds what is near a ball, by its exact shape, in the order "
                "of creation.",
                {VectorParameter("center", "its centre", "m"), radius, distance,
                 triggers},
                near_count, &NearBall, fails);
  functions.Add("query.near_box",
                "Finds what is near a box, by its exact shape, in the order of "
                "creation.",
                {VectorParameter("center", "its centre", "m"), half, rotation,
                 distance, triggers},
                near_count, &NearBox, box_fails);
  functions.Add(
      "query.closest", "Finds the point of a body that is closest.",
      {VectorParameter("point", "to which", "m"),
       NumberParameter("distance", "how near", "m", 0, kSizeMaxM), triggers},
      Gives(ScriptType::kInteger,
            "1, or 0 where no body is so near but the object's own"),
      &Closest, fails);
  AddAnswers(functions);
}

}  // namespace reprise::sim
