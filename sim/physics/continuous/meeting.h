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

// One of two that may meet. What it points to outlives the search.
struct MovingPart {
  const BodyWay* way = nullptr;
  const Part* part = nullptr;
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

// A search that goes on by steps, so that of many the one whose parts meet
// first is found before the others are done.
class MeetingSearch {
 public:
  // For the first time from `begin_s` on, before `end_s`. What is in each other
  // to begin with doesn't meet. `slide`, of length 1 from the second to the
  // first, is along which they touch but didn't push each other when they were
  // found to; null when they weren't.
  // REQUIRES: the first is no plane.
  MeetingSearch(const MovingPart& first, const MovingPart& second,
                double begin_s, double end_s, const MeetingRule& rule,
                const btVector3* slide);

  // Until then they don't meet. The search is over where it isn't before the
  // end, or they meet then.
  double time_s() const { return time_s_; }
  bool is_before_end() const { return time_s_ < end_s_; }
  // Whether they meet at `time_s`, before the end.
  bool is_found() const { return is_found_; }
  // REQUIRES: is_found().
  Meeting meeting() const {
    return {.time_s = time_s_, .normal = normal_, .is_unknown = is_unknown_};
  }

  // REQUIRES: it isn't over.
  void Advance();

 private:
  MovingPart first_;
  MovingPart second_;
  double end_s_ = 0.0;
  MeetingRule rule_;
  btVector3 slide_ = btVector3(0.0, 0.0, 0.0);
  bool slides_ = false;
  double time_s_ = 0.0;
  btVector3 normal_ = btVector3(0.0, 0.0, 0.0);  // 0: not known yet
  // Since they touch: how far they were apart then.
  bool touches_ = false;
  double touching_m_ = 0.0;
  int steps_ = 0;
  bool has_begun_ = false;  // and they weren't in each other
  bool is_found_ = false;
  bool is_unknown_ = false;
};

// The same to its end.
std::optional<Meeting> FindMeeting(const MovingPart& first,
                                   const MovingPart& second, double begin_s,
                                   double end_s, const MeetingRule& rule);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_CONTINUOUS_MEETING_H_
