// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Functions of scripts about events and time: `event`, `timer`, `timeline`, and
// what the pack gives a script, `parameter`.

#include <algorithm>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "sim/base/nearest_name.h"
#include "sim/systems/scripts/script_functions.h"
#include "sim/systems/scripts/script_properties.h"
#include "sim/world/time/time_rate.h"
#include "sim/world/time/timeline.h"
#include "sim/world/time/timers.h"

namespace reprise::sim {
namespace {

constexpr double kPriorityMax = 1e9;

// What the numbers of a timeline's rate are (kTimelineRateMax, kTickParts).
constexpr char kRateNumerator[] =
    "its ticks, at most 1000 forth or back for each of the game";
constexpr char kRateDenominator[] =
    "in so many of the game, a divisor of 90090000";
static_assert(kTimelineRateMax == 1000 && kTickParts == 90'090'000);

// Why no script may send it, or not with what it gives.
constexpr char kNoEvent[] =
    "the pack has no such event, or the world alone sends it; it has no such "
    "argument, or one of another type";

// What the call has given, in the types that are declared. The next event has
// none of them.
absl::StatusOr<EventArguments> TakeArguments(ScriptPlace& place,
                                             std::string_view event) {
  std::optional<EventArguments> given;
  std::swap(given, place.arguments);
  absl::Status status = place.event_types.Check(event);
  if (!status.ok()) return status;
  EventArguments taken;
  if (!given.has_value()) return taken;
  std::swap(taken, *given);
  status = place.event_types.Fit(
      event, taken, place.context.parts().router->receivers(),
      [&](Id id) { return place.context.TextOf(id); });
  if (!status.ok()) return status;
  return taken;
}

absl::Status Give(ScriptCall& call) {
  ScriptPlace& place = PlaceOf(call);
  const absl::StatusOr<FieldValue> value =
      ScalarOf(call, place.context, call.arguments()[1]);
  if (!value.ok()) return value.status();
  const Id name = KeepWord(call, 0);
  if (!place.arguments.has_value()) place.arguments.emplace();
  const absl::Status status = place.arguments->Set(name, *value);
  if (status.ok()) return status;
  return absl::InvalidArgumentError(fmt::format(
      "argument '{}': {}", call.string(0), std::string(status.message())));
}

absl::Status GetArgument(ScriptCall& call) {
  const ScriptPlace& place = PlaceOf(call);
  if (place.event == nullptr) return absl::OkStatus();
  const EventArgument* const argument =
      place.event->arguments.Find(IdOf(call.string(0)));
  if (argument == nullptr) return absl::OkStatus();
  ReturnScalar(call, place.context, argument->value);
  return absl::OkStatus();
}

absl::Status StartTimer(ScriptCall& call) {
  ScriptPlace& place = PlaceOf(call);
  const absl::Status allowed =
      place.event_types.CheckGiven(call.string(1), "timer", ScalarType::kId);
  if (!allowed.ok()) return allowed;
  const TimerStart start{
      .name = KeepWord(call, 0),
      .delay = static_cast<Tick>(call.integer(2)),
      .period = static_cast<Tick>(IntegerOr(call, 3, 0)),
      .firings = static_cast<uint64_t>(IntegerOr(call, 4, 0)),
      .event = KeepWord(call, 1),
      .priority = IntegerOr(call, 5, 0)};
  const GrowthCharge charge(call, place.context.parts().tables.timers.timers);
  const absl::Status status = place.context.StartTimer(place.object, start);
  charge.Pay();
  return Refused(status);
}

// What argument 0 of the call names.
std::optional<TimerRow> TimerOf(const ScriptCall& call) {
  const ScriptPlace& place = PlaceOf(call);
  return place.context.Timer(place.object, IdOf(call.string(0)));
}
std::optional<TimelineRow> TimelineOf(const ScriptCall& call) {
  const ScriptPlace& place = PlaceOf(call);
  return place.context.Timeline(place.object, IdOf(call.string(0)));
}

// Gives back a part of a row; nil where there is no row.
template <typename Row, typename Part>
absl::Status ReturnOf(ScriptCall& call, const std::optional<Row>& row,
                      const Part& part) {
  if (row.has_value()) call.Return(part(*row));
  return absl::OkStatus();
}

absl::Status StartTimeline(ScriptCall& call) {
  ScriptPlace& place = PlaceOf(call);
  TimelineStart start{.name = KeepWord(call, 0),
                      .duration = static_cast<Tick>(call.integer(1)),
                      .rate = {.numerator = IntegerOr(call, 3, 1),
                               .denominator = IntegerOr(call, 4, 1)}};
  if (call.has(2)) {
    const auto* const mode = std::ranges::find(
        kTimelineModeNames, call.string(2),
        [](const ValueName& each) { return std::string_view(each.name); });
    if (mode == kTimelineModeNames.end()) {
      return absl::InvalidArgumentError(
          fmt::format("'{}' is not clamp, loop or ping_pong", call.string(2)));
    }
    start.mode = static_cast<TimelineMode>(mode->value);
  }
  const std::vector<TimelineMark> marks = std::move(place.marks);
  place.marks = {};
  if (!marks.empty() && !place.use.marks_timelines) {
    return absl::InvalidArgumentError(
        fmt::format("{} doesn't say `marks_timelines = true`", place.use.file));
  }
  const GrowthCharge charge(call, place.context.parts().tables.timelines);
  const absl::Status status =
      place.context.StartTimeline(place.object, start, marks);
  charge.Pay();
  return Refused(status);
}

// Parts of `ticks`, which the descriptions bound.
int64_t PartsOf(double ticks) {
  return static_cast<int64_t>(ticks * static_cast<double>(kTickParts));
}

absl::Status GetParameter(ScriptCall& call) {
  const ScriptPlace& place = PlaceOf(call);
  for (const ScriptParameterValue& parameter : place.use.parameters) {
    if (parameter.name == call.string(0)) {
      ReturnValue(call, place.context, parameter.value, 0);
      return absl::OkStatus();
    }
  }
  std::vector<std::string_view> names;
  for (const ScriptParameterValue& parameter : place.use.parameters) {
    names.push_back(parameter.name);
  }
  return absl::InvalidArgumentError(
      fmt::format("{} declares no parameter '{}'{}", place.use.file,
                  call.string(0), DidYouMean(call.string(0), names)));
}

ScriptParameter Delay() {
  return IntegerParameter("delay", "until it comes; 0: in this one", "ticks", 0,
                          kScriptTicksMax);
}

void AddHearing(ScriptFunctions& functions) {
  functions.Add("event.type", "Tells which event is handled.", {},
                MayGive(ScriptType::kString, "nil outside of handlers"),
                [](ScriptCall& call) {
                  const ScriptPlace& place = PlaceOf(call);
                  if (place.event == nullptr) return absl::OkStatus();
                  const std::string name =
                      place.context.TextOf(place.event->type);
                  call.Return(std::string_view(name));
                  return absl::OkStatus();
                });
  functions.Add("event.sender", "Gives whoever sent the event.", {},
                MayGive(ScriptType::kHandle, "nil for the world"),
                [](ScriptCall& call) {
                  const ScriptPlace& place = PlaceOf(call);
                  if (place.event != nullptr) call.Return(place.event->sender);
                  return absl::OkStatus();
                });
  functions.Add("event.get", "Reads an argument of the event.",
                {TextParameter("name", "the argument's")},
                MayGive(ScriptType::kAny, "nil where the event lacks it"),
                &GetArgument);
  functions.Add(
      "event.listen",
      "Wants the events of a type that are sent to nobody in "
      "particular, from now on.",
      {TextParameter("type", "the event's"),
       Optional(IntegerParameter("priority", "who has more hears of it first",
                                 "", -kPriorityMax, kPriorityMax))},
      {},
      [](ScriptCall& call) {
        ScriptPlace& place = PlaceOf(call);
        const GrowthCharge charge(
            call, place.context.parts().tables.events.interests);
        const absl::Status status = place.context.Listen(
            place.object, KeepWord(call, 0), IntegerOr(call, 1, 0));
        charge.Pay();
        return Refused(status);
      },
      "the object listens to too much");
  functions.Add("event.ignore", "No longer wants the events of a type.",
                {TextParameter("type", "the event's")}, {},
                [](ScriptCall& call) {
                  ScriptPlace& place = PlaceOf(call);
                  place.context.Ignore(place.object, IdOf(call.string(0)));
                  return absl::OkStatus();
                });
}

void AddSending(ScriptFunctions& functions) {
  functions.Add("event.give",
                "Gives the next event that this call posts or sends an "
                "argument, at most 8 of them.",
                {TextParameter("name", "the argument's"),
                 {.name = "value",
                  .type = ScriptType::kAny,
                  .help = "no vector: give its x, y and z"}},
                {}, &Give,
                "the value is a vector, or a string of more than 256 bytes; "
                "there are too many");
  functions.Add(
      "event.send",
      "Has an event delivered when all objects of the bucket are updated, "
      "before the next bucket is; from a handler, after those that wait: "
      "scripts don't run within each other.",
      {TextParameter("type", "the event's"),
       {.name = "target", .type = ScriptType::kHandle, .help = "whom"}},
      {},
      [](ScriptCall& call) {
        ScriptPlace& place = PlaceOf(call);
        const absl::StatusOr<EventArguments> arguments =
            TakeArguments(place, call.string(0));
        if (!arguments.ok()) return arguments.status();
        const Id type = KeepWord(call, 0);
        if (place.is_update) {
          place.context.Send(place.object, call.handle(1), type, *arguments);
        } else {
          place.context.Post(place.object, call.handle(1), type, *arguments);
        }
        return absl::OkStatus();
      },
      kNoEvent);
  functions.Add(
      "event.post", "Posts an event.",
      {TextParameter("type", "the event's"),
       Optional({.name = "target",
                 .type = ScriptType::kHandle,
                 .help = "whom it is for; nil: all with interest"}),
       Optional(Delay()),
       Optional(IntegerParameter("priority",
                                 "of those due in a tick the highest comes "
                                 "first",
                                 "", -kPriorityMax, kPriorityMax))},
      Gives(ScriptType::kBoolean, "false when too many wait"),
      [](ScriptCall& call) {
        ScriptPlace& place = PlaceOf(call);
        const absl::StatusOr<EventArguments> arguments =
            TakeArguments(place, call.string(0));
        if (!arguments.ok()) return arguments.status();
        const Id type = KeepWord(call, 0);
        call.Return(place.context.Post(
            place.object, call.has(1) ? call.handle(1) : Handle{}, type,
            *arguments, static_cast<Tick>(IntegerOr(call, 2, 0)),
            IntegerOr(call, 3, 0)));
        return absl::OkStatus();
      },
      kNoEvent);
}

void AddTimers(ScriptFunctions& functions) {
  const ScriptParameter name = TextParameter("name", "the timer's");
  functions.Add(
      "timer.start", "Starts a timer of the object in place of one so called.",
      {name, TextParameter("event", "what it sends the object"),
       IntegerParameter("delay", "until it first fires", "ticks", 1,
                        kScriptTicksMax),
       Optional(IntegerParameter("period",
                                 "from one firing to the next; 0: it fires "
                                 "once",
                                 "ticks", 0, kScriptTicksMax)),
       Optional(IntegerParameter("firings", "how many; 0: without end", "", 0,
                                 kScriptTicksMax)),
       Optional(IntegerParameter("priority",
                                 "of those due in a tick the highest comes "
                                 "first",
                                 "", -kPriorityMax, kPriorityMax))},
      {}, &StartTimer,
      "there are too many timers; the pack has no such event, the world alone "
      "sends it, or its argument `timer` is no name");
  functions.Add("timer.stop", "Stops a timer.", {name},
                Gives(ScriptType::kBoolean, "whether there was one"),
                [](ScriptCall& call) {
                  ScriptPlace& place = PlaceOf(call);
                  call.Return(place.context.StopTimer(place.object,
                                                      IdOf(call.string(0))));
                  return absl::OkStatus();
                });
  functions.Add(
      "timer.due_in", "Tells when a timer fires next.", {name},
      MayGive(ScriptType::kInteger, "nil when there is none", "ticks"),
      [](ScriptCall& call) {
        const ScriptPlace& place = PlaceOf(call);
        const std::optional<Tick> due =
            place.context.TimerDueIn(place.object, IdOf(call.string(0)));
        if (due.has_value()) call.Return(static_cast<int64_t>(*due));
        return absl::OkStatus();
      });
  functions.Add("timer.period",
                "Tells the time from one firing of a timer to the next.",
                {name},
                MayGive(ScriptType::kInteger,
                        "0: it fires once; nil when there is none", "ticks"),
                [](ScriptCall& call) {
                  return ReturnOf(call, TimerOf(call), [](const TimerRow& row) {
                    return static_cast<int64_t>(row.period);
                  });
                });
  functions.Add(
      "timer.firings", "Tells how often a timer is still to fire.", {name},
      MayGive(ScriptType::kInteger, "0: without end; nil when there is none"),
      [](ScriptCall& call) {
        return ReturnOf(call, TimerOf(call), [](const TimerRow& row) {
          return static_cast<int64_t>(row.remaining);
        });
      });
}

void AddTimelines(ScriptFunctions& functions) {
  const ScriptParameter name = TextParameter("name", "the timeline's");
  const std::string none = "there is no such timeline, or none could be so";
  functions.Add(
      "timeline.mark",
      "Gives the next timeline that this call starts a place of which it tells "
      "the object.",
      {NumberParameter("at", "from its start", "ticks", 0, kScriptTicksMax),
       TextParameter("event", "what it sends")},
      {},
      [](ScriptCall& call) {
        ScriptPlace& place = PlaceOf(call);
        absl::Status allowed = place.event_types.CheckGiven(
            call.string(1), "timeline", ScalarType::kId);
        if (!allowed.ok()) return allowed;
        place.marks.push_back(
            {.at_parts = PartsOf(call.number(0)), .event = KeepWord(call, 1)});
        return allowed;
      },
      "the pack has no such event, the world alone sends it, or its argument "
      "`timeline` is no name");
  functions.Add(
      "timeline.start",
      "Starts a timeline of the object in place of one so called.",
      {name,
       IntegerParameter("duration", "from its start to its end", "ticks", 1,
                        kScriptTicksMax),
       Optional(TextParameter("mode",
                              "clamp, loop or ping_pong; clamp if left "
                              "out")),
       Optional(IntegerParameter("numerator", kRateNumerator, "", -1e6, 1e6)),
       Optional(IntegerParameter("denominator", kRateDenominator, "", 1, 1e6))},
      {}, &StartTimeline,
      "no timeline could be so, there are too many, or its marks are");
  functions.Add("timeline.time", "Tells where a timeline is.", {name},
                MayGive(ScriptType::kNumber, "nil when there is none", "ticks"),
                [](ScriptCall& call) {
                  const ScriptPlace& place = PlaceOf(call);
                  const std::optional<TimelineRow> row = place.context.Timeline(
                      place.object, IdOf(call.string(0)));
                  if (row.has_value()) {
                    call.Return(LocalTicks(*row, place.context.tick()));
                  }
                  return absl::OkStatus();
                });
  functions.Add(
      "timeline.duration", "Tells how long a timeline is.", {name},
      MayGive(ScriptType::kInteger, "nil when there is none", "ticks"),
      [](ScriptCall& call) {
        return ReturnOf(call, TimelineOf(call), [](const TimelineRow& row) {
          return static_cast<int64_t>(row.duration);
        });
      });
  functions.Add("timeline.rate", "Tells how fast a timeline goes.", {name},
                MayGive(ScriptType::kNumber,
                        "its ticks for each of the game; nil when there is "
                        "none"),
                [](ScriptCall& call) {
                  return ReturnOf(
                      call, TimelineOf(call), [](const TimelineRow& row) {
                        return static_cast<double>(row.rate_numerator) /
                               static_cast<double>(row.rate_denominator);
                      });
                });
  functions.Add("timeline.is_paused", "Tells whether a timeline stands still.",
                {name}, MayGive(ScriptType::kBoolean, "nil when there is none"),
                [](ScriptCall& call) {
                  return ReturnOf(call, TimelineOf(call),
                                  [](const TimelineRow& row) {
                                    return row.is_paused != 0;
                                  });
                });
  functions.Add(
      "timeline.pause", "Stops a timeline where it is.", {name}, {},
      [](ScriptCall& call) {
        ScriptPlace& place = PlaceOf(call);
        return Refused(
            place.context.PauseTimeline(place.object, IdOf(call.string(0))));
      },
      none);
  functions.Add(
      "timeline.resume", "Lets a timeline go on.", {name}, {},
      [](ScriptCall& call) {
        ScriptPlace& place = PlaceOf(call);
        return Refused(
            place.context.ResumeTimeline(place.object, IdOf(call.string(0))));
      },
      none);
  functions.Add(
      "timeline.set_rate", "Changes a timeline's rate.",
      {name, IntegerParameter("numerator", kRateNumerator, "", -1e6, 1e6),
       Optional(IntegerParameter("denominator", kRateDenominator, "", 1, 1e6))},
      {},
      [](ScriptCall& call) {
        ScriptPlace& place = PlaceOf(call);
        return Refused(place.context.SetTimelineRate(
            place.object, IdOf(call.string(0)),
            {.numerator = call.integer(1),
             .denominator = IntegerOr(call, 2, 1)}));
      },
      none);
  functions.Add(
      "timeline.seek", "Goes to a place of a timeline.",
      {name,
       NumberParameter("to", "from its start", "ticks", 0, kScriptTicksMax)},
      {},
      [](ScriptCall& call) {
        ScriptPlace& place = PlaceOf(call);
        return Refused(place.context.SeekTimeline(
            place.object, IdOf(call.string(0)), PartsOf(call.number(1))));
      },
      none);
  functions.Add("timeline.stop", "Takes a timeline away.", {name},
                Gives(ScriptType::kBoolean, "whether there was one"),
                [](ScriptCall& call) {
                  ScriptPlace& place = PlaceOf(call);
                  call.Return(place.context.StopTimeline(place.object,
                                                         IdOf(call.string(0))));
                  return absl::OkStatus();
                });
}

}  // namespace

void AddEventFunctions(ScriptFunctions& functions) {
  AddHearing(functions);
  AddSending(functions);
  AddTimers(functions);
  AddTimelines(functions);
  functions.Add("parameter.get", "Gives a parameter of the script.",
                {TextParameter("name", "as the script declares it")},
                Gives(ScriptType::kAny, "its value"), &GetParameter,
                "the script declares no such parameter");
}

}  // namespace reprise::sim
