// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Functions of scripts about the object that the script is called for.

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "sim/base/math.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/transform.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/systems/scripts/script_functions.h"
#include "sim/systems/scripts/script_properties.h"
#include "sim/world/components/component.h"
#include "sim/world/components/object_rows.h"

namespace reprise::sim {
namespace {

// The body of the object; null when it has none.
const BodyRow* FindBody(const ScriptPlace& place) {
  const WorldParts& parts = place.context.parts();
  return FindBodyRow(parts, parts.state, place.context.object(place.object));
}

absl::Status NoSuchPlace(std::string_view path, int64_t index, uint32_t size) {
  return absl::InvalidArgumentError(fmt::format(
      "'{}' has {} values; there is no number {}", path, size, index));
}

// The property that argument `argument` of the call names, and its value.
struct OwnProperty {
  PropertyRef property;
  PropertyValue value;
};
absl::StatusOr<OwnProperty> FindOwn(ScriptCall& call, bool is_list) {
  ScriptPlace& place = PlaceOf(call);
  const PropertyRef* const property = place.properties.Find(call.string(0));
  if (property == nullptr) return place.properties.WhyNot(call.string(0));
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
      ValueOf(call, place.context, property.type, given);
  if (!value.ok()) {
    return absl::InvalidArgumentError(fmt::format(
        "'{}': {}", call.string(0), std::string(value.status().message())));
  }
  return SetOwn(call, property, *value);
}

// Gives one number of the object's own, as most reads do, without making a
// value of it. Returns whether it did; what else there is takes the long way.
bool ReturnNumber(ScriptCall& call, const PropertyRef& property) {
  if (property.capacity > 0 || call.has(1)) return false;
  const ScriptPlace& place = PlaceOf(call);
  const WorldParts& parts = place.context.parts();
  const uint32_t row = parts.objects.ComponentRow(
      place.context.rows()[place.object], property.component);
  if (row == kNoRow) return false;
  return ReturnPlain(
      call, property,
      parts.state.table(parts.tables.objects.components[property.component])
          .Row(row));
}

absl::Status Get(ScriptCall& call) {
  const ScriptProperties& properties = PlaceOf(call).properties;
  const PropertyRef* const property = properties.Find(call.string(0));
  if (property == nullptr) return properties.WhyNot(call.string(0));
  if (ReturnNumber(call, *property)) return absl::OkStatus();
  const absl::StatusOr<OwnProperty> own = FindOwn(call, /*is_list=*/false);
  if (!own.ok()) return own.status();
  return ReturnOneValue(call, PlaceOf(call).context, call.string(0), own->value,
                        1);
}

// Writes one number or vector, as most writes do, in the same way. Returns what
// came of it; nothing where it is for the long way.
std::optional<absl::Status> SetNumber(ScriptCall& call,
                                      const PropertyRef& property) {
  ScriptPlace& place = PlaceOf(call);
  UpdateContext& context = place.context;
  const WorldParts& parts = context.parts();
  if (property.capacity > 0 || call.has(2) ||
      parts.objects.ComponentRow(context.rows()[place.object],
                                 property.component) == kNoRow) {
    return std::nullopt;
  }
  const ScriptValue& given = call.arguments()[1];
  const auto refusal = [&](const PropertyValue& value) {
    return FitValue(parts.definition.components[property.component]
                        .properties[property.property],
                    value)
        .status();
  };
  absl::Status refused;
  if (property.type == PropertyType::kDouble) {
    const auto* const number = std::get_if<double>(&given);
    const auto* const whole = std::get_if<int64_t>(&given);
    if (number == nullptr && whole == nullptr) return std::nullopt;
    const double value =
        number != nullptr ? *number : static_cast<double>(*whole);
    if (context.SetNumber(place.object, property, value)) return refused;
    refused = refusal(PropertyValue::OfNumber(value));
  } else if (property.type == PropertyType::kVector3) {
    const auto* const value = std::get_if<Vector3>(&given);
    if (value == nullptr) return std::nullopt;
    if (context.SetVector(place.object, property, *value)) return refused;
    refused = refusal(PropertyValue::OfVector3(*value));
  } else {
    return std::nullopt;
  }
  return absl::InvalidArgumentError(
      fmt::format("'{}': {}", call.string(0), std::string(refused.message())));
}

absl::Status Set(ScriptCall& call) {
  ScriptPlace& place = PlaceOf(call);
  const PropertyRef* const property = place.properties.Find(call.string(0));
  if (property == nullptr) return place.properties.WhyNot(call.string(0));
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
      ValueOf(call, place.context, property->type, given);
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
  const absl::StatusOr<PropertyValue> value = ValueOf(
      call, PlaceOf(call).context, own->property.type, call.arguments()[1]);
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
                  place.context.Fail(place.object, KeepWord(call, 0));
                  return absl::OkStatus();
                });
  functions.Add(
      "own.motor", "Changes the motors of the joints that hold the object.",
      {Optional(NumberParameter("target", "what it strives for; nil: as it is",
                                "", -kUnbounded, kUnbounded)),
       Optional(TextParameter("joint", "which; nil: all")),
       Optional(NumberParameter("impulse_max", "the most it spends in a step",
                                "N s or N m s", 0, kUnbounded))},
      {},
      [](ScriptCall& call) {
        ScriptPlace& place = PlaceOf(call);
        MotorChange change;
        if (call.has(0)) change.target = call.number(0);
        if (call.has(2)) change.impulse_max = call.number(2);
        return Refused(place.context.ChangeMotors(
            place.object, call.has(1) ? IdOf(call.string(1)) : kNoId, change));
      },
      "there is no such motor, or none could have the numbers");
}

