// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The seam between events and the objects that send and hear them.

#ifndef REPRISE_SIM_WORLD_EVENTS_RECEIVERS_H_
#define REPRISE_SIM_WORLD_EVENTS_RECEIVERS_H_

#include <cstdint>
#include <optional>

#include "absl/functional/function_ref.h"
#include "sim/base/field.h"
#include "sim/base/handle.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/state/field_value.h"
#include "sim/world/events/world_event.h"

namespace reprise::sim {

class ExpressionEvaluator;
struct EventEffect;

// One number, name or reference of a component's row.
struct ComponentScalar {
  uint32_t component = 0;  // index into WorldDefinition::components
  uint32_t offset = 0;     // in the row
  ScalarType type = ScalarType::kDouble;
};

// The objects of a world, as events see them.
class EventReceivers {
 public:
  virtual ~EventReceivers() = default;

  // The object that a handle refers to; kNoObject when it is gone, or null.
  virtual ObjectId ObjectOf(Handle handle) const = 0;
  // The handle of an object; null when it is gone.
  virtual Handle HandleOf(ObjectId object) const = 0;
  // The next in the chain of responsibility; null at its end.
  // REQUIRES: the handle is live.
  virtual Handle ParentOf(Handle handle) const = 0;

  // What conditions ask. A world without names, types and components has none
  // of it.
  //
  // The oldest object that has this name; null when there is none.
  virtual Handle FindNamed([[maybe_unused]] Id name) const {
    return kNullHandle;
  }
  // The name of an object, if it has one, and of its very type.
  // REQUIRES: the handle is live.
  virtual Id NameOf([[maybe_unused]] Handle handle) const { return kNoId; }
  virtual Id TypeOf([[maybe_unused]] Handle handle) const { return kNoId; }
  // A value of an object; nullopt when it lacks the component.
  // REQUIRES: the handle is live.
  virtual std::optional<FieldValue> Read(
      [[maybe_unused]] Handle handle,
      [[maybe_unused]] const ComponentScalar& scalar) const {
    return std::nullopt;
  }
  // The objects of exactly this type, in object order.
  virtual void ForEachOfType(
      [[maybe_unused]] Id type,
      [[maybe_unused]] absl::FunctionRef<void(Handle)> visit) const {}

  // Does what a connection says when `event` is delivered. It may post, create
  // and destroy.
  virtual void Apply([[maybe_unused]] const EventEffect& effect,
                     [[maybe_unused]] const WorldEvent& event,
                     [[maybe_unused]] ExpressionEvaluator& evaluator) {}

  // Runs the handlers of `receiver`, which is live, for `event`; returns
  // whether one has handled it. Handlers may post, send, create and destroy.
  virtual bool Deliver(Handle receiver, const WorldEvent& event) = 0;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_EVENTS_RECEIVERS_H_
