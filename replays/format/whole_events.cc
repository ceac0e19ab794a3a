// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/format/whole_events.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <system_error>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/container/mcap_reader.h"
#include "reprise/v1/event.pb.h"

namespace reprise::replays {
namespace {

constexpr char kEndEntry[] = "whole_to";

// The record of a capsule, and its entry, from before they had the one above.
constexpr std::string_view kCapsuleName = "capsule";
constexpr char kCapsuleEntry[] = "tick";

absl::StatusOr<sim::Tick> TickOf(const McapMetadata& record,
                                 const char* entry) {
  const auto found = record.entries.find(entry);
  if (found != record.entries.end()) {
    const std::string& text = found->second;
    sim::Tick tick = 0;
    const char* const end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, tick);
    if (error == std::errc() && stopped == end && tick <= sim::kTickMax) {
      return tick;
    }
  }
  return absl::DataLossError(fmt::format(
      "the metadata \"{}\" has no tick \"{}\"", record.name, entry));
}

// The tick behind the last event; 0 without any.
absl::StatusOr<sim::Tick> EndOfEvents(const ReplayReader& replay) {
  sim::Tick end = 0;
  const std::unique_ptr<ReplayCursor<v1::Event>> events = replay.ReadEvents();
  while (true) {
    const absl::StatusOr<std::optional<v1::Event>> event = events->Next();
    if (!event.ok()) return event.status();
    if (!event->has_value()) return end;
    end = (*event)->tick() + 1;
    if (replay.is_complete()) return end;  // there are some
  }
}

}  // namespace

McapMetadata WholeEventsRecord(sim::Tick end) {
  return {.name = std::string(kWholeEventsMetadataName),
          .entries = {{kEndEntry, fmt::format("{}", end)}}};
}

bool IsPartOfRun(const ReplayReader& replay) {
  return replay.file().FindMetadata(kWholeEventsMetadataName) != nullptr ||
         replay.file().FindMetadata(kCapsuleName) != nullptr;
}

absl::StatusOr<sim::Tick> WholeEventsEnd(const ReplayReader& replay) {
  sim::Tick end = sim::kTickMax + 1;
  for (const McapMetadata& record : replay.file().metadata()) {
    const bool is_capsule = record.name == kCapsuleName;
    if (!is_capsule && record.name != kWholeEventsMetadataName) continue;
    const absl::StatusOr<sim::Tick> said =
        TickOf(record, is_capsule ? kCapsuleEntry : kEndEntry);
    if (!said.ok()) return replay.file().Named(said.status());
    end = std::min(end, *said);
  }
  const absl::StatusOr<sim::Tick> last = EndOfEvents(replay);
  if (!last.ok()) return last;
  // Where events are counted, none means that there were none.
  const bool may_lack_all = *last == 0 && !replay.event_count().has_value();
  if (may_lack_all || !replay.is_complete()) end = std::min(end, *last);
  return end;
}

}  // namespace reprise::replays
