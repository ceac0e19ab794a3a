// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Entries of the proof, and the batches in which a replay holds them, in the
// form of each revision of the format: from revision 2 on roots are left out,
// since they follow from the rooms.

#ifndef REPRISE_REPLAYS_FORMAT_DIGEST_BATCH_H_
#define REPRISE_REPLAYS_FORMAT_DIGEST_BATCH_H_

#include <vector>

#include "absl/status/statusor.h"
#include "replays/format/replay_metadata.h"
#include "reprise/v1/digest_batch.pb.h"
#include "sim/base/digest.h"
#include "sim/base/tick.h"
#include "sim/state/state.h"

namespace reprise::replays {

// One entry of the proof. `rooms` are in the order of the metadata's.
struct DigestEntry {
  sim::Tick tick = 0;
  sim::Digest root;
  sim::Digest chain;  // over the roots of ticks 0 to `tick`, both included
  std::vector<sim::Digest> rooms;

  friend bool operator==(const DigestEntry&, const DigestEntry&) = default;
};

// The entry of `tick`, before whose inputs the simulation is in `state`.
DigestEntry DescribeState(sim::Tick tick, const sim::State& state,
                          sim::Digest root, sim::Digest chain);

// Appends `entry` as a replay with `metadata` holds it. REQUIRES: the batch is
// empty, or ends a stride of `metadata` before; the entry has all rooms.
void AddEntry(const DigestEntry& entry, const ReplayMetadata& metadata,
              v1::DigestBatch& batch);

// The number of entries in a batch that a replay with `metadata` holds.
// DATA_LOSS: its arrays don't fit each other, or another stride.
absl::StatusOr<int> CountEntries(const v1::DigestBatch& batch,
                                 const ReplayMetadata& metadata);

// Entry `i` of the batch. REQUIRES: i is below CountEntries, which is OK.
DigestEntry EntryAt(const v1::DigestBatch& batch, int i,
                    const ReplayMetadata& metadata);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FORMAT_DIGEST_BATCH_H_
