// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How often the lines of a program ran, which way its conditions went, and what
// that cost in instructions: the same numbers in every run and build, where a
// clock gives others each time.

#ifndef REPRISE_SIM_SCRIPT_SCRIPT_PROFILE_H_
#define REPRISE_SIM_SCRIPT_SCRIPT_PROFILE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/script/script_program.h"

namespace reprise::sim {

// A line of a program.
struct ScriptLine {
  int file = 0;  // its place in the program
  int line = 0;  // from 1

  friend bool operator==(const ScriptLine&, const ScriptLine&) = default;
};

struct ScriptLineCount {
  bool has_code = false;     // an instruction of it may run
  int64_t instructions = 0;  // that ran; a native function's charges count
  // How often it was begun: from another line, or anew by a loop or a call.
  int64_t runs = 0;

  friend bool operator==(const ScriptLineCount&,
                         const ScriptLineCount&) = default;
};

// A place where a condition decides between two ways: of `if`, `while`, `and`,
// `or`, a comparison that is a value, and of `for`, which goes on or not.
struct ScriptBranchCount {
  int line = 0;
  std::array<int64_t, 2> ways = {};  // how often each was taken

  friend bool operator==(const ScriptBranchCount&,
                         const ScriptBranchCount&) = default;
};

// An instruction of a function, and where it may go on in that.
struct ScriptInstruction {
  int line = 0;           // below 1: none in the text
  bool is_entry = false;  // it prepares a function, and belongs to no line
  bool is_branch = false;
  std::array<int, 2> next = {-1, -1};
};

// One that is about to run, or what a native function charges.
struct ScriptCodeStep {
  int function = 0;     // from 1, in the order of AddFunction
  int instruction = 0;  // of the function, from 0
  int from = -1;        // the one before in this call; -1: it is the first
  bool is_charge = false;
  int64_t instructions = 1;
};

class ScriptProfile {
 public:
  // With as many files as the program has.
  explicit ScriptProfile(size_t file_count) : files_(file_count) {}

  // Says what a function of a file consists of; the next one has the next
  // number. REQUIRES: `next` are instructions of `code`, or -1.
  void AddFunction(int file, std::span<const ScriptInstruction> code);
  int function_count() const { return static_cast<int>(functions_.size()); }

  // Returns the line that the step begins, if it begins one.
  // REQUIRES: the function was added.
  std::optional<ScriptLine> Count(const ScriptCodeStep& step);

  // Back to nothing that ran.
  void Clear();

  // Of a file, by its place in the program: line 1 first, up to the last line
  // with code.
  std::span<const ScriptLineCount> lines(int file) const {
    return files_[static_cast<size_t>(file)].lines;
  }

  // Of a file, function by function, as they lie in the code.
  std::span<const ScriptBranchCount> branches(int file) const {
    return files_[static_cast<size_t>(file)].branches;
  }

  int64_t instructions() const { return instructions_; }

  // What functions consist of, as it was added.
  struct Instruction {
    int line = 0;             // 0: none in the text
    bool is_entry = false;    // it belongs to no line
    bool is_reached = false;  // it may run
    int branch = -1;          // of its file
    std::array<int, 2> next = {-1, -1};
  };
  struct Function {
    int file = 0;
    std::vector<Instruction> code;
  };
  size_t file_count() const { return files_.size(); }
  std::span<const Function> functions() const { return functions_; }

  // "file:line: instructions" for each line with code, in their order.
  std::string ToString(const ScriptProgram& program) const;

 private:
  struct File {
    std::vector<ScriptLineCount> lines;
    std::vector<ScriptBranchCount> branches;
  };

  std::vector<File> files_;
  std::vector<Function> functions_;
  int64_t instructions_ = 0;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SCRIPT_SCRIPT_PROFILE_H_
