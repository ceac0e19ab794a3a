// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the table of events can be read: each once and in order, with
// something said in each column, and arguments that are told apart.

#include "sim/world/components/built_in_events.h"

#include <algorithm>
#include <set>

#include "gtest/gtest.h"

namespace reprise::sim {
namespace {

TEST(BuiltInEventsTest, EachStandsThereOnceInOrder) {
  for (size_t i = 1; i < kBuiltInEvents.size(); ++i) {
    EXPECT_LT(kBuiltInEvents[i - 1].name, kBuiltInEvents[i].name);
  }
}

TEST(BuiltInEventsTest, EveryColumnIsFilled) {
  for (const EventDeclaration& event : kBuiltInEvents) {
    EXPECT_FALSE(event.sender.empty()) << event.name;
    EXPECT_FALSE(event.receiver.empty()) << event.name;
    EXPECT_FALSE(event.when.empty()) << event.name;
  }
}

TEST(BuiltInEventsTest, ArgumentsOfAnEventDiffer) {
  for (const EventDeclaration& event : kBuiltInEvents) {
    std::set<std::string_view> names;
    for (const ArgumentDeclaration& argument : event.described_arguments()) {
      EXPECT_TRUE(names.insert(argument.name).second)
          << event.name << ' ' << argument.name;
    }
    // None lies behind a gap, where nobody would see it.
    EXPECT_EQ(std::ranges::count_if(event.arguments,
                                    [](const ArgumentDeclaration& argument) {
                                      return !argument.name.empty();
                                    }),
              static_cast<int>(names.size()))
        << event.name;
  }
}

TEST(BuiltInEventsTest, NamesAreThoseOfEventsArgumentsAndOtherWords) {
  const std::vector<std::string_view> names = WorldNames();
  for (const char* name : {"object_spawned", "type", "player", "game"}) {
    EXPECT_NE(std::ranges::find(names, name), names.end()) << name;
  }
}

}  // namespace
}  // namespace reprise::sim
