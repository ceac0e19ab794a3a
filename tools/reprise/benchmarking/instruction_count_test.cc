// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what is read of callgrind's last words, of which those of 3.19 are
// quoted. That it counts is proven by tests of the command.

#include "tools/reprise/benchmarking/instruction_count.h"

#include <optional>

#include "gtest/gtest.h"

namespace reprise::tools {
namespace {

TEST(InstructionCountTest, CountIsTheLastThatWasCollected) {
  EXPECT_EQ(ParseInstructionCount("note: Collected : 5\n"
                                  "==81== Events    : Ir\n"
                                  "==81== Collected : 226801\n"
                                  "==81== \n"
                                  "==81== I   refs:      226,801\n"),
            226801u);
}

TEST(InstructionCountTest, NoCountIsNone) {
  EXPECT_EQ(ParseInstructionCount(""), std::nullopt);
  EXPECT_EQ(ParseInstructionCount("==81== Collected : "), std::nullopt);
  EXPECT_EQ(ParseInstructionCount("==81== Collected : many\n"), std::nullopt);
  EXPECT_EQ(ParseInstructionCount("==81== Collected : 0\n"), std::nullopt);
  EXPECT_EQ(ParseInstructionCount("Collected : 99999999999999999999999\n"),
            std::nullopt);
}

}  // namespace
}  // namespace reprise::tools
