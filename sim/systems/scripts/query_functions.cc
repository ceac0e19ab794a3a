// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Functions of scripts that ask the world where and what objects are: `query`.

#include <string>

#include "fmt/format.h"
#include "sim/geometry/shapes.h"
#include "sim/systems/scripts/script_functions.h"
#include "sim/systems/scripts/script_properties.h"

namespace reprise::sim {
namespace {

// What all shapes of questions can take: a light year.
constexpr double kReachMaxM = 1e16;
constexpr double kHalfAngleMaxRad = 1.57;

// The objects of the type that argument `index` of the call names, or all; and
// whether argument `dormant` lets those in that sleep.
ObjectCriteria CriteriaOf(const ScriptCall& call, size_t index,
                          size_t dormant) {
  const ScriptPlace& place = PlaceOf(call);
  ObjectCriteria criteria{.except = place.context.handle(place.object)};
  if (call.has(index)) criteria.type = IdOf(call.string(index));
  criteria.includes_dormant = call.has(dormant) && call.boolean(dormant);
  return criteria;
}

bool IsInReach(Vector3 point) { return Length(point) < kReachMaxM; }

absl::Status TooFar() {
  return absl::InvalidArgumentError("it is 1e16 m away or more");
}

// Keeps what `find` finds, and says how much it is.
template <typename Find>
absl::Status Answer(ScriptCall& call, const Find& find) {
  ScriptPlace& place = PlaceOf(call);
  absl::Status allowed = CheckQueries(place);
  if (!allowed.ok()) return allowed;
  place.found = find(place.context.queries());
  place.surfaces.clear();
  call.Charge(static_cast<int64_t>(place.found.size()));
  call.Return(static_cast<int64_t>(place.found.size()));
  return absl::OkStatus();
}

absl::Status FindAll(ScriptCall& call) {
  ObjectCriteria criteria = CriteriaOf(call, 0, 2);
  if (call.has(1)) criteria.component = IdOf(call.string(1));
  return Answer(call, [&](const WorldQueries& queries) {
    return queries.Find(criteria);
  });
}

absl::Status FindInSphere(ScriptCall& call) {
  if (!IsInReach(call.vector(0))) return TooFar();
  return Answer(call, [&](const WorldQueries& queries) {
    return queries.FindInSphere(
        {.center = call.vector(0), .radius = call.number(1)},
        CriteriaOf(call, 2, 3));
  });
}

absl::Status FindInBox(ScriptCall& call) {
  const Vector3 half = call.vector(1);
  if (!IsInReach(call.vector(0)) || !IsInReach(half)) return TooFar();
  if (half.x < 0.0 || half.y < 0.0 || half.z < 0.0) {
    return absl::InvalidArgumentError("'half_extents' is negative");
  }
  const absl::StatusOr<Quaternion> rotation =
      RotationOf(call.has(3) ? call.vector(3) : Vector3{});
  if (!rotation.ok()) return rotation.status();
  return Answer(call, [&](const WorldQueries& queries) {
    return queries.FindInBox(
        {.center = call.vector(0), .half_extents = half, .rotation = *rotation},
        CriteriaOf(call, 2, 4));
  });
}

absl::Status FindInCone(ScriptCall& call) {
  if (!IsInReach(call.vector(0))) return TooFar();
  const Vector3 axis = Normalized(call.vector(1));
  if (axis == Vector3{}) {
    return absl::InvalidArgumentError("'axis' has no direction");
  }
  return Answer(call, [&](const WorldQueries& queries) {
    return queries.FindInCone({.apex = call.vector(0),
                               .axis = axis,
                               .half_angle_rad = call.number(2),
                               .length = call.number(3)},
                              CriteriaOf(call, 4, 5));
  });
}

absl::Status FindAlong(ScriptCall& call) {
  if (!IsInReach(call.vector(0)) || !IsInReach(call.vector(1))) return TooFar();
  return Answer(call, [&](const WorldQueries& queries) {
    return queries.FindAlong({.start = call.vector(0), .end = call.vector(1)},
                             CriteriaOf(call, 2, 3));
  });
}

absl::Status FindNearest(ScriptCall& call) {
  if (!IsInReach(call.vector(0))) return TooFar();
  return Answer(call, [&](const WorldQueries& queries) {
    return queries.FindNearest(call.vector(0),
                               static_cast<uint32_t>(call.integer(1)),
                               CriteriaOf(call, 2, 3));
  });
}

// What the last query found at argument 0, from 1; null where it found less.
const FoundObject* FoundAt(ScriptCall& call) {
  const ScriptPlace& place = PlaceOf(call);
  const int64_t index = call.integer(0);
  if (index < 1 || index > static_cast<int64_t>(place.found.size())) {
    return nullptr;
  }
  return &place.found[static_cast<size_t>(index - 1)];
}

absl::Status Sees(ScriptCall& call) {
  ScriptPlace& place = PlaceOf(call);
  absl::Status allowed = CheckQueries(place);
  if (!allowed.ok()) return allowed;
  const Handle from =
      call.has(1) ? call.handle(1) : place.context.handle(place.object);
  call.Return(place.context.queries().HasLineOfSight(from, call.handle(0)));
  return absl::OkStatus();
}

absl::Status RequestRay(ScriptCall& call) {
  ScriptPlace& place = PlaceOf(call);
  absl::Status allowed = CheckQueries(place);
  if (!allowed.ok()) return allowed;
  if (!IsInReach(call.vector(0)) || !IsInReach(call.vector(1))) return TooFar();
  allowed = place.event_types.Check(call.string(3));
  if (!allowed.ok()) return allowed;
  const std::optional<uint64_t> request = place.context.RequestRay(
      place.object, call.vector(0), call.vector(1),
      static_cast<Tick>(call.integer(2)), KeepWord(call, 3));
  if (request.has_value()) call.Return(static_cast<int64_t>(*request));
  return absl::OkStatus();
}

void AddShapes(ScriptFunctions& functions) {
  const ScriptParameter type = Optional(
      TextParameter("type", "only objects of it, or of one that extends it"));
  const ScriptParameter dormant =
      Optional({.name = "dormant",
                .type = ScriptType::kBoolean,
                .help = "whether those that sleep count, too"});
  const ScriptResult count =
      Gives(ScriptType::kInteger, "how many, without the object itself");
  const std::string fails =
      "the script doesn't say `queries = true`; it is 1e16 m away or more";
  functions.Add(
      "query.all", "Finds objects, in the order of their creation.",
      {type, Optional(TextParameter("component", "only objects that have it")),
       dormant},
      count, &FindAll, fails);
  functions.Add("query.sphere",
                "Finds objects that touch a sphere, near to "
                "far.",
                {VectorParameter("center", "its centre", "m"),
                 NumberParameter("radius", "its radius", "m", 0, kReachMaxM),
                 type, dormant},
                count, &FindInSphere, fails);
  functions.Add("query.box",
                "Finds objects that touch a box, in the order of their "
                "creation.",
                {VectorParameter("center", "its centre", "m"),
                 VectorParameter("half_extents", "half its sides", "m"), type,
                 Optional(VectorParameter("rotation",
                                          "along the axis, as long as the "
                                          "angle",
                                          "rad")),
                 dormant},
                count, &FindInBox,
                fails +
                    "; a side is negative; it turns by more than 1e9 "
                    "rad");
  functions.Add("query.cone", "Finds objects that touch a cone, near to far.",
                {VectorParameter("apex", "its tip", "m"),
                 VectorParameter("axis", "where it opens", ""),
                 NumberParameter("half_angle", "from the axis to its side",
                                 "rad", 0, kHalfAngleMaxRad),
                 NumberParameter("length", "from its tip to its flat end", "m",
                                 0, kReachMaxM),
                 type, dormant},
                count, &FindInCone, fails + "; the axis is 0");
  functions.Add("query.along", "Finds objects along a segment, near to far.",
                {VectorParameter("from", "its start", "m"),
                 VectorParameter("to", "its end", "m"), type, dormant},
                count, &FindAlong, fails);
  functions.Add(
      "query.nearest", "Finds the nearest objects, near to far.",
      {VectorParameter("point", "to which", "m"),
       IntegerParameter("count", "the most", "", 1, 65536), type, dormant},
      count, &FindNearest, fails);
}

}  // namespace

absl::Status CheckQueries(const ScriptPlace& place) {
  if (place.use.queries) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("{} doesn't say `queries = true`", place.use.file));
}

