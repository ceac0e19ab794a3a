// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The behaviours of the pack `lookout`: between them they ask the world for all
// that a behaviour can ask for, so that the battery holds it to the promises
// that it holds everything else to.

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/math.h"
#include "sim/systems/layers/layer_switching.h"
#include "sim/world/components/property_value.h"
#include "sim/world/components/world_names.h"
#include "sim/world/definition/behaviour.h"
#include "sim/world/time/timeline.h"
#include "sim/world/updates/update_context.h"
#include "sim/world/updates/world_queries.h"

namespace reprise::sim {
namespace {

constexpr Id kAlarm = IdOf("alarm");
constexpr Id kProbed = IdOf("lookout_probed");
constexpr Id kSighted = IdOf("lookout_sighted");
constexpr Id kRally = IdOf("lookout_rally");
constexpr Id kBell = IdOf("lookout_bell");
constexpr Id kRelieved = IdOf("lookout_relieved");
constexpr Id kLost = IdOf("lookout_lost");
constexpr Id kRaider = IdOf("raider");

// A number in 0..1 of the object's own stream.
double Draw(UpdateContext& context, uint32_t i, Id stream) {
  return static_cast<double>(context.Random(i, stream) >> 11) * 0x1p-53;
}

// Finds properties until one is missing.
class PropertyFinder {
 public:
  PropertyFinder(const BehaviourBinder& binder, std::string_view component)
      : binder_(binder), component_(component) {}

  void Find(std::string_view name, PropertyType type, PropertyRef& found) {
    if (!status_.ok()) return;
    status_ = binder_.Property(component_, name, type, found);
  }
  void FindOfOthers(std::string_view name, PropertyType type,
                    PropertyRef& found) {
    if (!status_.ok()) return;
    status_ = binder_.PropertyOfOthers(component_, name, type, found);
  }
  absl::Status status() const { return status_; }

 private:
  const BehaviourBinder& binder_;
  std::string_view component_;
  absl::Status status_;
};

class WatchBehaviour : public Behaviour {
 public:
  absl::Status Bind(const BehaviourBinder& binder) override {
    PropertyFinder finder(binder, "watch");
    finder.Find("range", PropertyType::kDouble, range_);
    finder.Find("sighted", PropertyType::kInt, sighted_);
    finder.Find("asked", PropertyType::kInt, asked_);
    finder.Find("answered", PropertyType::kInt, answered_);
    finder.Find("is_alert", PropertyType::kBool, is_alert_);
    finder.Find("mark", PropertyType::kReference, mark_);
    finder.Find("seen_at", PropertyType::kVector3, seen_at_);
    return finder.status();
  }

 protected:
  static void Add(UpdateContext& context, uint32_t i, const PropertyRef& count,
                  int64_t more) {
    context.SetInt(i, count, context.Int(i, count) + more);
  }

  PropertyRef range_;
  PropertyRef sighted_;
  PropertyRef asked_;
  PropertyRef answered_;
  PropertyRef is_alert_;
  PropertyRef mark_;
  PropertyRef seen_at_;
};

// Looks for raiders in every way there is, keeps the nearest that it sees in
// mind, and tells its parent of it.
class Sweep final : public WatchBehaviour {
 public:
  void UpdateBeforePhysics(UpdateContext& context) const override {
    for (uint32_t i = 0; i < context.object_count(); ++i) Update(context, i);
  }
  Hooks hooks() const override {
    return {.before_physics = true, .queries = true};
  }

