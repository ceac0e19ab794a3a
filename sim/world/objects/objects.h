// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The objects of a world: which there are, how they are found, and how they
// come and go. What lasts is in rows; the rest is an index over them, made anew
// whenever objects came or went.

#ifndef REPRISE_SIM_WORLD_OBJECTS_OBJECTS_H_
#define REPRISE_SIM_WORLD_OBJECTS_OBJECTS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/handle.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/base/tick.h"
#include "sim/geometry/transform.h"
#include "sim/geometry/vector3.h"
#include "sim/state/state.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/definition/world_definition.h"
#include "sim/world/objects/object_index.h"
#include "sim/world/objects/update_times.h"

namespace reprise::sim {

struct ObjectTables {
  TableIndex objects;
  TableIndex slots;
  TableIndex allocation;
  TableIndex places;
  TableIndex attachments;
  // One for each component of the definition, in its order.
  std::vector<TableIndex> components;
};

// Buckets are numbered below this: what depends on each other in a longer chain
// is refused.
inline constexpr uint32_t kBucketsMax = 64;

// Whether something can be there: at finite numbers, turned by a rotation (of
// length 1, within what steps of rounding add up to).
bool IsPlace(const Transform& place);

// An object that somebody asked for.
struct SpawnRequest {
  uint32_t archetype = 0;  // index into WorldDefinition::archetypes
  Id name;
  Id chunk;
  Handle parent;
  bool is_attached = false;
  ObjectStatus status = ObjectStatus::kActive;
  uint64_t bucket_min = 0;  // it runs in this bucket, or in a later one
  Transform place;
  Vector3 linear_velocity_m_s;
  Vector3 angular_velocity_rad_s;
  // The rows of its components where they differ from the archetype's: empty,
  // or one for each of the type's components.
  std::span<const std::vector<std::byte>> rows;
};

// Why an object that was asked for didn't come.
enum class SpawnRefusal : uint8_t {
  kNone,
  kTypeIsFull,
  kWorldIsFull,
  kNoBucket,  // its parent is in the last one
  kTooLate,   // the tick ends, and no more objects come in it
};

// How `spawn_refused` says that. REQUIRES: it is refused.
Id ReasonOf(SpawnRefusal refusal);

class Objects {
 public:
  // Adds the empty tables to the rooms "world" and "components".
  static ObjectTables AddTables(const WorldDefinition& definition,
                                State& state);

  // `definition` outlives this.
  Objects(const WorldDefinition& definition, ObjectTables tables);

  const ObjectTables& tables() const { return tables_; }

  // Makes the objects of the pack. REQUIRES: the tables are empty.
  void Initialize(State& state);

  // Whether the rows don't contradict each other; DATA_LOSS says what does.
  absl::Status CheckRows(const State& state) const;

  // Makes the index of `state`, and forgets what was asked for.
  void Load(const State& state);

  // Finding. Rows are rows of the table of objects, and hold until Commit; what
  // takes a snapshot looks in its rows, all else is of the state that Load had.
  uint32_t RowOf(const State& snapshot, ObjectId object) const;
  uint32_t RowOf(const State& state, Handle handle) const;
  uint32_t RowIn(const State& snapshot, Handle handle) const;
  // Of the oldest object of the name.
  uint32_t RowNamed(Id name) const { return index_.RowNamed(name); }
  // The index of the object's type, and the row of one of its components.
  uint32_t TypeOf(uint32_t row) const { return index_.TypeOf(row); }
  uint32_t ComponentRow(uint32_t row, uint32_t component) const {
    return index_.ComponentRow(row, component);
  }
  // The rows of the objects of exactly this type, in object order.
  std::span<const uint32_t> RowsOfType(uint32_t type) const {
    return index_.RowsOfType(type);
  }

  // Grows whenever objects came, went or got other buckets: what was derived
  // before is void.
  uint64_t generation() const { return generation_; }

  // Asks for an object, which comes at the next Commit, after those asked for
  // before. Its handle leads to nobody until then; it is null, and nothing
  // happens, when there is no room.
  struct SpawnResult {
    Handle handle;
    SpawnRefusal refusal = SpawnRefusal::kNone;
  };
  SpawnResult RequestSpawn(State& state, const SpawnRequest& request);

