// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Behaviours: what objects of a type do each tick. A behaviour has no state of
// its own; what it has to remember is in its objects' components. So one
// instance serves all objects of all worlds of a pack, on any thread.
//
//   class Patrol final : public Behaviour {
//    public:
//     absl::Status Bind(const BehaviourBinder& binder) override {
//       return binder.Property("patrol", "speed", speed_);
//     }
//     void UpdateBeforePhysics(UpdateContext& context) const override {
//       for (uint32_t i = 0; i < context.object_count(); ++i) {
//         ... context.Number(i, speed_) ...
//       }
//     }
//
//    private:
//     PropertyRef speed_;
//   };
//   REPRISE_REGISTER_BEHAVIOUR(patrol, "patrol", Patrol);

#ifndef REPRISE_SIM_WORLD_DEFINITION_BEHAVIOUR_H_
#define REPRISE_SIM_WORLD_DEFINITION_BEHAVIOUR_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/game_description.h"
#include "sim/world/components/component.h"
#include "sim/world/components/property_ref.h"
#include "sim/world/components/property_value.h"
#include "sim/world/events/world_event.h"

namespace reprise::sim {

class UpdateContext;

// How often in a tick objects come because others came (OnSpawn).
inline constexpr uint32_t kHookRoundsMax = 8;

// What a behaviour lets a pack choose where a type uses it.
struct ParameterDeclaration {
  std::string_view name;  // like those of packs
  PropertyValue default_value;
  std::string_view help = {};  // one line for people
  std::string_view unit = {};  // an SI symbol; empty for a pure number
  // Inclusive bounds of each number.
  std::optional<double> minimum = std::nullopt;
  std::optional<double> maximum = std::nullopt;
  std::vector<std::string_view> choices = {};  // of PropertyType::kEnum
  uint32_t list_max = 0;  // of a list, how many values it can hold
};

// The same as a property is defined. REQUIRES: the default is allowed.
PropertyDefinition DefinitionOf(const ParameterDeclaration& parameter);

// What a type of a pack sets it to, or its default.
struct ParameterValue {
  std::string_view name;
  PropertyValue value;
};

// What a behaviour finds of a pack when it is compiled.
class BehaviourBinder {
 public:
  // `components` are all of the pack; `type_components` those that the type
  // that uses the behaviour has; `parameters` all of the behaviour's.
  BehaviourBinder(std::span<const ComponentDefinition> components,
                  std::span<const uint32_t> type_components,
                  std::span<const ParameterValue> parameters = {})
      : components_(components),
        type_components_(type_components),
        parameters_(parameters) {}

  // What the type sets a parameter to. REQUIRES: the behaviour declares it.
  const PropertyValue& Parameter(std::string_view name) const;

  // Finds a property of a component that every object of the type has.
  // INVALID_ARGUMENT names what the pack lacks, or the type that is wanted.
  absl::Status Property(std::string_view component, std::string_view property,
                        PropertyType type, PropertyRef& found) const;

  // As above for a list of values of the type.
  absl::Status List(std::string_view component, std::string_view property,
                    PropertyType type, PropertyRef& found) const;

  // As these for what only other objects need to have.
  absl::Status PropertyOfOthers(std::string_view component,
                                std::string_view property, PropertyType type,
                                PropertyRef& found) const;
  absl::Status ListOfOthers(std::string_view component,
                            std::string_view property, PropertyType type,
                            PropertyRef& found) const;

 private:
  absl::StatusOr<PropertyRef> Find(std::string_view component,
                                   std::string_view property, PropertyType type,
                                   bool is_list) const;
  absl::Status CheckOwn(const PropertyRef& found) const;

  std::span<const ComponentDefinition> components_;
  std::span<const uint32_t> type_components_;
  std::span<const ParameterValue> parameters_;
};

class Behaviour {
 public:
  virtual ~Behaviour() = default;

  // One line for people: what it does.
  virtual std::string_view help() const { return {}; }

  // What a pack can choose; Bind finds what it did. The same whenever it is
  // asked.
  virtual std::vector<ParameterDeclaration> parameters() const { return {}; }

  // Called once for each type that uses it, on an instance of that type's own.
  // An error is a problem of the pack.
  virtual absl::Status Bind(const BehaviourBinder& binder) = 0;

