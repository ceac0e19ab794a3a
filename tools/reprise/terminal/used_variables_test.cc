// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a line which reproduces a run sets the variables that took part
// in it, and no others.

#include "tools/reprise/terminal/used_variables.h"

#include <cstdlib>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace reprise::tools {
namespace {

TEST(UsedVariablesTest, LineSetsWhatWasSetAndUsed) {
  ASSERT_EQ(setenv("REPRISE_PACKS", "my game's", 1), 0);
  ASSERT_EQ(setenv("REPRISE_STORE", "", 1), 0);
  ASSERT_EQ(setenv("REPRISE_OTHER", "unused", 1), 0);
  const std::vector<std::string> arguments = {"verify", "x.mcap"};
  EXPECT_EQ(FormatReproduction(arguments), "reprise verify x.mcap");

  EXPECT_EQ(UseVariable("REPRISE_STORE"), "");
  EXPECT_EQ(UseVariable("REPRISE_UNSET"), "");
  EXPECT_EQ(UseVariable("REPRISE_PACKS"), "my game's");

  EXPECT_EQ(FormatReproduction(arguments),
            "REPRISE_PACKS='my game'\\''s' reprise verify x.mcap");
}

}  // namespace
}  // namespace reprise::tools
