// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/bots/player_view.h"

#include <algorithm>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/base/math.h"
#include "sim/geometry/matrix3.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/components/slots.h"

namespace reprise::sim {

void PlayerView::Look(const Simulation& simulation,
                      std::span<const Event> events) {
  simulation_ = &simulation;
  has_looked_around_ = false;
  events_.clear();
  for (const Event& event : events) {
    if (rules_->Hears(player_, event)) events_.push_back(event);
  }
}

double PlayerView::time_s() const {
  return static_cast<double>(tick()) /
         simulation_->info().tick_rate.ticks_per_second;
}

bool PlayerView::IsSeen(uint32_t row) const {
  const auto& object =
      state().table(rules_->tables()->objects).Get<ObjectRow>(row);
  return !IsAway(object.status) &&
         rules_->Shows(state(), player_, object.type, object.object);
}

void PlayerView::LookAround() const {
  if (has_looked_around_) return;
  has_looked_around_ = true;
  handles_.clear();
  types_.clear();
  if (!rules_->tables()) return;
  const Table& objects = state().table(rules_->tables()->objects);
  for (uint32_t row = 0; row < objects.row_count(); ++row) {
    if (!IsSeen(row)) continue;
    const auto& object = objects.Get<ObjectRow>(row);
    handles_.push_back(object.handle);
    types_.push_back(object.type);
  }
}

std::span<const Handle> PlayerView::objects() const {
  LookAround();
  return handles_;
}

uint32_t PlayerView::CountOf(Id type) const {
  LookAround();
  return static_cast<uint32_t>(std::ranges::count_if(
      types_, [&](Id seen) { return rules_->IsOf(seen, type); }));
}

std::optional<Handle> PlayerView::ObjectOf(Id type, uint32_t index) const {
  LookAround();
  for (size_t i = 0; i < types_.size(); ++i) {
    if (!rules_->IsOf(types_[i], type)) continue;
    if (index-- == 0) return handles_[i];
  }
  return std::nullopt;
}

std::optional<Handle> PlayerView::NearestOf(Id type, Vector3 from) const {
  LookAround();
  std::optional<Handle> nearest;
  double least = 0.0;
  for (size_t i = 0; i < types_.size(); ++i) {
    if (!rules_->IsOf(types_[i], type)) continue;
    const std::optional<SeenMotion> motion = MotionOf(handles_[i]);
    const Vector3 way = motion->position - from;
    const double distance = Dot(way, way);
    if (nearest.has_value() && distance >= least) continue;
    nearest = handles_[i];
    least = distance;
  }
  return nearest;
}

std::optional<Handle> PlayerView::Find(std::string_view name) const {
  if (!rules_->tables()) return std::nullopt;
  const Id id = IdOf(name);
  const Table& objects = state().table(rules_->tables()->objects);
  for (uint32_t row = 0; row < objects.row_count(); ++row) {
    const auto& object = objects.Get<ObjectRow>(row);
    if (object.name == id && IsSeen(row)) return object.handle;
  }
  return std::nullopt;
}

std::optional<uint32_t> PlayerView::RowOf(Handle object) const {
  if (!rules_->tables()) return std::nullopt;
  const ObjectId id =
      ObjectInSlot(state().table(rules_->tables()->slots), object);
  if (id == kNoObject) return std::nullopt;
  const std::optional<uint32_t> row =
      FindObjectRow(state().table(rules_->tables()->objects), id);
  return row && IsSeen(*row) ? row : std::nullopt;
}

std::optional<Handle> PlayerView::HandleOf(ObjectId object) const {
  if (!rules_->tables() || object == kNoObject) return std::nullopt;
  const Table& objects = state().table(rules_->tables()->objects);
  const std::optional<uint32_t> row = FindObjectRow(objects, object);
  if (!row || !IsSeen(*row)) return std::nullopt;
  return objects.Get<ObjectRow>(*row).handle;
}

bool PlayerView::Sees(Handle object) const { return RowOf(object).has_value(); }

bool PlayerView::IsOf(Handle object, Id type) const {
  const std::optional<uint32_t> row = RowOf(object);
  return row &&
         rules_->IsOf(
             state().table(rules_->tables()->objects).Get<ObjectRow>(*row).type,
             type);
}

std::optional<std::string> PlayerView::NameOf(Handle object) const {
  const std::optional<uint32_t> row = RowOf(object);
  if (!row) return std::nullopt;
  return simulation_->ObjectName(
      state().table(rules_->tables()->objects).Get<ObjectRow>(*row).object);
}

std::optional<std::string> PlayerView::TypeOf(Handle object) const {
  const std::optional<uint32_t> row = RowOf(object);
  if (!row) return std::nullopt;
  return IdName(
      state().table(rules_->tables()->objects).Get<ObjectRow>(*row).type);
}

std::optional<SeenMotion> PlayerView::MotionOf(Handle object) const {
  const std::optional<uint32_t> row = RowOf(object);
  if (!row) return std::nullopt;
  const ViewTables& tables = *rules_->tables();
  const ObjectId id = state().table(tables.objects).Get<ObjectRow>(*row).object;
  const Table& bodies = state().table(tables.bodies);
  if (const auto body = FindObjectRow(bodies, id)) {
    const auto& found = bodies.Get<BodyRow>(*body);
    return SeenMotion{.position = found.position,
                      .rotation = ToQuaternion(found.basis),
                      .linear_velocity = found.linear_velocity,
                      .angular_velocity = found.angular_velocity};
  }
  const Table& places = state().table(tables.places);
  const auto place = FindObjectRow(places, id);
  if (!place) return std::nullopt;
  const auto& found = places.Get<PlaceRow>(*place);
  return SeenMotion{.position = found.position,
                    .rotation = found.rotation,
                    .linear_velocity = {},
                    .angular_velocity = {}};
}

absl::StatusOr<std::optional<SeenValue>> PlayerView::ValueOf(
    Handle object, std::string_view property) const {
  const std::optional<PropertyPlace> place = FindProperty(state(), property);
  if (!place) {
    return absl::InvalidArgumentError(
        fmt::format("there is no property '{}'", property));
  }
  const std::optional<uint32_t> row = RowOf(object);
  if (!row) return std::nullopt;
  const auto& seen =
      state().table(rules_->tables()->objects).Get<ObjectRow>(*row);
  if (!rules_->ShowsProperty(state(), player_, seen.type, seen.object,
                             *place)) {
    return std::nullopt;
  }
  const Table& table = state().table(place->table);
  const std::optional<uint32_t> component = FindObjectRow(table, seen.object);
  if (!component) return std::nullopt;
  SeenValue value{.type = table.schema().fields()[place->field].scalar,
                  .count = std::min(place->count, uint32_t{4})};
  for (uint32_t i = 0; i < value.count; ++i) {
    value.scalars[i] =
        ReadScalar(table.schema(), table.Row(*component),
                   {.field = place->field, .index = place->first + i});
  }
  return value;
}

}  // namespace reprise::sim
