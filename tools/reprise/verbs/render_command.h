// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise render`: pictures of a replay, or a film.

#ifndef REPRISE_TOOLS_REPRISE_VERBS_RENDER_COMMAND_H_
#define REPRISE_TOOLS_REPRISE_VERBS_RENDER_COMMAND_H_

#include "tools/reprise/verbs/command.h"

namespace reprise::tools {

Command MakeRenderCommand();

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_VERBS_RENDER_COMMAND_H_
