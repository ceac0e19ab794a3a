// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Functions of scripts about what all objects share: the objects that there
// are, time and chance.

#include <algorithm>
#include <bit>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "sim/physics/definition/physics_bounds.h"
#include "sim/systems/scripts/script_functions.h"
#include "sim/systems/scripts/script_properties.h"
#include "sim/world/components/object_rows.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kStream = "script";

// No world lives to see more; a double holds each.
constexpr double kSerialMax = 0x1p53;

// What it takes to bring an object into the world when the tick ends.
constexpr int64_t kSpawnInstructions = 50;

absl::Status Spawn(ScriptCall& call) {
  ScriptPlace& place = PlaceOf(call);
  call.Charge(kSpawnInstructions);
  ObjectRequest request{.archetype = IdOf(call.string(0)),
                        .name = call.has(2) ? IdOf(call.string(2)) : kNoId,
                        .set = std::move(place.settings)};
  place.settings = {};
  if (request.name != kNoId) KeepWord(call, 2);
  request.place.position = call.vector(1);
  if (call.has(3)) request.linear_velocity_m_s = call.vector(3);
  if (call.has(4)) {
    const absl::StatusOr<Quaternion> rotation = RotationOf(call.vector(4));
    if (!rotation.ok()) return rotation.status();
    request.place.rotation = *rotation;
  }
  if (call.has(5)) request.parent = call.handle(5);
  if (call.has(6)) request.is_attached = call.boolean(6);
  if (call.has(7)) request.is_dormant = call.boolean(7);
  if (call.has(8)) request.angular_velocity_rad_s = call.vector(8);
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
  const PropertyRef* const property = place.properties.Find(call.string(0));
  if (property == nullptr) return place.properties.WhyNot(call.string(0));
  absl::StatusOr<PropertyValue> value =
      ValueOf(call, place.context, property->type, call.arguments()[1]);
  if (!value.ok()) return value.status();
  auto setting = std::ranges::find_if(
      place.settings, [&](const ObjectRequest::Setting& each) {
        return each.property.offset == property->offset &&
               each.property.component == property->component;
      });
  if (setting == place.settings.end()) {
    setting = place.settings.insert(
        setting,
        {.property = *property,
         .value = property->capacity > 0 ? PropertyValue::ListOf(property->type)
                                         : *value});
  }
  if (property->capacity == 0) {
    setting->value = *std::move(value);
    return absl::OkStatus();
  }
  if (setting->value.size() >= property->capacity) {
    return absl::InvalidArgumentError(fmt::format(
        "'{}' holds at most {} values", call.string(0), property->capacity));
  }
  setting->value.Append(*value);
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

// A stream that is new is a row more.
uint64_t Draw(ScriptCall& call, Id stream) {
  const ScriptPlace& place = PlaceOf(call);
  const GrowthCharge charge(call, place.context.parts().tables.random_streams);
  const uint64_t draw = place.context.Random(place.object, stream);
  charge.Pay();
  return draw;
}

absl::Status RandomInteger(ScriptCall& call) {
  const int64_t low = call.integer(0);
  const int64_t high = call.integer(1);
  if (low > high) return absl::InvalidArgumentError("'low' is above 'high'");
  const Id stream = StreamOf(call, 2);
  const uint64_t count =
      static_cast<uint64_t>(high) - static_cast<uint64_t>(low) + 1;
  // All 64 bits, or as many whole rounds of `count` as fit: each as likely.
  const uint64_t excess = count == 0 ? 0 : (0 - count) % count;
  uint64_t draw = Draw(call, stream);
  while (draw < excess) draw = Draw(call, stream);
  const uint64_t offset = count == 0 ? draw : draw % count;
  call.Return(std::bit_cast<int64_t>(static_cast<uint64_t>(low) + offset));
  return absl::OkStatus();
}

absl::Status Attach(ScriptCall& call) {
  ScriptPlace& place = PlaceOf(call);
  AttachRequest request{.object = HandleOr(call, 1, {}),
                        .parent = call.handle(0),
                        .is_carried = !call.has(2) || call.boolean(2)};
  if (call.has(3)) {
    if (Length(call.vector(3)) > kPositionMaxM) {
      return absl::InvalidArgumentError("'position' is more than 1e6 m away");
    }
    const absl::StatusOr<Quaternion> rotation =
        RotationOf(call.has(4) ? call.vector(4) : Vector3{});
    if (!rotation.ok()) return rotation.status();
    request.place_on_parent = {.position = call.vector(3),
                               .rotation = *rotation};
  } else if (call.has(4)) {
    return absl::InvalidArgumentError("'rotation' is nothing without a place");
  }
  place.context.Attach(place.object, request);
  return absl::OkStatus();
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
      "world.by_serial",
      "Finds an object by its serial, as own.serial tells it.",
      {IntegerParameter("serial", "from 1", "", 1, kSerialMax)},
      MayGive(ScriptType::kHandle, "nil where there is none, or none any more"),
      [](ScriptCall& call) {
        const ObjectId object{static_cast<uint64_t>(call.integer(0))};
        const Handle found = PlaceOf(call).context.HandleOf(object);
        if (!found.is_null()) call.Return(found);
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
       Optional(VectorParameter("velocity", "of its body, if that is dynamic",
                                "m/s")),
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
                 .help = "whether it sleeps"}),
       Optional(VectorParameter("spin", "of its body, if that is dynamic",
                                "rad/s"))},
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
                         "out"}),
       Optional(VectorParameter(
           "position", "where on its parent; nil: where it is then", "m")),
       Optional(VectorParameter("rotation",
                                "how there: along the axis, as long as the "
                                "angle",
                                "rad"))},
      {}, &Attach,
      "the place is more than 1e6 m away; it turns by more than 1e9 rad, or "
      "there is no place to turn");
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
  functions.Add("world.random",
                "Draws a number from a stream that the object has.", {stream},
                Gives(ScriptType::kNumber, "0 or more, less than 1"),
                [](ScriptCall& call) {
                  call.Return(UnitOf(Draw(call, StreamOf(call, 0))));
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
      {IntegerParameter("numerator", "steps, at most 8 a tick", "", 0, 1000),
       IntegerParameter("denominator",
                        "in so many ticks, a divisor of 90090000", "", 1,
                        10000)},
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

void AddWorldFunctions(ScriptFunctions& functions) {
  AddObjects(functions);
  AddTimeAndChance(functions);
}

}  // namespace reprise::sim