void AddQueryFunctions(ScriptFunctions& functions) {
  AddShapes(functions);
  const ScriptParameter index = IntegerParameter("index", "from 1", "", 1, 1e9);
  functions.Add("query.object", "Gives what the call's last query found.",
                {index}, MayGive(ScriptType::kHandle, "nil behind the last"),
                [](ScriptCall& call) {
                  const FoundObject* const found = FoundAt(call);
                  if (found != nullptr) call.Return(found->handle);
                  return absl::OkStatus();
                });
  functions.Add(
      "query.distance", "Tells how far away that is.", {index},
      MayGive(ScriptType::kNumber,
              "from the place; of query.along the fraction of the way; nil "
              "behind the last",
              "m"),
      [](ScriptCall& call) {
        const FoundObject* const found = FoundAt(call);
        if (found != nullptr) call.Return(found->distance);
        return absl::OkStatus();
      });
  functions.Add("query.sees",
                "Tells whether no body lies between the places of two objects.",
                {ObjectParameter("which"),
                 Optional({.name = "from",
                           .type = ScriptType::kHandle,
                           .help = "who looks; nil: the own one"})},
                Gives(ScriptType::kBoolean, "whether"), &Sees,
                "the script doesn't say `queries = true`");
  functions.Add(
      "query.request_ray",
      "Asks what a ray hits some ticks from now; the answer is an event with "
      "`request` and, if a body is hit, `object`, `fraction`, `x`, `y`, `z`.",
      {VectorParameter("from", "its start", "m"),
       VectorParameter("to", "its end", "m"),
       IntegerParameter("delay", "from now", "ticks", 1, kScriptTicksMax),
       TextParameter("event", "the type of the answer")},
      MayGive(ScriptType::kInteger, "the request; nil when too many wait"),
      &RequestRay,
      "the script doesn't say `queries = true`; it is 1e16 m away or more; the "
      "pack has no such event, or the world alone sends it");
}

}  // namespace reprise::sim
