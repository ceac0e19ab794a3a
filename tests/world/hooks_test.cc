// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves when behaviours hear that their objects come and go, what they find
// then, and that what they ask for comes and goes in the same tick, within a
// bound.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "sim/base/digest.h"
#include "sim/world/components/property_value.h"
#include "tests/world/acting_behaviour.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kPack = R"(
types {
  name: "actor" components { component: "marker" }
  behaviours { behaviour: "testing_act" }
}
types { name: "shard" extends: "actor" }
types { name: "dust" }
objects { name: "first" type: "actor" position { x: 1 } }
objects { name: "second" type: "actor" position { x: 2 } dormant: true }
)";

class HooksTest : public ::testing::Test {
 protected:
  ~HooksTest() override { TheActs() = {}; }

  void Make() { world_ = WorldOf(Manifest({kMarker, kPack})); }

  // Has `first` do something in one update.
  void Act(std::function<void(UpdateContext&)> act) {
    TheActs().before_physics = [&](UpdateContext& context, uint32_t i) {
      if (context.handle(i) == context.Find(IdOf("first"))) act(context);
    };
    StepTimes(*world_, 1);
    TheActs().before_physics = {};
  }

  std::unique_ptr<Simulation> world_;
};

void AddHit(UpdateContext& context) {
  const int64_t hits = context.Get(0, "marker", "hits")->AsInt();
  EXPECT_TRUE(
      context.Set(0, "marker", "hits", PropertyValue::OfInt(hits + 1)).ok());
}

TEST_F(HooksTest, ObjectsOfThePackHearBeforeTheFirstTickAsleepOrAwake) {
  std::vector<uint64_t> serials;
  TheActs().on_spawn = [&](UpdateContext& context) {
    serials.push_back(context.object(0).serial);
    EXPECT_EQ(context.Place(0).position.x,
              static_cast<double>(context.object(0).serial));
    EXPECT_EQ(context.tick(), 0u);
    AddHit(context);
  };
  Make();
  EXPECT_EQ(serials, (std::vector<uint64_t>{1, 2}));
  EXPECT_EQ(HitsOf(*world_, "first"), 1);
  EXPECT_EQ(HitsOf(*world_, "second"), 1);
}

TEST_F(HooksTest, SpawnedOnesHearWhenAllOfTheTickAreThere) {
  Make();
  std::vector<size_t> count_found;
  TheActs().on_spawn = [&](UpdateContext& context) {
    count_found.push_back(0);
    for (const char* const name : {"left", "right"}) {
      const Handle other = context.Find(IdOf(name));
      if (context.ReadPlace(0, other, ReadTime::kLastTick).has_value()) {
        ++count_found.back();
      }
    }
    AddHit(context);
  };
  Act([](UpdateContext& context) {
    for (const char* const name : {"left", "right"}) {
      EXPECT_TRUE(
          context.Spawn(0, {.archetype = IdOf("shard"), .name = IdOf(name)})
              .ok());
    }
  });
  EXPECT_EQ(count_found, (std::vector<size_t>{2, 2}));
}

TEST_F(HooksTest, TheFirstUpdateComesATickLater) {
  Make();
  std::vector<std::string> calls;
  TheActs().on_spawn = [&](UpdateContext&) { calls.emplace_back("comes"); };
  Act([](UpdateContext& context) {
    context.Spawn(0, IdOf("shard"), context.Place(0));
  });
  TheActs().before_physics = [&](UpdateContext& context, uint32_t i) {
    if (context.object(i).serial > 2) calls.emplace_back("updates");
  };
  StepTimes(*world_, 2);
  EXPECT_EQ(calls, (std::vector<std::string>{"comes", "updates", "updates"}));
}

TEST_F(HooksTest, WhatGoesIsThereOnceMore) {
  Make();
  std::vector<std::string> calls;
  TheActs().on_destroy = [&](UpdateContext& context) {
    calls.push_back("goes " + std::to_string(context.object(0).serial));
    EXPECT_EQ(context.Place(0).position.x,
              static_cast<double>(context.object(0).serial));
    // Whom it names is there as long.
    EXPECT_FALSE(context.Find(IdOf("second")).is_null());
  };
  Act([](UpdateContext& context) {
    context.Destroy(0, context.Find(IdOf("second")));
    context.Destroy(0, context.handle(0));
    context.Destroy(0, context.handle(0));
  });
  EXPECT_EQ(calls, (std::vector<std::string>{"goes 2", "goes 1"}));
  EXPECT_EQ(RowCount(*world_, "world", "objects"), 0u);
}

