// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Lines and branches of a pack's scripts, as places that a search looks for.

#ifndef REPRISE_TOOLS_REPRISE_INPUTS_SCRIPT_PLACES_H_
#define REPRISE_TOOLS_REPRISE_INPUTS_SCRIPT_PLACES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "replays/fuzzing/feedback/code_places.h"
#include "sim/script/script_machine.h"
#include "sim/script/script_profile.h"
#include "sim/simulation.h"

namespace reprise::tools {

// Of a line "ball.lua:12", of the ways of a condition there "ball.lua:12 branch
// 0 way 1", with the numbers of tracefiles of lcov (see ScriptCoverage).
class ScriptPlaces final : public replays::CodePlaces {
 public:
  // Null where the simulation has no scripts, or players replace them: then
  // lines aren't the pack's.
  static std::unique_ptr<ScriptPlaces> Create(const sim::Simulation& start);

  const std::vector<replays::CodePlace>& places() const override {
    return places_;
  }
  std::unique_ptr<replays::CodeWatch> Watch(
      sim::Simulation& simulation) const override;

 private:
  class Probes;

  // Where in its program's profile a place is.
  struct Site {
    sim::ScriptLine line;
    bool is_branch = false;
    size_t branch = 0;  // in the file's profile
    size_t way = 0;
  };

  ScriptPlaces() = default;
  void AddFile(const sim::ScriptMachine& machine, int file);

  std::vector<replays::CodePlace> places_;
  std::vector<Site> sites_;  // of each place
};

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_INPUTS_SCRIPT_PLACES_H_
