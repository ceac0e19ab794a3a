// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A game as one player may see it, between two ticks. Nothing that its pack
// doesn't show to players can be had through it, and nothing can be changed.

#ifndef REPRISE_SIM_BOTS_PLAYER_VIEW_H_
#define REPRISE_SIM_BOTS_PLAYER_VIEW_H_

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/base/handle.h"
#include "sim/base/id.h"
#include "sim/base/tick.h"
#include "sim/bots/view_rules.h"
#include "sim/event.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"
#include "sim/simulation.h"
#include "sim/state/field_value.h"

namespace reprise::sim {

// Where an object is, and how it moves; without a body it doesn't.
struct SeenMotion {
  Vector3 position;  // m
  Quaternion rotation;
  Vector3 linear_velocity;   // m/s
  Vector3 angular_velocity;  // rad/s
};

// A property as it stands in its row: up to four scalars of one type.
struct SeenValue {
  ScalarType type = ScalarType::kDouble;
  uint32_t count = 0;
  std::array<FieldValue, 4> scalars = {};
};

class PlayerView {
 public:
  // `rules` are those of the simulation, and outlive this.
  PlayerView(const ViewRules* rules, uint32_t player)
      : rules_(rules), player_(player) {}

  // Looks at a simulation as it is now; `events` happened since the last look,
  // and those that the player doesn't hear are left out. Both stay as they are
  // while the view is read.
  void Look(const Simulation& simulation, std::span<const Event> events);

  uint32_t player() const { return player_; }
  Tick tick() const { return simulation_->tick(); }
  double time_s() const;
  Outcome outcome() const { return simulation_->outcome(); }

  // What the player hears, oldest first.
  std::span<const Event> events() const { return events_; }

  // The objects that are seen, in object order.
  std::span<const Handle> objects() const;
  // How many of these are of the type or extend it, and the `index`-th from 0.
  uint32_t CountOf(Id type) const;
  std::optional<Handle> ObjectOf(Id type, uint32_t index) const;
  // The one of the type that is nearest to `from`; of several that are as near
  // the first.
  std::optional<Handle> NearestOf(Id type, Vector3 from) const;

  // The oldest that is seen and has this name in the pack, or was spawned with
  // it.
  std::optional<Handle> Find(std::string_view name) const;
  // Whether the object is there and seen; the others give nothing of one that
  // isn't.
  bool Sees(Handle object) const;
  bool IsOf(Handle object, Id type) const;
  std::optional<std::string> NameOf(Handle object) const;
  std::optional<std::string> TypeOf(Handle object) const;
  std::optional<SeenMotion> MotionOf(Handle object) const;

  // "component.property", or a number of it as "component.property.x". nullopt:
  // the object isn't seen, hasn't the component, or that property isn't shown.
  // INVALID_ARGUMENT: there is no such property in the game.
  absl::StatusOr<std::optional<SeenValue>> ValueOf(
      Handle object, std::string_view property) const;

  // The name behind an id; the object behind an event's argument, if seen.
  std::string IdName(Id id) const { return simulation_->IdName(id); }
  std::optional<Handle> HandleOf(ObjectId object) const;

 private:
  const State& state() const { return simulation_->state(); }
  // The row of the object, if it is there and seen.
  std::optional<uint32_t> RowOf(Handle object) const;
  bool IsSeen(uint32_t row) const;
  void LookAround() const;

  const ViewRules* rules_;
  uint32_t player_;
  const Simulation* simulation_ = nullptr;
  std::vector<Event> events_;
  // Of the objects that are seen, once somebody asks; memory is kept.
  mutable bool has_looked_around_ = false;
  mutable std::vector<Handle> handles_;
  mutable std::vector<Id> types_;  // of each
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_BOTS_PLAYER_VIEW_H_
