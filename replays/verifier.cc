// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/verifier.h"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/input_source.h"
#include "replays/replay_player.h"
#include "sim/base/state_codec.h"
#include "sim/input/input_frame.h"

namespace reprise::replays {
namespace {

// Often enough for a progress bar, too seldom to cost anything.
constexpr sim::Tick kProgressStride = 256;

std::string TextOf(const absl::Status& status) {
  return std::string(status.message());
}

// One verification, tick by tick.
class Verification {
 public:
  Verification(const ReplayReader& replay, const VerifyOptions& options,
               std::unique_ptr<sim::Simulation> simulation)
      : replay_(replay),
        options_(options),
        simulation_(std::move(simulation)),
        inputs_(replay.ReadInputs()),
        digests_(replay.ReadDigests()),
        keyframes_(replay.ReadKeyframes()) {
    report_.tick_count = replay.tick_count();
    report_.remarks = CompareWithRun(replay.metadata(), *simulation_);
  }

  absl::StatusOr<VerificationReport> Run() {
    absl::Status status = ReadNextDigest();
    if (status.ok()) status = ReadNextKeyframe();
    while (status.ok() && !is_done_) {
      status = CheckTick();
      if (status.ok() && !is_done_) status = StepTick();
    }
    if (!status.ok()) return status;
    report_.outcome = simulation_->outcome();
    Remark();
    return std::move(report_);
  }

 private:
  absl::Status ReadNextDigest() {
    absl::StatusOr<std::optional<DigestEntry>> next = digests_->Next();
    if (!next.ok()) return next.status();
    digest_ = *std::move(next);
    return absl::OkStatus();
  }

  absl::Status ReadNextKeyframe() {
    absl::StatusOr<std::optional<ReplayKeyframe>> next = keyframes_->Next();
    if (!next.ok()) return next.status();
    keyframe_ = *std::move(next);
    return absl::OkStatus();
  }

  // Compares the state as it is with all that was recorded of this tick.
  absl::Status CheckTick() {
    const sim::Tick tick = simulation_->tick();
    report_.root = simulation_->state().ComputeRootDigest();
    report_.chain = sim::ExtendChain(report_.chain, report_.root);
    absl::Status status;
    if (digest_.has_value() && digest_->tick == tick) {
      CheckDigest(*digest_);
      status = ReadNextDigest();
    }
    if (status.ok() && keyframe_.has_value() && keyframe_->tick == tick) {
      status = CheckKeyframe(*keyframe_);
      if (status.ok()) status = ReadNextKeyframe();
    }
    if (!status.ok()) return status;
    if (tick == replay_.tick_count()) {
      CheckEnd();
      is_done_ = true;
    }
    // A difference is explained by the next keyframe, if there is one.
    if (report_.divergence.has_value() && !awaits_keyframe()) is_done_ = true;
    return absl::OkStatus();
  }

  bool awaits_keyframe() const {
    return report_.divergence->kind == Divergence::Kind::kState &&
           !is_explained_ && keyframe_.has_value();
  }

  void CheckDigest(const DigestEntry& entry) {
    if (report_.divergence.has_value()) return;
    CompareWith(entry.root, entry.chain);
    if (!report_.divergence.has_value()) return;
    const sim::State& state = simulation_->state();
    const std::vector<std::string>& names = replay_.metadata().rooms;
    for (const sim::State::Room& room : state.rooms()) {
      const auto found = std::ranges::find(names, room.name);
      if (found == names.end() ||
          entry.rooms[found - names.begin()] != state.ComputeRoomDigest(room)) {
        report_.divergence->rooms.push_back(room.name);
      }
    }
  }

  // Holds the run so far against a recorded root and chain of this tick.
  void CompareWith(sim::Digest root, sim::Digest chain) {
    if (root == report_.root && chain == report_.chain) {
      report_.ticks_verified = simulation_->tick();
      last_equal_tick_ = simulation_->tick();
      return;
    }
    Divergence& divergence = report_.divergence.emplace();
    divergence.kind = root == report_.root ? Divergence::Kind::kHistory
                                           : Divergence::Kind::kState;
    divergence.last_equal_tick = last_equal_tick_;
    divergence.first_different_tick = simulation_->tick();
    divergence.expected_root = root;
    divergence.actual_root = report_.root;
  }

  absl::Status CheckKeyframe(const ReplayKeyframe& keyframe) {
    const sim::State& state = simulation_->state();
    const absl::StatusOr<sim::State> recorded =
        sim::DecodeState(std::as_bytes(std::span(keyframe.state)), state);
    if (absl::IsFailedPrecondition(recorded.status())) {
      has_foreign_keyframes_ = true;
      foreign_keyframe_reason_ = TextOf(recorded.status());
      return absl::OkStatus();
    }
    if (!recorded.ok()) {
      return absl::Status(
          recorded.status().code(),
          fmt::format("the keyframe of tick {}: {}", keyframe.tick,
                      TextOf(recorded.status())));
    }
    if (!report_.divergence.has_value()) {
      CompareWith(recorded->ComputeRootDigest(), keyframe.chain);
    }
    if (!report_.divergence.has_value() || is_explained_) {
      return absl::OkStatus();
    }
    Divergence& divergence = *report_.divergence;
    DescribeFields(*recorded, state, options_.fields_max, *simulation_,
                   divergence);
    divergence.fields_tick = keyframe.tick;
    if (divergence.fields.empty() &&
        divergence.kind == Divergence::Kind::kState) {
      divergence.remark =
          fmt::format("the states are equal again at the keyframe of tick {}",
                      keyframe.tick);
      divergence.fields_tick.reset();
    }
    is_explained_ = true;
    return absl::OkStatus();
  }

