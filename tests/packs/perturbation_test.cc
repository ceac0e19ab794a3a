// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that what must not matter doesn't, for every pack that ships: memory
// that lies elsewhere and holds garbage, other worlds on other threads beside
// it, saving and restoring at ticks drawn at random, frames for somebody who
// looks on, and the order in which a manifest says things.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <new>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "reprise/v1/pack.pb.h"
#include "sim/base/random.h"
#include "sim/compiler/manifest.h"
#include "sim/compiler/pack_compiler.h"
#include "sim/input/random_input_source.h"

namespace {

// While it isn't 0, memory is asked for with room to spare that differs from
// one time to the next, and is full of what was there before.
std::atomic<uint64_t> perturbation = 0;

void* PerturbedAllocation(size_t size, size_t alignment) {
  uint64_t state = perturbation.load(std::memory_order_relaxed);
  if (state != 0) {
    // Marsaglia's xorshift; races between threads only make it wilder.
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    perturbation.store(state, std::memory_order_relaxed);
    size += state % 512;
  }
  const size_t rounded = (size + alignment) / alignment * alignment;
  void* const memory = std::aligned_alloc(alignment, rounded);
  if (state != 0) {
    std::memset(memory, static_cast<int>(state & 0xff), rounded);
  }
  return memory;
}

}  // namespace

void* operator new(size_t size) {
  return PerturbedAllocation(size, alignof(std::max_align_t));
}
void* operator new(size_t size, std::align_val_t alignment) {
  return PerturbedAllocation(size, static_cast<size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace reprise::sim {
namespace {

constexpr int kTicks = 150;

std::string ReadManifest(const std::string& name) {
  std::ifstream file("sim/packs/" + name + "/pack.txtpb");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

PackArchive PackOf(const std::string& manifest) {
  PackArchive pack;
  EXPECT_TRUE(pack.Add(std::string(kPackManifestPath), manifest).ok());
  return pack;
}

PackArchive ReadPack(const std::string& name) {
  return PackOf(ReadManifest(name));
}

// A pack that says the same from back to front; players aside, whose actions
// are numbered for random inputs.
PackArchive ReadPackBackwards(const std::string& name) {
  v1::Pack pack;
  EXPECT_TRUE(
      google::protobuf::TextFormat::ParseFromString(ReadManifest(name), &pack));
  const auto turn_round = [](auto* repeated) {
    std::reverse(repeated->begin(), repeated->end());
  };
  turn_round(pack.mutable_types());
  turn_round(pack.mutable_archetypes());
  turn_round(pack.mutable_components());
  turn_round(pack.mutable_objects());
  turn_round(pack.mutable_joints());
  turn_round(pack.mutable_connections());
  turn_round(pack.mutable_regions());
  turn_round(pack.mutable_fluids());
  turn_round(pack.mutable_gravity_zones());
  std::string manifest;
  EXPECT_TRUE(google::protobuf::TextFormat::PrintToString(pack, &manifest));
  return PackOf(manifest);
}

// Chooses the ticks at which a run goes on in another world.
class Moves {
 public:
  explicit Moves(uint64_t seed)
      : stream_(MakeRandomStream(seed, IdOf("moves"))) {}
  bool Next() { return NextBelow(stream_, 5) == 0; }

 private:
  RandomStream stream_;
};

// The root after each tick of a run with random inputs; a run with `moves` is
// saved and goes on in a new world now and then.
std::vector<Digest> RootsOf(const PackArchive& pack, std::optional<Moves> moves,
                            bool looks_on = false) {
  std::unique_ptr<Simulation> world = *CreateWorld(pack, 1);
  const InputGrammar grammar = world->info().inputs;  // outlives worlds
  RandomInputSource inputs(grammar, 7);
  std::vector<Digest> roots;
  for (int tick = 0; tick < kTicks; ++tick) {
    if (moves.has_value() && moves->Next()) {
      const State snapshot = world->state();
      world = *CreateWorld(pack, 1);
      EXPECT_TRUE(world->Restore(snapshot).ok());
    }
    world->Step(inputs.Next(), nullptr);
    if (looks_on) {
      EXPECT_EQ(world->ProduceFrame().tick, world->tick());
    }
    roots.push_back(world->state().ComputeRootDigest());
  }
  return roots;
}

class PerturbationTest : public testing::TestWithParam<const char*> {
 protected:
  ~PerturbationTest() override { perturbation = 0; }
};

INSTANTIATE_TEST_SUITE_P(Packs, PerturbationTest,
                         testing::Values("harbour", "marble", "nursery", "pile",
                                         "quarry", "rally", "sleepers",
                                         "terrain", "workshop"));

TEST_P(PerturbationTest, MemoryThatLiesElsewhereChangesNothing) {
  const PackArchive pack = ReadPack(GetParam());
  const std::vector<Digest> plain = RootsOf(pack, std::nullopt);
  perturbation = 0x9e3779b97f4a7c15;
  EXPECT_EQ(RootsOf(pack, std::nullopt), plain);
}

TEST_P(PerturbationTest, SomebodyWhoLooksOnChangesNothing) {
  const PackArchive pack = ReadPack(GetParam());
  EXPECT_EQ(RootsOf(pack, std::nullopt, /*looks_on=*/true),
            RootsOf(pack, std::nullopt));
}

TEST_P(PerturbationTest, OrderOfTheManifestChangesNothing) {
  EXPECT_EQ(RootsOf(ReadPackBackwards(GetParam()), std::nullopt),
            RootsOf(ReadPack(GetParam()), std::nullopt));
}

TEST_P(PerturbationTest, WorldsBesideItAndMovesChangeNothing) {
  const PackArchive pack = ReadPack(GetParam());
  const PackArchive other = ReadPack("nursery");
  const std::vector<Digest> plain = RootsOf(pack, std::nullopt);
  perturbation = 0x2545f4914f6cdd1d;
  std::vector<Digest> one;
  std::vector<Digest> two;
  std::thread first([&] { one = RootsOf(pack, Moves(1)); });
  std::thread second([&] { two = RootsOf(pack, Moves(2)); });
  std::thread stranger([&] { RootsOf(other, Moves(3)); });
  first.join();
  second.join();
  stranger.join();
  EXPECT_EQ(one, plain);
  EXPECT_EQ(two, plain);
}

}  // namespace
}  // namespace reprise::sim