 private:
  void Update(UpdateContext& context, uint32_t i) const {
    const WorldQueries& queries = context.queries();
    const Vector3 place = context.Place(i).position;
    const double range = context.Number(i, range_);
    const ObjectCriteria raiders{.type = kRaider, .except = context.handle(i)};
    const ObjectCriteria strayed{
        .component = IdOf("watch"),
        .test = PropertyTest{.property = asked_,
                             .comparison = Comparison::kAtLeast,
                             .value = 2.0}};
    size_t count =
        queries.FindInSphere({.center = place, .radius = range}, raiders)
            .size();
    count += queries
                 .FindInCone({.apex = place,
                              .axis = {0.0, 0.0, 1.0},
                              .half_angle_rad = 0.6,
                              .length = range},
                             raiders)
                 .size();
    count += queries
                 .FindInBox({.center = place,
                             .half_extents = {range, 3.0, 2.0},
                             .rotation = {}},
                            strayed)
                 .size();
    count +=
        queries
            .FindAlong({.start = place, .end = place + Vector3{0, 0, range}},
                       raiders)
            .size();
    Add(context, i, sighted_, static_cast<int64_t>(count));
    context.SetBool(i, is_alert_, count > 0);

    Handle mark;
    for (const FoundObject& near : queries.FindNearest(place, 3, raiders)) {
      if (!queries.HasLineOfSight(context.handle(i), near.handle)) continue;
      mark = near.handle;
      break;
    }
    context.SetReference(i, mark_, mark);
    if (mark.is_null()) return;
    // From an update it waits for the end of the bucket.
    context.Send(i, context.parent(i), kSighted,
                 {{IdOf("raider"), FieldValue::OfHandle(mark)}});
  }
};
REPRISE_REGISTER_BEHAVIOUR(lookout_sweep, "lookout_sweep", Sweep);
REPRISE_REGISTER_EVENT(lookout_sighted,
                       {.name = "lookout_sighted",
                        .sender = "a sentry",
                        .receiver = "its tower",
                        .when = "it sees a raider",
                        .arguments = {{"raider", ScalarType::kHandle, ""}}});

// Asks for rays whose answers come later, and reads whom it marked when they
// come: at the start of a tick, when others may have gone since.
class Probe final : public WatchBehaviour {
 public:
  void UpdateBeforePhysics(UpdateContext& context) const override {
    for (uint32_t i = 0; i < context.object_count(); ++i) {
      const Vector3 from = context.Place(i).position;
      const double across = Draw(context, i, IdOf("aim")) - 0.5;
      const Tick delay = 1 + context.Random(i, IdOf("delay")) % 7;
      const std::optional<uint64_t> request = context.RequestRay(
          i, from, from + Vector3{20.0 * across, -1.2, 20.0}, delay, kProbed);
      if (request.has_value()) Add(context, i, asked_, 1);
    }
  }
  bool OnEvent(UpdateContext& context, const WorldEvent& event) const override {
    if (event.type != kProbed) return false;
    Add(context, 0, answered_, 1);
    const auto hit = event.arguments.GetDouble(IdOf("z"));
    if (!hit.ok()) return true;
    const Handle mark = context.Reference(0, mark_);
    const std::optional<Transform> place =
        mark.is_null() ? std::nullopt
                       : context.ReadPlace(0, mark, ReadTime::kLastTick);
    context.SetVector(
        0, seen_at_,
        place.has_value() ? place->position : Vector3{0.0, 0.0, *hit});
    return true;
  }
  Hooks hooks() const override {
    return {.before_physics = true,
            .on_event = true,
            .reads_others = true,
            .queries = true};
  }
};
REPRISE_REGISTER_BEHAVIOUR(lookout_probe, "lookout_probe", Probe);
REPRISE_REGISTER_EVENT(
    lookout_probed,
    {.name = "lookout_probed",
     .sender = "the world",
     .receiver = "a sentry",
     .when = "a ray that it asked for is answered",
     .arguments = {{.name = "request", .type = ScalarType::kInt64, .unit = ""},
                   {"object", ScalarType::kObject, "", /*is_optional=*/true},
                   {"fraction", ScalarType::kDouble, "", /*is_optional=*/true},
                   {"x", ScalarType::kDouble, "m", /*is_optional=*/true},
                   {"y", ScalarType::kDouble, "m", /*is_optional=*/true},
                   {"z", ScalarType::kDouble, "m", /*is_optional=*/true}}});

// Reads the watch of another, as of this tick and of the last, before physics
// and after it.
class Read final : public Behaviour {
 public:
  absl::Status Bind(const BehaviourBinder& binder) override {
    PropertyFinder own(binder, "errand");
    own.Find("of", PropertyType::kReference, of_);
    own.Find("news", PropertyType::kInt, news_);
    own.Find("old_news", PropertyType::kInt, old_news_);
    own.Find("age", PropertyType::kInt, age_);
    own.Find("heard", PropertyType::kInt, heard_);
    if (!own.status().ok()) return own.status();
    PropertyFinder others(binder, "watch");
    others.FindOfOthers("sighted", PropertyType::kInt, sighted_);
    others.FindOfOthers("seen_at", PropertyType::kVector3, seen_at_);
    others.FindOfOthers("range", PropertyType::kDouble, range_);
    return others.status();
  }
  void UpdateBeforePhysics(UpdateContext& context) const override {
    for (uint32_t i = 0; i < context.object_count(); ++i) {
      const Handle of = context.Reference(i, of_);
      const auto now = context.ReadInt(i, of, sighted_, ReadTime::kThisTick);
      const auto last = context.ReadInt(i, of, sighted_, ReadTime::kLastTick);
      if (now.has_value()) context.SetInt(i, news_, *now);
      if (last.has_value()) context.SetInt(i, old_news_, *last);
      if (const auto at = context.UpdatedAt(i, of); at.has_value()) {
        context.SetInt(i, age_, static_cast<int64_t>(context.tick() - *at));
      }
    }
  }
  // Stands above whatever the other has seen.
  void UpdateAfterPhysics(UpdateContext& context) const override {
    for (uint32_t i = 0; i < context.object_count(); ++i) {
      const Handle of = context.Reference(i, of_);
      const auto seen =
          context.ReadVector(i, of, seen_at_, ReadTime::kLastTick);
      const auto range = context.ReadNumber(i, of, range_, ReadTime::kLastTick);
      if (!seen.has_value() || !range.has_value()) continue;
      Transform place = context.Place(i);
      place.position = *seen + Vector3{0.0, *range, 0.0};
      context.SetPlace(i, place);
    }
  }
  // What it is told (read_refused, among others), and the rally.
  bool OnEvent(UpdateContext& context, const WorldEvent& event) const override {
    context.SetInt(0, heard_, context.Int(0, heard_) + 1);
    if (event.type != kRally) return false;
    const auto last = context.ReadInt(0, context.Reference(0, of_), sighted_,
                                      ReadTime::kLastTick);
    context.SetInt(0, old_news_, last.value_or(0));
    return true;
  }
  Hooks hooks() const override {
    return {.before_physics = true,
            .after_physics = true,
            .on_event = true,
            .reads_others = true};
  }

