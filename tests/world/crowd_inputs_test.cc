// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a world of as many players as there can be is the same in
// whatever order their inputs arrive: devices of every kind, controls that they
// drive, commands that meet at one object, and texts.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/base/random.h"
#include "sim/input/input_frame.h"
#include "sim/input/input_grammar.h"
#include "sim/input/random_input_source.h"
#include "sim/state/state.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

// Everybody shoves one counter; what it holds at last depends on who came last.
constexpr std::string_view kSquare = R"(
players {
  count: 64 commands_per_tick_max: 3
  actions { name: "a" button: 0 }
  actions { name: "b" button: 1 }
  actions { name: "x" axis: 0 }
  actions { name: "y" axis: 1 }
  actions { name: "space" key: KEY_SPACE }
  actions { name: "click" mouse_button: 0 }
  actions { name: "aim" pointer {} }
  actions { name: "look" mouse_motion {} }
  actions { name: "zoom" wheel {} }
  actions { name: "finger" touch { touches_max: 3 } }
  actions { name: "tilt" motion_sensor {} }
  actions { name: "chat" text { bytes_max: 8 } }
  actions { name: "shove" command { arguments { name: "amount" minimum: 0 maximum: 999 } } }
  actions { name: "rebind" command {
    arguments { name: "binding" type: TYPE_NAME }
    arguments { name: "action" type: TYPE_NAME }
    arguments { name: "slot" minimum: -1 maximum: 9 } } }
}
events { name: "done" }
controls {
  controls { name: "jump" pressed_event: "done" }
  controls { name: "punch" pressed_event: "done" }
  controls { name: "move" kind: KIND_STICK }
  controls { name: "both" pressed_event: "done" chord { controls: "jump" controls: "punch" within_s: 0.05 } }
  contexts { name: "play"
    bindings { name: "jump" control: "jump" button { action: "a" } }
    bindings { name: "punch" control: "punch" button { action: "b" } }
    bindings { name: "punch_mouse" control: "punch" button { action: "click" } }
    bindings { name: "move" control: "move" stick { action_x: "x" action_y: "y" dead_zone: 0.2 } }
    bindings { name: "move_finger" control: "move" touch_stick { radius: 0.2 } } }
  rebind: "rebind"
}
types { name: "post" components { component: "marker" } }
objects { name: "post" type: "post" }
connections {
  name: "shove" event: "shove"
  then { set { object: "post" property: "marker.hits" to: "amount" } }
}
)";

class CrowdInputsTest : public testing::TestWithParam<uint64_t> {};

INSTANTIATE_TEST_SUITE_P(Seeds, CrowdInputsTest, testing::Values(1, 2, 3));

TEST_P(CrowdInputsTest, OrderOfArrivalDecidesNothing) {
  std::vector<std::unique_ptr<Simulation>> worlds;
  for (int i = 0; i < 4; ++i)
    worlds.push_back(WorldOf(Manifest({kMarker, kSquare})));
  ASSERT_EQ(worlds[0]->info().inputs.player_count, kPlayersMax);
  RandomInputSource source(worlds[0]->info().inputs, GetParam());
  RandomStream shuffles = MakeRandomStream(GetParam(), IdOf("shuffles"));
  size_t most = 0;
  for (Tick tick = 0; tick < 120; ++tick) {
    std::vector<InputFrame> frames = source.Next();
    most = std::max(most, frames.size());
    for (const auto& world : worlds) {
      ASSERT_TRUE(world->Validate(frames).ok()) << world->Validate(frames);
      world->Step(frames, nullptr);
      ASSERT_EQ(world->state().ComputeRootDigest(),
                worlds[0]->state().ComputeRootDigest())
          << "tick " << tick;
      // Another order for the next one.
      for (size_t i = frames.size(); i > 1; --i) {
        std::swap(frames[i - 1], frames[NextBelow(shuffles, i)]);
      }
    }
    const std::vector<Event> events = worlds[0]->DrainEvents();
    for (size_t i = 1; i < worlds.size(); ++i) {
      ASSERT_EQ(worlds[i]->DrainEvents(), events) << "tick " << tick;
    }
  }
  EXPECT_EQ(most, kPlayersMax);
  EXPECT_GT(HitsOf(*worlds[0], "post"), 0);
}

TEST(CrowdTest, OneMorePlayerIsRefused) {
  const auto world = WorldOf(Manifest({kMarker, kSquare}));
  const InputFrame frame{.player = kPlayersMax};
  EXPECT_EQ(world->Validate(std::span(&frame, 1)).code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace reprise::sim
