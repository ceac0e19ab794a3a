// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/fuzzing/corpus/corpus_file.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <system_error>
#include <utility>

#include "fmt/format.h"
#include "replays/container/partial_file.h"
#include "replays/format/replay_reader.h"

namespace reprise::replays {
namespace {

namespace fs = std::filesystem;

// A longer one is none of ours.
constexpr uint64_t kTextBytesMax = uint64_t{64} << 20;

// Why `path` can't be written, with its name once. A full disk isn't the
// input's fault.
absl::Status WriteError(const absl::Status& status, const std::string& path) {
  std::string message(status.message());
  if (message.find(path) == std::string::npos) {
    message = fmt::format("{}: {}", path, message);
  }
  const bool is_full =
      absl::IsResourceExhausted(status) || absl::IsOutOfRange(status);
  return absl::Status(is_full ? absl::StatusCode::kUnavailable : status.code(),
                      message);
}

}  // namespace

absl::Status WriteCorpusFile(
    const std::string& path,
    const std::function<absl::Status(std::unique_ptr<FileSink>)>& write) {
  std::error_code ignored;  // What can't be looked at can't be written either.
  if (fs::is_directory(path, ignored)) {
    return absl::InvalidArgumentError(
        fmt::format("{} is a folder, and no file", path));
  }
  const std::string partial = UnfinishedPath(path);
  auto sink = FileSink::Create(partial, kCorpusDurability);
  if (!sink.ok()) return WriteError(sink.status(), path);
  absl::Status status = write(*std::move(sink));
  if (partial == path) return status.ok() ? status : WriteError(status, path);
  if (status.ok()) status = RenameFile(partial, path, kCorpusDurability);
  if (status.ok()) return status;
  fs::remove(partial, ignored);
  return WriteError(status, path);
}

absl::Status WriteCorpusText(const std::string& path, std::string_view text) {
  return WriteCorpusFile(path, [text](std::unique_ptr<FileSink> sink) {
    return sink->Append(std::as_bytes(std::span(text)));
  });
}

absl::StatusOr<std::string> ReadCorpusText(const std::string& path) {
  const auto file = FileSource::Open(path);
  if (!file.ok()) return file.status();
  if ((*file)->size() > kTextBytesMax) {
    return absl::InvalidArgumentError(
        fmt::format("{}: it has more than {} bytes", path, kTextBytesMax));
  }
  std::string text((*file)->size(), '\0');
  const absl::Status status =
      (*file)->ReadAt(0, std::as_writable_bytes(std::span(text)));
  if (!status.ok()) return status;
  return text;
}

absl::StatusOr<InputTrack> ReadReplayTrack(const std::string& path) {
  absl::StatusOr<std::unique_ptr<ReplayReader>> replay =
      ReplayReader::OpenFile(path);
  if (!replay.ok()) return replay.status();
  InputTrack track{
      .pack = (*replay)->metadata().pack,
      .tick_count = (*replay)->tick_count(),
      .run = RunDescription{.simulation = {},
                            .pack_digest = (*replay)->metadata().pack_digest,
                            .seed = 0,
                            .writer = {}},
      .ticks = {}};
  const auto cursor = (*replay)->ReadTickInputs();
  while (true) {
    auto inputs = cursor->Next();
    if (!inputs.ok()) return inputs.status();
    if (!inputs->has_value()) return track;
    track.ticks.push_back(**std::move(inputs));
  }
}

}  // namespace reprise::replays
