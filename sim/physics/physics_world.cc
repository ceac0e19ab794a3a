// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/physics_world.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "sim/base/check.h"
#include "sim/base/float_control.h"
#include "sim/physics/bodies/body_rows.h"
#include "sim/physics/bodies/joint_rows.h"
#include "sim/physics/bullet_world.h"
#include "sim/physics/contact_rows.h"
#include "sim/physics/shapes/bullet_conversion.h"
#include "sim/state/row_schema.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kRoom = "physics";

void RememberStamps(const Table& table, std::vector<uint64_t>& stamps) {
  stamps.resize(table.page_count());
  for (uint32_t page = 0; page < table.page_count(); ++page) {
    stamps[page] = table.PageStamp(page);
  }
}

bool IsWritten(const Table& table, std::span<const uint64_t> stamps,
               uint32_t page) {
  return page >= stamps.size() || table.PageStamp(page) != stamps[page];
}

// Calls visit(row) for each row on a page that was written since `stamps`.
template <typename Visit>
void ForEachRowWritten(const Table& table, std::span<const uint64_t> stamps,
                       const Visit& visit) {
  for (uint32_t page = 0; page < table.page_count(); ++page) {
    if (!IsWritten(table, stamps, page)) continue;
    const uint32_t begin = page * table.rows_per_page();
    const uint32_t end =
        std::min(begin + table.rows_per_page(), table.row_count());
    for (uint32_t row = begin; row < end; ++row) visit(row);
  }
}

}  // namespace

PhysicsTables PhysicsWorld::AddTables(State& state) {
  PhysicsTables tables;
  tables.bodies = state.AddTable(kRoom, RowSchema::Of<BodyRow>());
  tables.contact_points =
      state.AddTable(kRoom, RowSchema::Of<ContactPointRow>());
  tables.joints = state.AddTable(kRoom, RowSchema::Of<JointRow>());
  tables.spawned_joints =
      state.AddTable(kRoom, RowSchema::Of<SpawnedJointRow>());
  return tables;
}

PhysicsWorld::PhysicsWorld(std::shared_ptr<const PhysicsDefinition> definition,
                           const PhysicsTables& tables)
    : definition_(std::move(definition)), tables_(tables) {
  const absl::Status status = ValidatePhysicsDefinition(*definition_);
  CHECK(status.ok(), "{}", status.ToString());
  const ScopedFloatControl float_control;
  bullet_ = std::make_unique<BulletWorld>(*definition_);
  for (uint32_t kind = 0; kind < definition_->kinds.size(); ++kind) {
    mass_properties_.push_back(bullet_->ComputeMassProperties(kind));
  }
}

PhysicsWorld::~PhysicsWorld() = default;

const MassProperties& PhysicsWorld::mass_properties(uint64_t kind) const {
  CHECK(kind < mass_properties_.size());
  return mass_properties_[kind];
}

void PhysicsWorld::InitializeState(State& state) const {
  Table& bodies = state.mutable_table(tables_.bodies);
  bodies.Resize(static_cast<uint32_t>(definition_->bodies.size()));
  for (uint32_t i = 0; i < bodies.row_count(); ++i) {
    const BodyPlacement& placement = definition_->bodies[i];
    bodies.Mutable<BodyRow>(i) =
        InitialRow(placement, definition_->kinds[placement.kind]);
  }
  Table& joints = state.mutable_table(tables_.joints);
  joints.Resize(static_cast<uint32_t>(definition_->joints.size()));
  for (uint32_t i = 0; i < joints.row_count(); ++i) {
    joints.Mutable<JointRow>(i) = InitialRow(definition_->joints[i]);
  }
  state.mutable_table(tables_.spawned_joints).Resize(0);
  state.mutable_table(tables_.contact_points).Resize(0);
}

absl::Status PhysicsWorld::CheckRows(const State& state) const {
  const Table& bodies = state.table(tables_.bodies);
  absl::Status status = CheckBodyRows(bodies, *definition_);
  if (status.ok()) {
    status = CheckJointRows(state.table(tables_.joints), bodies, *definition_);
  }
  if (status.ok()) {
    status = CheckSpawnedJointRows(state.table(tables_.spawned_joints), bodies,
                                   *definition_);
  }
  if (status.ok()) {
    status = CheckContactRows(state.table(tables_.contact_points), bodies,
                              *definition_);
  }
  return status;
}

