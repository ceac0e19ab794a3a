// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/updates/world_queries.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>
#include <variant>

#include "sim/base/math.h"
#include "sim/geometry/spatial/quadtree.h"
#include "sim/geometry/spatial/spatial_bounds.h"
#include "sim/physics/bodies/body_forces.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/physics/shapes/triangle_surface.h"
#include "sim/world/objects/body_kinds.h"

namespace reprise::sim {
namespace {

// Where the index ends, there is room for the radius, and for rounding.
constexpr double kPlaceMaxM = 0.1 * kSpatialReach;

// A ray from so far ends within a millimetre of where it should: less than the
// room around bodies' boxes, so that which of them are tried decides nothing.
constexpr double kSightMaxM = 1e12;

bool IsWithin(double bound, Vector3 place) {
  return Abs(place.x) <= bound && Abs(place.y) <= bound &&
         Abs(place.z) <= bound;
}

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
      physics_(physics),
      bodies_(std::shared_ptr<const PhysicsDefinition>(std::shared_ptr<void>(),
                                                       &definition.physics),
              physics),
      spatial_(std::make_unique<Quadtree>(QuadtreeOptions{})) {
  for (const BodyKind& kind : definition.physics.kinds) {
    radii_.push_back(RadiusOf(definition.physics.shapes[kind.shape]));
  }
  std::map<Id, std::vector<uint32_t>> types;
  for (uint32_t i = 0; i < definition.types.size(); ++i) {
    const TypeDefinition& type = definition.types[i];
    types[type.id].push_back(i);
    for (const Id base : type.bases) types[base].push_back(i);
  }
  for (auto& [id, those] : types) types_.push_back({id, std::move(those)});
}

void WorldQueries::Look(const WorldParts& parts) {
  parts_.emplace(parts);
  state_ = parts.state;
  bodies_are_old_ = true;
  spatial_is_old_ = true;
}

const PhysicsQueries& WorldQueries::bodies() const {
  if (bodies_are_old_) bodies_.Look(state_);
  bodies_are_old_ = false;
  return bodies_;
}

const SpatialQueries& WorldQueries::spatial() const {
  if (!spatial_is_old_) return spatial_;
  spatial_is_old_ = false;
  moved_.clear();
  if (HasSameObjects()) {
    FollowBodies();
    FollowPlaces();
    for (const uint32_t row : chosen_) Note(row, entries_[row].place);
  } else {
    BuildAll();
  }
  seen_ = state_;
  // One that moves costs about as much as several that are built anew.
  if (8 * moved_.size() > entries_.size()) {
    spheres_.clear();
    for (const auto& [object, place, radius] : entries_) {
      if (radius < 0.0) continue;
      spheres_.push_back({object, Sphere{.center = place, .radius = radius}});
    }
    spatial_.Build(spheres_);
    return spatial_;
  }
  for (const uint32_t row : moved_) {
    const auto& [object, place, radius] = entries_[row];
    if (radius < 0.0) {
      spatial_.Remove(object);
    } else {
      spatial_.Put({object, Sphere{.center = place, .radius = radius}});
    }
  }
  return spatial_;
}

bool WorldQueries::HasSameObjects() const {
  if (seen_.table_count() == 0) return false;
  const TableIndex index = parts_->tables.objects.objects;
  const Table& objects = state_.table(index);
  const Table& before = seen_.table(index);
  if (objects.row_count() != before.row_count()) return false;
  uint32_t row = 0;
  for (uint32_t page = 0; page < objects.page_count(); ++page) {
    const std::span<const ObjectRow> rows = objects.PageRows<ObjectRow>(page);
    if (rows.data() == before.PageRows<ObjectRow>(page).data()) {
      row += static_cast<uint32_t>(rows.size());
      continue;
    }
    for (const ObjectRow& object : rows) {
      if (entries_[row++].object != object.object) return false;
    }
  }
  return true;
}

template <typename Row, typename Visit>
void WorldQueries::ForEachChanged(TableIndex index, const Visit& visit) const {
  const Table& table = state_.table(index);
  const Table& before = seen_.table(index);
  for (uint32_t page = 0; page < table.page_count(); ++page) {
    const std::span<const Row> rows = table.PageRows<Row>(page);
    // Nobody writes a page that is kept in `seen_`: the same one says the same.
    if (page < before.page_count() &&
        before.PageRows<Row>(page).data() == rows.data() &&
        before.PageRows<Row>(page).size() == rows.size()) {
      continue;
    }
    // Both are in object order.
    uint32_t entry = RowOf(rows.front().object);
    for (const Row& row : rows) {
      while (entry < entries_.size() && entries_[entry].object < row.object) {
        ++entry;
      }
      if (entry == entries_.size()) break;
      if (entries_[entry].object == row.object) visit(entry, row);
    }
  }
}

void WorldQueries::FollowBodies() const {
  ForEachChanged<BodyRow>(physics_.bodies,
                          [&](uint32_t row, const BodyRow& body) {
                            const uint32_t type = parts_->objects.TypeOf(row);
                            if (!definition_.types[type].body_kind.has_value())
                              return;
                            Note(row, body.position);
                          });
}

void WorldQueries::FollowPlaces() const {
  ForEachChanged<PlaceRow>(
      parts_->tables.objects.places, [&](uint32_t row, const PlaceRow& place) {
        const uint32_t type = parts_->objects.TypeOf(row);
        // A body's place is the object's, where it has both.
        if (definition_.types[type].body_kind.has_value() &&
            FindBody(state_, physics_, place.object).has_value()) {
          return;
        }
        Note(row, place.position);
      });
}

void WorldQueries::Note(uint32_t row, Vector3 place) const {
  const Entry entry = EntryAt(row, place);
  Entry& before = entries_[row];
  if (std::memcmp(&entry, &before, sizeof(Entry)) == 0) return;
  before = entry;
  moved_.push_back(row);
}

void WorldQueries::BuildAll() const {
  entries_.clear();
  chosen_.clear();
  const Table& objects = state_.table(parts_->tables.objects.objects);
  for (uint32_t row = 0; row < objects.row_count(); ++row) {
    entries_.push_back(EntryAt(row, PlaceOf(*parts_, state_, row).position));
    moved_.push_back(row);
    const uint32_t type = parts_->objects.TypeOf(row);
    if (definition_.types[type].body_choice.has_value()) chosen_.push_back(row);
  }
}

WorldQueries::Entry WorldQueries::EntryAt(uint32_t row, Vector3 place) const {
  const ObjectId object = ObjectIn(row).object;
  const TypeDefinition& type = definition_.types[parts_->objects.TypeOf(row)];
  double radius =
      type.body_kind.has_value()
          ? radii_[BodyKindOf(state_, parts_->tables.objects, type, object)]
          : 0.0;
  if (!IsWithin(kPlaceMaxM, place)) radius = -1.0;
  return {.object = object, .place = place, .radius = radius};
}

const ObjectRow& WorldQueries::ObjectIn(uint32_t row) const {
  return state_.table(parts_->tables.objects.objects).Get<ObjectRow>(row);
}

uint32_t WorldQueries::RowOf(ObjectId object) const {
  const auto entry =
      std::ranges::lower_bound(entries_, object, {}, &Entry::object);
  return static_cast<uint32_t>(entry - entries_.begin());
}

bool WorldQueries::HasComponent(uint32_t type, Id component) const {
  const std::optional<uint32_t> index = definition_.FindComponent(component);
  return index.has_value() &&
         std::ranges::binary_search(definition_.types[type].components, *index,
                                    {}, &ComponentUse::component);
}

bool WorldQueries::Answers(uint32_t row, const ObjectCriteria& criteria) const {
  const ObjectRow& object = ObjectIn(row);
  if (object.handle == criteria.except) return false;
  const uint32_t type = parts_->objects.TypeOf(row);
  const TypeDefinition& definition = definition_.types[type];
  if (criteria.type != kNoId && definition.id != criteria.type &&
      std::ranges::find(definition.bases, criteria.type) ==
          definition.bases.end()) {
    return false;
  }
  if (criteria.component != kNoId && !HasComponent(type, criteria.component)) {
    return false;
  }
  if (object.status != ObjectStatus::kActive && !criteria.includes_dormant) {
    return false;
  }
  return !criteria.test.has_value() ||
         Holds(*parts_, state_, row, *criteria.test);
}

std::vector<FoundObject> WorldQueries::Find(
    const ObjectCriteria& criteria) const {
  // The rows of the types that answer, and of no others.
  std::vector<uint32_t> rows;
  uint32_t type_count = 0;
  const auto add = [&](uint32_t type) {
    if (criteria.component != kNoId &&
        !HasComponent(type, criteria.component)) {
      return;
    }
    const std::span<const uint32_t> of_type = parts_->objects.RowsOfType(type);
    if (of_type.empty()) return;
    rows.insert(rows.end(), of_type.begin(), of_type.end());
    ++type_count;
  };
  if (criteria.type == kNoId) {
    for (uint32_t type = 0; type < definition_.types.size(); ++type) add(type);
  } else {
    const auto those =
        std::ranges::lower_bound(types_, criteria.type, {}, &TypesOf::type);
    if (those == types_.end() || those->type != criteria.type) return {};
    for (const uint32_t type : those->types) add(type);
  }
  // A total order: no row is there twice.
  if (type_count > 1) std::ranges::sort(rows);
  std::vector<FoundObject> found;
  for (const uint32_t row : rows) {
    if (!Answers(row, criteria)) continue;
    const ObjectRow& object = ObjectIn(row);
    found.push_back({.object = object.object, .handle = object.handle});
  }
  return found;
}

template <typename Hits>
std::vector<FoundObject> WorldQueries::Collect(const Hits& hits) const {
  std::vector<FoundObject> found;
  for (const NearObject& hit : hits) {
    found.push_back({.object = hit.object,
                     .handle = ObjectIn(RowOf(hit.object)).handle,
                     .distance = hit.distance});
  }
  return found;
}

std::vector<FoundObject> WorldQueries::FindInSphere(
    const Sphere& sphere, const ObjectCriteria& criteria) const {
  return Collect(spatial().FindInSphere(sphere, [&](ObjectId object) {
    return Answers(RowOf(object), criteria);
  }));
}

std::vector<FoundObject> WorldQueries::FindInCone(
    const Cone& cone, const ObjectCriteria& criteria) const {
  return Collect(spatial().FindInCone(
      cone, [&](ObjectId object) { return Answers(RowOf(object), criteria); }));
}

std::vector<FoundObject> WorldQueries::FindInBox(
    const OrientedBox& box, const ObjectCriteria& criteria) const {
  std::vector<FoundObject> found;
  for (const ObjectId object :
       spatial().FindInBox(box, [&](ObjectId candidate) {
         return Answers(RowOf(candidate), criteria);
       })) {
    found.push_back(
        {.object = object, .handle = ObjectIn(RowOf(object)).handle});
  }
  return found;
}

std::vector<FoundObject> WorldQueries::FindAlong(
    const Segment& segment, const ObjectCriteria& criteria) const {
  std::vector<FoundObject> found;
  for (const SpatialHit& hit : spatial().FindAlong(
           segment,
           [&](ObjectId object) { return Answers(RowOf(object), criteria); })) {
    found.push_back({.object = hit.object,
                     .handle = ObjectIn(RowOf(hit.object)).handle,
                     .distance = hit.hit.t});
  }
  return found;
}

std::vector<FoundObject> WorldQueries::FindNearest(
    Vector3 point, uint32_t count, const ObjectCriteria& criteria) const {
  return Collect(spatial().FindNearest(point, count, [&](ObjectId object) {
    return Answers(RowOf(object), criteria);
  }));
}

bool WorldQueries::HasLineOfSight(Handle from, Handle to) const {
  const uint32_t viewer = parts_->objects.RowOf(state_, from);
  const uint32_t target = parts_->objects.RowOf(state_, to);
  if (viewer == kNoRow || target == kNoRow) return false;
  const Vector3 eye = PlaceOf(*parts_, state_, viewer).position;
  const Vector3 goal = PlaceOf(*parts_, state_, target).position;
  if (!IsWithin(kSightMaxM, eye) || !IsWithin(kSightMaxM, goal)) return false;
  const std::optional<QueryHit> hit = bodies().CastRay(
      {.from = eye, .to = goal}, {.ignored = ObjectIn(viewer).object});
  return !hit.has_value() || hit->what.object == ObjectIn(target).object;
}

std::vector<bool> WorldQueries::HaveLinesOfSight(
    std::span<const SightPair> pairs) const {
  std::vector<bool> answers;
  answers.reserve(pairs.size());
  for (const auto& [from, to] : pairs) {
    answers.push_back(HasLineOfSight(from, to));
  }
  return answers;
}

}  // namespace reprise::sim
