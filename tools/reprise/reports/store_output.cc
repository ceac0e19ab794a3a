// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/reports/store_output.h"

#include <cstddef>

#include "fmt/format.h"
#include "fmt/ostream.h"
#include "replays/comparing/capsule.h"
#include "replays/format/replay_reader.h"
#include "sim/base/digest.h"
#include "tools/reprise/terminal/quantity.h"

namespace reprise::tools {
namespace {

// Enough for billions of replays, and short enough to be typed.
constexpr size_t kShortNameDigits = 12;

constexpr char kRow[] = "{:<12}  {:<20}  {:>9}  {:<7}  {:>9}  {:<16}  {}\n";

std::string OutcomeOf(const replays::StoredReplay& replay) {
  return replay.outcome_reason.empty()
             ? replay.outcome
             : fmt::format("{}: {}", replay.outcome, replay.outcome_reason);
}

}  // namespace

std::string ShortName(const replays::StoredReplay& replay) {
  return sim::FormatDigest(replay.digest).substr(0, kShortNameDigits);
}

std::string FormatReplayCount(uint64_t count) {
  return fmt::format("{} replay{}", count, count == 1 ? "" : "s");
}

std::string FormatStoredReplayHead() {
  return fmt::format(kRow, "REPLAY", "RECORDED", "TICKS", "OUTCOME", "SIZE",
                     "PACK", "TAGS");
}

bool IsStoredCapsule(const replays::ReplayStore& store,
                     const replays::StoredReplay& replay) {
  const auto file =
      replays::ReplayReader::OpenFile(store.files().PathOf(replay.digest));
  return file.ok() && replays::IsCapsule(**file);
}

std::string FormatStoredReplay(const replays::ReplayStore& store,
                               const replays::StoredReplay& replay) {
  const std::string mark = IsStoredCapsule(store, replay) ? " (capsule)" : "";
  return fmt::format(
      kRow, ShortName(replay),
      FormatTimestamp(
          absl::FromUnixSeconds(absl::ToUnixSeconds(replay.recorded_at))),
      replay.tick_count, replay.outcome, FormatByteCount(replay.size_bytes),
      replay.pack + mark, fmt::join(replay.tags, " "));
}

void PrintStoredReplay(const replays::ReplayStore& store,
                       const replays::StoredReplay& replay, Console& console) {
  std::ostream& out = console.out();
  fmt::print(out, "replay      {}, {} bytes, format {}\n",
             sim::FormatDigest(replay.digest), replay.size_bytes,
             replay.format_revision);
  fmt::print(out, "file        {}\n", store.files().PathOf(replay.digest));
  fmt::print(out, "name        {}\n", replay.name);
  fmt::print(out, "recorded    {} by {} on {}\n",
             FormatTimestamp(replay.recorded_at), replay.build,
             replay.platform);
  fmt::print(out, "added       {}\n", FormatTimestamp(replay.added_at));
  fmt::print(out, "tags        {}\n", fmt::join(replay.tags, " "));
  if (IsStoredCapsule(store, replay)) {
    fmt::print(out, "capsule     of a failure; `reprise diff` shows it\n");
  }
  fmt::print(out, "pack        {} {}\n", replay.pack,
             sim::FormatDigest(replay.pack_digest));
  fmt::print(out, "simulation  {}, rules {}\n", replay.simulation,
             replay.rules_revision);
  fmt::print(out, "seed        {}\n", replay.seed);
  fmt::print(out, "ticks       {} at {} Hz\n", replay.tick_count,
             replay.tick_rate);
  fmt::print(out, "outcome     {}\n", OutcomeOf(replay));
  fmt::print(out, "digest      {}\n", sim::FormatDigest(replay.root));
}

Json ToJson(const replays::ReplayStore& store,
            const replays::StoredReplay& replay) {
  return {{"replay", sim::FormatDigest(replay.digest)},
          {"file", store.files().PathOf(replay.digest)},
          {"size_bytes", replay.size_bytes},
          {"name", replay.name},
          {"is_capsule", IsStoredCapsule(store, replay)},
          {"recorded_at", FormatTimestamp(replay.recorded_at)},
          {"added_at", FormatTimestamp(replay.added_at)},
          {"tags", replay.tags},
          {"format_revision", replay.format_revision},
          {"simulation", replay.simulation},
          {"rules_revision", replay.rules_revision},
          {"pack", replay.pack},
          {"pack_digest", sim::FormatDigest(replay.pack_digest)},
          {"seed", std::to_string(replay.seed)},
          {"tick_rate", replay.tick_rate},
          {"tick_count", replay.tick_count},
          {"outcome",
           {{"status", replay.outcome}, {"reason", replay.outcome_reason}}},
          {"digest", sim::FormatDigest(replay.root)},
          {"build", replay.build},
          {"platform", replay.platform}};
}

}  // namespace reprise::tools
