// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// When two primitives meet that move and turn: by conservative advancement. As
// far as they are apart, so long they can't meet, and so far time goes on.
//
// Source: B. Mirtich, "Impulse-based Dynamic Simulation of Rigid Body Systems",
// thesis, Berkeley 1996; of what slides along a direction as in E. Catto,
// "Continuous Collision", Game Developers Conference 2013.

#ifndef REPRISE_SIM_PHYSICS_CONTINUOUS_MEETING_H_
#define REPRISE_SIM_PHYSICS_CONTINUOUS_MEETING_H_

#include <optional>

#include "LinearMath/btVector3.h"
#include "sim/physics/continuous/body_way.h"
#include "sim/physics/continuous/moving_parts.h"

namespace reprise::sim {

// One of two that may meet.
struct MovingPart {
  const BodyWay& way;
  const Part& part;
};

struct MeetingRule {
  // Nearer than this they touch.
  double gap_m = 0.0;
  // What touches and comes nearer by more than this, m/s, meets.
  double speed_min = 0.0;
  // What touches and comes nearer slowly meets when it is nearer by so much.
  double slop_m = 0.0;
};

struct Meeting {
  double time_s = 0.0;
  btVector3 normal;  // from the second to the first
  // Whether the search ended without an answer: until then they don't meet.
  bool is_unknown = false;
};

// The first time from `begin_s` on, before `end_s`. What is in each other to
// begin with doesn't meet. `slide`, of length 1 from the second to the first,
// is along which they touch but didn't push each other when they were found to;
// null when they weren't.
// REQUIRES: the first is no plane.
std::optional<Meeting> FindMeeting(const MovingPart& first,
                                   const MovingPart& second, double begin_s,
                                   double end_s, const MeetingRule& rule,
                                   const btVector3* slide);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_CONTINUOUS_MEETING_H_
