// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/script/script_profile.h"

#include "fmt/format.h"

namespace reprise::sim {

ScriptLineCount* ScriptProfile::LineOf(int file, int line) {
  if (line < 1) return nullptr;
  std::vector<ScriptLineCount>& lines = files_[static_cast<size_t>(file)];
  const auto place = static_cast<size_t>(line) - 1;
  if (place >= lines.size()) lines.resize(place + 1);
  return &lines[place];
}

void ScriptProfile::MarkCode(int file, int line) {
  ScriptLineCount* const count = LineOf(file, line);
  if (count != nullptr) count->has_code = true;
}

void ScriptProfile::Count(int file, int line, int64_t instructions) {
  instructions_ += instructions;
  ScriptLineCount* const count = LineOf(file, line);
  if (count != nullptr) count->instructions += instructions;
}

void ScriptProfile::Clear() {
  instructions_ = 0;
  for (std::vector<ScriptLineCount>& lines : files_) {
    for (ScriptLineCount& line : lines) line.instructions = 0;
  }
}

std::string ScriptProfile::ToString(const ScriptProgram& program) const {
  std::string text;
  for (size_t file = 0; file < files_.size(); ++file) {
    for (size_t i = 0; i < files_[file].size(); ++i) {
      if (!files_[file][i].has_code) continue;
      text += fmt::format("{}:{}: {}\n", program.files()[file].name, i + 1,
                          files_[file][i].instructions);
    }
  }
  return text;
}

}  // namespace reprise::sim
