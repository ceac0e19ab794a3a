// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/recording/resumed_recording.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "replays/container/mcap_records.h"
#include "replays/format/schema_difference.h"
#include "replays/format/whole_events.h"
#include "replays/playing/replay_player.h"
#include "replays/recording/recording_prefix.h"
#include "sim/base/content_digest.h"
#include "sim/base/digest.h"
#include "sim/state/state.h"

namespace reprise::replays {
namespace {

// A branch of so many parents tells of no more: a few records are left for what
// else a file says of itself.
constexpr size_t kBranchRecordsMax = kMcapMetadataMax - 32;

// Passes on what is appended, but keeps the first of it back: what the file has
// in its place is worth no less until all of it is recorded again.
class ReplacingSink final : public ByteSink {
 public:
  explicit ReplacingSink(std::unique_ptr<ByteSink> sink)
      : sink_(std::move(sink)) {}

  // The next Append takes along, in one piece, what was kept back.
  void StopWaiting() { is_waiting_ = false; }

  absl::Status Append(std::span<const std::byte> bytes) override {
    if (is_replaced_) return sink_->Append(bytes);
    kept_back_.insert(kept_back_.end(), bytes.begin(), bytes.end());
    if (is_waiting_) return absl::OkStatus();
    is_replaced_ = true;
    const Bytes all = std::exchange(kept_back_, {});
    return sink_->Append(all);
  }
  absl::Status Flush() override {
    return is_replaced_ ? sink_->Flush() : absl::OkStatus();
  }

 private:
  const std::unique_ptr<ByteSink> sink_;
  Bytes kept_back_;
  bool is_waiting_ = true;
  bool is_replaced_ = false;
};

// The digests that were recorded, held against a run that comes by.
class DigestCheck {
 public:
  DigestCheck(const ReplayReader& replay, sim::Tick first_tick)
      : digests_(replay.ReadDigests(first_tick)) {}

  absl::Status Check(sim::Tick tick, sim::Digest chain) {
    while (!is_read_ || (entry_.has_value() && entry_->tick < tick)) {
      absl::StatusOr<std::optional<DigestEntry>> next = digests_->Next();
      if (!next.ok()) return next.status();
      entry_ = *std::move(next);
      is_read_ = true;
    }
    if (!entry_.has_value() || entry_->tick != tick || entry_->chain == chain) {
      return absl::OkStatus();
    }
    return absl::FailedPreconditionError(fmt::format(
        "tick {}: the chain is {}, recorded was {}: this build makes another "
        "run of the recording and can't go on with it",
        tick, sim::FormatDigest(chain), sim::FormatDigest(entry_->chain)));
  }

