// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/events/participant.h"

namespace reprise::sim {
namespace {

Handle OfArgument(const EventArgument* argument,
                  const EventReceivers& receivers) {
  if (argument == nullptr) return kNullHandle;
  switch (argument->value.type) {
    case ScalarType::kObject:
      return receivers.HandleOf(ObjectId{argument->value.bits});
    case ScalarType::kHandle:
      return argument->value.AsHandle();
    default:
      return kNullHandle;
  }
}

Handle Find(const Participant& participant, const WorldEvent& event,
            const EventReceivers& receivers) {
  switch (participant.kind) {
    case Participant::Kind::kSender:
      return event.sender;
    case Participant::Kind::kTarget:
      return event.target;
    case Participant::Kind::kArgument:
      return OfArgument(event.arguments.Find(participant.id), receivers);
    case Participant::Kind::kObject:
      return receivers.HandleOf(participant.object);
    case Participant::Kind::kNamed:
      return receivers.FindNamed(participant.id);
  }
  return kNullHandle;
}

}  // namespace

Handle HandleOf(const Participant& participant, const WorldEvent& event,
                const EventReceivers& receivers) {
  const Handle handle = Find(participant, event, receivers);
  return receivers.ObjectOf(handle) == kNoObject ? kNullHandle : handle;
}

}  // namespace reprise::sim
