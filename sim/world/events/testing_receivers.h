// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Objects for the tests of events: a parent each, and handlers that a test
// sets.

#ifndef REPRISE_SIM_WORLD_EVENTS_TESTING_RECEIVERS_H_
#define REPRISE_SIM_WORLD_EVENTS_TESTING_RECEIVERS_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <utility>

#include "sim/base/handle.h"
#include "sim/base/object_id.h"
#include "sim/world/events/event_router.h"
#include "sim/world/events/world_event.h"

namespace reprise::sim {

// Objects 1, 2, 3 ... with handles of the same index and generation 1.
class TestingReceivers final : public EventReceivers {
 public:
  using Handler = std::function<bool(const WorldEvent& event)>;

  // Returns the handle of a new object.
  Handle Create(Handler handler, Handle parent = kNullHandle) {
    objects_.push_back({.handler = std::move(handler), .parent = parent});
    return {.index = static_cast<uint32_t>(objects_.size()), .generation = 1};
  }

  void Destroy(Handle handle) { At(handle).is_live = false; }
  void SetParent(Handle handle, Handle parent) { At(handle).parent = parent; }

  ObjectId ObjectOf(Handle handle) const override {
    const bool is_ours = handle.generation == 1 && handle.index >= 1 &&
                         handle.index <= objects_.size();
    if (!is_ours || !objects_[handle.index - 1].is_live) return kNoObject;
    return {handle.index};
  }

  Handle HandleOf(ObjectId object) const override {
    const Handle handle = {.index = static_cast<uint32_t>(object.serial),
                           .generation = 1};
    return ObjectOf(handle) == kNoObject ? kNullHandle : handle;
  }

  Handle ParentOf(Handle handle) const override {
    return objects_[handle.index - 1].parent;
  }

  bool Deliver(Handle receiver, const WorldEvent& event) override {
    return At(receiver).handler(event);
  }

 private:
  struct Object {
    Handler handler;
    Handle parent;
    bool is_live = true;
  };
  Object& At(Handle handle) { return objects_[handle.index - 1]; }

  // A handler may create objects: those that are there stay where they are.
  std::deque<Object> objects_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_EVENTS_TESTING_RECEIVERS_H_