 private:
  PropertyRef of_;
  PropertyRef news_;
  PropertyRef old_news_;
  PropertyRef age_;
  PropertyRef heard_;
  PropertyRef sighted_;
  PropertyRef seen_at_;
  PropertyRef range_;
};
REPRISE_REGISTER_BEHAVIOUR(lookout_read, "lookout_read", Read);

// Is pushed about at random; one in forty times it loses its way and goes no
// farther, and whom it meets it tells.
class Stray final : public WatchBehaviour {
 public:
  std::string_view help() const override { return "is pushed about"; }
  std::vector<ParameterDeclaration> parameters() const override {
    return {{.name = "force",
             .default_value = PropertyValue::OfNumber(100.0),
             .help = "that pushes it",
             .unit = "N",
             .minimum = 0.0},
            {.name = "loses_its_way",
             .default_value = PropertyValue::OfNumber(0.0),
             .help = "how likely it does, each time",
             .minimum = 0.0,
             .maximum = 1.0}};
  }
  absl::Status Bind(const BehaviourBinder& binder) override {
    force_n_ = binder.Parameter("force").AsNumber();
    loses_its_way_ = binder.Parameter("loses_its_way").AsNumber();
    return WatchBehaviour::Bind(binder);
  }
  void UpdateBeforePhysics(UpdateContext& context) const override {
    for (uint32_t i = 0; i < context.object_count(); ++i) {
      const double angle = 2.0 * kPi * Draw(context, i, IdOf("way"));
      const Vector3 way = {Cos(angle), 0.0, Sin(angle)};
      Add(context, i, asked_, 1);
      context.ApplyForce(i, force_n_ * way);
      context.ApplyImpulse(i, 10.0 * way, {0.0, 0.2, 0.0});
      context.ApplyTorque(i, {0.0, 5.0 * way.x, 0.0});
      if (Draw(context, i, IdOf("fate")) < loses_its_way_) {
        context.Fail(i, kLost);
      }
    }
  }
  // Remembers where it came from, by name; leaves an ember behind that knows.
  void OnSpawn(UpdateContext& context) const override {
    context
        .Set(0, "watch", "seen_at",
             PropertyValue::OfVector3(context.Place(0).position))
        .IgnoreError();
  }
  void OnDestroy(UpdateContext& context) const override {
    const auto seen_at = context.Get(0, "watch", "seen_at");
    if (!seen_at.ok()) return;
    // Where there is no room for more, spawn_refused tells of it.
    context
        .Spawn(0, {.archetype = IdOf("ember"),
                   .name = IdOf("ember"),
                   .place = context.Place(0),
                   .is_dormant = context.Random(0, IdOf("fate")) % 2 == 0,
                   .set = {{seen_at_, *seen_at}}})
        .IgnoreError();
  }
  Hooks hooks() const override {
    return {.before_physics = true, .on_spawn = true, .on_destroy = true};
  }

