// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/fuzzing/fuzz_coverage.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "sim/base/id.h"

namespace reprise::replays {
namespace {

// Names, and whether each came.
using Came = std::map<std::string, bool>;

Came EventsOf(const FuzzCampaign& campaign, const sim::Simulation& start) {
  Came came;
  for (const sim::EventDescription& event : start.description().events) {
    came[event.name] =
        campaign.events_came().contains(sim::IdOf(event.name).value);
  }
  for (const FuzzEvent& event : campaign.rules().unreachable) {
    came.erase(event.name);
  }
  return came;
}

Came ActionsOf(const FuzzCampaign& campaign, const sim::Simulation& start) {
  Came came;
  const auto& actions = start.info().inputs.actions;
  for (uint32_t i = 0; i < actions.size(); ++i) {
    came[actions[i].name] = campaign.actions_used().contains(i);
  }
  for (const std::string& name : campaign.rules().description.never_used) {
    came.erase(name);
  }
  return came;
}

Came OutcomesOf(const FuzzCampaign& campaign, const sim::Simulation& start) {
  Came came;
  for (const sim::OutcomeRule& rule : start.description().outcome_rules) {
    const auto status =
        rule.is_won ? sim::Outcome::Status::kWon : sim::Outcome::Status::kLost;
    came[rule.is_won ? "won" : "lost"] =
        campaign.outcomes_came().contains(status);
  }
  return came;
}

}  // namespace

FuzzCoverage CoverageOf(const FuzzCampaign& campaign,
                        const sim::Simulation& start) {
  FuzzCoverage coverage;
  for (auto& [name, came] :
       {std::pair("events", EventsOf(campaign, start)),
        std::pair("actions", ActionsOf(campaign, start)),
        std::pair("outcomes", OutcomesOf(campaign, start))}) {
    if (came.empty()) continue;
    FuzzCoveragePart part{.name = name, .count = came.size(), .never = {}};
    for (const auto& [what, has_come] : came) {
      if (!has_come) part.never.push_back(what);
    }
    coverage.push_back(std::move(part));
  }
  return coverage;
}

}  // namespace reprise::replays
