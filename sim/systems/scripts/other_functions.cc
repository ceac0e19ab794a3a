// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Functions of scripts that read other objects.

#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "sim/systems/scripts/script_functions.h"
#include "sim/systems/scripts/script_properties.h"
#include "sim/world/components/object_rows.h"

namespace reprise::sim {
namespace {

absl::Status CheckReadsOthers(const ScriptPlace& place) {
  if (place.use.reads_others) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("{} doesn't say `reads_others = true`", place.use.file));
}

// The value that another object's property has; nullopt when it lacks that.
absl::StatusOr<std::optional<PropertyValue>> ReadOther(ScriptCall& call,
                                                       ReadTime time) {
  ScriptPlace& place = PlaceOf(call);
  const absl::Status allowed = CheckReadsOthers(place);
  if (!allowed.ok()) return allowed;
  const PropertyRef* const property = place.properties.Find(call.string(1));
  if (property == nullptr) return place.properties.WhyNot(call.string(1));
  const UpdateContext& context = place.context;
  const WorldParts& parts = context.parts();
  if (parts.objects.RowOf(parts.state, call.handle(0)) == kNoRow) {
    return std::optional<PropertyValue>();
  }
  absl::StatusOr<PropertyValue> value =
      place.context.Read(place.object, call.handle(0), *property, time);
  if (value.ok()) return std::optional(*std::move(value));
  // What it lacks is nil; what it doesn't have yet is a mistake.
  const bool is_too_early =
      time == ReadTime::kThisTick &&
      place.context
          .Read(place.object, call.handle(0), *property, ReadTime::kLastTick)
          .ok();
  if (is_too_early) return Refused(value.status());
  return std::optional<PropertyValue>();
}

// Gives one number as it was in the last tick, as most reads do, without making
// a value of it. Returns whether it did; what else there is takes the long way.
bool ReturnNumber(ScriptCall& call) {
  const ScriptPlace& place = PlaceOf(call);
  const WorldParts& parts = place.context.parts();
  if (!place.use.reads_others || call.has(2)) return false;
  const PropertyRef* const property = place.properties.Find(call.string(1));
  if (property == nullptr || property->capacity > 0) return false;
  const uint32_t object = parts.objects.RowOf(parts.state, call.handle(0));
  if (object == kNoRow) return false;
  const uint32_t row = parts.objects.ComponentRow(object, property->component);
  if (row == kNoRow) return false;
  return ReturnPlain(
      call, *property,
      parts.readable
          ->table(parts.tables.objects.components[property->component])
          .Row(row));
}

template <ReadTime kTime>
absl::Status ReturnOther(ScriptCall& call) {
  if (kTime == ReadTime::kLastTick && ReturnNumber(call)) {
    return absl::OkStatus();
  }
  const auto value = ReadOther(call, kTime);
  if (!value.ok()) return value.status();
  if (!value->has_value()) return absl::OkStatus();
  return ReturnOneValue(call, PlaceOf(call).context, call.string(1), **value,
                        2);
}

absl::Status OtherSize(ScriptCall& call) {
  const auto value = ReadOther(call, ReadTime::kLastTick);
  if (!value.ok()) return value.status();
  if (!value->has_value()) return absl::OkStatus();
  call.Return(int64_t{(*value)->size()});
  return absl::OkStatus();
}

// Where the body of another object was in the last tick, by itself: how it is
// turned takes longer to tell. Null where there is none.
const BodyRow* BodyBefore(ScriptCall& call) {
  const WorldParts& parts = PlaceOf(call).context.parts();
  const uint32_t row = parts.objects.RowOf(parts.state, call.handle(0));
  if (row == kNoRow) return nullptr;
  const Table& objects = parts.readable->table(parts.tables.objects.objects);
  return FindBodyRow(parts, *parts.readable,
                     objects.Get<ObjectRow>(row).object);
}

template <ReadTime kTime>
absl::Status OtherPosition(ScriptCall& call) {
  ScriptPlace& place = PlaceOf(call);
  absl::Status allowed = CheckReadsOthers(place);
  if (!allowed.ok()) return allowed;
  if (kTime == ReadTime::kLastTick) {
    if (const BodyRow* const body = BodyBefore(call)) {
      call.Return(body->position);
      return absl::OkStatus();
    }
  }
  const auto found =
      place.context.ReadPlace(place.object, call.handle(0), kTime);
  if (found.has_value()) call.Return(found->position);
  return absl::OkStatus();
}

template <ReadTime kTime>
absl::Status OtherRotation(ScriptCall& call) {
  ScriptPlace& place = PlaceOf(call);
  absl::Status allowed = CheckReadsOthers(place);
  if (!allowed.ok()) return allowed;
  const auto found =
      place.context.ReadPlace(place.object, call.handle(0), kTime);
  if (found.has_value()) call.Return(RotationVectorOf(found->rotation));
  return absl::OkStatus();
}

absl::Status UpdatedAt(ScriptCall& call) {
  ScriptPlace& place = PlaceOf(call);
  absl::Status allowed = CheckReadsOthers(place);
  if (!allowed.ok()) return allowed;
  const std::optional<Tick> tick =
      place.context.UpdatedAt(place.object, call.handle(0));
  if (tick.has_value()) call.Return(static_cast<int64_t>(*tick));
  return absl::OkStatus();
}

}  // namespace

