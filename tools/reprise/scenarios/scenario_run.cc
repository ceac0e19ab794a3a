// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/scenarios/scenario_run.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/format/input_source.h"
#include "replays/fuzzing/corpus/fuzz_corpus.h"
#include "replays/fuzzing/fuzz_campaign.h"
#include "sim/base/id.h"
#include "sim/base/nearest_name.h"
#include "sim/bots/bot_players.h"
#include "sim/event.h"
#include "sim/game_description.h"
#include "sim/input/input_frame.h"
#include "sim/script/script_machine.h"
#include "sim/simulation.h"
#include "sim/systems/scripts/script_system.h"
#include "tools/reprise/inputs/bot_seats.h"
#include "tools/reprise/inputs/expectation.h"
#include "tools/reprise/inputs/pack_location.h"
#include "tools/reprise/scenarios/scenario_setup.h"
#include "tools/reprise/terminal/json_output.h"

namespace reprise::tools {
namespace {

// One expectation while the game is played.
class Check {
 public:
  using Kind = v1::ScenarioExpectation::WhatCase;

  static absl::StatusOr<Check> Create(const Scenario& scenario, int index,
                                      sim::Tick tick_count,
                                      const sim::Simulation& simulation) {
    const v1::ScenarioExpectation& message = scenario.message.expect(index);
    Check check;
    check.kind_ = message.what_case();
    check.from_ = message.from();
    check.to_ = message.has_to() ? message.to() : tick_count;
    if (check.kind_ == Kind::kThat) {
      check.from_ = message.has_at() ? message.at() : tick_count;
      check.to_ = check.from_;
    }
    // What a recording's length decides wasn't known when it was read.
    if (check.from_ > check.to_ || check.to_ > tick_count) {
      return scenario.Error(
          {{"expect", index}},
          fmt::format("tick {} is beyond the end, tick {}",
                      std::max(check.from_, check.to_), tick_count));
    }
    const auto [field, text] = TextOf(message);
    const std::vector<FieldStep> place = {{"expect", index}, {field}};
    check.failure_.place = scenario.PlaceOf(place);
    check.failure_.expected =
        fmt::format("{} {}", field == "no_event" ? "no event" : field, text);
    if (check.is_event()) {
      absl::Status status = CheckEvent(text, simulation);
      if (!status.ok())
        return scenario.Error(place, std::string(status.message()));
      check.event_ = sim::IdOf(text);
    } else {
      absl::StatusOr<Expectation> expectation =
          Expectation::Parse(text, simulation);
      if (!expectation.ok()) {
        return scenario.Error(place,
                              std::string(expectation.status().message()));
      }
      check.expectation_ = *std::move(expectation);
    }
    return check;
  }

  // Looks at the state, and at the events of the step that led to it.
  void Look(const sim::Simulation& simulation,
            std::span<const sim::Event> events) {
    if (is_done_) return;
    if (is_event()) {
      LookForEvent(simulation, events);
      return;
    }
    const sim::Tick tick = simulation.tick();
    if (tick < from_ || tick > to_) return;
    const std::optional<std::string> failure = expectation_->DescribeFailure(
        simulation, events,
        kind_ == Kind::kAlways ? Expectation::Subjects::kEvery
                               : Expectation::Subjects::kSome);
    if (kind_ == Kind::kEventually) {
      if (!failure) {
        is_done_ = true;
      } else if (tick == to_) {
        Fail(tick, fmt::format("never from tick {} to {}; at last {}", from_,
                               to_, *failure));
      }
      return;
    }
    if (failure) Fail(tick, *failure);
  }

  bool has_failed() const { return has_failed_; }
  const ScenarioFailure& failure() const { return failure_; }

 private:
  static std::pair<std::string_view, std::string> TextOf(
      const v1::ScenarioExpectation& message) {
    switch (message.what_case()) {
      case Kind::kAlways:
        return {"always", message.always()};
      case Kind::kEventually:
        return {"eventually", message.eventually()};
      case Kind::kEvent:
        return {"event", message.event()};
      case Kind::kNoEvent:
        return {"no_event", message.no_event()};
      case Kind::kThat:
      case Kind::WHAT_NOT_SET:
        break;
    }
    return {"that", message.that()};
  }

  static absl::Status CheckEvent(std::string_view name,
                                 const sim::Simulation& simulation) {
    std::set<std::string_view> names;
    for (const auto& event : simulation.description().events) {
      names.insert(event.name);
    }
    // A game that says nothing of itself may send anything.
    if (names.empty() || names.contains(name)) return absl::OkStatus();
    const std::vector<std::string_view> known(names.begin(), names.end());
    return absl::InvalidArgumentError(fmt::format(
        "there is no event '{}'{}", name, sim::DidYouMean(name, known)));
  }

  bool is_event() const {
    return kind_ == Kind::kEvent || kind_ == Kind::kNoEvent;
  }

