// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/verifying/event_check.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "fmt/format.h"
#include "replays/format/event_batch.h"
#include "replays/format/event_text.h"
#include "replays/format/whole_events.h"
#include "reprise/v1/event_batch.pb.h"

namespace reprise::replays {
namespace {

bool IsSame(const v1::EventArgument& left, const v1::EventArgument& right) {
  if (left.name() != right.name() || left.value_case() != right.value_case()) {
    return false;
  }
  switch (left.value_case()) {
    case v1::EventArgument::kBoolValue:
      return left.bool_value() == right.bool_value();
    case v1::EventArgument::kIntValue:
      return left.int_value() == right.int_value();
    case v1::EventArgument::kUintValue:
      return left.uint_value() == right.uint_value();
    case v1::EventArgument::kDoubleValue:
      return std::bit_cast<uint64_t>(left.double_value()) ==
             std::bit_cast<uint64_t>(right.double_value());
    case v1::EventArgument::kIdValue:
      return left.id_value() == right.id_value();
    case v1::EventArgument::kObjectValue:
      return left.object_value() == right.object_value();
    case v1::EventArgument::VALUE_NOT_SET:
      return true;
  }
  return false;
}

// A name that can't be is told in other words by other builds.
bool HasSameName(const v1::Event& left, const v1::Event& right) {
  constexpr std::string_view kNumbered = "object#";
  return left.object_name() == right.object_name() ||
         left.object_name().starts_with(kNumbered) ||
         right.object_name().starts_with(kNumbered);
}

bool IsSame(const v1::Event& left, const v1::Event& right) {
  if (left.tick() != right.tick() || left.type() != right.type() ||
      left.object() != right.object() || !HasSameName(left, right) ||
      left.arguments_size() != right.arguments_size()) {
    return false;
  }
  for (int i = 0; i < left.arguments_size(); ++i) {
    if (!IsSame(left.arguments(i), right.arguments(i))) return false;
  }
  return true;
}

// "goal runner score=3", or "no event".
std::string Describe(const v1::Event* event) {
  return event == nullptr ? "no event"
                          : fmt::format("\"{}\"", FormatEvent(*event));
}

std::string DescribeDifference(size_t place, const v1::Event* recorded,
                               const v1::Event* actual) {
  std::string text =
      fmt::format("event {} of the tick: recorded is {}, this run has {}",
                  place + 1, Describe(recorded), Describe(actual));
  // A name may stand for another object.
  if (recorded != nullptr && actual != nullptr &&
      recorded->object() != actual->object()) {
    text +=
        fmt::format(" (object {} | {})", recorded->object(), actual->object());
  }
  return text;
}

}  // namespace

EventCheck::EventCheck(const ReplayReader* replay, sim::Tick first_tick)
    : replay_(*replay), recorded_(replay->ReadEvents(first_tick)) {}

absl::StatusOr<std::optional<std::string>> EventCheck::Check(
    sim::Tick tick, std::span<const sim::Event> events,
    const sim::Simulation& simulation) {
  const absl::StatusOr<std::vector<v1::Event>> recorded = TakeRecorded(tick);
  if (!recorded.ok()) return recorded.status();
  if (recorded->empty() && events.empty()) return std::nullopt;
  v1::EventBatch run;
  AddEvents(tick, events, simulation, run);
  size_t found = 0;  // of the recorded ones
  for (int i = 0; i < run.events_size(); ++i) {
    const v1::Event* const wanted =
        found < recorded->size() ? &(*recorded)[found] : nullptr;
    if (wanted != nullptr && IsSame(*wanted, run.events(i))) {
      ++found;
      continue;
    }
    const absl::StatusOr<bool> may_lack = MayLack(tick);
    if (!may_lack.ok()) return may_lack.status();
    if (!*may_lack) return DescribeDifference(i, wanted, &run.events(i));
    lacking_from_ = whole_end_;
  }
  if (found == recorded->size()) return std::nullopt;
  const auto place = static_cast<int>(found);
  return DescribeDifference(
      found, &(*recorded)[found],
      place < run.events_size() ? &run.events(place) : nullptr);
}

absl::StatusOr<std::vector<v1::Event>> EventCheck::TakeRecorded(
    sim::Tick tick) {
  std::vector<v1::Event> taken;
  while (!is_started_ || (next_.has_value() && next_->tick() <= tick)) {
    if (next_.has_value() && next_->tick() == tick) {
      taken.push_back(*std::move(next_));
    }
    is_started_ = true;
    absl::StatusOr<std::optional<v1::Event>> next = recorded_->Next();
    if (!next.ok()) return next.status();
    next_ = *std::move(next);
  }
  return taken;
}

absl::StatusOr<bool> EventCheck::MayLack(sim::Tick tick) {
  if (!whole_end_.has_value()) {
    const absl::StatusOr<sim::Tick> end = WholeEventsEnd(replay_);
    if (!end.ok()) return end.status();
    whole_end_ = *end;
  }
  return tick >= *whole_end_;
}

}  // namespace reprise::replays
