// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The built-in simulation: objects with rigid bodies and behaviours, as a pack
// declares them. Everything that lasts from one tick to the next is in its
// State.

#ifndef REPRISE_SIM_WORLD_WORLD_H_
#define REPRISE_SIM_WORLD_WORLD_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/base/id.h"
#include "sim/physics/physics_rows.h"
#include "sim/physics/physics_world.h"
#include "sim/simulation.h"
#include "sim/world/world_definition.h"

namespace reprise::sim {

// The phases of a tick, in order; their names are SimulationInfo::phases.
enum class WorldPhase : uint32_t {
  kInputs,      // devices take what the players gave
  kPrePhysics,  // behaviours read devices and push bodies
  kPhysics,     // the fixed number of substeps
  kContacts,    // touches become enter and leave events, and outcomes
  kCommit,      // the tick is counted
};

// The names of the phases, and every event name of the world, for definitions.
std::vector<std::string> WorldPhaseNames();
absl::Status AddWorldNames(NameTable& names);

// Goes up whenever a change of the world's code moves the digests of a pack.
inline constexpr uint32_t kWorldRulesRevision = 1;

class World final : public Simulation {
 public:
  // The world at tick 0.
  explicit World(std::shared_ptr<const WorldDefinition> definition);

  const SimulationInfo& info() const override { return definition_->info; }
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
  std::string ObjectName(ObjectId object) const override;
  std::string IdName(Id id) const override;
  absl::Status Inject(const FieldAddress& address, FieldValue value) override;

 private:
  struct Tables {
    TableIndex run;
    TableIndex objects;
    TableIndex overlaps;
    TableIndex devices;
    PhysicsTables physics;
  };

  static Tables AddTables(State& state);
  void InitializeState();
  absl::Status CheckRows(const State& snapshot) const;

  // One for each phase.
  void TakeInputs(std::span<const InputFrame> frames);
  void UpdateBeforePhysics();
  void StepPhysics();
  void FollowContacts();
  void Commit();

  void Roll(const RollerDefinition& roller);
  bool StandsOnSomething(ObjectId object, uint32_t body) const;
  void DecideOutcome(ObjectId trigger, ObjectId visitor);
  void Emit(Id type, ObjectId object, std::vector<EventArgument> arguments);

  std::shared_ptr<const WorldDefinition> definition_;
  State state_;
  Tables tables_;
  PhysicsWorld physics_;
  std::vector<Event> events_;
  uint64_t dropped_event_count_ = 0;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_WORLD_H_
