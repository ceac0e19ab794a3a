// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Whether other sources can take the place of a pack's scripts in its worlds:
// what was made of the pack stays, so they can't ask for more than it has.

#ifndef REPRISE_SIM_SYSTEMS_SCRIPT_RELOADS_SCRIPT_REVISION_H_
#define REPRISE_SIM_SYSTEMS_SCRIPT_RELOADS_SCRIPT_REVISION_H_

#include <map>
#include <memory>
#include <span>
#include <string>

#include "absl/status/statusor.h"
#include "sim/base/id.h"
#include "sim/bot_description.h"
#include "sim/script/script_program.h"
#include "sim/systems/scripts/script_system.h"

namespace reprise::sim {

// The program of `scripts` with other sources, by the ids of their files, which
// the scripts of `bots` take, too. NOT_FOUND: the pack has no such script.
// INVALID_ARGUMENT, with file and line
// where there is one: it doesn't load, says no right thing of itself, has a
// parameter that the pack's lacks or of another type, states where that has
// none or none where that has some, or asks for what that doesn't (to read
// others, to query, to mark timelines). RESOURCE_EXHAUSTED as
// ScriptProgram::Compile and ScriptMachine::Create.
absl::StatusOr<std::shared_ptr<const ScriptProgram>> ReviseProgram(
    const ScriptsDefinition& scripts, std::span<const BotDescription> bots,
    const std::map<Id, std::string>& sources);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_SCRIPT_RELOADS_SCRIPT_REVISION_H_
