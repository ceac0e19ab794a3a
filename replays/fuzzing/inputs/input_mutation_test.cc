// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that whatever is made or mutated is accepted by the grammar, follows
// from the stream, keeps to a pack's wishes, and that each mutation does what
// it is called.

#include "replays/fuzzing/inputs/input_mutation.h"

#include <algorithm>
#include <set>

#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/input/testing_grammar.h"

namespace reprise::replays {
namespace {

const sim::InputGrammar& Grammar() {
  static const sim::InputGrammar grammar = sim::EveryInputGrammar();
  return grammar;
}

sim::RandomStream Stream(uint64_t seed) {
  return sim::MakeRandomStream(seed, sim::IdOf("test"));
}

// A press of `jump` at each of `ticks`, by player 0.
InputPiece Presses(const std::vector<sim::Tick>& ticks) {
  InputPiece piece{.length = 100, .changes = {}};
  for (const sim::Tick tick : ticks) {
    piece.changes.push_back(
        {.tick = tick, .player = 0, .action = 0, .value = {.numbers = {1}}});
  }
  return piece;
}

void ExpectIsAccepted(const InputPiece& piece) {
  HeldDevices held(2);
  sim::Tick last = 0;
  for (const TickInputs& inputs :
       ToTickInputs(Grammar(), piece.changes, held)) {
    EXPECT_LT(inputs.tick, piece.length);
    EXPECT_GE(inputs.tick, last);
    last = inputs.tick;
    const absl::Status status = sim::ValidateInputs(Grammar(), inputs.frames);
    EXPECT_TRUE(status.ok()) << status;
  }
}

TEST(InputMutationTest, EverythingMadeIsAccepted) {
  InputMutator mutator(&Grammar(), {}, {"crate_7"});
  sim::RandomStream stream = Stream(1);
  InputPiece before = mutator.Generate(stream, 50);
  for (int i = 0; i < 2000; ++i) {
    InputPiece piece = mutator.Generate(stream, 1 + i % 90);
    ExpectIsAccepted(piece);
    mutator.Mutate(stream, before, piece);
    ExpectIsAccepted(piece);
    if (i % 10 == 0) mutator.Learn(piece.changes);
    before = piece;
  }
}

TEST(InputMutationTest, SameStreamGivesTheSame) {
  const InputMutator mutator(&Grammar(), {}, {});
  for (uint64_t seed = 0; seed < 50; ++seed) {
    sim::RandomStream one = Stream(seed);
    sim::RandomStream same = Stream(seed);
    EXPECT_EQ(mutator.Generate(one, 64), mutator.Generate(same, 64));
    EXPECT_EQ(one, same);
  }
}

TEST(InputMutationTest, WishesOfThePackAreKept) {
  const sim::FuzzingDescription wishes = {
      .never_used = {"lean", "order"},
      .weights = {{.action = "jump", .weight = 1000}}};
  const InputMutator mutator(&Grammar(), wishes, {});
  sim::RandomStream stream = Stream(3);
  std::vector<int> count(Grammar().actions.size(), 0);
  for (int i = 0; i < 1000; ++i) {
    InputPiece piece = mutator.Generate(stream, 60);
    mutator.Mutate(stream, piece, piece);
    for (const ActionChange& change : piece.changes) ++count[change.action];
  }
  EXPECT_EQ(count[1], 0);
  EXPECT_EQ(count[11], 0);
  EXPECT_EQ(*std::ranges::max_element(count), count[0]);
}

TEST(InputMutationTest, SequencesOfThePackComeWhole) {
  const sim::FuzzingDescription wishes = {
      .sequences = {{.name = "combo",
                     .actions = {"jump", "crouch", "fire"},
                     .hold_ticks = 2}}};
  const InputMutator mutator(&Grammar(), wishes, {});
  sim::RandomStream stream = Stream(4);
  InputPiece piece = Presses({});
  mutator.Apply(stream, Mutation::kSequence, piece, piece);
  ASSERT_EQ(piece.changes.size(), 6);
  for (const size_t press : {0, 2, 4}) {
    EXPECT_EQ(piece.changes[press].value.numbers[0], 1);
    EXPECT_EQ(piece.changes[press + 1].value.numbers[0], 0);
    EXPECT_EQ(piece.changes[press + 1].tick - piece.changes[press].tick, 2);
  }
  EXPECT_EQ(piece.changes[4].action, 4u);
}

TEST(InputMutationTest, EachMutationDoesWhatItIsCalled) {
  const InputMutator mutator(&Grammar(), {}, {});
  const auto mutate = [&](Mutation mutation, InputPiece piece) {
    sim::RandomStream stream = Stream(11);
    const InputPiece other = Presses({1, 99});
    mutator.Apply(stream, mutation, other, piece);
    return piece;
  };
  const InputPiece presses = Presses({10, 20, 30});
  EXPECT_EQ(mutate(Mutation::kInsert, presses).changes.size(), 4);
  EXPECT_LT(mutate(Mutation::kDelete, presses).changes.size(), 3);
  EXPECT_GT(mutate(Mutation::kRepeat, presses).length, 100);
  // Of presses alone nothing can be held on; one can be let go.
  EXPECT_EQ(mutate(Mutation::kHold, presses), presses);
  EXPECT_EQ(mutate(Mutation::kRelease, presses).changes.size(), 4);
}

TEST(InputMutationTest, PlayersAreMergedSwappedAndDropped) {
  const InputMutator mutator(&Grammar(), {}, {});
  const InputPiece presses = Presses({10, 20});
  std::set<size_t> merged;
  std::set<uint32_t> swapped;
  std::set<size_t> dropped;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    sim::RandomStream stream = Stream(seed);
    InputPiece piece = presses;
    mutator.Apply(stream, Mutation::kMerge, presses, piece);
    merged.insert(piece.changes.size());
    piece = presses;
    mutator.Apply(stream, Mutation::kSwap, presses, piece);
    swapped.insert(piece.changes[0].player);
    piece = presses;
    mutator.Apply(stream, Mutation::kDrop, presses, piece);
    dropped.insert(piece.changes.size());
  }
  EXPECT_EQ(merged, (std::set<size_t>{2, 4}));
  EXPECT_EQ(swapped, (std::set<uint32_t>{0, 1}));
  EXPECT_EQ(dropped, (std::set<size_t>{0, 2}));
}

TEST(InputMutationTest, WhatWasLearntIsUsed) {
  InputMutator mutator(&Grammar(), {}, {});
  mutator.Learn(std::vector<ActionChange>{
      {.tick = 0, .player = 0, .action = 1, .value = {.numbers = {12345}}},
      {.tick = 7, .player = 0, .action = 0, .value = {.numbers = {1}}}});
  sim::RandomStream stream = Stream(5);
  bool has_value = false;
  bool has_following = false;
  for (int i = 0; i < 500; ++i) {
    const InputPiece piece = mutator.Generate(stream, 60);
    for (size_t k = 0; k < piece.changes.size(); ++k) {
      if (piece.changes[k].value.numbers[0] != 12345) continue;
      has_value = true;
      if (k + 1 < piece.changes.size() && piece.changes[k + 1].action == 0 &&
          piece.changes[k + 1].tick == piece.changes[k].tick + 7) {
        has_following = true;
      }
    }
  }
  EXPECT_TRUE(has_value);
  EXPECT_TRUE(has_following);
}

TEST(InputMutationTest, GameWithoutActionsGivesPiecesWithoutChanges) {
  const sim::InputGrammar grammar{.player_count = 1};
  const InputMutator mutator(&grammar, {}, {});
  sim::RandomStream stream = Stream(6);
  InputPiece piece = mutator.Generate(stream, 30);
  mutator.Mutate(stream, piece, piece);
  EXPECT_EQ(piece.changes.size(), 0);
}

}  // namespace
}  // namespace reprise::replays
