// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/differences/pack_cause.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "fmt/format.h"
#include "replays/comparing/run_comparison.h"
#include "replays/format/input_source.h"
#include "replays/playing/replay_player.h"
#include "sim/base/tick.h"
#include "tools/reprise/inputs/pack_difference.h"

namespace reprise::tools {
namespace {

// The first tick at which a run on `pack` differs from one on the recorded
// pack, up to `tick_count`; nullopt: none. Tables that only one of them has
// differ at tick 0.
absl::StatusOr<std::optional<sim::Tick>> FirstDifference(
    const replays::ReplayReader& replay, const sim::PackArchive& pack,
    sim::Tick tick_count, const replays::ProgressCallback& progress) {
  const auto before = replays::CreateRecordedSimulation(replay, nullptr);
  if (!before.ok()) return before.status();
  const auto after = replays::CreateRecordedSimulation(replay, &pack);
  if (!after.ok()) return after.status();
  const auto before_inputs = replay.ReadInputs();
  const auto after_inputs = replay.ReadInputs();
  replays::CompareOptions options;
  options.tick_count = tick_count;
  options.growth_ticks = 0;
  options.fields_max = 1;
  options.progress = progress;
  const auto comparison =
      replays::CompareRuns({before->get(), before_inputs.get()},
                           {after->get(), after_inputs.get()}, options);
  if (!comparison.ok()) return comparison.status();
  if (!comparison->schema_differences.empty())
    return std::optional(sim::Tick{0});
  if (!comparison->divergence) return std::optional<sim::Tick>();
  return std::optional(comparison->divergence->first_different_tick);
}

}  // namespace

absl::StatusOr<std::string> FindPackCause(
    const replays::ReplayReader& replay, const sim::PackArchive& pack,
    const replays::ProgressCallback& progress) {
  const absl::StatusOr<sim::PackArchive> recorded = replay.ReadPack();
  if (!recorded.ok()) return recorded.status();
  const auto first =
      FirstDifference(replay, pack, replay.tick_count(), progress);
  if (!first.ok()) return first.status();
  if (!first->has_value()) return "cause: both packs give the same run\n";
  const std::vector<PackChange> changes = ComparePacksAsData(*recorded, pack);
  const size_t tried_count = std::min(changes.size(), kCausesTriedMax);
  std::string text;
  size_t cause_count = 0;
  for (size_t i = 0; i < tried_count; ++i) {
    const auto one = ApplyPackChange(*recorded, pack, i);
    if (!one.ok()) return one.status();
    const auto difference = FirstDifference(replay, *one, **first, progress);
    if (!difference.ok()) {
      text += fmt::format("cause: can't be made alone: {}\n", changes[i].path);
    } else if (*difference == *first) {
      text += fmt::format("cause: {}\n", FormatPackChange(changes[i]));
      ++cause_count;
    }
  }
  if (changes.size() > tried_count) {
    text += fmt::format("cause: the first {} of {} changes were tried\n",
                        tried_count, changes.size());
  }
  if (cause_count == 0) {
    text += fmt::format(
        "cause: none of these changes alone makes the difference at tick {}\n",
        **first);
  }
  return text;
}

}  // namespace reprise::tools
