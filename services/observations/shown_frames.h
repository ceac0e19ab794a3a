// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The frames that one client is sent: shapes, names and meshes once, then
// poses, of what it is interested in and may see; all of them, or what is
// different from a frame that it has said it has.

#ifndef REPRISE_SERVICES_OBSERVATIONS_SHOWN_FRAMES_H_
#define REPRISE_SERVICES_OBSERVATIONS_SHOWN_FRAMES_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "reprise/v1/observation.pb.h"
#include "services/base/tenant_memory.h"
#include "services/observations/frame_interest.h"
#include "services/observations/observed_field.h"
#include "sim/base/digest.h"
#include "sim/base/tick.h"
#include "sim/frame.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"
#include "sim/simulation.h"

namespace reprise::services {

// Frames, and poses in all of them, that are kept so that others can be
// differences to them: half a second at 60 Hz, and 2 MiB.
inline constexpr size_t kKeptFramesMax = 32;
inline constexpr size_t kKeptPosesMax = size_t{1} << 15;

// Used by one thread at a time, with the simulation that it was parsed against.
class ShownFrames {
 public:
  // `path` is where the message stands in its declaration. `view` is what its
  // client may see; null: all. A frame never takes more than about `bytes_max`.
  // INVALID_ARGUMENT: see ObservationError.
  static absl::StatusOr<ShownFrames> Parse(const v1::ObservedFrames& message,
                                           const std::string& path,
                                           const FrameInterest* view,
                                           const sim::Simulation& simulation,
                                           uint64_t bytes_max);

  // Counts what it keeps into `memory`, which may be null, from now on.
  void CountInto(std::shared_ptr<TenantMemory> memory);

  // 0: at the end of each request.
  uint32_t every_ticks() const { return every_ticks_; }

  // Whether a frame is due at this tick, or was since the tick that this was
  // asked for last.
  bool IsDue(sim::Tick tick);

  // Adds what is shown at `tick`. It takes at most about `bytes_left`, from
  // which it is subtracted.
  void Show(const ObservedTick& tick, uint64_t& bytes_left,
            v1::Observations& observations);

  // The client has this frame. One that isn't kept changes nothing.
  void Acknowledge(uint64_t number);

 private:
  struct Pose {
    uint64_t object = 0;
    sim::Vector3 position;
    sim::Quaternion rotation;
  };
  struct KeptFrame {
    uint64_t number = 0;
    std::vector<Pose> poses;  // ascending
  };

  struct Introduced {
    sim::Digest digest;   // of what was said
    uint64_t number = 0;  // of the last frame that shows the object
  };

  ShownFrames() = default;

  // The frame to tell differences to; null: there is none.
  const KeptFrame* FindBase() const;
  // Adds those that are shown, and notes in `shown` what the client sees then.
  void AddObjects(std::span<const sim::FrameObject* const> objects,
                  const KeptFrame* base, uint64_t& bytes_left,
                  v1::ObservedFrame& frame, std::vector<Pose>& shown);
  // Whether there was room to say what an object is, where that isn't known.
  // Clients forget those that neither the base nor any of the last
  // kKeptFramesMax frames shows.
  bool Introduce(const sim::FrameObject& object, bool is_in_base,
                 uint64_t& bytes_left, v1::ObservedFrame& frame);
  // The same of those that aren't shown any more.
  static void AddGone(std::span<const sim::FrameObject* const> objects,
                      const KeptFrame& base, uint64_t& bytes_left,
                      v1::ObservedFrame& frame, std::vector<Pose>& shown);
  // Null: the frame, which may be null, doesn't show it.
  static const Pose* FindPose(const KeptFrame* frame, uint64_t object);
  void AddMeshes(const sim::Simulation& simulation, uint64_t& bytes_left,
                 v1::ObservedFrame& frame);
  void Keep(KeptFrame frame);
  void DropKept(size_t index);
  void Count();
  // Notes which objects the last frame shows, and forgets those that clients
  // do.
  void NoteShown(const KeptFrame* base, const KeptFrame& shown);

  uint32_t every_ticks_ = 0;
  uint64_t bytes_max_ = 0;
  bool tells_differences_ = false;
  std::vector<FrameInterest> interests_;  // the view comes first

  std::optional<sim::Tick> last_tick_;  // that it was asked for
  uint64_t frames_missed_ = 0;
  uint64_t number_ = 0;  // of the last frame
  // What was said of each object.
  std::map<uint64_t, Introduced> introduced_;
  // Meshes that were sent, have yet to be, with the bytes that each takes, 0
  // where that isn't known, and will never fit.
  std::set<uint32_t> known_meshes_;
  std::map<uint32_t, uint64_t> owed_meshes_;
  std::set<uint32_t> large_meshes_;
  // Ascending; the first one is acknowledged where any is.
  std::deque<KeptFrame> kept_;
  size_t kept_poses_ = 0;
  bool is_acknowledged_ = false;
  MemoryShare share_;  // of all that
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_OBSERVATIONS_SHOWN_FRAMES_H_