constexpr char kNotFinite[] = "so long a vector has no finite result";

// Gives back a vector, if it is one that scripts may be given.
absl::Status ReturnFinite(ScriptCall& call, Vector3 vector) {
  if (!IsFinite(vector.x) || !IsFinite(vector.y) || !IsFinite(vector.z)) {
    return absl::InvalidArgumentError(kNotFinite);
  }
  call.Return(vector);
  return absl::OkStatus();
}

void AddOwnPlace(ScriptFunctions& functions) {
  functions.Add(
      "own.position", "Tells where the object is.", {},
      Gives(ScriptType::kVector, "its position", "m"), [](ScriptCall& call) {
        const ScriptPlace& place = PlaceOf(call);
        const BodyRow* const body = FindBody(place);
        call.Return(body == nullptr ? place.context.Place(place.object).position
                                    : body->position);
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
      "Moves an object without a body, or with a kinematic one; others stay "
      "where they are, triggers and fixed ones, too. A kinematic body goes "
      "there within the tick: with that velocity it pushes and carries.",
      {VectorParameter("position", "where to", "m"),
       Optional(VectorParameter("rotation",
                                "along the axis, as long as the angle; nil: "
                                "as it is",
                                "rad"))},
      {},
      [](ScriptCall& call) {
        ScriptPlace& place = PlaceOf(call);
        Transform to = place.context.Place(place.object);
        to.position = call.vector(0);
        if (call.has(1)) {
          const absl::StatusOr<Quaternion> rotation =
              RotationOf(call.vector(1));
          if (!rotation.ok()) return rotation.status();
          to.rotation = *rotation;
        }
        place.context.SetPlace(place.object, to);
        return absl::OkStatus();
      },
      "it turns by more than 1e9 rad");
  functions.Add(
      "own.to_world", "Turns a direction of the object's own axes.",
      {VectorParameter("direction", "in its axes", "")},
      Gives(ScriptType::kVector, "in the world's axes"),
      [](ScriptCall& call) {
        const ScriptPlace& place = PlaceOf(call);
        return ReturnFinite(
            call,
            Rotate(place.context.Place(place.object).rotation, call.vector(0)));
      },
      kNotFinite);
  functions.Add(
      "own.to_local", "Tells where a point lies as the object sees it.",
      {VectorParameter("point", "in the world", "m")},
      Gives(ScriptType::kVector, "in the object's own axes", "m"),
      [](ScriptCall& call) {
        const ScriptPlace& place = PlaceOf(call);
        const Transform own = place.context.Place(place.object);
        return ReturnFinite(call, Rotate(Conjugate(own.rotation),
                                         call.vector(0) - own.position));
      },
      kNotFinite);
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

}  // namespace

void AddOwnFunctions(ScriptFunctions& functions) {
  AddOwnValues(functions);
  AddOwn(functions);
  AddOwnPlace(functions);
  AddPushes(functions);
}

}  // namespace reprise::sim
