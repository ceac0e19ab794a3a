// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// All functions of ours that scripts may call, by name.

#ifndef REPRISE_SIM_SCRIPT_SCRIPT_API_H_
#define REPRISE_SIM_SCRIPT_SCRIPT_API_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "sim/script/script_function.h"

namespace reprise::sim {

class ScriptApi {
 public:
  // Returns INVALID_ARGUMENT for a description that is none (see
  // ValidateScriptFunction), or for a name that scripts have already: of
  // another function, of a table, or of Lua's own. Adds nothing then.
  absl::Status Add(ScriptFunction function);

  // Sorted by name, whatever the order in which they came.
  const std::vector<ScriptFunction>& functions() const { return functions_; }

 private:
  std::vector<ScriptFunction> functions_;
};

// "body" of "body.push"; empty for a function that is in no table.
std::string ScriptTableOf(const ScriptFunction& function);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SCRIPT_SCRIPT_API_H_
