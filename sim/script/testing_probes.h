// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Probes on every line and every way of a program, for tests.

#ifndef REPRISE_SIM_SCRIPT_TESTING_PROBES_H_
#define REPRISE_SIM_SCRIPT_TESTING_PROBES_H_

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "sim/script/script_machine.h"
#include "sim/script/script_probes.h"
#include "sim/script/script_profile.h"

namespace reprise::sim {

// Looks for everything in a machine, which it makes count nothing.
class ProbesEverywhere {
 public:
  explicit ProbesEverywhere(ScriptMachine& machine)
      : probes_(ListedProfile(machine)) {
    const ScriptProfile& profile = machine.profile();
    for (int file = 0; file < static_cast<int>(profile.file_count()); ++file) {
      SeekFile(profile, file);
    }
    machine.SetProbes(&probes_);
  }

  ScriptProbes& probes() { return probes_; }
  uint32_t FindOf(const std::string& name) const {
    for (uint32_t i = 0; i < names_.size(); ++i) {
      if (names_[i] == name) return i;
    }
    return UINT32_MAX;
  }

  // "3", "branch 0 way 1" for lines and ways of the only file, in the order in
  // which they were found.
  std::vector<std::string> Found() const {
    std::vector<std::string> names;
    for (const uint32_t find : probes_.found()) names.push_back(names_[find]);
    return names;
  }

  // The same of all that the profile of this program counted, sorted.
  static std::set<std::string> Counted(const ScriptProfile& profile) {
    std::set<std::string> names;
    int number = 0;
    for (const ScriptLineCount& line : profile.lines(0)) {
      ++number;
      if (line.runs > 0) names.insert(fmt::format("{}", number));
    }
    for (size_t branch = 0; branch < profile.branches(0).size(); ++branch) {
      const auto& ways = profile.branches(0)[branch].ways;
      for (size_t way = 0; way < ways.size(); ++way) {
        if (ways[way] > 0) names.insert(NameOf(branch, way));
      }
    }
    return names;
  }

  static std::string NameOf(size_t branch, size_t way) {
    return fmt::format("branch {} way {}", branch, way);
  }

 private:
  static const ScriptProfile& ListedProfile(ScriptMachine& machine) {
    machine.SetProfiling(true);
    machine.SetProfiling(false);
    return machine.profile();
  }

  void SeekFile(const ScriptProfile& profile, int file) {
    int number = 0;
    for (const ScriptLineCount& line : profile.lines(file)) {
      ++number;
      if (!line.has_code) continue;
      probes_.LookForLine({.file = file, .line = number},
                          static_cast<uint32_t>(names_.size()));
      names_.push_back(fmt::format("{}", number));
    }
    for (size_t branch = 0; branch < profile.branches(file).size(); ++branch) {
      for (size_t way = 0; way < 2; ++way) {
        probes_.LookForWay(file, branch, way,
                           static_cast<uint32_t>(names_.size()));
        names_.push_back(NameOf(branch, way));
      }
    }
  }

  std::vector<std::string> names_;
  ScriptProbes probes_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SCRIPT_TESTING_PROBES_H_