absl::Status PhysicsWorld::Load(const State& state) {
  if (absl::Status status = CheckRows(state); !status.ok()) return status;

  const ScopedFloatControl float_control;
  const Table& bodies = state.table(tables_.bodies);
  ReplaceBodies(bodies, 0);
  for (uint32_t i = 0; i < bodies.row_count(); ++i) {
    WriteBody(bodies.Get<BodyRow>(i), bullet_->body(i));
  }
  const Table& joints = state.table(tables_.joints);
  const Table& spawned_joints = state.table(tables_.spawned_joints);
  ReplaceJoints(joints, spawned_joints);
  WriteJoints<JointRow>(joints, 0);
  WriteJoints<SpawnedJointRow>(spawned_joints, joints.row_count());
  const Table& contact_points = state.table(tables_.contact_points);
  LoadContactRows(contact_points, *bullet_);

  // Without stamps the next step looks at all rows: it finds their forces, and
  // refuses what is too fast.
  body_stamps_.clear();
  RememberStamps(joints, joint_stamps_);
  RememberStamps(spawned_joints, spawned_joint_stamps_);
  RememberStamps(contact_points, contact_stamps_);
  refused_.clear();
  bounded_pair_count_ = 0;
  broken_joints_.clear();
  trigger_passages_.clear();
  tally_.Clear();
  is_loaded_ = true;
  return absl::OkStatus();
}

void PhysicsWorld::Step(State& state) {
  CHECK(is_loaded_);
  const ScopedFloatControl float_control;
  Table& bodies = state.mutable_table(tables_.bodies);
  Table& joints = state.mutable_table(tables_.joints);
  Table& spawned_joints = state.mutable_table(tables_.spawned_joints);
  Table& contact_points = state.mutable_table(tables_.contact_points);
  const uint32_t first_spawned = joints.row_count();

  refused_.clear();
  bounded_pair_count_ = 0;
  broken_joints_.clear();
  trigger_passages_.clear();
  tally_.Clear();
  TakeOverBodySet(bodies);
  TakeOverJointSet(joints, spawned_joints);
  TakeOverBodies(bodies);
  TakeOverJoints<JointRow>(joints, 0, joint_stamps_);
  TakeOverJoints<SpawnedJointRow>(spawned_joints, first_spawned,
                                  spawned_joint_stamps_);
  TakeOverContacts(contact_points, bodies);

  for (uint32_t i = 0; i < definition_->substeps; ++i) {
    ApplyForces();
    bullet_->Step(definition_->tick_s / definition_->substeps);
    if (bullet_->broadphase().is_bounded()) {
      bounded_pair_count_ = bullet_->broadphase().pair_cache().pairs().size();
    }
    if (tallies_contacts_) tally_.AddSubstep(*bullet_);
    AddPassages();
  }

  StoreBodies(bodies);
  StoreJoints<JointRow>(0, joints);
  StoreJoints<SpawnedJointRow>(first_spawned, spawned_joints);
  StoreContactRows(*bullet_, contact_points);
  RememberStamps(bodies, body_stamps_);
  RememberStamps(joints, joint_stamps_);
  RememberStamps(spawned_joints, spawned_joint_stamps_);
  RememberStamps(contact_points, contact_stamps_);
  SortRefused();
}

void PhysicsWorld::EndTick(State& state) {
  CHECK(is_loaded_);
  refused_.clear();
  const Table& rows = state.table(tables_.bodies);
  bool is_written = rows.row_count() != bullet_->body_count();
  for (uint32_t page = 0; page < rows.page_count() && !is_written; ++page) {
    is_written = IsWritten(rows, body_stamps_, page);
  }
  if (!is_written) return;
  const ScopedFloatControl float_control;
  Table& bodies = state.mutable_table(tables_.bodies);
  TakeOverBodySet(bodies);
  TakeOverBodies(bodies);
  SortRefused();
}

void PhysicsWorld::SortRefused() {
  // A total order: equal objects are the same.
  std::sort(refused_.begin(), refused_.end());
  refused_.erase(std::unique(refused_.begin(), refused_.end()), refused_.end());
}

