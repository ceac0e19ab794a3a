// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The scenarios of the packs that ship hold, played by the verb itself.

#include "tools/reprise/verbs/test_command.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "tools/reprise/terminal/console.h"
#include "tools/reprise/terminal/exit_code.h"
#include "tools/reprise/verbs/command.h"

namespace reprise::tools {
namespace {

TEST(TestCommandTest, ScenariosOfAPackHold) {
  std::ostringstream out;
  std::ostringstream err;
  Console console(out, err, /*is_err_terminal=*/false);
  const std::vector<Command> commands = {MakeTestCommand()};
  const std::vector<std::string> words = {"test", "sim/packs"};
  EXPECT_EQ(RunCommandLine(commands, words, console), ExitCode::kOk)
      << out.str() << err.str();
}

}  // namespace
}  // namespace reprise::tools
