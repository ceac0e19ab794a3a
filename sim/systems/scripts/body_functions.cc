// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Functions of scripts that ask what bodies are hit, by their exact shapes: the
// part of `query` that is about shapes, points and surfaces.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "sim/base/nearest_name.h"
#include "sim/base/object_id.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/definition/physics_bounds.h"
#include "sim/physics/definition/physics_definition.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/physics/definition/shape_definition.h"
#include "sim/physics/queries/physics_queries.h"
#include "sim/systems/scripts/script_functions.h"
#include "sim/systems/scripts/script_properties.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/objects/world_parts.h"
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

// Which bodies the call's question is about: what was said before it, and what
// argument `triggers` says, but never the object's own.
QueryFilter FilterOf(const ScriptCall& call, size_t triggers) {
  ScriptPlace& place = PlaceOf(call);
  QueryFilter filter =
      std::exchange(place.filter, std::nullopt).value_or(QueryFilter{});
  filter.includes_triggers = call.has(triggers) && call.boolean(triggers);
  filter.ignored = place.context.object(place.object);
  return filter;
}

// What is said of the call's next question.
QueryFilter& NextFilter(const ScriptCall& call) {
  std::optional<QueryFilter>& filter = PlaceOf(call).filter;
  if (!filter.has_value()) filter.emplace();
  return *filter;
}

// The object that argument 0 of the call is; kNoObject when it is gone.
ObjectId ObjectOf(const ScriptCall& call) {
  const WorldParts& parts = PlaceOf(call).context.parts();
  const uint32_t row = parts.objects.RowOf(parts.state, call.handle(0));
  if (row == kNoRow) return kNoObject;
  return parts.state.table(parts.tables.objects.objects)
      .Get<ObjectRow>(row)
      .object;
}

absl::Status AskOnly(ScriptCall& call) {
  const ObjectId object = ObjectOf(call);
  if (object == kNoObject) {
    return absl::InvalidArgumentError("the object is gone");
  }
  NextFilter(call).only = object;
  return absl::OkStatus();
}

// One that is gone is in nobody's way.
absl::Status AskWithout(ScriptCall& call) {
  NextFilter(call).ignored_too = ObjectOf(call);
  return absl::OkStatus();
}

absl::Status AskLayer(ScriptCall& call) {
  std::vector<std::string_view> names;
  for (const ScriptCollisionLayer& layer : PlaceOf(call).use.collision_layers) {
    names.push_back(layer.name);
    if (layer.name != call.string(0)) continue;
    QueryFilter& filter = NextFilter(call);
    if (filter.layers == QueryFilter{}.layers) filter.layers = 0;
    filter.layers |= layer.layers;
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      ThereIsNo("collision layer", call.string(0), names));
}

