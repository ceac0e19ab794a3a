// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/controls/device_values.h"

#include <algorithm>
#include <array>

#include "sim/state/table.h"

namespace reprise::sim {

void DeviceValues::Begin(uint32_t player) {
  player_ = player;
  captured_.clear();
}

void DeviceValues::Capture(Id action) {
  if (!IsCaptured(action)) captured_.push_back(action);
}

bool DeviceValues::IsCaptured(Id action) const {
  return std::ranges::find(captured_, action) != captured_.end();
}

bool DeviceValues::IsHeld(Id action) const {
  if (IsCaptured(action)) return false;
  const Action& found = *grammar_.Find(action);
  return sim::IsHeld(state_, tables_, player_,
                     {.kind = found.kind, .index = found.device_index});
}

double DeviceValues::Axis(Id action) const {
  if (IsCaptured(action)) return 0.0;
  return AxisOf(state_.table(tables_.devices).Get<DeviceRow>(player_),
                grammar_.Find(action)->device_index);
}

const MouseRow& DeviceValues::mouse() const {
  return state_.table(*tables_.mice).Get<MouseRow>(player_);
}

const MotionSensorRow& DeviceValues::motion_sensor() const {
  return state_.table(*tables_.motion_sensors).Get<MotionSensorRow>(player_);
}

void DeviceValues::GetTouches(std::vector<TouchRow>& touches) const {
  touches.clear();
  const Table& table = state_.table(*tables_.touches);
  for (uint32_t row = table.LowerBound(std::array<uint64_t, 2>{player_, 0});
       row < table.row_count(); ++row) {
    const auto& touch = table.Get<TouchRow>(row);
    if (touch.player != player_) break;
    touches.push_back(touch);
  }
}

}  // namespace reprise::sim
