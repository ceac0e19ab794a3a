// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Functions of scripts that say what hull a question about bodies is about: the
// part of `query` that is about corners.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "sim/base/id.h"
#include "sim/base/math.h"
#include "sim/base/nearest_name.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/definition/convex_hull.h"
#include "sim/physics/definition/physics_definition.h"
#include "sim/physics/definition/shape_definition.h"
#include "sim/systems/scripts/script_functions.h"
#include "sim/world/definition/world_definition.h"
#include "sim/world/objects/world_parts.h"

namespace reprise::sim {
namespace {

// Of a hull whose corners a script says: making one takes the square of them.
constexpr size_t kSaidCornersMax = 64;

absl::Status SayCorner(ScriptCall& call) {
  const Vector3 corner = call.vector(0);
  for (const double value : {corner.x, corner.y, corner.z}) {
    if (Abs(value) > kSizeMaxM) {
      return absl::InvalidArgumentError(
          fmt::format("{} is not within +-{} m", value, kSizeMaxM));
    }
  }
  ScriptPlace& place = PlaceOf(call);
  if (place.corners.size() == kSaidCornersMax) {
    return absl::InvalidArgumentError(
        fmt::format("it has {} corners already", kSaidCornersMax));
  }
  place.hull.reset();
  place.corners.push_back(corner);
  return absl::OkStatus();
}

// The one hull that a body of this shape is; null when it is something else.
const Primitive* HullOf(const ShapeDefinition& shape) {
  const auto* const solid = std::get_if<SolidShape>(&shape);
  if (solid == nullptr || solid->primitives.size() != 1) return nullptr;
  const Primitive& primitive = solid->primitives.front();
  return std::holds_alternative<HullPrimitive>(primitive.solid) ? &primitive
                                                                : nullptr;
}

absl::Status SayHullOf(ScriptCall& call) {
  const WorldDefinition& world = PlaceOf(call).context.parts().definition;
  const std::string_view name = call.string(0);
  const std::optional<uint32_t> type = world.FindType(IdOf(name));
  if (!type.has_value()) {
    std::vector<std::string_view> names;
    for (const TypeDefinition& each : world.types) names.push_back(each.name);
    return absl::InvalidArgumentError(ThereIsNo("type", name, names));
  }
  const std::optional<uint32_t> kind = world.types[*type].body_kind;
  const Primitive* const primitive =
      kind.has_value()
          ? HullOf(world.physics.shapes[world.physics.kinds[*kind].shape])
          : nullptr;
  if (primitive == nullptr) {
    return absl::InvalidArgumentError(
        fmt::format("the body of a '{}' is not one hull", name));
  }
  HullPrimitive hull = std::get<HullPrimitive>(primitive->solid);
  for (Vector3& vertex : hull.vertices) {
    vertex = Rotate(primitive->rotation, vertex) + primitive->position;
  }
  call.Charge(static_cast<int64_t>(hull.vertices.size()));
  ScriptPlace& place = PlaceOf(call);
  place.corners.clear();
  place.hull = std::move(hull);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Solid> TakeHull(ScriptCall& call) {
  ScriptPlace& place = PlaceOf(call);
  const std::vector<Vector3> corners = std::exchange(place.corners, {});
  std::optional<HullPrimitive> hull = std::exchange(place.hull, std::nullopt);
  if (hull.has_value()) {
    call.Charge(static_cast<int64_t>(hull->vertices.size()));
    return Solid(*std::move(hull));
  }
  if (corners.size() < 4) {
    return absl::InvalidArgumentError(
        fmt::format("a hull has 4 to {} corners, and {} were said before it",
                    kSaidCornersMax, corners.size()));
  }
  // Each corner is held against each face, twice; one takes the time of two
  // instructions.
  const auto count = static_cast<int64_t>(corners.size());
  call.Charge(4 * count * count);
  absl::StatusOr<HullPrimitive> made = MakeHull(corners);
  if (!made.ok()) return made.status();
  return Solid(*std::move(made));
}

void AddHullFunctions(ScriptFunctions& functions) {
  functions.Add(
      "query.corner",
      "Adds a corner to the hull that the call's next query.sweep_hull or "
      "query.near_hull is about.",
      {VectorParameter("point", "from the hull's origin; one inside adds none",
                       "m")},
      {}, &SayCorner,
      fmt::format("it has {} corners already; a coordinate is not within "
                  "+-10000 m",
                  kSaidCornersMax));
  functions.Add(
      "query.hull_of",
      "Has the call's next query.sweep_hull or query.near_hull be about the "
      "hull that the bodies of a type are, from where such an object is.",
      {TextParameter("type", "a type of the pack")}, {}, &SayHullOf,
      "the pack has no such type; its body is not one hull");
}

}  // namespace reprise::sim
