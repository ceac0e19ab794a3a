// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Where the time of ticks goes: of each phase, and within it of each system
// and behaviour, as far as the simulation can tell them apart. Looking at the
// clock between them costs time itself, so these are shares and no speeds.

#ifndef REPRISE_TOOLS_REPRISE_BENCHMARKING_PHASE_TIMES_H_
#define REPRISE_TOOLS_REPRISE_BENCHMARKING_PHASE_TIMES_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/simulation.h"
#include "sim/state/state.h"

namespace reprise::tools {

// A part of a phase, by the name that the simulation gives its writer.
struct PartTime {
  std::string name;
  std::chrono::nanoseconds time = {};

  friend bool operator==(const PartTime&, const PartTime&) = default;
};

struct PhaseTime {
  std::string name;
  std::chrono::nanoseconds time = {};  // all of it
  // The longest first; what no part accounts for is the phase's own.
  std::vector<PartTime> parts;

  friend bool operator==(const PhaseTime&, const PhaseTime&) = default;
};

// Watches any number of ticks. A part has the time since the one before it,
// and one that is interrupted by another has only its own.
class PhaseTimes final : public sim::PhaseObserver {
 public:
  using Clock = std::function<std::chrono::nanoseconds()>;

  // `names` are SimulationInfo::phases. `clock` never runs back; the steady one
  // if it isn't given.
  explicit PhaseTimes(std::vector<std::string> names, Clock clock = {});

  // Called right before each step. The time since the last phase is outside().
  void BeginTick();

  void OnPhase(uint32_t phase, const sim::State& state) override;
  bool wants_writers() const override { return true; }
  void OnWriter(std::string_view writer, const sim::State& state) override;

  // Of all ticks, in the order of the phases.
  std::vector<PhaseTime> Summarize() const;

  // Between ticks: bots, inputs and events.
  std::chrono::nanoseconds outside() const { return outside_; }

 private:
  using Times = std::map<std::string, std::chrono::nanoseconds, std::less<>>;

  // Since it was asked last.
  std::chrono::nanoseconds Elapsed();

  const std::vector<std::string> names_;
  const Clock clock_;
  std::chrono::nanoseconds last_;
  std::chrono::nanoseconds outside_ = {};
  // Of the phase that goes on: which one, is only known at its end.
  Times pending_;
  std::vector<std::chrono::nanoseconds> own_;  // by phase
  std::vector<Times> parts_;                   // by phase
};

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_BENCHMARKING_PHASE_TIMES_H_
