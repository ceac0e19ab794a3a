// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/fuzzing/fuzz_coverage.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "fmt/format.h"
#include "replays/fuzzing/feedback/code_places.h"
#include "replays/fuzzing/feedback/state_coverage.h"
#include "sim/base/id.h"

namespace reprise::replays {
namespace {

// Names, and whether each came.
using Came = std::map<std::string, bool>;

Came EventsOf(const FuzzCampaign& campaign, const sim::Simulation& start,
              const FuzzCoverageScope& scope) {
  Came came;
  for (const sim::EventDescription& event : start.description().events) {
    if (scope.foreign_events.contains(event.name)) continue;
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

Came TypesOf(const FuzzCampaign& campaign, const sim::Simulation& start,
             const FuzzCoverageScope& scope) {
  Came came;
  if (!campaign.coverage().HasField("type")) return came;
  const std::vector<sim::TypeDescription>& types = start.description().types;
  for (const sim::TypeDescription& type : types) came[type.name] = false;
  for (const sim::TypeDescription& type : types) {
    if (!campaign.coverage().HasHeld("type", sim::IdOf(type.name))) continue;
    // What it extends has come with it.
    for (auto each =
             std::ranges::find(types, type.name, &sim::TypeDescription::name);
         each != types.end();
         each = std::ranges::find(types, each->extends,
                                  &sim::TypeDescription::name)) {
      came[each->name] = true;
    }
  }
  std::erase_if(came, [&scope](const auto& type) {
    return !type.second && scope.body_types.contains(type.first);
  });
  return came;
}

Came PropertiesOf(const FuzzCampaign& campaign) {
  Came came;
  for (const StateCoverage::Property& property :
       campaign.coverage().properties()) {
    came[fmt::format("{}.{}", property.component, property.description->name)] =
        property.has_changed;
  }
  return came;
}

Came RegionsOf(const FuzzCampaign& campaign, const FuzzCoverageScope& scope) {
  Came came;
  for (const std::string& region : scope.regions) {
    came[region] = campaign.coverage().HasHeld("region", sim::IdOf(region));
  }
  return came;
}

// Of lines, or of the ways that conditions go.
FuzzCoveragePart CodeOf(const FuzzCampaign& campaign, bool is_branch) {
  FuzzCoveragePart part;
  part.name = is_branch ? "branches" : "lines";
  const std::vector<CodePlace>& places = campaign.code()->places();
  for (uint32_t i = 0; i < places.size(); ++i) {
    if (places[i].is_branch != is_branch) continue;
    ++part.count;
    if (places[i].came_at_start || campaign.code_came().contains(i)) continue;
    part.never.push_back(places[i].name);
  }
  return part;
}

}  // namespace

FuzzCoverage CoverageOf(const FuzzCampaign& campaign,
                        const sim::Simulation& start,
                        const FuzzCoverageScope& scope) {
  FuzzCoverage coverage;
  const auto add = [&coverage](std::string_view name, const Came& came) {
    if (came.empty()) return;
    FuzzCoveragePart part{
        .name = std::string(name), .count = came.size(), .never = {}};
    for (const auto& [what, has_come] : came) {
      if (!has_come) part.never.push_back(what);
    }
    coverage.push_back(std::move(part));
  };
  add("events", EventsOf(campaign, start, scope));
  add("actions", ActionsOf(campaign, start));
  add("outcomes", OutcomesOf(campaign, start));
  add("types", TypesOf(campaign, start, scope));
  add("properties", PropertiesOf(campaign));
  add("regions", RegionsOf(campaign, scope));
  if (campaign.code() == nullptr) return coverage;
  for (const bool is_branch : {false, true}) {
    FuzzCoveragePart part = CodeOf(campaign, is_branch);
    if (part.count > 0) coverage.push_back(std::move(part));
  }
  return coverage;
}

}  // namespace reprise::replays
