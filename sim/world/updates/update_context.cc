// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/updates/update_context.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "absl/status/statusor.h"
#include "sim/base/check.h"
#include "sim/base/math.h"
#include "sim/physics/bodies/body_forces.h"
#include "sim/world/components/world_names.h"
#include "sim/world/definition/world_rows.h"
#include "sim/world/events/interests.h"
#include "sim/world/inputs/input_texts.h"

namespace reprise::sim {
namespace {

uint64_t Bits(double value) { return std::bit_cast<uint64_t>(value); }

bool IsFiniteVector(Vector3 v) {
  return IsFinite(v.x) && IsFinite(v.y) && IsFinite(v.z);
}

// Rays that wait at a time: more than any game casts in a second.
constexpr uint32_t kRayRequestsMax = 1 << 16;

// The scalar `index` of a property of eight-byte scalars.
template <typename T>
T Load(std::span<const std::byte> row, const PropertyRef& ref,
       uint32_t index = 0) {
  T value;
  std::memcpy(&value, row.data() + ref.offset + index * sizeof(T), sizeof(T));
  return value;
}

Vector3 LoadVector(std::span<const std::byte> row, const PropertyRef& ref) {
  return {Load<double>(row, ref, 0), Load<double>(row, ref, 1),
          Load<double>(row, ref, 2)};
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
  const std::optional<TableIndex>& texts = parts_.tables.input.texts;
  if (!name.empty() || !texts.has_value()) return std::string(name);
  return FindInputText(parts_.state.table(*texts), id).value_or("");
}

ObjectId UpdateContext::object(uint32_t i) const {
  return parts_.state.table(parts_.tables.objects.objects)
      .Get<ObjectRow>(rows_[i])
      .object;
}

Handle UpdateContext::handle(uint32_t i) const {
  return parts_.state.table(parts_.tables.objects.objects)
      .Get<ObjectRow>(rows_[i])
      .handle;
}

Handle UpdateContext::parent(uint32_t i) const {
  return parts_.state.table(parts_.tables.objects.objects)
      .Get<ObjectRow>(rows_[i])
      .parent;
}

std::span<const std::byte> UpdateContext::OwnRow(uint32_t i,
                                                 const PropertyRef& ref) const {
  const uint32_t row = parts_.objects.ComponentRow(rows_[i], ref.component);
  return parts_.state.table(parts_.tables.objects.components[ref.component])
      .Row(row);
}

bool UpdateContext::Bool(uint32_t i, const PropertyRef& property) const {
  return Load<uint8_t>(OwnRow(i, property), property) != 0;
}

int64_t UpdateContext::Int(uint32_t i, const PropertyRef& property) const {
  return Load<int64_t>(OwnRow(i, property), property);
}

double UpdateContext::Number(uint32_t i, const PropertyRef& property) const {
  return Load<double>(OwnRow(i, property), property);
}

Id UpdateContext::Name(uint32_t i, const PropertyRef& property) const {
  return Load<Id>(OwnRow(i, property), property);
}

Vector3 UpdateContext::Vector(uint32_t i, const PropertyRef& property) const {
  return LoadVector(OwnRow(i, property), property);
}

Quaternion UpdateContext::Rotation(uint32_t i,
                                   const PropertyRef& property) const {
  const std::span<const std::byte> row = OwnRow(i, property);
  return {Load<double>(row, property, 0), Load<double>(row, property, 1),
          Load<double>(row, property, 2), Load<double>(row, property, 3)};
}

Handle UpdateContext::Reference(uint32_t i, const PropertyRef& property) const {
  return Load<Handle>(OwnRow(i, property), property);
}

bool UpdateContext::Set(uint32_t i, const PropertyRef& ref,
                        std::span<const uint64_t> bits) {
  const PropertyDefinition& property =
      parts_.definition.components[ref.component].properties[ref.property];
  std::array<FieldValue, 4> scalars;
  CHECK(bits.size() <= scalars.size());
  for (size_t k = 0; k < bits.size(); ++k) {
    scalars[k] = {ScalarTypeOf(property.type), bits[k]};
  }
  const std::span<const FieldValue> value(scalars.data(), bits.size());
  if (!CheckPropertyValue(property, value).ok()) {
    Tell(i, kPropertyRefused,
         {{kProperty, FieldValue::OfId(IdOf(property.name))}});
    return false;
  }
  const uint32_t size = ScalarSize(ScalarTypeOf(property.type));
  const std::span<const std::byte> old = OwnRow(i, ref);
  bool is_same = true;
  for (size_t k = 0; k < bits.size(); ++k) {
    is_same = is_same && std::memcmp(old.data() + ref.offset + k * size,
                                     &bits[k], size) == 0;
  }
  if (is_same) return true;  // a page that isn't written keeps its digest
  const uint32_t row = parts_.objects.ComponentRow(rows_[i], ref.component);
  const std::span<std::byte> bytes =
      parts_.state
          .mutable_table(parts_.tables.objects.components[ref.component])
          .MutableRow(row);
  for (size_t k = 0; k < bits.size(); ++k) {
    std::memcpy(bytes.data() + ref.offset + k * size, &bits[k], size);
  }
  return true;
}

bool UpdateContext::SetBool(uint32_t i, const PropertyRef& property,
                            bool value) {
  return Set(i, property, std::array{uint64_t{value}});
}

bool UpdateContext::SetInt(uint32_t i, const PropertyRef& property,
                           int64_t value) {
  return Set(i, property, std::array{static_cast<uint64_t>(value)});
}

bool UpdateContext::SetNumber(uint32_t i, const PropertyRef& property,
                              double value) {
  return Set(i, property, std::array{Bits(value)});
}

bool UpdateContext::SetName(uint32_t i, const PropertyRef& property, Id value) {
  return Set(i, property, std::array{value.value});
}

bool UpdateContext::SetVector(uint32_t i, const PropertyRef& property,
                              Vector3 value) {
  return Set(i, property,
             std::array{Bits(value.x), Bits(value.y), Bits(value.z)});
}

bool UpdateContext::SetRotation(uint32_t i, const PropertyRef& property,
                                Quaternion value) {
  return Set(
      i, property,
      std::array{Bits(value.x), Bits(value.y), Bits(value.z), Bits(value.w)});
}

bool UpdateContext::SetReference(uint32_t i, const PropertyRef& property,
                                 Handle value) {
  return Set(i, property, std::array{std::bit_cast<uint64_t>(value)});
}

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

std::optional<std::span<const std::byte>> UpdateContext::ReadRow(
    uint32_t i, Handle other, const PropertyRef& property, ReadTime time) {
  uint32_t object_row = kNoRow;
  const State* const state = StateToRead(i, other, time, object_row);
  if (state == nullptr) return std::nullopt;
  const uint32_t row =
      parts_.objects.ComponentRow(object_row, property.component);
  if (row == kNoRow) return std::nullopt;
  return state->table(parts_.tables.objects.components[property.component])
      .Row(row);
}

std::optional<double> UpdateContext::ReadNumber(uint32_t i, Handle other,
                                                const PropertyRef& property,
                                                ReadTime time) {
  const auto row = ReadRow(i, other, property, time);
  if (!row.has_value()) return std::nullopt;
  return Load<double>(*row, property);
}

std::optional<int64_t> UpdateContext::ReadInt(uint32_t i, Handle other,
                                              const PropertyRef& property,
                                              ReadTime time) {
  const auto row = ReadRow(i, other, property, time);
  if (!row.has_value()) return std::nullopt;
  return Load<int64_t>(*row, property);
}

std::optional<Vector3> UpdateContext::ReadVector(uint32_t i, Handle other,
                                                 const PropertyRef& property,
                                                 ReadTime time) {
  const auto row = ReadRow(i, other, property, time);
  if (!row.has_value()) return std::nullopt;
  return LoadVector(*row, property);
}

std::optional<Transform> UpdateContext::ReadPlace(uint32_t i, Handle other,
                                                  ReadTime time) {
  uint32_t row = kNoRow;
  const State* const state = StateToRead(i, other, time, row);
  if (state == nullptr) return std::nullopt;
  return PlaceOf(parts_, *state, row);
}

std::optional<Tick> UpdateContext::UpdatedAt(uint32_t i, Handle other) {
  const uint32_t row = parts_.objects.RowOf(parts_.state, other);
  if (row == kNoRow) {
    Tell(i, kStaleReference, {});
    return std::nullopt;
  }
  const uint64_t bucket = parts_.state.table(parts_.tables.objects.objects)
                              .Get<ObjectRow>(row)
                              .bucket;
  if (bucket < bucket_) return tick();
  return tick() == 0 ? 0 : tick() - 1;
}

const WorldQueries& UpdateContext::queries() const {
  CHECK(parts_.queries != nullptr, "the behaviour doesn't say that it queries");
  return *parts_.queries;
}

std::optional<uint64_t> UpdateContext::RequestRay(uint32_t i, Vector3 from,
                                                  Vector3 to, Tick delay,
                                                  Id event) {
  CHECK(parts_.queries != nullptr, "the behaviour doesn't say that it queries");
  Table& requests = parts_.state.mutable_table(parts_.tables.ray_requests);
  if (requests.row_count() >= kRayRequestsMax || !IsFiniteVector(from) ||
      !IsFiniteVector(to) || delay > kTickMax) {
    return std::nullopt;
  }
  const Tick due = tick() + std::max(delay, Tick{1});
  uint32_t row = requests.LowerBound(std::array{due + 1, uint64_t{0}});
  const bool is_first =
      row == 0 || requests.Get<RayRequestRow>(row - 1).due != due;
  const uint64_t request =
      is_first ? 0 : requests.Get<RayRequestRow>(row - 1).request + 1;
  requests.Insert(row);
  requests.Mutable<RayRequestRow>(row) = {.due = due,
                                          .request = request,
                                          .object = handle(i),
                                          .event = event,
                                          .from = from,
                                          .to = to};
  return request;
}

Handle UpdateContext::Find(Id name) const {
  const uint32_t row = parts_.objects.RowNamed(name);
  if (row == kNoRow) return {};
  return parts_.state.table(parts_.tables.objects.objects)
      .Get<ObjectRow>(row)
      .handle;
}

const Path* UpdateContext::FindPath(Id name) const {
  const std::vector<PathDefinition>& paths = parts_.definition.level.paths;
  const auto found =
      std::ranges::lower_bound(paths, name, {}, &PathDefinition::name);
  if (found == paths.end() || found->name != name) return nullptr;
  return &parts_.definition.level_rules->paths[found - paths.begin()];
}

Handle UpdateContext::Spawn(uint32_t i, Id archetype, const Transform& place,
                            Vector3 linear_velocity_m_s, Handle parent) {
  const std::optional<uint32_t> index =
      parts_.definition.FindArchetype(archetype);
  Objects::SpawnResult result{.refusal = SpawnRefusal::kTypeIsFull};
  if (index.has_value()) {
    result = parts_.objects.RequestSpawn(
        parts_.state, {.archetype = *index,
                       .parent = parent,
                       .place = place,
                       .linear_velocity_m_s = linear_velocity_m_s});
  }
  if (result.refusal != SpawnRefusal::kNone) {
    Tell(i, kSpawnRefused, {{kType, FieldValue::OfId(archetype)}});
  }
  return result.handle;
}

void UpdateContext::Destroy(uint32_t i, Handle other) {
  if (!parts_.objects.RequestDestroy(parts_.state, other)) {
    Tell(i, kStaleReference, {});
  }
}

uint64_t UpdateContext::Random(uint32_t i, Id stream) {
  Table& streams = parts_.state.mutable_table(parts_.tables.random_streams);
  const ObjectId owner = object(i);
  const uint32_t row =
      streams.LowerBound(std::array{owner.serial, stream.value});
  const bool is_there = row < streams.row_count() &&
                        streams.Get<RandomStreamRow>(row).object == owner &&
                        streams.Get<RandomStreamRow>(row).name == stream;
  if (!is_there) {
    streams.Insert(row);
    streams.Mutable<RandomStreamRow>(row) = {
        .object = owner,
        .name = stream,
        .stream = MakeRandomStream(parts_.definition.info.seed, stream, owner)};
  }
  return NextUint64(streams.Mutable<RandomStreamRow>(row).stream);
}

bool UpdateContext::Post(uint32_t i, Handle target, Id type,
                         const EventArguments& arguments, Tick delay,
                         int64_t priority) {
  return parts_.router->Post({.type = type,
                              .sender = handle(i),
                              .target = target,
                              .priority = priority,
                              .arguments = arguments},
                             delay);
}

bool UpdateContext::Send(uint32_t i, Handle target, Id type,
                         const EventArguments& arguments) {
  return parts_.router->Send({.type = type,
                              .sender = handle(i),
                              .target = target,
                              .arguments = arguments});
}

absl::Status UpdateContext::Listen(uint32_t i, Id type, int64_t priority) {
  return RegisterInterest(
      parts_.state.mutable_table(parts_.tables.events.interests), type,
      object(i), handle(i), priority);
}

void UpdateContext::Ignore(uint32_t i, Id type) {
  UnregisterInterest(parts_.state.mutable_table(parts_.tables.events.interests),
                     type, object(i));
}

absl::Status UpdateContext::StartTimer(uint32_t i, TimerStart start) {
  start.object = object(i);
  return Timers(parts_.state, parts_.tables.timers).Start(start, tick());
}

bool UpdateContext::StopTimer(uint32_t i, Id name) {
  return Timers(parts_.state, parts_.tables.timers).Stop(object(i), name);
}

std::optional<Tick> UpdateContext::TimerDueIn(uint32_t i, Id name) const {
  const std::optional<TimerRow> timer =
      Timers(parts_.state, parts_.tables.timers).Find(object(i), name);
  if (!timer.has_value()) return std::nullopt;
  return timer->due > tick() ? timer->due - tick() : 0;
}

absl::Status UpdateContext::StartTimeline(uint32_t i, TimelineStart start) {
  start.object = object(i);
  const absl::StatusOr<TimelineRow> timeline = MakeTimeline(start, tick());
  if (!timeline.ok()) return timeline.status();
  return PutTimeline(parts_.state.mutable_table(parts_.tables.timelines),
                     *timeline);
}

std::optional<TimelineRow> UpdateContext::Timeline(uint32_t i, Id name) const {
  return FindTimeline(parts_.state.table(parts_.tables.timelines), object(i),
                      name);
}

absl::Status UpdateContext::SetGameRate(TimeRate rate) {
  return SetRate(
      parts_.state.mutable_table(parts_.tables.clocks).Mutable<GameClockRow>(0),
      rate);
}

void UpdateContext::PauseGame() {
  Pause(parts_.state.mutable_table(parts_.tables.clocks)
            .Mutable<GameClockRow>(0));
}

void UpdateContext::ResumeGame() {
  Resume(parts_.state.mutable_table(parts_.tables.clocks)
             .Mutable<GameClockRow>(0));
}

void UpdateContext::Tell(uint32_t i, Id type,
                         std::initializer_list<EventArgument> arguments) {
  TellObject(parts_, type, object(i), arguments);
}

}  // namespace reprise::sim