 private:
  double force_n_ = 0.0;
  double loses_its_way_ = 0.0;
};
REPRISE_REGISTER_BEHAVIOUR(lookout_stray, "lookout_stray", Stray);
REPRISE_REGISTER_WORD(lookout_lost, "lookout_lost");
REPRISE_REGISTER_WORD(lookout_way, "way");
REPRISE_REGISTER_WORD(lookout_fate, "fate");
REPRISE_REGISTER_WORD(lookout_aim, "aim");
REPRISE_REGISTER_WORD(lookout_delay, "delay");

// Hears what the sentries see. Rallies them at an alarm: listens only now and
// then, hurries the game, counts on a timeline, calls the spare sentry and has
// those that lost their way taken away.
class Command final : public WatchBehaviour {
 public:
  void UpdateAfterPhysics(UpdateContext& context) const override {
    constexpr Tick kPeriod = 90;
    for (uint32_t i = 0; i < context.object_count(); ++i) {
      const auto shift = context.Timeline(i, IdOf("shift"));
      if (!shift.has_value()) {
        const absl::Status started = context.StartTimeline(
            i,
            {.name = IdOf("shift"),
             .duration = kPeriod,
             .rate = {.numerator = 1, .denominator = 2},
             .mode = TimelineMode::kPingPong},
            std::array{TimelineMark{kTickParts * 20, kBell},
                       TimelineMark{kTickParts * 70, kBell}});
        if (!started.ok()) context.Fail(i, kLost);
        continue;
      }
      const double local = LocalTicks(*shift, context.tick());
      const bool listens = 2.0 * local > static_cast<double>(kPeriod);
      if (listens == context.Bool(i, is_alert_)) continue;
      context.SetBool(i, is_alert_, listens);
      if (listens) {
        if (!context.Listen(i, kAlarm, /*priority=*/7).ok()) {
          context.Fail(i, kLost);
        }
      } else {
        context.Ignore(i, kAlarm);
      }
    }
  }

  bool OnEvent(UpdateContext& context, const WorldEvent& event) const override {
    if (event.type == kSighted) {
      Add(context, 0, sighted_, 1);
      if (const auto raider = event.arguments.GetHandle(IdOf("raider"));
          raider.ok()) {
        context.SetReference(0, mark_, *raider);
        Remember(context, *raider);
      }
    } else if (event.type == kBell) {
      Ring(context);
    } else if (event.type == kAlarm || event.type == kRally) {
      Rally(context, event.type == kAlarm);
    } else if (event.type == kRelieved) {
      // The rate is in the bounds of the game's clock.
      context.SetGameRate({.numerator = 3, .denominator = 2}).IgnoreError();
    } else if (event.type == kObjectFailed) {
      context.Destroy(0, event.sender);
    } else {
      return false;
    }
    Add(context, 0, answered_, 1);
    return true;
  }
  Hooks hooks() const override {
    return {.after_physics = true, .on_event = true, .marks_timelines = true};
  }

