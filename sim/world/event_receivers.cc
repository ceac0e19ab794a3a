// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/event_receivers.h"

#include <span>

#include "sim/world/slots.h"
#include "sim/world/update_context.h"
#include "sim/world/world_names.h"

namespace reprise::sim {

ObjectId ObjectReceivers::ObjectOf(Handle handle) const {
  return ObjectInSlot(parts_.state.table(parts_.tables.objects.slots), handle);
}

Handle ObjectReceivers::HandleOf(ObjectId object) const {
  const uint32_t row = parts_.objects.RowOf(parts_.state, object);
  if (row == kNoRow) return {};
  return parts_.state.table(parts_.tables.objects.objects)
      .Get<ObjectRow>(row)
      .handle;
}

Handle ObjectReceivers::ParentOf(Handle handle) const {
  const uint32_t row = parts_.objects.RowOf(parts_.state, handle);
  return parts_.state.table(parts_.tables.objects.objects)
      .Get<ObjectRow>(row)
      .parent;
}

bool ObjectReceivers::Deliver(Handle receiver, const WorldEvent& event) {
  const uint32_t row = parts_.objects.RowOf(parts_.state, receiver);
  const ObjectStatus status = parts_.state.table(parts_.tables.objects.objects)
                                  .Get<ObjectRow>(row)
                                  .status;
  if (status == ObjectStatus::kActive && RunBehaviours(row, event)) return true;
  // A behaviour may have asked for the object's end, but it is still there.
  if (event.type == kDestroy) {
    return parts_.objects.RequestDestroy(parts_.state, receiver);
  }
  if (event.type == kSleep && status == ObjectStatus::kActive) {
    SetStatus(parts_, row, ObjectStatus::kDormant);
    return true;
  }
  if (event.type == kWake && status == ObjectStatus::kDormant) {
    SetStatus(parts_, row, ObjectStatus::kActive);
    return true;
  }
  return false;
}

bool ObjectReceivers::RunBehaviours(uint32_t row, const WorldEvent& event) {
  const TypeDefinition& type =
      parts_.definition.types[parts_.objects.TypeOf(row)];
  const uint64_t bucket = parts_.state.table(parts_.tables.objects.objects)
                              .Get<ObjectRow>(row)
                              .bucket;
  UpdateContext context(parts_, cached_);
  context.Begin(bucket, std::span(&row, 1));
  for (const BehaviourUse& use : type.behaviours) {
    if (use.behaviour->hooks().on_event &&
        use.behaviour->OnEvent(context, event)) {
      return true;
    }
  }
  return false;
}

}  // namespace reprise::sim
