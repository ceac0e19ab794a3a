// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/updates/update_context.h"

#include <array>

#include "sim/base/check.h"
#include "sim/base/math.h"
#include "sim/base/utf8.h"
#include "sim/input/input_frame.h"
#include "sim/physics/bodies/body_forces.h"
#include "sim/world/components/world_names.h"
#include "sim/world/inputs/input_texts.h"

namespace reprise::sim {
namespace {

bool IsFiniteVector(Vector3 v) {
  return IsFinite(v.x) && IsFinite(v.y) && IsFinite(v.z);
}

// Calls `push` with the row and the mass of an object's body, if it has one.
template <typename Push>
void WithBody(const WorldParts& parts, ObjectId object, Push push) {
  const PhysicsTables& tables = parts.tables.physics;
  const std::optional<uint32_t> body = FindBody(parts.state, tables, object);
  if (!body.has_value()) return;
  const auto& row = parts.state.table(tables.bodies).Get<BodyRow>(*body);
  push(*body, parts.physics.mass_properties(row.kind));
}

}  // namespace

UpdateContext::UpdateContext(const WorldParts& parts, const State* cached)
    : parts_(parts), cached_(cached) {}

void UpdateContext::Begin(uint64_t bucket, std::span<const uint32_t> rows) {
  bucket_ = bucket;
  rows_ = rows;
  are_going_ = false;
}

void UpdateContext::BeginLast(uint64_t bucket, std::span<const uint32_t> rows) {
  Begin(bucket, rows);
  are_going_ = true;
}

double UpdateContext::dt_s() const {
  return parts_.definition.info.tick_rate.dt();
}

const DeviceRow& UpdateContext::device(uint32_t player) const {
  return parts_.state.table(parts_.tables.input.devices).Get<DeviceRow>(player);
}

const KeyboardRow& UpdateContext::keyboard(uint32_t player) const {
  CHECK(parts_.tables.input.keyboards.has_value());
  return parts_.state.table(*parts_.tables.input.keyboards)
      .Get<KeyboardRow>(player);
}

const MouseRow& UpdateContext::mouse(uint32_t player) const {
  CHECK(parts_.tables.input.mice.has_value());
  return parts_.state.table(*parts_.tables.input.mice).Get<MouseRow>(player);
}

const MotionSensorRow& UpdateContext::motion_sensor(uint32_t player) const {
  CHECK(parts_.tables.input.motion_sensors.has_value());
  return parts_.state.table(*parts_.tables.input.motion_sensors)
      .Get<MotionSensorRow>(player);
}

std::vector<TouchRow> UpdateContext::Touches(uint32_t player) const {
  CHECK(parts_.tables.input.touches.has_value());
  const Table& table = parts_.state.table(*parts_.tables.input.touches);
  std::vector<TouchRow> touches;
  for (uint32_t row =
           table.LowerBound(std::array{uint64_t{player}, uint64_t{0}});
       row < table.row_count() && table.Get<TouchRow>(row).player == player;
       ++row) {
    touches.push_back(table.Get<TouchRow>(row));
  }
  return touches;
}

std::string UpdateContext::TextOf(Id id) const {
  const std::string_view name = parts_.definition.names.NameOf(id);
  if (!name.empty()) return std::string(name);
  return parts_.texts.Find(id).value_or("");
}

Id UpdateContext::KeepText(std::string_view text) {
  // Nothing is written for what the pack knows.
  const Id id = IdOf(text);
  if (!parts_.definition.names.NameOf(id).empty() ||
      text.size() > kInputTextBytesMax || !IsUtf8(text)) {
    return id;
  }
  return parts_.texts.Keep(text);
}

const ObjectRow& UpdateContext::ObjectOf(uint32_t i) const {
  return parts_.state.table(parts_.tables.objects.objects)
      .Get<ObjectRow>(rows_[i]);
}

bool UpdateContext::IsAsleep(uint32_t i) const {
  return ObjectOf(i).status != ObjectStatus::kActive;
}

ObjectId UpdateContext::object(uint32_t i) const { return ObjectOf(i).object; }

Handle UpdateContext::handle(uint32_t i) const { return ObjectOf(i).handle; }

Handle UpdateContext::parent(uint32_t i) const { return ObjectOf(i).parent; }

Transform UpdateContext::Place(uint32_t i) const {
  return PlaceOf(parts_, parts_.state, rows_[i]);
}

void UpdateContext::SetPlace(uint32_t i, const Transform& place) {
  if (!IsPlace(place)) return;
  sim::SetPlace(parts_, rows_[i], place);
}

void UpdateContext::ApplyForce(uint32_t i, Vector3 force_n) {
  if (!IsFiniteVector(force_n)) return;
  WithBody(parts_, object(i), [&](uint32_t body, const MassProperties& mass) {
    sim::ApplyForce(parts_.state, parts_.tables.physics, body, mass, force_n);
  });
}

void UpdateContext::ApplyTorque(uint32_t i, Vector3 torque_n_m) {
  if (!IsFiniteVector(torque_n_m)) return;
  WithBody(parts_, object(i), [&](uint32_t body, const MassProperties& mass) {
    sim::ApplyTorque(parts_.state, parts_.tables.physics, body, mass,
                     torque_n_m);
  });
}

void UpdateContext::ApplyImpulse(uint32_t i, Vector3 impulse_n_s,
                                 Vector3 offset_m) {
  if (!IsFiniteVector(impulse_n_s) || !IsFiniteVector(offset_m)) return;
  WithBody(parts_, object(i), [&](uint32_t body, const MassProperties& mass) {
    sim::ApplyImpulse(parts_.state, parts_.tables.physics, body, mass,
                      impulse_n_s, offset_m);
  });
}

absl::Status UpdateContext::ChangeMotors(uint32_t i, Id joint,
                                         const MotorChange& change) {
  return sim::ChangeMotors(parts_.state, parts_.tables.physics,
                           parts_.definition.physics, object(i), joint, change);
}

const State* UpdateContext::StateToRead(uint32_t i, Handle other, ReadTime time,
                                        uint32_t& row) {
  CHECK(cached_ != nullptr, "the behaviour doesn't say that it reads others");
  row = parts_.objects.RowOf(parts_.state, other);
  if (row == kNoRow) {
    Tell(i, kStaleReference, {});
    return nullptr;
  }
  if (time == ReadTime::kLastTick) return cached_;
  const uint64_t bucket = parts_.state.table(parts_.tables.objects.objects)
                              .Get<ObjectRow>(row)
                              .bucket;
  if (bucket < bucket_) return &parts_.state;
  Tell(i, kReadRefused, {{kReference, FieldValue::OfHandle(other)}});
  return nullptr;
}

std::optional<Transform> UpdateContext::ReadPlace(uint32_t i, Handle other,
                                                  ReadTime time) {
  uint32_t row = kNoRow;
  const State* const state = StateToRead(i, other, time, row);
  if (state == nullptr) return std::nullopt;
  return PlaceOf(parts_, *state, row);
}

std::optional<Tick> UpdateContext::UpdatedAt(uint32_t i, Handle other) {
  CHECK(cached_ != nullptr, "the behaviour doesn't say that it reads others");
  const uint32_t row = parts_.objects.RowOf(parts_.state, other);
  if (row == kNoRow) {
    Tell(i, kStaleReference, {});
    return std::nullopt;
  }
  const TableIndex objects = parts_.tables.objects.objects;
  const uint64_t bucket =
      parts_.state.table(objects).Get<ObjectRow>(row).bucket;
  const bool is_earlier = bucket < bucket_;
  const State& shown = is_earlier ? parts_.state : *cached_;
  const UpdateProgress& progress = parts_.objects.progress();
  return LastUpdateOf(parts_.definition.types[parts_.objects.TypeOf(row)],
                      shown.table(objects).Get<ObjectRow>(row),
                      is_earlier ? progress.DoneOf(bucket) : progress.kept());
}

const WorldQueries& UpdateContext::queries() const {
  CHECK(parts_.queries != nullptr, "the behaviour doesn't say that it queries");
  return *parts_.queries;
}

}  // namespace reprise::sim
