// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/recording.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "fmt/format.h"
#include "replays/byte_file.h"
#include "replays/partial_file.h"
#include "services/status.h"

namespace reprise::services {
namespace {

namespace filesystem = std::filesystem;

absl::Status RecordingFailedError(const absl::Status& cause) {
  return WithReason(
      absl::DataLossError(fmt::format("the recording broke off: {}",
                                      std::string(cause.message()))),
      "RECORDING_FAILED");
}

absl::StatusOr<std::unique_ptr<replays::ReplayWriter>> CreateWriter(
    const std::string& path, const sim::Simulation& simulation,
    const sim::PackArchive& pack, const replays::ReplayWriterOptions& options,
    replays::FileSink::Durability durability) {
  auto sink = replays::FileSink::Create(path, durability);
  if (!sink.ok()) return sink.status();
  auto writer = replays::ReplayWriter::Create(*std::move(sink), simulation,
                                              pack, options);
  if (!writer.ok()) {
    std::error_code ignored;
    filesystem::remove(path, ignored);
  }
  return writer;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Recording>> Recording::Start(
    std::string path, sim::Simulation* simulation, const sim::PackArchive& pack,
    const replays::ReplayWriterOptions& options,
    replays::FileSink::Durability durability) {
  const std::string partial = replays::PartialPath(path);
  auto writer = CreateWriter(partial, *simulation, pack, options, durability);
  if (!writer.ok()) return writer.status();
  return std::unique_ptr<Recording>(new Recording(
      std::move(path), *std::move(writer), simulation, durability));
}

Recording::Recording(std::string path,
                     std::unique_ptr<replays::ReplayWriter> writer,
                     sim::Simulation* simulation,
                     replays::FileSink::Durability durability)
    : path_(std::move(path)),
      durability_(durability),
      writer_(std::move(writer)),
      recorder_(
          std::make_unique<replays::Recorder>(simulation, writer_.get())) {}

absl::Status Recording::Step(std::span<const sim::InputFrame> frames) {
  const absl::Status stepped = recorder_->Step(frames);
  return recorder_->recording_status().ok() ? stepped : status();
}

absl::Status Recording::status() const {
  const absl::Status& status = recorder_->recording_status();
  return status.ok() ? status : RecordingFailedError(status);
}

absl::Status Recording::Finish() {
  const absl::Status finished = recorder_->Finish();
  if (!finished.ok()) return RecordingFailedError(finished);
  const absl::Status renamed =
      replays::RenameFile(replays::PartialPath(path_), path_, durability_);
  return renamed.ok() ? renamed : RecordingFailedError(renamed);
}

}  // namespace reprise::services
