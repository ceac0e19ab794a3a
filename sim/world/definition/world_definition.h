// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A pack as the world needs it: flat tables, made once when the pack is
// compiled and never changed. Worlds of one pack share it.

#ifndef REPRISE_SIM_WORLD_DEFINITION_WORLD_DEFINITION_H_
#define REPRISE_SIM_WORLD_DEFINITION_WORLD_DEFINITION_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/game_description.h"
#include "sim/geometry/transform.h"
#include "sim/geometry/vector3.h"
#include "sim/input/device_button.h"
#include "sim/physics/definition/physics_definition.h"
#include "sim/simulation.h"
#include "sim/world/components/component.h"
#include "sim/world/definition/behaviour.h"
#include "sim/world/definition/request_rows.h"
#include "sim/world/definition/schedule.h"
#include "sim/world/definition/type_parts.h"
#include "sim/world/events/event_connections.h"
#include "sim/world/events/event_router.h"
#include "sim/world/time/time_rate.h"
#include "sim/world/time/timers.h"

namespace reprise::sim {

class SystemDefinition;

// A component as the objects of a type begin with it.
struct ComponentUse {
  uint32_t component = 0;  // index into WorldDefinition::components
  std::vector<std::byte> row;
};

// A behaviour as a type uses it: at the ticks t with (t + offset) a multiple of
// `every_ticks`.
struct BehaviourUse {
  std::string name;
  std::shared_ptr<const Behaviour> behaviour;
  uint64_t every_ticks = 1;
  uint64_t offset = 0;
  // Each object gets an offset of its own, so that the work is spread.
  bool is_spread = false;
};

// A wish to hear of events that are sent to nobody in particular.
struct InterestDefinition {
  Id event;
  int64_t priority = 0;
};

// The game's clock at tick 0, and who moves it.
struct ClockDefinition {
  TimeRate rate;
  bool is_paused = false;
  std::optional<DeviceButton> pause_button;  // of any player's device
  std::optional<DeviceButton> step_button;
};

// The body of an object, where a property of it says which: at 0 that of its
// type, then `kinds`, counted from 1; beyond them the last one.
struct BodyChoice {
  uint32_t component = 0;  // index into WorldDefinition::components
  uint32_t offset = 0;  // of the property, an int64_t, in the component's row
  std::vector<uint32_t> kinds;  // indices into PhysicsDefinition::kinds
  std::vector<Id> names;        // of each, for people
};

struct TypeDefinition {
  std::string name;
  Id id;
  // The types it extends, nearest first.
  std::vector<Id> bases;
  std::optional<uint32_t> body_kind;
  std::optional<BodyChoice> body_choice;  // only with a body
  std::vector<ComponentUse> components;   // in ascending order
  std::vector<BehaviourUse> behaviours;   // in the order in which they run
  std::vector<InterestDefinition> interests;
  // Started for each object when it comes, without the object.
  std::vector<TimerStart> timers;
  // How many objects of exactly this type there can be at a time.
  uint32_t objects_max = 0;
  // What systems make of it.
  TypeParts parts;
};

// A type with other values: what a pack's objects are made from.
struct ArchetypeDefinition {
  std::string name;
  Id id;
  uint32_t type = 0;  // index into WorldDefinition::types
  // One row for each of the type's components.
  std::vector<std::vector<std::byte>> rows;
};

// A value of an object that refers to another object of the pack.
struct ReferenceDefinition {
  uint32_t component = 0;  // index into WorldDefinition::components
  uint32_t offset = 0;     // of the value in the component's row
  Id object;               // the other one's name
};

// Whether an object is there at tick 0, and with what it comes and goes.
struct ObjectPresence {
  Id chunk;              // kNoId: it is always there
  Id layer;              // without which it is away; kNoId: none
  bool is_there = true;  // at tick 0
  bool is_away = false;  // at tick 0: it is there, but out of the world
};

// An object that a pack declares.
struct ObjectDefinition {
  std::string name;
  Id name_id;
  uint32_t archetype = 0;          // index into WorldDefinition::archetypes
  std::optional<uint32_t> parent;  // index into WorldDefinition::objects
  bool is_attached = false;        // moves with its parent
  uint64_t bucket = 0;
  // The names of those that it is updated after, besides its parent.
  std::vector<Id> after;
  bool is_dormant = false;
  ObjectPresence presence;
  Id parent_name;
  Transform place_on_parent;  // where it is attached
  Transform place;
  Vector3 linear_velocity_m_s;
  Vector3 angular_velocity_rad_s;
  // One row for each of the type's components.
  std::vector<std::vector<std::byte>> rows;
  // Of one that comes and goes: what its references lead to whenever it comes.
  std::vector<ReferenceDefinition> references;
};

// Where definitions stand, by their ids.
class IdIndex {
 public:
  template <typename Definition>
  explicit IdIndex(const std::vector<Definition>& definitions) {
    for (uint32_t i = 0; i < definitions.size(); ++i) {
      entries_.emplace_back(definitions[i].id, i);
    }
    // A total order: places differ.
    std::ranges::sort(entries_);
  }
  IdIndex() = default;

  size_t size() const { return entries_.size(); }
  // The first that has the id; nullopt when there is none.
  std::optional<uint32_t> Find(Id id) const;

 private:
  std::vector<std::pair<Id, uint32_t>> entries_;
};

struct WorldDefinition {
  SimulationInfo info;
  // Every name that an id in the state may stand for.
  NameTable names;
  std::vector<ComponentDefinition> components;
  std::vector<TypeDefinition> types;  // in ascending order of names
  // In ascending order of names; each type is the archetype of its own name.
  std::vector<ArchetypeDefinition> archetypes;
  std::vector<ObjectDefinition> objects;  // of tick 0, in object order
  // All that come and go, ascending by the ids of their names.
  std::vector<ObjectDefinition> passing_objects;
  // How many objects there can be at a time.
  uint32_t objects_max = 0;
  ClockDefinition clock;
  EventLimits event_limits;
  EventConnections connections;
  // The types of events that the pack declares.
  std::vector<EventDescription> declared_events;
  // The systems that the pack uses, in ascending order of names, and when they
  // and the world do what.
  std::vector<std::shared_ptr<const SystemDefinition>> systems;
  Schedule schedule;
  // Whether any behaviour reads other objects.
  bool reads_others = false;
  // Whether any behaviour asks for other objects by where and what they are.
  bool queries = false;
  // The kinds of requests that behaviours can make, and how many of each are
  // answered in a tick.
  RequestBudgets requests;
  // Whether any behaviour sets marks of timelines.
  bool marks_timelines = false;
  // Whether any makes texts that the pack doesn't have (KeepText).
  bool makes_texts = false;
  PhysicsDefinition physics;
  // Of all that stands above; there once the pack is compiled.
  GameDescription description;

  // Makes these quick once types and archetypes are complete.
  void IndexTypes();
  IdIndex type_index;
  IdIndex archetype_index;

  // Index of a type, an archetype or a component by its id; nullopt when there
  // is none.
  std::optional<uint32_t> FindType(Id id) const;
  std::optional<uint32_t> FindArchetype(Id id) const;
  std::optional<uint32_t> FindComponent(Id id) const;

  // An object that comes and goes, by its name; null when there is none.
  const ObjectDefinition* FindPassingObject(Id name) const;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_DEFINITION_WORLD_DEFINITION_H_
