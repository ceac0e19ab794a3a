// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How long the phases of ticks take: of one tick in kPhaseSampleTicks of each
// session, because looking costs more than counting does.

#ifndef REPRISE_SERVICES_MONITORING_PHASE_TIMES_H_
#define REPRISE_SERVICES_MONITORING_PHASE_TIMES_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "services/monitoring/metric.h"
#include "sim/base/tick.h"
#include "sim/simulation.h"
#include "sim/state/state.h"

namespace reprise::services {

inline constexpr sim::Tick kPhaseSampleTicks = 64;

// Phases of all simulations together: a program has a handful.
inline constexpr size_t kPhasesMax = 256;

// Whether the tick behind this one is one of those that are looked at. Not the
// first, which may make what later ones only use.
constexpr bool IsSampled(sim::Tick tick) {
  return tick % kPhaseSampleTicks == kPhaseSampleTicks / 2;
}

// Measures the phases of one tick. Used by one thread.
class PhaseTimer final : public sim::PhaseObserver {
 public:
  // Of a simulation with so many phases.
  explicit PhaseTimer(size_t phase_count)
      : times_(phase_count), last_(Clock::now()) {}

  void OnPhase(uint32_t phase, const sim::State& state) override;

  // By phase, how long it took in all: it may come several times.
  std::span<const std::chrono::nanoseconds> times() const { return times_; }

 private:
  using Clock = std::chrono::steady_clock;

  std::vector<std::chrono::nanoseconds> times_;
  Clock::time_point last_;
};

// Safe to use from any thread.
class PhaseTimes {
 public:
  // Adds what a timer measured of a tick of a simulation of this kind.
  void Add(const sim::SimulationInfo& info, const PhaseTimer& timer);

  struct Phase {
    std::string simulation;
    std::string phase;
    TimeCounts times;
  };
  // Those of each simulation in the order in which they run.
  std::vector<Phase> Read() const;

 private:
  struct Entry {
    std::string simulation;
    std::string phase;
    TimeHistogram times;
  };

  // Null: there are too many. REQUIRES: the caller holds mutex_.
  Entry* FindLocked(std::string_view simulation, std::string_view phase);

  mutable std::mutex mutex_;  // guards what follows
  std::vector<std::unique_ptr<Entry>> entries_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_MONITORING_PHASE_TIMES_H_
