// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a client sees of the ticks that it makes, or others: declared once, then
// read at each of them.

#ifndef REPRISE_SERVICES_OBSERVATIONS_OBSERVATION_H_
#define REPRISE_SERVICES_OBSERVATIONS_OBSERVATION_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "absl/status/statusor.h"
#include "reprise/v1/observation.pb.h"
#include "services/base/tenant_memory.h"
#include "services/observations/observed_field.h"
#include "services/observations/observed_group.h"
#include "services/observations/player_view.h"
#include "services/observations/shown_frames.h"
#include "sim/base/id.h"
#include "sim/event.h"
#include "sim/simulation.h"

namespace reprise::services {

inline constexpr int kObservedGroupsMax = 16;
// Expressions that are computed and conditions, all together. At each tick each
// of their steps may be made for each row.
inline constexpr uint64_t kObservedTextBytesMax = 4096;
// Types of events that a filter names.
inline constexpr int kEventTypesMax = 64;

// Bytes of what is seen of one tick, and after which a request ends, where a
// message has `message_bytes`. What is seen takes three times as many at most.
constexpr uint64_t ObservedBytesMax(uint64_t message_bytes) {
  return message_bytes / 4;
}

// Used by one thread at a time, with the simulation that it was parsed against:
// one that is put back needs another.
class Observation {
 public:
  // Nothing of `declaration` is kept where a part of it is wrong. `view` is
  // what its client may see; null: all. INVALID_ARGUMENT, RESOURCE_EXHAUSTED:
  // see ObservedGroup.
  static absl::StatusOr<Observation> Parse(const v1::Observe& declaration,
                                           const sim::Simulation& simulation,
                                           uint64_t bytes_max,
                                           const PlayerView* view = nullptr);

  // Counts what it keeps of frames into `memory`, which may be null.
  void CountInto(std::shared_ptr<TenantMemory> memory);

  v1::ObservationLayout Describe() const;

  // Whether the client hears of events of this type.
  bool Hears(sim::Id event_type) const;

  // Begins with the ticks of another request.
  void Begin();

  // The client has the frame of this number; see ShownFrames::Acknowledge.
  void Acknowledge(uint64_t frame);

  // What is due at this tick, at the end of a request, and for a client that
  // only looks.
  void ObserveTick(const ObservedTick& tick, v1::Observations& observations);
  void ObserveEnd(const ObservedTick& tick, v1::Observations& observations);
  void ObserveAll(const ObservedTick& tick, v1::Observations& observations);

  // Whether another tick may not fit.
  bool is_full() const { return bytes_ >= bytes_max_; }

 private:
  explicit Observation(uint64_t bytes_max) : bytes_max_(bytes_max) {}

  absl::Status ParseGroups(const v1::Observe& declaration,
                           const sim::Simulation& simulation);
  absl::Status ParseEvents(const v1::EventFilter& filter,
                           const sim::Simulation& simulation);
  // Looks at the groups that are due, and shows a frame.
  template <typename IsDue>
  void Observe(const ObservedTick& tick, IsDue is_due, bool shows_frame,
               v1::Observations& observations);
  static void AddDigest(const ObservedTick& tick,
                        v1::Observations& observations);

  const uint64_t bytes_max_;
  uint32_t digest_every_ticks_ = 0;
  std::vector<ObservedGroup> groups_;
  std::optional<std::set<sim::Id>> events_;  // unset: all
  std::optional<ShownFrames> frames_;        // unset: none
  uint64_t bytes_ = 0;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_OBSERVATIONS_OBSERVATION_H_
