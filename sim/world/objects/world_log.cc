// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/objects/world_log.h"

#include <utility>

namespace reprise::sim {

std::optional<LogLevel> LogLevelOf(std::string_view name) {
  for (size_t level = 0; level < kLogLevelNames.size(); ++level) {
    if (kLogLevelNames[level] == name) return static_cast<LogLevel>(level);
  }
  return std::nullopt;
}

void WorldLog::Add(WorldLogLine line) {
  if (!wants(line.level)) return;
  if (lines_.size() == kLogLinesMax) {
    ++dropped_count_;
    return;
  }
  if (line.text.size() > kLogTextBytesMax) line.text.resize(kLogTextBytesMax);
  lines_.push_back(std::move(line));
}

std::vector<WorldLogLine> WorldLog::Drain() {
  return std::exchange(lines_, {});
}

}  // namespace reprise::sim
