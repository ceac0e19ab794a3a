// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Rigid bodies: a step from the rows of one tick to those of the next. The rows
// are the truth between ticks; a world that was loaded from them goes on
// exactly as the one that wrote them, at any tick and whatever it did before.

#ifndef REPRISE_SIM_PHYSICS_PHYSICS_WORLD_H_
#define REPRISE_SIM_PHYSICS_PHYSICS_WORLD_H_

#include <compare>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/bodies/body_forces.h"
#include "sim/physics/contact_tally.h"
#include "sim/physics/definition/physics_definition.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/state/state.h"

namespace reprise::sim {

class BulletWorld;

// Used by one thread at a time. Worlds share nothing that changes.
class PhysicsWorld {
 public:
  // Adds the empty tables of the room "physics".
  static PhysicsTables AddTables(State& state);

  // `tables` says where, in the states given below, AddTables put the tables.
  // REQUIRES: ValidatePhysicsDefinition(*definition).ok().
  PhysicsWorld(std::shared_ptr<const PhysicsDefinition> definition,
               const PhysicsTables& tables);
  ~PhysicsWorld();

  const PhysicsDefinition& definition() const { return *definition_; }
  const PhysicsTables& tables() const { return tables_; }
  // REQUIRES: kind < definition().kinds.size().
  const MassProperties& mass_properties(uint64_t kind) const;

  // Writes the rows of tick 0.
  void InitializeState(State& state) const;

  // Continues from `state`: after InitializeState, and whenever the state isn't
  // what this world's last Step left plus what the game wrote to it. DATA_LOSS
  // names a row that can't be, and nothing changes.
  absl::Status Load(const State& state);

  // Makes one tick: takes over what was written to the rows, and which rows
  // came and went, since the last call, makes the definition's substeps with
  // the rows' forces, and writes the rows that have changed. REQUIRES: Load was
  // called, and since then `state` is the same; rows ascend by key, and kinds,
  // joints and the joints' bodies exist.
  //
  // Values that aren't finite never stay in a row: a body that gets any, from
  // the game or from a step that blew up, keeps its last pose, loses its
  // velocities, forces and contacts, and is listed in refused(). So does one
  // that became too fast to be simulated.
  void Step(State& state);

  // Ends a tick: refuses what was written to the rows since Step and can't be,
  // as the next Step would. What that goes back to is no part of a snapshot
  // any more when the next Step is made.
  void EndTick(State& state);

  // The joints that broke in the last Step, in the order of joints.
  struct BrokenJoint {
    Id name;            // the joint's, or that of its template
    ObjectId object_a;  // kNoObject: the world
    ObjectId object_b;
  };
  std::span<const BrokenJoint> broken_joints() const { return broken_joints_; }

  // The bodies of the last Step or EndTick that were not let through, in
  // ascending order.
  std::span<const ObjectId> refused() const { return refused_; }

  // When more bodies were near each other in the last Step than can be looked
  // at: how many pairs of them were; the others went through each other.
  // 0: all were.
  uint64_t bounded_pair_count() const { return bounded_pair_count_; }

  // The triggers that continuous bodies were in on their way in the last Step,
  // ascending, each pair once; contact points tell of those that they begin
  // their last substep in. None after Load.
  struct TriggerPassage {
    ObjectId trigger;
    ObjectId object;

    friend auto operator<=>(const TriggerPassage&,
                            const TriggerPassage&) = default;
  };
  std::span<const TriggerPassage> trigger_passages() const {
    return trigger_passages_;
  }

  // Has the steps from now on add up contacts. Nothing else changes by it.
  void TallyContacts() { tallies_contacts_ = true; }

  // The contacts of the last Step; none after Load or without TallyContacts.
  std::span<const BodyContact> contacts() const { return tally_.contacts(); }

 private:
  friend class PhysicsWorldPeer;  // of tests, which shuffles what is no state

  absl::Status CheckRows(const State& state) const;

  // Bring bodies and joints that came and went over from their tables.
  void TakeOverBodySet(const Table& table);
  void TakeOverJointSet(const Table& joints, const Table& spawned);
  void ReplaceBodies(const Table& table, uint32_t first);
  void ReplaceJoints(const Table& joints, const Table& spawned);

  void TakeOverBodies(Table& table);
  void TakeOverContacts(const Table& table, const Table& bodies);
  void ApplyForces();
  void StoreBodies(Table& table);

  // Rows of joints from Bullet's joint `first` on.
  template <typename Row>
  void WriteJoints(const Table& table, uint32_t first);
  template <typename Row>
  void TakeOverJoints(const Table& table, uint32_t first,
                      std::span<const uint64_t> stamps);
  template <typename Row>
  void StoreJoints(uint32_t first, Table& table);

  void AddPassages();
  void SortRefused();
  void RefuseBody(uint32_t index, BodyRow last_row, Table& table);

  std::shared_ptr<const PhysicsDefinition> definition_;
  PhysicsTables tables_;
  std::vector<MassProperties> mass_properties_;  // by kind
  std::unique_ptr<BulletWorld> bullet_;

  // A body's force and torque during a tick.
  struct BodyForce {
    uint32_t body = 0;
    Vector3 force;
    Vector3 torque;
  };
  std::vector<BodyForce> forces_;
  std::vector<ObjectId> refused_;
  uint64_t bounded_pair_count_ = 0;
  std::vector<BrokenJoint> broken_joints_;
  std::vector<TriggerPassage> trigger_passages_;
  ContactTally tally_;
  bool tallies_contacts_ = false;

  // The stamps of a table's pages when this world last wrote it: other stamps
  // mean that somebody else did.
  using PageStamps = std::vector<uint64_t>;
  PageStamps body_stamps_;
  PageStamps joint_stamps_;
  PageStamps spawned_joint_stamps_;
  PageStamps contact_stamps_;
  bool is_loaded_ = false;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_PHYSICS_WORLD_H_
