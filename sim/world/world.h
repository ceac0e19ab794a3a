// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The built-in simulation: objects with rigid bodies and behaviours, and the
// game systems that a pack uses. Everything that lasts from one tick to the
// next is in its State.

#ifndef REPRISE_SIM_WORLD_WORLD_H_
#define REPRISE_SIM_WORLD_WORLD_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/base/id.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/physics/physics_world.h"
#include "sim/simulation.h"
#include "sim/world/definition/world_definition.h"
#include "sim/world/definition/world_rows.h"
#include "sim/world/event_receivers.h"
#include "sim/world/events/event_router.h"
#include "sim/world/events/waiting_events.h"
#include "sim/world/inputs/input_texts.h"
#include "sim/world/objects/objects.h"
#include "sim/world/objects/update_times.h"
#include "sim/world/objects/world_log.h"
#include "sim/world/objects/world_parts.h"
#include "sim/world/systems/systems.h"
#include "sim/world/updates/behaviour_updates.h"
#include "sim/world/updates/step_writers.h"
#include "sim/world/updates/world_queries.h"

namespace reprise::sim {

// The phases of a tick, in order; their names are SimulationInfo::phases.
// Between the first and the last, each is the StepPoint of its name.
enum class WorldPhase : uint32_t {
  kInputs,       // devices take what the players gave
  kEvents,       // timers fire, and events that are due are delivered
  kPresence,     // parts of the world come and go, and their objects with them
  kPrePhysics,   // behaviours decide and push bodies, bucket by bucket
  kPhysics,      // the fixed number of substeps
  kContacts,     // what came of it: touches, breaking, places
  kPostPhysics,  // behaviours see what came of it, bucket by bucket
  kCommit,       // queued events are delivered, objects come and go
};

// The names of the phases, for definitions.
std::vector<std::string> WorldPhaseNames();

class World final : public Simulation {
 public:
  // The world at tick 0. `prepare`, unless it is empty, is called before any
  // system runs: for whoever looks on from the start, which is no state.
  explicit World(std::shared_ptr<const WorldDefinition> definition,
                 const std::function<void(const Systems&)>& prepare = {});
  // Its parts refer to each other.
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  const SimulationInfo& info() const override { return definition_->info; }
  const GameDescription& description() const override {
    return definition_->description;
  }
  Tick tick() const override;
  const State& state() const override { return state_; }
  absl::Status Validate(std::span<const InputFrame> frames) const override;
  void Step(std::span<const InputFrame> frames,
            PhaseObserver* observer) override;
  absl::Status Restore(const State& snapshot) override;
  std::unique_ptr<Simulation> Fork() const override;
  std::vector<Event> DrainEvents() override;
  Outcome outcome() const override;
  Frame ProduceFrame() const override;
  std::vector<FrameMesh> FrameMeshes() const override;
  DebugFrame ProduceDebugFrame() const override;
  std::string ObjectName(ObjectId object) const override;
  std::string IdName(Id id) const override;
  ObjectId ObjectOf(Handle handle) const override;
  absl::Status Inject(const FieldAddress& address, FieldValue value) override;

  const std::shared_ptr<const WorldDefinition>& definition() const {
    return definition_;
  }

  // For what a system says of itself beside the state.
  const Systems& systems() const { return systems_; }
  WorldLog& log() { return log_; }

 private:
  static WorldTables AddTables(const WorldDefinition& definition, State& state);
  void InitializeState();

  void FinishPhase(WorldPhase phase, PhaseObserver* observer) const;
  void StepGame(PhaseObserver* observer);
  // A step of the world's own, by its index in WorldSteps().
  void RunOwn(uint32_t step);
  // Runs a part of a phase under the name that observers are told.
  template <typename Part>
  void Write(const char* writer, const Part& part);
  void FireTimers();
  void TellMarks();
  void AnswerRequests();
  // What the rays among requests hit, in their order.
  std::vector<std::optional<QueryHit>> CastRequested(
      std::span<const RequestRow> requests);
  // Lets queries see the state as it is now.
  void LookAround();
  void StepPhysics();
  void EndPhysics();
  void TellRefused();

  void RunBehaviours(Hook hook);
  // Has the state in which others are read be that of now.
  void KeepReadable();
  // The state in which others are read; null when nobody reads them.
  const State* ReadableState() const;
  void InitializeClock();

  std::shared_ptr<const WorldDefinition> definition_;
  State state_;
  WorldTables tables_;
  std::vector<std::vector<TableIndex>> system_tables_;
  Objects objects_;
  PhysicsWorld physics_;
  WaitingEvents journal_;
  InputTexts texts_;
  WorldLog log_;
  // The step of the game that is being made, or that comes next.
  Tick game_tick_ = 0;
  // The state as a hook began, for reading other objects; kept, so that its
  // memory is used again.
  State cached_;
  std::optional<WorldQueries> queries_;  // where a behaviour asks
  // The types of events that systems read of a step's account, ascending.
  std::vector<Id> heard_events_;
  StepWriters writers_;
  // What all of them work on, and what delivers and steps for them.
  WorldParts parts_;
  BehaviourUpdates updates_;
  ObjectReceivers receivers_;
  EventRouter router_;
  Systems systems_;
};

// What behaviours and scripts of a simulation say; null where it is no world.
// It lives as long as the simulation.
WorldLog* FindWorldLog(Simulation& simulation);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_WORLD_H_
