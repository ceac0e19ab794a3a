// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Which of many stored tracks a run begins like, and up to where, so that it
// can be kept as a branch of that one; and the order in which runs that begin
// alike follow each other.

#ifndef REPRISE_REPLAYS_FUZZING_CORPUS_TRACK_INDEX_H_
#define REPRISE_REPLAYS_FUZZING_CORPUS_TRACK_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "replays/format/input_source.h"
#include "replays/fuzzing/inputs/played_inputs.h"
#include "replays/tracks/track_folder.h"
#include "sim/base/digest.h"
#include "sim/base/tick.h"
#include "sim/input/input_grammar.h"

namespace reprise::replays {

// Used by one thread at a time.
class TrackIndex {
 public:
  // `grammar` must remain live.
  explicit TrackIndex(const sim::InputGrammar* grammar) : grammar_(grammar) {}

  // A run of fewer ticks with inputs than this is told whole.
  static constexpr size_t kSharedTicksMin = 8;

  // A run that lies in `file`.
  void Add(const PlayedInputs& run, const std::string& file);

  // Whether the same run lies there.
  bool Has(const PlayedInputs& run) const;

  // What most of the run can be left out for; nullopt: nothing.
  std::optional<TrackBeginning> BeginningOf(const PlayedInputs& run) const;

 private:
  struct Place {
    size_t file = 0;     // of files_
    sim::Tick tick = 0;  // behind which its inputs are others
  };

  const sim::InputGrammar* grammar_;
  std::vector<std::string> files_;
  // By what was given up to there. Never walked through.
  std::unordered_map<uint64_t, Place> places_;
  std::set<std::pair<sim::Digest, sim::Tick>> runs_;
};

// What players give at a tick, in a number. What the game refuses is known by
// its tick alone.
sim::Digest DigestOfInputs(const TickInputs& inputs,
                           const sim::InputGrammar& grammar);

// The places of `tracks` in an order in which those that begin alike follow
// each other; it follows from their inputs, and of equal ones from where they
// stand.
std::vector<size_t> OrderByBeginnings(
    std::span<const std::shared_ptr<const StoredTrack>> tracks,
    const sim::InputGrammar& grammar);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FUZZING_CORPUS_TRACK_INDEX_H_
