// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Watches some fields while a tick is made, and says who wrote each of them
// last: a behaviour, the solver, or the phase.

#ifndef REPRISE_REPLAYS_COMPARING_LAST_WRITERS_H_
#define REPRISE_REPLAYS_COMPARING_LAST_WRITERS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/simulation.h"
#include "sim/state/field_value.h"
#include "sim/state/state.h"
#include "sim/state/state_comparison.h"

namespace reprise::replays {

// A write is a change of the value: who writes what is there already isn't
// seen.
class LastWriters final : public sim::PhaseObserver {
 public:
  // Watches the places of `fields` from `before` on, up to the end of the
  // `phases_max`th phase that is made. `phase_names` are the simulation's. All
  // of them must remain live.
  LastWriters(const std::vector<sim::FieldDifference>* fields,
              const std::vector<std::string>* phase_names, size_t phases_max,
              const sim::State& before);

  // Who changed each field last; empty where nobody has.
  const std::vector<std::string>& writers() const { return writers_; }

  bool wants_writers() const override { return true; }
  void OnWriter(std::string_view writer, const sim::State& state) override;
  void OnPhase(uint32_t phase, const sim::State& state) override;

 private:
  void Note(std::string_view writer, const sim::State& state);

  const std::vector<sim::FieldDifference>& fields_;
  const std::vector<std::string>& phase_names_;
  size_t phases_left_;
  std::vector<std::optional<sim::FieldValue>> values_;
  std::vector<std::string> writers_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_COMPARING_LAST_WRITERS_H_
