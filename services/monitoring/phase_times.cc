// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/monitoring/phase_times.h"

#include <algorithm>
#include <utility>

namespace reprise::services {

void PhaseTimer::OnPhase(uint32_t phase, const sim::State& /*state*/) {
  const Clock::time_point now = Clock::now();
  if (phase < times_.size()) times_[phase] += now - last_;
  last_ = now;
}

void PhaseTimes::Add(const sim::SimulationInfo& info, const PhaseTimer& timer) {
  const std::scoped_lock lock(mutex_);
  const size_t count = std::min(info.phases.size(), timer.times().size());
  for (size_t i = 0; i < count; ++i) {
    Entry* const entry = FindLocked(info.simulation, info.phases[i]);
    if (entry != nullptr) entry->times.Add(timer.times()[i]);
  }
}

PhaseTimes::Entry* PhaseTimes::FindLocked(std::string_view simulation,
                                          std::string_view phase) {
  const auto found = std::ranges::find_if(entries_, [&](const auto& entry) {
    return entry->simulation == simulation && entry->phase == phase;
  });
  if (found != entries_.end()) return found->get();
  if (entries_.size() >= kPhasesMax) return nullptr;
  auto entry = std::make_unique<Entry>();
  entry->simulation = simulation;
  entry->phase = phase;
  // Behind those of the same simulation.
  const auto last = std::find_if(
      entries_.rbegin(), entries_.rend(),
      [&](const auto& other) { return other->simulation == simulation; });
  const auto place = last == entries_.rend() ? entries_.end() : last.base();
  return entries_.insert(place, std::move(entry))->get();
}

std::vector<PhaseTimes::Phase> PhaseTimes::Read() const {
  const std::scoped_lock lock(mutex_);
  std::vector<Phase> phases;
  for (const auto& entry : entries_) {
    phases.push_back({.simulation = entry->simulation,
                      .phase = entry->phase,
                      .times = entry->times.Read()});
  }
  return phases;
}

}  // namespace reprise::services