void PhysicsWorld::AddPassages() {
  for (const Passage& passage : bullet_->passages()) {
    trigger_passages_.push_back(
        {.trigger = bullet_->key(passage.trigger).object,
         .object = bullet_->key(passage.body).object});
  }
  // A total order: equal pairs are the same.
  std::sort(trigger_passages_.begin(), trigger_passages_.end());
  trigger_passages_.erase(
      std::unique(trigger_passages_.begin(), trigger_passages_.end()),
      trigger_passages_.end());
}

void PhysicsWorld::TakeOverBodySet(const Table& table) {
  uint32_t first = std::min(table.row_count(), bullet_->body_count());
  bool is_other = table.row_count() != bullet_->body_count();
  ForEachRowWritten(table, body_stamps_, [&](uint32_t i) {
    if (i >= first || KeyOf(table.Get<BodyRow>(i)) == bullet_->key(i)) return;
    first = i;
    is_other = true;
  });
  if (is_other) ReplaceBodies(table, first);
}

void PhysicsWorld::ReplaceBodies(const Table& table, uint32_t first) {
  CHECK(table.row_count() <= kBodiesMax);
  std::vector<BodyKey> keys;
  for (uint32_t i = first; i < table.row_count(); ++i) {
    const auto& row = table.Get<BodyRow>(i);
    CHECK(i == 0 || table.Get<BodyRow>(i - 1).object < row.object,
          "bodies[{}] is out of order", i);
    keys.push_back(KeyOf(row));
  }
  const bool any_went = bullet_->ReplaceBodies(first, keys);
  // With bodies their joints and contacts went, of which rows may still tell.
  if (!any_went) return;
  joint_stamps_.clear();
  spawned_joint_stamps_.clear();
  contact_stamps_.clear();
}

void PhysicsWorld::TakeOverJointSet(const Table& joints, const Table& spawned) {
  const uint32_t first = joints.row_count();
  const uint32_t count = bullet_->joint_count();
  bool is_other =
      first + spawned.row_count() != count ||
      (first > 0 && bullet_->joint_key(first - 1).owner != kNoObject) ||
      (first < count && bullet_->joint_key(first).owner == kNoObject);
  ForEachRowWritten(joints, joint_stamps_, [&](uint32_t i) {
    is_other =
        is_other || KeyOf(joints.Get<JointRow>(i)) != bullet_->joint_key(i);
  });
  ForEachRowWritten(spawned, spawned_joint_stamps_, [&](uint32_t i) {
    is_other = is_other || KeyOf(spawned.Get<SpawnedJointRow>(i)) !=
                               bullet_->joint_key(first + i);
  });
  if (!is_other) return;
  ReplaceJoints(joints, spawned);
  joint_stamps_.clear();
  spawned_joint_stamps_.clear();
}

void PhysicsWorld::ReplaceJoints(const Table& joints, const Table& spawned) {
  std::vector<JointKey> keys;
  for (uint32_t i = 0; i < joints.row_count(); ++i) {
    keys.push_back(KeyOf(joints.Get<JointRow>(i)));
  }
  for (uint32_t i = 0; i < spawned.row_count(); ++i) {
    keys.push_back(KeyOf(spawned.Get<SpawnedJointRow>(i)));
  }
  for (size_t i = 1; i < keys.size(); ++i) {
    CHECK(ComesBefore(keys[i - 1], keys[i]), "joint {} is out of order", i);
  }
  bullet_->ReplaceJoints(keys);
}

void PhysicsWorld::TakeOverBodies(Table& table) {
  forces_.clear();
  bool is_rest_disturbed = false;
  ForEachRowWritten(table, body_stamps_, [&](uint32_t i) {
    const auto& row = table.Get<BodyRow>(i);
    btRigidBody& body = bullet_->body(i);
    const BodyRow last = ReadBody(body, KeyOf(row));
    // What this world stored itself is known to be right.
    if (!body_stamps_.empty() && SameBits(row, last)) return;
    const bool is_pushed = !body.isStaticOrKinematicObject();
    if (!IsUsable(row) || (is_pushed && IsTooFast(row))) {
      RefuseBody(i, last, table);
      return;
    }
    BodyRow without_force = row;
    without_force.force = {};
    without_force.torque = {};
    if (!SameBits(last, without_force)) {
      WriteBody(row, body);
      is_rest_disturbed = is_rest_disturbed || !body.isActive();
    }
    if (is_pushed && !SameBits(row, without_force)) {
      forces_.push_back({.body = i, .force = row.force, .torque = row.torque});
    }
  });
  if (is_rest_disturbed) PlaceContactPoints(*bullet_);
}

