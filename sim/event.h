// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Something that happened in a simulation, for whoever listens. Events are an
// account of the run: nothing in the state depends on whether they are read.

#ifndef REPRISE_SIM_EVENT_H_
#define REPRISE_SIM_EVENT_H_

#include <string>
#include <vector>

#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/base/tick.h"
#include "sim/state/field_value.h"

namespace reprise::sim {

struct EventArgument {
  Id name;
  FieldValue value;

  friend bool operator==(const EventArgument&, const EventArgument&) = default;
};

struct Event {
  // The tick during which it happened: state(tick) was stepped to
  // state(tick + 1).
  Tick tick = 0;
  Id type;
  ObjectId object;
  std::vector<EventArgument> arguments;

  friend bool operator==(const Event&, const Event&) = default;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_EVENT_H_
