// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The verb `reprise tournament`.

#ifndef REPRISE_TOOLS_REPRISE_VERBS_TOURNAMENT_COMMAND_H_
#define REPRISE_TOOLS_REPRISE_VERBS_TOURNAMENT_COMMAND_H_

#include "tools/reprise/verbs/command.h"

namespace reprise::tools {

Command MakeTournamentCommand();

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_VERBS_TOURNAMENT_COMMAND_H_
