// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What behaviours and scripts say for people to read: lines with a level and a
// channel. It is never state: nothing that a simulation does depends on whether
// anybody reads it, and no digest, snapshot or recording has it.

#ifndef REPRISE_SIM_WORLD_OBJECTS_WORLD_LOG_H_
#define REPRISE_SIM_WORLD_OBJECTS_WORLD_LOG_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/object_id.h"
#include "sim/base/tick.h"

namespace reprise::sim {

enum class LogLevel : uint8_t { kDebug, kInfo, kWarning, kError };

// In the levels' order.
inline constexpr auto kLogLevelNames =
    std::to_array<std::string_view>({"debug", "info", "warning", "error"});

inline std::string_view LogLevelName(LogLevel level) {
  return kLogLevelNames[static_cast<size_t>(level)];
}
std::optional<LogLevel> LogLevelOf(std::string_view name);

struct WorldLogLine {
  Tick tick = 0;
  LogLevel level = LogLevel::kInfo;
  ObjectId object;  // who says it
  std::string channel;
  std::string text;
};

inline constexpr size_t kLogTextBytesMax = 1000;  // the rest is cut off
inline constexpr size_t kLogLinesMax = 10000;     // of those not read yet

class WorldLog {
 public:
  // Keeps what is said from now on, of this level and those above.
  void Keep(LogLevel least) { least_ = least; }

  bool wants(LogLevel level) const { return least_ && level >= *least_; }

  // Keeps a line, if it is wanted and there is room.
  void Add(WorldLogLine line);

  // The lines since the last call, oldest first.
  std::vector<WorldLogLine> Drain();

  // Lines for which there was no room, in all.
  uint64_t dropped_count() const { return dropped_count_; }

 private:
  std::optional<LogLevel> least_;
  std::vector<WorldLogLine> lines_;
  uint64_t dropped_count_ = 0;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_OBJECTS_WORLD_LOG_H_
