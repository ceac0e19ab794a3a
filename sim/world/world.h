// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The built-in simulation: objects with rigid bodies and behaviours, as a pack
// declares them. Everything that lasts from one tick to the next is in its
// State.

#ifndef REPRISE_SIM_WORLD_WORLD_H_
#define REPRISE_SIM_WORLD_WORLD_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/base/id.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/physics/physics_world.h"
#include "sim/physics/queries/physics_queries.h"
#include "sim/simulation.h"
#include "sim/systems/fields/fields.h"
#include "sim/systems/ragdolls/ragdolls.h"
#include "sim/world/definition/world_definition.h"
#include "sim/world/definition/world_rows.h"
#include "sim/world/event_receivers.h"
#include "sim/world/events/event_router.h"
#include "sim/world/events/waiting_events.h"
#include "sim/world/objects/objects.h"
#include "sim/world/objects/overlaps.h"
#include "sim/world/objects/update_order.h"
#include "sim/world/objects/world_parts.h"
#include "sim/world/updates/step_writers.h"
#include "sim/world/updates/world_queries.h"

namespace reprise::sim {

// The phases of a tick, in order; their names are SimulationInfo::phases.
enum class WorldPhase : uint32_t {
  kInputs,       // devices take what the players gave
  kChunks,       // chunks come and go, and their objects with them
  kEvents,       // timers fire, and events that are due are delivered
  kPrePhysics,   // behaviours decide and push bodies, bucket by bucket
  kPhysics,      // the fixed number of substeps
  kContacts,     // touches become enter and leave events, and outcomes
  kPostPhysics,  // behaviours see what came of it, bucket by bucket
  kCommit,       // queued events are delivered, objects come and go
};

// The names of the phases, for definitions.
std::vector<std::string> WorldPhaseNames();

// Goes up whenever a change of the world's code moves the digests of a pack.
inline constexpr uint32_t kWorldRulesRevision = 4;

class World final : public Simulation {
 public:
  // The world at tick 0.
  explicit World(std::shared_ptr<const WorldDefinition> definition);
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
  std::string ObjectName(ObjectId object) const override;
  std::string IdName(Id id) const override;
  ObjectId ObjectOf(Handle handle) const override;
  absl::Status Inject(const FieldAddress& address, FieldValue value) override;

 private:
  static WorldTables AddTables(const WorldDefinition& definition, State& state);
  void InitializeState();

  void FinishPhase(WorldPhase phase, PhaseObserver* observer) const;
  void StepGame(PhaseObserver* observer);
  // Runs a part of a phase under the name that observers are told.
  template <typename Part>
  void Write(const char* writer, const Part& part);
  void MoveChunks();
  void FireTimers();
  void AnswerRays();
  // Lets queries see the state as it is now.
  void LookAround();
  void StepPhysics();
  void FollowTouches();

  enum class Hook : uint8_t { kBeforePhysics, kAfterPhysics };
  void RunBehaviours(Hook hook);
  void CarryAttached(uint64_t bucket);
  void DecideOutcome(ObjectId trigger, ObjectId visitor);
  const TypeDefinition* TypeOf(ObjectId object) const;
  // The state in which others are read; null when nobody reads them.
  const State* ReadableState() const;
  void InitializeClock();
  WorldParts parts();

  std::shared_ptr<const WorldDefinition> definition_;
  State state_;
  WorldTables tables_;
  Objects objects_;
  UpdateOrder order_;
  PhysicsWorld physics_;
  OverlapFollower overlaps_;
  std::optional<Fields> fields_;
  WaitingEvents journal_;
  // The step of the game that is being made, or that comes next.
  Tick game_tick_ = 0;
  // The state as a hook began, for reading other objects; kept, so that its
  // memory is used again.
  State cached_;
  std::optional<WorldQueries> queries_;          // where a behaviour asks
  std::optional<PhysicsQueries> mover_queries_;  // where something moves itself
  std::unique_ptr<PhysicsQueries> blast_queries_;  // where something explodes
  RagdollRequests ragdolls_;
  StepWriters writers_;
  ObjectReceivers receivers_;
  EventRouter router_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_WORLD_H_
