// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that nobody who begins with a pack of ours begins with a warning: each
// declares its events, and all that it says is meant.

#include <string>

#include "gtest/gtest.h"
#include "sim/compiler/checking/pack_report.h"
#include "sim/compiler/pack_compiler.h"
#include "tests/packs/battery_packs.h"

namespace reprise::sim {
namespace {

TEST(PackWarningsTest, NoPackOfTheBatteryHasAny) {
  for (const char* const name : kBatteryPacks) {
    PackReport report({.is_author = true});
    EXPECT_NE(CompilePack(BatteryPack(name), /*seed=*/1, report), nullptr)
        << name << ": " << report.ToStatus();
    for (const PackProblem& warning : report.warnings()) {
      ADD_FAILURE() << name << "/" << FormatProblem(warning);
    }
  }
}

}  // namespace
}  // namespace reprise::sim
