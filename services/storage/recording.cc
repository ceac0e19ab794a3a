// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/storage/recording.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "fmt/format.h"
#include "replays/container/byte_file.h"
#include "replays/container/partial_file.h"
#include "services/base/descriptor_limit.h"
#include "services/base/status.h"

namespace reprise::services {
namespace {

namespace filesystem = std::filesystem;

// Where the file lies is nothing for clients.
absl::Status RecordingFailedError(const absl::Status& cause) {
  std::string text(cause.message());
  if (text.find('/') != std::string::npos) text = SystemTextOf(cause);
  return WithReason(
      absl::DataLossError(fmt::format("the recording broke off: {}", text)),
      "RECORDING_FAILED");
}

// Whether an error is of the file at `path`, as a sink tells it, and not of
// what was to be written.
bool IsOfFile(const absl::Status& status, const std::string& path) {
  const std::string text(status.message());
  return text.starts_with(path + ": ");
}

// What `start` makes of a new file at `path`, which an error takes away again.
template <typename Start>
auto StartFile(const std::string& path,
               replays::FileSink::Durability durability, Start start)
    -> decltype(start(std::unique_ptr<replays::FileSink>())) {
  auto sink = replays::FileSink::Create(path, durability);
  if (!sink.ok()) return StoreError(sink.status());
  auto started = start(*std::move(sink));
  if (started.ok()) return started;
  std::error_code ignored;
  filesystem::remove(path, ignored);
  if (IsOfFile(started.status(), path)) return StoreError(started.status());
  return started;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Recording>> Recording::Start(
    std::string path, sim::Simulation* simulation, const sim::PackArchive& pack,
    const replays::ReplayWriterOptions& options,
    replays::FileSink::Durability durability, DiskWriters* writers) {
  std::shared_ptr<WriteQueue> queue;
  auto writer = StartFile(replays::PartialPath(path), durability,
                          [&](std::unique_ptr<replays::FileSink> sink) {
                            queue =
                                std::make_shared<WriteQueue>(std::move(sink));
                            return replays::ReplayWriter::Create(
                                queue->MakeSink(), *simulation, pack, options);
                          });
  if (!writer.ok()) return writer.status();
  auto recorder =
      std::make_unique<replays::Recorder>(simulation, writer->get());
  if (writers != nullptr) queue->Begin(writers);
  return std::unique_ptr<Recording>(
      new Recording(std::move(path), *std::move(writer), std::move(recorder),
                    std::move(queue), durability));
}

absl::StatusOr<RecordedRun> Recording::Branch(
    std::string path, const replays::ReplayReader& parent,
    const std::string& parent_name, sim::Tick tick,
    const sim::PackArchive* pack, replays::FileSink::Durability durability,
    replays::IsCancelled is_cancelled, DiskWriters* writers) {
  std::shared_ptr<WriteQueue> queue;
  auto branch = StartFile(
      replays::PartialPath(path), durability,
      [&](std::unique_ptr<replays::FileSink> sink) {
        queue = std::make_shared<WriteQueue>(std::move(sink));
        return replays::ResumedRecording::Branch(
            parent, parent_name, tick, queue->MakeSink(), pack, is_cancelled);
      });
  if (!branch.ok()) return branch.status();
  replays::ResumedRecording::Parts parts = std::move(**branch).Release();
  RecordedRun run{.simulation = std::move(parts.simulation),
                  .recording = nullptr,
                  .pack = nullptr,
                  .start = std::nullopt};
  if (writers != nullptr) queue->Begin(writers);
  run.recording.reset(new Recording(std::move(path), std::move(parts.writer),
                                    std::move(parts.recorder), std::move(queue),
                                    durability));
  return run;
}

Recording::Recording(std::string path,
                     std::unique_ptr<replays::ReplayWriter> writer,
                     std::unique_ptr<replays::Recorder> recorder,
                     std::shared_ptr<WriteQueue> queue,
                     replays::FileSink::Durability durability)
    : path_(std::move(path)),
      durability_(durability),
      writer_(std::move(writer)),
      recorder_(std::move(recorder)),
      queue_(std::move(queue)) {}

absl::Status Recording::Step(std::span<const sim::InputFrame> frames,
                             sim::PhaseObserver* observer) {
  if (absl::Status well = status(); !well.ok()) return well;
  const absl::Status stepped = recorder_->Step(frames, observer);
  return recorder_->recording_status().ok() ? stepped : status();
}

void Recording::ReserveIn(std::unique_ptr<RecordingRoom> room) {
  room_ = std::move(room);
  room_->Reserve(size_bytes());
}

Recording::Room Recording::room() {
  if (!queue_->HasRoom()) return Room::kComing;
  // Whoever steps one that has broken off is told by that.
  if (room_ == nullptr || !status().ok()) return Room::kThere;
  const uint64_t size = size_bytes();
  // Nobody asks twice: what was asked for is answered before all is written.
  if (room_->WantsMore(size) && queue_->is_written()) AskForRoomOf(size);
  if (room_->Covers(size)) return Room::kThere;
  return is_out_of_room() ? Room::kNone : Room::kComing;
}

void Recording::AskForRoom() {
  if (is_out_of_room()) AskForRoomOf(size_bytes());
}

void Recording::AskForRoomOf(uint64_t size_bytes) {
  if (!status().ok()) return;
  queue_->Post([room = room_, size_bytes] { room->Reserve(size_bytes); });
}

bool Recording::is_out_of_room() const {
  return room_ != nullptr && room_->is_refused() && queue_->is_written() &&
         !room_->Covers(size_bytes());
}

absl::Status Recording::room_refusal() const {
  return room_ == nullptr ? absl::OkStatus() : room_->refusal();
}

DiskWait Recording::Flush() {
  absl::Status flushed = finished_;
  if (flushed.ok() && !has_ended_) {
    flushed = recorder_->Flush();
    if (!flushed.ok()) flushed = RecordingFailedError(flushed);
  }
  return [flushed = std::move(flushed), queue = queue_] {
    if (!flushed.ok()) return flushed;
    const absl::Status written = queue->AwaitWritten();
    return written.ok() ? written : RecordingFailedError(written);
  };
}

void Recording::FlushEarly() {
  // Whoever steps next is told.
  if (finished_.ok()) recorder_->FlushEarly().IgnoreError();
}

absl::Status Recording::status() const {
  if (!finished_.ok()) return finished_;
  absl::Status status = recorder_->recording_status();
  if (status.ok()) status = queue_->status();
  return status.ok() ? status : RecordingFailedError(status);
}

absl::Status Recording::Finish() { return EndFinish(BeginFinish()()); }

DiskWait Recording::BeginFinish() {
  absl::Status ended = finished_;
  if (ended.ok()) {
    ended = recorder_->Finish();
    has_ended_ = ended.ok();
    if (!ended.ok()) ended = RecordingFailedError(ended);
  }
  return [ended = std::move(ended), queue = queue_, room = room_, path = path_,
          durability = durability_] {
    absl::Status finished = queue->AwaitWritten();
    // Whatever has come of it, no more is written.
    if (room != nullptr) room->Release();
    if (!ended.ok()) return ended;
    if (finished.ok()) {
      finished =
          replays::RenameFile(replays::PartialPath(path), path, durability);
    }
    return finished.ok() ? finished : RecordingFailedError(finished);
  };
}

absl::Status Recording::EndFinish(const absl::Status& finished) {
  finished_ = finished;
  return finished_;
}

void Recording::Discard() {
  std::error_code ignored;
  filesystem::remove(replays::PartialPath(path_), ignored);
}

}  // namespace reprise::services
