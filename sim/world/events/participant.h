// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Whom something that follows an event is about: one who has a part in the
// event, or an object that is known before.

#ifndef REPRISE_SIM_WORLD_EVENTS_PARTICIPANT_H_
#define REPRISE_SIM_WORLD_EVENTS_PARTICIPANT_H_

#include <cstdint>

#include "sim/base/handle.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/world/events/receivers.h"
#include "sim/world/events/world_event.h"

namespace reprise::sim {

struct Participant {
  enum class Kind : uint8_t {
    kSender,
    kTarget,    // of the event; nobody where it is sent to all with interest
    kArgument,  // the object that the argument `id` is
    kObject,    // `object`
    kNamed,     // whoever has the name `id` then, the oldest of them
  };

  Kind kind = Kind::kSender;
  Id id = kNoId;
  ObjectId object = kNoObject;

  friend bool operator==(const Participant&, const Participant&) = default;
};

// Its handle; null when there is nobody, or it is gone.
Handle HandleOf(const Participant& participant, const WorldEvent& event,
                const EventReceivers& receivers);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_EVENTS_PARTICIPANT_H_
