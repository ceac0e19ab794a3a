// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Keeps who comes to one line of a script, and what the variables are there.
// It is no state.

#ifndef REPRISE_SIM_SYSTEMS_SCRIPTS_SCRIPT_TRACE_H_
#define REPRISE_SIM_SYSTEMS_SCRIPTS_SCRIPT_TRACE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/handle.h"
#include "sim/base/object_id.h"
#include "sim/script/script_watcher.h"

namespace reprise::sim {

struct ScriptTraceEntry {
  ObjectId object;  // whose behaviour it is
  ScriptVisit visit;
};

// Of those that weren't taken yet.
inline constexpr size_t kTraceEntriesMax = 1000;

class ScriptTrace final : public ScriptWatcher {
 public:
  explicit ScriptTrace(const ScriptLine& line) : line_(line) {}

  bool Wants(const ScriptLine& line) override { return line == line_; }
  std::string NameOf(Handle handle, void* context) override;
  void OnLine(const ScriptVisit& visit, void* context) override;

  // What came since the last call, in the order in which it happened.
  std::vector<ScriptTraceEntry> Drain();

  // Those for which there was no room, in all.
  uint64_t dropped_count() const { return dropped_count_; }

 private:
  ScriptLine line_;
  std::vector<ScriptTraceEntry> entries_;
  uint64_t dropped_count_ = 0;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_SCRIPTS_SCRIPT_TRACE_H_
