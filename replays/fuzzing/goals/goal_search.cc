// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/fuzzing/goals/goal_search.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/format/input_source.h"
#include "replays/fuzzing/checks/run_watch.h"
#include "replays/fuzzing/feedback/fuzz_rules.h"
#include "replays/fuzzing/minimizing/minimization.h"
#include "sim/base/tick.h"
#include "sim/fuzzing_description.h"

namespace reprise::replays {
namespace {

constexpr char kGoal[] = "goal";

// Making a way short may cost this many times what it takes to go it.
constexpr uint64_t kShorteningRuns = 1000;

// Lets whoever watches another search know that this one goes on.
class TickBeat final : public FuzzJournal {
 public:
  // `journal` must remain live.
  explicit TickBeat(FuzzJournal* journal) : journal_(*journal) {}

  void OnRound(uint64_t /*round*/) override {}
  void OnState(uint64_t /*state*/, uint64_t /*before*/,
               std::span<const TickInputs> /*inputs*/,
               sim::Tick /*tick*/) override {}
  void OnPiece(uint32_t /*job*/, uint64_t /*state*/,
               std::span<const TickInputs> /*inputs*/,
               sim::Tick /*end*/) override {}
  void OnTick(uint32_t /*job*/) override { journal_.OnBeat(); }
  void OnBeat() override { journal_.OnBeat(); }
  void OnFailure(const RunFailure& /*failure*/) override {}

 private:
  FuzzJournal& journal_;
};

absl::StatusOr<FuzzRules> RulesOf(const sim::Simulation& start,
                                  const GoalSearchOptions& options) {
  // Said of the goal itself, and not of what is made of it below.
  const absl::Status checked = CheckGoal(options.goal, start);
  if (!checked.ok()) return checked;
  sim::FuzzingDescription description = start.description().fuzzing;
  // What may not be is no reason to turn back.
  description.always = {
      {.name = kGoal, .text = fmt::format("not ({})", options.goal)}};
  description.unreachable.clear();
  description.stuck_ticks = 0;
  for (const std::string& text : options.nearer) {
    description.maximize.push_back({.name = text, .text = text});
  }
  absl::StatusOr<FuzzRules> rules = FuzzRules::Create(description, start);
  if (rules.ok()) rules->mistakes.clear();
  return rules;
}

// "the best: 12.5 of 'player.at'"
std::string Nearest(const FuzzCampaign& campaign,
                    const GoalSearchOptions& options) {
  const std::vector<std::optional<double>> scores = campaign.BestScores();
  const size_t first = campaign.rules().maximize.size() - options.nearer.size();
  std::string text;
  for (size_t i = 0; i < options.nearer.size(); ++i) {
    if (!scores[first + i]) continue;
    text +=
        fmt::format("; '{}' came to {}", options.nearer[i], *scores[first + i]);
  }
  return text;
}

}  // namespace

absl::Status CheckGoal(const std::string& goal, const sim::Simulation& start) {
  const absl::StatusOr<Query> query = Query::Parse(goal, start);
  if (query.ok() && query->type() == sim::ExpressionType::kBool) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      fmt::format("goal '{}': {}", goal,
                  query.ok() ? "it is no condition"
                             : std::string(query.status().message())));
}

absl::StatusOr<FoundWay> FindWayTo(const sim::Simulation& start,
                                   const GoalSearchOptions& options) {
  absl::StatusOr<FuzzRules> rules = RulesOf(start, options);
  if (!rules.ok()) return rules.status();
  std::optional<TickBeat> beat;
  if (options.journal != nullptr) beat.emplace(options.journal);
  const auto campaign =
      FuzzCampaign::Create(start, *rules,
                           {.seed = options.seed,
                            .memory_bytes_max = options.memory_bytes_max,
                            .keeps_runs = false,
                            .restore_check_interval = 0,
                            .players = options.players,
                            .held = options.held,
                            .journal = beat ? &*beat : nullptr,
                            .code = options.code});
  if (!campaign.ok()) return campaign.status();
  const std::string signature = fmt::format("always {}", kGoal);
  const auto& failures = (*campaign)->failures();
  while (!failures.contains(signature)) {
    const uint64_t ticks = (*campaign)->progress().ticks;
    if (ticks >= options.ticks_max) {
      return absl::NotFoundError(
          fmt::format("no way to '{}' was found within {} ticks{}",
                      options.goal, ticks, Nearest(**campaign, options)));
    }
    (*campaign)->RunRound(options.ticks_max - ticks);
    if ((*campaign)->progress().ticks == ticks) {
      return absl::NotFoundError(
          fmt::format("no way to '{}': the game doesn't go on from its start",
                      options.goal));
    }
    if (options.on_progress != nullptr) {
      options.on_progress((*campaign)->progress().ticks);
    }
  }
  const PlayedInputs& found = failures.at(signature).inputs;
  FoundWay way{.inputs = found,
               .ticks_until_found = (*campaign)->progress().ticks};
  if (found.tick_count == 0 || !options.shortens) return way;
  const auto shorter = MinimizeRun(
      start, *rules, found, {.ticks_max = kShorteningRuns * found.tick_count});
  // Of a game that isn't the same each time this is all that there is.
  if (absl::IsFailedPrecondition(shorter.status())) return way;
  if (!shorter.ok()) return shorter.status();
  way.inputs = shorter->inputs;
  way.ticks_to_shorten = shorter->ticks_run;
  return way;
}

}  // namespace reprise::replays
