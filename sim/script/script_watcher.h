// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Looks on while scripts run, line by line. Nothing that a script does depends
// on whether anybody looks on.

#ifndef REPRISE_SIM_SCRIPT_SCRIPT_WATCHER_H_
#define REPRISE_SIM_SCRIPT_SCRIPT_WATCHER_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/handle.h"
#include "sim/script/script_profile.h"

namespace reprise::sim {

// What is shown of a value, and no more of it.
inline constexpr size_t kShownTextBytesMax = 100;  // of a string
inline constexpr size_t kShownEntriesMax = 8;      // of a table

// A variable and its value as text: `7`, `1.5`, `"text"`, `(1, 2, 3)`, a
// handle's name, `{1, 2, x = 3}`; tables within tables are `{...}`.
struct ScriptLocal {
  std::string name;
  std::string value;

  friend bool operator==(const ScriptLocal&, const ScriptLocal&) = default;
};

// A line that begins to run.
struct ScriptVisit {
  ScriptLine line;
  std::string function;             // "function 'aim'", "main chunk"
  std::vector<ScriptLocal> locals;  // in the order of their declarations
};

// Looks on at the functions of ours that scripts call, but the pure ones.
class ScriptCallWatcher {
 public:
  virtual ~ScriptCallWatcher() = default;

  // Before and behind each; the file and the line that calls it.
  virtual void OnCall(std::string_view file, int line) = 0;
  virtual void OnReturn() = 0;
};

class ScriptWatcher {
 public:
  virtual ~ScriptWatcher() = default;

  // Asked of each line that begins: whether OnLine is to be called.
  virtual bool Wants(const ScriptLine& line) = 0;

  // How a handle is shown. `context` is the call's, null while scripts are
  // loaded.
  virtual std::string NameOf(Handle handle, void* context) = 0;

  // Called before the line runs.
  virtual void OnLine(const ScriptVisit& visit, void* context) = 0;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SCRIPT_SCRIPT_WATCHER_H_
