// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Small native behaviours for tests of the world. They work on the component
// `marker`, which the tests' packs declare.

#include <limits>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "sim/world/definition/behaviour.h"
#include "sim/world/updates/update_context.h"
#include "sim/world/updates/world_queries.h"

namespace reprise::sim {
namespace {

// Finds the properties of `marker`.
class MarkerBehaviour : public Behaviour {
 public:
  absl::Status Bind(const BehaviourBinder& binder) override {
    absl::Status status =
        binder.Property("marker", "hits", PropertyType::kInt, hits_);
    if (!status.ok()) return status;
    status = binder.Property("marker", "speed", PropertyType::kDouble, speed_);
    if (!status.ok()) return status;
    return binder.Property("marker", "friend", PropertyType::kReference,
                           friend_);
  }

 protected:
  PropertyRef hits_;
  PropertyRef speed_;
  PropertyRef friend_;
};

// Counts its updates in `hits`.
class Count final : public MarkerBehaviour {
 public:
  void UpdateBeforePhysics(UpdateContext& context) const override {
    for (uint32_t i = 0; i < context.object_count(); ++i) {
      context.SetInt(i, hits_, context.Int(i, hits_) + 1);
    }
  }
  Hooks hooks() const override { return {.before_physics = true}; }
};
REPRISE_REGISTER_BEHAVIOUR(testing_count, "testing_count", Count);

// Moves along x by `speed`.
class Drift final : public MarkerBehaviour {
 public:
  void UpdateBeforePhysics(UpdateContext& context) const override {
    for (uint32_t i = 0; i < context.object_count(); ++i) {
      Transform place = context.Place(i);
      place.position.x += context.Number(i, speed_) * context.dt_s();
      context.SetPlace(i, place);
    }
  }
  Hooks hooks() const override { return {.before_physics = true}; }
};
REPRISE_REGISTER_BEHAVIOUR(testing_drift, "testing_drift", Drift);

// Asks to be where nobody can be: at no number, then turned by no rotation.
class GoNowhere final : public MarkerBehaviour {
 public:
  void UpdateBeforePhysics(UpdateContext& context) const override {
    for (uint32_t i = 0; i < context.object_count(); ++i) {
      const Transform place = context.Place(i);
      Transform nowhere = place;
      nowhere.position.x = std::numeric_limits<double>::quiet_NaN();
      context.SetPlace(i, nowhere);
      Transform squashed = place;
      squashed.rotation = {.x = 0.0, .y = 0.0, .z = 0.0, .w = 0.5};
      context.SetPlace(i, squashed);
    }
  }
  Hooks hooks() const override { return {.before_physics = true}; }
};
REPRISE_REGISTER_BEHAVIOUR(testing_go_nowhere, "testing_go_nowhere", GoNowhere);

// Has one child, an `heir`, as soon as it is there itself.
class Descend final : public MarkerBehaviour {
 public:
  void UpdateAfterPhysics(UpdateContext& context) const override {
    for (uint32_t i = 0; i < context.object_count(); ++i) {
      if (context.Int(i, hits_) != 0) continue;
      context.SetInt(i, hits_, 1);
      context.Spawn(i, IdOf("heir"), context.Place(i), {}, context.handle(i));
    }
  }
  Hooks hooks() const override { return {.after_physics = true}; }
};
REPRISE_REGISTER_BEHAVIOUR(testing_descend, "testing_descend", Descend);

// Takes over `hits` of `friend`, as of this tick or the last.
template <ReadTime kTime>
class Copy final : public MarkerBehaviour {
 public:
  void UpdateBeforePhysics(UpdateContext& context) const override {
    for (uint32_t i = 0; i < context.object_count(); ++i) {
      const std::optional<int64_t> hits =
          context.ReadInt(i, context.Reference(i, friend_), hits_, kTime);
      if (hits.has_value()) context.SetInt(i, hits_, *hits);
    }
  }
  Hooks hooks() const override {
    return {.before_physics = true, .reads_others = true};
  }
};
using CopyThisTick = Copy<ReadTime::kThisTick>;
using CopyLastTick = Copy<ReadTime::kLastTick>;
REPRISE_REGISTER_BEHAVIOUR(testing_copy_this_tick, "testing_copy_this_tick",
                           CopyThisTick);
REPRISE_REGISTER_BEHAVIOUR(testing_copy_last_tick, "testing_copy_last_tick",
                           CopyLastTick);

// Keeps one chick: each tick asks for a new one as `friend`, and for the end of
// the one before.
class Breed final : public MarkerBehaviour {
 public:
  void UpdateAfterPhysics(UpdateContext& context) const override {
    for (uint32_t i = 0; i < context.object_count(); ++i) {
      const Handle old = context.Reference(i, friend_);
      if (!old.is_null()) context.Destroy(i, old);
      context.SetReference(i, friend_,
                           context.Spawn(i, IdOf("chick"), context.Place(i)));
    }
  }
  Hooks hooks() const override { return {.after_physics = true}; }
};
REPRISE_REGISTER_BEHAVIOUR(testing_breed, "testing_breed", Breed);

// Asks for the end of its own object.
class Vanish final : public MarkerBehaviour {
 public:
  void UpdateAfterPhysics(UpdateContext& context) const override {
    for (uint32_t i = 0; i < context.object_count(); ++i) {
      context.Destroy(i, context.handle(i));
    }
  }
  Hooks hooks() const override { return {.after_physics = true}; }
};
REPRISE_REGISTER_BEHAVIOUR(testing_vanish, "testing_vanish", Vanish);

// Sets `speed` to a random number of its object's own stream, 0 to 1.
class Dice final : public MarkerBehaviour {
 public:
  void UpdateBeforePhysics(UpdateContext& context) const override {
    for (uint32_t i = 0; i < context.object_count(); ++i) {
      const uint64_t draw = context.Random(i, IdOf("dice"));
      context.SetNumber(i, speed_, static_cast<double>(draw >> 11) * 0x1p-53);
    }
  }
  Hooks hooks() const override { return {.before_physics = true}; }
};
REPRISE_REGISTER_BEHAVIOUR(testing_dice, "testing_dice", Dice);

// Sets `speed` beyond its maximum.
class Overdo final : public MarkerBehaviour {
 public:
  void UpdateBeforePhysics(UpdateContext& context) const override {
    for (uint32_t i = 0; i < context.object_count(); ++i) {
      context.SetNumber(i, speed_, 1e6);
    }
  }
  Hooks hooks() const override { return {.before_physics = true}; }
};
REPRISE_REGISTER_BEHAVIOUR(testing_overdo, "testing_overdo", Overdo);

// Counts the events that it hears in `hits`; handles them while `speed` is
// above 0.
class Hear final : public MarkerBehaviour {
 public:
  bool OnEvent(UpdateContext& context, const WorldEvent&) const override {
    context.SetInt(0, hits_, context.Int(0, hits_) + 1);
    return context.Number(0, speed_) > 0.0;
  }
  Hooks hooks() const override { return {.on_event = true}; }
};
REPRISE_REGISTER_BEHAVIOUR(testing_hear, "testing_hear", Hear);

// Posts `hits` events called `storm` to itself each tick.
class Storm final : public MarkerBehaviour {
 public:
  void UpdateBeforePhysics(UpdateContext& context) const override {
    for (uint32_t i = 0; i < context.object_count(); ++i) {
      for (int64_t k = 0; k < context.Int(i, hits_); ++k) {
        context.Post(i, context.handle(i), IdOf("storm"), {});
      }
    }
  }
  Hooks hooks() const override { return {.before_physics = true}; }
};
REPRISE_REGISTER_BEHAVIOUR(testing_storm, "testing_storm", Storm);
REPRISE_REGISTER_EVENT(testing_storm, {.name = "storm",
                                       .sender = "an object",
                                       .receiver = "the object",
                                       .when = "each tick",
                                       .arguments = {}});

// Answers each event at once with another to `friend`, who may be itself.
class PingPong final : public MarkerBehaviour {
 public:
  bool OnEvent(UpdateContext& context, const WorldEvent&) const override {
    context.SetInt(0, hits_, context.Int(0, hits_) + 1);
    context.Send(0, context.Reference(0, friend_), IdOf("ball"), {});
    return true;
  }
  Hooks hooks() const override { return {.on_event = true}; }
};
REPRISE_REGISTER_BEHAVIOUR(testing_ping_pong, "testing_ping_pong", PingPong);
REPRISE_REGISTER_EVENT(testing_ball, {.name = "ball",
                                      .sender = "an object",
                                      .receiver = "its friend",
                                      .when = "it heard of anything",
                                      .arguments = {}});

// Sets `hits` to the number of orcs with a hit or more within `speed`.
class CountOrcs final : public MarkerBehaviour {
 public:
  void UpdateBeforePhysics(UpdateContext& context) const override {
    for (uint32_t i = 0; i < context.object_count(); ++i) {
      const std::vector<FoundObject> orcs = context.queries().FindInSphere(
          {.center = context.Place(i).position,
           .radius = context.Number(i, speed_)},
          {.type = IdOf("orc"),
           .test = PropertyTest{.property = hits_,
                                .comparison = Comparison::kAtLeast,
                                .value = 1.0}});
      context.SetInt(i, hits_, static_cast<int64_t>(orcs.size()));
    }
  }
  Hooks hooks() const override {
    return {.before_physics = true, .queries = true};
  }
};
REPRISE_REGISTER_BEHAVIOUR(testing_count_orcs, "testing_count_orcs", CountOrcs);

// Counts the ticks in which it sees `friend`.
class See final : public MarkerBehaviour {
 public:
  void UpdateBeforePhysics(UpdateContext& context) const override {
    for (uint32_t i = 0; i < context.object_count(); ++i) {
      if (context.queries().HasLineOfSight(context.handle(i),
                                           context.Reference(i, friend_))) {
        context.SetInt(i, hits_, context.Int(i, hits_) + 1);
      }
    }
  }
  Hooks hooks() const override {
    return {.before_physics = true, .queries = true};
  }
};
REPRISE_REGISTER_BEHAVIOUR(testing_see, "testing_see", See);

// Asks each tick for a ray of 100 m along x, due in three ticks; `hits` counts
// the answers, and `friend` is what was hit last.
class Probe final : public MarkerBehaviour {
 public:
  void UpdateBeforePhysics(UpdateContext& context) const override {
    for (uint32_t i = 0; i < context.object_count(); ++i) {
      const Vector3 from = context.Place(i).position;
      context.RequestRay(i, from, from + Vector3{100.0, 0.0, 0.0}, 3,
                         IdOf("probed"));
    }
  }
  bool OnEvent(UpdateContext& context, const WorldEvent& event) const override {
    context.SetInt(0, hits_, context.Int(0, hits_) + 1);
    context.SetNumber(0, speed_,
                      event.arguments.GetDouble(IdOf("x")).value_or(-1.0));
    return true;
  }
  Hooks hooks() const override {
    return {.before_physics = true, .on_event = true, .queries = true};
  }
};
REPRISE_REGISTER_BEHAVIOUR(testing_probe, "testing_probe", Probe);
REPRISE_REGISTER_EVENT(
    testing_probed,
    {.name = "probed",
     .sender = "the world",
     .receiver = "the object",
     .when = "a ray that it asked for is answered",
     .arguments = {{.name = "request", .type = ScalarType::kInt64, .unit = ""},
                   {"object", ScalarType::kObject, "", /*is_optional=*/true},
                   {"fraction", ScalarType::kDouble, "", /*is_optional=*/true},
                   {"x", ScalarType::kDouble, "m", /*is_optional=*/true},
                   {"y", ScalarType::kDouble, "m", /*is_optional=*/true},
                   {"z", ScalarType::kDouble, "m", /*is_optional=*/true}}});

// Sets `hits` to how many ticks old the values of `friend` are.
class Age final : public MarkerBehaviour {
 public:
  void UpdateBeforePhysics(UpdateContext& context) const override {
    for (uint32_t i = 0; i < context.object_count(); ++i) {
      const std::optional<Tick> updated_at =
          context.UpdatedAt(i, context.Reference(i, friend_));
      if (!updated_at.has_value()) continue;
      context.SetInt(i, hits_,
                     static_cast<int64_t>(context.tick() - *updated_at));
    }
  }
  Hooks hooks() const override {
    return {.before_physics = true, .reads_others = true};
  }
};
REPRISE_REGISTER_BEHAVIOUR(testing_age, "testing_age", Age);

}  // namespace
}  // namespace reprise::sim
