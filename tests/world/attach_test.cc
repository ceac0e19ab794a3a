// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that objects get and lose parents while the game runs: they are
// carried, events go up to the new parent, everything that depends on them is
// updated behind it, and what would be a ring or too long a chain is refused
// with its reason and changes nothing.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "sim/base/digest.h"
#include "tests/world/acting_behaviour.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

// The hand acts. `later` is after `box` by the pack.
constexpr std::string_view kPack = R"(
physics { gravity {} }
types { name: "actor" behaviours { behaviour: "testing_act" } }
types { name: "thing" }
types {
  name: "ball" body { motion: MOTION_DYNAMIC mass_kg: 1 shapes { sphere { radius: 1 } } }
}
types {
  name: "crate" body { motion: MOTION_KINEMATIC shapes { sphere { radius: 1 } } }
}
objects { name: "hand" type: "actor" position { x: 1 } }
objects { name: "arm" type: "thing" position { x: 100 } }
objects { name: "box" type: "thing" position { x: 3 y: 2 } }
objects { name: "lid" type: "thing" parent: "box" }
objects { name: "later" type: "thing" after: "box" }
objects { name: "ball" type: "ball" position { z: 50 } }
objects { name: "crate" type: "crate" position { z: -50 } }
)";

class AttachTest : public ::testing::Test {
 protected:
  AttachTest() : world_(WorldOf(Manifest({kPack}))) {}
  ~AttachTest() override { TheActs() = {}; }

  // Has the hand do something in one update.
  void Act(std::function<void(UpdateContext&, uint32_t)> act) {
    TheActs().before_physics = std::move(act);
    StepTimes(*world_, 1);
    TheActs() = {};
  }

  void Attach(std::string_view object, std::string_view parent,
              bool is_carried = true) {
    Act([&](UpdateContext& context, uint32_t i) {
      context.Attach(i, {.object = context.Find(IdOf(object)),
                         .parent = context.Find(IdOf(parent)),
                         .is_carried = is_carried});
    });
  }
  void Detach(std::string_view object) {
    Act([&](UpdateContext& context, uint32_t i) {
      context.Detach(i, context.Find(IdOf(object)));
    });
  }

  uint64_t BucketOf(std::string_view object) const {
    return ValueOf(*world_, "world", "objects", object, "bucket")->bits;
  }
  double At(std::string_view object, std::string_view scalar) const {
    return ValueOf(*world_, "world", "places", object, scalar)->AsDouble();
  }

  // The reasons why nobody got a parent, which the hand is told in the next
  // tick.
  std::vector<std::string> Refusals() {
    std::vector<std::string> reasons;
    StepTimes(*world_, 1);
    for (const Event& event : EventsOf(*world_, "attach_refused")) {
      EXPECT_EQ(world_->ObjectName(event.object), "hand");
      for (const EventArgument& argument : event.arguments) {
        if (argument.name != IdOf("reason")) continue;
        reasons.push_back(world_->IdName(Id{argument.value.bits}));
      }
    }
    return reasons;
  }

  std::unique_ptr<Simulation> world_;
};

TEST_F(AttachTest, ItIsCarriedFromWhereItWasUntilItIsDetached) {
  Attach("box", "hand");
  Act([](UpdateContext& context, uint32_t i) {
    context.SetPlace(i, {.position = {11.0, 0.0, 0.0}, .rotation = {}});
  });
  EXPECT_EQ(At("box", "position.x"), 13.0);
  EXPECT_EQ(At("box", "position.y"), 2.0);
  Detach("box");
  Act([](UpdateContext& context, uint32_t i) {
    context.SetPlace(i, {.position = {0.0, 0.0, 0.0}, .rotation = {}});
  });
  EXPECT_EQ(At("box", "position.x"), 13.0);
  EXPECT_EQ(RowCount(*world_, "world", "attachments"), 0u);
}

TEST_F(AttachTest, ItGoesWhereItIsToBeOnItsParent) {
  Act([](UpdateContext& context, uint32_t i) {
    context.Attach(i, {.object = context.Find(IdOf("box")),
                       .parent = context.handle(i),
                       .place_on_parent = Transform{.position = {0.0, 0.5, 0.0},
                                                    .rotation = {}}});
  });
  StepTimes(*world_, 1);
  EXPECT_EQ(At("box", "position.x"), 1.0);
  EXPECT_EQ(At("box", "position.y"), 0.5);
}

