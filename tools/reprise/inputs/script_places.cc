// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/inputs/script_places.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/script/script_probes.h"
#include "sim/script/script_profile.h"
#include "sim/script/script_program.h"
#include "sim/state/state.h"
#include "sim/systems/script_reloads/script_reloads.h"
#include "sim/systems/scripts/script_system.h"

namespace reprise::tools {
namespace {

bool HasReloads(const sim::Simulation& simulation) {
  return std::ranges::count(simulation.state().rooms(),
                            sim::ScriptReloads::kSystem,
                            &sim::State::Room::name) > 0;
}

}  // namespace

// A find is a place.
class ScriptPlaces::Probes final : public replays::CodeWatch {
 public:
  Probes(const ScriptPlaces& places, sim::Scripts& scripts)
      : scripts_(scripts), probes_(ProfileOf(scripts)) {
    for (uint32_t i = 0; i < places.places_.size(); ++i) {
      if (!places.places_[i].came_at_start) LookFor(places.sites_[i], i);
    }
    Count(false);
  }
  Probes(const Probes&) = delete;
  Probes& operator=(const Probes&) = delete;
  ~Probes() override { scripts_.SetProbes(nullptr); }

  void Count(bool counts) override {
    scripts_.SetProbes(counts ? &probes_ : nullptr);
    probes_.ClearFound();
  }

  void Take(std::vector<uint32_t>& places) override {
    places.insert(places.end(), probes_.found().begin(), probes_.found().end());
    probes_.ClearFound();
  }

  void Know(uint32_t place) override { probes_.Forget(place); }

 private:
  static const sim::ScriptProfile& ProfileOf(sim::Scripts& scripts) {
    scripts.CountScripts();
    return scripts.counting_machines().back()->profile();
  }

  void LookFor(const Site& site, uint32_t place) {
    if (site.is_branch) {
      probes_.LookForWay(site.line.file, site.branch, site.way, place);
    } else {
      probes_.LookForLine(site.line, place);
    }
  }

  sim::Scripts& scripts_;
  sim::ScriptProbes probes_;
};

std::unique_ptr<ScriptPlaces> ScriptPlaces::Create(
    const sim::Simulation& start) {
  if (HasReloads(start)) return nullptr;
  const std::unique_ptr<sim::Simulation> fork = start.Fork();
  const std::unique_ptr<sim::Simulation> counted = sim::BeginAgain(
      *fork, [](sim::Scripts& scripts) { scripts.CountScripts(); });
  if (counted == nullptr) return nullptr;
  const sim::ScriptMachine& machine =
      *sim::FindScripts(*counted)->counting_machines().back();
  // The constructor is private.
  std::unique_ptr<ScriptPlaces> places(new ScriptPlaces());
  for (size_t i = 0; i < machine.program().files().size(); ++i) {
    places->AddFile(machine, static_cast<int>(i));
  }
  return places;
}

void ScriptPlaces::AddFile(const sim::ScriptMachine& machine, int file) {
  const std::string& name =
      machine.program().files()[static_cast<size_t>(file)].name;
  const auto counts = machine.profile().lines(file);
  const auto branches = machine.profile().branches(file);
  std::multimap<int, size_t> branches_of;  // by line, in the code's order
  for (size_t i = 0; i < branches.size(); ++i) {
    branches_of.emplace(branches[i].line, i);
  }
  const auto add = [this](std::string place, const Site& site, bool came) {
    places_.push_back({.name = std::move(place),
                       .is_branch = site.is_branch,
                       .came_at_start = came});
    sites_.push_back(site);
  };
  for (size_t i = 0; i < counts.size(); ++i) {
    if (!counts[i].has_code) continue;
    const int number = static_cast<int>(i) + 1;
    const std::string place = fmt::format("{}:{}", name, number);
    Site site = {.line = {.file = file, .line = number}};
    add(place, site, counts[i].runs > 0);
    site.is_branch = true;
    const auto [first, last] = branches_of.equal_range(number);
    size_t of_line = 0;
    for (auto each = first; each != last; ++each, ++of_line) {
      site.branch = each->second;
      const sim::ScriptBranchCount& count = branches[site.branch];
      for (site.way = 0; site.way < count.ways.size(); ++site.way) {
        add(fmt::format("{} branch {} way {}", place, of_line, site.way), site,
            count.ways[site.way] > 0);
      }
    }
  }
}

std::unique_ptr<replays::CodeWatch> ScriptPlaces::Watch(
    sim::Simulation& simulation) const {
  sim::Scripts* const scripts = sim::FindScripts(simulation);
  CHECK(scripts != nullptr);
  return std::make_unique<Probes>(*this, *scripts);
}

}  // namespace reprise::tools