 private:
  // Keeps the last four that were seen, in a list.
  static void Remember(UpdateContext& context, Handle raider) {
    const auto known = context.Get(0, "watch", "known");
    if (!known.ok()) return;
    PropertyValue last = PropertyValue::ListOf(PropertyType::kReference);
    last.Append(PropertyValue::OfReference(raider));
    for (uint32_t k = 0; k < known->size() && last.size() < 4; ++k) {
      if (known->AsReference(k) != raider) last.Append(known->At(k));
    }
    context.Set(0, "watch", "known", last).IgnoreError();
  }

  // Turns the shift about, with a rest now and then; fetches the laggard, or
  // lets it go.
  void Ring(UpdateContext& context) const {
    const Id shift = IdOf("shift");
    const uint64_t draw = context.Random(0, IdOf("fate"));
    const int64_t way = draw % 2 == 0 ? 1 : -1;
    context.SetTimelineRate(0, shift, {.numerator = way, .denominator = 2})
        .IgnoreError();
    if (draw % 5 == 0) {
      context.SeekTimeline(0, shift, kTickParts * 45).IgnoreError();
    }
    const Handle laggard = context.Find(IdOf("laggard"));
    if (draw % 3 == 0) {
      context.Detach(0, laggard);
    } else {
      context.Attach(0, {.object = laggard,
                         .parent = context.Find(IdOf("east")),
                         .place_on_parent = Transform{
                             .position = {0.0, 1.0, 0.0}, .rotation = {}}});
      // Who is before it can't come behind it.
      context.Attach(0, {.object = context.handle(0), .parent = laggard});
    }
    SwitchLayer(context, IdOf("curfew"), draw % 2 == 0).IgnoreError();
  }

  void Rally(UpdateContext& context, bool is_direct) const {
    Add(context, 0, asked_, 1);
    context.SetGameRate({.numerator = is_direct ? 2 : 1, .denominator = 1})
        .IgnoreError();
    if (!context.TimerDueIn(0, kRelieved).has_value()) {
      context
          .StartTimer(0, {.name = kRelieved, .delay = 45, .event = kRelieved})
          .IgnoreError();
    }
    for (const std::string_view name : {"herald", "laggard", "envoy"}) {
      context.Send(0, context.Find(IdOf(name)), kRally, {});
    }
    const Handle spare = context.Find(IdOf("spare"));
    context.Post(0, spare, is_direct ? IdOf("wake") : IdOf("sleep"), {},
                 /*delay=*/5, /*priority=*/1);
    const Transform gate = {.position = {-4.0, 0.6, 8.0}, .rotation = {}};
    context.Spawn(0, kRaider, gate, {0.0, 0.0, -3.0});
  }
};
REPRISE_REGISTER_BEHAVIOUR(lookout_command, "lookout_command", Command);
REPRISE_REGISTER_EVENT(lookout_rally, {.name = "lookout_rally",
                                       .sender = "the tower",
                                       .receiver = "a runner",
                                       .when = "there was an alarm",
                                       .arguments = {}});
REPRISE_REGISTER_EVENT(
    lookout_relieved,
    {.name = "lookout_relieved",
     .sender = "the tower",
     .receiver = "the tower",
     .when = "some time has gone by since an alarm",
     .arguments = {{.name = "timer", .type = ScalarType::kId, .unit = ""}}});
REPRISE_REGISTER_EVENT(
    lookout_bell,
    {.name = "lookout_bell",
     .sender = "the tower",
     .receiver = "the tower",
     .when = "its shift passes a quarter",
     .arguments = {{.name = "timeline", .type = ScalarType::kId, .unit = ""},
                   {"count", ScalarType::kInt64, ""}}});
REPRISE_REGISTER_WORD(lookout_shift, "shift");

}  // namespace
}  // namespace reprise::sim
