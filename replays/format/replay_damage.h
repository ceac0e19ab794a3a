// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What is wrong with the file of a replay that opens all the same, and what
// that costs: nothing that the reader read around stays unsaid.

#ifndef REPRISE_REPLAYS_FORMAT_REPLAY_DAMAGE_H_
#define REPRISE_REPLAYS_FORMAT_REPLAY_DAMAGE_H_

#include <optional>
#include <string>

#include "replays/format/replay_reader.h"

namespace reprise::replays {

struct ReplayDamage {
  // Of the run: "nothing of the run is lost". A clause without its stop.
  std::string cost;
  // Of the file, with the offset; empty where it only ends too early.
  std::string problem;

  // "the recording was cut off; 80 ticks of it are left (offset 9021: ...)"
  std::string Format() const;
};

// nullopt of a replay that is whole and has its end, or is just getting it.
std::optional<ReplayDamage> FindDamage(const ReplayReader& replay);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FORMAT_REPLAY_DAMAGE_H_