absl::Status AskColliding(ScriptCall& call) {
  const ScriptPlace& place = PlaceOf(call);
  const WorldParts& parts = place.context.parts();
  const BodyRow* const body =
      FindBodyRow(parts, parts.state, place.context.object(place.object));
  if (body == nullptr) {
    return absl::InvalidArgumentError("the object has no body");
  }
  const PhysicsDefinition& physics = parts.definition.physics;
  const BodyKind& kind = physics.kinds[body->kind];
  NextFilter(call).layers_of_asker =
      UnionFilter(kind, physics.shapes[kind.shape]).layers;
  return absl::OkStatus();
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

// The solid that stands along y, of which argument `shape` of the call says
// what it is, and the next ones its radius and height.
absl::StatusOr<Solid> StandingSolidOf(const ScriptCall& call, size_t shape) {
  const double radius_m = call.number(shape + 1);
  const double height_m = call.number(shape + 2);
  const std::string_view name = call.string(shape);
  if (name == "capsule") {
    return CapsulePrimitive{.radius_m = radius_m, .height_m = height_m};
  }
  if (name == "cylinder") {
    return CylinderPrimitive{.radius_m = radius_m, .height_m = height_m};
  }
  if (name == "cone") {
    return ConePrimitive{.radius_m = radius_m, .height_m = height_m};
  }
  return absl::InvalidArgumentError(ThereIsNo(
      "solid", name,
      std::to_array<std::string_view>({"capsule", "cone", "cylinder"})));
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

absl::Status SweepSolid(ScriptCall& call) {
  absl::StatusOr<Solid> solid = StandingSolidOf(call, 2);
  if (!solid.ok()) return solid.status();
  const absl::StatusOr<Quaternion> rotation = TurnOf(call, 5);
  if (!rotation.ok()) return rotation.status();
  return Sweep(call,
               {.solid = *std::move(solid),
                .way = {.from = call.vector(0), .to = call.vector(1)},
                .rotation = *rotation},
               /*all=*/6);
}

absl::Status SweepHull(ScriptCall& call) {
  absl::StatusOr<Solid> hull = TakeHull(call);
  if (!hull.ok()) return hull.status();
  const absl::StatusOr<Quaternion> rotation = TurnOf(call, 2);
  if (!rotation.ok()) return rotation.status();
  return Sweep(call,
               {.solid = *std::move(hull),
                .way = {.from = call.vector(0), .to = call.vector(1)},
                .rotation = *rotation},
               /*all=*/3);
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

absl::Status NearSolid(ScriptCall& call) {
  absl::StatusOr<Solid> solid = StandingSolidOf(call, 1);
  if (!solid.ok()) return solid.status();
  const absl::StatusOr<Quaternion> rotation = TurnOf(call, 4);
  if (!rotation.ok()) return rotation.status();
  return Near(call,
              {.solid = *std::move(solid),
               .position = call.vector(0),
               .rotation = *rotation},
              /*distance=*/5);
}

absl::Status NearHull(ScriptCall& call) {
  absl::StatusOr<Solid> hull = TakeHull(call);
  if (!hull.ok()) return hull.status();
  const absl::StatusOr<Quaternion> rotation = TurnOf(call, 1);
  if (!rotation.ok()) return rotation.status();
  return Near(call,
              {.solid = *std::move(hull),
               .position = call.vector(0),
               .rotation = *rotation},
              /*distance=*/2);
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

// What is said before a question, and holds for that one alone.
void AddFilters(ScriptFunctions& functions) {
  functions.Add("query.only",
                "Has the call's next question about bodies be about this one "
                "alone.",
                {ObjectParameter("which")}, {}, &AskOnly, "it is gone");
  functions.Add("query.without",
                "Has the call's next question about bodies leave this one out, "
                "beside the object's own.",
                {ObjectParameter("which; the last that is said counts")}, {},
                &AskWithout);
  functions.Add("query.layer",
                "Has the call's next question about bodies be about those on a "
                "collision layer, or on one of several that are said one after "
                "the other.",
                {TextParameter("layer", "a collision layer of the pack")}, {},
                &AskLayer, "the pack has no such collision layer");
  functions.Add("query.colliding",
                "Has the call's next question about bodies be about those "
                "whose layers collide with the object's own body.",
                {}, {}, &AskColliding, "the object has no body");
}

}  // namespace

void AddBodyFunctions(ScriptFunctions& functions) {
  AddFilters(functions);
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
  const ScriptParameter shape =
      TextParameter("shape", "\"capsule\", \"cylinder\" or \"cone\"");
  const ScriptParameter height = NumberParameter(
      "height", "along y; of a capsule between the centres of its caps", "m",
      kSizeMinM, kSizeMaxM);
  const std::string solid_fails =
      fails + "; there is no such solid; it turns by more than 1e9 rad";
  functions.Add(
      "query.sweep_solid",
      "Finds what a solid that stands along y touches on its way, near to far.",
      {from, to, shape, radius, height, rotation, all, triggers}, count,
      &SweepSolid, solid_fails);
  functions.Add("query.near_solid",
                "Finds what is near a solid that stands along y, by its exact "
                "shape, in the order of creation.",
                {VectorParameter("center",
                                 "its centre; of a cone a quarter of "
                                 "its height above its base",
                                 "m"),
                 shape, radius, height, rotation, distance, triggers},
                near_count, &NearSolid, solid_fails);
  const std::string hull_fails =
      fails + "; " + kNoHull + "; it turns by more than 1e9 rad";
  functions.Add("query.sweep_hull",
                "Finds what the hull that was said before it touches on its "
                "way, near to far.",
                {from, to, rotation, all, triggers}, count, &SweepHull,
                hull_fails);
  functions.Add("query.near_hull",
                "Finds what is near the hull that was said before it, by its "
                "exact shape, in the order of creation.",
                {VectorParameter("origin", "where the hull's origin is", "m"),
                 rotation, distance, triggers},
                near_count, &NearHull, hull_fails);
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
