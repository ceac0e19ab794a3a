// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/differences/replay_age.h"

#include <memory>
#include <string_view>

#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "replays/playing/replay_player.h"
#include "sim/simulation.h"
#include "sim/state/state.h"
#include "sim/world/rules_revision.h"
#include "tools/reprise/differences/schema_difference_output.h"
#include "tools/reprise/terminal/escaped_text.h"

namespace reprise::tools {
namespace {

// The built-in simulation.
constexpr std::string_view kWorld = "world";

std::string TextOf(const absl::Status& status) {
  return std::string(status.message());
}

std::string WhyNotSeeking(const replays::ReplayReader& replay,
                          sim::Simulation& simulation) {
  const absl::StatusOr<std::optional<replays::ReplayKeyframe>> keyframe =
      replay.FindKeyframe(replay.tick_count());
  if (!keyframe.ok()) return TextOf(keyframe.status());
  if (!keyframe->has_value()) return "it has no keyframes";
  return TextOf(replays::RestoreKeyframe(**keyframe, simulation));
}

}  // namespace

std::optional<ReplayAge> FindReplayAge(const replays::ReplayReader& replay) {
  if (replay.metadata().simulation != kWorld ||
      replay.metadata().rules_revision == sim::kWorldRulesRevision) {
    return std::nullopt;
  }
  ReplayAge age;
  age.rules_revision_now = sim::kWorldRulesRevision;
  const absl::StatusOr<std::unique_ptr<sim::Simulation>> simulation =
      replays::CreateRecordedSimulation(replay);
  if (!simulation.ok()) {
    age.not_loaded = TextOf(simulation.status());
    return age;
  }
  const absl::StatusOr<std::shared_ptr<const sim::State>> recorded =
      replay.ReadShape();
  if (recorded.ok() && *recorded != nullptr) {
    age.schema_differences =
        replays::CompareSchemas(**recorded, (*simulation)->state());
  }
  age.not_seeking = WhyNotSeeking(replay, **simulation);
  return age;
}

std::string FormatReplayAge(const ReplayAge& age) {
  std::string text = fmt::format(
      "today       rules {}: what they changed plays otherwise, and `verify` "
      "can't tell that from a fault\n",
      age.rules_revision_now);
  if (!age.not_loaded.empty()) {
    return text + fmt::format(
                      "            its pack can't be loaded, so nothing is "
                      "played: {}\n",
                      EscapeLine(age.not_loaded));
  }
  if (!age.schema_differences.empty()) {
    text += fmt::format(
        "            other tables, so `verify` compares rooms and proves no "
        "tick: {}\n",
        EscapeLine(
            replays::FormatSchemaDifferenceList(age.schema_differences)));
  }
  text += age.not_seeking.empty()
              ? "            seeks by its keyframes\n"
              : fmt::format("            seeks by playing from tick 0 on: {}\n",
                            EscapeLine(age.not_seeking));
  return text;
}

Json ToJson(const ReplayAge& age) {
  const bool is_loaded = age.not_loaded.empty();
  return {{"rules_revision_now", age.rules_revision_now},
          {"is_loaded", is_loaded},
          {"not_loaded", age.not_loaded},
          {"schema_differences", ToJson(age.schema_differences)},
          {"seeks", is_loaded && age.not_seeking.empty()},
          {"not_seeking", age.not_seeking}};
}

}  // namespace reprise::tools
