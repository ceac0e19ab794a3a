// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that whatever numbers a snapshot holds, it is refused as DATA_LOSS or
// simulated: scalars of a pile's rows, and of bodies on
// surfaces, are overwritten at random with values
// that decide things elsewhere. What loads can be stepped, and what a step
// leaves can be loaded again.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/base/random.h"
#include "sim/physics/physics_world.h"
#include "sim/physics/testing/pile.h"
#include "sim/physics/testing/shape_scene.h"
#include "sim/physics/testing/testing_world.h"
#include "sim/state/state.h"

namespace reprise::sim {
namespace {

constexpr uint32_t kTries = 1500;
constexpr uint32_t kTicksAfter = 4;

// 64 bits that mean something as an index, a count or a number.
uint64_t DrawBits(RandomStream& random, const Table& table) {
  constexpr std::array kNumbers = {std::numeric_limits<double>::quiet_NaN(),
                                   std::numeric_limits<double>::infinity(),
                                   std::numeric_limits<double>::max(),
                                   std::numeric_limits<double>::denorm_min(),
                                   -1e300,
                                   1e160,
                                   1e20,
                                   -1e9,
                                   -0.0,
                                   1.0};
  switch (NextBelow(random, 4)) {
    case 0:
      return NextBelow(random, 70) - 2;
    case 1:
      return NextUint64(random);
    case 2: {
      // What stands somewhere else in the table.
      const auto row = table.Row(
          static_cast<uint32_t>(NextBelow(random, table.row_count())));
      uint64_t bits = 0;
      std::memcpy(&bits, row.data() + 8 * NextBelow(random, row.size() / 8), 8);
      return bits;
    }
    default: {
      uint64_t bits = 0;
      std::memcpy(&bits, &kNumbers[NextBelow(random, kNumbers.size())], 8);
      return bits;
    }
  }
}

void Damage(RandomStream& random, const PhysicsTables& tables, State& state) {
  const std::array all = {tables.bodies, tables.contact_points, tables.joints};
  const uint64_t count = 1 + NextBelow(random, 3);
  for (uint64_t i = 0; i < count; ++i) {
    Table& table = state.mutable_table(all[NextBelow(random, all.size())]);
    if (table.row_count() == 0) continue;
    const uint64_t bits = DrawBits(random, table);
    const auto row =
        static_cast<uint32_t>(NextBelow(random, table.row_count()));
    const std::span<std::byte> bytes = table.MutableRow(row);
    const uint64_t place = NextBelow(random, bytes.size() / 8);
    std::memcpy(bytes.data() + 8 * place, &bits, 8);
  }
}

class PhysicsDamageTest : public testing::TestWithParam<PhysicsDefinition> {};

INSTANTIATE_TEST_SUITE_P(Scenes, PhysicsDamageTest,
                         testing::Values(MakePile({.body_count = 25}),
                                         MakeShapeScene(Ground::kMesh),
                                         MakeShapeScene(Ground::kHeightField)),
                         [](const auto& info) {
                           return fmt::format("Scene{}", info.index);
                         });

TEST_P(PhysicsDamageTest, DamagedRowsAreRefusedOrSimulated) {
  TestingWorld world(GetParam());
  world.Step(150);
  const State good = world.state();
  PhysicsWorld victim(world.definition(), world.tables());
  RandomStream random = MakeRandomStream(1, IdOf("damage"));
  uint32_t refused = 0;
  for (uint32_t i = 0; i < kTries; ++i) {
    State state = good;
    Damage(random, world.tables(), state);
    const absl::Status status = victim.Load(state);
    if (!status.ok()) {
      ASSERT_EQ(status.code(), absl::StatusCode::kDataLoss) << "try " << i;
      ++refused;
      continue;
    }
    for (uint32_t tick = 0; tick < kTicksAfter; ++tick) victim.Step(state);
    ASSERT_EQ(victim.Load(state), absl::OkStatus()) << "try " << i;
  }
  EXPECT_GT(refused, kTries / 10);
  EXPECT_LT(refused, kTries * 9 / 10);
}

}  // namespace
}  // namespace reprise::sim