  void LookForEvent(const sim::Simulation& simulation,
                    std::span<const sim::Event> events) {
    for (const sim::Event& event : events) {
      if (event.type != event_) continue;
      // The state that the step led to is of the tick that follows.
      const sim::Tick tick = event.tick + 1;
      if (tick < from_ || tick > to_) continue;
      if (kind_ == Kind::kEvent) {
        is_done_ = true;
      } else {
        Fail(tick, fmt::format("tick {}, {}; it came of {}", tick,
                               FormatOutcome(simulation.outcome()),
                               simulation.ObjectName(event.object)));
      }
      return;
    }
    if (kind_ == Kind::kEvent && simulation.tick() == to_) {
      Fail(to_, fmt::format("tick {}, {}; it didn't come from tick {} on", to_,
                            FormatOutcome(simulation.outcome()), from_));
    }
  }

  void Fail(sim::Tick tick, std::string found) {
    is_done_ = true;
    has_failed_ = true;
    failure_.tick = tick;
    failure_.found = std::move(found);
  }

  Kind kind_ = Kind::WHAT_NOT_SET;
  sim::Tick from_ = 0;
  sim::Tick to_ = 0;
  std::optional<Expectation> expectation_;
  sim::Id event_;
  bool is_done_ = false;
  bool has_failed_ = false;
  ScenarioFailure failure_;
};

// A scenario that is being played.
class ScenarioPlay {
 public:
  ScenarioPlay(const Scenario* scenario, bool counts_scripts)
      : scenario_(*scenario), counts_scripts_(counts_scripts) {}

  absl::Status Prepare(const sim::PackArchive& pack,
                       const std::string& folder) {
    absl::StatusOr<sim::PackArchive> changed = WithObjectsOf(scenario_, pack);
    if (!changed.ok()) return Placed(changed.status(), folder, pack);
    pack_ = *std::move(changed);
    auto simulation = CreatePackSimulation(pack_, scenario_.message.seed(), "");
    if (!simulation.ok()) {
      return Named(Placed(simulation.status(), folder, pack_));
    }
    simulation_ = *std::move(simulation);
    if (counts_scripts_) CountFromTheStart();
    start_ = simulation_->Fork();

    absl::Status status = PrepareInputs();
    if (status.ok()) status = SeatPlayers();
    for (int i = 0; status.ok() && i < scenario_.message.expect_size(); ++i) {
      absl::StatusOr<Check> check =
          Check::Create(scenario_, i, played_.tick_count, *simulation_);
      status = check.status();
      if (status.ok()) checks_.push_back(*std::move(check));
    }
    return status;
  }

  absl::StatusOr<ScenarioResult> Play() {
    for (Check& check : checks_) check.Look(*simulation_, {});
    while (simulation_->tick() < played_.tick_count) {
      absl::Status status = Step();
      if (!status.ok()) {
        return Named(absl::Status(
            status.code(), fmt::format("tick {}: {}", simulation_->tick(),
                                       std::string(status.message()))));
      }
    }
    ScenarioResult result{
        .tick_count = simulation_->tick(), .failures = {}, .replay = ""};
    for (const Check& check : checks_) {
      if (check.has_failed()) result.failures.push_back(check.failure());
    }
    CheckOutcome(result);
    return result;
  }

  // What its scripts and those of its bots did.
  void AddTo(const std::string& folder, ScriptCoverage& coverage) const {
    if (bots_ != nullptr) {
      for (const sim::ScriptMachine* const machine :
           bots_->counting_machines()) {
        coverage.Add(folder, *machine);
      }
    }
    const sim::Scripts* const scripts = sim::FindScripts(*simulation_);
    if (scripts == nullptr) return;
    for (const sim::ScriptMachine* const machine :
         scripts->counting_machines()) {
      coverage.Add(folder, *machine);
    }
  }

  absl::Status Record(const std::string& path) const {
    std::error_code error;
    std::filesystem::create_directories(
        std::filesystem::path(path).parent_path(), error);
    if (error) return absl::ErrnoToStatus(error.value(), path);
    return replays::WriteReplayOf(path, played_, pack_, *start_);
  }

 private:
  // Takes a world whose scripts are counted, where it has scripts.
  void CountFromTheStart() {
    auto counted = sim::BeginAgain(
        *simulation_, [](sim::Scripts& scripts) { scripts.CountScripts(); });
    if (counted != nullptr) simulation_ = std::move(counted);
  }

  // Mistakes in the pack with its folder, where that is known.
  static absl::Status Placed(const absl::Status& status,
                             const std::string& folder,
                             const sim::PackArchive& pack) {
    return folder.empty() ? status : WithPackName(status, folder, pack);
  }

  absl::Status Named(const absl::Status& status) const {
    return absl::Status(
        status.code(),
        fmt::format("{}: scenario '{}': {}", scenario_.PlaceOf({}),
                    scenario_.message.name(), std::string(status.message())));
  }

