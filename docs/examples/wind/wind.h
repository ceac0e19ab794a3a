// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A game system of a studio's own: wind that comes in gusts and pushes what has
// a sail, unless it is furled.

#ifndef REPRISE_DOCS_EXAMPLES_WIND_WIND_H_
#define REPRISE_DOCS_EXAMPLES_WIND_WIND_H_

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/base/random.h"
#include "sim/base/tick.h"
#include "sim/geometry/vector3.h"
#include "sim/world/components/event_declaration.h"
#include "sim/world/systems/system.h"

namespace wind {

using reprise::sim::ArgumentDeclaration;
using reprise::sim::EventDeclaration;
using reprise::sim::EventIdIn;
using reprise::sim::Id;
using reprise::sim::ObjectId;
using reprise::sim::RandomStream;
using reprise::sim::ScalarType;
using reprise::sim::System;
using reprise::sim::SystemDeclaration;
using reprise::sim::SystemDefinition;
using reprise::sim::SystemPlace;
using reprise::sim::Tick;
using reprise::sim::Vector3;

// The events that it sends and understands, in ascending order of names.
inline constexpr auto kEvents = std::to_array<EventDeclaration>({
    {.name = "furl",
     .sender = reprise::sim::kByPack,
     .receiver = "an object with a sail",
     .when = "its sail is to catch no wind"},
    {.name = "gust_began",
     .sender = reprise::sim::kByWorld,
     .receiver = reprise::sim::kToInterested,
     .when = "the wind freshened",
     .arguments = {{{"speed", ScalarType::kDouble, "m/s"}}}},
    {.name = "gust_ended",
     .sender = reprise::sim::kByWorld,
     .receiver = reprise::sim::kToInterested,
     .when = "the wind fell",
     .arguments = {{{"speed", ScalarType::kDouble, "m/s"}}}},
    {.name = "unfurl",
     .sender = reprise::sim::kByPack,
     .receiver = "an object with a sail",
     .when = "its sail is to catch the wind again"},
});
inline constexpr Id kFurl = EventIdIn(kEvents, "furl");
inline constexpr Id kGustBegan = EventIdIn(kEvents, "gust_began");
inline constexpr Id kGustEnded = EventIdIn(kEvents, "gust_ended");
inline constexpr Id kUnfurl = EventIdIn(kEvents, "unfurl");
inline constexpr Id kSpeed = reprise::sim::WordIdIn(kEvents, "speed");

// One row: how the wind blows.
struct WeatherRow {
  uint64_t is_gusting = 0;
  Tick changes_at = 0;  // of the game
  RandomStream stream;

  static constexpr std::string_view kTable = "weather";
  static constexpr uint32_t kKeyFields = 0;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(WeatherRow, is_gusting, ""),
                      REPRISE_FIELD(WeatherRow, changes_at, "tick"),
                      REPRISE_FIELD(WeatherRow, stream, "")};
  }
};

// A sail that is furled; the others have no row.
struct FurledRow {
  ObjectId object;

  static constexpr std::string_view kTable = "furled";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(FurledRow, object, "")};
  }
};

// What a type has of it.
struct SailUse {
  static constexpr std::string_view kPart = "sail";
  double area_m2 = 0.0;
};

const SystemDeclaration& WindDeclaration();

// What a pack makes of it.
struct WindDefinition final : public SystemDefinition {
  static constexpr std::string_view kSystem = "wind";

  const SystemDeclaration& declaration() const override {
    return WindDeclaration();
  }
  std::unique_ptr<System> Create(const SystemPlace& place) const override;

  Vector3 velocity_m_s;
  double gust_factor = 0.0;
  Tick gust_ticks = 1;  // on average
};

}  // namespace wind

#endif  // REPRISE_DOCS_EXAMPLES_WIND_WIND_H_
