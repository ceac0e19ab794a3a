// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Data pathways: connections that a pack declares from the events that one
// object sends to events for another, so that a door can follow a button
// without either knowing of the other.

#ifndef REPRISE_SIM_WORLD_EVENTS_EVENT_CONNECTIONS_H_
#define REPRISE_SIM_WORLD_EVENTS_EVENT_CONNECTIONS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/handle.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/base/tick.h"
#include "sim/event.h"
#include "sim/state/field_value.h"
#include "sim/world/events/event_effect.h"
#include "sim/world/events/event_expression.h"
#include "sim/world/events/participant.h"
#include "sim/world/events/receivers.h"
#include "sim/world/events/world_event.h"

namespace reprise::sim {

// More than a person wires by hand in the largest of levels.
inline constexpr size_t kEventConnectionsMax = 1 << 16;

struct EventConnection {
  // The sender: this object, whoever is of exactly this type, or whoever has
  // this name. At most one of the three; none: whoever sends it.
  ObjectId source;
  Id source_type = kNoId;
  Id source_name = kNoId;
  Id type;  // of the event that is sent
  Id name;  // unique among those of the same source and type

  // Unset: whatever is sent.
  std::shared_ptr<const EventExpression> condition = nullptr;

  // Who gets the event that is posted: an object, or whoever has this part in
  // the one that is sent or this name; nobody does, and nothing is posted, when
  // there is nobody. Or all of exactly these types, in their order, then in
  // that of objects. At most one of these; none: all with registered interest.
  ObjectId target;
  std::optional<Participant> participant = std::nullopt;
  std::vector<Id> target_types = {};
  Id posted_type;  // kNoId, with effects: nothing is posted
  Tick delay = 0;
  int64_t priority = 0;

  // The argument `output` of the event that is sent becomes the argument
  // `input` of the one that is posted; one that is absent is left out.
  struct Mapping {
    Id output;
    Id input;
    // A number where the output is a whole one; a handle or an object where it
    // is the other of these. Unset: what the output is.
    std::optional<ScalarType> becomes = std::nullopt;
  };
  std::vector<Mapping> mappings;
  std::vector<EventArgument> constants;

  // What is done before, in this order.
  std::vector<EventEffect> effects = {};
};

// INVALID_ARGUMENT names the connection (by its position) that has no type or
// name, has those of another, sets an input twice or to no valid value, or
// waits beyond kTickMax; RESOURCE_EXHAUSTED when it sets more than
// kEventArgumentsMax, or there are more than kEventConnectionsMax.
absl::Status ValidateEventConnections(
    std::span<const EventConnection> connections);

// What `connection`, having `target` (null where all with interest get it),
// posts when `sent` is delivered. The sender stays.
WorldEvent ConnectedEvent(const EventConnection& connection,
                          const WorldEvent& sent, Handle target,
                          const EventReceivers& receivers);

// The connections of a world, found by what is sent. Immutable.
class EventConnections {
 public:
  EventConnections() = default;
  // REQUIRES: ValidateEventConnections(connections).ok().
  explicit EventConnections(std::vector<EventConnection> connections);

  // Those of exactly this source, in the order of names. An event follows those
  // of kNoObject first, then, if its sender is still there when it is
  // delivered, those of the sender's type, of its name, and of itself.
  std::span<const EventConnection> Find(ObjectId source, Id type) const;
  std::span<const EventConnection> FindOfType(Id source_type, Id type) const;
  std::span<const EventConnection> FindOfName(Id source_name, Id type) const;

  // By source (anybody, types, names, objects), type and name.
  std::span<const EventConnection> all() const { return connections_; }

 private:
  std::span<const EventConnection> FindPath(uint64_t kind, uint64_t source,
                                            Id type) const;

  std::vector<EventConnection> connections_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_EVENTS_EVENT_CONNECTIONS_H_
