// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/scenarios/scenario_run.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/bots/bot_players.h"
#include "sim/event.h"
#include "sim/simulation.h"
#include "tools/reprise/verifying/verify_junit.h"

namespace reprise::tools {
namespace {

using SpanKind = ScenarioSpan::Kind;

// Looks at an expectation tick by tick.
class Watch {
 public:
  explicit Watch(const ScenarioExpectation& expectation)
      : expectation_(expectation) {}

  void Look(const sim::Simulation& simulation,
            std::span<const sim::Event> events) {
    const sim::Tick tick = simulation.tick();
    const ScenarioSpan& span = expectation_.span;
    if (is_decided_ || tick < span.begin || tick > span.end) return;
    if (expectation_.condition) {
      LookAtCondition(simulation, events);
    } else {
      LookAtEvents(tick, events);
    }
  }

  // REQUIRES: the run is over.
  std::optional<ScenarioFailure> Failure(sim::Tick tick_count) {
    const ScenarioSpan& span = expectation_.span;
    if (!expectation_.condition && span.kind != SpanKind::kNever) {
      const uint64_t least = expectation_.count.value_or(1);
      if (count_ < least) {
        Fail(std::min(span.end, tick_count),
             fmt::format("it came {} times", count_));
      }
    } else if (span.kind == SpanKind::kSometimes && !is_decided_) {
      Fail(std::min(span.end, tick_count), last_found_);
    }
    return failure_;
  }

 private:
  void LookAtCondition(const sim::Simulation& simulation,
                       std::span<const sim::Event> events) {
    const std::optional<std::string> found =
        expectation_.condition->DescribeFailure(simulation, events);
    const sim::Tick tick = simulation.tick();
    switch (expectation_.span.kind) {
      case SpanKind::kOnce:
      case SpanKind::kAlways:
        if (found) Fail(tick, *found);
        break;
      case SpanKind::kNever:
        if (!found) Fail(tick, "it holds");
        break;
      case SpanKind::kSometimes:
        is_decided_ = !found;
        last_found_ = found.value_or("");
        break;
    }
  }

  void LookAtEvents(sim::Tick tick, std::span<const sim::Event> events) {
    count_ += static_cast<uint64_t>(
        std::ranges::count(events, expectation_.event_id, &sim::Event::type));
    if (count_ == 0) return;
    if (expectation_.span.kind == SpanKind::kNever) Fail(tick, "it came");
    if (expectation_.count && count_ > *expectation_.count) {
      Fail(tick, fmt::format("it came {} times", count_));
    }
  }

  void Fail(sim::Tick tick, std::string found) {
    is_decided_ = true;
    failure_ = {.tick = tick,
                .expectation = expectation_.text,
                .found = std::move(found),
                .place = expectation_.place};
  }

  const ScenarioExpectation& expectation_;
  uint64_t count_ = 0;  // of events
  std::string last_found_;
  bool is_decided_ = false;
  std::optional<ScenarioFailure> failure_;
};

class Run {
 public:
  explicit Run(const Scenario& scenario)
      : scenario_(scenario),
        simulation_(scenario.start->Fork()),
        inputs_(&scenario.inputs),
        watches_(scenario.expectations.begin(), scenario.expectations.end()) {}

  absl::StatusOr<ScenarioResult> Make() {
    const auto begin = std::chrono::steady_clock::now();
    if (!scenario_.bots.empty()) {
      auto bots = sim::BotPlayers::Create(*simulation_, scenario_.bots);
      if (!bots.ok()) return bots.status();
      bots_ = *std::move(bots);
    }
    Look({});
    while (simulation_->tick() < scenario_.tick_count) {
      const absl::Status status = Step();
      if (status.ok()) continue;
      return absl::Status(status.code(),
                          fmt::format("tick {}: {}", simulation_->tick(),
                                      std::string(status.message())));
    }
    for (Watch& watch : watches_) {
      std::optional<ScenarioFailure> failure =
          watch.Failure(scenario_.tick_count);
      if (failure) result_.failures.push_back(*std::move(failure));
    }
    result_.played.tick_count = scenario_.tick_count;
    result_.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
            .count();
    return std::move(result_);
  }

