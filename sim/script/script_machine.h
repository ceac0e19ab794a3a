// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Runs the scripts of a program, one machine a world. What a call does depends
// on its program, its arguments and what native functions answer, and on
// nothing else: not on earlier calls, the collector, addresses or the clock.

#ifndef REPRISE_SIM_SCRIPT_SCRIPT_MACHINE_H_
#define REPRISE_SIM_SCRIPT_SCRIPT_MACHINE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "sim/script/functions/script_api.h"
#include "sim/script/functions/script_error.h"
#include "sim/script/functions/script_value.h"
#include "sim/script/script_probes.h"
#include "sim/script/script_profile.h"
#include "sim/script/script_program.h"
#include "sim/script/script_watcher.h"

struct lua_State;

namespace reprise::sim {

// All positive. Bytes are those of all that is made, collected or not.
struct ScriptLimits {
  // A call of a million takes 5 to 20 ms.
  int64_t call_instructions = 1'000'000;
  int64_t call_bytes = 16 << 20;
  int64_t load_instructions = 10'000'000;
  int64_t load_bytes = 64 << 20;
};

struct ScriptUsage {
  int64_t instructions = 0;
  int64_t bytes = 0;

  friend bool operator==(const ScriptUsage&, const ScriptUsage&) = default;
};

// A function of a script; of the machine that found it.
struct ScriptEntry {
  int index = 0;
};

class ScriptMachine {
 public:
  // Runs each script once, in the order of their names or as they require each
  // other, and freezes all that they made. `is_profiled` counts from then on.
  // Returns INVALID_ARGUMENT with file and line for an error of a script or a
  // coroutine that is left, RESOURCE_EXHAUSTED if a budget is passed.
  static absl::StatusOr<std::unique_ptr<ScriptMachine>> Create(
      std::shared_ptr<const ScriptProgram> program,
      std::shared_ptr<const ScriptApi> api, const ScriptLimits& limits = {},
      bool is_profiled = false);

  ScriptMachine(const ScriptMachine&) = delete;
  ScriptMachine& operator=(const ScriptMachine&) = delete;
  ~ScriptMachine();

  // Returns the function at `path` ("update", "states.idle.update") in the
  // table that a script returned, or nothing if there is no such function. Of
  // digits is a place in a list, from 1: "steps.2".
  std::optional<ScriptEntry> Find(std::string_view file, std::string_view path);

  // Where a function begins in its file, from 1.
  int LineOf(ScriptEntry entry) const;

  // Names of the functions in the table that a script returned, in its order.
  // Empty if it returned none.
  std::vector<std::string> FunctionNames(std::string_view file);

  // The keys that are strings of the table at `path`, in its order; empty if
  // there is no such table. "" is the table that a script returned.
  std::vector<std::string> Keys(std::string_view file, std::string_view path);

  // How many values the list at `path` has; 0 if there is none.
  int64_t ListSize(std::string_view file, std::string_view path);

  // The plain value at `path`, nil if there is none; a string lives until the
  // next call.
  ScriptValue Value(std::string_view file, std::string_view path);

  // Calls a function. Native functions get `context`, which may be null. Sets
  // `result`, if that isn't null, to the first result; its string lives until
  // the next call. Returns the error if there is one: nothing of the call stays
  // then but what native functions did, and the machine is as before. That of a
  // hook is returned when the call has gone to its end, if nothing else failed.
  // REQUIRES: not called by a native function of this machine.
  std::optional<ScriptError> Call(ScriptEntry entry,
                                  std::span<const ScriptValue> arguments,
                                  void* context = nullptr,
                                  ScriptValue* result = nullptr);

  // Of the last call, or of loading before the first.
  const ScriptUsage& usage() const { return usage_; }

  const ScriptProgram& program() const { return *program_; }

  // Counts lines and branches, or doesn't; costs nothing while it doesn't.
  void SetProfiling(bool is_profiled);

  // Tells `probes` where a call comes to what they look for; null: nobody. To
  // be called again where they look for something else. REQUIRES: they are of
  // this machine's profile, which knows all functions, and outlive this, or
  // others take their place.
  void SetProbes(ScriptProbes* probes);

  // Tells `watcher` of lines that begin, and counts them; null: nobody.
  // REQUIRES: the watcher outlives this, or another one takes its place.
  void Watch(ScriptWatcher* watcher);

  // Tells `watcher` of functions of ours that scripts call; null: nobody.
  // REQUIRES: as Watch.
  void WatchCalls(ScriptCallWatcher* watcher);

  // What was counted so far; nothing, not even lines, before anything was to be
  // counted.
  const ScriptProfile& profile() const { return profile_; }
  void ClearProfile() { profile_.Clear(); }

  // How often memory was asked for, since the machine was made.
  uint64_t allocation_count() const;

 private:
  struct Lua;

  ScriptMachine(std::shared_ptr<const ScriptProgram> program,
                std::shared_ptr<const ScriptApi> api,
                const ScriptLimits& limits);

  absl::Status Load(bool is_profiled);
  // Adds the functions of all scripts that are loaded to the profile.
  void ListLoaded();
  // Calls `visit` for each of those, its main chunk on the top of the stack.
  void ForEachChunk(absl::FunctionRef<void(int file)> visit);
  // Puts what is at `path` on the top of the stack; nil if nothing is.
  void PushAt(std::string_view file, std::string_view path);
  std::optional<ScriptError> RunProtected(int (*function)(lua_State*),
                                          void* data, int64_t instructions,
                                          int64_t bytes);

  std::shared_ptr<const ScriptProgram> program_;
  std::shared_ptr<const ScriptApi> api_;
  ScriptLimits limits_;
  ScriptProfile profile_;
  ScriptUsage usage_;
  std::string result_text_;
  std::map<std::string, ScriptEntry> entries_;
  int entry_count_ = 0;
  bool is_running_ = false;
  // Of the probes that are in the code.
  std::optional<uint64_t> probes_revision_;
  std::unique_ptr<Lua> lua_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SCRIPT_SCRIPT_MACHINE_H_
