// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A behaviour `testing_act` that does what a test says, so that a test shows
// what a behaviour asks for beside what comes of it.

#ifndef REPRISE_TESTS_WORLD_ACTING_BEHAVIOUR_H_
#define REPRISE_TESTS_WORLD_ACTING_BEHAVIOUR_H_

#include <cstdint>
#include <functional>

#include "absl/status/status.h"
#include "sim/world/definition/behaviour.h"
#include "sim/world/events/world_event.h"
#include "sim/world/updates/update_context.h"

namespace reprise::sim {

// What objects with the behaviour do; nothing where unset. One test at a time.
struct Acts {
  std::function<void(UpdateContext&, uint32_t)> before_physics;
  std::function<void(UpdateContext&, uint32_t)> after_physics;
  std::function<bool(UpdateContext&, const WorldEvent&)> on_event;
  std::function<void(UpdateContext&)> on_spawn;
  std::function<void(UpdateContext&)> on_destroy;
};

inline Acts& TheActs() {
  static Acts acts;
  return acts;
}

class ActingBehaviour final : public Behaviour {
 public:
  absl::Status Bind(const BehaviourBinder&) override {
    return absl::OkStatus();
  }
  void UpdateBeforePhysics(UpdateContext& context) const override {
    for (uint32_t i = 0; i < context.object_count(); ++i) {
      if (TheActs().before_physics) TheActs().before_physics(context, i);
    }
  }
  void UpdateAfterPhysics(UpdateContext& context) const override {
    for (uint32_t i = 0; i < context.object_count(); ++i) {
      if (TheActs().after_physics) TheActs().after_physics(context, i);
    }
  }
  bool OnEvent(UpdateContext& context, const WorldEvent& event) const override {
    return TheActs().on_event && TheActs().on_event(context, event);
  }
  void OnSpawn(UpdateContext& context) const override {
    if (TheActs().on_spawn) TheActs().on_spawn(context);
  }
  void OnDestroy(UpdateContext& context) const override {
    if (TheActs().on_destroy) TheActs().on_destroy(context);
  }
  Hooks hooks() const override {
    return {.before_physics = true,
            .after_physics = true,
            .on_event = true,
            .on_spawn = true,
            .on_destroy = true,
            .reads_others = true,
            .queries = true,
            .marks_timelines = true};
  }
};
REPRISE_REGISTER_BEHAVIOUR(testing_act, "testing_act", ActingBehaviour);

}  // namespace reprise::sim

#endif  // REPRISE_TESTS_WORLD_ACTING_BEHAVIOUR_H_