  void CheckEnd() {
    const std::optional<ReplayEnd>& end = replay_.end();
    if (!end.has_value() || report_.divergence.has_value()) return;
    CompareWith(end->root, end->chain);
    const sim::Outcome outcome = simulation_->outcome();
    if (report_.divergence.has_value() || outcome == end->outcome) return;
    Divergence& divergence = report_.divergence.emplace();
    divergence.kind = Divergence::Kind::kOutcome;
    divergence.last_equal_tick = last_equal_tick_;
    divergence.first_different_tick = simulation_->tick();
    divergence.expected_root = end->root;
    divergence.actual_root = report_.root;
    divergence.remark =
        fmt::format("the recorded run ended as \"{}\", this one as \"{}\"",
                    FormatOutcome(end->outcome), FormatOutcome(outcome));
  }

  static std::string FormatOutcome(const sim::Outcome& outcome) {
    switch (outcome.status) {
      case sim::Outcome::Status::kRunning:
        return "running";
      case sim::Outcome::Status::kWon:
        return "won: " + outcome.reason;
      case sim::Outcome::Status::kLost:
        return "lost: " + outcome.reason;
    }
    return "";
  }

  absl::Status StepTick() {
    const sim::Tick tick = simulation_->tick();
    if (options_.progress && tick % kProgressStride == 0) {
      absl::Status status = options_.progress(tick, replay_.tick_count());
      if (!status.ok()) return status;
    }
    const absl::StatusOr<std::span<const sim::InputFrame>> frames =
        inputs_->FramesAt(tick);
    if (!frames.ok()) return frames.status();
    const absl::Status accepted = simulation_->Validate(*frames);
    if (!accepted.ok()) {
      RefuseInputs(TextOf(accepted));
      return absl::OkStatus();
    }
    simulation_->Step(*frames, /*observer=*/nullptr);
    // Events are an account of the state, which is compared.
    simulation_->DrainEvents();
    return absl::OkStatus();
  }

  void RefuseInputs(const std::string& reason) {
    is_done_ = true;
    if (report_.divergence.has_value()) return;
    Divergence& divergence = report_.divergence.emplace();
    divergence.kind = Divergence::Kind::kRefusedInputs;
    divergence.last_equal_tick = last_equal_tick_;
    divergence.first_different_tick = simulation_->tick();
    divergence.remark = reason;
  }

  void Remark() {
    std::vector<std::string>& notes = report_.remarks.notes;
    std::vector<std::string>& warnings = report_.remarks.warnings;
    if (!replay_.is_complete()) {
      warnings.push_back(
          fmt::format("the recording was cut off; {} ticks of it are left",
                      replay_.tick_count()));
    }
    if (!report_.divergence.has_value() &&
        report_.ticks_verified < report_.tick_count) {
      notes.push_back(
          fmt::format("no digest was recorded of the ticks from {} to {}",
                      report_.ticks_verified + 1, report_.tick_count));
    }
    if (has_foreign_keyframes_) {
      notes.push_back("the keyframes could not be compared: " +
                      foreign_keyframe_reason_);
    }
  }

  const ReplayReader& replay_;
  const VerifyOptions& options_;
  const std::unique_ptr<sim::Simulation> simulation_;
  const std::unique_ptr<InputSource> inputs_;
  const std::unique_ptr<ReplayCursor<DigestEntry>> digests_;
  const std::unique_ptr<ReplayCursor<ReplayKeyframe>> keyframes_;
  VerificationReport report_;
  // What was recorded next; unset when nothing is left.
  std::optional<DigestEntry> digest_;
  std::optional<ReplayKeyframe> keyframe_;
  std::optional<sim::Tick> last_equal_tick_;
  bool is_explained_ = false;  // the divergence has its fields
  bool is_done_ = false;
  bool has_foreign_keyframes_ = false;
  std::string foreign_keyframe_reason_;
};

}  // namespace

absl::StatusOr<VerificationReport> VerifyReplay(const ReplayReader& replay,
                                                const VerifyOptions& options) {
  absl::StatusOr<std::unique_ptr<sim::Simulation>> simulation =
      CreateRecordedSimulation(replay, options.pack);
  if (!simulation.ok()) return simulation.status();
  return Verification(replay, options, *std::move(simulation)).Run();
}

}  // namespace reprise::replays
