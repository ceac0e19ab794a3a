// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Simulations at tick 0 of the packs that were asked for last: many replays of
// one pack and seed, verified one after the other, compile it twice at most.

#ifndef REPRISE_REPLAYS_PLAYING_KEPT_SIMULATIONS_H_
#define REPRISE_REPLAYS_PLAYING_KEPT_SIMULATIONS_H_

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "replays/format/replay_reader.h"
#include "sim/base/content_digest.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"

namespace reprise::replays {

// Used by one thread at a time.
class KeptSimulations {
 public:
  // Keeps so many, each from when it is asked for a second time, so that
  // replays that share nothing cost no more than they did. REQUIRES: kept_max >
  // 0.
  explicit KeptSimulations(size_t kept_max);

  // As CreateRecordedSimulation(replay, pack): with its errors, which are not
  // kept. Packs are told apart by their contents, by the simulation and by the
  // seed, which has its share in what is compiled. Simulations of plug-ins are
  // always created, since a fork of theirs is a plug-in's work.
  absl::StatusOr<std::unique_ptr<sim::Simulation>> Create(
      const ReplayReader& replay, const sim::PackArchive* pack = nullptr);

  // How many packs were compiled so far.
  uint64_t created() const { return created_; }

 private:
  struct Kept {
    std::string simulation;
    sim::ContentDigest pack;
    uint64_t seed = 0;
    bool was_asked_for = false;
    std::unique_ptr<sim::Simulation> start = nullptr;
  };

  // The one of the pack and seed of `wanted`, which is the latest now.
  Kept& FindOrAdd(Kept wanted);

  absl::StatusOr<std::unique_ptr<sim::Simulation>> CreateAnew(
      const ReplayReader& replay, const sim::PackArchive& pack);

  const size_t kept_max_;
  std::list<Kept> kept_;  // the latest first
  uint64_t created_ = 0;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_PLAYING_KEPT_SIMULATIONS_H_
