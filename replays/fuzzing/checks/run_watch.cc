// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/fuzzing/checks/run_watch.h"

#include <algorithm>
#include <string_view>

#include "fmt/format.h"
#include "replays/format/event_flood.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/state/field_value.h"
#include "sim/state/table.h"

namespace reprise::replays {
namespace {

// A player who did nothing has no game to be stuck in.
constexpr uint64_t kStuckInputsMin = 8;

// "crate_7, physics.bodies.position.y = 5".
std::string Place(const ScanFinding& finding,
                  const sim::Simulation& simulation) {
  const sim::Table& table = simulation.state().table(finding.table);
  const sim::RowSchema& schema = table.schema();
  std::string row = fmt::format("row {}", finding.row);
  if (schema.key_field_count() > 0) {
    row = sim::FormatFieldValue(
        sim::ReadScalar(schema, table.Row(finding.row), {.field = 0}),
        sim::NamesOf(simulation));
  }
  return fmt::format("{}: {} = {}", row, finding.field, finding.value);
}

// Of a mistake these arguments say which one it is. What else there is may be
// something else each time.
constexpr std::string_view kPlaceArguments[] = {"file", "line", "reason"};
constexpr std::string_view kMessage = "message";
constexpr std::string_view kAllArguments[] = {"file", "line", "reason",
                                              kMessage};

// "lamp.lua:12: it is dark", as far as the event has arguments of these names.
std::string ArgumentsOf(const sim::Event& event,
                        std::span<const std::string_view> arguments,
                        const sim::Simulation& simulation) {
  const sim::NameResolver names = sim::NamesOf(simulation);
  std::string text;
  for (const std::string_view argument : arguments) {
    const auto found = std::ranges::find(event.arguments, sim::IdOf(argument),
                                         &sim::EventArgument::name);
    if (found == event.arguments.end()) continue;
    if (!text.empty()) text += argument == kMessage ? ": " : ":";
    text += sim::FormatFieldValue(found->value, names);
  }
  return text;
}

// "the event property_refused came: left property=fighter.health".
std::string DescribeEvent(const FuzzEvent& unreachable, const sim::Event& event,
                          const sim::Simulation& simulation) {
  std::string text;
  if (event.object != sim::kNoObject) {
    text = " " + simulation.ObjectName(event.object);
  }
  const sim::NameResolver names = sim::NamesOf(simulation);
  for (const sim::EventArgument& argument : event.arguments) {
    text += fmt::format(" {}={}", simulation.IdName(argument.name),
                        sim::FormatFieldValue(argument.value, names));
  }
  return fmt::format("the event {} came{}{}", unreachable.name,
                     text.empty() ? "" : ":", text);
}

}  // namespace

RunWatch::RunWatch(const FuzzRules* rules, const sim::Simulation& start)
    : rules_(*rules), scan_(start.state(), rules->description.world_radius_m) {
  for (const FuzzWord& word : rules_.always) always_.emplace_back(&word.query);
}

void RunWatch::Restore(const sim::State& snapshot, const RunMemory& memory) {
  memory_ = memory;
  if (rules_.description.stuck_ticks == 0) {
    scan_.Restore(snapshot);
    return;
  }
  // What is to be compared has to be known.
  scan_.Reset();
  std::vector<uint64_t> ignored;
  scan_.Look(snapshot, ignored);
}

std::optional<RunFailure> RunWatch::Look(const sim::Simulation& simulation,
                                         std::span<const sim::Event> events,
                                         bool has_inputs) {
  const sim::Tick tick = simulation.tick();
  if (!simulation.status().ok()) {
    // Behind the tick that it couldn't make: a run up to there tries it.
    return RunFailure{.signature = std::string(kStepFailed),
                      .message = std::string(simulation.status().message()),
                      .tick = tick + 1};
  }
  if (has_inputs) ++memory_.inputs_since;
  if (!events.empty()) memory_ = {.last_change = tick, .inputs_since = 0};
  for (const FuzzEvent& unreachable : rules_.unreachable) {
    const auto event =
        std::ranges::find(events, unreachable.id, &sim::Event::type);
    if (event == events.end()) continue;
    return RunFailure{
        .signature = fmt::format("unreachable {}", unreachable.name),
        .message = DescribeEvent(unreachable, *event, simulation),
        .tick = tick};
  }
  for (const FuzzEvent& mistake : rules_.mistakes) {
    const auto event = std::ranges::find(events, mistake.id, &sim::Event::type);
    if (event == events.end()) continue;
    return RunFailure{
        .signature =
            fmt::format("{} {}", mistake.name,
                        ArgumentsOf(*event, kPlaceArguments, simulation)),
        .message = fmt::format("{}: {}", simulation.ObjectName(event->object),
                               ArgumentsOf(*event, kAllArguments, simulation)),
        .tick = tick};
  }
  if (events.size() >= kEventFlood) {
    return RunFailure{
        .signature = "flood of events",
        .message = fmt::format("{} events in one tick", events.size()),
        .tick = tick};
  }
  return CheckAlways(simulation, events);
}

std::optional<RunFailure> RunWatch::CheckAlways(
    const sim::Simulation& simulation, std::span<const sim::Event> events) {
  for (size_t i = 0; i < always_.size(); ++i) {
    QueryEvaluation& evaluation = always_[i];
    bool has_failed = false;
    std::string subject_name;
    evaluation.Visit(
        simulation, events,
        [&](const sim::StateSubject& subject,
            const sim::ExpressionAnswer& answer) {
          if (has_failed || !answer.ok() || !sim::IsBool(*answer, false))
            return;
          has_failed = true;
          subject_name = evaluation.NameOf(subject);
        });
    if (!has_failed) continue;
    const FuzzWord& word = rules_.always[i];
    std::string message = fmt::format(
        "{}'{}' doesn't hold", subject_name.empty() ? "" : subject_name + ": ",
        word.query.text());
    for (const auto& [text, value] : evaluation.ValuesOfTick()) {
      if (value.ok()) {
        message +=
            fmt::format("; {} = {}", text, sim::FormatExpressionValue(*value));
      }
    }
    return RunFailure{.signature = fmt::format("always {}", word.name),
                      .message = std::move(message),
                      .tick = simulation.tick()};
  }
  return std::nullopt;
}

std::optional<RunFailure> RunWatch::Scan(const sim::Simulation& simulation,
                                         std::vector<uint64_t>& buckets) {
  bool has_changed = false;
  const std::optional<ScanFinding> finding =
      scan_.Look(simulation.state(), buckets, &has_changed);
  const sim::Tick tick = simulation.tick();
  if (has_changed) memory_ = {.last_change = tick, .inputs_since = 0};
  if (finding) return FailureOf(*finding, simulation);
  const sim::Tick stuck_ticks = rules_.description.stuck_ticks;
  if (stuck_ticks > 0 && tick - memory_.last_change >= stuck_ticks &&
      memory_.inputs_since >= kStuckInputsMin &&
      simulation.outcome().status == sim::Outcome::Status::kRunning) {
    return RunFailure{
        .signature = "stuck",
        .message = fmt::format(
            "nothing has changed since tick {}, in spite of inputs at {} ticks",
            memory_.last_change, memory_.inputs_since),
        .tick = tick};
  }
  return std::nullopt;
}

RunFailure RunWatch::FailureOf(const ScanFinding& finding,
                               const sim::Simulation& simulation) {
  RunFailure failure{.tick = simulation.tick()};
  switch (finding.kind) {
    case ScanFinding::Kind::kNotFinite:
      failure.signature = fmt::format("not finite {}", finding.field);
      failure.message = Place(finding, simulation);
      break;
    case ScanFinding::Kind::kOutOfWorld:
      failure.signature = fmt::format("out of the world {}", finding.field);
      failure.message = Place(finding, simulation);
      break;
    case ScanFinding::Kind::kGrowth:
      failure.signature = fmt::format("growth of {}", finding.field);
      failure.message =
          fmt::format("{} has {} rows", finding.field, finding.value);
      break;
  }
  return failure;
}

}  // namespace reprise::replays
