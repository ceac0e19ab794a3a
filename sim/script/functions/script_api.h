// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// All functions of ours that scripts may call, by name.

#ifndef REPRISE_SIM_SCRIPT_FUNCTIONS_SCRIPT_API_H_
#define REPRISE_SIM_SCRIPT_FUNCTIONS_SCRIPT_API_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "sim/script/functions/script_function.h"

namespace reprise::sim {

// Calls `run` with the context of a hook, made of that of the call which it
// looks on at: what a hook gathers is not that call's.
using ScriptWatching = void (*)(void* context,
                                absl::FunctionRef<void(void*)> run);

class ScriptApi {
 public:
  // Returns INVALID_ARGUMENT for a description that is none (see
  // ValidateScriptFunction), or for a name that scripts have already: of
  // another function, of a table, or of Lua's own. Adds nothing then.
  absl::Status Add(ScriptFunction function);

  // Lets hooks call a function; see ScriptFunction::is_observing.
  // REQUIRES: it is there.
  void LetHooksCall(std::string_view name);

  // Null: a hook has the context of the call.
  void set_watching(ScriptWatching watching) { watching_ = watching; }
  ScriptWatching watching() const { return watching_; }

  // Sorted by name, whatever the order in which they came.
  const std::vector<ScriptFunction>& functions() const { return functions_; }

 private:
  std::vector<ScriptFunction> functions_;
  ScriptWatching watching_ = nullptr;
};

// "body" of "body.push"; empty for a function that is in no table.
std::string ScriptTableOf(const ScriptFunction& function);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SCRIPT_FUNCTIONS_SCRIPT_API_H_
