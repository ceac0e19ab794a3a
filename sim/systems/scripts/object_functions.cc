// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Functions of scripts about objects: `own` is the one that the script is
// called for, `other` reads others, `world` is what all share.

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/transform.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/systems/scripts/script_functions.h"
#include "sim/systems/scripts/script_properties.h"
#include "sim/world/components/component.h"
#include "sim/world/components/object_rows.h"

namespace reprise::sim {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
constexpr std::string_view kStream = "script";

// The body of the object; null when it has none.
const BodyRow* FindBody(const ScriptPlace& place) {
  const WorldParts& parts = place.context.parts();
  const Table& bodies = parts.state.table(parts.tables.physics.bodies);
  const ObjectId object = place.context.object(place.object);
  const uint32_t row = bodies.LowerBound(std::array{object.serial});
  if (row == bodies.row_count()) return nullptr;
  const auto& body = bodies.Get<BodyRow>(row);
  return body.object == object ? &body : nullptr;
}

absl::Status NoSuchPlace(std::string_view path, int64_t index, uint32_t size) {
  return absl::InvalidArgumentError(fmt::format(
      "'{}' has {} values; there is no number {}", path, size, index));
}

// Gives value `argument` of the call, from 1, or the only one of a property.
absl::Status ReturnOne(ScriptCall& call, const UpdateContext& context,
                       std::string_view path, const PropertyValue& value,
                       size_t argument) {
  if (!value.is_list()) {
    if (call.has(argument)) {
      return absl::InvalidArgumentError(fmt::format("'{}' is no list", path));
    }
    ReturnValue(call, context, value, 0);
    return absl::OkStatus();
  }
  if (!call.has(argument)) {
    return absl::InvalidArgumentError(
        fmt::format("'{}' is a list: say which of its values", path));
  }
  const int64_t index = call.integer(argument);
  if (index >= 1 && index <= int64_t{value.size()}) {
    ReturnValue(call, context, value, static_cast<uint32_t>(index - 1));
  }
  return absl::OkStatus();
}

// The property that argument `argument` of the call names, and its value.
struct OwnProperty {
  PropertyRef property;
  PropertyValue value;
};
absl::StatusOr<OwnProperty> FindOwn(ScriptCall& call, bool is_list) {
  ScriptPlace& place = PlaceOf(call);
  const absl::StatusOr<PropertyRef> property =
      place.properties.Find(call.string(0));
  if (!property.ok()) return property.status();
  absl::StatusOr<PropertyValue> value =
      place.context.Get(place.object, *property);
  if (!value.ok()) return Refused(value.status());
  if (is_list && !value->is_list()) {
    return absl::InvalidArgumentError(
        fmt::format("'{}' is no list", call.string(0)));
  }
  return OwnProperty{*property, *std::move(value)};
}

absl::Status SetOwn(ScriptCall& call, const PropertyRef& property,
                    const PropertyValue& value) {
  ScriptPlace& place = PlaceOf(call);
  const absl::Status status = place.context.Set(place.object, property, value);
  if (status.ok()) return status;
  return absl::InvalidArgumentError(
      fmt::format("'{}': {}", call.string(0), std::string(status.message())));
}

// As SetOwn, of one value that may be the first of its kind.
absl::Status SetSingle(ScriptCall& call, const PropertyRef& property,
                       const ScriptValue& given) {
  ScriptPlace& place = PlaceOf(call);
  const absl::StatusOr<PropertyValue> value =
      ValueOf(place.context, property.type, given);
  if (!value.ok()) {
    return absl::InvalidArgumentError(fmt::format(
        "'{}': {}", call.string(0), std::string(value.status().message())));
  }
  return SetOwn(call, property, *value);
}

// Gives one number of the object's own, as most reads do, without making a
// value of it. Returns whether it did; what else there is takes the long way.
bool ReturnNumber(ScriptCall& call, const PropertyRef& property) {
  const ScriptPlace& place = PlaceOf(call);
  const UpdateContext& context = place.context;
  if (property.capacity > 0 || call.has(1) ||
      context.parts().objects.ComponentRow(context.rows()[place.object],
                                           property.component) == kNoRow) {
    return false;
  }
  switch (property.type) {
    case PropertyType::kBool:
      call.Return(context.Bool(place.object, property));
      return true;
    case PropertyType::kInt:
      call.Return(context.Int(place.object, property));
      return true;
    case PropertyType::kDouble:
      call.Return(context.Number(place.object, property));
      return true;
    case PropertyType::kVector3:
      call.Return(context.Vector(place.object, property));
      return true;
    default:
      return false;
  }
}

absl::Status Get(ScriptCall& call) {
  const absl::StatusOr<PropertyRef> property =
      PlaceOf(call).properties.Find(call.string(0));
  if (property.ok() && ReturnNumber(call, *property)) return absl::OkStatus();
  const absl::StatusOr<OwnProperty> own = FindOwn(call, /*is_list=*/false);
  if (!own.ok()) return own.status();
  return ReturnOne(call, PlaceOf(call).context, call.string(0), own->value, 1);
}

// Writes one number, as most writes do, in the same way. Returns what came of
// it; nothing where it is for the long way.
std::optional<absl::Status> SetNumber(ScriptCall& call,
                                      const PropertyRef& property) {
  ScriptPlace& place = PlaceOf(call);
  UpdateContext& context = place.context;
  const WorldParts& parts = context.parts();
  if (property.type != PropertyType::kDouble || property.capacity > 0 ||
      call.has(2) ||
      parts.objects.ComponentRow(context.rows()[place.object],
                                 property.component) == kNoRow) {
    return std::nullopt;
  }
  double number = 0.0;
  if (const auto* const given = std::get_if<double>(&call.arguments()[1])) {
    number = *given;
  } else if (const auto* const whole =
                 std::get_if<int64_t>(&call.arguments()[1])) {
    number = static_cast<double>(*whole);
  } else {
    return std::nullopt;
  }
  if (context.SetNumber(place.object, property, number)) {
    return absl::OkStatus();
  }
  const absl::Status refused =
      FitValue(parts.definition.components[property.component]
                   .properties[property.property],
               PropertyValue::OfNumber(number))
          .status();
  return absl::InvalidArgumentError(
      fmt::format("'{}': {}", call.string(0), std::string(refused.message())));
}

absl::Status Set(ScriptCall& call) {
  ScriptPlace& place = PlaceOf(call);
  const absl::StatusOr<PropertyRef> property =
      place.properties.Find(call.string(0));
  if (!property.ok()) return property.status();
  if (std::optional<absl::Status> done = SetNumber(call, *property)) {
    return *std::move(done);
  }
  const ScriptValue& given = call.arguments()[1];
  if (!call.has(2)) {
    if (property->capacity > 0) {
      return absl::InvalidArgumentError(fmt::format(
          "'{}' is a list: say which of its values", call.string(0)));
    }
    return SetSingle(call, *property, given);
  }
  const absl::StatusOr<OwnProperty> own = FindOwn(call, /*is_list=*/true);
  if (!own.ok()) return own.status();
  const int64_t index = call.integer(2);
  if (index < 1 || index > int64_t{own->value.size()}) {
    return NoSuchPlace(call.string(0), index, own->value.size());
  }
  const absl::StatusOr<PropertyValue> value =
      ValueOf(place.context, property->type, given);
  if (!value.ok()) return value.status();
  PropertyValue changed = PropertyValue::ListOf(property->type);
  for (uint32_t i = 0; i < own->value.size(); ++i) {
    changed.Append(int64_t{i} + 1 == index ? *value : own->value.At(i));
  }
  return SetOwn(call, *property, changed);
}

absl::Status Size(ScriptCall& call) {
  const absl::StatusOr<OwnProperty> own = FindOwn(call, /*is_list=*/true);
  if (!own.ok()) return own.status();
  call.Return(int64_t{own->value.size()});
  return absl::OkStatus();
}

absl::Status Append(ScriptCall& call) {
  absl::StatusOr<OwnProperty> own = FindOwn(call, /*is_list=*/true);
  if (!own.ok()) return own.status();
  const absl::StatusOr<PropertyValue> value =
      ValueOf(PlaceOf(call).context, own->property.type, call.arguments()[1]);
  if (!value.ok()) return value.status();
  own->value.Append(*value);
  return SetOwn(call, own->property, own->value);
}

absl::Status Remove(ScriptCall& call) {
  const absl::StatusOr<OwnProperty> own = FindOwn(call, /*is_list=*/true);
  if (!own.ok()) return own.status();
  const int64_t index = call.integer(1);
  if (index < 1 || index > int64_t{own->value.size()}) {
    return NoSuchPlace(call.string(0), index, own->value.size());
  }
  PropertyValue rest = PropertyValue::ListOf(own->property.type);
  for (uint32_t i = 0; i < own->value.size(); ++i) {
    if (int64_t{i} + 1 != index) rest.Append(own->value.At(i));
  }
  return SetOwn(call, own->property, rest);
}

absl::Status Clear(ScriptCall& call) {
  const absl::StatusOr<OwnProperty> own = FindOwn(call, /*is_list=*/true);
  if (!own.ok()) return own.status();
  return SetOwn(call, own->property, PropertyValue::ListOf(own->property.type));
}

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
  const absl::StatusOr<PropertyRef> property =
      place.properties.Find(call.string(1));
  if (!property.ok()) return property.status();
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

template <ReadTime kTime>
absl::Status ReturnOther(ScriptCall& call) {
  const auto value = ReadOther(call, kTime);
  if (!value.ok()) return value.status();
  if (!value->has_value()) return absl::OkStatus();
  return ReturnOne(call, PlaceOf(call).context, call.string(1), **value, 2);
}

absl::Status OtherSize(ScriptCall& call) {
  const auto value = ReadOther(call, ReadTime::kLastTick);
  if (!value.ok()) return value.status();
  if (!value->has_value()) return absl::OkStatus();
  call.Return(int64_t{(*value)->size()});
  return absl::OkStatus();
}

template <ReadTime kTime>
absl::Status OtherPosition(ScriptCall& call) {
  ScriptPlace& place = PlaceOf(call);
  absl::Status allowed = CheckReadsOthers(place);
  if (!allowed.ok()) return allowed;
  const auto found =
      place.context.ReadPlace(place.object, call.handle(0), kTime);
  if (found.has_value()) call.Return(found->position);
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

absl::Status Spawn(ScriptCall& call) {
  ScriptPlace& place = PlaceOf(call);
  ObjectRequest request{.archetype = IdOf(call.string(0)),
                        .name = call.has(2) ? IdOf(call.string(2)) : kNoId,
                        .set = std::move(place.settings)};
  place.settings = {};
  if (request.name != kNoId) place.context.KeepText(call.string(2));
  request.place.position = call.vector(1);
  if (call.has(3)) request.linear_velocity_m_s = call.vector(3);
  if (call.has(4)) request.place.rotation = RotationOf(call.vector(4));
  if (call.has(5)) request.parent = call.handle(5);
  if (call.has(6)) request.is_attached = call.boolean(6);
  if (call.has(7)) request.is_dormant = call.boolean(7);
  const absl::StatusOr<Handle> spawned =
      place.context.Spawn(place.object, request);
  if (spawned.ok()) {
    call.Return(*spawned);
    return absl::OkStatus();
  }
  // What is refused for want of room isn't the script's mistake.
  if (absl::IsResourceExhausted(spawned.status())) return absl::OkStatus();
  return Refused(spawned.status());
}

absl::Status Give(ScriptCall& call) {
  ScriptPlace& place = PlaceOf(call);
  const absl::StatusOr<PropertyRef> property =
      place.properties.Find(call.string(0));
  if (!property.ok()) return property.status();
  absl::StatusOr<PropertyValue> value =
      ValueOf(place.context, property->type, call.arguments()[1]);
  if (!value.ok()) return value.status();
  if (property->capacity > 0) {
    PropertyValue list = PropertyValue::ListOf(property->type);
    for (const ObjectRequest::Setting& setting : place.settings) {
      if (setting.property.offset == property->offset &&
          setting.property.component == property->component) {
        list = setting.value;
      }
    }
    list.Append(*value);
    value = std::move(list);
  }
  place.settings.push_back({.property = *property, .value = *std::move(value)});
  return absl::OkStatus();
}

Handle HandleOr(const ScriptCall& call, size_t index, Handle otherwise) {
  return call.has(index) ? call.handle(index) : otherwise;
}

Id StreamOf(const ScriptCall& call, size_t index) {
  return IdOf(call.has(index) ? call.string(index) : kStream);
}

// As NextUnit: the upper 53 bits of a draw.
double UnitOf(uint64_t draw) {
  return static_cast<double>(draw >> 11) * 0x1p-53;
}

absl::Status RandomInteger(ScriptCall& call) {
  ScriptPlace& place = PlaceOf(call);
  const int64_t low = call.integer(0);
  const int64_t high = call.integer(1);
  if (low > high) return absl::InvalidArgumentError("'low' is above 'high'");
  const Id stream = StreamOf(call, 2);
  const uint64_t count =
      static_cast<uint64_t>(high) - static_cast<uint64_t>(low) + 1;
  // All 64 bits, or as many whole rounds of `count` as fit: each as likely.
  const uint64_t excess = count == 0 ? 0 : (0 - count) % count;
  uint64_t draw = place.context.Random(place.object, stream);
  while (draw < excess) {
    draw = place.context.Random(place.object, stream);
  }
  const uint64_t offset = count == 0 ? draw : draw % count;
  call.Return(std::bit_cast<int64_t>(static_cast<uint64_t>(low) + offset));
  return absl::OkStatus();
}

constexpr char kNoProperty[] =
    "the pack has no such property, or the object lacks it; the value is of "
    "another type or out of its range; a list is meant, or none";

void AddOwnValues(ScriptFunctions& functions) {
  const ScriptParameter property =
      TextParameter("property", "as \"health.points\"");
  const ScriptParameter index =
      IntegerParameter("index", "of a list, which of its values, from 1", "",
                       -kUnbounded, kUnbounded);
  const ScriptParameter value = {
      .name = "value",
      .type = ScriptType::kAny,
      .help =
          "of the property's type: a rotation as a vector along its axis, "
          "as long as its angle in rad; nil is no object"};
  functions.Add("own.get", "Reads a property of the object.",
                {property, Optional(index)},
                MayGive(ScriptType::kAny,
                        "its value; nil for no object, or behind a list's end"),
                &Get, kNoProperty);
  functions.Add("own.set", "Writes a property of the object.",
                {property, Optional(value), Optional(index)}, {}, &Set,
                kNoProperty);
  functions.Add("own.size", "Tells how many values a list has.", {property},
                Gives(ScriptType::kInteger, "how many"), &Size, kNoProperty);
  functions.Add("own.append", "Puts a value at the end of a list.",
                {property, Optional(value)}, {}, &Append, kNoProperty);
  functions.Add("own.remove", "Takes a value out of a list.", {property, index},
                {}, &Remove, kNoProperty);
  functions.Add("own.clear", "Takes all values out of a list.", {property}, {},
                &Clear, kNoProperty);
}

void AddOwn(ScriptFunctions& functions) {
  functions.Add("own.handle", "Gives the object itself.", {},
                Gives(ScriptType::kHandle, "the object"), [](ScriptCall& call) {
                  const ScriptPlace& place = PlaceOf(call);
                  call.Return(place.context.handle(place.object));
                  return absl::OkStatus();
                });
  functions.Add("own.parent", "Gives the object's parent.", {},
                MayGive(ScriptType::kHandle, "the parent"),
                [](ScriptCall& call) {
                  const ScriptPlace& place = PlaceOf(call);
                  call.Return(place.context.parent(place.object));
                  return absl::OkStatus();
                });
  functions.Add(
      "own.serial", "Tells the object's creation serial.", {},
      Gives(ScriptType::kInteger, "never used again"), [](ScriptCall& call) {
        const ScriptPlace& place = PlaceOf(call);
        call.Return(
            static_cast<int64_t>(place.context.object(place.object).serial));
        return absl::OkStatus();
      });
  functions.Add("own.fail",
                "Makes the object inert when the call ends; nothing of it runs "
                "any more.",
                {TextParameter("reason", "told by `object_failed`")}, {},
                [](ScriptCall& call) {
                  ScriptPlace& place = PlaceOf(call);
                  place.context.Fail(place.object,
                                     place.context.KeepText(call.string(0)));
                  return absl::OkStatus();
                });
  functions.Add(
      "own.motor", "Changes the motors of the joints that hold the object.",
      {NumberParameter("target", "what it strives for", "", -kUnbounded,
                       kUnbounded),
       Optional(TextParameter("joint", "which; nil: all")),
       Optional(NumberParameter("impulse_max", "the most it spends in a step",
                                "N s or N m s", 0, kUnbounded))},
      {},
      [](ScriptCall& call) {
        ScriptPlace& place = PlaceOf(call);
        MotorChange change{.target = call.number(0)};
        if (call.has(2)) change.impulse_max = call.number(2);
        return Refused(place.context.ChangeMotors(
            place.object, call.has(1) ? IdOf(call.string(1)) : kNoId, change));
      },
      "there is no such motor, or none could have the numbers");
}

void AddOwnPlace(ScriptFunctions& functions) {
  functions.Add("own.position", "Tells where the object is.", {},
                Gives(ScriptType::kVector, "its position", "m"),
                [](ScriptCall& call) {
                  const ScriptPlace& place = PlaceOf(call);
                  call.Return(place.context.Place(place.object).position);
                  return absl::OkStatus();
                });
  functions.Add(
      "own.rotation", "Tells how the object is turned.", {},
      Gives(ScriptType::kVector, "along the axis, as long as the angle", "rad"),
      [](ScriptCall& call) {
        const ScriptPlace& place = PlaceOf(call);
        call.Return(
            RotationVectorOf(place.context.Place(place.object).rotation));
        return absl::OkStatus();
      });
  functions.Add(
      "own.velocity", "Tells how the object's body moves.", {},
      Gives(ScriptType::kVector, "0 without a body", "m/s"),
      [](ScriptCall& call) {
        const BodyRow* const body = FindBody(PlaceOf(call));
        call.Return(body == nullptr ? Vector3{} : body->linear_velocity);
        return absl::OkStatus();
      });
  functions.Add(
      "own.spin", "Tells how the object's body turns.", {},
      Gives(ScriptType::kVector, "0 without a body", "rad/s"),
      [](ScriptCall& call) {
        const BodyRow* const body = FindBody(PlaceOf(call));
        call.Return(body == nullptr ? Vector3{} : body->angular_velocity);
        return absl::OkStatus();
      });
  functions.Add(
      "own.move_to",
      "Moves an object that physics doesn't move; others stay where they are.",
      {VectorParameter("position", "where to", "m"),
       Optional(VectorParameter("rotation",
                                "along the axis, as long as the angle; nil: "
                                "as it is",
                                "rad"))},
      {}, [](ScriptCall& call) {
        ScriptPlace& place = PlaceOf(call);
        Transform to = place.context.Place(place.object);
        to.position = call.vector(0);
        if (call.has(1)) to.rotation = RotationOf(call.vector(1));
        place.context.SetPlace(place.object, to);
        return absl::OkStatus();
      });
  functions.Add("own.to_world", "Turns a direction of the object's own axes.",
                {VectorParameter("direction", "in its axes", "")},
                Gives(ScriptType::kVector, "in the world's axes"),
                [](ScriptCall& call) {
                  const ScriptPlace& place = PlaceOf(call);
                  call.Return(Rotate(place.context.Place(place.object).rotation,
                                     call.vector(0)));
                  return absl::OkStatus();
                });
  functions.Add("own.to_local",
                "Tells where a point lies as the object sees it.",
                {VectorParameter("point", "in the world", "m")},
                Gives(ScriptType::kVector, "in the object's own axes", "m"),
                [](ScriptCall& call) {
                  const ScriptPlace& place = PlaceOf(call);
                  const Transform own = place.context.Place(place.object);
                  call.Return(Rotate(Conjugate(own.rotation),
                                     call.vector(0) - own.position));
                  return absl::OkStatus();
                });
}

void AddPushes(ScriptFunctions& functions) {
  functions.Add("own.push", "Pushes the object's body for this tick.",
                {VectorParameter("force", "along the world's axes", "N")}, {},
                [](ScriptCall& call) {
                  ScriptPlace& place = PlaceOf(call);
                  place.context.ApplyForce(place.object, call.vector(0));
                  return absl::OkStatus();
                });
  functions.Add("own.twist", "Turns the object's body for this tick.",
                {VectorParameter("torque", "about the world's axes", "N m")},
                {}, [](ScriptCall& call) {
                  ScriptPlace& place = PlaceOf(call);
                  place.context.ApplyTorque(place.object, call.vector(0));
                  return absl::OkStatus();
                });
  functions.Add(
      "own.kick", "Gives the object's body a blow.",
      {VectorParameter("impulse", "along the world's axes", "N s"),
       Optional(VectorParameter("offset", "from its centre of mass", "m"))},
      {}, [](ScriptCall& call) {
        ScriptPlace& place = PlaceOf(call);
        place.context.ApplyImpulse(place.object, call.vector(0),
                                   call.has(1) ? call.vector(1) : Vector3{});
        return absl::OkStatus();
      });
}

void AddOther(ScriptFunctions& functions) {
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
  functions.Add("other.updated_at",
                "Tells in which tick a behaviour of another object last ran.",
                {object}, MayGive(ScriptType::kInteger, "nil when it is gone"),
                &UpdatedAt, fails);
}

void AddObjects(ScriptFunctions& functions) {
  functions.Add("world.find", "Finds an object by its name.",
                {TextParameter("name", "as in the pack, or as it came")},
                MayGive(ScriptType::kHandle, "the oldest of that name"),
                [](ScriptCall& call) {
                  call.Return(PlaceOf(call).context.Find(IdOf(call.string(0))));
                  return absl::OkStatus();
                });
  functions.Add(
      "world.exists", "Tells whether an object is there.",
      {ObjectParameter("which")}, Gives(ScriptType::kBoolean, "whether"),
      [](ScriptCall& call) {
        const WorldParts& parts = PlaceOf(call).context.parts();
        call.Return(parts.objects.RowOf(parts.state, call.handle(0)) != kNoRow);
        return absl::OkStatus();
      });
  functions.Add("world.give",
                "Gives the next object that this call spawns a value.",
                {TextParameter("property",
                               "as \"health.points\"; of a list, each call "
                               "gives one more of its values"),
                 Optional({.name = "value",
                           .type = ScriptType::kAny,
                           .help = "as own.set takes it"})},
                {}, &Give, kNoProperty);
  functions.Add(
      "world.spawn", "Asks for an object, which comes when the tick ends.",
      {TextParameter("archetype", "an archetype or a type"),
       VectorParameter("position", "where", "m"),
       Optional(TextParameter("name", "what it is called")),
       Optional(VectorParameter("velocity", "of its body", "m/s")),
       Optional(VectorParameter("rotation",
                                "along the axis, as long as the "
                                "angle",
                                "rad")),
       Optional({.name = "parent",
                 .type = ScriptType::kHandle,
                 .help = "may be one that is to come"}),
       Optional({.name = "attached",
                 .type = ScriptType::kBoolean,
                 .help = "whether it moves with its parent"}),
       Optional({.name = "dormant",
                 .type = ScriptType::kBoolean,
                 .help = "whether it sleeps"})},
      MayGive(ScriptType::kHandle,
              "leads to nobody until it has come; nil when there is no room"),
      &Spawn,
      "there is no such archetype, it lacks a property that is given, or "
      "nothing can be there");
  functions.Add("world.destroy", "Asks for the end of an object.",
                {Optional(ObjectParameter("which; nil: the own one"))}, {},
                [](ScriptCall& call) {
                  ScriptPlace& place = PlaceOf(call);
                  place.context.Destroy(
                      place.object,
                      HandleOr(call, 0, place.context.handle(place.object)));
                  return absl::OkStatus();
                });
  functions.Add(
      "world.attach", "Asks that an object gets a parent.",
      {{.name = "parent", .type = ScriptType::kHandle, .help = "whom"},
       Optional(ObjectParameter("which; nil: the own one")),
       Optional({.name = "carried",
                 .type = ScriptType::kBoolean,
                 .help = "whether it moves with its parent; true if left "
                         "out"})},
      {}, [](ScriptCall& call) {
        ScriptPlace& place = PlaceOf(call);
        place.context.Attach(place.object,
                             {.object = HandleOr(call, 1, {}),
                              .parent = call.handle(0),
                              .is_carried = !call.has(2) || call.boolean(2)});
        return absl::OkStatus();
      });
  functions.Add("world.detach", "Asks that an object has no parent any more.",
                {Optional(ObjectParameter("which; nil: the own one"))}, {},
                [](ScriptCall& call) {
                  ScriptPlace& place = PlaceOf(call);
                  place.context.Detach(place.object, HandleOr(call, 0, {}));
                  return absl::OkStatus();
                });
}

void AddTimeAndChance(ScriptFunctions& functions) {
  functions.Add(
      "world.tick", "Tells the step of the game that is being made.", {},
      Gives(ScriptType::kInteger, "its number"), [](ScriptCall& call) {
        call.Return(static_cast<int64_t>(PlaceOf(call).context.tick()));
        return absl::OkStatus();
      });
  functions.Add("world.step", "Tells the time that a step takes.", {},
                Gives(ScriptType::kNumber, "its time", "s"),
                [](ScriptCall& call) {
                  call.Return(PlaceOf(call).context.dt_s());
                  return absl::OkStatus();
                });
  const ScriptParameter stream =
      Optional(TextParameter("stream",
                             "each has its own; \"script\" if left "
                             "out"));
  functions.Add(
      "world.random", "Draws a number from a stream that the object has.",
      {stream}, Gives(ScriptType::kNumber, "0 or more, less than 1"),
      [](ScriptCall& call) {
        ScriptPlace& place = PlaceOf(call);
        call.Return(
            UnitOf(place.context.Random(place.object, StreamOf(call, 0))));
        return absl::OkStatus();
      });
  functions.Add(
      "world.random_integer",
      "Draws a whole number from a stream that the object has.",
      {IntegerParameter("low", "the least", "", -kUnbounded, kUnbounded),
       IntegerParameter("high", "the most", "", -kUnbounded, kUnbounded),
       stream},
      Gives(ScriptType::kInteger, "one of these, all as likely"),
      &RandomInteger, "the least is above the most");
  functions.Add(
      "world.set_rate",
      "Changes the rate of the game's clock from the next tick on.",
      {IntegerParameter("numerator", "steps", "", 0, 1000),
       IntegerParameter("denominator", "in so many ticks", "", 1, 10000)},
      {},
      [](ScriptCall& call) {
        return Refused(PlaceOf(call).context.SetGameRate(
            {.numerator = call.integer(0), .denominator = call.integer(1)}));
      },
      "the clock can't have that rate");
  functions.Add("world.pause", "Stops the game's clock after this tick.", {},
                {}, [](ScriptCall& call) {
                  PlaceOf(call).context.PauseGame();
                  return absl::OkStatus();
                });
  functions.Add("world.resume", "Lets the game's clock go on.", {}, {},
                [](ScriptCall& call) {
                  PlaceOf(call).context.ResumeGame();
                  return absl::OkStatus();
                });
}

}  // namespace

void AddObjectFunctions(ScriptFunctions& functions) {
  AddOwnValues(functions);
  AddOwn(functions);
  AddOwnPlace(functions);
  AddPushes(functions);
  AddOther(functions);
  AddObjects(functions);
  AddTimeAndChance(functions);
}

}  // namespace reprise::sim
