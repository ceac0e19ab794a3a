// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Noises, and who hears them.

#include <algorithm>
#include <optional>

#include "sim/systems/senses/senses_events.h"
#include "sim/systems/senses/senses_system.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/events/event_router.h"
#include "sim/world/objects/objects.h"
#include "sim/world/objects/world_parts.h"

namespace reprise::sim {
namespace {

std::optional<double> NumberOf(const WorldEvent& event, Id name) {
  const EventArgument* const argument = event.arguments.Find(name);
  if (argument == nullptr) return std::nullopt;
  if (argument->value.type == ScalarType::kDouble) {
    return argument->value.AsDouble();
  }
  if (argument->value.type == ScalarType::kInt64) {
    return static_cast<double>(static_cast<int64_t>(argument->value.bits));
  }
  return std::nullopt;
}

}  // namespace

bool SensesSystem::OnEvent(uint32_t row, const WorldEvent& event) {
  const double loudness = NumberOf(event, kLoudnessWord).value_or(0.0);
  if (!(loudness > 0.0)) return true;
  Vector3 place = sim::PlaceOf(parts(), state(), row).position;
  place.x = NumberOf(event, kXWord).value_or(place.x);
  place.y = NumberOf(event, kYWord).value_or(place.y);
  place.z = NumberOf(event, kZWord).value_or(place.z);
  if (!IsSomewhere(place)) return true;
  const ObjectId maker =
      state().table(parts().tables.objects.objects).Get<ObjectRow>(row).object;
  // Most noises have no name: that is no error that has to be made.
  std::optional<Id> sound;
  const EventArgument* const name = event.arguments.Find(kSoundWord);
  if (name != nullptr && name->value.type == ScalarType::kId) {
    sound = Id{name->value.bits};
  }
  if (!CanBeHeard()) {
    TellNoiseBudgetPassed();
    return true;
  }
  has_looked_ = false;
  FindListeners(maker, place, loudness);
  for (const Listener& listener : listeners_) {
    Hear(listener, maker, place, loudness, sound);
  }
  return true;
}

bool SensesSystem::CanBeHeard() {
  uint64_t count = 0;
  for (uint32_t type = 0; type < uses_.size(); ++type) {
    if (uses_[type] == nullptr || !uses_[type]->hearing.has_value()) continue;
    count += parts().objects.RowsOfType(type).size();
  }
  if (count > kListenersPerTickMax - listeners_asked_) return false;
  listeners_asked_ += count;
  return true;
}

void SensesSystem::TellNoiseBudgetPassed() {
  if (is_told_of_noises_) return;
  is_told_of_noises_ = true;
  parts().router->Post({.type = kNoiseBudgetPassed});
}

void SensesSystem::FindListeners(ObjectId maker, Vector3 place,
                                 double loudness_m) {
  listeners_.clear();
  const Table& objects = state().table(parts().tables.objects.objects);
  for (uint32_t type = 0; type < uses_.size(); ++type) {
    const SensesUse* const use = uses_[type];
    if (use == nullptr || !use->hearing.has_value()) continue;
    const double reach = loudness_m * use->hearing->acuity;
    const Table& own = state().table(component_table(*use));
    for (const uint32_t row : parts().objects.RowsOfType(type)) {
      const Vector3 ears = sim::PlaceOf(parts(), state(), row).position;
      const double distance = Length(place - ears);
      if (!(distance <= reach) || !IsSomewhere(ears)) continue;
      const auto& object = objects.Get<ObjectRow>(row);
      const uint32_t own_row =
          parts().objects.ComponentRow(row, use->component);
      if (object.status != ObjectStatus::kActive || object.object == maker ||
          own.Get<SensesRow>(own_row).is_active == 0) {
        continue;
      }
      listeners_.push_back({.object = object.object,
                            .type = type,
                            .row = row,
                            .ears = ears,
                            .distance_m = distance});
    }
  }
  // A total order: each object is there once.
  std::ranges::sort(listeners_, {}, &Listener::object);
}

void SensesSystem::Hear(const Listener& listener, ObjectId maker, Vector3 place,
                        double loudness_m, std::optional<Id> sound) {
  const SensesUse& use = *uses_[listener.type];
  const double reach = loudness_m * use.hearing->acuity;
  if (listener.distance_m > reach * use.hearing->through_bodies) {
    if (noise_lines_ == definition_.lines_per_tick) {
      TellNoiseBudgetPassed();
      return;
    }
    ++noise_lines_;
    if (!HasLine(listener.ears, place, listener.object, maker)) return;
  }
  const uint32_t row =
      parts().objects.ComponentRow(listener.row, use.component);
  SensesRow& own =
      state().mutable_table(component_table(use)).Mutable<SensesRow>(row);
  own.heard_at = place;
  own.heard_age = 0;
  own.heard_on = parts().game_tick;
  WorldEvent heard = {
      .type = kHeard,
      .sender = state()
                    .table(parts().tables.objects.objects)
                    .Get<ObjectRow>(listener.row)
                    .handle,
      .arguments = {
          {kObjectWord, FieldValue::OfObject(maker)},
          {kXWord, FieldValue::OfDouble(place.x)},
          {kYWord, FieldValue::OfDouble(place.y)},
          {kZWord, FieldValue::OfDouble(place.z)},
          {kDistanceWord, FieldValue::OfDouble(listener.distance_m)}}};
  heard.target = heard.sender;
  if (sound.has_value()) {
    heard.arguments.Set(kSoundWord, FieldValue::OfId(*sound)).IgnoreError();
  }
  parts().router->Post(heard);
}

}  // namespace reprise::sim