TEST_F(HooksTest, WhatIsLeftBehindComesInTheSameTick) {
  Make();
  TheActs().on_destroy = [](UpdateContext& context) {
    context.Spawn(0, IdOf("dust"), context.Place(0));
    context.Destroy(0, context.Find(IdOf("second")));
  };
  Act([](UpdateContext& context) { context.Destroy(0, context.handle(0)); });
  // Both went, and left dust.
  EXPECT_EQ(RowCount(*world_, "world", "objects"), 2u);
  EXPECT_EQ(EventsOf(*world_, "object_spawned").size(), 2u);
}

TEST_F(HooksTest, WhatComesMayBringMore) {
  Make();
  TheActs().on_spawn = [](UpdateContext& context) {
    const Handle dust = context.Spawn(0, IdOf("dust"), context.Place(0));
    context.Attach(0, {.object = dust, .parent = context.handle(0)});
  };
  Act([](UpdateContext& context) {
    context.Spawn(0, IdOf("shard"), context.Place(0));
  });
  EXPECT_EQ(RowCount(*world_, "world", "objects"), 4u);
  EXPECT_EQ(RowCount(*world_, "world", "attachments"), 1u);
  const auto restored = WorldOf(Manifest({kMarker, kPack}));
  EXPECT_EQ(restored->Restore(world_->state()), absl::OkStatus());
}

TEST_F(HooksTest, WhatBringsMoreWithoutEndIsRefused) {
  Make();
  TheActs().on_spawn = [](UpdateContext& context) {
    context.Spawn(0, IdOf("shard"), context.Place(0));
  };
  Act([](UpdateContext& context) {
    context.Spawn(0, IdOf("shard"), context.Place(0));
  });
  // The one that was asked for, and one a round.
  EXPECT_EQ(RowCount(*world_, "world", "objects"), 3u + kHookRoundsMax);
  TheActs() = {};
  StepTimes(*world_, 1);
  const std::vector<Event> refused = EventsOf(*world_, "spawn_refused");
  ASSERT_EQ(refused.size(), 1u);
  EXPECT_EQ(refused[0].arguments.size(), 2u);
}

TEST_F(HooksTest, WhatComesAndGoesAtOnceIsGone) {
  Make();
  TheActs().on_spawn = [](UpdateContext& context) {
    context.Destroy(0, context.handle(0));
  };
  TheActs().on_destroy = [](UpdateContext& context) {
    context.Spawn(0, IdOf("shard"), context.Place(0));
  };
  Act([](UpdateContext& context) {
    context.Spawn(0, IdOf("shard"), context.Place(0));
  });
  // Each brings the next, until no more come in this tick.
  EXPECT_EQ(RowCount(*world_, "world", "objects"), 2u);
}

TEST_F(HooksTest, AnInertObjectHearsNothing) {
  Make();
  int count = 0;
  TheActs().on_destroy = [&](UpdateContext&) { ++count; };
  Act([](UpdateContext& context) {
    context.Fail(0, IdOf("tired"));
    context.Destroy(0, context.handle(0));
  });
  EXPECT_EQ(count, 0);
}

TEST_F(HooksTest, OneThatFailsAsItComesIsInertFromTheStart) {
  TheActs().on_spawn = [](UpdateContext& context) {
    if (context.object(0).serial == 1) context.Fail(0, IdOf("tired"));
  };
  Make();
  int updates = 0;
  TheActs().before_physics = [&](UpdateContext&, uint32_t) { ++updates; };
  StepTimes(*world_, 3);
  EXPECT_EQ(updates, 0);
  EXPECT_EQ(EventsOf(*world_, "object_failed").size(), 1u);
}

TEST_F(HooksTest, SnapshotsOfAnyTickGoOnAsTheRunDid) {
  TheActs().on_spawn = [](UpdateContext& context) {
    AddHit(context);
    if (context.Random(0, IdOf("more")) % 2 == 0) {
      context.Spawn(0, IdOf("dust"), context.Place(0));
    }
  };
  TheActs().on_destroy = [](UpdateContext& context) {
    context.Spawn(0, IdOf("dust"), context.Place(0));
  };
  Make();
  TheActs().before_physics = [](UpdateContext& context, uint32_t i) {
    if (context.object(i).serial == 1) {
      context.Spawn(i, IdOf("shard"), context.Place(i));
    } else if (context.tick() % 3 == context.object(i).serial % 3) {
      context.Destroy(i, context.handle(i));
    }
  };
  for (int tick = 0; tick < 20; ++tick) {
    const auto restored = WorldOf(Manifest({kMarker, kPack}));
    ASSERT_EQ(restored->Restore(world_->state()), absl::OkStatus());
    StepTimes(*world_, 1);
    StepTimes(*restored, 1);
    ASSERT_EQ(restored->state().ComputeRootDigest(),
              world_->state().ComputeRootDigest())
        << tick;
  }
  EXPECT_GT(RowCount(*world_, "world", "objects"), 20u);
}

}  // namespace
}  // namespace reprise::sim
