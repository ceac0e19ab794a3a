// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that worlds with characters, vehicles and moving platforms go on to
// the bit from any tick: restored from 25 ticks of a played run into a world
// that did something else before, each is the same as the run for 1,000 ticks.

#include <cstddef>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/digest.h"
#include "sim/base/random.h"
#include "sim/compiler/pack_compiler.h"
#include "sim/input/random_input_source.h"

namespace reprise::sim {
namespace {

constexpr size_t kRestores = 25;
constexpr size_t kTicksAfter = 1000;
constexpr size_t kTicksBefore = 1500;

std::unique_ptr<Simulation> MakeWorld(const std::string& name) {
  std::ifstream file("sim/packs/" + name + "/pack.txtpb");
  std::stringstream text;
  text << file.rdbuf();
  PackArchive pack;
  EXPECT_TRUE(pack.Add(std::string(kPackManifestPath), text.str()).ok());
  auto world = CreateWorld(pack, 1);
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

class MoversRestoreTest : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Packs, MoversRestoreTest,
                         testing::Values("harbour", "rally"));

TEST_P(MoversRestoreTest, GoesOnFromAnyTick) {
  const auto world = MakeWorld(GetParam());
  RandomInputSource source(world->info().inputs, 11);
  std::vector<std::vector<InputFrame>> inputs;
  std::vector<State> states;
  std::vector<Digest> digests;
  for (size_t tick = 0; tick < kTicksBefore + kTicksAfter; ++tick) {
    states.push_back(world->state());  // shares its pages
    digests.push_back(world->state().ComputeRootDigest());
    inputs.push_back(source.Next());
    world->Step(inputs.back(), nullptr);
  }
  digests.push_back(world->state().ComputeRootDigest());

  const auto other = MakeWorld(GetParam());
  RandomStream random = MakeRandomStream(3, IdOf("restore"));
  for (size_t i = 0; i < kRestores; ++i) {
    const size_t begin = NextBelow(random, kTicksBefore);
    ASSERT_TRUE(other->Restore(states[begin]).ok());
    for (size_t tick = begin; tick < begin + kTicksAfter; ++tick) {
      other->Step(inputs[tick], nullptr);
      ASSERT_EQ(other->state().ComputeRootDigest(), digests[tick + 1])
          << "restored at " << begin << ", at " << tick + 1;
    }
  }
}

}  // namespace
}  // namespace reprise::sim
