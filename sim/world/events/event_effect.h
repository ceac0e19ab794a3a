// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a connection does when an event is delivered, as data.

#ifndef REPRISE_SIM_WORLD_EVENTS_EVENT_EFFECT_H_
#define REPRISE_SIM_WORLD_EVENTS_EVENT_EFFECT_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "sim/base/id.h"
#include "sim/base/tick.h"
#include "sim/event.h"
#include "sim/geometry/vector3.h"
#include "sim/world/components/property_ref.h"
#include "sim/world/events/event_expression.h"
#include "sim/world/events/participant.h"
#include "sim/world/time/timers.h"

namespace reprise::sim {

// A property of the object gets a value, or grows by it.
struct PropertyEffect {
  PropertyRef property;
  uint32_t part = 0;  // which number of a vector
  bool is_added = false;
  // Of a reference null: it leads to `whom`, or to nobody.
  std::shared_ptr<const EventExpression> value;
  std::optional<Participant> whom;
};

// The object gets an event.
struct SendEffect {
  Id event;
  std::vector<EventArgument> arguments;
  Tick delay = 0;
};

// An object comes at the object's place.
struct SpawnEffect {
  Id archetype;
  Id name;  // kNoId: none
  Vector3 offset;
};

// The object goes.
struct DestroyEffect {};

// A timer of the object starts; `timer` is without an object.
struct StartTimerEffect {
  TimerStart timer;
};

struct StopTimerEffect {
  Id name;
};

// The run is decided, by the object if there is one.
struct OutcomeEffect {
  bool is_won = true;
  Id reason;  // kNoId: the name of the object
};

struct EventEffect {
  // Unset in outcomes alone.
  std::optional<Participant> object;
  std::variant<DestroyEffect, PropertyEffect, SendEffect, SpawnEffect,
               StartTimerEffect, StopTimerEffect, OutcomeEffect>
      kind;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_EVENTS_EVENT_EFFECT_H_
