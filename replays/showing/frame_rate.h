// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Frames at a rate of their own, which lie between those of a stride of ticks:
// where, in whole numbers, so that no frame drifts however long the run is.

#ifndef REPRISE_REPLAYS_SHOWING_FRAME_RATE_H_
#define REPRISE_REPLAYS_SHOWING_FRAME_RATE_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "replays/showing/shown_scene.h"
#include "sim/base/tick.h"
#include "sim/frame.h"

namespace reprise::replays {

// A number with at most three decimals, as 29.97, or a fraction, as 30000/1001,
// made as small as it goes. INVALID_ARGUMENT: it isn't, or a side of the
// fraction isn't from 1 to kFrameRateSideMax.
absl::StatusOr<FrameRate> ParseFrameRate(std::string_view text);

class FrameSchedule {
 public:
  // A run of more ticks, or a larger stride, has no rate.
  static constexpr uint64_t kTicksMax = uint64_t{1} << 40;

  // Behind a frame of the stride, by this part of the way to the next one.
  struct Place {
    uint64_t frame = 0;
    double part = 0;  // 0 up to below 1

    friend bool operator==(const Place&, const Place&) = default;
  };

  // From the first frame of a stride on up to the frame `last`. REQUIRES: the
  // rate is one that was parsed, the stride 1 to kTicksMax, and the last frame
  // at most kTicksMax ticks behind the first.
  FrameSchedule(FrameRate rate, sim::TickRate tick_rate, uint64_t every,
                uint64_t last);

  uint64_t frame_count() const { return frame_count_; }

  // REQUIRES: index < frame_count().
  Place PlaceOf(uint64_t index) const;

 private:
  // Times are counted in the `rate.frames`th part of a tick.
  uint64_t step_;    // from a frame to the next
  uint64_t stride_;  // from a frame of the stride to the next
  uint64_t frame_count_ = 0;
};

// Moves everything that is there after, too, that way by a part of it: places
// straight, rotations by the shorter arc at one speed. What isn't stays.
void MoveTowards(const std::vector<sim::FrameObject>& after, double part,
                 std::vector<sim::FrameObject>& objects);
void MoveTowards(const std::vector<ShownPose>& after, double part,
                 std::vector<ShownPose>& poses);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_SHOWING_FRAME_RATE_H_