template <typename Row>
void PhysicsWorld::WriteJoints(const Table& table, uint32_t first) {
  for (uint32_t i = 0; i < table.row_count(); ++i) {
    WriteJoint(table.Get<Row>(i), bullet_->joint(first + i));
  }
}

template <typename Row>
void PhysicsWorld::TakeOverJoints(const Table& table, uint32_t first,
                                  std::span<const uint64_t> stamps) {
  ForEachRowWritten(table, stamps, [&](uint32_t i) {
    // A row that can't be is put back when joints are stored.
    const auto& row = table.Get<Row>(i);
    if (IsUsableJoint(row)) WriteJoint(row, bullet_->joint(first + i));
  });
}

void PhysicsWorld::TakeOverContacts(const Table& table, const Table& bodies) {
  bool is_written =
      contact_stamps_.empty() || table.page_count() != contact_stamps_.size();
  for (uint32_t page = 0; page < table.page_count(); ++page) {
    is_written = is_written || IsWritten(table, contact_stamps_, page);
  }
  if (!is_written || HoldsContactRows(table, *bullet_)) return;
  // Rows that can't be are put back when contact points are stored.
  if (!CheckContactRows(table, bodies, *definition_).ok()) return;
  LoadContactRows(table, *bullet_);
}

void PhysicsWorld::ApplyForces() {
  for (const BodyForce& force : forces_) {
    btRigidBody& body = bullet_->body(force.body);
    body.applyCentralForce(ToBullet(force.force));
    body.applyTorque(ToBullet(force.torque));
  }
}

void PhysicsWorld::StoreBodies(Table& table) {
  for (uint32_t i = 0; i < table.row_count(); ++i) {
    const auto& before = table.Get<BodyRow>(i);
    btRigidBody& body = bullet_->body(i);
    if (body.isKinematicObject()) {
      const BodyRow row = AtRest(before);
      if (SameBits(before, row)) continue;
      WriteBody(row, body);
      table.Mutable<BodyRow>(i) = row;
      continue;
    }
    const BodyRow row = ReadBody(body, bullet_->key(i));
    if (SameBits(before, row)) continue;
    const bool is_lost = row.activation == Activation::kOutOfReach &&
                         before.activation != Activation::kOutOfReach;
    if (is_lost || !IsUsable(row) || IsTooFast(row)) {
      RefuseBody(i, before, table);
    } else {
      table.Mutable<BodyRow>(i) = row;
    }
  }
}

void PhysicsWorld::RefuseBody(uint32_t index, BodyRow last_row, Table& table) {
  btRigidBody& body = bullet_->body(index);
  last_row.linear_velocity = {};
  last_row.angular_velocity = {};
  last_row.force = {};
  last_row.torque = {};
  WriteBody(last_row, body);
  table.Mutable<BodyRow>(index) = last_row;

  for (const btBroadphasePair& pair :
       bullet_->broadphase().pair_cache().pairs()) {
    const bool is_its_own = pair.m_pProxy0 == body.getBroadphaseProxy() ||
                            pair.m_pProxy1 == body.getBroadphaseProxy();
    if (is_its_own) OrderedDispatcher::ClearContacts(pair);
  }
  refused_.push_back(last_row.object);
}

template <typename Row>
void PhysicsWorld::StoreJoints(uint32_t first, Table& table) {
  for (uint32_t i = 0; i < table.row_count(); ++i) {
    const uint32_t joint = first + i;
    const auto before = table.Get<Row>(i);
    Row row = before;
    ReadJoint(bullet_->joint(joint), row);
    if (!IsUsableJoint(row)) {
      // Its bodies blew up, and were refused.
      row.impulse = 0.0;
      WriteJoint(row, bullet_->joint(joint));
    }
    if (SameBits(before, row)) continue;
    table.Mutable<Row>(i) = row;
    if (before.is_enabled == 1 && row.is_enabled == 0) {
      broken_joints_.push_back({.name = bullet_->joint_key(joint).name,
                                .object_a = bullet_->joint_object_a(joint),
                                .object_b = bullet_->joint_object_b(joint)});
    }
  }
}

}  // namespace reprise::sim
