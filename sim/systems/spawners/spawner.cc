// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The component and the behaviour of spawners.

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "absl/status/status.h"
#include "sim/base/field.h"
#include "sim/systems/spawners/spawner_events.h"
#include "sim/systems/spawners/spawner_system.h"
#include "sim/world/components/component.h"
#include "sim/world/components/world_names.h"
#include "sim/world/definition/behaviour.h"
#include "sim/world/updates/columns.h"
#include "sim/world/updates/update_context.h"

namespace reprise::sim {
namespace {

struct SpawnerRow {
  ObjectId object;
  uint64_t overridden = 0;
  Id archetype;
  int64_t is_active = 1;
  int64_t every_ticks = 0;
  int64_t count_max = 0;
  int64_t spawned = 0;
  int64_t wait_ticks = 0;

  static constexpr std::string_view kTable = kSpawnerComponent;
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(SpawnerRow, object, ""),
                      REPRISE_FIELD(SpawnerRow, overridden, ""),
                      REPRISE_FIELD(SpawnerRow, archetype, ""),
                      REPRISE_FIELD(SpawnerRow, is_active, ""),
                      REPRISE_FIELD(SpawnerRow, every_ticks, "tick"),
                      REPRISE_FIELD(SpawnerRow, count_max, ""),
                      REPRISE_FIELD(SpawnerRow, spawned, ""),
                      REPRISE_FIELD(SpawnerRow, wait_ticks, "tick")};
  }
};

constexpr auto kNotes = std::to_array<PropertyNote>({
    {"archetype", "the type or archetype of what it makes"},
    {"is_active", "1: it makes objects by itself; 0: when asked", 0.0, 1.0},
    {"every_ticks", "ticks from one object to the next; 0: only one", 0.0, 1e9},
    {"count_max", "how many it makes by itself; 0: without end", 0.0, 1e9},
    {"spawned", "how many it has made", 0.0},
    {"wait_ticks", "ticks until it makes the next", 0.0, 1e9},
});

REPRISE_REGISTER_COMPONENT(
    spawner, NativeComponent<SpawnerRow>("makes objects at its place", kNotes));

// Goes with the component. `spawn` makes an object at once, `start` and `stop`
// switch it on and off.
class Spawn final : public Behaviour {
 public:
  std::string_view help() const override {
    return "makes objects, as the component spawner says";
  }
  absl::Status Bind(const BehaviourBinder& binder) override {
    absl::Status status = binder.Property(kSpawnerComponent, "archetype",
                                          PropertyType::kName, archetype_);
    const auto bind_int = [&](std::string_view name, PropertyRef& ref) {
      if (!status.ok()) return;
      status =
          binder.Property(kSpawnerComponent, name, PropertyType::kInt, ref);
    };
    bind_int("is_active", is_active_);
    bind_int("every_ticks", every_ticks_);
    bind_int("count_max", count_max_);
    bind_int("spawned", spawned_);
    bind_int("wait_ticks", wait_ticks_);
    return status;
  }

  void UpdateAfterPhysics(UpdateContext& context) const override {
    Columns(Reads<int64_t>{is_active_}, Writes<int64_t>{wait_ticks_})
        .ForEach(context,
                 [&](uint32_t i, int64_t is_active, int64_t& wait_ticks) {
                   if (is_active != 0) Update(context, i, wait_ticks);
                 });
  }

  bool OnEvent(UpdateContext& context, const WorldEvent& event) const override {
    if (event.type == kSpawn) {
      Make(context, 0);
    } else if (event.type == kStart || event.type == kStop) {
      context.SetInt(0, is_active_, event.type == kStart ? 1 : 0);
    } else {
      return false;
    }
    return true;
  }

  Hooks hooks() const override {
    return {.after_physics = true, .on_event = true};
  }

 private:
  void Update(UpdateContext& context, uint32_t i, int64_t& wait_ticks) const {
    if (wait_ticks > 0) {
      --wait_ticks;
      return;
    }
    Make(context, i);
    const int64_t every_ticks = context.Int(i, every_ticks_);
    const int64_t count_max = context.Int(i, count_max_);
    if (every_ticks == 0 ||
        (count_max != 0 && context.Int(i, spawned_) >= count_max)) {
      context.SetInt(i, is_active_, 0);
    } else {
      wait_ticks = every_ticks - 1;
    }
  }

  void Make(UpdateContext& context, uint32_t i) const {
    const Handle made =
        context.Spawn(i, context.Name(i, archetype_), context.Place(i));
    if (made.is_null()) return;  // told by Spawn
    context.SetInt(i, spawned_, context.Int(i, spawned_) + 1);
  }

  PropertyRef archetype_;
  PropertyRef is_active_;
  PropertyRef every_ticks_;
  PropertyRef count_max_;
  PropertyRef spawned_;
  PropertyRef wait_ticks_;
};
REPRISE_REGISTER_BEHAVIOUR(spawn, kSpawnBehaviour, Spawn);

}  // namespace
}  // namespace reprise::sim
