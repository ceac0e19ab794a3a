// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tests/world/script_api_programs.h"

#include <array>
#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/base/digest.h"
#include "sim/compiler/pack_compiler.h"
#include "sim/compiler/testing_packs.h"
#include "sim/pack_archive.h"
#include "sim/script/functions/script_api.h"
#include "sim/script/functions/script_function.h"
#include "sim/simulation.h"
#include "sim/systems/scripts/script_functions.h"

namespace reprise::sim {
namespace {

constexpr int kTicks = 6;

constexpr std::string_view kPack = R"pb(
  name: "api"
  components {
    name: "all"
    properties { name: "flag" type: TYPE_BOOLEAN }
    properties { name: "whole" type: TYPE_INTEGER minimum: -5 maximum: 1000000 }
    properties { name: "number" type: TYPE_NUMBER }
    properties { name: "text" type: TYPE_TEXT }
    properties { name: "name" type: TYPE_NAME }
    properties {
      name: "choice"
      type: TYPE_CHOICE
      choices: "red"
      choices: "green"
    }
    properties { name: "flat" type: TYPE_VECTOR2 }
    properties { name: "point" type: TYPE_VECTOR3 }
    properties { name: "turn" type: TYPE_ROTATION }
    properties { name: "friend" type: TYPE_REFERENCE }
    properties { name: "list" type: TYPE_INTEGER list_max: 3 }
  }
  events {
    name: "ring"
    arguments { name: "timer" type: TYPE_NAME optional: true }
  }
  events {
    name: "tick"
    arguments { name: "timer" type: TYPE_NUMBER }
  }
  events {
    name: "hit"
    arguments { name: "loud" type: TYPE_NUMBER optional: true }
    arguments { name: "count" type: TYPE_INTEGER optional: true }
    arguments { name: "who" type: TYPE_REFERENCE optional: true }
    arguments { name: "yes" type: TYPE_BOOLEAN optional: true }
    arguments { name: "how" type: TYPE_NAME optional: true }
  }
  players {
    count: 2
    actions { name: "south" button: 0 }
    actions { name: "lean" axis: 0 }
    actions {
      name: "aim"
      pointer {}
    }
    actions {
      name: "look"
      mouse_motion {}
    }
    actions {
      name: "zoom"
      wheel {}
    }
    actions {
      name: "tap"
      touch { touches_max: 2 }
    }
    actions {
      name: "tilt"
      motion_sensor {}
    }
    actions {
      name: "shout"
      command { arguments { name: "volume" maximum: 9 } }
    }
    commands_per_tick_max: 1
  }
  controls {
    controls { name: "jump" }
    contexts {
      name: "play"
      bindings {
        name: "jump"
        control: "jump"
        button { action: "south" }
      }
    }
  }
  layers { name: "night" disabled: true }
  paths {
    name: "line"
    points {}
    points { x: 6 }
  }
  navigation {
    grids { name: "yard" neighbours: NEIGHBOURS_FOUR rows: "...." rows: "...." }
    flow_fields {
      name: "home"
      grid: "yard"
      goal { x: 1.5 z: 0.5 }
    }
  }
  regions {
    name: "pond"
    volume { sphere { radius: 3 } }
  }
  limits { queued_events_max: 200 objects_max: 60 }
  types {
    name: "scripted"
    components { component: "all" }
    navigator { space: "yard" speed: 6 }
    behaviours { file: "main.lua" }
    interests { event: "hit" }
    interests { event: "region_entered" }
    timers { name: "t" event: "ring" delay_s: 0.02 period_s: 0.04 }
  }
  types {
    name: "quiet"
    components { component: "all" }
    body {
      motion: MOTION_DYNAMIC
      mass_kg: 1
      shapes { sphere { radius: 0.4 } }
    }
    behaviours { file: "main.lua" }
  }
  types {
    name: "fixed"
    components { component: "all" }
    body {
      motion: MOTION_KINEMATIC
      shapes { box { half_extents { x: 1 y: 1 z: 1 } } }
    }
    behaviours { file: "main.lua" }
  }
  objects {
    name: "one"
    type: "scripted"
    position { x: 0.5 z: 0.5 }
  }
  objects {
    name: "child"
    type: "scripted"
    position { x: 1 }
    parent: "one"
    attached: true
  }
  objects {
    name: "two"
    type: "quiet"
    position { y: 3 }
  }
  objects {
    name: "three"
    type: "fixed"
    position { x: 5 }
  }
  connections {
    name: "a"
    event: "hit"
    if: "loud > 3 or count < 2"
    then { add { object: "two" property: "all.whole" amount: "count" } }
  }
  connections {
    name: "b"
    event: "hit"
    if: "yes"
    then { set { object: "two" property: "all.number" to: "loud * count" } }
  }
  connections {
    name: "c"
    event: "hit"
    if: "who.all.whole >= 0"
    then { set { object: "who" property: "all.whole" to: "loud" } }
  }
  connections {
    name: "d"
    event: "hit"
    then { set { object: "two" property: "all.friend" to: "who" } }
  }
  connections {
    name: "e"
    event: "hit"
    then { set { object: "sender" property: "all.text" to: "how" } }
  }
  connections {
    name: "f"
    event: "hit"
    target_participant: "who"
    send: "hit"
    delay_s: 0.02
    pass { from: "loud" to: "loud" }
  }
  connections {
    name: "g"
    event: "ring"
    if: "timer == 't'"
    then { spawn { object: "two" archetype: "quiet" } }
  }
)pb";

// What arguments are chosen from, by their types; the last four are wrong
// almost everywhere.
constexpr auto kStrings = std::to_array<std::string_view>({"'all.flag'",
                                                           "'all.whole'",
                                                           "'all.number'",
                                                           "'all.text'",
                                                           "'all.name'",
                                                           "'all.choice'",
                                                           "'all.flat'",
                                                           "'all.point'",
                                                           "'all.turn'",
                                                           "'all.friend'",
                                                           "'all.list'",
                                                           "'navigator.goal'",
                                                           "'ring'",
                                                           "'tick'",
                                                           "'hit'",
                                                           "'shout'",
                                                           "'destroy'",
                                                           "'sleep'",
                                                           "'wake'",
                                                           "'navigate'",
                                                           "'change_cell'",
                                                           "'move_flow_goal'",
                                                           "'damage'",
                                                           "'layer_on'",
                                                           "'script_failed'",
                                                           "'region_entered'",
                                                           "'loud'",
                                                           "'count'",
                                                           "'who'",
                                                           "'yes'",
                                                           "'how'",
                                                           "'timer'",
                                                           "'x'",
                                                           "'z'",
                                                           "'grid'",
                                                           "'weight'",
                                                           "'yard'",
                                                           "'home'",
                                                           "'line'",
                                                           "'night'",
                                                           "'pond'",
                                                           "'south'",
                                                           "'lean'",
                                                           "'jump'",
                                                           "'scripted'",
                                                           "'quiet'",
                                                           "'fixed'",
                                                           "'all'",
                                                           "'one'",
                                                           "'two'",
                                                           "'child'",
                                                           "'t'",
                                                           "'red'",
                                                           "'clamp'",
                                                           "'loop'",
                                                           "'ping_pong'",
                                                           "''",
                                                           "'nobody'",
                                                           "('y'):rep(300)",
                                                           "'\\xff'"});
constexpr auto kIntegers = std::to_array<std::string_view>(
    {"0", "1", "2", "3", "5", "60", "-1", "1000000000", "math.maxinteger",
     "math.mininteger"});
constexpr auto kNumbers = std::to_array<std::string_view>(
    {"0.0", "0.5", "1", "-1.5", "2", "3.25", "1e9", "-1e18", "1e300",
     "-1.7e308", "5e-324"});
constexpr auto kVectors = std::to_array<std::string_view>(
    {"vector()", "vector(1, 0, 0)", "vector(0, 3, 0)", "vector(0.5, 0, 0.5)",
     "vector(-2, 1, 7)", "vector(1e6, 0, 0)", "vector(1e200, -1e300, 1e308)",
     "vector(-1.7e308, 1.7e308, 0)", "vector(5e-324, 0, 0)"});
constexpr auto kHandles = std::to_array<std::string_view>(
    {"own.handle()", "world.find('two')", "world.find('three')",
     "world.find('child')", "own.parent()", "query.object(1)", "made",
     "event.sender()"});
constexpr auto kBooleans = std::to_array<std::string_view>({"true", "false"});
constexpr auto kWrong =
    std::to_array<std::string_view>({"nil", "{}", "print", "0 / 0"});

constexpr auto kHooks = std::to_array<std::string_view>(
    {"spawn", "update", "after_physics", "destroyed", "ring", "hit",
     "region_entered"});

class Chooser {
 public:
  explicit Chooser(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  bool is_at_end() const { return bytes_.empty(); }

  // 0 to count - 1.
  size_t Below(size_t count) {
    if (bytes_.empty()) return 0;
    size_t number = bytes_.front();
    bytes_ = bytes_.subspan(1);
    if (count > 256 && !bytes_.empty()) {
      number = 256 * number + bytes_.front();
      bytes_ = bytes_.subspan(1);
    }
    return number % count;
  }

  std::string_view Of(std::span<const std::string_view> words) {
    return words[Below(words.size())];
  }

 private:
  std::span<const uint8_t> bytes_;
};

std::string ArgumentOf(ScriptType type, Chooser& chooser) {
  // One of eight is of any type.
  if (chooser.Below(8) == 0 || type == ScriptType::kAny) {
    type = static_cast<ScriptType>(chooser.Below(7));
  }
  switch (type) {
    case ScriptType::kBoolean:
      return std::string(chooser.Of(kBooleans));
    case ScriptType::kInteger:
      return std::string(chooser.Of(kIntegers));
    case ScriptType::kNumber:
      return std::string(chooser.Of(kNumbers));
    case ScriptType::kString:
      // A word that stands in a call is looked up by whoever checks the pack.
      return fmt::format("tostring({})", chooser.Of(kStrings));
    case ScriptType::kVector:
      return std::string(chooser.Of(kVectors));
    case ScriptType::kHandle:
      return std::string(chooser.Of(kHandles));
    default:
      return std::string(chooser.Of(kWrong));
  }
}

std::string CallOf(Chooser& chooser) {
  const std::vector<ScriptFunction>& functions = WorldScriptApi()->functions();
  const ScriptFunction& function = functions[chooser.Below(functions.size())];
  std::string arguments;
  for (const ScriptParameter& parameter : function.parameters) {
    if (parameter.is_optional && chooser.Below(3) == 0) break;
    if (!arguments.empty()) arguments += ", ";
    arguments += ArgumentOf(parameter.type, chooser);
  }
  // Whatever was spawned or found is whom the next may be about.
  return fmt::format(
      "  pcall(function() local r = {}({}) if type(r) == 'handle' then made = "
      "r end end)\n",
      function.name, arguments);
}

}  // namespace

std::string ApiProgramOf(std::span<const uint8_t> bytes) {
  Chooser chooser(bytes);
  std::array<std::string, kHooks.size()> bodies;
  for (int call = 0; call < kApiCallsMax && !chooser.is_at_end(); ++call) {
    // Most are made in updates.
    const size_t hook =
        chooser.Below(2) == 0 ? 1 : chooser.Below(kHooks.size());
    bodies[hook] += CallOf(chooser);
  }
  std::string source =
      "local M = { reads_others = true, queries = true, marks_timelines = "
      "true, on = {} }\n";
  for (size_t hook = 0; hook < kHooks.size(); ++hook) {
    source += fmt::format("function M{}.{}()\n  local made\n{}end\n",
                          hook < 4 ? "" : ".on", kHooks[hook], bodies[hook]);
  }
  return source + "return M\n";
}

void PlayApiProgram(const std::string& source) {
  PackArchive pack = PackOf(std::string(kPack));
  absl::Status status = pack.Add("main.lua", source);
  CHECK(status.ok(), "{}", status.ToString());
  auto world = CreateWorld(pack, 1);
  auto other = CreateWorld(pack, 1);
  CHECK(world.ok(), "{}: {}", world.status().ToString(), source);
  CHECK(other.ok(), "{}", other.status().ToString());
  for (int tick = 0; tick < kTicks; ++tick) {
    status = (*other)->Restore((*world)->state());
    CHECK(status.ok(), "tick {}: {}\n{}", tick, status.ToString(), source);
    (*world)->Step({}, nullptr);
    (*other)->Step({}, nullptr);
    CHECK((*world)->state().ComputeRootDigest() ==
              (*other)->state().ComputeRootDigest(),
          "tick {}\n{}", tick, source);
    (*world)->DrainEvents();
    (*other)->DrainEvents();
  }
}

}  // namespace reprise::sim
