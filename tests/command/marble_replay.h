// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What tests of the command share: a replay of a pack that ships, changed
// copies of both, and what the program prints taken apart.

#ifndef REPRISE_TESTS_COMMAND_MARBLE_REPLAY_H_
#define REPRISE_TESTS_COMMAND_MARBLE_REPLAY_H_

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/command/command_runner.h"

namespace reprise::tests {

inline constexpr char kReprise[] = "tools/reprise/reprise";

// Runs the program.
CommandResult Reprise(std::vector<std::string> arguments);

// The lines of `text` without their ends.
std::vector<std::string> Lines(const std::string& text);

// What the line that starts with `label` goes on with; empty where none does.
std::string ValueOf(const std::string& text, const std::string& label);

// A pack like marble, with `find` in its manifest replaced.
std::string MakeChangedPack(const std::string& name, const std::string& find,
                            const std::string& replacement);

// Every test works on a replay of 240 ticks of random inputs.
class MarbleReplayTest : public testing::Test {
 protected:
  static void SetUpTestSuite();
  static void TearDownTestSuite() { delete replay_; }

  static const std::string& replay() { return *replay_; }

  // A replay of the same inputs with one of them changed.
  static std::string MakeChangedReplay();

 private:
  static std::string* replay_;
};

}  // namespace reprise::tests

#endif  // REPRISE_TESTS_COMMAND_MARBLE_REPLAY_H_
