// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A script's mistake: what, where, and who called. It holds no address and
// nothing that differs between two runs.

#ifndef REPRISE_SIM_SCRIPT_FUNCTIONS_SCRIPT_ERROR_H_
#define REPRISE_SIM_SCRIPT_FUNCTIONS_SCRIPT_ERROR_H_

#include <string>
#include <vector>

#include "absl/status/status.h"

namespace reprise::sim {

enum class ScriptErrorKind {
  kRuntime,       // an error that the script, or a native function, raised
  kInstructions,  // the budget of instructions was passed
  kBytes,         // the budget of bytes was passed
};

// One function that was running.
struct ScriptFrame {
  std::string function;  // "function 'update'", "main chunk", "native 'find'"
  std::string file;      // empty for a native function
  int line = 0;          // from 1; 0 for a native function

  friend bool operator==(const ScriptFrame&, const ScriptFrame&) = default;
};

// The innermost frames that an error tells.
inline constexpr int kScriptFramesMax = 16;

struct ScriptError {
  ScriptErrorKind kind = ScriptErrorKind::kRuntime;
  std::string file;  // of the line at fault; empty if none is
  int line = 0;      // from 1; 0 if none is
  std::string message;
  std::vector<ScriptFrame> frames;  // innermost first, kScriptFramesMax

  friend bool operator==(const ScriptError&, const ScriptError&) = default;

  // "scripts/ball.lua:12: attempt to index a nil value".
  std::string ToString() const;

  // The same, and a line for each frame.
  std::string ToStringWithFrames() const;

  // INVALID_ARGUMENT for kRuntime, RESOURCE_EXHAUSTED for the budgets.
  absl::Status ToStatus() const;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SCRIPT_FUNCTIONS_SCRIPT_ERROR_H_