 private:
  const std::unique_ptr<ReplayCursor<DigestEntry>> digests_;
  std::optional<DigestEntry> entry_;
  bool is_read_ = false;
};

absl::Status CancelledAt(sim::Tick tick, sim::Tick destination) {
  return absl::CancelledError(fmt::format(
      "cancelled at tick {}, on the way to tick {}", tick, destination));
}

absl::Status CheckTick(const ReplayReader& replay, sim::Tick tick) {
  if (tick <= replay.tick_count()) return absl::OkStatus();
  return absl::OutOfRangeError(fmt::format(
      "tick {}; the replay ends at tick {}", tick, replay.tick_count()));
}

// What players hold who have given this; who gave nothing yet holds nothing.
std::vector<sim::DeviceState> HeldDevices(const GivenDevices& given,
                                          uint32_t player_count) {
  std::vector<sim::DeviceState> held(player_count);
  for (const auto& [player, device] : given) {
    if (player < player_count) held[player] = device;
  }
  return held;
}

// Brings `simulation`, which is at tick 0, to `tick`, and returns the chain.
absl::StatusOr<sim::Digest> GoTo(const ReplayReader& replay, sim::Tick tick,
                                 sim::Simulation& simulation,
                                 IsCancelled is_cancelled) {
  sim::Digest chain;
  const absl::StatusOr<std::optional<ReplayKeyframe>> keyframe =
      replay.FindKeyframe(tick);
  if (!keyframe.ok()) return keyframe.status();
  if (keyframe->has_value()) {
    absl::Status status = RestoreKeyframe(**keyframe, simulation);
    if (!status.ok()) return status;
    chain = (*keyframe)->chain;
  } else {
    chain = sim::ExtendChain({}, simulation.state().ComputeRootDigest());
  }
  const std::unique_ptr<InputSource> inputs =
      replay.ReadInputs(simulation.tick());
  DigestCheck digests(replay, simulation.tick());
  absl::Status status = digests.Check(simulation.tick(), chain);
  while (status.ok() && simulation.tick() < tick) {
    if (is_cancelled()) return CancelledAt(simulation.tick(), tick);
    status = StepRecordedTick(*inputs, simulation, /*observer=*/nullptr);
    if (!status.ok()) return status;
    simulation.DrainEvents();
    chain = sim::ExtendChain(chain, simulation.state().ComputeRootDigest());
    status = digests.Check(simulation.tick(), chain);
  }
  if (!status.ok()) return status;
  return chain;
}

// Brings `simulation`, which is at tick 0, to where `found` ends.
absl::StatusOr<RecordedPast> MakePast(const ReplayReader& replay,
                                      const FoundPrefix& found,
                                      sim::Simulation& simulation,
                                      IsCancelled is_cancelled) {
  const absl::StatusOr<sim::Digest> chain =
      GoTo(replay, found.prefix.tick, simulation, is_cancelled);
  if (!chain.ok()) return chain.status();
  return RecordedPast{
      .held = HeldDevices(found.given, simulation.info().inputs.player_count),
      .chain = *chain};
}

// One file holds states of the same tables only.
absl::Status CheckSameTables(const ReplayReader& replay,
                             const sim::Simulation& simulation) {
  const absl::StatusOr<std::shared_ptr<const sim::State>> recorded =
      replay.ReadShape();
  if (!recorded.ok()) return recorded.status();
  if (*recorded == nullptr) return absl::OkStatus();
  const std::vector<SchemaDifference> differences =
      CompareSchemas(**recorded, simulation.state());
  if (differences.empty()) return absl::OkStatus();
  return absl::FailedPreconditionError(
      fmt::format("the recording is of other tables: {}",
                  FormatSchemaDifferenceList(differences)));
}

absl::StatusOr<std::unique_ptr<sim::Simulation>> CreateSame(
    const ReplayReader& replay, const sim::PackArchive* pack) {
  absl::StatusOr<std::unique_ptr<sim::Simulation>> simulation =
      CreateRecordedSimulation(replay, pack);
  if (!simulation.ok()) return simulation;
  const sim::SimulationInfo& info = (*simulation)->info();
  const sim::ContentDigest recorded = replay.metadata().pack_digest;
  if (!info.IsOfPack(recorded)) {
    return absl::FailedPreconditionError(fmt::format(
        "the recording is of a pack with digest {}, not {}",
        sim::FormatDigest(recorded), sim::FormatDigest(info.pack_digest)));
  }
  const uint32_t recorded_rules = replay.metadata().rules_revision;
  const uint32_t actual_rules = info.rules_revision;
  if (recorded_rules != actual_rules) {
    return absl::FailedPreconditionError(
        fmt::format("the recording is of rules revision {}, this build has {}",
                    recorded_rules, actual_rules));
  }
  const absl::Status status = CheckSameTables(replay, **simulation);
  if (!status.ok()) return status;
  return simulation;
}

absl::Status CopyFront(const ByteSource& source, uint64_t size,
                       ByteSink& sink) {
  constexpr uint64_t kPieceBytes = uint64_t{1} << 20;
  Bytes piece(std::min(kPieceBytes, size));
  for (uint64_t offset = 0; offset < size; offset += kPieceBytes) {
    const auto bytes =
        std::span(piece).first(std::min(kPieceBytes, size - offset));
    absl::Status status = source.ReadAt(offset, bytes);
    if (status.ok()) status = sink.Append(bytes);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

// Those of the replay's branches, up to `tick`, that the prefix doesn't tell
// of.
absl::StatusOr<std::vector<ReplayBranch>> MissingBranches(
    const ReplayReader& replay, const RecordingPrefix& prefix, sim::Tick tick) {
  absl::StatusOr<std::vector<ReplayBranch>> branches = replay.ReadBranches();
  if (!branches.ok()) return branches;
  const auto kept = std::ranges::count(
      prefix.file.metadata, kBranchMetadataName, &McapMetadataIndex::name);
  branches->erase(branches->begin(),
                  branches->begin() + std::min(kept, std::ssize(*branches)));
  std::erase_if(*branches, [tick](const ReplayBranch& branch) {
    return branch.tick > tick;
  });
  return branches;
}

// The record that the prefix lacks where the replay says that it has lost
// events of it: it stands behind all chunks there. nullopt: none is needed. A
// replay without events, or one that was cut off, doesn't say so.
absl::StatusOr<std::optional<McapMetadata>> MissingWholeEvents(
    const ReplayReader& replay, const RecordingPrefix& prefix) {
  const auto is_record = [](const auto& record) {
    return record.name == kWholeEventsMetadataName;
  };
  if (std::ranges::none_of(replay.file().metadata(), is_record) ||
      std::ranges::any_of(prefix.file.metadata, is_record)) {
    return std::nullopt;
  }
  const absl::StatusOr<sim::Tick> end = WholeEventsEnd(replay);
  if (!end.ok()) return end.status();
  if (*end >= prefix.tick) return std::nullopt;
  return WholeEventsRecord(*end);
}

}  // namespace

absl::StatusOr<std::unique_ptr<ResumedRecording>> ResumedRecording::Continue(
    const std::string& path, const sim::PackArchive* pack,
    FileSink::Durability durability) {
  // First, so that nobody adds to what is read.
  absl::StatusOr<std::unique_ptr<FileSink>> sink =
      FileSink::Continue(path, durability);
  if (!sink.ok()) return sink.status();
  const absl::StatusOr<std::unique_ptr<ReplayReader>> replay =
      ReplayReader::OpenFile(path);
  if (!replay.ok()) return replay.status();
  const std::optional<McapRecovery>& recovery = (*replay)->file().recovery();
  if (recovery && recovery->bytes_lost > 0 && !recovery->is_torn) {
    return absl::DataLossError(fmt::format(
        "{}: {}; going on would lose the {} bytes from there on", path,
        std::string(recovery->data_problem.message()), recovery->bytes_lost));
  }
  absl::StatusOr<FoundPrefix> found =
      FindRecordingPrefix(**replay, sim::kTickMax);
  if (!found.ok()) return (*replay)->file().Named(found.status());
  RecordingPrefix& prefix = found->prefix;
  const sim::Tick tick = (*replay)->tick_count();
  const absl::StatusOr<std::vector<ReplayBranch>> branches =
      MissingBranches(**replay, prefix, tick);
  if (!branches.ok()) return branches.status();
  std::unique_ptr<ResumedRecording> resumed(new ResumedRecording);
  absl::StatusOr<std::unique_ptr<sim::Simulation>> simulation =
      CreateSame(**replay, pack);
  if (!simulation.ok()) return (*replay)->file().Named(simulation.status());
  resumed->simulation_ = *std::move(simulation);
  absl::StatusOr<RecordedPast> past =
      MakePast(**replay, *found, *resumed->simulation_, NeverCancelled);
  if (!past.ok()) return (*replay)->file().Named(past.status());
  absl::Status status = (*sink)->KeepFront(prefix.file.data_end);
  if (!status.ok()) return status;
  auto replacing = std::make_unique<ReplacingSink>(*std::move(sink));
  ReplacingSink* const replacing_sink = replacing.get();
  status = resumed->Start(**replay, std::move(prefix), *std::move(past),
                          std::move(replacing));
  if (status.ok()) {
    status = resumed->TakeOver(**replay, *branches, tick, NeverCancelled);
  }
  if (!status.ok()) return (*replay)->file().Named(status);
  // All that comes now ends behind the last tick that the file holds.
  replacing_sink->StopWaiting();
  return resumed;
}

absl::StatusOr<std::unique_ptr<ResumedRecording>> ResumedRecording::Branch(
    const ReplayReader& parent, const std::string& parent_name, sim::Tick tick,
    std::unique_ptr<ByteSink> sink, const sim::PackArchive* pack,
    IsCancelled is_cancelled) {
  absl::Status status = CheckTick(parent, tick);
  if (!status.ok()) return status;
  absl::StatusOr<FoundPrefix> found = FindRecordingPrefix(parent, tick);
  if (!found.ok()) return found.status();
  RecordingPrefix& prefix = found->prefix;
  const absl::StatusOr<std::vector<ReplayBranch>> branches =
      MissingBranches(parent, prefix, tick);
  if (!branches.ok()) return branches.status();
  std::unique_ptr<ResumedRecording> branch(new ResumedRecording);
  absl::StatusOr<std::unique_ptr<sim::Simulation>> simulation =
      CreateSame(parent, pack);
  if (!simulation.ok()) return simulation.status();
  branch->simulation_ = *std::move(simulation);
  absl::StatusOr<RecordedPast> past =
      MakePast(parent, *found, *branch->simulation_, is_cancelled);
  if (!past.ok()) return past.status();
  status = CopyFront(parent.file().source(), prefix.file.data_end, *sink);
  if (!status.ok()) return status;
  status = branch->Start(parent, std::move(prefix), *std::move(past),
                         std::move(sink));
  if (status.ok()) {
    status = branch->TakeOver(parent, *branches, tick, is_cancelled);
  }
  if (status.ok()) status = branch->recorder_->Flush();
  if (status.ok() && parent.file().metadata().size() < kBranchRecordsMax) {
    status = branch->writer_->AddBranch({.parent = parent_name,
                                         .tick = tick,
                                         .chain = branch->recorder_->chain()});
  }
  if (!status.ok()) return status;
  return branch;
}

absl::Status ResumedRecording::Start(const ReplayReader& replay,
                                     RecordingPrefix prefix, RecordedPast past,
                                     std::unique_ptr<ByteSink> sink) {
  const sim::Tick tick = prefix.tick;
  const absl::StatusOr<std::optional<McapMetadata>> whole_events =
      MissingWholeEvents(replay, prefix);
  if (!whole_events.ok()) return whole_events.status();
  absl::StatusOr<std::unique_ptr<ReplayWriter>> writer =
      ReplayWriter::Continue(std::move(sink), *simulation_, std::move(prefix));
  if (!writer.ok()) return writer.status();
  writer_ = *std::move(writer);
  recorder_ = tick == 0
                  ? std::make_unique<Recorder>(simulation_.get(), writer_.get())
                  : std::make_unique<Recorder>(simulation_.get(), writer_.get(),
                                               std::move(past));
  return whole_events->has_value() ? writer_->AddMetadata(**whole_events)
                                   : absl::OkStatus();
}

absl::Status ResumedRecording::TakeOver(const ReplayReader& replay,
                                        std::span<const ReplayBranch> branches,
                                        sim::Tick tick,
                                        IsCancelled is_cancelled) {
  const sim::Simulation& run = *simulation_;
  const std::unique_ptr<InputSource> inputs = replay.ReadInputs(run.tick());
  DigestCheck digests(replay, run.tick());
  while (true) {
    absl::Status status;
    while (status.ok() && !branches.empty() &&
           branches.front().tick <= run.tick()) {
      // What is said of a branch stands behind what it took over.
      status = recorder_->Flush();
      if (status.ok()) status = writer_->AddBranch(branches.front());
      branches = branches.subspan(1);
    }
    if (!status.ok() || run.tick() >= tick) return status;
    if (is_cancelled()) return CancelledAt(run.tick(), tick);
    const absl::StatusOr<std::span<const sim::InputFrame>> frames =
        inputs->FramesAt(run.tick());
    if (!frames.ok()) return frames.status();
    status = recorder_->Step(*frames);
    if (status.ok()) status = digests.Check(run.tick(), recorder_->chain());
    if (!status.ok()) return status;
    recorder_->DrainEvents();
  }
}

absl::StatusOr<std::unique_ptr<sim::Simulation>> ResumeSimulation(
    const ReplayReader& replay, sim::Tick tick, const sim::PackArchive* pack,
    IsCancelled is_cancelled) {
  absl::Status status = CheckTick(replay, tick);
  if (!status.ok()) return status;
  absl::StatusOr<std::unique_ptr<sim::Simulation>> simulation =
      CreateSame(replay, pack);
  if (!simulation.ok()) return simulation;
  status = GoTo(replay, tick, **simulation, is_cancelled).status();
  if (!status.ok()) return status;
  return simulation;
}

}  // namespace reprise::replays
