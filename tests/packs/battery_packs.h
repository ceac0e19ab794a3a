// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The packs that go through the battery: those that ship, the example of a
// program with a system of its own, and one with behaviours of the test's.

#ifndef REPRISE_TESTS_PACKS_BATTERY_PACKS_H_
#define REPRISE_TESTS_PACKS_BATTERY_PACKS_H_

#include <array>
#include <string>

#include "gtest/gtest.h"
#include "replays/playing/pack_folder.h"
#include "sim/pack_archive.h"

namespace reprise::sim {

inline constexpr std::array kBatteryPacks = {
    "belfry",  "fighter",  "ghosts",   "guard",   "harbour", "lookout", "manor",
    "marble",  "nursery",  "parlour",  "pile",    "pong",    "quarry",  "rally",
    "regatta", "skirmish", "sleepers", "terrain", "warren",  "workshop"};

// The folder of a pack of the battery.
inline std::string BatteryFolder(const std::string& name) {
  if (name == "lookout") return "tests/packs/lookout";
  if (name == "regatta") return "docs/examples/wind/pack";
  return "sim/packs/" + name;
}

// Whether it is one of those that ship: they have a golden replay, too, and go
// through the matrix.
inline bool Ships(const std::string& name) {
  return BatteryFolder(name).starts_with("sim/packs/");
}

inline PackArchive BatteryPack(const std::string& name) {
  const auto pack = replays::ReadPackFolder(BatteryFolder(name));
  EXPECT_TRUE(pack.ok()) << pack.status();
  return pack.value_or(PackArchive());
}

}  // namespace reprise::sim

#endif  // REPRISE_TESTS_PACKS_BATTERY_PACKS_H_
