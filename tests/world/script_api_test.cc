// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that no script can break its world by what it calls: programs that a
// fixed seed draws, each of all functions that there are, are played in a
// world that is restored at each tick. Every function is called, and most
// calls are right: others would end at the first check.

#include "tests/world/script_api_programs.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/base/random.h"
#include "sim/systems/scripts/script_functions.h"

namespace reprise::sim {
namespace {

constexpr int kPrograms = 250;

TEST(ScriptApiTest, WhateverAScriptCallsItsWorldGoesOn) {
  RandomStream stream = MakeRandomStream(18, IdOf("programs"), kNoObject);
  std::set<std::string> called;
  for (int program = 0; program < kPrograms; ++program) {
    std::vector<uint8_t> bytes(64 + NextBelow(stream, 400));
    for (uint8_t& byte : bytes) {
      byte = static_cast<uint8_t>(NextBelow(stream, 256));
    }
    const std::string source = ApiProgramOf(bytes);
    for (const ScriptFunction& function : WorldScriptApi()->functions()) {
      if (source.find(" " + function.name + "(") != std::string::npos) {
        called.insert(function.name);
      }
    }
    PlayApiProgram(source);
  }
  EXPECT_EQ(called.size(), WorldScriptApi()->functions().size());
}

}  // namespace
}  // namespace reprise::sim
