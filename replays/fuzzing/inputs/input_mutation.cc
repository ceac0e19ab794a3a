// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/fuzzing/inputs/input_mutation.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "sim/base/check.h"
#include "sim/input/random_values.h"

namespace reprise::replays {
namespace {

using Kind = sim::Action::Kind;
using sim::NextBelow;
using sim::NextInRange;
using sim::RandomStream;
using sim::Tick;

// As a person taps: five times a second at the usual rate, and faster than
// anybody can.
constexpr uint64_t kTapTicksMax = 12;
// A second at the usual rate.
constexpr uint64_t kHoldTicksMax = 60;
// What is kept of each action, and behind each: enough to choose from.
constexpr size_t kLearntMax = 64;
// A mutated piece becomes at most this many times as long and as full.
constexpr Tick kLengthMax = 4096;
constexpr size_t kChangesMax = 4096;
constexpr uint64_t kMutationsMax = 8;

bool OneIn(RandomStream& stream, uint64_t count) {
  return NextBelow(stream, count) == 0;
}

// Puts changes in order, and drops those behind the end.
void Settle(InputPiece& piece) {
  piece.length = std::clamp<Tick>(piece.length, 1, kLengthMax);
  // Of one tick they keep their order, which decides.
  std::ranges::stable_sort(piece.changes, {}, &ActionChange::tick);
  std::erase_if(piece.changes, [&piece](const ActionChange& change) {
    return change.tick >= piece.length;
  });
  if (piece.changes.size() > kChangesMax) piece.changes.resize(kChangesMax);
}

// A tick of the piece at which there is something, mostly.
Tick NextTick(RandomStream& stream, const InputPiece& piece) {
  if (!piece.changes.empty() && !OneIn(stream, 3)) {
    return piece.changes[NextBelow(stream, piece.changes.size())].tick;
  }
  return NextBelow(stream, piece.length);
}

sim::InputValue EdgeOf(RandomStream& stream,
                       const sim::ActionArgument& argument) {
  if (argument.capacity > 0) return sim::NextArgument(stream, argument);
  switch (argument.type) {
    case sim::PropertyType::kInt: {
      const std::array<int64_t, 5> edges = {
          argument.minimum, argument.maximum,
          std::clamp<int64_t>(0, argument.minimum, argument.maximum),
          std::clamp<int64_t>(1, argument.minimum, argument.maximum),
          std::clamp<int64_t>(-1, argument.minimum, argument.maximum)};
      return edges[NextBelow(stream, edges.size())];
    }
    case sim::PropertyType::kDouble: {
      const std::array<double, 3> edges = {
          argument.number_minimum, argument.number_maximum,
          std::clamp(0.0, argument.number_minimum, argument.number_maximum)};
      return edges[NextBelow(stream, edges.size())];
    }
    default:
      return sim::NextArgument(stream, argument);
  }
}

}  // namespace

InputMutator::InputMutator(const sim::InputGrammar* grammar,
                           const sim::FuzzingDescription& wishes,
                           std::vector<std::string> names,
                           std::vector<uint32_t> players)
    : grammar_(*grammar),
      names_(std::move(names)),
      players_(std::move(players)),
      learnt_(grammar->actions.size()),
      learnt_count_(grammar->actions.size(), 0) {
  if (players_.empty()) {
    players_.resize(grammar_.player_count);
    std::iota(players_.begin(), players_.end(), 0);
  }
  for (uint32_t i = 0; i < grammar_.actions.size(); ++i) {
    const sim::Action& action = grammar_.actions[i];
    if (action.is_for_authors) continue;
    if (std::ranges::count(wishes.never_used, action.name) > 0) continue;
    if (action.kind == Kind::kCommand && grammar_.commands_per_tick_max == 0) {
      continue;
    }
    const auto weight = std::ranges::find(wishes.weights, action.name,
                                          &sim::FuzzingWeight::action);
    actions_.insert(actions_.end(),
                    weight == wishes.weights.end() ? 1 : weight->weight, i);
  }
  for (const sim::FuzzingSequence& wish : wishes.sequences) {
    Sequence sequence{.actions = {}, .hold_ticks = wish.hold_ticks};
    for (const std::string& name : wish.actions) {
      const auto action =
          std::ranges::find(grammar_.actions, name, &sim::Action::name);
      if (action == grammar_.actions.end()) continue;
      sequence.actions.push_back(
          static_cast<uint32_t>(action - grammar_.actions.begin()));
    }
    if (!sequence.actions.empty()) sequences_.push_back(std::move(sequence));
  }
}

void InputMutator::Learn(std::span<const ActionChange> changes) {
  // By player, what came last.
  std::map<uint32_t, const ActionChange*> last;
  for (const ActionChange& change : changes) {
    if (std::ranges::find(actions_, change.action) == actions_.end()) continue;
    std::vector<ActionValue>& values = learnt_[change.action];
    if (std::ranges::find(values, change.value) == values.end()) {
      const uint64_t place = learnt_count_[change.action]++ % kLearntMax;
      if (place == values.size()) {
        values.push_back(change.value);
      } else {
        values[place] = change.value;
      }
    }
    const ActionChange*& before = last[change.player];
    if (before != nullptr) {
      const Cue cue = {before->action, IsAtRest(before->value)};
      std::vector<Following>& following = following_[cue];
      Following seen = {.action = change.action,
                        .value = change.value,
                        .delay = change.tick - before->tick};
      const uint64_t place = following_count_[cue]++ % kLearntMax;
      if (place == following.size()) {
        following.push_back(std::move(seen));
      } else {
        following[place] = std::move(seen);
      }
    }
    before = &change;
  }
}

InputPiece InputMutator::Generate(RandomStream& stream, Tick length) const {
  CHECK(length > 0);
  InputPiece piece{.length = std::min(length, kLengthMax), .changes = {}};
  if (actions_.empty() || players_.empty()) return piece;
  switch (NextBelow(stream, 8)) {
    case 0:
    case 1:
      AddRestless(stream, piece);
      break;
    case 2:
    case 3:
    case 4:
      AddTaps(stream, piece);
      break;
    case 5:
      AddFollowing(stream, piece);
      break;
    case 6:
      AddSequence(stream, piece);
      break;
    default:
      AddHolds(stream, piece);
      break;
  }
  Settle(piece);
  return piece;
}

void InputMutator::Mutate(RandomStream& stream, const InputPiece& other,
                          InputPiece& piece) const {
  // Few as often as many.
  const uint64_t bound = 1 + NextBelow(stream, kMutationsMax);
  const uint64_t count = 1 + NextBelow(stream, bound);
  for (uint64_t i = 0; i < count; ++i) {
    const auto mutation = static_cast<Mutation>(
        NextBelow(stream, static_cast<uint64_t>(Mutation::kCount)));
    Apply(stream, mutation, other, piece);
  }
}

void InputMutator::Apply(RandomStream& stream, Mutation mutation,
                         const InputPiece& other, InputPiece& piece) const {
  if (actions_.empty() || players_.empty()) return;
  const bool is_empty = piece.changes.empty();
  ActionChange* const some =
      is_empty ? nullptr
               : &piece.changes[NextBelow(stream, piece.changes.size())];
  switch (mutation) {
    case Mutation::kInsert: {
      ActionChange change{.tick = NextTick(stream, piece)};
      change.player = NextPlayer(stream);
      change.action = NextAction(stream);
      change.value = NextValue(stream, change.action);
      piece.changes.push_back(std::move(change));
      break;
    }
    case Mutation::kDelete: {
      if (is_empty) break;
      const uint64_t first = NextBelow(stream, piece.changes.size());
      const uint64_t count =
          1 + NextBelow(stream,
                        std::min<uint64_t>(piece.changes.size() - first, 4));
      piece.changes.erase(piece.changes.begin() + first,
                          piece.changes.begin() + first + count);
      break;
    }
    case Mutation::kReplace:
      if (some != nullptr) some->value = RestlessValue(stream, some->action);
      break;
    case Mutation::kEdge:
      if (some != nullptr) some->value = NextEdge(stream, some->action);
      break;
    case Mutation::kLearnt:
      if (some != nullptr) some->value = NextLearntOr(stream, some->action);
      break;
    case Mutation::kRepeat:
      Repeat(stream, piece);
      break;
    case Mutation::kStretch:
      Stretch(stream, piece);
      break;
    case Mutation::kShift:
      Shift(stream, piece);
      break;
    case Mutation::kHold:
      HoldOrRelease(stream, /*holds=*/true, piece);
      break;
    case Mutation::kRelease:
      HoldOrRelease(stream, /*holds=*/false, piece);
      break;
    case Mutation::kMerge:
    case Mutation::kSwap:
    case Mutation::kDrop:
      ChangePlayers(stream, mutation, piece);
      break;
    case Mutation::kSplice: {
      const Tick cut = NextBelow(stream, piece.length);
      const Tick from = NextBelow(stream, other.length);
      std::erase_if(piece.changes, [cut](const ActionChange& change) {
        return change.tick >= cut;
      });
      for (ActionChange change : other.changes) {
        if (change.tick < from) continue;
        change.tick = change.tick - from + cut;
        piece.changes.push_back(std::move(change));
      }
      piece.length = cut + (other.length - from);
      break;
    }
    case Mutation::kSequence:
      AddSequence(stream, piece);
      break;
    case Mutation::kFollow:
      AddFollowing(stream, piece);
      break;
    case Mutation::kCount:
      break;
  }
  Settle(piece);
}

uint32_t InputMutator::NextAction(RandomStream& stream) const {
  return actions_[NextBelow(stream, actions_.size())];
}

uint32_t InputMutator::NextPlayer(RandomStream& stream) const {
  return players_[NextBelow(stream, players_.size())];
}

ActionValue InputMutator::NextValue(RandomStream& stream,
                                    uint32_t action) const {
  switch (NextBelow(stream, 4)) {
    case 0:
      return NextEdge(stream, action);
    case 1:
      return NextLearntOr(stream, action);
    default:
      return RestlessValue(stream, action);
  }
}

ActionValue InputMutator::NextEdge(RandomStream& stream, uint32_t index) const {
  const sim::Action& action = grammar_.actions[index];
  ActionValue value;
  const auto signed_edge = [&stream] {
    constexpr std::array<int32_t, 5> kEdges = {-sim::kAxisMax, sim::kAxisMax, 0,
                                               1, -1};
    return kEdges[NextBelow(stream, kEdges.size())];
  };
  switch (action.kind) {
    case Kind::kButton:
    case Kind::kKey:
    case Kind::kMouseButton:
      value.numbers[0] = 1;
      break;
    case Kind::kAxis:
      value.numbers[0] = signed_edge();
      break;
    case Kind::kMouseMotion:
    case Kind::kWheel:
      value.numbers[0] = signed_edge();
      value.numbers[1] = signed_edge();
      break;
    case Kind::kPointer: {
      constexpr std::array<int32_t, 3> kEdges = {0, sim::kViewEdge,
                                                 sim::kViewEdge / 2};
      value.numbers[0] = kEdges[NextBelow(stream, kEdges.size())];
      value.numbers[1] = kEdges[NextBelow(stream, kEdges.size())];
      break;
    }
    case Kind::kMotionSensor:
      value.numbers[NextBelow(stream, 6)] =
          OneIn(stream, 2) ? sim::kMotionMax : -sim::kMotionMax;
      break;
    case Kind::kCommand:
      for (const sim::ActionArgument& argument : action.arguments) {
        value.arguments.push_back(EdgeOf(stream, argument));
      }
      break;
    case Kind::kText:
    case Kind::kTouch:
      return RestlessValue(stream, index);
  }
  return value;
}

ActionValue InputMutator::NextLearntOr(RandomStream& stream,
                                       uint32_t action) const {
  const std::vector<ActionValue>& values = learnt_[action];
  if (values.empty()) return RestlessValue(stream, action);
  return values[NextBelow(stream, values.size())];
}

std::vector<sim::InputValue> InputMutator::NextArguments(
    RandomStream& stream, const sim::Action& action) const {
  std::vector<sim::InputValue> arguments;
  for (const sim::ActionArgument& argument : action.arguments) {
    const bool is_name = argument.type == sim::PropertyType::kReference;
    if (is_name && argument.capacity == 0 && !names_.empty() &&
        !OneIn(stream, 8)) {
      arguments.emplace_back(names_[NextBelow(stream, names_.size())]);
    } else {
      arguments.push_back(sim::NextArgument(stream, argument));
    }
  }
  return arguments;
}

ActionValue InputMutator::RestlessValue(RandomStream& stream,
                                        uint32_t index) const {
  const sim::Action& action = grammar_.actions[index];
  ActionValue value;
  const auto any_signed = [&stream] {
    return static_cast<int32_t>(
        NextInRange(stream, -sim::kAxisMax, sim::kAxisMax));
  };
  const auto any_place = [&stream] {
    return static_cast<int32_t>(NextInRange(stream, 0, sim::kViewEdge));
  };
  switch (action.kind) {
    case Kind::kButton:
    case Kind::kKey:
    case Kind::kMouseButton:
      value.numbers[0] = OneIn(stream, 2) ? 0 : 1;
      break;
    case Kind::kAxis:
      value.numbers[0] = OneIn(stream, 4) ? 0 : any_signed();
      break;
    case Kind::kMouseMotion:
    case Kind::kWheel:
      value.numbers[0] = any_signed();
      value.numbers[1] = any_signed();
      break;
    case Kind::kPointer:
      value.numbers[0] = any_place();
      value.numbers[1] = any_place();
      break;
    case Kind::kMotionSensor:
      for (int32_t& number : value.numbers) {
        number = static_cast<int32_t>(
            NextInRange(stream, -sim::kMotionMax, sim::kMotionMax));
      }
      break;
    case Kind::kTouch:
      for (uint32_t finger = 0; finger < action.maximum; ++finger) {
        if (OneIn(stream, 2)) continue;
        sim::Touch touch{.id = static_cast<uint16_t>(finger)};
        touch.x = static_cast<uint16_t>(any_place());
        touch.y = static_cast<uint16_t>(any_place());
        touch.pressure = static_cast<uint16_t>(any_place());
        value.touches.push_back(touch);
      }
      break;
    case Kind::kCommand:
      value.arguments = NextArguments(stream, action);
      break;
    case Kind::kText:
      value.text = sim::NextText(stream, action.maximum);
      break;
  }
  return value;
}

void InputMutator::Press(uint32_t player, uint32_t action, Tick tick, Tick hold,
                         ActionValue value, InputPiece& piece) const {
  piece.changes.push_back({.tick = tick,
                           .player = player,
                           .action = action,
                           .value = std::move(value)});
  if (!IsHeld(grammar_.actions[action])) return;
  piece.changes.push_back(
      {.tick = tick + hold, .player = player, .action = action, .value = {}});
}

// Each action is chosen anew now and then, as RandomInputSource does.
void InputMutator::AddRestless(RandomStream& stream, InputPiece& piece) const {
  for (const uint32_t player : players_) {
    if (players_.size() > 1 && OneIn(stream, 3)) continue;
    for (uint32_t action = 0; action < grammar_.actions.size(); ++action) {
      if (std::ranges::find(actions_, action) == actions_.end()) continue;
      for (Tick tick = NextBelow(stream, kHoldTicksMax); tick < piece.length;
           tick += 1 + NextBelow(stream, kHoldTicksMax)) {
        piece.changes.push_back({.tick = tick,
                                 .player = player,
                                 .action = action,
                                 .value = NextValue(stream, action)});
      }
    }
  }
}

// One action after the other, in one rhythm.
void InputMutator::AddTaps(RandomStream& stream, InputPiece& piece) const {
  const uint32_t player = NextPlayer(stream);
  const Tick hold = 1 + NextBelow(stream, kTapTicksMax);
  const Tick pause = OneIn(stream, 2) ? hold : NextBelow(stream, kTapTicksMax);
  for (Tick tick = 0; tick < piece.length; tick += hold + pause) {
    const uint32_t action = NextAction(stream);
    ActionValue value =
        OneIn(stream, 2) ? NextEdge(stream, action) : NextValue(stream, action);
    Press(player, action, tick, hold, std::move(value), piece);
  }
}

// A few things at once, and for long.
void InputMutator::AddHolds(RandomStream& stream, InputPiece& piece) const {
  const uint32_t player = NextPlayer(stream);
  const uint64_t count = 1 + NextBelow(stream, 3);
  for (uint64_t i = 0; i < count; ++i) {
    const uint32_t action = NextAction(stream);
    const Tick tick = OneIn(stream, 2) ? 0 : NextBelow(stream, piece.length);
    const Tick hold = 1 + NextBelow(stream, piece.length);
    Press(player, action, tick, hold, NextEdge(stream, action), piece);
  }
}

// What was seen to follow on what, as far as it goes.
void InputMutator::AddFollowing(RandomStream& stream, InputPiece& piece) const {
  ActionChange change{.tick = NextBelow(stream, piece.length)};
  change.player = NextPlayer(stream);
  change.action = NextAction(stream);
  change.value = NextLearntOr(stream, change.action);
  while (change.tick < piece.length && piece.changes.size() < kChangesMax) {
    piece.changes.push_back(change);
    const auto found = following_.find({change.action, IsAtRest(change.value)});
    if (found == following_.end()) return;
    const Following& next =
        found->second[NextBelow(stream, found->second.size())];
    change.tick += next.delay;
    change.action = next.action;
    change.value = next.value;
  }
}

void InputMutator::AddSequence(RandomStream& stream, InputPiece& piece) const {
  if (sequences_.empty()) {
    AddTaps(stream, piece);
    return;
  }
  const Sequence& sequence = sequences_[NextBelow(stream, sequences_.size())];
  const uint32_t player = NextPlayer(stream);
  Tick tick = NextBelow(stream, piece.length);
  for (const uint32_t action : sequence.actions) {
    Press(player, action, tick, sequence.hold_ticks, {.numbers = {1}}, piece);
    tick += 2 * sequence.hold_ticks;
  }
  piece.length = std::max(piece.length, tick);
}

void InputMutator::Stretch(RandomStream& stream, InputPiece& piece) const {
  // 1/4 to 4 times as long.
  const uint64_t numerator = 1 + NextBelow(stream, 8);
  const uint64_t denominator = 1 + NextBelow(stream, 8);
  if (numerator > 4 * denominator || denominator > 4 * numerator) return;
  for (ActionChange& change : piece.changes) {
    change.tick = change.tick * numerator / denominator;
  }
  piece.length = piece.length * numerator / denominator;
}

void InputMutator::Shift(RandomStream& stream, InputPiece& piece) const {
  const Tick from = NextTick(stream, piece);
  const Tick distance = 1 + NextBelow(stream, kTapTicksMax);
  const bool is_later = OneIn(stream, 2);
  const bool is_of_all = OneIn(stream, 2);
  const uint32_t player = NextPlayer(stream);
  for (ActionChange& change : piece.changes) {
    if (change.tick < from || (!is_of_all && change.player != player)) continue;
    if (is_later) {
      change.tick += distance;
    } else {
      change.tick -= std::min(change.tick, distance);
    }
  }
  if (is_of_all && is_later) piece.length += distance;
}

void InputMutator::Repeat(RandomStream& stream, InputPiece& piece) const {
  const Tick begin = NextBelow(stream, piece.length);
  const Tick size = 1 + NextBelow(stream, piece.length - begin);
  const uint64_t times = 1 + NextBelow(stream, 4);
  std::vector<ActionChange> part;
  for (ActionChange& change : piece.changes) {
    if (change.tick >= begin && change.tick < begin + size) {
      part.push_back(change);
    } else if (change.tick >= begin + size) {
      change.tick += size * times;
    }
  }
  for (uint64_t i = 1; i <= times; ++i) {
    for (ActionChange change : part) {
      change.tick += size * i;
      piece.changes.push_back(std::move(change));
    }
  }
  piece.length += size * times;
}

void InputMutator::HoldOrRelease(RandomStream& stream, bool holds,
                                 InputPiece& piece) const {
  std::vector<size_t> places;
  for (size_t i = 0; i < piece.changes.size(); ++i) {
    const ActionChange& change = piece.changes[i];
    if (!IsHeld(grammar_.actions[change.action])) continue;
    if (IsAtRest(change.value) == holds) places.push_back(i);
  }
  if (places.empty()) return;
  const size_t place = places[NextBelow(stream, places.size())];
  if (holds) {
    piece.changes.erase(piece.changes.begin() +
                        static_cast<std::ptrdiff_t>(place));
    return;
  }
  ActionChange release = piece.changes[place];
  release.tick += 1 + NextBelow(stream, kTapTicksMax);
  release.value = {};
  piece.changes.push_back(std::move(release));
}

void InputMutator::ChangePlayers(RandomStream& stream, Mutation mutation,
                                 InputPiece& piece) const {
  const uint32_t one = NextPlayer(stream);
  const uint32_t other = NextPlayer(stream);
  if (mutation == Mutation::kDrop) {
    std::erase_if(piece.changes, [one](const ActionChange& change) {
      return change.player == one;
    });
    return;
  }
  if (one == other) return;
  std::vector<ActionChange> copies;
  for (ActionChange& change : piece.changes) {
    if (mutation == Mutation::kMerge) {
      if (change.player != one) continue;
      copies.push_back(change);
      copies.back().player = other;
    } else if (change.player == one) {
      change.player = other;
    } else if (change.player == other) {
      change.player = one;
    }
  }
  for (ActionChange& copy : copies) piece.changes.push_back(std::move(copy));
}

}  // namespace reprise::replays
