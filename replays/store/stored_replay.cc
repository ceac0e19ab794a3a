// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/store/stored_replay.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "fmt/format.h"
#include "sim/simulation.h"

namespace reprise::replays {
namespace {

constexpr std::string_view kCutOff = "cut_off";
constexpr std::string_view kLost = "lost";
constexpr std::string_view kRunning = "running";
constexpr std::string_view kWon = "won";

constexpr std::string_view kTagPunctuation = "._-/:";

std::string_view OutcomeNameOf(const ReplayReader& replay) {
  if (!replay.is_complete()) return kCutOff;
  switch (replay.end()->outcome.status) {
    case sim::Outcome::Status::kWon:
      return kWon;
    case sim::Outcome::Status::kLost:
      return kLost;
    case sim::Outcome::Status::kRunning:
      break;
  }
  return kRunning;
}

template <typename Value>
bool IsOr(const std::optional<Value>& wanted, const Value& value) {
  return !wanted.has_value() || *wanted == value;
}

}  // namespace

bool StoredReplayFilter::Matches(const StoredReplay& replay) const {
  return IsOr(pack, replay.pack) && IsOr(outcome, replay.outcome) &&
         replay.tick_count >= tick_count_min.value_or(replay.tick_count) &&
         replay.tick_count <= tick_count_max.value_or(replay.tick_count) &&
         replay.build.find(build.value_or("")) != std::string::npos &&
         replay.name.find(name.value_or("")) != std::string::npos &&
         replay.recorded_at >= recorded_from.value_or(replay.recorded_at) &&
         replay.recorded_at <
             recorded_before.value_or(absl::InfiniteFuture()) &&
         std::ranges::all_of(tags, [&replay](const std::string& tag) {
           return std::ranges::count(replay.tags, tag) > 0;
         });
}

std::vector<std::string_view> ReplayOutcomeNames() {
  return {kWon, kLost, kRunning, kCutOff};
}

absl::Status ValidateTag(std::string_view tag) {
  const bool is_valid =
      !tag.empty() && tag.size() <= kTagBytesMax &&
      std::ranges::all_of(tag, [](char character) {
        return absl::ascii_isalnum(static_cast<unsigned char>(character)) ||
               kTagPunctuation.find(character) != std::string_view::npos;
      });
  if (is_valid) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("'{}' is no tag: it has 1 to {} letters, digits and {}", tag,
                  kTagBytesMax, kTagPunctuation));
}

StoredReplay DescribeReplay(const ReplayReader& replay) {
  const ReplayMetadata& metadata = replay.metadata();
  StoredReplay stored;
  stored.format_revision = metadata.format_revision;
  stored.simulation = metadata.simulation;
  stored.rules_revision = metadata.rules_revision;
  stored.pack = metadata.pack;
  stored.pack_digest = metadata.pack_digest;
  stored.seed = metadata.seed;
  stored.tick_rate = metadata.tick_rate.ticks_per_second;
  stored.tick_count = replay.tick_count();
  stored.outcome = std::string(OutcomeNameOf(replay));
  if (replay.is_complete()) {
    stored.outcome_reason = replay.end()->outcome.reason;
    stored.root = replay.end()->root;
  }
  stored.build = metadata.build;
  stored.platform = metadata.platform;
  return stored;
}

}  // namespace reprise::replays
