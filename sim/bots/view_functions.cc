// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The functions `view` of scripts of bots: what a player may see.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "sim/bots/bot_functions.h"
#include "sim/event.h"
#include "sim/geometry/quaternion.h"
#include "sim/state/field_value.h"

namespace reprise::sim {
namespace {

// What of an object's motion a function tells.
template <typename Part>
absl::Status ReturnMotion(ScriptCall& call, const Part& part) {
  const std::optional<SeenMotion> motion =
      ViewOf(call).MotionOf(call.handle(0));
  if (motion) call.Return(part(*motion));
  return absl::OkStatus();
}

void ChargeForAll(ScriptCall& call) {
  call.Charge(static_cast<int64_t>(ViewOf(call).objects().size()));
}

std::optional<int64_t> IntegerOf(FieldValue value) {
  switch (value.type) {
    case ScalarType::kInt16:
      return static_cast<int16_t>(value.bits);
    case ScalarType::kInt32:
      return static_cast<int32_t>(value.bits);
    case ScalarType::kInt64:
    case ScalarType::kUint32:
    case ScalarType::kUint64:
      return static_cast<int64_t>(value.bits);
    default:
      return std::nullopt;
  }
}

std::optional<double> NumberOf(FieldValue value) {
  if (value.type == ScalarType::kDouble) return value.AsDouble();
  const std::optional<int64_t> integer = IntegerOf(value);
  if (!integer) return std::nullopt;
  return value.AsNumber();
}

// Gives the script a value of the state as the type that it asks for.
absl::Status ReturnScalar(ScriptCall& call, std::string_view what,
                          ScriptType wanted, FieldValue value) {
  switch (wanted) {
    case ScriptType::kBoolean:
      if (value.type != ScalarType::kBool) return WrongType(what, "boolean");
      call.Return(value.bits != 0);
      return absl::OkStatus();
    case ScriptType::kInteger: {
      const std::optional<int64_t> integer = IntegerOf(value);
      if (!integer) return WrongType(what, "whole number");
      call.Return(*integer);
      return absl::OkStatus();
    }
    case ScriptType::kNumber: {
      const std::optional<double> number = NumberOf(value);
      if (!number) return WrongType(what, "number");
      call.Return(*number);
      return absl::OkStatus();
    }
    case ScriptType::kString:
      if (value.type != ScalarType::kId) return WrongType(what, "text");
      if (value.bits != 0) {
        const std::string text = ViewOf(call).IdName(Id{value.bits});
        call.Return(std::string_view(text));
      }
      return absl::OkStatus();
    case ScriptType::kHandle: {
      if (value.type == ScalarType::kHandle) {
        const Handle handle = value.AsHandle();
        if (ViewOf(call).Sees(handle)) call.Return(handle);
        return absl::OkStatus();
      }
      if (value.type != ScalarType::kObject) return WrongType(what, "object");
      return ReturnIfAny(call, ViewOf(call).HandleOf(ObjectId{value.bits}));
    }
    default:
      return WrongType(what, "value");
  }
}

template <ScriptType kWanted>
absl::Status ReturnProperty(ScriptCall& call) {
  const std::string_view property = call.string(1);
  const auto value = ViewOf(call).ValueOf(call.handle(0), property);
  if (!value.ok()) return Refused(value.status());
  if (!value->has_value()) return absl::OkStatus();
  const SeenValue& seen = **value;
  if constexpr (kWanted == ScriptType::kVector) {
    if (seen.type != ScalarType::kDouble || seen.count < 2 || seen.count > 3) {
      return WrongType(property, "vector");
    }
    Vector3 vector = {.x = seen.scalars[0].AsDouble(),
                      .y = seen.scalars[1].AsDouble(),
                      .z = 0.0};
    if (seen.count == 3) vector.z = seen.scalars[2].AsDouble();
    call.Return(vector);
    return absl::OkStatus();
  } else {
    if (seen.count != 1) {
      return WrongType(property, "single value; ask for its .x");
    }
    return ReturnScalar(call, property, kWanted, seen.scalars[0]);
  }
}

// The event that a script counts from 1; null where there is none.
const Event* EventOf(ScriptCall& call) {
  const auto events = ViewOf(call).events();
  const int64_t index = call.integer(0);
  if (index < 1 || index > static_cast<int64_t>(events.size())) return nullptr;
  return &events[static_cast<size_t>(index - 1)];
}

template <ScriptType kWanted>
absl::Status ReturnArgument(ScriptCall& call) {
  const Event* const event = EventOf(call);
  if (event == nullptr) return absl::OkStatus();
  const Id name = IdOf(call.string(1));
  for (const EventArgument& argument : event->arguments) {
    if (argument.name != name) continue;
    return ReturnScalar(call, call.string(1), kWanted, argument.value);
  }
  return absl::OkStatus();
}

void AddMoment(BotFunctions& api) {
  api.Add("view.tick", "Tells the tick that comes.", {},
          Gives(ScriptType::kInteger, "its number from 0"),
          [](ScriptCall& call) {
            call.Return(static_cast<int64_t>(ViewOf(call).tick()));
            return absl::OkStatus();
          });
  api.Add("view.seconds", "Tells how long the run has lasted.", {},
          Gives(ScriptType::kNumber, "its time", "s"), [](ScriptCall& call) {
            call.Return(ViewOf(call).time_s());
            return absl::OkStatus();
          });
  api.Add("view.player", "Tells which player this is.", {},
          Gives(ScriptType::kInteger, "its number from 0"),
          [](ScriptCall& call) {
            call.Return(static_cast<int64_t>(ViewOf(call).player()));
            return absl::OkStatus();
          });
}

void AddObjects(BotFunctions& api) {
  api.Add("view.find", "Finds an object by its name.",
          {TextParameter("name", "as in the pack, or as it was spawned with")},
          MayGive(ScriptType::kHandle, "the oldest one that is seen"),
          [](ScriptCall& call) {
            ChargeForAll(call);
            return ReturnIfAny(call, ViewOf(call).Find(call.string(0)));
          });
  api.Add("view.count", "Counts the objects of a type that are seen.",
          {TextParameter("type", "a type, with those that extend it")},
          Gives(ScriptType::kInteger, "how many"), [](ScriptCall& call) {
            ChargeForAll(call);
            call.Return(int64_t{ViewOf(call).CountOf(IdOf(call.string(0)))});
            return absl::OkStatus();
          });
  api.Add("view.object", "Gives one of the objects of a type.",
          {TextParameter("type", "a type, with those that extend it"),
           IntegerParameter("index", "which of those that are seen, from 1")},
          MayGive(ScriptType::kHandle, "the object"), [](ScriptCall& call) {
            ChargeForAll(call);
            const int64_t index = call.integer(1);
            if (index < 1 || index > INT32_MAX) return absl::OkStatus();
            return ReturnIfAny(
                call, ViewOf(call).ObjectOf(IdOf(call.string(0)),
                                            static_cast<uint32_t>(index - 1)));
          });
  api.Add("view.nearest", "Gives the nearest of the objects of a type.",
          {TextParameter("type", "a type, with those that extend it"),
           VectorParameter("from", "where to look from", "m")},
          MayGive(ScriptType::kHandle, "the object"), [](ScriptCall& call) {
            ChargeForAll(call);
            return ReturnIfAny(call, ViewOf(call).NearestOf(
                                         IdOf(call.string(0)), call.vector(1)));
          });
  api.Add("view.sees", "Tells whether an object is there and seen.",
          {ObjectParameter("which")}, Gives(ScriptType::kBoolean, "whether"),
          [](ScriptCall& call) {
            call.Return(ViewOf(call).Sees(call.handle(0)));
            return absl::OkStatus();
          });
  api.Add(
      "view.is_a", "Tells whether an object is of a type.",
      {ObjectParameter("which"),
       TextParameter("type", "a type, with those that extend it")},
      Gives(ScriptType::kBoolean, "whether"), [](ScriptCall& call) {
        call.Return(ViewOf(call).IsOf(call.handle(0), IdOf(call.string(1))));
        return absl::OkStatus();
      });
  api.Add("view.name", "Tells what an object is called.",
          {ObjectParameter("which")}, MayGive(ScriptType::kString, "its name"),
          [](ScriptCall& call) {
            return ReturnIfAny(call, ViewOf(call).NameOf(call.handle(0)));
          });
  api.Add("view.type", "Tells of which type an object is.",
          {ObjectParameter("which")},
          MayGive(ScriptType::kString, "the type's name"),
          [](ScriptCall& call) {
            return ReturnIfAny(call, ViewOf(call).TypeOf(call.handle(0)));
          });
}

void AddMotion(BotFunctions& api) {
  api.Add("view.position", "Tells where an object is.",
          {ObjectParameter("which")},
          MayGive(ScriptType::kVector, "its place", "m"), [](ScriptCall& call) {
            return ReturnMotion(
                call, [](const SeenMotion& seen) { return seen.position; });
          });
  api.Add(
      "view.velocity", "Tells how an object moves.", {ObjectParameter("which")},
      MayGive(ScriptType::kVector, "its velocity", "m/s"),
      [](ScriptCall& call) {
        return ReturnMotion(
            call, [](const SeenMotion& seen) { return seen.linear_velocity; });
      });
  api.Add("view.spin", "Tells how an object turns.", {ObjectParameter("which")},
          MayGive(ScriptType::kVector, "its angular velocity", "rad/s"),
          [](ScriptCall& call) {
            return ReturnMotion(call, [](const SeenMotion& seen) {
              return seen.angular_velocity;
            });
          });
  api.Add(
      "view.to_local", "Tells where a point lies as an object sees it.",
      {ObjectParameter("which"), VectorParameter("point", "in the world", "m")},
      MayGive(ScriptType::kVector, "in the object's own axes", "m"),
      [](ScriptCall& call) {
        return ReturnMotion(call, [&](const SeenMotion& seen) {
          return Rotate(Conjugate(seen.rotation),
                        call.vector(1) - seen.position);
        });
      });
}

template <ScriptType kWanted>
void AddProperty(BotFunctions& api, const std::string& name,
                 const std::string& what) {
  api.Add(name, fmt::format("Reads a property that is {}.", what),
          {ObjectParameter("which"),
           TextParameter("property", "component.property")},
          MayGive(kWanted, "its value, nothing where it isn't shown"),
          &ReturnProperty<kWanted>,
          fmt::format("there is no such property, or it is not {}", what));
}

template <ScriptType kWanted>
void AddArgument(BotFunctions& api, const std::string& name,
                 const std::string& what) {
  api.Add(name, fmt::format("Reads an argument of an event that is {}.", what),
          {IntegerParameter("index", "which event, from 1"),
           TextParameter("argument", "the argument's name")},
          MayGive(kWanted, "its value, nothing where the event lacks it"),
          &ReturnArgument<kWanted>, fmt::format("it is not {}", what));
}

void AddValues(BotFunctions& api) {
  AddProperty<ScriptType::kBoolean>(api, "view.boolean", "true or false");
  AddProperty<ScriptType::kInteger>(api, "view.integer", "a whole number");
  AddProperty<ScriptType::kNumber>(api, "view.number", "a number");
  AddProperty<ScriptType::kString>(api, "view.text",
                                   "a text, a name or a choice");
  AddProperty<ScriptType::kVector>(api, "view.vector", "a vector");
  AddProperty<ScriptType::kHandle>(api, "view.reference", "an object");
  api.Add("view.event_count",
          "Counts the events that were heard since the last decision.", {},
          Gives(ScriptType::kInteger, "how many"), [](ScriptCall& call) {
            call.Return(static_cast<int64_t>(ViewOf(call).events().size()));
            return absl::OkStatus();
          });
  api.Add("view.event", "Tells what an event is called.",
          {IntegerParameter("index", "which, from 1, oldest first")},
          MayGive(ScriptType::kString, "its type"), [](ScriptCall& call) {
            const Event* const event = EventOf(call);
            if (event == nullptr) return absl::OkStatus();
            const std::string name = ViewOf(call).IdName(event->type);
            call.Return(std::string_view(name));
            return absl::OkStatus();
          });
  AddArgument<ScriptType::kBoolean>(api, "view.event_boolean", "true or false");
  AddArgument<ScriptType::kInteger>(api, "view.event_integer",
                                    "a whole number");
  AddArgument<ScriptType::kNumber>(api, "view.event_number", "a number");
  AddArgument<ScriptType::kString>(api, "view.event_text",
                                   "a text, a name or a choice");
  AddArgument<ScriptType::kHandle>(api, "view.event_object", "an object");
}

}  // namespace

void AddViewFunctions(BotFunctions& api) {
  AddMoment(api);
  AddObjects(api);
  AddMotion(api);
  AddValues(api);
}

}  // namespace reprise::sim
