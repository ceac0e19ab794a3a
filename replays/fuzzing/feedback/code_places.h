// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Lines and branches of a game's code, for searches of which they tell states
// apart: whoever knows how a game is programmed says where its runs come to.

#ifndef REPRISE_REPLAYS_FUZZING_FEEDBACK_CODE_PLACES_H_
#define REPRISE_REPLAYS_FUZZING_FEEDBACK_CODE_PLACES_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/simulation.h"

namespace reprise::replays {

struct CodePlace {
  std::string name;            // one line: "ball.lua:12"
  bool is_branch = false;      // a way that a condition goes; otherwise a line
  bool came_at_start = false;  // while the game was loaded
};

// Looks on at one simulation, by one thread at a time. Places are their indices
// in CodePlaces::places().
class CodeWatch {
 public:
  virtual ~CodeWatch() = default;

  // Looks on from now on, or no longer, which costs nothing. What wasn't taken
  // is forgotten.
  virtual void Count(bool counts) = 0;

  // Appends the places that the simulation came to since the last call, each
  // once, but those that are known. Their order follows from the run.
  virtual void Take(std::vector<uint32_t>& places) = 0;

  // The place isn't told of any more. Those of the start are known.
  virtual void Know(uint32_t place) = 0;
};

class CodePlaces {
 public:
  virtual ~CodePlaces() = default;

  // File by file, ascending by line.
  virtual const std::vector<CodePlace>& places() const = 0;

  // Looks on at `simulation`, a fork of what this was made of. It outlives the
  // watch, and so does this. It doesn't count yet.
  virtual std::unique_ptr<CodeWatch> Watch(
      sim::Simulation& simulation) const = 0;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FUZZING_FEEDBACK_CODE_PLACES_H_
