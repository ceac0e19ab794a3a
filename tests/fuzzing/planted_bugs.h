// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Mistakes that are made on purpose, one at a time, in packs that ship.

#ifndef REPRISE_TESTS_FUZZING_PLANTED_BUGS_H_
#define REPRISE_TESTS_FUZZING_PLANTED_BUGS_H_

#include <span>
#include <string_view>

namespace reprise::tests {

struct PlantedBug {
  std::string_view name;
  std::string_view pack;  // of sim/packs
  // In this file the one place with the first text gets the second.
  std::string_view file;
  std::string_view from;
  std::string_view to;
  // A condition that no longer always holds; empty: the pack says enough.
  std::string_view always;
  std::string_view maximize;   // what leads there; empty: nothing more
  std::string_view signature;  // of the failure that it is found by
};

// All of them, by name.
std::span<const PlantedBug> PlantedBugs();

}  // namespace reprise::tests

#endif  // REPRISE_TESTS_FUZZING_PLANTED_BUGS_H_
