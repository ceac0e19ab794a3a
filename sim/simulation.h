// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The one interface between simulations and everything that works on them:
// recording, verifying, comparing, serving, exporting. A simulation is a
// function of its pack, its seed and its inputs, and of nothing else; what
// implements these calls gets all the rest.

#ifndef REPRISE_SIM_SIMULATION_H_
#define REPRISE_SIM_SIMULATION_H_

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "sim/base/content_digest.h"
#include "sim/base/handle.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/base/tick.h"
#include "sim/base/value_name.h"
#include "sim/event.h"
#include "sim/frame.h"
#include "sim/game_description.h"
#include "sim/input/input_frame.h"
#include "sim/input/input_grammar.h"
#include "sim/state/field_value.h"
#include "sim/state/state.h"

namespace reprise::sim {

// What is fixed for the whole of a run.
struct SimulationInfo {
  std::string simulation;     // the name its factory is registered by
  std::string pack;           // the pack's name
  ContentDigest pack_digest;  // of its archive
  // The same by XXH3-128, which replays up to format revision 3 name it by;
  // nullopt where there are none.
  std::optional<ContentDigest> old_pack_digest;
  uint64_t seed = 0;
  TickRate tick_rate;
  // Goes up whenever a change of the code moves the digests of some pack.
  uint32_t rules_revision = 0;
  InputGrammar inputs;
  // The phases of a tick in the order in which they run.
  std::vector<std::string> phases;

  // Whether the digest stands for the pack, however old it is.
  bool IsOfPack(const ContentDigest& digest) const {
    return digest == pack_digest || digest == old_pack_digest;
  }
};

struct DebugFrame;  // sim/debug_frame.h

// How a run stands, derived from state.
struct Outcome {
  enum class Status : uint8_t { kRunning, kWon, kLost };

  Status status = Status::kRunning;
  std::string reason;  // empty while running

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

inline constexpr auto kOutcomeNames = std::to_array<ValueName>({
    {Outcome::Status::kRunning, "running"},
    {Outcome::Status::kWon, "won"},
    {Outcome::Status::kLost, "lost"},
});

// Looks at the state between the phases of one tick.
class PhaseObserver {
 public:
  virtual ~PhaseObserver() = default;

  // Called after phase `phase` (an index into SimulationInfo::phases). `state`
  // may be copied; only the copy made after the last phase can be restored. A
  // phase may come several times in a tick, or not at all.
  virtual void OnPhase(uint32_t phase, const State& state) = 0;

  // Whether OnWriter is to be called; asked once a tick.
  virtual bool wants_writers() const { return false; }

  // Called within a phase, as finely as the simulation can tell: `writer`
  // ("behaviour spawn", "solver") made all changes since the call before, or
  // since the phase before. What no call accounts for is the phase's own doing.
  virtual void OnWriter(std::string_view /*writer*/, const State& /*state*/) {}
};

// Used by one thread at a time; any number of simulations run side by side.
class Simulation {
 public:
  virtual ~Simulation() = default;

  virtual const SimulationInfo& info() const = 0;

  // What there is in the game. Made once a pack, not for each simulation of it.
  // A simulation that says nothing of itself has none of everything.
  virtual const GameDescription& description() const;

  // The number of steps made since the pack was loaded.
  virtual Tick tick() const = 0;

  // All state, as it is before the inputs of tick(). Digests, inspection,
  // comparison and snapshots read it; a copy of it is a snapshot.
  virtual const State& state() const = 0;

  // Whether Step may be given `frames` now, in any order of players.
  // INVALID_ARGUMENT, RESOURCE_EXHAUSTED: see ValidateInputs.
  virtual absl::Status Validate(std::span<const InputFrame> frames) const = 0;

  // Makes one tick. The order of `frames` doesn't matter. `observer` may be
  // null. REQUIRES: Validate(frames).ok(); status().ok().
  virtual void Step(std::span<const InputFrame> frames,
                    PhaseObserver* observer) = 0;

  // Whether it can go on. Not OK from a step on that couldn't be made: tick()
  // didn't move then, and the state is of no use. Only code from outside, as a
  // plug-in's, fails so.
  virtual absl::Status status() const { return absl::OkStatus(); }

  // Continues from `snapshot`, a copy of the state() of a simulation of the
  // same pack, taken between ticks. FAILED_PRECONDITION, and nothing changes,
  // when it is of a simulation with other tables; DATA_LOSS when its rows
  // contradict each other.
  virtual absl::Status Restore(const State& snapshot) = 0;

  // A second simulation in the same state; both live on independently.
  virtual std::unique_ptr<Simulation> Fork() const = 0;

  // The events since the last call, oldest first.
  virtual std::vector<Event> DrainEvents() = 0;

  virtual Outcome outcome() const = 0;

  // What a renderer draws for the state as it is.
  virtual Frame ProduceFrame() const = 0;

  // What the simulation draws itself of the state as it is, to be shown in
  // place of a renderer's; nullopt where it leaves that to one. Made only where
  // it is looked at. Errors are of code from outside.
  virtual absl::StatusOr<std::optional<FramePicture>> ProducePicture() const {
    return std::nullopt;
  }

  // What shapes of frames refer to: the same for the whole of a run.
  virtual std::vector<FrameMesh> FrameMeshes() const { return {}; }

  // What can be seen of the state beside ProduceFrame; mostly empty.
  virtual DebugFrame ProduceDebugFrame() const;

  // The full name of an object ("crate_7"), and the name behind an id; a number
  // in a fixed notation for what has no name.
  virtual std::string ObjectName(ObjectId object) const = 0;
  virtual std::string IdName(Id id) const = 0;

  // The object that a handle in the state refers to; kNoObject when it has been
  // destroyed, or where a simulation keeps no handles.
  virtual ObjectId ObjectOf(Handle /*handle*/) const { return kNoObject; }

  // Overwrites one scalar of the state, so that checkers can be checked. Errors
  // as WriteScalar's.
  virtual absl::Status Inject(const FieldAddress& address,
                              FieldValue value) = 0;
};

// The simulation's names, for FormatFieldValue and FormatDifference. Valid
// while `simulation` lives.
NameResolver NamesOf(const Simulation& simulation);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SIMULATION_H_
