// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Bindings that are functions of what a device reports in this step.

#ifndef REPRISE_SIM_SYSTEMS_CONTROLS_DEVICE_BINDINGS_H_
#define REPRISE_SIM_SYSTEMS_CONTROLS_DEVICE_BINDINGS_H_

#include <array>

#include "sim/base/id.h"
#include "sim/geometry/vector2.h"
#include "sim/systems/controls/control_definition.h"
#include "sim/systems/controls/device_values.h"

namespace reprise::sim {

// The value of a source by its `actions`, before it is smoothed; of a button
// x is 1 while it is down. REQUIRES: the source follows no touches.
Vector2 ReadDevices(const BindingSource& source,
                    const std::array<Id, kBindingSlots>& actions,
                    const DeviceValues& devices);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_CONTROLS_DEVICE_BINDINGS_H_