TEST_F(AttachTest, KinematicBodyIsCarriedAndADynamicOneIsNot) {
  Attach("crate", "hand");
  Attach("ball", "hand");
  EXPECT_EQ(Refusals(), std::vector<std::string>{"not_kinematic"});
  Attach("ball", "hand", /*is_carried=*/false);
  EXPECT_EQ(Refusals(), std::vector<std::string>{});
  EXPECT_EQ(BucketOf("ball"), 1u);
  EXPECT_EQ(RowCount(*world_, "world", "attachments"), 1u);
}

TEST_F(AttachTest, AllThatDependOnItAreUpdatedBehindItsParent) {
  Attach("arm", "hand");
  Attach("box", "arm");
  EXPECT_EQ(BucketOf("arm"), 1u);
  EXPECT_EQ(BucketOf("box"), 2u);
  EXPECT_EQ(BucketOf("lid"), 3u);
  EXPECT_EQ(BucketOf("later"), 3u);
  // Back again: nobody waits for what he doesn't depend on.
  Detach("box");
  EXPECT_EQ(BucketOf("box"), 0u);
  EXPECT_EQ(BucketOf("lid"), 1u);
  EXPECT_EQ(BucketOf("later"), 1u);
}

TEST_F(AttachTest, EventsGoUpToTheNewParent) {
  Attach("box", "hand");
  int heard = 0;
  TheActs().on_event = [&](UpdateContext&, const WorldEvent&) {
    ++heard;
    return true;
  };
  TheActs().before_physics = [](UpdateContext& context, uint32_t i) {
    context.Post(i, context.Find(IdOf("lid")), IdOf("knock"), {});
  };
  StepTimes(*world_, 1);
  EXPECT_EQ(heard, 1);
}

TEST_F(AttachTest, RingsAreRefused) {
  Attach("box", "lid");
  EXPECT_EQ(Refusals(), std::vector<std::string>{"is_ring"});
  Attach("box", "box");
  EXPECT_EQ(Refusals(), std::vector<std::string>{"is_ring"});
  // What the pack says of the order counts as much as parents do.
  Attach("box", "later");
  EXPECT_EQ(Refusals(), std::vector<std::string>{"is_ring"});
  EXPECT_EQ(BucketOf("box"), 0u);
}

TEST_F(AttachTest, WhoIsGoneGetsNoParentAndIsNone) {
  Act([](UpdateContext& context, uint32_t i) {
    const Handle box = context.Find(IdOf("box"));
    context.Destroy(i, box);
    context.Attach(i, {.object = box, .parent = context.handle(i)});
    context.Attach(i, {.object = context.Find(IdOf("arm")), .parent = box});
  });
  EXPECT_EQ(Refusals(), (std::vector<std::string>{"is_gone", "is_gone"}));
}

TEST_F(AttachTest, OneThatIsAskedForInTheSameTickGetsAParent) {
  Act([](UpdateContext& context, uint32_t i) {
    const Handle made = context.Spawn(i, IdOf("thing"), context.Place(i));
    context.Attach(i, {.object = made, .parent = context.Find(IdOf("lid"))});
  });
  EXPECT_EQ(Refusals(), std::vector<std::string>{});
  EXPECT_EQ(BucketOf("thing#8"), 2u);
}

TEST_F(AttachTest, ChainLongerThanTheBucketsIsRefused) {
  Handle last;
  Act([&](UpdateContext& context, uint32_t i) {
    last = context.handle(i);
    for (int link = 0; link < 62; ++link) {
      last = context.Spawn(i, IdOf("thing"), context.Place(i), {}, last);
    }
  });
  Act([&](UpdateContext& context, uint32_t i) {
    // The box would be in the last bucket, its lid behind it.
    context.Attach(i, {.object = context.Find(IdOf("box")), .parent = last});
  });
  EXPECT_EQ(Refusals(), std::vector<std::string>{"no_bucket"});
  EXPECT_EQ(BucketOf("box"), 0u);
  Act([&](UpdateContext& context, uint32_t i) {
    context.Attach(i, {.object = context.Find(IdOf("arm")), .parent = last});
  });
  EXPECT_EQ(Refusals(), std::vector<std::string>{});
  EXPECT_EQ(BucketOf("arm"), 63u);
}

TEST_F(AttachTest, SnapshotHoldsIt) {
  Attach("box", "hand");
  const auto restored = WorldOf(Manifest({kPack}));
  ASSERT_EQ(restored->Restore(world_->state()), absl::OkStatus());
  for (int tick = 0; tick < 5; ++tick) {
    StepTimes(*world_, 1);
    StepTimes(*restored, 1);
    ASSERT_EQ(restored->state().ComputeRootDigest(),
              world_->state().ComputeRootDigest());
  }
}

}  // namespace
}  // namespace reprise::sim
