// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that behaviours and events switch layers, from the next tick on, and
// that what can't be switched is told.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "sim/systems/layers/layer_switching.h"
#include "tests/world/acting_behaviour.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kObjects = R"(
types { name: "actor" behaviours { behaviour: "testing_act" } }
types { name: "lever" }
objects { name: "hand" type: "actor" }
objects { name: "lever" type: "lever" }
)";
constexpr std::string_view kLayers =
    "layers { name: \"day\" } layers { name: \"night\" disabled: true }\n";

class LayersWorldTest : public ::testing::Test {
 protected:
  LayersWorldTest() : world_(WorldOf(Manifest({kObjects, kLayers}))) {}
  ~LayersWorldTest() override { TheActs() = {}; }

  // Has the hand do something in one update.
  void Act(std::function<void(UpdateContext&, uint32_t)> act) {
    TheActs().before_physics = std::move(act);
    StepTimes(*world_, 1);
    TheActs() = {};
  }
  // Sends the lever an event.
  void Pull(Id event, const EventArguments& arguments) {
    Act([&](UpdateContext& context, uint32_t i) {
      context.Post(i, context.Find(IdOf("lever")), event, arguments);
    });
  }

  bool IsOn(std::string_view layer) const {
    const Table& table =
        world_->state().table(*world_->state().Find("layers", "layers"));
    for (uint32_t row = 0; row < table.row_count(); ++row) {
      const Id id{ReadScalar(table.schema(), table.Row(row), {0, 0}).bits};
      if (id != IdOf(layer)) continue;
      return ReadScalar(table.schema(), table.Row(row), {1, 0}).bits != 0;
    }
    ADD_FAILURE() << layer;
    return false;
  }

  std::unique_ptr<Simulation> world_;
};

TEST_F(LayersWorldTest, BehavioursSwitchThemFromTheNextTickOn) {
  Act([](UpdateContext& context, uint32_t) {
    EXPECT_EQ(IsLayerOn(context, IdOf("night")), std::optional(false));
    EXPECT_EQ(SwitchLayer(context, IdOf("night"), true), absl::OkStatus());
    EXPECT_EQ(SwitchLayer(context, IdOf("day"), false), absl::OkStatus());
    EXPECT_EQ(IsLayerOn(context, IdOf("night")), std::optional(false));
  });
  EXPECT_FALSE(IsOn("night"));
  Act([](UpdateContext& context, uint32_t) {
    EXPECT_EQ(IsLayerOn(context, IdOf("night")), std::optional(true));
  });
  EXPECT_TRUE(IsOn("night"));
  EXPECT_FALSE(IsOn("day"));
}

TEST_F(LayersWorldTest, EventsSwitchThemWhoeverHearsOfIt) {
  const EventArguments night = {
      {IdOf("layer"), FieldValue::OfId(IdOf("night"))}};
  Pull(IdOf("layer_on"), night);
  StepTimes(*world_, 1);
  EXPECT_TRUE(IsOn("night"));
  Pull(IdOf("layer_off"), night);
  StepTimes(*world_, 1);
  EXPECT_FALSE(IsOn("night"));
  EXPECT_EQ(EventsOf(*world_, "layer_refused").size(), 0u);
}

TEST_F(LayersWorldTest, WhatThereIsntIsRefused) {
  Act([](UpdateContext& context, uint32_t) {
    EXPECT_EQ(SwitchLayer(context, IdOf("dusk"), true).code(),
              absl::StatusCode::kNotFound);
    EXPECT_EQ(IsLayerOn(context, IdOf("dusk")), std::nullopt);
  });
  Pull(IdOf("layer_on"), {{IdOf("layer"), FieldValue::OfId(IdOf("dusk"))}});
  Pull(IdOf("layer_on"), {});
  Pull(IdOf("layer_on"), {{IdOf("layer"), FieldValue::OfInt64(1)}});
  StepTimes(*world_, 1);
  // Two of the events are none that anybody declares.
  std::vector<Event> refused = world_->DrainEvents();
  std::erase_if(refused, [](const Event& event) {
    return event.type != IdOf("layer_refused");
  });
  ASSERT_EQ(refused.size(), 3u);
  EXPECT_EQ(world_->ObjectName(refused[0].object), "lever");
}

TEST_F(LayersWorldTest, PackWithoutLayersHasNoneToSwitch) {
  world_ = WorldOf(Manifest({kObjects}));
  Act([](UpdateContext& context, uint32_t) {
    EXPECT_EQ(SwitchLayer(context, IdOf("night"), true).code(),
              absl::StatusCode::kNotFound);
  });
}

}  // namespace
}  // namespace reprise::sim
