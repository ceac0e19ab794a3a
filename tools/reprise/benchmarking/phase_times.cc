// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/benchmarking/phase_times.h"

#include <algorithm>
#include <utility>

namespace reprise::tools {
namespace {

using std::chrono::nanoseconds;

nanoseconds SteadyTime() {
  return std::chrono::steady_clock::now().time_since_epoch();
}

// Adds without making a string where the name is known.
void Add(std::map<std::string, nanoseconds, std::less<>>& times,
         std::string_view name, nanoseconds time) {
  const auto found = times.find(name);
  if (found != times.end()) {
    found->second += time;
  } else {
    times.emplace(name, time);
  }
}

}  // namespace

PhaseTimes::PhaseTimes(std::vector<std::string> names, Clock clock)
    : names_(std::move(names)),
      clock_(clock ? std::move(clock) : Clock(&SteadyTime)),
      last_(clock_()),
      own_(names_.size()),
      parts_(names_.size()) {}

void PhaseTimes::BeginTick() { outside_ += Elapsed(); }

void PhaseTimes::OnPhase(uint32_t phase, const sim::State& /*state*/) {
  own_[phase] += Elapsed();
  for (auto& [name, time] : pending_) {
    if (time == nanoseconds::zero()) continue;
    Add(parts_[phase], name, time);
    time = nanoseconds::zero();
  }
}

void PhaseTimes::OnWriter(std::string_view writer,
                          const sim::State& /*state*/) {
  Add(pending_, writer, Elapsed());
}

std::vector<PhaseTime> PhaseTimes::Summarize() const {
  std::vector<PhaseTime> phases;
  for (size_t i = 0; i < names_.size(); ++i) {
    PhaseTime phase{.name = names_[i], .time = own_[i], .parts = {}};
    for (const auto& [name, time] : parts_[i]) {
      phase.time += time;
      phase.parts.push_back({.name = name, .time = time});
    }
    // Stable: parts of one time stand in the order of their names.
    std::ranges::stable_sort(phase.parts, std::greater<>(), &PartTime::time);
    phases.push_back(std::move(phase));
  }
  return phases;
}

nanoseconds PhaseTimes::Elapsed() {
  const nanoseconds now = clock_();
  return now - std::exchange(last_, now);
}

}  // namespace reprise::tools
