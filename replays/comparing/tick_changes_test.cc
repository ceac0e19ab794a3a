// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the account of a tick leaves nothing out: the last change of each
// field is what the state has afterwards, every field that differs has one, and
// both observers name the same writer.

#include "replays/comparing/tick_changes.h"

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "gtest/gtest.h"
#include "replays/comparing/last_writers.h"
#include "replays/testing/tiny_recording.h"
#include "sim/simulation.h"
#include "sim/state/state_comparison.h"

namespace reprise::replays {
namespace {

constexpr size_t kAll = std::numeric_limits<size_t>::max();

// The last change at the place of `difference`; null where there is none.
const FieldChange* FindLast(const TickChanges& changes,
                            const sim::FieldDifference& difference) {
  const FieldChange* last = nullptr;
  for (const PhaseChanges& phase : changes.phases()) {
    for (const FieldChange& change : phase.changes) {
      const sim::FieldDifference& place = change.difference;
      if (place.table == difference.table && place.key == difference.key &&
          place.scalar.has_value() == difference.scalar.has_value() &&
          (!place.scalar ||
           (place.scalar->field == difference.scalar->field &&
            place.scalar->index == difference.scalar->index))) {
        last = &change;
      }
    }
  }
  return last;
}

TEST(TickChangesTest, EveryDifferenceOfATickHasItsLastChangeAndWriter) {
  const std::unique_ptr<sim::Simulation> simulation = MakeTiny();
  const std::unique_ptr<sim::Simulation> again = MakeTiny();
  RestlessInputs inputs;
  for (sim::Tick tick = 0; tick < 60; ++tick) {
    const sim::State before = simulation->state();
    const std::span<const sim::InputFrame> frames = *inputs.FramesAt(tick);
    const std::vector<std::string>& phases = simulation->info().phases;
    TickChanges changes(&phases, before);
    simulation->Step(frames, &changes);
    ASSERT_EQ(changes.phases().back().root,
              simulation->state().ComputeRootDigest());

    const std::vector<sim::FieldDifference> differences =
        sim::CompareStates(before, simulation->state(), kAll);
    LastWriters writers(&differences, &phases, phases.size(), before);
    again->Step(frames, &writers);
    for (size_t i = 0; i < differences.size(); ++i) {
      const FieldChange* const change = FindLast(changes, differences[i]);
      ASSERT_NE(change, nullptr) << tick;
      ASSERT_EQ(change->difference.actual, differences[i].actual) << tick;
      ASSERT_EQ(change->writer, writers.writers()[i]) << tick;
    }
  }
}

TEST(TickChangesTest, WritersBehindTheLastPhaseWantedAreNotTold) {
  const std::unique_ptr<sim::Simulation> simulation = MakeTiny();
  const sim::State before = simulation->state();
  const std::unique_ptr<sim::Simulation> after = simulation->Fork();
  after->Step({}, /*observer=*/nullptr);
  // The only change is the tick itself, in the last of three phases.
  const std::vector<sim::FieldDifference> differences =
      sim::CompareStates(before, after->state(), kAll);
  ASSERT_EQ(differences.size(), 1u);

  LastWriters two(&differences, &simulation->info().phases, 2, before);
  simulation->Step({}, &two);

  EXPECT_EQ(two.writers()[0], "");
}

}  // namespace
}  // namespace reprise::replays
