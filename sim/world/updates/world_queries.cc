// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/updates/world_queries.h"

#include <algorithm>
#include <cstring>
#include <variant>

#include "sim/base/math.h"
#include "sim/geometry/spatial/quadtree.h"
#include "sim/physics/shapes/triangle_surface.h"
#include "sim/world/objects/body_kinds.h"

namespace reprise::sim {
namespace {

// A level of some kilometres, halved down to a metre or so.
constexpr QuadtreeOptions kTreeOptions = {
    .bounds = {.minimum = {-4096.0, -4096.0, -4096.0},
               .maximum = {4096.0, 4096.0, 4096.0}},
    .depth_max = 12,
    .leaf_capacity = 8};

struct SolidRadius {
  double operator()(const SpherePrimitive& sphere) const {
    return sphere.radius_m;
  }
  double operator()(const BoxPrimitive& box) const {
    return Length(box.half_extents_m);
  }
  double operator()(const CapsulePrimitive& capsule) const {
    return capsule.radius_m + capsule.height_m / 2.0;
  }
  double operator()(const CylinderPrimitive& cylinder) const {
    return Length(Vector3{cylinder.radius_m, cylinder.height_m / 2.0, 0.0});
  }
  double operator()(const ConePrimitive& cone) const {
    return std::max(0.75 * cone.height_m,
                    Length(Vector3{cone.radius_m, 0.25 * cone.height_m, 0.0}));
  }
  double operator()(const HullPrimitive& hull) const {
    double radius = 0.0;
    for (const Vector3& vertex : hull.vertices) {
      radius = std::max(radius, Length(vertex));
    }
    return radius;
  }
};

// Of a sphere around a body's origin that holds all of its shape; -1 for what
// has no end.
double RadiusOf(const ShapeDefinition& shape) {
  if (IsSurface(shape)) {
    const AxisAlignedBox box = BoxAroundSurface(shape);
    return Length({std::max(Abs(box.low.x), Abs(box.high.x)),
                   std::max(Abs(box.low.y), Abs(box.high.y)),
                   std::max(Abs(box.low.z), Abs(box.high.z))});
  }
  const auto* const solid = std::get_if<SolidShape>(&shape);
  if (solid == nullptr) return -1.0;
  double radius = 0.0;
  for (const Primitive& primitive : solid->primitives) {
    radius = std::max(radius, Length(primitive.position) +
                                  std::visit(SolidRadius{}, primitive.solid));
  }
  return radius;
}

}  // namespace

bool Holds(const WorldParts& parts, const State& state, uint32_t row,
           const PropertyTest& test) {
  const uint32_t component_row =
      parts.objects.ComponentRow(row, test.property.component);
  if (component_row == kNoRow) return false;
  const Table& table =
      state.table(parts.tables.objects.components[test.property.component]);
  FieldValue value{.type = ScalarTypeOf(test.property.type)};
  std::memcpy(&value.bits,
              table.Row(component_row).data() + test.property.offset,
              ScalarSize(value.type));
  return Compare(value.AsNumber(), test.comparison, test.value);
}

WorldQueries::WorldQueries(const WorldDefinition& definition,
                           const PhysicsTables& physics)
    : definition_(definition),
      bodies_(std::shared_ptr<const PhysicsDefinition>(std::shared_ptr<void>(),
                                                       &definition.physics),
              physics),
      spatial_(std::make_unique<Quadtree>(kTreeOptions)) {
  for (const BodyKind& kind : definition.physics.kinds) {
    radii_.push_back(RadiusOf(definition.physics.shapes[kind.shape]));
  }
}

void WorldQueries::Look(const WorldParts& parts) {
  parts_.emplace(parts);
  state_ = parts.state;
  bodies_.Look(state_);
  entries_.clear();
  spheres_.clear();
  const Table& objects = state_.table(parts.tables.objects.objects);
  for (uint32_t row = 0; row < objects.row_count(); ++row) {
    const auto& object = objects.Get<ObjectRow>(row);
    const Vector3 place = PlaceOf(parts, state_, row).position;
    entries_.push_back({.object = object.object,
                        .handle = object.handle,
                        .row = row,
                        .place = place});
    const TypeDefinition& type = definition_.types[parts.objects.TypeOf(row)];
    const double radius = type.body_kind.has_value()
                              ? radii_[BodyKindOf(state_, parts.tables.objects,
                                                  type, object.object)]
                              : 0.0;
    if (radius < 0.0) continue;
    spheres_.push_back({.object = object.object,
                        .shape = Sphere{.center = place, .radius = radius}});
  }
  spatial_.Build(spheres_);
}

const WorldQueries::Entry* WorldQueries::EntryOf(ObjectId object) const {
  const auto entry =
      std::ranges::lower_bound(entries_, object, {}, &Entry::object);
  return entry != entries_.end() && entry->object == object ? &*entry : nullptr;
}

const WorldQueries::Entry* WorldQueries::EntryOf(Handle handle) const {
  const auto entry = std::ranges::find(entries_, handle, &Entry::handle);
  return entry != entries_.end() ? &*entry : nullptr;
}

bool WorldQueries::Answers(const Entry& entry,
                           const ObjectCriteria& criteria) const {
  if (entry.handle == criteria.except) return false;
  const TypeDefinition& type =
      definition_.types[parts_->objects.TypeOf(entry.row)];
  if (criteria.type != kNoId && type.id != criteria.type &&
      std::ranges::find(type.bases, criteria.type) == type.bases.end()) {
    return false;
  }
  if (criteria.component != kNoId) {
    const std::optional<uint32_t> component =
        definition_.FindComponent(criteria.component);
    if (!component.has_value() ||
        parts_->objects.ComponentRow(entry.row, *component) == kNoRow) {
      return false;
    }
  }
  const ObjectStatus status = state_.table(parts_->tables.objects.objects)
                                  .Get<ObjectRow>(entry.row)
                                  .status;
  if (status != ObjectStatus::kActive && !criteria.includes_dormant) {
    return false;
  }
  return !criteria.test.has_value() ||
         Holds(*parts_, state_, entry.row, *criteria.test);
}

std::vector<FoundObject> WorldQueries::Find(
    const ObjectCriteria& criteria) const {
  std::vector<FoundObject> found;
  for (const Entry& entry : entries_) {
    if (!Answers(entry, criteria)) continue;
    found.push_back({.object = entry.object, .handle = entry.handle});
  }
  return found;
}

template <typename Hits>
std::vector<FoundObject> WorldQueries::Collect(const Hits& hits) const {
  std::vector<FoundObject> found;
  for (const NearObject& hit : hits) {
    found.push_back({.object = hit.object,
                     .handle = EntryOf(hit.object)->handle,
                     .distance = hit.distance});
  }
  return found;
}

std::vector<FoundObject> WorldQueries::FindInSphere(
    const Sphere& sphere, const ObjectCriteria& criteria) const {
  return Collect(spatial_.FindInSphere(sphere, [&](ObjectId object) {
    return Answers(*EntryOf(object), criteria);
  }));
}

std::vector<FoundObject> WorldQueries::FindInCone(
    const Cone& cone, const ObjectCriteria& criteria) const {
  return Collect(spatial_.FindInCone(cone, [&](ObjectId object) {
    return Answers(*EntryOf(object), criteria);
  }));
}

std::vector<FoundObject> WorldQueries::FindInBox(
    const OrientedBox& box, const ObjectCriteria& criteria) const {
  std::vector<FoundObject> found;
  for (const ObjectId object : spatial_.FindInBox(box, [&](ObjectId candidate) {
         return Answers(*EntryOf(candidate), criteria);
       })) {
    found.push_back({.object = object, .handle = EntryOf(object)->handle});
  }
  return found;
}

std::vector<FoundObject> WorldQueries::FindAlong(
    const Segment& segment, const ObjectCriteria& criteria) const {
  std::vector<FoundObject> found;
  for (const SpatialHit& hit :
       spatial_.FindAlong(segment, [&](ObjectId object) {
         return Answers(*EntryOf(object), criteria);
       })) {
    found.push_back({.object = hit.object,
                     .handle = EntryOf(hit.object)->handle,
                     .distance = hit.hit.t});
  }
  return found;
}

std::vector<FoundObject> WorldQueries::FindNearest(
    Vector3 point, uint32_t count, const ObjectCriteria& criteria) const {
  return Collect(spatial_.FindNearest(point, count, [&](ObjectId object) {
    return Answers(*EntryOf(object), criteria);
  }));
}

bool WorldQueries::HasLineOfSight(Handle from, Handle to) const {
  const Entry* const viewer = EntryOf(from);
  const Entry* const target = EntryOf(to);
  if (viewer == nullptr || target == nullptr) return false;
  const std::optional<QueryHit> hit =
      bodies_.CastRay({.from = viewer->place, .to = target->place},
                      {.ignored = viewer->object});
  return !hit.has_value() || hit->what.object == target->object;
}

}  // namespace reprise::sim
