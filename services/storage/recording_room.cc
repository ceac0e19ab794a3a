// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/storage/recording_room.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "services/base/status.h"

namespace reprise::services {
namespace {

absl::Status DiskFullError() {
  return WithReason(
      absl::ResourceExhaustedError(
          "the store is full: its disk has no room for more of the recording"),
      "STORE_FULL");
}

// Has the disk keep room for `bytes` of the file, whose size stays. OK, too,
// where a file system can't, or nobody can tell: then writing tells.
absl::Status Allocate(const std::string& path, uint64_t bytes) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return absl::OkStatus();
  const int failed =
      fallocate(descriptor, FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(bytes));
  const bool is_full = failed != 0 && (errno == ENOSPC || errno == EDQUOT);
  close(descriptor);
  return is_full ? DiskFullError() : absl::OkStatus();
}

}  // namespace

uint64_t CutAtEnd(const std::string& path) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return 0;
  struct stat file = {};
  uint64_t size_bytes = 0;
  if (fstat(descriptor, &file) == 0) {
    size_bytes = static_cast<uint64_t>(file.st_size);
    // Where that fails the file keeps its room, and nothing else.
    [[maybe_unused]] const int ignored = ftruncate(descriptor, file.st_size);
  }
  close(descriptor);
  return size_bytes;
}

RecordingRoom::RecordingRoom(
    std::unique_ptr<RoomLedger::Reservation> reservation, std::string path,
    std::function<void()> measure)
    : path_(std::move(path)),
      measure_(std::move(measure)),
      reservation_(std::move(reservation)) {}

bool RecordingRoom::Covers(uint64_t size_bytes) const {
  return size_bytes + kRoomAheadBytes <= reserved_bytes_;
}

bool RecordingRoom::WantsMore(uint64_t size_bytes) const {
  if (!Covers(size_bytes)) return !is_refused_;
  return !is_short_ && !Covers(size_bytes + kRoomBlockBytes / 2);
}

void RecordingRoom::Reserve(uint64_t size_bytes) {
  const uint64_t least_bytes = size_bytes + kRoomAheadBytes;
  absl::Status grown = GrowTo(least_bytes + kRoomBlockBytes);
  is_short_ = !grown.ok();
  if (!grown.ok()) grown = GrowTo(least_bytes);
  // Others may have made room since somebody looked.
  if (!grown.ok() && measure_ != nullptr) {
    measure_();
    grown = GrowTo(least_bytes);
  }
  // What is written takes its place all the same.
  reservation_->Count(size_bytes);
  reserved_bytes_ = reservation_->bytes();
  {
    const std::scoped_lock lock(mutex_);
    refusal_ = grown;
  }
  is_refused_ = !grown.ok();
}

absl::Status RecordingRoom::GrowTo(uint64_t bytes) {
  const uint64_t before = reservation_->bytes();
  absl::Status grown = reservation_->GrowTo(bytes);
  if (!grown.ok() || bytes <= allocated_bytes_) return grown;
  grown = Allocate(path_, bytes);
  if (grown.ok()) {
    allocated_bytes_ = bytes;
  } else {
    reservation_->ShrinkTo(before);
  }
  return grown;
}

absl::Status RecordingRoom::refusal() const {
  const std::scoped_lock lock(mutex_);
  return refusal_;
}

void RecordingRoom::Release() { reservation_->Finish(CutAtEnd(path_)); }

}  // namespace reprise::services
