// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/script/script_profile.h"

#include <algorithm>

#include "fmt/format.h"

namespace reprise::sim {
namespace {

// Which instructions can be reached from the first one: behind a `return`, for
// one, there are others that never run.
std::vector<bool> ReachedIn(std::span<const ScriptInstruction> code) {
  std::vector<bool> is_reached(code.size());
  std::vector<int> open = {0};
  while (!open.empty()) {
    const int at = open.back();
    open.pop_back();
    if (at < 0 || static_cast<size_t>(at) >= code.size()) continue;
    if (is_reached[static_cast<size_t>(at)]) continue;
    is_reached[static_cast<size_t>(at)] = true;
    for (const int next : code[static_cast<size_t>(at)].next) {
      open.push_back(next);
    }
  }
  return is_reached;
}

}  // namespace

void ScriptProfile::AddFunction(int file,
                                std::span<const ScriptInstruction> code) {
  File& counts = files_[static_cast<size_t>(file)];
  Function& function = functions_.emplace_back();
  function.file = file;
  const std::vector<bool> is_reached = ReachedIn(code);
  for (size_t i = 0; i < code.size(); ++i) {
    const ScriptInstruction& each = code[i];
    Instruction& instruction =
        function.code.emplace_back(Instruction{.line = std::max(each.line, 0),
                                               .is_entry = each.is_entry,
                                               .is_reached = is_reached[i],
                                               .branch = -1,
                                               .next = each.next});
    const auto line = static_cast<size_t>(instruction.line);
    if (line > counts.lines.size()) counts.lines.resize(line);
    if (line == 0 || each.is_entry || !is_reached[i]) continue;
    counts.lines[line - 1].has_code = true;
    if (!each.is_branch || each.next[0] == each.next[1]) continue;
    instruction.branch = static_cast<int>(counts.branches.size());
    counts.branches.push_back({.line = instruction.line, .ways = {}});
  }
}

std::optional<ScriptLine> ScriptProfile::Count(const ScriptCodeStep& step) {
  instructions_ += step.instructions;
  const Function& function = functions_[static_cast<size_t>(step.function) - 1];
  const Instruction& at = function.code[static_cast<size_t>(step.instruction)];
  if (at.line == 0) return std::nullopt;
  File& counts = files_[static_cast<size_t>(function.file)];
  ScriptLineCount& line = counts.lines[static_cast<size_t>(at.line) - 1];
  line.instructions += step.instructions;
  if (step.is_charge || at.is_entry) return std::nullopt;
  if (step.from >= 0) {
    const Instruction& from = function.code[static_cast<size_t>(step.from)];
    if (from.branch >= 0) {
      auto& ways = counts.branches[static_cast<size_t>(from.branch)].ways;
      for (size_t way = 0; way < ways.size(); ++way) {
        if (from.next[way] == step.instruction) ++ways[way];
      }
    }
    const bool goes_on =
        !from.is_entry && from.line == at.line && step.from < step.instruction;
    if (goes_on) return std::nullopt;
  }
  ++line.runs;
  return ScriptLine{.file = function.file, .line = at.line};
}

void ScriptProfile::Clear() {
  instructions_ = 0;
  for (File& file : files_) {
    for (ScriptLineCount& line : file.lines) {
      line.instructions = 0;
      line.runs = 0;
    }
    for (ScriptBranchCount& branch : file.branches) branch.ways = {};
  }
}

std::string ScriptProfile::ToString(const ScriptProgram& program) const {
  std::string text;
  for (size_t file = 0; file < files_.size(); ++file) {
    const std::vector<ScriptLineCount>& lines = files_[file].lines;
    for (size_t i = 0; i < lines.size(); ++i) {
      if (!lines[i].has_code) continue;
      text += fmt::format("{}:{}: {}\n", program.files()[file].name, i + 1,
                          lines[i].instructions);
    }
  }
  return text;
}

}  // namespace reprise::sim
