// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a script calls that isn't there: it would find out about it when it
// comes to that line.

#ifndef REPRISE_SIM_SCRIPT_SCRIPT_CALLS_H_
#define REPRISE_SIM_SCRIPT_SCRIPT_CALLS_H_

#include <string>
#include <vector>

#include "sim/script/functions/script_api.h"
#include "sim/script/script_tokens.h"

namespace reprise::sim {

struct ScriptMisnomer {
  std::string what;
  int line = 0;  // from 1
};

// In the order of the source: names that `api` and Lua's libraries lack in
// tables that they have ("own.gte"), and what Lua has elsewhere and scripts
// haven't ("print"), each with what was probably meant. Nothing is said of a
// name that the source gives to something of its own, wherever.
std::vector<ScriptMisnomer> MissingFunctions(
    const std::vector<ScriptToken>& tokens, const ScriptApi& api);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SCRIPT_SCRIPT_CALLS_H_
