// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/verifying/room_verification.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/format/common_shape.h"
#include "replays/format/input_source.h"
#include "replays/format/keyframe_state.h"
#include "replays/format/schema_difference.h"
#include "replays/verifying/divergence.h"
#include "replays/verifying/progress_teller.h"
#include "sim/base/digest.h"
#include "sim/base/tick.h"
#include "sim/input/input_frame.h"

namespace reprise::replays {
namespace {

// As a segment's.
// A room whose digests mean the same in both.
struct SameRoom {
  size_t recorded = 0;  // its place in a digest entry
  sim::State::Room room;
};

bool HaveSameTables(const sim::State& recorded, const sim::State::Room& left,
                    const sim::State& current, const sim::State::Room& right) {
  if (left.table_count != right.table_count) return false;
  for (uint32_t i = 0; i < left.table_count; ++i) {
    const sim::TableIndex recorded_table{left.first_table + i};
    const sim::TableIndex current_table{right.first_table + i};
    if (recorded.table(recorded_table).schema().fingerprint() !=
        current.table(current_table).schema().fingerprint()) {
      return false;
    }
  }
  return true;
}

class RoomVerification {
 public:
  RoomVerification(const ReplayReader& replay, const sim::State& recorded,
                   sim::Simulation& simulation, const VerifyOptions& options)
      : replay_(replay),
        simulation_(simulation),
        options_(options),
        progress_(options.progress),
        common_(recorded, simulation.state()),
        inputs_(replay.ReadInputs()),
        digests_(replay.ReadDigests()),
        keyframes_(replay.ReadKeyframes()) {
    VerifiedRooms& rooms = report_.rooms.emplace();
    rooms.schema_differences = CompareSchemas(recorded, simulation.state());
    for (size_t i = 0; i < recorded.rooms().size(); ++i) {
      const sim::State::Room& room = recorded.rooms()[i];
      const auto current = std::ranges::find(
          simulation.state().rooms(), room.name, &sim::State::Room::name);
      if (current != simulation.state().rooms().end() &&
          HaveSameTables(recorded, room, simulation.state(), *current)) {
        same_rooms_.push_back({.recorded = i, .room = *current});
        rooms.compared.push_back(room.name);
      } else {
        rooms.not_compared.push_back(room.name);
      }
    }
  }

  absl::StatusOr<VerificationReport> Run() {
    absl::Status status = ReadNextDigest();
    if (status.ok()) status = ReadNextKeyframe();
    while (status.ok()) {
      status = CheckTick();
      if (!status.ok() || report_.divergence.has_value() ||
          simulation_.tick() >= replay_.tick_count()) {
        break;
      }
      status = StepTick();
      if (report_.divergence.has_value()) break;
    }
    if (!status.ok()) return status;
    report_.outcome = simulation_.outcome();
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

  absl::Status CheckTick() {
    const sim::Tick tick = simulation_.tick();
    report_.root = simulation_.state().ComputeRootDigest();
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
    return status;
  }

  void CheckDigest(const DigestEntry& entry) {
    if (same_rooms_.empty()) return;
    ++report_.digests_compared;
    const sim::State& state = simulation_.state();
    std::vector<std::string> different;
    for (const SameRoom& same : same_rooms_) {
      if (entry.rooms[same.recorded] != state.ComputeRoomDigest(same.room)) {
        different.push_back(same.room.name);
      }
    }
    if (different.empty()) {
      last_equal_tick_ = entry.tick;
      return;
    }
    ++report_.digests_different;
    Divergence& divergence = AddDivergence(Divergence::Kind::kState);
    divergence.expected_root = entry.root;
    divergence.rooms = std::move(different);
  }

  // What both have of the state; it also explains a difference of this tick.
  absl::Status CheckKeyframe(const ReplayKeyframe& keyframe) {
    const absl::StatusOr<sim::State> recorded = DecodeRecordedState(keyframe);
    if (!recorded.ok()) {
      return absl::Status(
          recorded.status().code(),
          fmt::format("the keyframe of tick {}: {}", keyframe.tick,
                      std::string(recorded.status().message())));
    }
    ++report_.rooms->keyframes_compared;
    Divergence found;
    DescribeFields(
        common_.Take(CommonShape::Side::kExpected, *recorded),
        common_.Take(CommonShape::Side::kActual, simulation_.state()),
        options_.fields_max, simulation_, found);
    if (found.fields.empty()) return absl::OkStatus();
    Divergence& divergence = report_.divergence.has_value()
                                 ? *report_.divergence
                                 : AddDivergence(Divergence::Kind::kState);
    divergence.expected_root = recorded->ComputeRootDigest();
    divergence.fields = std::move(found.fields);
    divergence.has_more_fields = found.has_more_fields;
    divergence.fields_tick = keyframe.tick;
    return absl::OkStatus();
  }

  absl::Status StepTick() {
    const sim::Tick tick = simulation_.tick();
    const absl::Status told = progress_.Tell(tick, replay_.tick_count());
    if (!told.ok()) return told;
    const absl::StatusOr<std::span<const sim::InputFrame>> frames =
        inputs_->FramesAt(tick);
    if (!frames.ok()) return frames.status();
    const absl::Status accepted = simulation_.Validate(*frames);
    if (!accepted.ok()) {
      AddDivergence(Divergence::Kind::kRefusedInputs).remark =
          std::string(accepted.message());
      return absl::OkStatus();
    }
    simulation_.Step(*frames, /*observer=*/nullptr);
    if (!simulation_.status().ok()) return simulation_.status();
    // Events are an account of the state, which is compared.
    simulation_.DrainEvents();
    return absl::OkStatus();
  }

  Divergence& AddDivergence(Divergence::Kind kind) {
    Divergence& divergence = report_.divergence.emplace();
    divergence.kind = kind;
    divergence.last_equal_tick = last_equal_tick_;
    divergence.first_different_tick = simulation_.tick();
    divergence.actual_root = report_.root;
    return divergence;
  }

  const ReplayReader& replay_;
  sim::Simulation& simulation_;
  const VerifyOptions& options_;
  ProgressTeller progress_;
  const CommonShape common_;
  const std::unique_ptr<InputSource> inputs_;
  const std::unique_ptr<ReplayCursor<DigestEntry>> digests_;
  const std::unique_ptr<ReplayCursor<ReplayKeyframe>> keyframes_;
  std::vector<SameRoom> same_rooms_;
  VerificationReport report_;
  std::optional<DigestEntry> digest_;
  std::optional<ReplayKeyframe> keyframe_;
  std::optional<sim::Tick> last_equal_tick_;
};

}  // namespace

absl::StatusOr<VerificationReport> VerifyRooms(const ReplayReader& replay,
                                               const sim::State& recorded,
                                               sim::Simulation& simulation,
                                               const VerifyOptions& options) {
  return RoomVerification(replay, recorded, simulation, options).Run();
}

}  // namespace reprise::replays
