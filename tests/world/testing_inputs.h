// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A pack with every kind of input and a command with arguments of every type,
// as a manifest.

#ifndef REPRISE_TESTS_WORLD_TESTING_INPUTS_H_
#define REPRISE_TESTS_WORLD_TESTING_INPUTS_H_

#include <string_view>

namespace reprise::sim {

inline constexpr std::string_view kEveryInput = R"(
players {
  count: 2 commands_per_tick_max: 3
  actions { name: "jump" button: 3 }
  actions { name: "push_x" axis: 0 }
  actions { name: "push_z" axis: 7 }
  actions { name: "pause" key: KEY_ESCAPE }
  actions { name: "step" mouse_button: 1 }
  actions { name: "aim" pointer {} }
  actions { name: "look" mouse_motion {} }
  actions { name: "zoom" wheel {} }
  actions { name: "tap" touch { touches_max: 3 } }
  actions { name: "tilt" motion_sensor {} }
  actions { name: "chat" text { bytes_max: 40 } }
  actions { name: "order" command {
    arguments { name: "loud" type: TYPE_BOOLEAN }
    arguments { name: "count" minimum: -5 maximum: 5 }
    arguments { name: "share" type: TYPE_NUMBER number_minimum: -1 number_maximum: 1 }
    arguments { name: "who" type: TYPE_REFERENCE }
    arguments { name: "word" type: TYPE_NAME }
    arguments { name: "mood" type: TYPE_CHOICE choices: "calm" choices: "mad" }
    arguments { name: "speech" type: TYPE_TEXT bytes_max: 40 }
  } }
  actions { name: "place" command {
    arguments { name: "at" type: TYPE_VECTOR3 number_minimum: -90 number_maximum: 90 }
    arguments { name: "turn" type: TYPE_ROTATION number_minimum: -90 number_maximum: 90 }
  } }
  actions { name: "plan" command {
    arguments { name: "path" type: TYPE_VECTOR2 number_minimum: -9 number_maximum: 9 list_max: 3 }
  } }
}
clock { action_pause: "pause" action_step: "step" }
)";

}  // namespace reprise::sim

#endif  // REPRISE_TESTS_WORLD_TESTING_INPUTS_H_