  // Asks for the end of an object. Returns whether the handle leads to one,
  // there already or asked for.
  bool RequestDestroy(const State& state, Handle handle);

  // Asks for a parent of an object, or for none with a null one, from the next
  // Commit on, after all that come and go in it. Each request is answered by an
  // attempt.
  struct AttachRequest {
    Handle object;
    Handle parent;
    bool is_carried = false;  // moves with its parent from then on
    // Where on its parent; unset: where it is then.
    std::optional<Transform> place_on_parent;
    ObjectId asked_by;
  };
  void RequestAttach(const AttachRequest& request) {
    attach_requests_.push_back(request);
  }
  // What was asked for; Commit leaves it to who attaches.
  std::vector<AttachRequest> TakeAttachRequests() {
    return std::exchange(attach_requests_, {});
  }

  // Whether anything is asked for that Commit or attaching would do.
  bool HasRequests() const {
    return !pending_spawns_.empty() || !pending_destroys_.empty() ||
           !attach_requests_.empty();
  }
  // Those whose end was asked for, in order; some may stand there twice.
  std::span<const Handle> pending_destroys() const { return pending_destroys_; }
  // From now on, or no longer, spawns are refused with kTooLate.
  void set_is_late(bool is_late) { is_late_ = is_late; }

  // What Commit did. Of what was spawned, `request` says how, without its rows;
  // of what was destroyed, only the archetype.
  struct Change {
    ObjectId object;
    Handle handle;
    uint32_t type = 0;
    SpawnRequest request;
  };

  // Destroys and spawns what was asked for, in the order of the requests. An
  // object whose parent is gone by then comes without one; children of what is
  // destroyed lose their parent and stay where they are.
  void Commit(Tick tick, State& state);
  std::span<const Change> spawned() const { return spawned_; }
  std::span<const Change> destroyed() const { return destroyed_; }

  // The order in which objects are updated is another one: they have other
  // buckets.
  void Reorder() { ++generation_; }

  // Writes the status, and what it means for the times of updates.
  void SetStatus(State& state, uint32_t row, ObjectStatus status);

  // How far the updates of this tick have come: what steps the world says so.
  UpdateProgress& progress() { return progress_; }
  const UpdateProgress& progress() const { return progress_; }

 private:
  struct PendingSpawn {
    SpawnRequest request;
    Handle handle;
    std::vector<std::vector<std::byte>> rows;
    uint64_t bucket = 0;  // it gets, if its parent is still there by then
    bool is_cancelled = false;
  };

  AllocationRow& allocation(State& state) const;
  // With `is_anew` the index is left for who makes it anew.
  void AppendObject(Tick tick, const PendingSpawn& spawn, bool is_anew,
                    State& state);
  void EraseDestroyed(bool is_anew, State& state);
  void Forget();  // what was asked for
  // Whether so many come and go that the index is made anew.
  bool ChangesMost() const {
    return 8 * (pending_spawns_.size() + pending_destroys_.size()) >
           index_.object_count();
  }
  // The bucket behind that of `parent`, which may itself be asked for only; 0
  // where it leads to nobody.
  uint64_t BucketBehind(const State& state, Handle parent) const;

  const WorldDefinition& definition_;
  ObjectTables tables_;
  UpdateProgress progress_;

  ObjectIndex index_;
  uint64_t generation_ = 0;

  std::vector<PendingSpawn> pending_spawns_;
  // By the index of the handle, one more than the place in pending_spawns_;
  // what is left of earlier ticks doesn't have that handle.
  std::vector<uint32_t> pending_by_slot_;
  std::vector<Handle> pending_destroys_;
  std::vector<AttachRequest> attach_requests_;
  bool is_late_ = false;
  std::vector<uint32_t> pending_of_types_;  // spawns asked for
  std::vector<Change> spawned_;
  std::vector<Change> destroyed_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_OBJECTS_OBJECTS_H_
