// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How far a replay holds every event of its run. A part of a run may have none
// behind some tick; what it has is of the run all the same.

#ifndef REPRISE_REPLAYS_FORMAT_WHOLE_EVENTS_H_
#define REPRISE_REPLAYS_FORMAT_WHOLE_EVENTS_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "replays/container/mcap_records.h"
#include "replays/format/replay_reader.h"
#include "sim/base/tick.h"

namespace reprise::replays {

inline constexpr std::string_view kWholeEventsMetadataName = "events";

// The record which says that only the ticks before `end` have all their events.
McapMetadata WholeEventsRecord(sim::Tick end);

// Whether the replay says that it is a part of a run: it has such a record, or
// is a capsule, also one from before there were records.
bool IsPartOfRun(const ReplayReader& replay);

// The first tick that needn't have all its events: behind the run where nothing
// says otherwise; that of the record, or the lowest of several; of a capsule
// without one its own tick; of a replay without any event 0, unless its end
// counts them; of one that was cut off the tick behind the last event.
// DATA_LOSS: the record says no tick. Other errors are of reading.
absl::StatusOr<sim::Tick> WholeEventsEnd(const ReplayReader& replay);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FORMAT_WHOLE_EVENTS_H_
