// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// When objects are updated, and of when what they show is. It follows from
// their types, serials and rows, so that nothing is written for an update.
// Updates are numbered: that before physics of the game's tick t is 2 t, that
// after it 2 t + 1.

#ifndef REPRISE_SIM_WORLD_OBJECTS_UPDATE_TIMES_H_
#define REPRISE_SIM_WORLD_OBJECTS_UPDATE_TIMES_H_

#include <cstdint>
#include <limits>

#include "sim/base/object_id.h"
#include "sim/base/tick.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {

// The two updates of a tick.
enum class Hook : uint8_t { kBeforePhysics = 0, kAfterPhysics = 1 };

// The number of the update of `hook` at `tick`.
constexpr uint64_t UpdateNumber(Tick tick, Hook hook) {
  return 2 * tick + static_cast<uint64_t>(hook);
}

// Whether a behaviour has this hook at all.
bool HasHook(const BehaviourUse& use, Hook hook);

// What is added to the tick: a behaviour runs for the object where the sum is a
// multiple of `every_ticks`. Nobody else's coming or going changes it.
constexpr uint64_t UpdateOffset(const BehaviourUse& use, ObjectId object) {
  return use.offset + (use.is_spread ? object.serial : 0);
}

// The tick of the last update, of those numbered below `end`, in which a
// behaviour of the object's type ran for it; ObjectRow::updated_at where it has
// not been updated since it is active, or isn't.
Tick LastUpdateOf(const TypeDefinition& type, const ObjectRow& object,
                  uint64_t end);

// How far the updates of a step have come. Nothing of it lasts between ticks.
class UpdateProgress {
 public:
  // Begins a step of the game: the state as it is now is kept for reading.
  void BeginStep(Tick tick);
  // Begins an update, and keeps the state as it is now for reading.
  void BeginUpdate(Tick tick, Hook hook);
  // Begins the objects of a bucket; those of earlier ones are done.
  void BeginBucket(uint64_t bucket) { bucket_ = bucket; }
  void EndUpdate() { bucket_ = kAll; }

  // The first update in which an object takes part that becomes active now.
  uint64_t next() const { return next_; }
  // Objects of a bucket have been through the updates below this; those of the
  // one that is being updated count as through.
  uint64_t DoneOf(uint64_t bucket) const {
    return bucket_ == kAll || (bucket_ != kNone && bucket <= bucket_)
               ? next_
               : next_ - 1;
  }
  // The state that is kept for reading shows the updates below this.
  uint64_t kept() const { return kept_; }

 private:
  static constexpr uint64_t kAll = std::numeric_limits<uint64_t>::max();
  static constexpr uint64_t kNone = kAll - 1;

  uint64_t next_ = 0;
  uint64_t kept_ = 0;
  uint64_t bucket_ = kAll;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_OBJECTS_UPDATE_TIMES_H_
