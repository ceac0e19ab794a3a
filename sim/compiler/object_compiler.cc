// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/object_compiler.h"

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "sim/compiler/checking/pack_names.h"
#include "sim/compiler/component_compiler.h"
#include "sim/compiler/grid_compiler.h"
#include "sim/geometry/transform.h"
#include "sim/world/objects/objects.h"

namespace reprise::sim {
namespace {

// One object that is to be, before it has its number.
struct Placement {
  std::string name;
  int manifest_index = 0;  // of the object that it comes from
  uint32_t archetype = 0;  // index into WorldDefinition::archetypes
  ObjectPresence presence;
  Transform place;
  Vector3 linear_velocity_m_s;
  Vector3 angular_velocity_rad_s;
};

const TypeDefinition& TypeOf(const WorldDefinition& world, uint32_t archetype) {
  return world.types[world.archetypes[archetype].type];
}

// The types and archetypes of a manifest, whether or not they were compiled.
std::set<std::string_view> NamedTypes(const v1::Pack& pack) {
  std::set<std::string_view> names;
  for (const v1::Type& type : pack.types()) names.insert(type.name());
  for (const v1::Archetype& each : pack.archetypes()) names.insert(each.name());
  return names;
}

// Conditions and effects mean somebody else by these.
void WarnOfName(const v1::Object& object, const MessageChecker& checker) {
  for (const std::string_view word : {"self", "sender", "target"}) {
    if (object.name() != word || object.has_grid()) continue;
    checker.Warning("name",
                    fmt::format("conditions and effects can't name it: there "
                                "'{}' is who has that part in an event",
                                word));
  }
}

void Place(const v1::Pack& pack, int index, const MessageChecker& checker,
           const SystemCompilers& systems, const WorldDefinition& world,
           const std::set<std::string_view>& named_types,
           std::vector<Placement>& placements) {
  const v1::Object& object = pack.objects(index);
  const std::optional<uint32_t> archetype =
      world.FindArchetype(IdOf(object.type()));
  Placement placement{
      .name = checker.Name("name", object.name()),
      .manifest_index = index,
      .archetype = archetype.value_or(0),
      .place = {.position = checker.Vector("position", object.position()),
                .rotation = checker.Rotation("rotation_degrees",
                                             object.rotation_degrees())},
      .linear_velocity_m_s =
          checker.Vector("linear_velocity", object.linear_velocity()),
      .angular_velocity_rad_s =
          Radians(1.0) * checker.Vector("angular_velocity_degrees",
                                        object.angular_velocity_degrees())};
  if (!archetype.has_value()) {
    // Why one isn't there that the manifest has, is reported with it.
    if (!named_types.contains(object.type())) {
      checker.NoSuch("type", "type or archetype", object.type());
    }
    return;
  }
  placement.presence = systems.CompileObject(object, checker);
  const TypeDefinition& type = TypeOf(world, *archetype);
  const bool is_dynamic =
      type.body_kind.has_value() &&
      world.physics.kinds[*type.body_kind].motion == Motion::kDynamic;
  if (!is_dynamic && object.has_linear_velocity()) {
    checker.Problem("linear_velocity", "only a dynamic body has a velocity");
  }
  if (!is_dynamic && object.has_angular_velocity_degrees()) {
    checker.Problem("angular_velocity_degrees",
                    "only a dynamic body has a velocity");
  }
  if (object.attached() && object.parent().empty()) {
    checker.Problem("attached", "to what? There is no parent");
  }
  if (object.attached() && type.body_kind.has_value() &&
      world.physics.kinds[*type.body_kind].motion != Motion::kKinematic) {
    checker.Problem("attached",
                    "of objects with a body only a kinematic one can be");
  }
  if (!object.has_grid()) {
    placements.push_back(std::move(placement));
    return;
  }
  const std::vector<Transform> copies =
      CompileGrid(object, checker, placement.place, type.body_kind.has_value(),
                  world.info.seed);
  for (size_t copy = 0; copy < copies.size(); ++copy) {
    placement.name = fmt::format("{}_{}", object.name(), copy);
    placement.place = copies[copy];
    placements.push_back(placement);
  }
}

// All objects that the manifest asks for, in the order of their names.
std::vector<Placement> PlaceAll(const v1::Pack& pack,
                                const MessageChecker& checker,
                                const SystemCompilers& systems,
                                const WorldDefinition& world) {
  std::vector<Placement> placements;
  const std::set<std::string_view> named_types = NamedTypes(pack);
  for (int i = 0; i < pack.objects_size(); ++i) {
    const v1::Object& object = pack.objects(i);
    const MessageChecker place = checker.In(object, "objects", i);
    WarnOfName(object, place);
    Place(pack, i, place, systems, world, named_types, placements);
    if (placements.size() > kObjectsMax) {
      place.Problem(
          object.has_grid() ? "grid" : "name",
          fmt::format("more than {} objects up to here", kObjectsMax));
      return {};
    }
  }
  // The order of names is that of objects, so that the order of the manifest is
  // nothing. A total order: equal names are refused below.
  std::ranges::sort(placements, {}, [](const Placement& placement) {
    return std::tie(placement.name, placement.manifest_index);
  });
  for (size_t i = 1; i < placements.size(); ++i) {
    if (placements[i - 1].name != placements[i].name) continue;
    const int index = placements[i].manifest_index;
    checker.In(pack.objects(index), "objects", index)
        .Problem("name",
                 fmt::format("there are two objects '{}'", placements[i].name));
  }
  return placements;
}

// The index of the object of that name; nullopt when there is none.
std::optional<uint32_t> FindPlacement(std::span<const Placement> placements,
                                      const std::string& name) {
  const auto found =
      std::ranges::lower_bound(placements, name, {}, &Placement::name);
  if (found == placements.end() || found->name != name) return std::nullopt;
  return static_cast<uint32_t>(found - placements.begin());
}

// Puts each object into a bucket behind those that it depends on.
class BucketCompiler {
 public:
  BucketCompiler(const v1::Pack& pack, const MessageChecker& checker,
                 std::span<const Placement> placements,
                 std::span<ObjectDefinition> objects)
      : pack_(pack),
        checker_(checker),
        placements_(placements),
        objects_(objects) {
    edges_.resize(placements.size());
    states_.resize(placements.size());
  }