  absl::Status PrepareInputs() {
    const v1::Scenario& message = scenario_.message;
    if (message.recording().empty()) {
      auto inputs = InputsOf(scenario_, simulation_->info().inputs);
      if (!inputs.ok()) return inputs.status();
      given_ = {.ticks = *std::move(inputs), .tick_count = message.ticks()};
    } else {
      const std::filesystem::path path =
          std::filesystem::path(scenario_.path).parent_path() /
          message.recording();
      auto inputs = replays::ReadPlayedInputs(path.string());
      if (!inputs.ok()) {
        return absl::Status(
            inputs.status().code(),
            scenario_
                .Error({{"recording"}}, std::string(inputs.status().message()))
                .message());
      }
      given_ = *std::move(inputs);
      if (message.ticks() > 0) given_.tick_count = message.ticks();
    }
    played_.tick_count = given_.tick_count;
    return absl::OkStatus();
  }

  absl::Status SeatPlayers() {
    const v1::Scenario& message = scenario_.message;
    BotFlags flags{.all = message.all_bots(), .named = {}};
    for (const v1::ScenarioBot& bot : message.bots()) {
      flags.named.push_back(fmt::format("{}:{}", bot.player(), bot.name()));
    }
    if (!flags.is_set()) return absl::OkStatus();
    std::set<uint32_t> taken;
    for (const replays::TickInputs& inputs : given_.ticks) {
      for (const auto& frame : inputs.frames) taken.insert(frame.player);
    }
    auto bots = SeatBots(*simulation_, flags, taken,
                         message.recording().empty() ? "inputs" : "recording");
    if (!bots.ok()) {
      return scenario_.Error({{flags.named.empty() ? "all_bots" : "bots",
                               flags.named.empty() ? -1 : 0}},
                             std::string(bots.status().message()));
    }
    bots_ = *std::move(bots);
    if (counts_scripts_) bots_->CountScripts();
    return absl::OkStatus();
  }

  // The frames of the tick with those of bots.
  std::vector<sim::InputFrame> FramesNow() {
    std::vector<sim::InputFrame> frames;
    if (bots_ != nullptr) frames = bots_->Decide(*simulation_);
    if (next_ < given_.ticks.size() &&
        given_.ticks[next_].tick == simulation_->tick()) {
      std::ranges::copy(given_.ticks[next_++].frames,
                        std::back_inserter(frames));
    }
    // A total order: a player has one frame.
    std::ranges::sort(frames, {}, &sim::InputFrame::player);
    return frames;
  }

  absl::Status Step() {
    std::vector<sim::InputFrame> frames = FramesNow();
    absl::Status status = simulation_->Validate(frames);
    if (!status.ok()) return status;
    simulation_->Step(frames, /*observer=*/nullptr);
    status = simulation_->status();
    if (!status.ok()) return status;
    const std::vector<sim::Event> events = simulation_->DrainEvents();
    if (bots_ != nullptr) bots_->Hear(events);
    for (Check& check : checks_) check.Look(*simulation_, events);
    if (!frames.empty()) {
      played_.ticks.push_back(
          {.tick = simulation_->tick() - 1, .frames = std::move(frames)});
    }
    return absl::OkStatus();
  }

  void CheckOutcome(ScenarioResult& result) const {
    const std::string& expected = scenario_.message.outcome();
    const sim::Outcome outcome = simulation_->outcome();
    if (expected.empty() || expected == OutcomeName(outcome.status)) {
      return;
    }
    result.failures.push_back(
        {.place = scenario_.PlaceOf({{"outcome"}}),
         .tick = simulation_->tick(),
         .expected = "outcome " + expected,
         .found = fmt::format("tick {}, {}", simulation_->tick(),
                              FormatOutcome(outcome))});
  }

  const Scenario& scenario_;
  const bool counts_scripts_;
  sim::PackArchive pack_;
  std::unique_ptr<sim::Simulation> simulation_;
  std::unique_ptr<sim::Simulation> start_;
  std::unique_ptr<sim::BotPlayers> bots_;
  std::vector<Check> checks_;
  replays::PlayedInputs given_;   // by the scenario
  size_t next_ = 0;               // the first that wasn't played yet
  replays::PlayedInputs played_;  // with those of bots
};

}  // namespace

absl::StatusOr<ScenarioResult> RunScenario(const Scenario& scenario,
                                           const sim::PackArchive& pack,
                                           const std::string& replay_path,
                                           ScriptCoverage* coverage,
                                           const std::string& folder) {
  ScenarioPlay play(&scenario, coverage != nullptr);
  absl::Status status = play.Prepare(pack, folder);
  if (!status.ok()) return status;
  absl::StatusOr<ScenarioResult> result = play.Play();
  if (result.ok() && coverage != nullptr) play.AddTo(folder, *coverage);
  if (result.ok() && !result->failures.empty() && !replay_path.empty()) {
    status = play.Record(replay_path);
    if (!status.ok()) return status;
    result->replay = replay_path;
  }
  return result;
}

}  // namespace reprise::tools
