// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that what must not matter doesn't, for every pack that ships: memory
// that lies elsewhere and holds garbage, other worlds on other threads beside
// it, saving and restoring at ticks drawn at random, frames for somebody who
// looks on, and the order in which a manifest says things.

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <optional>
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
#include "sim/physics/testing/testing_memory.h"
#include "sim/state/state_comparison.h"
#include "tests/packs/battery_packs.h"
#include "tests/packs/game_ticks.h"

namespace {

// While it isn't 0, memory is asked for at places drawn by it, and is full of
// what was there before.
std::atomic<uint64_t> perturbation = 0;

// Marsaglia's xorshift; races between threads only make it wilder.
uint64_t DrawPerturbation() {
  uint64_t state = perturbation.load(std::memory_order_relaxed);
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  perturbation.store(state, std::memory_order_relaxed);
  return state;
}

// One of several blocks of several sizes; the others are free again, for later
// ones to come into.
void* ScatteredAllocation(size_t size, size_t alignment) {
  constexpr size_t kBlocksMax = 4;
  std::array<void*, kBlocksMax> blocks = {};
  const size_t count = 1 + DrawPerturbation() % kBlocksMax;
  size_t rounded = 0;
  for (size_t i = 0; i < count; ++i) {
    const size_t roomy = size + DrawPerturbation() % 512;
    rounded = (roomy + alignment) / alignment * alignment;
    blocks[i] = std::aligned_alloc(alignment, rounded);
  }
  void* const memory = blocks[count - 1];
  for (size_t i = 0; i + 1 < count; ++i) std::free(blocks[i]);
  std::memset(memory, static_cast<int>(DrawPerturbation() & 0xff), rounded);
  return memory;
}

void* PerturbedAllocation(size_t size, size_t alignment) {
  if (perturbation.load(std::memory_order_relaxed) != 0) {
    return ScatteredAllocation(size, alignment);
  }
  return std::aligned_alloc(alignment,
                            (size + alignment) / alignment * alignment);
}

// The addresses that Bullet was given, while somebody asks for them.
std::mutex addresses_mutex;
std::vector<uintptr_t>* addresses = nullptr;

void* BulletAllocation(size_t size, size_t alignment) {
  void* const memory = PerturbedAllocation(size, alignment);
  const std::lock_guard lock(addresses_mutex);
  if (addresses != nullptr) {
    addresses->push_back(reinterpret_cast<uintptr_t>(memory));
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
// A sanitizer's own would hand out memory that isn't freed below.
void* operator new(size_t size, const std::nothrow_t& /*tag*/) noexcept {
  return PerturbedAllocation(size, alignof(std::max_align_t));
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
// Others keep the nursery paused.
constexpr uint64_t kInputSeed = 10;

// A pack of this manifest, with those files of `original` that aren't part of
// one: what shapes are read from.
PackArchive PackOf(const std::string& manifest, const PackArchive& original) {
  PackArchive pack;
  EXPECT_TRUE(pack.Add(std::string(kPackManifestPath), manifest).ok());
  for (const auto& [path, contents] : original.files()) {
    if (path.ends_with(".txtpb") || path.ends_with(".csv")) continue;
    EXPECT_TRUE(pack.Add(path, contents).ok());
  }
  return pack;
}

template <typename Repeated>
void TurnRound(Repeated* repeated) {
  std::reverse(repeated->begin(), repeated->end());
}

// Order says who runs first among behaviours, which is first among shapes and
// stages, and how a hull's mass is rounded.
void TurnRoundWithin(v1::Type& type) {
  TurnRound(type.mutable_components());
  TurnRound(type.mutable_interests());
  TurnRound(type.mutable_timers());
  for (v1::ComponentUse& use : *type.mutable_components()) {
    TurnRound(use.mutable_set());
  }
  if (type.has_ragdoll()) TurnRound(type.mutable_ragdoll()->mutable_joints());
  if (!type.has_body()) return;
  TurnRound(type.mutable_body()->mutable_layers());
  for (v1::Shape& shape : *type.mutable_body()->mutable_shapes()) {
    TurnRound(shape.mutable_layers());
  }
}

void TurnRoundWithin(v1::Object& object) {
  TurnRound(object.mutable_components());
  TurnRound(object.mutable_after());
  for (v1::ComponentUse& use : *object.mutable_components()) {
    TurnRound(use.mutable_set());
  }
}

void TurnRoundWithin(v1::ChunkPlan& plan) {
  TurnRound(plan.mutable_chunks());
  TurnRound(plan.mutable_load_regions());
  for (v1::LoadRegion& region : *plan.mutable_load_regions()) {
    TurnRound(region.mutable_chunks());
  }
}

void TurnRoundWithin(v1::Objective& objective) {
  if (objective.kind() != v1::Objective::KIND_SEQUENCE) {
    TurnRound(objective.mutable_children());
  }
  TurnRound(objective.mutable_after());
  TurnRound(objective.mutable_gates());
}

// A pack that says the same from back to front, wherever order has no meaning;
// players aside, whose actions are numbered for random inputs.
PackArchive ReadPackBackwards(const std::string& name) {
  PackReport report;
  const PackArchive original = BatteryPack(name);
  const auto manifest = ParseManifest(original, report);
  EXPECT_TRUE(report.ok()) << report.ToStatus();
  // The whole of it, in one file.
  v1::Pack pack = manifest->pack;
  pack.clear_include();
  pack.clear_tables();
  TurnRound(pack.mutable_types());
  TurnRound(pack.mutable_archetypes());
  TurnRound(pack.mutable_components());
  TurnRound(pack.mutable_objects());
  TurnRound(pack.mutable_joints());
  TurnRound(pack.mutable_connections());
  TurnRound(pack.mutable_events());
  TurnRound(pack.mutable_layers());
  TurnRound(pack.mutable_regions());
  TurnRound(pack.mutable_air_locks());
  TurnRound(pack.mutable_paths());
  TurnRound(pack.mutable_predicates());
  TurnRound(pack.mutable_objectives());
  TurnRound(pack.mutable_materials());
  TurnRound(pack.mutable_collision_layers());
  TurnRound(pack.mutable_fluids());
  TurnRound(pack.mutable_gravity_zones());
  for (v1::Type& type : *pack.mutable_types()) TurnRoundWithin(type);
  for (v1::Object& object : *pack.mutable_objects()) TurnRoundWithin(object);
  for (v1::Objective& objective : *pack.mutable_objectives()) {
    TurnRoundWithin(objective);
  }
  for (v1::Archetype& archetype : *pack.mutable_archetypes()) {
    TurnRound(archetype.mutable_components());
    for (v1::ComponentUse& use : *archetype.mutable_components()) {
      TurnRound(use.mutable_set());
    }
  }
  for (v1::Connection& connection : *pack.mutable_connections()) {
    TurnRound(connection.mutable_pass());
    TurnRound(connection.mutable_with());
  }
  for (v1::CollisionLayer& layer : *pack.mutable_collision_layers()) {
    TurnRound(layer.mutable_collides_with());
  }
  if (pack.has_chunk_plan()) TurnRoundWithin(*pack.mutable_chunk_plan());
  std::string text;
  EXPECT_TRUE(google::protobuf::TextFormat::PrintToString(pack, &text));
  return PackOf(text, original);
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
  RandomInputSource inputs(grammar, kInputSeed);
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
  EXPECT_GT(GameTicksOf(*world), Tick{kTicks / 2});
  return roots;
}

// The addresses that Bullet was given during `run`, by rank: 0 is the place of
// the lowest.
template <typename Run>
std::vector<size_t> OrderOfBulletsMemory(const Run& run) {
  std::vector<uintptr_t> given;
  addresses = &given;
  run();
  addresses = nullptr;
  std::vector<size_t> order(given.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return given[a] < given[b]; });
  return order;
}

class PerturbationTest : public testing::TestWithParam<const char*> {
 protected:
  static void SetUpTestSuite() {
    SetBulletMemory(BulletAllocation, [](void* memory) { std::free(memory); });
  }
  ~PerturbationTest() override { perturbation = 0; }
};

INSTANTIATE_TEST_SUITE_P(Packs, PerturbationTest,
                         testing::ValuesIn(kBatteryPacks));

TEST_P(PerturbationTest, MemoryThatLiesElsewhereChangesNothing) {
  const PackArchive pack = BatteryPack(GetParam());
  std::vector<Digest> plain;
  std::vector<Digest> scattered;
  const std::vector<size_t> plain_order =
      OrderOfBulletsMemory([&] { plain = RootsOf(pack, std::nullopt); });
  perturbation = 0x9e3779b97f4a7c15;
  const std::vector<size_t> scattered_order =
      OrderOfBulletsMemory([&] { scattered = RootsOf(pack, std::nullopt); });
  EXPECT_EQ(scattered, plain);
  // Bullet asked for as many blocks, and they do lie elsewhere. Of 16 the same
  // order is no accident.
  EXPECT_GE(plain_order.size(), 16u);
  EXPECT_EQ(scattered_order.size(), plain_order.size());
  EXPECT_NE(scattered_order, plain_order);
}

TEST_P(PerturbationTest, SomebodyWhoLooksOnChangesNothing) {
  const PackArchive pack = BatteryPack(GetParam());
  EXPECT_EQ(RootsOf(pack, std::nullopt, /*looks_on=*/true),
            RootsOf(pack, std::nullopt));
}

TEST_P(PerturbationTest, OrderOfTheManifestChangesNothing) {
  const auto forwards = *CreateWorld(BatteryPack(GetParam()), 1);
  const auto backwards = *CreateWorld(ReadPackBackwards(GetParam()), 1);
  RandomInputSource inputs(forwards->info().inputs, kInputSeed);
  for (int tick = 0; tick < kTicks; ++tick) {
    const std::vector<InputFrame> frames = inputs.Next();
    forwards->Step(frames, nullptr);
    backwards->Step(frames, nullptr);
    const std::vector<FieldDifference> found =
        CompareStates(forwards->state(), backwards->state(), /*limit=*/1);
    ASSERT_TRUE(found.empty())
        << "tick " << tick << ": "
        << FormatDifference(found[0], forwards->state(), NamesOf(*forwards));
  }
}

TEST_P(PerturbationTest, WorldsBesideItAndMovesChangeNothing) {
  const PackArchive pack = BatteryPack(GetParam());
  const PackArchive other = BatteryPack("nursery");
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