  void Compile() {
    for (uint32_t i = 0; i < placements_.size(); ++i) FindEdges(i);
    for (uint32_t i = 0; i < placements_.size(); ++i) {
      std::vector<uint32_t> path;
      if (!Visit(i, path)) return;  // a ring is reported once
    }
  }

 private:
  enum class VisitState : uint8_t { kNew, kOpen, kDone };

  MessageChecker PlaceOf(uint32_t object) const {
    const int index = placements_[object].manifest_index;
    return checker_.In(pack_.objects(index), "objects", index);
  }

  void FindEdges(uint32_t object) {
    const v1::Object& message =
        pack_.objects(placements_[object].manifest_index);
    const auto add = [&](std::string_view field, const std::string& name) {
      const std::optional<uint32_t> other = FindPlacement(placements_, name);
      if (!other.has_value()) {
        PlaceOf(object).NoSuch(field, "object", name);
        return;
      }
      edges_[object].push_back(*other);
    };
    if (!message.parent().empty()) {
      add("parent", message.parent());
      if (!edges_[object].empty()) {
        objects_[object].parent = edges_[object][0];
        CheckParent(object, edges_[object][0]);
      }
    }
    for (const std::string& name : message.after()) {
      add("after", name);
      objects_[object].after.push_back(IdOf(name));
    }
  }

  // A parent that goes before its child would leave it behind, and one that
  // comes after it would not be found.
  void CheckParent(uint32_t object, uint32_t parent) const {
    const Id chunk = placements_[parent].presence.chunk;
    if (chunk == kNoId || chunk == placements_[object].presence.chunk) return;
    PlaceOf(object).Problem("parent",
                            fmt::format("'{}' comes and goes with its chunk",
                                        placements_[parent].name));
  }

  std::string_view FieldOf(uint32_t object) const {
    return objects_[object].parent.has_value() ? "parent" : "after";
  }

