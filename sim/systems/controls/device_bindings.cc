// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/controls/device_bindings.h"

#include <algorithm>
#include <cstddef>
#include <variant>

#include "sim/input/conditioning.h"
#include "sim/world/inputs/input_rows.h"

namespace reprise::sim {
namespace {

class Reader {
 public:
  Reader(const std::array<Id, kBindingSlots>& actions,
         const DeviceValues& devices)
      : actions_(actions), devices_(devices) {}

  Vector2 operator()(const ButtonSource& /*source*/) const {
    return {Held(0), 0.0};
  }

  Vector2 operator()(const AxisSource& source) const {
    const double value = InRange(devices_.Axis(actions_[0]), source.range);
    return {source.is_inverted ? -value : value, 0.0};
  }

  Vector2 operator()(const ButtonPairSource& /*source*/) const {
    return {Held(1) - Held(0), 0.0};
  }

  Vector2 operator()(const StickSource& source) const {
    const Vector2 value =
        InRange(Vector2{devices_.Axis(actions_[0]), devices_.Axis(actions_[1])},
                source.range);
    return {value.x, source.is_inverted_y ? -value.y : value.y};
  }

  Vector2 operator()(const ButtonStickSource& /*source*/) const {
    return InRange(Vector2{Held(1) - Held(0), Held(3) - Held(2)}, AxisRange{});
  }

  Vector2 operator()(const MouseSource& source) const {
    if (devices_.IsCaptured(actions_[0])) return {};
    const MouseRow& mouse = devices_.mouse();
    return InRange(
        Vector2{mouse.moved_x / source.counts, -mouse.moved_y / source.counts},
        AxisRange{});
  }

  Vector2 operator()(const TiltSource& source) const {
    if (devices_.IsCaptured(actions_[0])) return {};
    const double gravity = devices_.motion_sensor().acceleration[source.axis];
    return {std::clamp(gravity / source.full_mm_s2, -1.0, 1.0), 0.0};
  }

  template <typename Touched>
  Vector2 operator()(const Touched& /*source*/) const {
    return {};
  }

 private:
  double Held(size_t slot) const {
    return devices_.IsHeld(actions_[slot]) ? 1.0 : 0.0;
  }

  const std::array<Id, kBindingSlots>& actions_;
  const DeviceValues& devices_;
};

}  // namespace

Vector2 ReadDevices(const BindingSource& source,
                    const std::array<Id, kBindingSlots>& actions,
                    const DeviceValues& devices) {
  return std::visit(Reader(actions, devices), source);
}

}  // namespace reprise::sim
