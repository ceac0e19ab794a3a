// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A recording as a simulation, for who has nothing else: the replay of a game
// that isn't here. It steps from digest to digest and from event to event as
// they were recorded, and computes nothing, so it proves nothing.

#ifndef REPRISE_REPLAYS_PLAYING_RECORDED_RUN_H_
#define REPRISE_REPLAYS_PLAYING_RECORDED_RUN_H_

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/format/replay_reader.h"
#include "reprise/v1/event.pb.h"
#include "sim/base/id.h"
#include "sim/event.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"
#include "sim/state/state.h"
#include "sim/state/table.h"

namespace reprise::replays {

// Whether there is nothing but the recording: this program doesn't have its
// simulation, and no pack is inside.
bool IsRecordingAlone(const ReplayReader& replay);

// The simulation that the replay was recorded with, as by
// CreateRecordedSimulation, or a RecordedRun of a recording alone. For who
// looks at runs; who verifies them has to have the simulation.
absl::StatusOr<std::unique_ptr<sim::Simulation>> CreateRecordedOrShown(
    const ReplayReader* replay, const sim::PackArchive* pack = nullptr);

// Its state has a room for each that was recorded, with one table of its name
// and one row, whose `digest` is the last one recorded so far. Its inputs are
// whatever was given, by buttons and axes. Whatever it is given is accepted and
// changes nothing.
class RecordedRun final : public sim::Simulation {
 public:
  // Reads all inputs and events for their names. `replay` must remain live.
  // DATA_LOSS: damaged, or with two rooms of a name.
  static absl::StatusOr<std::unique_ptr<RecordedRun>> Create(
      const ReplayReader* replay);

  const sim::SimulationInfo& info() const override { return info_; }
  sim::Tick tick() const override { return tick_; }
  const sim::State& state() const override { return state_; }
  absl::Status Validate(std::span<const sim::InputFrame>) const override {
    return absl::OkStatus();
  }
  void Step(std::span<const sim::InputFrame> frames,
            sim::PhaseObserver* observer) override;
  // DATA_LOSS: what is damaged on the way.
  absl::Status status() const override { return status_; }
  // Reads what lies about its tick, however long the run is, and ends an error
  // of status(). FAILED_PRECONDITION: a table hasn't one row, as that of a
  // keyframe that somebody made up; DATA_LOSS: a tick that the replay doesn't
  // have, or damage there.
  absl::Status Restore(const sim::State& snapshot) override;
  std::unique_ptr<sim::Simulation> Fork() const override;
  std::vector<sim::Event> DrainEvents() override;
  sim::Outcome outcome() const override;
  sim::Frame ProduceFrame() const override;
  std::string ObjectName(sim::ObjectId object) const override;
  std::string IdName(sim::Id id) const override;
  absl::Status Inject(const sim::FieldAddress& address,
                      sim::FieldValue value) override;

 private:
  explicit RecordedRun(const ReplayReader* replay);

  absl::Status MakeState();
  absl::Status ReadInputs();
  absl::Status ReadNames();
  absl::Status GoTo(sim::Tick tick, const sim::State& state);
  absl::Status ReadNextEvent();
  void ShowDigest(const DigestEntry& digest);
  absl::Status TakeDigest();

  const ReplayReader& replay_;
  sim::SimulationInfo info_;
  std::map<sim::Id, std::string> names_;               // of events
  std::map<sim::ObjectId, std::string> object_names_;  // of those in events
  sim::State state_;
  sim::Tick tick_ = 0;
  std::unique_ptr<ReplayCursor<DigestEntry>> digests_;
  std::optional<DigestEntry> next_digest_;
  std::unique_ptr<ReplayCursor<v1::Event>> events_;
  std::optional<v1::Event> next_event_;
  std::vector<sim::Event> happened_;
  absl::Status status_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_PLAYING_RECORDED_RUN_H_