  void ReportRing(std::span<const uint32_t> path) const {
    std::vector<std::string> names;
    for (const uint32_t each :
         path.subspan(std::ranges::find(path, path.back()) - path.begin())) {
      names.push_back(placements_[each].name);
    }
    PlaceOf(path.back())
        .Problem(FieldOf(path.back()),
                 fmt::format("objects wait for each other: {}",
                             fmt::join(names, " -> ")));
  }

  void ReportChain(uint32_t object) const {
    PlaceOf(object).Problem(
        FieldOf(object),
        fmt::format("more than {} objects in a chain, '{}' at its end",
                    kBucketsMax, placements_[object].name));
  }

  bool Visit(uint32_t object, std::vector<uint32_t>& path) {
    path.push_back(object);
    if (states_[object] == VisitState::kOpen) {
      ReportRing(path);
      return false;
    }
    if (path.size() > kBucketsMax) {
      ReportChain(path.front());
      return false;
    }
    if (states_[object] == VisitState::kNew) {
      states_[object] = VisitState::kOpen;
      uint64_t bucket = 0;
      for (const uint32_t other : edges_[object]) {
        if (!Visit(other, path)) return false;
        bucket = std::max(bucket, objects_[other].bucket + 1);
      }
      if (bucket >= kBucketsMax) {
        ReportChain(object);
        return false;
      }
      objects_[object].bucket = bucket;
      states_[object] = VisitState::kDone;
    }
    path.pop_back();
    return true;
  }

  const v1::Pack& pack_;
  const MessageChecker& checker_;
  std::span<const Placement> placements_;
  std::span<ObjectDefinition> objects_;
  std::vector<std::vector<uint32_t>> edges_;
  std::vector<VisitState> states_;
};

// Which of the placements are there at tick 0, and where.
class Attendance {
 public:
  explicit Attendance(std::span<const Placement> placements) {
    for (const Placement& placement : placements) {
      slots_.push_back(placement.presence.is_there ? std::optional(count_++)
                                                   : std::nullopt);
    }
  }

  // Those that are there take the first slots, in their order.
  std::optional<uint32_t> SlotOf(uint32_t placement) const {
    return slots_[placement];
  }
  uint32_t count() const { return count_; }

