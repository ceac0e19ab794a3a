// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The seam between events and the objects that send and hear them.

#ifndef REPRISE_SIM_WORLD_EVENTS_RECEIVERS_H_
#define REPRISE_SIM_WORLD_EVENTS_RECEIVERS_H_

#include "sim/base/handle.h"
#include "sim/base/object_id.h"
#include "sim/world/events/world_event.h"

namespace reprise::sim {

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

  // Runs the handlers of `receiver`, which is live, for `event`; returns
  // whether one has handled it. Handlers may post, send, create and destroy.
  virtual bool Deliver(Handle receiver, const WorldEvent& event) = 0;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_EVENTS_RECEIVERS_H_
