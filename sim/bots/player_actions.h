// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What one player does at a tick, said by the names of the pack's actions and
// checked like any client's. What is held stays held from tick to tick.

#ifndef REPRISE_SIM_BOTS_PLAYER_ACTIONS_H_
#define REPRISE_SIM_BOTS_PLAYER_ACTIONS_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "sim/geometry/vector3.h"
#include "sim/input/input_frame.h"
#include "sim/input/input_grammar.h"
#include "sim/input/input_value.h"

namespace reprise::sim {

// Every call but Begin returns INVALID_ARGUMENT, and does nothing, where the
// pack has no such action, it is of another kind, or a value is out of bounds.
class PlayerActions {
 public:
  // `grammar` must remain live while this is in use.
  PlayerActions(const InputGrammar* grammar, uint32_t player);

  // Begins a decision: nothing happens yet, and `held` is held.
  void Begin(const DeviceState& held);

  // A button, a key or a button of the mouse.
  absl::Status Hold(std::string_view action, bool is_held);
  // Lets everything go: buttons, axes, fingers.
  void ReleaseAll();
  // -1 to 1.
  absl::Status SetAxis(std::string_view action, double value);
  // The view's left upper corner is 0, 0; its right lower one is 1, 1.
  absl::Status Point(std::string_view action, double x, double y);
  // Counts of the mouse, to the right and downwards.
  absl::Status MoveMouse(std::string_view action, int64_t x, int64_t y);
  // 120ths of a step, to the right and away from the player.
  absl::Status TurnWheel(std::string_view action, int64_t x, int64_t y);
  // Puts a finger down, or moves it; pressure is 0 to 1.
  absl::Status Touch(std::string_view action, int64_t finger, double x,
                     double y, double pressure);
  absl::Status Lift(std::string_view action, int64_t finger);
  // As a motion sensor measures: m/s^2 and rad/s, in the device's frame.
  absl::Status Tilt(std::string_view action, Vector3 acceleration,
                    Vector3 angular_velocity);
  // What is entered at this tick; again: behind it.
  absl::Status Say(std::string_view action, std::string_view text);

  // Begins a command, whose arguments are given then, in any order; of a list
  // one value after another. What wasn't given at the end is an error then.
  absl::Status Command(std::string_view action);
  absl::Status Give(std::string_view argument, SingleValue value);

  // Gives the frame as a whole, for who makes such frames himself.
  void SetFrame(const InputFrame& frame);

  // Ends the decision: the frame. INVALID_ARGUMENT: a command lacks an
  // argument, or the frame is none that the pack allows (ValidateInputs);
  // RESOURCE_EXHAUSTED: more commands than the pack allows.
  absl::StatusOr<InputFrame> Finish();

 private:
  absl::StatusOr<const Action*> Find(std::string_view name,
                                     Action::Kind kind) const;
  absl::StatusOr<const Action*> FindAny(std::string_view name) const;
  absl::Status CheckCommands() const;

  const InputGrammar& grammar_;
  InputFrame frame_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_BOTS_PLAYER_ACTIONS_H_
