// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/script/script_probes.h"

#include "sim/base/check.h"

namespace reprise::sim {
namespace {

// From how many instructions of the function each may be come to. The first
// one is come to from outside, too.
std::vector<int> ArrivalsIn(const ScriptProfile::Function& function) {
  std::vector<int> arrivals(function.code.size());
  if (!arrivals.empty()) arrivals.front() = 1;
  for (const ScriptProfile::Instruction& each : function.code) {
    if (!each.is_reached) continue;
    for (size_t way = 0; way < each.next.size(); ++way) {
      const int next = each.next[way];
      if (next < 0 || (way == 1 && next == each.next[0])) continue;
      ++arrivals[static_cast<size_t>(next)];
    }
  }
  return arrivals;
}

}  // namespace

ScriptProbes::ScriptProbes(const ScriptProfile& profile) {
  lines_.resize(profile.file_count());
  branches_.resize(profile.file_count());
  for (size_t file = 0; file < profile.file_count(); ++file) {
    lines_[file].resize(profile.lines(static_cast<int>(file)).size());
    branches_[file].resize(profile.branches(static_cast<int>(file)).size());
  }
  for (const ScriptProfile::Function& function : profile.functions()) {
    const auto file = static_cast<size_t>(function.file);
    const std::vector<int> arrivals = ArrivalsIn(function);
    std::vector<Instruction>& code = functions_.emplace_back();
    for (size_t i = 0; i < function.code.size(); ++i) {
      const ScriptProfile::Instruction& each = function.code[i];
      const Place place = {functions_.size() - 1, i};
      Instruction& instruction = code.emplace_back();
      if (each.line > 0 && each.is_reached && !each.is_entry) {
        lines_[file][static_cast<size_t>(each.line) - 1].push_back(place);
      }
      if (each.branch < 0) continue;
      branches_[file][static_cast<size_t>(each.branch)] = place;
      instruction.next = each.next;
      for (size_t way = 0; way < each.next.size(); ++way) {
        const int next = each.next[way];
        instruction.is_ambiguous[way] =
            next < 0 || arrivals[static_cast<size_t>(next)] > 1;
      }
    }
  }
}

void ScriptProbes::Seek(uint32_t find) {
  if (find >= finds_.size()) finds_.resize(find + size_t{1});
  CHECK(!finds_[find].is_sought);
  finds_[find].is_sought = true;
  ++revision_;
}

void ScriptProbes::LookForLine(const ScriptLine& line, uint32_t find) {
  Seek(find);
  const auto file = static_cast<size_t>(line.file);
  for (const Place& place : lines_[file][static_cast<size_t>(line.line) - 1]) {
    functions_[place.function][place.instruction].line = find;
  }
}

void ScriptProbes::LookForWay(int file, size_t branch, size_t way,
                              uint32_t find) {
  Seek(find);
  const Place& place = branches_[static_cast<size_t>(file)][branch];
  std::vector<Instruction>& code = functions_[place.function];
  Instruction& instruction = code[place.instruction];
  instruction.ways[way] = find;
  if (instruction.is_ambiguous[way]) return;
  code[static_cast<size_t>(instruction.next[way])].arrival = find;
}

void ScriptProbes::Forget(uint32_t find) {
  if (!IsSought(find)) return;
  finds_[find].is_sought = false;
  ++revision_;
}

ScriptProbe ScriptProbes::ProbeOf(int function, int instruction) const {
  const Instruction& at = functions_[static_cast<size_t>(function) - 1]
                                    [static_cast<size_t>(instruction)];
  ScriptProbe probe = {.runs = IsSought(at.line) || IsSought(at.arrival)};
  for (size_t way = 0; way < at.ways.size(); ++way) {
    if (at.is_ambiguous[way] && IsSought(at.ways[way])) probe.ways = true;
  }
  return probe;
}

void ScriptProbes::Come(uint32_t find) {
  if (!IsSought(find) || finds_[find].is_found) return;
  finds_[find].is_found = true;
  found_.push_back(find);
}

void ScriptProbes::OnRun(int function, int instruction) {
  const Instruction& at = functions_[static_cast<size_t>(function) - 1]
                                    [static_cast<size_t>(instruction)];
  Come(at.arrival);
  Come(at.line);
}

void ScriptProbes::OnWay(int function, int instruction, int next) {
  const Instruction& at = functions_[static_cast<size_t>(function) - 1]
                                    [static_cast<size_t>(instruction)];
  for (size_t way = 0; way < at.ways.size(); ++way) {
    if (at.next[way] == next) Come(at.ways[way]);
  }
}

void ScriptProbes::ClearFound() {
  for (const uint32_t find : found_) finds_[find].is_found = false;
  found_.clear();
}

}  // namespace reprise::sim
