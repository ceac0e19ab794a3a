// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Makes inputs to try: fresh ones, and others out of those that led somewhere,
// in the words of the game's own actions. What comes out follows from the
// stream, the grammar, the pack's wishes and what was learnt, and every pack
// accepts it.

#ifndef REPRISE_REPLAYS_FUZZING_INPUTS_INPUT_MUTATION_H_
#define REPRISE_REPLAYS_FUZZING_INPUTS_INPUT_MUTATION_H_

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "replays/fuzzing/inputs/action_changes.h"
#include "sim/base/random.h"
#include "sim/base/tick.h"
#include "sim/fuzzing_description.h"
#include "sim/input/input_grammar.h"

namespace reprise::replays {

// What players do for some ticks, from tick 0 on.
struct InputPiece {
  sim::Tick length = 1;
  std::vector<ActionChange> changes;  // ascending ticks, each below `length`

  friend bool operator==(const InputPiece&, const InputPiece&) = default;
};

// How one piece is made of another.
enum class Mutation : uint8_t {
  kInsert,    // a change more
  kDelete,    // some changes fewer
  kReplace,   // another value at the same place
  kEdge,      // a value at an edge of its range
  kLearnt,    // a value that was seen
  kRepeat,    // a part once more, behind itself
  kStretch,   // everything slower or faster
  kShift,     // one player's or all changes from a tick on, later or earlier
  kHold,      // what is released is held on
  kRelease,   // what is held is let go
  kMerge,     // two players do what one does
  kSwap,      // two players change their parts
  kDrop,      // a player does nothing
  kSplice,    // the front of this and the back of another piece
  kSequence,  // what the pack says belongs together
  kFollow,    // what was seen to follow
  kCount,
};

// Safe to be used by several threads while nobody calls Learn.
class InputMutator {
 public:
  // `grammar` must remain live while this is in use. `names` are those of
  // objects, for commands that ask for some. The others than `players` do
  // nothing; empty: all play.
  InputMutator(const sim::InputGrammar* grammar,
               const sim::FuzzingDescription& wishes,
               std::vector<std::string> names,
               std::vector<uint32_t> players = {});

  // Takes values, and what follows on what, out of changes that led somewhere.
  void Learn(std::span<const ActionChange> changes);

  // A fresh piece. REQUIRES: length > 0.
  InputPiece Generate(sim::RandomStream& stream, sim::Tick length) const;

  // Changes `piece` by one to eight mutations; `other` is what is spliced in.
  void Mutate(sim::RandomStream& stream, const InputPiece& other,
              InputPiece& piece) const;

  // The same by one of them.
  void Apply(sim::RandomStream& stream, Mutation mutation,
             const InputPiece& other, InputPiece& piece) const;

 private:
  struct Following {
    uint32_t action = 0;
    ActionValue value;
    sim::Tick delay = 0;
  };
  struct Sequence {
    std::vector<uint32_t> actions;
    sim::Tick hold_ticks = 1;
  };
  // An action, and whether it came to rest.
  using Cue = std::pair<uint32_t, bool>;

  uint32_t NextAction(sim::RandomStream& stream) const;
  uint32_t NextPlayer(sim::RandomStream& stream) const;
  ActionValue NextValue(sim::RandomStream& stream, uint32_t action) const;
  ActionValue NextEdge(sim::RandomStream& stream, uint32_t action) const;
  ActionValue NextLearntOr(sim::RandomStream& stream, uint32_t action) const;
  ActionValue RestlessValue(sim::RandomStream& stream, uint32_t action) const;
  std::vector<sim::InputValue> NextArguments(sim::RandomStream& stream,
                                             const sim::Action& action) const;

  void AddRestless(sim::RandomStream& stream, InputPiece& piece) const;
  void AddTaps(sim::RandomStream& stream, InputPiece& piece) const;
  void AddHolds(sim::RandomStream& stream, InputPiece& piece) const;
  void AddFollowing(sim::RandomStream& stream, InputPiece& piece) const;
  void AddSequence(sim::RandomStream& stream, InputPiece& piece) const;
  void Press(uint32_t player, uint32_t action, sim::Tick tick, sim::Tick hold,
             ActionValue value, InputPiece& piece) const;
  void Stretch(sim::RandomStream& stream, InputPiece& piece) const;
  void Shift(sim::RandomStream& stream, InputPiece& piece) const;
  void Repeat(sim::RandomStream& stream, InputPiece& piece) const;
  void HoldOrRelease(sim::RandomStream& stream, bool holds,
                     InputPiece& piece) const;
  void ChangePlayers(sim::RandomStream& stream, Mutation mutation,
                     InputPiece& piece) const;

  const sim::InputGrammar& grammar_;
  const std::vector<std::string> names_;
  std::vector<uint32_t> players_;
  // Each action that is used as often as its weight says.
  std::vector<uint32_t> actions_;
  std::vector<Sequence> sequences_;
  // By action.
  std::vector<std::vector<ActionValue>> learnt_;
  std::vector<uint64_t> learnt_count_;
  std::map<Cue, std::vector<Following>> following_;
  std::map<Cue, uint64_t> following_count_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FUZZING_INPUTS_INPUT_MUTATION_H_
