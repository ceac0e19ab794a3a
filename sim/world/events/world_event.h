// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// An event on its way from one object to others, inside a world: a type and
// named arguments, held by value, so that it can be kept, forwarded, queued and
// recorded without a thought to what becomes of its sender.

#ifndef REPRISE_SIM_WORLD_EVENTS_WORLD_EVENT_H_
#define REPRISE_SIM_WORLD_EVENTS_WORLD_EVENT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "sim/base/handle.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/event.h"
#include "sim/state/field_value.h"

namespace reprise::sim {

// What a contact says at length (two objects, a point, a normal) fits, and an
// event stays under four cache lines.
inline constexpr size_t kEventArgumentsMax = 8;

// Up to kEventArgumentsMax named values in the order of their names' ids, so
// lists with the same contents are equal however they were filled.
class EventArguments {
 public:
  EventArguments() = default;
  // REQUIRES: Set accepts every argument.
  EventArguments(std::initializer_list<EventArgument> arguments);

  // Sets the argument `name`, replacing what it was. INVALID_ARGUMENT for
  // kNoId, for a type that isn't one of eight bytes or bool, for a bool that is
  // neither 0 nor 1 and for NaN; RESOURCE_EXHAUSTED when the list is full. The
  // list is then as it was. Whoever knows the argument's name says it, too.
  absl::Status Set(Id name, FieldValue value);

  // NOT_FOUND when there is no argument `name`; for the typed ones also
  // INVALID_ARGUMENT when it is of another type: nothing is converted.
  absl::StatusOr<FieldValue> Get(Id name) const;
  absl::StatusOr<bool> GetBool(Id name) const;
  absl::StatusOr<int64_t> GetInt64(Id name) const;
  absl::StatusOr<double> GetDouble(Id name) const;
  absl::StatusOr<Id> GetId(Id name) const;
  absl::StatusOr<ObjectId> GetObject(Id name) const;
  absl::StatusOr<Handle> GetHandle(Id name) const;

  // The argument `name`, or null.
  const EventArgument* Find(Id name) const;

  std::span<const EventArgument> all() const {
    return {arguments_.data(), count_};
  }

  friend bool operator==(const EventArguments&,
                         const EventArguments&) = default;

 private:
  absl::StatusOr<uint64_t> GetBits(Id name, ScalarType type) const;

  // Behind the first `count_` all are as constructed.
  std::array<EventArgument, kEventArgumentsMax> arguments_;
  size_t count_ = 0;
};

struct WorldEvent {
  Id type;
  Handle sender;         // null: the world itself
  Handle target;         // null: all with registered interest in the type
  int64_t priority = 0;  // of those due at one tick the highest comes first
  EventArguments arguments;
  // While it waits: the account of the run has it already. Set by
  // EventRouter::Announce alone; receivers never see it.
  bool is_announced = false;

  friend bool operator==(const WorldEvent&, const WorldEvent&) = default;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_EVENTS_WORLD_EVENT_H_
