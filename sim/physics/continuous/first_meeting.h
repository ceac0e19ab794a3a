// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Which of many pairs of primitives meets first. Their searches go on side by
// side, always the one whose time is earliest, so that none goes on beyond the
// answer.

#ifndef REPRISE_SIM_PHYSICS_CONTINUOUS_FIRST_MEETING_H_
#define REPRISE_SIM_PHYSICS_CONTINUOUS_FIRST_MEETING_H_

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "LinearMath/btVector3.h"
#include "sim/geometry/shapes.h"
#include "sim/physics/collision/near_primitives.h"
#include "sim/physics/continuous/body_way.h"
#include "sim/physics/continuous/meeting.h"
#include "sim/physics/continuous/moving_parts.h"
#include "sim/physics/definition/physics_definition.h"

namespace reprise::sim {

class FirstMeeting {
 public:
  // Two that may meet. What it points to lives until Find.
  struct Candidate {
    uint32_t other = 0;  // the second's body
    MovingPart first;
    MovingPart second;
    MeetingRule rule;
    const btVector3* slide = nullptr;  // as FindMeeting has it
  };
  struct Found {
    uint32_t other = 0;
    PrimitivePair primitives;
    Meeting meeting;
  };

  // Begins with none.
  void Clear();
  void Add(const Candidate& candidate) { candidates_.push_back(candidate); }
  // The same with a triangle of a surface as the second's part.
  void AddTriangle(const Candidate& candidate, uint32_t index,
                   const CollisionFilter& filter, const Triangle& triangle);

  // The first of them to meet from `begin_s` on, before `end_s`; of those at
  // one time the one that was added first.
  std::optional<Found> Find(double begin_s, double end_s);

 private:
  // Whose candidate has no part yet.
  struct AddedTriangle {
    uint32_t candidate = 0;
    uint32_t index = 0;
    CollisionFilter filter;
    std::array<btVector3, 3> corners;
  };

  std::vector<Candidate> candidates_;
  std::vector<AddedTriangle> triangles_;
  std::vector<Part> parts_;              // of `triangles_`
  std::vector<MeetingSearch> searches_;  // of `candidates_`
  std::vector<uint32_t> queue_;          // a heap of indexes of `searches_`
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_CONTINUOUS_FIRST_MEETING_H_
