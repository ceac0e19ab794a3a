// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/inputs/script_places.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>

#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/base/handle.h"
#include "sim/script/script_profile.h"
#include "sim/script/script_program.h"
#include "sim/script/script_watcher.h"
#include "sim/state/state.h"
#include "sim/systems/script_reloads/script_reloads.h"
#include "sim/systems/scripts/script_system.h"

namespace reprise::tools {
namespace {

constexpr uint32_t kNoLine = UINT32_MAX;

bool HasReloads(const sim::Simulation& simulation) {
  return std::ranges::count(simulation.state().rooms(),
                            sim::ScriptReloads::kSystem,
                            &sim::State::Room::name) > 0;
}

}  // namespace

// Which lines begin says the machine; which way their conditions went, its
// profile says when the tick is over.
class ScriptPlaces::Lines final : public replays::CodeWatch,
                                  public sim::ScriptWatcher {
 public:
  Lines(const ScriptPlaces& places, sim::Scripts& scripts)
      : places_(places),
        scripts_(scripts),
        is_known_(places.places_.size()),
        unknown_(places.lines_.size()),
        is_touched_(places.lines_.size()),
        ways_(places.branch_count_) {
    scripts_.CountScripts();
    machine_ = scripts_.counting_machines().back();
    for (const uint32_t line : places_.line_of_) ++unknown_[line];
    for (uint32_t i = 0; i < is_known_.size(); ++i) {
      if (places_.places_[i].came_at_start) Know(i);
    }
    scripts_.Watch(this);
    Count(false);
  }
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;
  ~Lines() override { scripts_.Watch(nullptr); }

  void Count(bool counts) override {
    scripts_.GoOnCounting(counts);
    for (const uint32_t line : touched_) is_touched_[line] = false;
    touched_.clear();
    for (const Line& line : places_.lines_) {
      for (const Branch& branch : line.branches) {
        ways_[branch.number] = WaysOf(line, branch);
      }
    }
  }

  void Take(std::vector<uint32_t>& places) override {
    for (const uint32_t index : touched_) {
      is_touched_[index] = false;
      const Line& line = places_.lines_[index];
      if (!is_known_[line.place]) places.push_back(line.place);
      for (const Branch& branch : line.branches) TakeWays(line, branch, places);
    }
    touched_.clear();
  }

  void Know(uint32_t place) override {
    if (is_known_[place]) return;
    is_known_[place] = true;
    --unknown_[places_.line_of_[place]];
  }

  bool Wants(const sim::ScriptLine& line) override {
    const auto& of_file = places_.line_at_[static_cast<size_t>(line.file)];
    const uint32_t index = of_file[static_cast<size_t>(line.line) - 1];
    if (index == kNoLine || unknown_[index] == 0 || is_touched_[index]) {
      return false;
    }
    is_touched_[index] = true;
    touched_.push_back(index);
    return false;
  }
  std::string NameOf(sim::Handle /*handle*/, void* /*context*/) override {
    return {};
  }
  void OnLine(const sim::ScriptVisit& /*visit*/, void* /*context*/) override {}

 private:
  using Ways = std::array<int64_t, 2>;

  const Ways& WaysOf(const Line& line, const Branch& branch) const {
    return machine_->profile().branches(line.file)[branch.index].ways;
  }

  void TakeWays(const Line& line, const Branch& branch,
                std::vector<uint32_t>& places) {
    const Ways& ways = WaysOf(line, branch);
    Ways& before = ways_[branch.number];
    for (uint32_t way = 0; way < ways.size(); ++way) {
      const uint32_t place = branch.place + way;
      if (ways[way] != before[way] && !is_known_[place]) {
        places.push_back(place);
      }
    }
    before = ways;
  }

  const ScriptPlaces& places_;
  sim::Scripts& scripts_;
  const sim::ScriptMachine* machine_ = nullptr;
  std::vector<bool> is_known_;     // of each place
  std::vector<uint32_t> unknown_;  // of each line, how many of its places
  std::vector<bool> is_touched_;   // of each line
  std::vector<uint32_t> touched_;  // lines, as they began
  std::vector<Ways> ways_;         // of each branch, as they were taken last
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
  const auto add = [this](std::string place, bool is_branch, bool came) {
    places_.push_back({.name = std::move(place),
                       .is_branch = is_branch,
                       .came_at_start = came});
    line_of_.push_back(static_cast<uint32_t>(lines_.size()));
    return static_cast<uint32_t>(places_.size() - 1);
  };
  std::vector<uint32_t>& line_at = line_at_.emplace_back();
  for (size_t i = 0; i < counts.size(); ++i) {
    line_at.push_back(kNoLine);
    if (!counts[i].has_code) continue;
    const int number = static_cast<int>(i) + 1;
    const std::string place = fmt::format("{}:{}", name, number);
    line_at.back() = static_cast<uint32_t>(lines_.size());
    Line line{.file = file,
              .place = add(place, /*is_branch=*/false, counts[i].runs > 0),
              .branches = {}};
    const auto [first, last] = branches_of.equal_range(number);
    for (auto each = first; each != last; ++each) {
      const sim::ScriptBranchCount& count = branches[each->second];
      Branch branch{.index = each->second,
                    .number = branch_count_++,
                    .place = static_cast<uint32_t>(places_.size())};
      for (size_t way = 0; way < count.ways.size(); ++way) {
        add(fmt::format("{} branch {} way {}", place, line.branches.size(),
                        way),
            /*is_branch=*/true, count.ways[way] > 0);
      }
      line.branches.push_back(branch);
    }
    lines_.push_back(std::move(line));
  }
}

std::unique_ptr<replays::CodeWatch> ScriptPlaces::Watch(
    sim::Simulation& simulation) const {
  sim::Scripts* const scripts = sim::FindScripts(simulation);
  CHECK(scripts != nullptr);
  return std::make_unique<Lines>(*this, *scripts);
}

}  // namespace reprise::tools
