// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What the objects of a type want to hear of the bodies that theirs touches.

#ifndef REPRISE_SIM_SYSTEMS_CONTACTS_CONTACT_DEFINITION_H_
#define REPRISE_SIM_SYSTEMS_CONTACTS_CONTACT_DEFINITION_H_

#include <string_view>

#include "sim/base/tick.h"

namespace reprise::sim {

// A part of types.
struct ContactEventsDefinition {
  static constexpr std::string_view kPart = "contact_events";

  bool begin = false;
  bool end = false;
  // A contact that has lasted for a multiple of this stays; 0: unreported.
  Tick stay_period = 0;
  // Of beginning and staying: ticks with a smaller impulse are not told of.
  double impulse_min_n_s = 0.0;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_CONTACTS_CONTACT_DEFINITION_H_
