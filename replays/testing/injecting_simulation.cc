// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/testing/injecting_simulation.h"

namespace reprise::replays {

Injection OneUlpMore(const sim::Simulation& simulation, std::string_view room,
                     std::string_view table, uint32_t row,
                     std::string_view field, sim::Tick tick) {
  const sim::State& state = simulation.state();
  const std::optional<sim::TableIndex> index = state.Find(room, table);
  CHECK(index.has_value());
  const std::optional<sim::ScalarPath> scalar =
      state.table(*index).schema().Find(field);
  CHECK(scalar.has_value());
  Injection injection = {
      .tick = tick,
      .address = {.table = *index, .row = row, .scalar = *scalar},
      .value = {}};
  injection.value = sim::ReadScalar(state, injection.address);
  CHECK(injection.value.type == sim::ScalarType::kDouble);
  // Doubles of one sign are ordered as their bits are.
  ++injection.value.bits;
  return injection;
}

}  // namespace reprise::replays
