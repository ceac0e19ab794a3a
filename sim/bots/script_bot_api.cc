// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The functions that scripts of bots may call: `view` shows, `act` does,
// `memory` remembers, `bot` is what the pack and the run say of the bot.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/base/math.h"
#include "sim/base/random.h"
#include "sim/bots/bot.h"
#include "sim/bots/script_bot.h"
#include "sim/bots/script_turn.h"
#include "sim/geometry/quaternion.h"
#include "sim/script/script_call.h"

namespace reprise::sim {
namespace {

constexpr size_t kNotesMax = 16;       // of a decision
constexpr size_t kNoteBytesMax = 512;  // of a line of the log

const PlayerView& ViewOf(ScriptCall& call) {
  return call.context<ScriptTurn>().turn.view;
}

PlayerActions& ActionsOf(ScriptCall& call) {
  return call.context<ScriptTurn>().turn.actions;
}

// Every failure of these functions has one code, which their descriptions say.
absl::Status Refused(const absl::Status& status) {
  if (status.ok()) return status;
  return absl::InvalidArgumentError(status.message());
}

template <typename Value>
absl::Status ReturnIfAny(ScriptCall& call, const std::optional<Value>& value) {
  if (!value) return absl::OkStatus();
  if constexpr (std::is_same_v<Value, std::string>) {
    call.Return(std::string_view(*value));
  } else {
    call.Return(*value);
  }
  return absl::OkStatus();
}

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

absl::Status WrongType(std::string_view what, std::string_view wanted) {
  return absl::InvalidArgumentError(fmt::format("'{}' is no {}", what, wanted));
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

template <typename Kind>
absl::Status ReturnMemory(ScriptCall& call) {
  const BotMemoryValue* const value =
      call.context<ScriptTurn>().memory.Find(call.string(0));
  if (value == nullptr) return absl::OkStatus();
  const auto* const found = std::get_if<Kind>(value);
  if (found == nullptr) return WrongType(call.string(0), "value of that type");
  return ReturnIfAny(call, std::optional<Kind>(*found));
}

absl::Status SetMemory(ScriptCall& call, std::optional<BotMemoryValue> value) {
  // Bytes are paid for like a string's.
  call.Charge(4);
  return Refused(
      call.context<ScriptTurn>().memory.Set(call.string(0), std::move(value)));
}

template <typename Kind>
absl::Status ReturnParameter(ScriptCall& call) {
  for (const BotParameterValue& parameter :
       call.context<ScriptTurn>().description.parameters) {
    if (parameter.name != call.string(0)) continue;
    const auto* const value = std::get_if<Kind>(&parameter.value);
    if (value == nullptr) {
      return WrongType(call.string(0), "parameter of that type");
    }
    return ReturnIfAny(call, std::optional<Kind>(*value));
  }
  return absl::InvalidArgumentError(
      fmt::format("the pack gives the bot no parameter '{}'", call.string(0)));
}

using Parameters = std::vector<ScriptParameter>;

ScriptParameter Text(std::string name, std::string help) {
  return {.name = std::move(name),
          .type = ScriptType::kString,
          .help = std::move(help)};
}
ScriptParameter Object() {
  return {.name = "object", .type = ScriptType::kHandle, .help = "which"};
}
ScriptParameter Number(std::string name, std::string help, std::string unit,
                       double minimum, double maximum) {
  return {.name = std::move(name),
          .type = ScriptType::kNumber,
          .help = std::move(help),
          .unit = std::move(unit),
          .minimum = minimum,
          .maximum = maximum};
}
ScriptParameter Integer(std::string name, std::string help) {
  return {.name = std::move(name),
          .type = ScriptType::kInteger,
          .help = std::move(help)};
}
ScriptParameter Vector(std::string name, std::string help, std::string unit) {
  return {.name = std::move(name),
          .type = ScriptType::kVector,
          .help = std::move(help),
          .unit = std::move(unit)};
}
ScriptResult Gives(ScriptType type, std::string help, std::string unit = "",
                   bool may_be_nil = false) {
  return {.type = type,
          .help = std::move(help),
          .unit = std::move(unit),
          .may_be_nil = may_be_nil};
}
ScriptResult MayGive(ScriptType type, std::string help, std::string unit = "") {
  return Gives(type, std::move(help), std::move(unit), /*may_be_nil=*/true);
}

class ApiBuilder {
 public:
  void Add(std::string name, std::string help, Parameters parameters,
           ScriptResult result, ScriptNative native, std::string fails_when) {
    ScriptFunction function{.name = std::move(name),
                            .help = std::move(help),
                            .parameters = std::move(parameters),
                            .result = std::move(result),
                            .failures = {},
                            .native = native};
    if (!fails_when.empty()) {
      function.failures.push_back({.code = absl::StatusCode::kInvalidArgument,
                                   .when = std::move(fails_when)});
    }
    const absl::Status status = api_->Add(std::move(function));
    CHECK(status.ok(), "{}", status.ToString());
  }
  void Add(std::string name, std::string help, Parameters parameters,
           ScriptResult result, ScriptNative native) {
    Add(std::move(name), std::move(help), std::move(parameters),
        std::move(result), native, "");
  }
  // One that does something.
  void AddAction(std::string name, std::string help, Parameters parameters,
                 ScriptNative native) {
    Add(std::move(name), std::move(help), std::move(parameters), {}, native,
        "the pack has no such action, it is of another kind, or doesn't allow "
        "the value");
  }
  std::shared_ptr<const ScriptApi> Finish() { return std::move(api_); }

 private:
  std::shared_ptr<ScriptApi> api_ = std::make_shared<ScriptApi>();
};

void AddMoment(ApiBuilder& api) {
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

void AddObjects(ApiBuilder& api) {
  api.Add("view.find", "Finds an object by its name.",
          {Text("name", "as in the pack, or as it was spawned with")},
          MayGive(ScriptType::kHandle, "the oldest one that is seen"),
          [](ScriptCall& call) {
            ChargeForAll(call);
            return ReturnIfAny(call, ViewOf(call).Find(call.string(0)));
          });
  api.Add("view.count", "Counts the objects of a type that are seen.",
          {Text("type", "a type, with those that extend it")},
          Gives(ScriptType::kInteger, "how many"), [](ScriptCall& call) {
            ChargeForAll(call);
            call.Return(int64_t{ViewOf(call).CountOf(IdOf(call.string(0)))});
            return absl::OkStatus();
          });
  api.Add("view.object", "Gives one of the objects of a type.",
          {Text("type", "a type, with those that extend it"),
           Integer("index", "which of those that are seen, from 1")},
          MayGive(ScriptType::kHandle, "the object"), [](ScriptCall& call) {
            ChargeForAll(call);
            const int64_t index = call.integer(1);
            if (index < 1 || index > INT32_MAX) return absl::OkStatus();
            return ReturnIfAny(
                call, ViewOf(call).ObjectOf(IdOf(call.string(0)),
                                            static_cast<uint32_t>(index - 1)));
          });
  api.Add("view.nearest", "Gives the nearest of the objects of a type.",
          {Text("type", "a type, with those that extend it"),
           Vector("from", "where to look from", "m")},
          MayGive(ScriptType::kHandle, "the object"), [](ScriptCall& call) {
            ChargeForAll(call);
            return ReturnIfAny(call, ViewOf(call).NearestOf(
                                         IdOf(call.string(0)), call.vector(1)));
          });
  api.Add("view.sees", "Tells whether an object is there and seen.", {Object()},
          Gives(ScriptType::kBoolean, "whether"), [](ScriptCall& call) {
            call.Return(ViewOf(call).Sees(call.handle(0)));
            return absl::OkStatus();
          });
  api.Add(
      "view.is_a", "Tells whether an object is of a type.",
      {Object(), Text("type", "a type, with those that extend it")},
      Gives(ScriptType::kBoolean, "whether"), [](ScriptCall& call) {
        call.Return(ViewOf(call).IsOf(call.handle(0), IdOf(call.string(1))));
        return absl::OkStatus();
      });
  api.Add("view.name", "Tells what an object is called.", {Object()},
          MayGive(ScriptType::kString, "its name"), [](ScriptCall& call) {
            return ReturnIfAny(call, ViewOf(call).NameOf(call.handle(0)));
          });
  api.Add("view.type", "Tells of which type an object is.", {Object()},
          MayGive(ScriptType::kString, "the type's name"),
          [](ScriptCall& call) {
            return ReturnIfAny(call, ViewOf(call).TypeOf(call.handle(0)));
          });
}

void AddMotion(ApiBuilder& api) {
  api.Add("view.position", "Tells where an object is.", {Object()},
          MayGive(ScriptType::kVector, "its place", "m"), [](ScriptCall& call) {
            return ReturnMotion(
                call, [](const SeenMotion& seen) { return seen.position; });
          });
  api.Add("view.velocity", "Tells how an object moves.", {Object()},
          MayGive(ScriptType::kVector, "its velocity", "m/s"),
          [](ScriptCall& call) {
            return ReturnMotion(call, [](const SeenMotion& seen) {
              return seen.linear_velocity;
            });
          });
  api.Add("view.spin", "Tells how an object turns.", {Object()},
          MayGive(ScriptType::kVector, "its angular velocity", "rad/s"),
          [](ScriptCall& call) {
            return ReturnMotion(call, [](const SeenMotion& seen) {
              return seen.angular_velocity;
            });
          });
  api.Add("view.to_local", "Tells where a point lies as an object sees it.",
          {Object(), Vector("point", "in the world", "m")},
          MayGive(ScriptType::kVector, "in the object's own axes", "m"),
          [](ScriptCall& call) {
            return ReturnMotion(call, [&](const SeenMotion& seen) {
              return Rotate(Conjugate(seen.rotation),
                            call.vector(1) - seen.position);
            });
          });
}

template <ScriptType kWanted>
void AddProperty(ApiBuilder& api, const std::string& name,
                 const std::string& what) {
  api.Add(name, fmt::format("Reads a property that is {}.", what),
          {Object(), Text("property", "component.property")},
          MayGive(kWanted, "its value, nothing where it isn't shown"),
          &ReturnProperty<kWanted>,
          fmt::format("there is no such property, or it is not {}", what));
}

template <ScriptType kWanted>
void AddArgument(ApiBuilder& api, const std::string& name,
                 const std::string& what) {
  api.Add(name, fmt::format("Reads an argument of an event that is {}.", what),
          {Integer("index", "which event, from 1"),
           Text("argument", "the argument's name")},
          MayGive(kWanted, "its value, nothing where the event lacks it"),
          &ReturnArgument<kWanted>, fmt::format("it is not {}", what));
}

void AddValues(ApiBuilder& api) {
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
          {Integer("index", "which, from 1, oldest first")},
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

void AddDevices(ApiBuilder& api) {
  const ScriptParameter action = Text("action", "an action of the pack");
  api.AddAction("act.press", "Holds a button or a key from now on.", {action},
                [](ScriptCall& call) {
                  return Refused(ActionsOf(call).Hold(call.string(0), true));
                });
  api.AddAction("act.release", "Lets a button or a key go.", {action},
                [](ScriptCall& call) {
                  return Refused(ActionsOf(call).Hold(call.string(0), false));
                });
  api.AddAction(
      "act.hold", "Holds a button or a key, or lets it go.",
      {action,
       {.name = "held", .type = ScriptType::kBoolean, .help = "whether"}},
      [](ScriptCall& call) {
        return Refused(ActionsOf(call).Hold(call.string(0), call.boolean(1)));
      });
  api.Add("act.release_all", "Lets everything go.", {}, {},
          [](ScriptCall& call) {
            ActionsOf(call).ReleaseAll();
            return absl::OkStatus();
          });
  api.AddAction(
      "act.axis", "Pushes an axis from now on.",
      {action, Number("value", "how far", "", -1.0, 1.0)},
      [](ScriptCall& call) {
        return Refused(ActionsOf(call).SetAxis(call.string(0), call.number(1)));
      });
  api.AddAction("act.point", "Points somewhere in the view.",
                {action, Number("x", "from the left", "", 0.0, 1.0),
                 Number("y", "from the top", "", 0.0, 1.0)},
                [](ScriptCall& call) {
                  return Refused(ActionsOf(call).Point(
                      call.string(0), call.number(1), call.number(2)));
                });
  api.AddAction("act.move_mouse", "Moves the mouse at this tick.",
                {action, Integer("x", "counts to the right"),
                 Integer("y", "counts downwards")},
                [](ScriptCall& call) {
                  return Refused(ActionsOf(call).MoveMouse(
                      call.string(0), call.integer(1), call.integer(2)));
                });
  api.AddAction("act.turn_wheel", "Turns the mouse's wheel at this tick.",
                {action, Integer("x", "120ths of a step to the right"),
                 Integer("y", "120ths of a step away from the player")},
                [](ScriptCall& call) {
                  return Refused(ActionsOf(call).TurnWheel(
                      call.string(0), call.integer(1), call.integer(2)));
                });
  api.AddAction("act.touch", "Puts a finger on the view, or moves it.",
                {action, Integer("finger", "its number from 0"),
                 Number("x", "from the left", "", 0.0, 1.0),
                 Number("y", "from the top", "", 0.0, 1.0),
                 Number("pressure", "how hard", "", 0.0, 1.0)},
                [](ScriptCall& call) {
                  return Refused(ActionsOf(call).Touch(
                      call.string(0), call.integer(1), call.number(2),
                      call.number(3), call.number(4)));
                });
  api.AddAction(
      "act.lift", "Lifts a finger.", {action, Integer("finger", "its number")},
      [](ScriptCall& call) {
        return Refused(ActionsOf(call).Lift(call.string(0), call.integer(1)));
      });
  api.AddAction(
      "act.tilt", "Holds the device as a motion sensor measures.",
      {action, Vector("acceleration", "in the device's axes", "m/s^2"),
       Vector("spin", "in the device's axes", "rad/s")},
      [](ScriptCall& call) {
        return Refused(ActionsOf(call).Tilt(call.string(0), call.vector(1),
                                            call.vector(2)));
      });
  api.AddAction(
      "act.say", "Enters text at this tick.", {action, Text("text", "UTF-8")},
      [](ScriptCall& call) {
        return Refused(ActionsOf(call).Say(call.string(0), call.string(1)));
      });
}

// `give` is what becomes of the second argument.
void AddGiving(ApiBuilder& api, const std::string& name,
               ScriptParameter parameter, ScriptNative native) {
  api.AddAction(name, "Gives the last command an argument.",
                {Text("argument", "its name"), std::move(parameter)}, native);
}

void AddCommands(ApiBuilder& api) {
  api.AddAction(
      "act.command", "Begins a command; its arguments are given behind it.",
      {Text("action", "an action of the pack")}, [](ScriptCall& call) {
        return Refused(ActionsOf(call).Command(call.string(0)));
      });
  AddGiving(
      api, "act.give_boolean",
      {.name = "value", .type = ScriptType::kBoolean, .help = "which"},
      [](ScriptCall& call) {
        return Refused(ActionsOf(call).Give(call.string(0), call.boolean(1)));
      });
  AddGiving(
      api, "act.give_integer", Integer("value", "which"), [](ScriptCall& call) {
        return Refused(ActionsOf(call).Give(call.string(0), call.integer(1)));
      });
  AddGiving(
      api, "act.give_number",
      {.name = "value", .type = ScriptType::kNumber, .help = "which"},
      [](ScriptCall& call) {
        return Refused(ActionsOf(call).Give(call.string(0), call.number(1)));
      });
  AddGiving(api, "act.give_text",
            Text("value", "a text, a name, a choice or an object's name"),
            [](ScriptCall& call) {
              return Refused(ActionsOf(call).Give(call.string(0),
                                                  std::string(call.string(1))));
            });
  AddGiving(
      api, "act.give_vector", Vector("value", "three numbers", ""),
      [](ScriptCall& call) {
        return Refused(ActionsOf(call).Give(call.string(0), call.vector(1)));
      });
  AddGiving(api, "act.give_vector2",
            Vector("value", "of which x and y count", ""),
            [](ScriptCall& call) {
              const Vector3 value = call.vector(1);
              return Refused(ActionsOf(call).Give(
                  call.string(0), Vector2{.x = value.x, .y = value.y}));
            });
  AddGiving(api, "act.give_turns",
            Vector("value", "turns about x, then y, then z", "degrees"),
            [](ScriptCall& call) {
              return Refused(ActionsOf(call).Give(
                  call.string(0), Turns{.degrees = call.vector(1)}));
            });
}

void AddMemory(ApiBuilder& api) {
  const ScriptParameter name = Text("name", "what it is remembered by");
  const std::string other = "what is remembered is of another type";
  const std::string full = "too much is remembered";
  api.Add("memory.number", "Recalls a number.", {name},
          MayGive(ScriptType::kNumber, "the number"), &ReturnMemory<double>,
          other);
  api.Add("memory.text", "Recalls a text.", {name},
          MayGive(ScriptType::kString, "the text"), &ReturnMemory<std::string>,
          other);
  api.Add("memory.vector", "Recalls a vector.", {name},
          MayGive(ScriptType::kVector, "the vector"), &ReturnMemory<Vector3>,
          other);
  api.Add(
      "memory.set_number", "Remembers a number.",
      {name, {.name = "value", .type = ScriptType::kNumber, .help = "which"}},
      {}, [](ScriptCall& call) { return SetMemory(call, call.number(1)); },
      full);
  api.Add(
      "memory.set_text", "Remembers a text.", {name, Text("value", "which")},
      {},
      [](ScriptCall& call) {
        return SetMemory(call, std::string(call.string(1)));
      },
      full);
  api.Add(
      "memory.set_vector", "Remembers a vector.",
      {name, Vector("value", "which", "")}, {},
      [](ScriptCall& call) { return SetMemory(call, call.vector(1)); }, full);
  api.Add(
      "memory.forget", "Forgets what has a name.", {name}, {},
      [](ScriptCall& call) { return SetMemory(call, std::nullopt); }, full);
}

void AddSelf(ApiBuilder& api) {
  const std::string missing =
      "the pack doesn't give it, or gives one of another type";
  const ScriptParameter name = Text("parameter", "as in the pack");
  api.Add("bot.number", "Gives a parameter of the bot.", {name},
          Gives(ScriptType::kNumber, "its value"), &ReturnParameter<double>,
          missing);
  api.Add("bot.text", "Gives a parameter of the bot.", {name},
          Gives(ScriptType::kString, "its value"),
          &ReturnParameter<std::string>, missing);
  api.Add("bot.random", "Draws a number from the bot's own stream.", {},
          Gives(ScriptType::kNumber, "0 or more, less than 1"),
          [](ScriptCall& call) {
            call.Return(NextUnit(call.context<ScriptTurn>().turn.random));
            return absl::OkStatus();
          });
  api.Add(
      "bot.random_integer", "Draws a whole number from the bot's own stream.",
      {Integer("low", "the least"), Integer("high", "the most")},
      Gives(ScriptType::kInteger, "one of these, all as likely"),
      [](ScriptCall& call) {
        if (call.integer(0) > call.integer(1)) {
          return absl::InvalidArgumentError("'low' is above 'high'");
        }
        call.Return(NextInRange(call.context<ScriptTurn>().turn.random,
                                call.integer(0), call.integer(1)));
        return absl::OkStatus();
      },
      "the least is above the most");
  api.Add("bot.log", "Writes a line to the log, which is no state.",
          {Text("text", "at most 512 bytes of it are kept")}, {},
          [](ScriptCall& call) {
            std::vector<std::string>& notes =
                call.context<ScriptTurn>().turn.notes;
            if (notes.size() < kNotesMax) {
              notes.emplace_back(call.string(0).substr(0, kNoteBytesMax));
            }
            return absl::OkStatus();
          });
}

std::shared_ptr<const ScriptApi> MakeApi() {
  ApiBuilder api;
  AddMoment(api);
  AddObjects(api);
  AddMotion(api);
  AddValues(api);
  AddDevices(api);
  AddCommands(api);
  AddMemory(api);
  AddSelf(api);
  return api.Finish();
}

}  // namespace

std::shared_ptr<const ScriptApi> BotScriptApi() {
  static const auto& api = *new std::shared_ptr<const ScriptApi>(MakeApi());
  return api;
}

}  // namespace reprise::sim
