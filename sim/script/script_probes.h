// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Lines and ways of conditions that somebody looks for. Where a script comes to
// one is told; all other code runs as fast as if nobody looked, which a profile
// can't do.

#ifndef REPRISE_SIM_SCRIPT_SCRIPT_PROBES_H_
#define REPRISE_SIM_SCRIPT_SCRIPT_PROBES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/script/script_profile.h"

namespace reprise::sim {

// What is told of an instruction.
struct ScriptProbe {
  bool runs = false;  // that it is about to run
  bool ways = false;  // where it goes on
};

// Finds are numbers that whoever looks for something gives it.
class ScriptProbes {
 public:
  // Of a program whose functions `profile` has; nothing is looked for yet.
  explicit ScriptProbes(const ScriptProfile& profile);

  // Looks for a line with code, or for a way that a condition goes, the
  // `branch`-th of its file in the profile. REQUIRES: the number is below
  // 2^32 - 1 and has no other find.
  void LookForLine(const ScriptLine& line, uint32_t find);
  void LookForWay(int file, size_t branch, size_t way, uint32_t find);

  // Looks for it no longer.
  void Forget(uint32_t find);

  // Changes when another instruction is to be told of.
  uint64_t revision() const { return revision_; }
  ScriptProbe ProbeOf(int function, int instruction) const;

  // What is told: `function` as in ScriptCodeStep.
  void OnRun(int function, int instruction);
  void OnWay(int function, int instruction, int next);

  // What was come to since it was cleared, each once, in that order.
  std::span<const uint32_t> found() const { return found_; }
  void ClearFound();

 private:
  static constexpr uint32_t kNothing = UINT32_MAX;

  struct Find {
    bool is_sought = false;
    bool is_found = false;
  };
  struct Instruction {
    uint32_t line = kNothing;
    // The way that alone leads here, so that running is proof of it.
    uint32_t arrival = kNothing;
    std::array<uint32_t, 2> ways = {kNothing, kNothing};
    std::array<int, 2> next = {-1, -1};
    // Whether the instruction behind a way may be come to otherwise, too.
    std::array<bool, 2> is_ambiguous = {};
  };
  // Where a line's or a branch's instructions are.
  struct Place {
    size_t function = 0;
    size_t instruction = 0;
  };

  bool IsSought(uint32_t find) const {
    return find != kNothing && finds_[find].is_sought;
  }
  void Come(uint32_t find);
  void Seek(uint32_t find);

  std::vector<std::vector<Instruction>> functions_;
  std::vector<std::vector<std::vector<Place>>> lines_;  // by file and line
  std::vector<std::vector<Place>> branches_;            // by file
  std::vector<Find> finds_;
  std::vector<uint32_t> found_;
  uint64_t revision_ = 0;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SCRIPT_SCRIPT_PROBES_H_
