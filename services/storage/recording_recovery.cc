// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/storage/recording_recovery.h"

#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/container/byte_file.h"
#include "replays/container/partial_file.h"
#include "replays/recording/replay_recovery.h"
#include "services/storage/recording_room.h"

namespace reprise::services {
namespace {

namespace filesystem = std::filesystem;

// What a replay is called until it is whole. One that a killed server left is
// written anew.
constexpr std::string_view kUnfinishedSuffix = ".recovering";

constexpr auto kDurability = replays::FileSink::Durability::kMachine;

absl::Status Remove(const std::string& path) {
  std::error_code error;
  filesystem::remove(path, error);
  if (!error) return absl::OkStatus();
  return absl::UnavailableError(fmt::format("{}: {}", path, error.message()));
}

absl::StatusOr<replays::RecoveryReport> WriteReplay(
    std::unique_ptr<replays::FileSource> recording, const std::string& path) {
  auto sink = replays::FileSink::Create(path, kDurability);
  if (!sink.ok()) return sink.status();
  // What players did last is what somebody may look for.
  auto report = replays::RecoverReplay(std::move(recording), sink->get(),
                                       {.keep_unproven = true});
  absl::Status status = report.status();
  // The disk has to have the bytes before the name that says they are whole.
  if (status.ok()) status = (*sink)->Flush();
  if (status.ok()) return report;
  const absl::Status ignored = Remove(path);
  return status;
}

std::string DescribeDamage(const replays::RecoveryReport& report) {
  if (report.tick_count_before.value_or(0) > report.tick_count) {
    return fmt::format("of {} ticks those behind tick {} are out of reach",
                       *report.tick_count_before, report.tick_count);
  }
  if (report.bytes_lost > 0) {
    return fmt::format("its last {} bytes can't be read", report.bytes_lost);
  }
  return report.is_damaged ? report.losses.back() : "";
}

}  // namespace

absl::StatusOr<std::optional<RecoveredRecording>> RecoverRecording(
    const std::string& path) {
  const std::string partial = replays::PartialPath(path);
  const auto lock = replays::WriteLock::TryAcquire(partial);
  if (absl::IsNotFound(lock.status())) return std::nullopt;
  if (!lock.ok()) return lock.status();
  if (*lock == nullptr) {
    return RecoveredRecording{
        .tick_count = 0, .damage = "", .is_under_way = true};
  }
  auto recording = replays::FileSource::Open(partial);
  if (!recording.ok()) return recording.status();

  const std::string unfinished = fmt::format("{}{}", path, kUnfinishedSuffix);
  const auto report = WriteReplay(*std::move(recording), unfinished);
  if (!report.ok()) return report.status();
  absl::Status status = replays::RenameFile(unfinished, path, kDurability);
  if (!status.ok()) return status;
  std::string damage = DescribeDamage(*report);
  // What is kept had room reserved behind it, which nobody writes any more.
  if (!damage.empty()) CutAtEnd(partial);
  status = damage.empty()
               ? Remove(partial)
               : replays::RenameFile(partial,
                                     fmt::format("{}{}", path, kDamagedSuffix),
                                     kDurability);
  if (!status.ok()) return status;
  return RecoveredRecording{.tick_count = report->tick_count,
                            .damage = std::move(damage),
                            .is_under_way = false};
}

}  // namespace reprise::services
