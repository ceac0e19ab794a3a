// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The functions `act` of scripts of bots: what a player may do.

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/status.h"
#include "sim/base/math.h"
#include "sim/bots/bot_functions.h"

namespace reprise::sim {
namespace {

void AddDevices(BotFunctions& api) {
  const ScriptParameter action =
      TextParameter("action", "an action of the pack");
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
      {action, NumberParameter("value", "how far", "", -1.0, 1.0)},
      [](ScriptCall& call) {
        return Refused(ActionsOf(call).SetAxis(call.string(0), call.number(1)));
      });
  api.AddAction("act.point", "Points somewhere in the view.",
                {action, NumberParameter("x", "from the left", "", 0.0, 1.0),
                 NumberParameter("y", "from the top", "", 0.0, 1.0)},
                [](ScriptCall& call) {
                  return Refused(ActionsOf(call).Point(
                      call.string(0), call.number(1), call.number(2)));
                });
  api.AddAction("act.move_mouse", "Moves the mouse at this tick.",
                {action, IntegerParameter("x", "counts to the right"),
                 IntegerParameter("y", "counts downwards")},
                [](ScriptCall& call) {
                  return Refused(ActionsOf(call).MoveMouse(
                      call.string(0), call.integer(1), call.integer(2)));
                });
  api.AddAction(
      "act.turn_wheel", "Turns the mouse's wheel at this tick.",
      {action, IntegerParameter("x", "120ths of a step to the right"),
       IntegerParameter("y", "120ths of a step away from the player")},
      [](ScriptCall& call) {
        return Refused(ActionsOf(call).TurnWheel(
            call.string(0), call.integer(1), call.integer(2)));
      });
  api.AddAction("act.touch", "Puts a finger on the view, or moves it.",
                {action, IntegerParameter("finger", "its number from 0"),
                 NumberParameter("x", "from the left", "", 0.0, 1.0),
                 NumberParameter("y", "from the top", "", 0.0, 1.0),
                 NumberParameter("pressure", "how hard", "", 0.0, 1.0)},
                [](ScriptCall& call) {
                  return Refused(ActionsOf(call).Touch(
                      call.string(0), call.integer(1), call.number(2),
                      call.number(3), call.number(4)));
                });
  api.AddAction(
      "act.lift", "Lifts a finger.",
      {action, IntegerParameter("finger", "its number")}, [](ScriptCall& call) {
        return Refused(ActionsOf(call).Lift(call.string(0), call.integer(1)));
      });
  api.AddAction(
      "act.tilt", "Holds the device as a motion sensor measures.",
      {action, VectorParameter("acceleration", "in the device's axes", "m/s^2"),
       VectorParameter("spin", "in the device's axes", "rad/s")},
      [](ScriptCall& call) {
        return Refused(ActionsOf(call).Tilt(call.string(0), call.vector(1),
                                            call.vector(2)));
      });
  api.AddAction(
      "act.say", "Enters text at this tick.",
      {action, TextParameter("text", "UTF-8")}, [](ScriptCall& call) {
        return Refused(ActionsOf(call).Say(call.string(0), call.string(1)));
      });
}

// `give` is what becomes of the second argument.
void AddGiving(BotFunctions& api, const std::string& name,
               ScriptParameter parameter, ScriptNative native) {
  api.AddAction(name, "Gives the last command an argument.",
                {TextParameter("argument", "its name"), std::move(parameter)},
                native);
}

void AddCommands(BotFunctions& api) {
  api.AddAction(
      "act.command", "Begins a command; its arguments are given behind it.",
      {TextParameter("action", "an action of the pack")}, [](ScriptCall& call) {
        return Refused(ActionsOf(call).Command(call.string(0)));
      });
  AddGiving(
      api, "act.give_boolean",
      {.name = "value", .type = ScriptType::kBoolean, .help = "which"},
      [](ScriptCall& call) {
        return Refused(ActionsOf(call).Give(call.string(0), call.boolean(1)));
      });
  AddGiving(
      api, "act.give_integer", IntegerParameter("value", "which"),
      [](ScriptCall& call) {
        return Refused(ActionsOf(call).Give(call.string(0), call.integer(1)));
      });
  AddGiving(
      api, "act.give_number",
      {.name = "value", .type = ScriptType::kNumber, .help = "which"},
      [](ScriptCall& call) {
        return Refused(ActionsOf(call).Give(call.string(0), call.number(1)));
      });
  AddGiving(
      api, "act.give_text",
      TextParameter("value", "a text, a name, a choice or an object's name"),
      [](ScriptCall& call) {
        return Refused(
            ActionsOf(call).Give(call.string(0), std::string(call.string(1))));
      });
  AddGiving(
      api, "act.give_vector", VectorParameter("value", "three numbers", ""),
      [](ScriptCall& call) {
        return Refused(ActionsOf(call).Give(call.string(0), call.vector(1)));
      });
  AddGiving(api, "act.give_vector2",
            VectorParameter("value", "of which x and y count", ""),
            [](ScriptCall& call) {
              const Vector3 value = call.vector(1);
              return Refused(ActionsOf(call).Give(
                  call.string(0), Vector2{.x = value.x, .y = value.y}));
            });
  AddGiving(
      api, "act.give_turns",
      VectorParameter("value", "turns about x, then y, then z", "degrees"),
      [](ScriptCall& call) {
        return Refused(ActionsOf(call).Give(call.string(0),
                                            Turns{.degrees = call.vector(1)}));
      });
}

}  // namespace

void AddActFunctions(BotFunctions& api) {
  AddDevices(api);
  AddCommands(api);
}

}  // namespace reprise::sim
