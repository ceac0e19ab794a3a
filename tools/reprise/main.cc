// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The `reprise` command: its table of verbs.

#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/format/engine.h"
#include "sim/base/content_digest.h"
#include "tools/reprise/inputs/plugin_flags.h"
#include "tools/reprise/terminal/console.h"
#include "tools/reprise/terminal/crash_report.h"
#include "tools/reprise/terminal/exit_code.h"
#include "tools/reprise/terminal/program_digest.h"
#include "tools/reprise/terminal/standard_streams.h"
#include "tools/reprise/verbs/command.h"
#include "tools/reprise/verbs/commands.h"
#include "tools/reprise/verbs/render_command.h"
#include "tools/reprise/verbs/test_command.h"
#include "tools/reprise/verbs/tournament_command.h"

namespace reprise::tools {
namespace {

// Recordings say which build made them, where that can be told. It tells builds
// apart and proves nothing, so each recording needn't wait for SHA-256 of 30
// MB.
std::string EngineOfProgram() {
  const absl::StatusOr<sim::ContentDigest> program =
      DigestOfProgram(sim::ContentHash::kXxh3);
  return program.ok() ? sim::FormatDigest(*program) : "";
}

int Main(int argc, char** argv) {
  std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  ReportCrashes(FormatCommandLine(arguments));
  Console console(std::cout, std::cerr, isatty(STDERR_FILENO) == 1);
  const absl::StatusOr<std::vector<std::string>> plugins =
      TakePluginFlags(arguments);
  const absl::Status loaded =
      plugins.ok() ? LoadPlugins(*plugins) : plugins.status();
  if (!loaded.ok()) {
    console.Error(std::string(loaded.message()));
    return static_cast<int>(ExitCodeOf(loaded));
  }
  replays::SetEngineFinder(&EngineOfProgram);
  const std::vector<Command> commands = {
      MakeRunCommand(),         MakeVerifyCommand(),
      MakeInfoCommand(),        MakeDiffCommand(),
      MakeInspectCommand(),     MakeDescribeCommand(),
      MakeQueryCommand(),       MakeCatCommand(),
      MakeAssembleCommand(),    MakeRecoverCommand(),
      MakeAcceptCommand(),      MakeExportCommand(),
      MakeConformCommand(),     MakePackBuildCommand(),
      MakePackCheckCommand(),   MakePackDiffCommand(),
      MakePackExplainCommand(), MakePackListCommand(),
      MakeServeCommand(),       MakeStoreAddCommand(),
      MakeStoreListCommand(),   MakeStoreShowCommand(),
      MakeStoreGetCommand(),    MakeStoreTagCommand(),
      MakeStoreRemoveCommand(), MakeStorePruneCommand(),
      MakeStoreCheckCommand(),  MakeFuzzCommand(),
      MakeMinimizeCommand(),    MakeBisectCommand(),
      MakeViewCommand(),        MakeTestCommand(),
      MakeBenchCommand(),       MakeConvertCommand(),
      MakeTournamentCommand(),  MakeRenderCommand(),
      MakePlotCommand(),        MakeTokenCommand(),
  };
  return static_cast<int>(RunCommandLine(commands, arguments, console));
}

}  // namespace
}  // namespace reprise::tools

int main(int argc, char** argv) {
  reprise::tools::ReserveStandardStreams();
  const int exit_code = reprise::tools::Main(argc, argv);
  reprise::tools::ExpectExit();
  return exit_code;
}
