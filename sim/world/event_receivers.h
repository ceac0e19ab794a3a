// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The objects of a world as events see them: behaviours handle events, and what
// no behaviour wants the world itself may know.

#ifndef REPRISE_SIM_WORLD_EVENT_RECEIVERS_H_
#define REPRISE_SIM_WORLD_EVENT_RECEIVERS_H_

#include <optional>
#include <string>

#include "absl/functional/function_ref.h"
#include "sim/base/handle.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/expression/evaluator.h"
#include "sim/state/field_value.h"
#include "sim/state/state.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/events/event_effect.h"
#include "sim/world/events/event_router.h"
#include "sim/world/events/receivers.h"
#include "sim/world/events/world_event.h"
#include "sim/world/objects/world_parts.h"
#include "sim/world/updates/step_writers.h"

namespace reprise::sim {

// Belongs to one world.
class ObjectReceivers final : public EventReceivers {
 public:
  // `cached` as UpdateContext's. `writers` is told of what handles events. All
  // outlive this.
  ObjectReceivers(const WorldParts& parts, const State* cached,
                  StepWriters& writers)
      : parts_(parts), cached_(cached), writers_(writers) {}

  ObjectId ObjectOf(Handle handle) const override;
  Handle HandleOf(ObjectId object) const override;
  Handle ParentOf(Handle handle) const override;
  Handle FindNamed(Id name) const override;
  Id NameOf(Handle handle) const override;
  Id TypeOf(Handle handle) const override;
  std::optional<FieldValue> Read(Handle handle,
                                 const ComponentScalar& scalar) const override;
  void ForEachOfType(Id type,
                     absl::FunctionRef<void(Handle)> visit) const override;

  void Apply(const EventEffect& effect, const WorldEvent& event,
             ExpressionEvaluator& evaluator) override;

  // The type's behaviours in their order, until one has handled it; then the
  // system that handles such events; then what the world does for every object:
  // `destroy` ends it, `sleep` and `wake` do what they say. The behaviours of
  // an object that is asleep hear nothing.
  bool Deliver(Handle receiver, const WorldEvent& event) override;

 private:
  const ObjectRow& RowAt(uint32_t row) const;
  ObjectStatus StatusOf(uint32_t row) const;
  bool RunBehaviours(uint32_t row, const WorldEvent& event);
  std::string EventNameOf(Id event) const;

  const WorldParts& parts_;
  const State* cached_;
  StepWriters& writers_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_EVENT_RECEIVERS_H_
