// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a player's devices report, by the actions of the pack.

#ifndef REPRISE_SIM_SYSTEMS_CONTROLS_DEVICE_VALUES_H_
#define REPRISE_SIM_SYSTEMS_CONTROLS_DEVICE_VALUES_H_

#include <cstdint>
#include <vector>

#include "sim/base/id.h"
#include "sim/input/input_grammar.h"
#include "sim/state/state.h"
#include "sim/world/inputs/input_rows.h"
#include "sim/world/inputs/input_tables.h"

namespace reprise::sim {

// Of one player in one step. What has been captured is at rest.
class DeviceValues {
 public:
  // All outlive this.
  DeviceValues(const InputGrammar& grammar, const InputTables& tables,
               const State& state)
      : grammar_(grammar), tables_(tables), state_(state) {}

  // Turns to a player, of whose devices nothing is captured.
  void Begin(uint32_t player);

  // From now on the action is at rest.
  void Capture(Id action);
  bool IsCaptured(Id action) const;

  // Whether a button is held. REQUIRES: the action is one, as below.
  bool IsHeld(Id action) const;
  // -1 to 1.
  double Axis(Id action) const;
  const MouseRow& mouse() const;
  const MotionSensorRow& motion_sensor() const;
  // Ascending by id.
  void GetTouches(std::vector<TouchRow>& touches) const;

 private:
  const InputGrammar& grammar_;
  const InputTables& tables_;
  const State& state_;
  uint32_t player_ = 0;
  std::vector<Id> captured_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_CONTROLS_DEVICE_VALUES_H_
