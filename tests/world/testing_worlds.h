// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Worlds from a few lines of data, for tests, and a look into their rows.

#ifndef REPRISE_TESTS_WORLD_TESTING_WORLDS_H_
#define REPRISE_TESTS_WORLD_TESTING_WORLDS_H_

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "sim/compiler/testing_packs.h"
#include "sim/simulation.h"
#include "sim/state/field_value.h"
#include "tests/world/described_events.h"

namespace reprise::sim {

// The component that the testing behaviours work on.
inline constexpr std::string_view kMarker = R"(
components {
  name: "marker"
  properties { name: "hits" type: TYPE_INTEGER minimum: 0 }
  properties { name: "speed" type: TYPE_NUMBER maximum: 100 }
  properties { name: "friend" type: TYPE_REFERENCE }
}
)";

// The value of a scalar ("hits", "position.x") of an object by its name;
// nullopt when the object has no row in the table.
inline std::optional<FieldValue> ValueOf(const Simulation& world,
                                         std::string_view room,
                                         std::string_view table_name,
                                         std::string_view object,
                                         std::string_view scalar) {
  const std::optional<TableIndex> index = world.state().Find(room, table_name);
  if (!index.has_value()) return std::nullopt;
  const Table& table = world.state().table(*index);
  const std::optional<ScalarPath> path = table.schema().Find(scalar);
  EXPECT_TRUE(path.has_value()) << scalar;
  for (uint32_t row = 0; row < table.row_count(); ++row) {
    const ObjectId owner{
        ReadScalar(table.schema(), table.Row(row), {.field = 0}).bits};
    if (world.ObjectName(owner) == object) {
      return ReadScalar(table.schema(), table.Row(row), *path);
    }
  }
  return std::nullopt;
}

inline int64_t HitsOf(const Simulation& world, std::string_view object) {
  const auto value = ValueOf(world, "components", "marker", object, "hits");
  EXPECT_TRUE(value.has_value()) << object;
  return value.has_value() ? static_cast<int64_t>(value->bits) : -1;
}

inline void StepTimes(Simulation& world, int ticks) {
  for (int i = 0; i < ticks; ++i) world.Step({}, nullptr);
}

// The events of a type since the last look, in which all are declared.
inline std::vector<Event> EventsOf(Simulation& world, std::string_view type) {
  std::vector<Event> events = world.DrainEvents();
  for (const Event& event : events) {
    EXPECT_TRUE(IsDeclared(world.description(), event))
        << world.IdName(event.type);
  }
  std::erase_if(events,
                [&](const Event& event) { return event.type != IdOf(type); });
  return events;
}

inline uint32_t RowCount(const Simulation& world, std::string_view room,
                         std::string_view table) {
  return world.state().table(*world.state().Find(room, table)).row_count();
}

}  // namespace reprise::sim

#endif  // REPRISE_TESTS_WORLD_TESTING_WORLDS_H_
