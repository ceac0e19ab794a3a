// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The verbs of `reprise`, one function and one source file each.

#ifndef REPRISE_TOOLS_REPRISE_VERBS_COMMANDS_H_
#define REPRISE_TOOLS_REPRISE_VERBS_COMMANDS_H_

#include "tools/reprise/verbs/command.h"

namespace reprise::tools {

Command MakeRunCommand();
Command MakeVerifyCommand();
Command MakeInfoCommand();
Command MakeDiffCommand();
Command MakeDescribeCommand();
Command MakeInspectCommand();
Command MakeQueryCommand();
Command MakeExportCommand();
Command MakeViewCommand();
Command MakePlotCommand();
Command MakeCatCommand();
Command MakeAssembleCommand();
Command MakeConvertCommand();
Command MakeRecoverCommand();
Command MakeAcceptCommand();
Command MakeFuzzCommand();
Command MakeMinimizeCommand();
Command MakeBisectCommand();
Command MakeServeCommand();
Command MakeTokenCommand();
Command MakeConformCommand();
Command MakeBenchCommand();
Command MakePackBuildCommand();
Command MakePackCheckCommand();
Command MakePackDiffCommand();
Command MakePackExplainCommand();
Command MakePackListCommand();
Command MakeStoreAddCommand();
Command MakeStoreListCommand();
Command MakeStoreShowCommand();
Command MakeStoreGetCommand();
Command MakeStoreTagCommand();
Command MakeStoreRemoveCommand();
Command MakeStorePruneCommand();
Command MakeStoreCheckCommand();

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_VERBS_COMMANDS_H_
