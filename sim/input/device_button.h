// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A button that an action is bound to, of whatever device.

#ifndef REPRISE_SIM_INPUT_DEVICE_BUTTON_H_
#define REPRISE_SIM_INPUT_DEVICE_BUTTON_H_

#include <cstdint>

#include "sim/input/input_grammar.h"

namespace reprise::sim {

struct DeviceButton {
  Action::Kind kind = Action::Kind::kButton;  // Action::is_button() holds
  uint32_t index = 0;                         // as Action::device_index

  friend bool operator==(const DeviceButton&, const DeviceButton&) = default;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_INPUT_DEVICE_BUTTON_H_