 private:
  uint32_t count_ = 0;
  std::vector<std::optional<uint32_t>> slots_;
};

// Reports pools that are too small for tick 0.
void CheckRoom(const v1::Pack& pack, const MessageChecker& checker,
               std::span<const Placement> placements,
               const Attendance& attendance, const WorldDefinition& world) {
  if (attendance.count() > world.objects_max) {
    checker.Problem("objects",
                    fmt::format("more than {} objects", world.objects_max));
  }
  std::vector<uint32_t> counts(world.types.size());
  for (uint32_t i = 0; i < placements.size(); ++i) {
    if (!attendance.SlotOf(i).has_value()) continue;
    const uint32_t type = world.archetypes[placements[i].archetype].type;
    if (++counts[type] != world.types[type].objects_max + 1) continue;
    const int index = placements[i].manifest_index;
    checker.In(pack.objects(index), "objects", index)
        .Problem("type", fmt::format("more than {} objects of the type '{}'",
                                     world.types[type].objects_max,
                                     world.types[type].name));
  }
}

ObjectDefinition MakeObject(const Placement& placement,
                            const v1::Object& message,
                            const WorldDefinition& world) {
  return {.name = placement.name,
          .name_id = IdOf(placement.name),
          .archetype = placement.archetype,
          .is_attached = message.attached(),
          .is_dormant = message.dormant(),
          .presence = placement.presence,
          .place = placement.place,
          .linear_velocity_m_s = placement.linear_velocity_m_s,
          .angular_velocity_rad_s = placement.angular_velocity_rad_s,
          .rows = world.archetypes[placement.archetype].rows};
}

void AddBody(const ObjectDefinition& object, ObjectId number,
             WorldDefinition& world) {
  const TypeDefinition& type = TypeOf(world, object.archetype);
  if (!type.body_kind.has_value() || object.is_dormant ||
      object.presence.is_away) {
    return;
  }
  world.physics.bodies.push_back(
      {.object = number,
       .kind = *type.body_kind,
       .position = object.place.position,
       .rotation = object.place.rotation,
       .linear_velocity_m_s = object.linear_velocity_m_s,
       .angular_velocity_rad_s = object.angular_velocity_rad_s});
}

// Numbers the objects that are there at tick 0, and keeps those that come and
// go.
void Distribute(const Attendance& attendance,
                std::vector<ObjectDefinition> objects, WorldDefinition& world) {
  for (uint32_t i = 0; i < objects.size(); ++i) {
    ObjectDefinition& object = objects[i];
    if (const std::optional<uint32_t> parent = object.parent;
        parent.has_value()) {
      object.parent_name = objects[*parent].name_id;
      object.place_on_parent = Inverse(objects[*parent].place) * object.place;
      object.parent = attendance.SlotOf(*parent);
    }
    if (object.presence.chunk != kNoId) world.passing_objects.push_back(object);
    if (const std::optional<uint32_t> slot = attendance.SlotOf(i);
        slot.has_value()) {
      AddBody(object, ObjectId{*slot + uint64_t{1}}, world);
      world.objects.push_back(object);
    }
  }
  // A total order: two names of one id are refused.
  std::ranges::sort(world.passing_objects, {}, &ObjectDefinition::name_id);
}

// What the references that `settings` make lead to.
std::vector<ReferenceDefinition> ReferencesOf(
    const google::protobuf::RepeatedPtrField<v1::ComponentUse>& settings,
    const WorldDefinition& world) {
  std::vector<ReferenceDefinition> references;
  for (const v1::ComponentUse& use : settings) {
    const std::optional<uint32_t> component =
        world.FindComponent(IdOf(use.component()));
    if (!component.has_value()) continue;
    const ComponentDefinition& definition = world.components[*component];
    for (const v1::PropertySetting& setting : use.set()) {
      const std::optional<uint32_t> index = definition.Find(setting.property());
      if (!index.has_value()) continue;
      const PropertyDefinition& property = definition.properties[*index];
      if (property.type != PropertyType::kReference) continue;
      uint32_t offset = definition.schema->fields()[property.field].offset;
      const auto add = [&](const v1::Value& value) {
        references.push_back({.component = *component,
                              .offset = offset,
                              .object = IdOf(value.text())});
        offset += sizeof(Handle);
      };
      if (property.capacity == 0) {
        add(setting.value());
      } else {
        std::ranges::for_each(setting.value().list().values(), add);
      }
    }
  }
  return references;
}

}  // namespace

void CompileObjects(const v1::Pack& pack, const MessageChecker& checker,
                    const SystemCompilers& systems,
                    std::set<std::string>& words, WorldDefinition& world) {
  const std::vector<Placement> placements =
      PlaceAll(pack, checker, systems, world);
  const Attendance attendance(placements);
  CheckRoom(pack, checker, placements, attendance, world);
  const ValueScope scope{
      .components = world.components,
      .find_object = [&](const std::string& name) -> std::optional<Handle> {
        const std::optional<uint32_t> index = FindPlacement(placements, name);
        if (!index.has_value()) return std::nullopt;
        const std::optional<uint32_t> slot = attendance.SlotOf(*index);
        if (!slot.has_value()) return kNullHandle;
        return Handle{.index = *slot, .generation = 1};
      },
      .words = &words};
  std::vector<ObjectDefinition> objects;
  for (const Placement& placement : placements) {
    const int index = placement.manifest_index;
    const v1::Object& message = pack.objects(index);
    ObjectDefinition object = MakeObject(placement, message, world);
    CompileOverrides(message.components(),
                     TypeOf(world, placement.archetype).components,
                     checker.In(message, "objects", index), scope,
                     /*mark_overridden=*/true, object.rows);
    if (placement.presence.chunk != kNoId) {
      object.references = ReferencesOf(message.components(), world);
    }
    objects.push_back(std::move(object));
  }
  BucketCompiler(pack, checker, placements, objects).Compile();
  Distribute(attendance, std::move(objects), world);
}

}  // namespace reprise::sim
