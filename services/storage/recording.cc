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
    replays::FileSink::Durability durability) {
  auto writer = StartFile(replays::PartialPath(path), durability,
                          [&](std::unique_ptr<replays::FileSink> sink) {
                            return replays::ReplayWriter::Create(
                                std::move(sink), *simulation, pack, options);
                          });
  if (!writer.ok()) return writer.status();
  auto recorder =
      std::make_unique<replays::Recorder>(simulation, writer->get());
  return std::unique_ptr<Recording>(new Recording(
      std::move(path), *std::move(writer), std::move(recorder), durability));
}

absl::StatusOr<RecordedRun> Recording::Branch(
    std::string path, const replays::ReplayReader& parent,
    const std::string& parent_name, sim::Tick tick,
    const sim::PackArchive* pack, replays::FileSink::Durability durability,
    replays::IsCancelled is_cancelled) {
  auto branch = StartFile(replays::PartialPath(path), durability,
                          [&](std::unique_ptr<replays::FileSink> sink) {
                            return replays::ResumedRecording::Branch(
                                parent, parent_name, tick, std::move(sink),
                                pack, is_cancelled);
                          });
  if (!branch.ok()) return branch.status();
  replays::ResumedRecording::Parts parts = std::move(**branch).Release();
  RecordedRun run{.simulation = std::move(parts.simulation),
                  .recording = nullptr,
                  .pack = nullptr,
                  .start = std::nullopt};
  run.recording.reset(new Recording(std::move(path), std::move(parts.writer),
                                    std::move(parts.recorder), durability));
  return run;
}

Recording::Recording(std::string path,
                     std::unique_ptr<replays::ReplayWriter> writer,
                     std::unique_ptr<replays::Recorder> recorder,
                     replays::FileSink::Durability durability)
    : path_(std::move(path)),
      durability_(durability),
      writer_(std::move(writer)),
      recorder_(std::move(recorder)) {}

absl::Status Recording::Step(std::span<const sim::InputFrame> frames,
                             sim::PhaseObserver* observer) {
  if (!finished_.ok()) return finished_;
  const absl::Status stepped = recorder_->Step(frames, observer);
  return recorder_->recording_status().ok() ? stepped : status();
}

absl::Status Recording::Flush() {
  if (!finished_.ok()) return finished_;
  const absl::Status flushed = recorder_->Flush();
  return flushed.ok() ? flushed : RecordingFailedError(flushed);
}

void Recording::FlushEarly() {
  // Whoever steps next is told.
  if (finished_.ok()) recorder_->FlushEarly().IgnoreError();
}

absl::Status Recording::status() const {
  if (!finished_.ok()) return finished_;
  const absl::Status& status = recorder_->recording_status();
  return status.ok() ? status : RecordingFailedError(status);
}

absl::Status Recording::Finish() {
  if (!finished_.ok()) return finished_;
  absl::Status finished = recorder_->Finish();
  if (finished.ok()) {
    finished =
        replays::RenameFile(replays::PartialPath(path_), path_, durability_);
  }
  if (!finished.ok()) finished_ = RecordingFailedError(finished);
  return finished_;
}

void Recording::Discard() {
  std::error_code ignored;
  filesystem::remove(replays::PartialPath(path_), ignored);
}

}  // namespace reprise::services