void AddOtherFunctions(ScriptFunctions& functions) {
  const ScriptParameter object = ObjectParameter("which");
  const ScriptParameter property =
      TextParameter("property", "as \"health.points\"");
  const ScriptParameter index = Optional(
      IntegerParameter("index", "of a list, which of its values, from 1", "",
                       -kUnbounded, kUnbounded));
  const std::string fails =
      "the script doesn't say `reads_others = true`; the pack has no such "
      "property; a list is meant, or none";
  const std::string too_early =
      "; the object isn't updated before this one, so it has no values of this "
      "tick yet";
  functions.Add("other.get",
                "Reads a property of another object as it was when this update "
                "of all objects began.",
                {object, property, index},
                MayGive(ScriptType::kAny,
                        "nil, too, when it lacks it or is "
                        "gone"),
                &ReturnOther<ReadTime::kLastTick>, fails);
  functions.Add("other.now",
                "Reads a property of another object as this tick's update left "
                "it.",
                {object, property, index},
                MayGive(ScriptType::kAny,
                        "nil, too, when it lacks it or is "
                        "gone"),
                &ReturnOther<ReadTime::kThisTick>, fails + too_early);
  functions.Add("other.size", "Tells how many values another's list has.",
                {object, property},
                MayGive(ScriptType::kInteger, "nil when it lacks it"),
                &OtherSize, fails);
  functions.Add("other.position", "Tells where another object was.", {object},
                MayGive(ScriptType::kVector, "nil when it is gone", "m"),
                &OtherPosition<ReadTime::kLastTick>, fails);
  functions.Add("other.position_now",
                "Tells where another object is, that is updated before this "
                "one.",
                {object},
                MayGive(ScriptType::kVector, "nil when it isn't", "m"),
                &OtherPosition<ReadTime::kThisTick>, fails);
  functions.Add("other.rotation", "Tells how another object was turned.",
                {object},
                MayGive(ScriptType::kVector,
                        "along the axis, as long as the angle; nil when it is "
                        "gone",
                        "rad"),
                &OtherRotation<ReadTime::kLastTick>, fails);
  functions.Add("other.rotation_now",
                "Tells how another object is turned, that is updated before "
                "this one.",
                {object},
                MayGive(ScriptType::kVector,
                        "along the axis, as long as the angle; nil when it "
                        "isn't",
                        "rad"),
                &OtherRotation<ReadTime::kThisTick>, fails);
  functions.Add("other.updated_at",
                "Tells in which tick a behaviour of another object last ran.",
                {object}, MayGive(ScriptType::kInteger, "nil when it is gone"),
                &UpdatedAt, fails);
}

}  // namespace reprise::sim