 private:
  absl::Status Step() {
    const sim::Tick tick = simulation_->tick();
    absl::StatusOr<std::vector<sim::InputFrame>> frames = FramesAt(tick);
    if (!frames.ok()) return frames.status();
    absl::Status status = simulation_->Validate(*frames);
    if (!status.ok()) return status;
    simulation_->Step(*frames, /*observer=*/nullptr);
    if (!simulation_->status().ok()) return simulation_->status();
    if (!frames->empty()) {
      result_.played.ticks.push_back(
          {.tick = tick, .frames = *std::move(frames)});
    }
    const std::vector<sim::Event> events = simulation_->DrainEvents();
    if (bots_ != nullptr) bots_->Hear(events);
    Look(events);
    return absl::OkStatus();
  }

  absl::StatusOr<std::vector<sim::InputFrame>> FramesAt(sim::Tick tick) {
    std::vector<sim::InputFrame> all;
    if (bots_ != nullptr) {
      all = bots_->Decide(*simulation_);
      for (const sim::BotLogEntry& entry : bots_->DrainLog()) {
        if (entry.is_error) {
          result_.bot_errors.push_back(sim::FormatBotLogEntry(entry));
        }
      }
    }
    if (tick >= scenario_.inputs.tick_count) return all;
    const auto frames = inputs_.FramesAt(tick);
    if (!frames.ok()) return frames.status();
    for (const sim::InputFrame& frame : *frames) {
      if (bots_ == nullptr || !bots_->Plays(frame.player)) {
        all.push_back(frame);
      }
    }
    // A total order: a player has one frame.
    std::ranges::sort(all, {}, &sim::InputFrame::player);
    return all;
  }

  void Look(std::span<const sim::Event> events) {
    for (Watch& watch : watches_) watch.Look(*simulation_, events);
  }

  const Scenario& scenario_;
  const std::unique_ptr<sim::Simulation> simulation_;
  replays::TrackInputSource inputs_;
  std::unique_ptr<sim::BotPlayers> bots_;  // null: persons alone
  std::vector<Watch> watches_;
  ScenarioResult result_;
};

}  // namespace

absl::StatusOr<ScenarioResult> RunScenario(const Scenario& scenario) {
  return Run(scenario).Make();
}

std::string FormatScenarioFailure(const ScenarioFailure& failure) {
  return fmt::format("{}; {} ({})", failure.expectation, failure.found,
                     failure.place);
}

std::string FormatScenariosAsJunit(
    std::span<const ReportedScenario> scenarios) {
  std::string cases;
  size_t failed = 0;
  double seconds = 0.0;
  for (const ReportedScenario& one : scenarios) {
    seconds += one.result.seconds;
    cases += fmt::format(
        "    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"",
        EscapeXml(one.pack), EscapeXml(one.name), one.result.seconds);
    if (one.result.passed()) {
      cases += "/>\n";
      continue;
    }
    ++failed;
    std::string text;
    for (const ScenarioFailure& failure : one.result.failures) {
      text += FormatScenarioFailure(failure) + "\n";
    }
    text += "reproduce: " + one.reproduction + "\n";
    if (!one.replay.empty()) text += "replay: " + one.replay + "\n";
    cases += fmt::format(
        ">\n      <failure message=\"{}\">{}</failure>\n    </testcase>\n",
        EscapeXml(FormatScenarioFailure(one.result.failures.front())),
        EscapeXml(text));
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
      "  <testsuite name=\"reprise test\" tests=\"{}\" failures=\"{}\" "
      "time=\"{:.3f}\">\n{}  </testsuite>\n</testsuites>\n",
      scenarios.size(), failed, seconds, cases);
}

}  // namespace reprise::tools
