// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the times of updates, which are derived, are those that one would
// write down, for every mixture of divisors, offsets, spreads, hooks and sleep.

#include "sim/world/objects/update_times.h"

#include <cstdint>
#include <memory>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/random.h"
#include "sim/world/definition/behaviour.h"

namespace reprise::sim {
namespace {

constexpr Tick kTicks = 400;
constexpr Hook kHooks[] = {Hook::kBeforePhysics, Hook::kAfterPhysics};

class Hooked final : public Behaviour {
 public:
  explicit Hooked(Hooks hooks) : hooks_(hooks) {}
  absl::Status Bind(const BehaviourBinder&) override {
    return absl::OkStatus();
  }
  Hooks hooks() const override { return hooks_; }

 private:
  Hooks hooks_;
};

BehaviourUse Use(Behaviour::Hooks hooks, uint64_t every_ticks = 1,
                 uint64_t offset = 0, bool is_spread = false) {
  return {.name = "hooked",
          .behaviour = std::make_shared<Hooked>(hooks),
          .every_ticks = every_ticks,
          .offset = offset,
          .is_spread = is_spread};
}

TypeDefinition RandomType(RandomStream& stream) {
  TypeDefinition type;
  const uint64_t count = NextBelow(stream, 4);
  for (uint64_t i = 0; i < count; ++i) {
    Behaviour::Hooks hooks;
    hooks.before_physics = NextBelow(stream, 2) == 0;
    hooks.after_physics = NextBelow(stream, 2) == 0;
    const uint64_t every_ticks = 1 + NextBelow(stream, 40);
    const uint64_t offset = NextBelow(stream, every_ticks);
    const bool is_spread = NextBelow(stream, 2) == 0;
    type.behaviours.push_back(Use(hooks, every_ticks, offset, is_spread));
  }
  return type;
}

bool IsUpdated(const TypeDefinition& type, ObjectId object, Tick tick,
               Hook hook) {
  for (const BehaviourUse& use : type.behaviours) {
    if (HasHook(use, hook) &&
        (tick + UpdateOffset(use, object)) % use.every_ticks == 0) {
      return true;
    }
  }
  return false;
}

// Falls asleep or wakes as Objects::SetStatus has it.
void SetStatus(const TypeDefinition& type, ObjectStatus status, uint64_t done,
               uint64_t next, ObjectRow& object) {
  if (object.status == status) return;
  if (status == ObjectStatus::kActive) {
    object.active_from = next;
  } else {
    object.updated_at = LastUpdateOf(type, object, done);
  }
  object.status = status;
}

class UpdateTimesTest : public testing::TestWithParam<uint64_t> {};

// Goes through all updates of an object that sleeps and wakes between them, and
// writes down what the derivation has to say.
TEST_P(UpdateTimesTest, DerivedTimesAreThoseOneWouldWriteDown) {
  RandomStream stream = MakeRandomStream(GetParam(), IdOf("update_times"));
  const TypeDefinition type = RandomType(stream);
  ObjectRow object{.object = {1 + NextBelow(stream, 50)}};
  Tick written = 0;
  for (Tick tick = 0; tick < kTicks; ++tick) {
    for (const Hook hook : kHooks) {
      const uint64_t number = UpdateNumber(tick, hook);
      EXPECT_EQ(LastUpdateOf(type, object, number), written);
      if (NextBelow(stream, 12) == 0) {
        SetStatus(type, ObjectStatus::kDormant, number, number, object);
      } else if (NextBelow(stream, 6) == 0) {
        SetStatus(type, ObjectStatus::kActive, number, number, object);
      }
      EXPECT_EQ(LastUpdateOf(type, object, number), written);
      if (object.status == ObjectStatus::kActive &&
          IsUpdated(type, object.object, tick, hook)) {
        written = tick;
      }
      EXPECT_EQ(LastUpdateOf(type, object, number + 1), written);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, UpdateTimesTest,
                         testing::Range<uint64_t>(1, 200));

TEST(UpdateProgressTest, BucketsAreDoneOneAfterTheOther) {
  UpdateProgress progress;
  progress.BeginStep(5);
  EXPECT_EQ(progress.next(), 10u);
  EXPECT_EQ(progress.kept(), 10u);
  EXPECT_EQ(progress.DoneOf(63), 10u);
  progress.BeginUpdate(5, Hook::kAfterPhysics);
  EXPECT_EQ(progress.next(), 12u);
  EXPECT_EQ(progress.kept(), 11u);
  EXPECT_EQ(progress.DoneOf(0), 11u);
  progress.BeginBucket(2);
  EXPECT_EQ(progress.DoneOf(1), 12u);
  EXPECT_EQ(progress.DoneOf(2), 12u);
  EXPECT_EQ(progress.DoneOf(3), 11u);
  progress.EndUpdate();
  EXPECT_EQ(progress.DoneOf(63), 12u);
  EXPECT_EQ(progress.kept(), 11u);
}

}  // namespace
}  // namespace reprise::sim