  // For all objects of one bucket and type that are due at this tick, in object
  // order: before physics, where it pushes bodies and decides, and after, where
  // it sees what came of it.
  virtual void UpdateBeforePhysics(UpdateContext& context) const;
  virtual void UpdateAfterPhysics(UpdateContext& context) const;

  // An event for object 0 of the context, the only one there. Returns whether
  // it is handled; if not, it goes on to the next behaviour, then to the
  // parent.
  virtual bool OnEvent(UpdateContext& context, const WorldEvent& event) const;

  // Object 0 of the context, the only one there, has come: of the pack at tick
  // 0, of a chunk, or spawned; asleep or awake. It has its place, its body, its
  // timers, and its place among all others. Called when all that came at once
  // are there, in object order, at the end of the tick in which they came (of
  // the pack, before the first): the first update is the next tick's. What is
  // spawned, attached and destroyed here still comes and goes in the same tick;
  // after kHookRoundsMax rounds of that, spawns are refused. What is posted is
  // delivered in the next tick.
  virtual void OnSpawn(UpdateContext& context) const;

  // Object 0 goes, and is still there as it was last: for whatever reason but
  // the end of the world. Called right before it and all that go at once are
  // taken away, in the order of the requests. What is spawned here comes in the
  // same tick; what is posted or sent has a sender that is gone by the time
  // that an answer could come. Nothing can keep it.
  virtual void OnDestroy(UpdateContext& context) const;

  // What it does, so that nothing is called or kept in vain. An inert object's
  // behaviours do nothing at all.
  struct Hooks {
    bool before_physics = false;
    bool after_physics = false;
    bool on_event = false;
    bool on_spawn = false;
    bool on_destroy = false;
    bool reads_others = false;     // calls UpdateContext::Read...
    bool queries = false;          // calls UpdateContext::queries
    bool marks_timelines = false;  // starts timelines with marks
  };
  virtual Hooks hooks() const = 0;
};

using BehaviourFactory = std::function<std::unique_ptr<Behaviour>()>;

// Makes behaviours of a program known to packs by `name`. Called before main();
// a name that is taken is a CHECK.
bool RegisterBehaviour(std::string_view name, BehaviourFactory factory);

// Makes a component of a program known to packs by its name, as above.
bool RegisterComponent(ComponentDefinition component);

// Says what events behaviours of a program send, for whoever asks what there is
// in a game, and as names for reports. Several may have one name.
bool RegisterEvent(EventDescription event);

// Lets reports write a name for its id that behaviours of a program use and no
// pack need have: a reason to fail, a stream of random numbers. As often as one
// likes.
bool RegisterWord(std::string_view word);

// A new instance; null when the program has no such behaviour.
std::unique_ptr<Behaviour> MakeBehaviour(std::string_view name);

// In ascending order.
std::vector<std::string> BehaviourNames();

// All registered components, in ascending order of names.
std::vector<ComponentDefinition> RegisteredComponents();

// All registered events, in ascending order of names.
std::vector<EventDescription> RegisteredEvents();

// All registered words, in ascending order.
std::vector<std::string> RegisteredWords();

// At namespace scope in a source file of a library with alwayslink.
#define REPRISE_REGISTER_BEHAVIOUR(token, name, Class)                      \
  [[maybe_unused]] static const bool reprise_registered_behaviour_##token = \
      ::reprise::sim::RegisterBehaviour(                                    \
          name, [] { return std::make_unique<Class>(); })
#define REPRISE_REGISTER_COMPONENT(token, component)                        \
  [[maybe_unused]] static const bool reprise_registered_component_##token = \
      ::reprise::sim::RegisterComponent(component)
#define REPRISE_REGISTER_WORD(token, word)                             \
  [[maybe_unused]] static const bool reprise_registered_word_##token = \
      ::reprise::sim::RegisterWord(word)
#define REPRISE_REGISTER_EVENT(token, ...)                              \
  [[maybe_unused]] static const bool reprise_registered_event_##token = \
      ::reprise::sim::RegisterEvent(__VA_ARGS__)

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_DEFINITION_BEHAVIOUR_H_
