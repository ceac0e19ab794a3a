// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/object_compiler.h"

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "sim/base/math.h"
#include "sim/base/random.h"
#include "sim/geometry/quaternion.h"

namespace reprise::sim {
namespace {

// One object that is to be, before it has its number.
struct Placement {
  std::string name;
  int manifest_index = 0;  // of the object that it comes from
  const CompiledType* type = nullptr;
  Vector3 position;
  Quaternion rotation;
  Vector3 linear_velocity_m_s;
  Vector3 angular_velocity_rad_s;
};

const CompiledType* FindType(std::span<const CompiledType> types,
                             const std::string& name) {
  const auto found = std::ranges::find(types, name, &CompiledType::name);
  return found == types.end() ? nullptr : &*found;
}

// -1 to 1.
double NextSigned(RandomStream& stream) { return 2.0 * NextUnit(stream) - 1.0; }

Vector3 NextJitter(RandomStream& stream, Vector3 reach) {
  // One draw a statement: the order of draws is part of the result.
  const double x = NextSigned(stream);
  const double y = NextSigned(stream);
  const double z = NextSigned(stream);
  return {x * reach.x, y * reach.y, z * reach.z};
}

Quaternion NextRotation(RandomStream& stream) {
  const Vector3 axis = NextJitter(stream, {1.0, 1.0, 1.0});
  return FromAxisAngle(axis, kPi * NextSigned(stream));
}

uint32_t CopiesAlong(std::string_view field, uint32_t count,
                     const MessageChecker& checker) {
  if (count == 0) return 1;
  return checker.Count(field, count, 1, kGridCopiesMax);
}

// Appends the copies that the grid of `object` makes of `first`.
void PlaceGrid(const v1::Object& object, const MessageChecker& checker,
               const Placement& first, uint64_t seed,
               std::vector<Placement>& placements) {
  const v1::Grid& grid = object.grid();
  const MessageChecker place = checker.In(grid, "grid");
  const uint64_t count_x = CopiesAlong("count_x", grid.count_x(), place);
  const uint64_t count_y = CopiesAlong("count_y", grid.count_y(), place);
  const uint64_t count_z = CopiesAlong("count_z", grid.count_z(), place);
  const Vector3 spacing = place.Vector("spacing", grid.spacing());
  const Vector3 jitter = place.Vector("jitter", grid.jitter());
  // No product of three uint32 within the bound overflows 64 bits.
  if (count_x > kGridCopiesMax || count_y > kGridCopiesMax ||
      count_z > kGridCopiesMax ||
      count_x * count_y * count_z > kGridCopiesMax) {
    checker.Problem("grid", fmt::format("more than {} copies", kGridCopiesMax));
    return;
  }
  RandomStream stream = MakeRandomStream(seed, IdOf(object.name()));
  uint64_t index = 0;
  for (uint64_t z = 0; z < count_z; ++z) {
    for (uint64_t y = 0; y < count_y; ++y) {
      for (uint64_t x = 0; x < count_x; ++x) {
        Placement copy = first;
        copy.name = fmt::format("{}_{}", object.name(), index++);
        copy.position =
            copy.position + Vector3{static_cast<double>(x) * spacing.x,
                                    static_cast<double>(y) * spacing.y,
                                    static_cast<double>(z) * spacing.z};
        copy.position = copy.position + NextJitter(stream, jitter);
        if (grid.random_rotation()) {
          copy.rotation = NextRotation(stream) * copy.rotation;
        }
        placements.push_back(std::move(copy));
      }
    }
  }
}

void Place(const v1::Pack& pack, int index, const MessageChecker& checker,
           std::span<const CompiledType> types, std::span<const BodyKind> kinds,
           uint64_t seed, std::vector<Placement>& placements) {
  const v1::Object& object = pack.objects(index);
  Placement placement{
      .name = checker.Name("name", object.name()),
      .manifest_index = index,
      .type = FindType(types, object.type()),
      .position = checker.Vector("position", object.position()),
      .rotation =
          checker.Rotation("rotation_degrees", object.rotation_degrees()),
      .linear_velocity_m_s =
          checker.Vector("linear_velocity", object.linear_velocity()),
      .angular_velocity_rad_s =
          Radians(1.0) * checker.Vector("angular_velocity_degrees",
                                        object.angular_velocity_degrees())};
  if (placement.type == nullptr) {
    checker.Problem("type",
                    fmt::format("there is no type '{}'", object.type()));
    return;
  }
  const std::optional<uint32_t> kind = placement.type->body_kind;
  const bool is_dynamic =
      kind.has_value() && kinds[*kind].motion == Motion::kDynamic;
  if (!is_dynamic && object.has_linear_velocity()) {
    checker.Problem("linear_velocity", "only a dynamic body has a velocity");
  }
  if (!is_dynamic && object.has_angular_velocity_degrees()) {
    checker.Problem("angular_velocity_degrees",
                    "only a dynamic body has a velocity");
  }
  if (object.has_grid()) {
    PlaceGrid(object, checker, placement, seed, placements);
  } else {
    placements.push_back(std::move(placement));
  }
}

void AddComponents(const Placement& placement, ObjectId object,
                   WorldDefinition& world) {
  const CompiledType& type = *placement.type;
  if (type.roller.has_value()) {
    world.rollers.push_back(*type.roller);
    world.rollers.back().object = object;
  }
  if (type.body_kind.has_value()) {
    world.physics.bodies.push_back(
        {.object = object,
         .kind = *type.body_kind,
         .position = placement.position,
         .rotation = placement.rotation,
         .linear_velocity_m_s = placement.linear_velocity_m_s,
         .angular_velocity_rad_s = placement.angular_velocity_rad_s});
  }
  if (type.decision.has_value()) {
    world.decisions.push_back(*type.decision);
    world.decisions.back().trigger = object;
    if (world.decisions.back().reason.empty()) {
      world.decisions.back().reason = placement.name;
    }
  }
}

}  // namespace

void CompileObjects(const v1::Pack& pack, const MessageChecker& checker,
                    std::span<const CompiledType> types, uint64_t seed,
                    WorldDefinition& world) {
  std::vector<Placement> placements;
  for (int i = 0; i < pack.objects_size(); ++i) {
    Place(pack, i, checker.In(pack.objects(i), "objects", i), types,
          world.physics.kinds, seed, placements);
    if (placements.size() > kObjectsMax) {
      checker.Problem("objects",
                      fmt::format("more than {} objects", kObjectsMax));
      return;
    }
  }
  // The order of names is that of objects, so that the order of the manifest is
  // nothing. A total order: equal names are refused below.
  std::ranges::sort(placements, {}, [](const Placement& placement) {
    return std::tie(placement.name, placement.manifest_index);
  });
  for (size_t i = 0; i < placements.size(); ++i) {
    const Placement& placement = placements[i];
    if (i > 0 && placements[i - 1].name == placement.name) {
      const int index = placement.manifest_index;
      checker.In(pack.objects(index), "objects", index)
          .Problem("name",
                   fmt::format("there are two objects '{}'", placement.name));
    }
    const ObjectId object{i + 1};
    world.objects.push_back({.object = object,
                             .name = placement.name,
                             .name_id = IdOf(placement.name),
                             .type = placement.type->name,
                             .type_id = placement.type->id,
                             .position = placement.position,
                             .rotation = placement.rotation});
    AddComponents(placement, object, world);
  }
}

}  // namespace reprise::sim
