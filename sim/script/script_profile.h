// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How often the lines of a program ran, in instructions: the same numbers in
// every run and build, where a clock gives others each time.

#ifndef REPRISE_SIM_SCRIPT_SCRIPT_PROFILE_H_
#define REPRISE_SIM_SCRIPT_SCRIPT_PROFILE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/script/script_program.h"

namespace reprise::sim {

struct ScriptLineCount {
  bool has_code = false;     // there is an instruction of it
  int64_t instructions = 0;  // that ran; a native function's charges count

  friend bool operator==(const ScriptLineCount&,
                         const ScriptLineCount&) = default;
};

class ScriptProfile {
 public:
  // With as many files as the program has.
  explicit ScriptProfile(size_t file_count) : files_(file_count) {}

  // Lines from 1; those below have no line in the text and don't count.
  void MarkCode(int file, int line);
  void Count(int file, int line, int64_t instructions);

  // Back to no instruction anywhere.
  void Clear();

  // Of a file, by its place in the program: line 1 first, up to the last line
  // with code.
  std::span<const ScriptLineCount> lines(int file) const {
    return files_[static_cast<size_t>(file)];
  }

  int64_t instructions() const { return instructions_; }

  // "file:line: instructions" for each line with code, in their order.
  std::string ToString(const ScriptProgram& program) const;

 private:
  ScriptLineCount* LineOf(int file, int line);

  std::vector<std::vector<ScriptLineCount>> files_;
  int64_t instructions_ = 0;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SCRIPT_SCRIPT_PROFILE_H_
